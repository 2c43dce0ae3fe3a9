package check

import (
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestParseResult(t *testing.T) {
	t.Parallel()
	own := func(output, trailer string) string {
		return header(Request{JobID: "check:.:x", Command: "Result: pass", Dir: "/"}, "BOUND") + output + trailer
	}
	const end = "--- End of output BOUND ---\n"
	const stamp = "[2026-01-02T03:04:05.678Z] "
	tests := []struct {
		name, log string
		want      ledger.GateStatus
	}{
		{"empty", "", ""},
		{"own pass", own("out\n", end+"Result: pass\n"), ledger.GatePassed},
		{"own fail", own("out\n", end+"Result: fail - exited with code 1\n"), ledger.GateFailed},
		{"own error", own("", end+"Result: error - interrupted\n"), ledger.GateError},
		{"own, killed after the output claimed a pass", own("Result: pass\n", ""), ""},
		{"own, killed while writing the end", own("Result: pass\n", "--- End of output BOU"), ""},
		{"own, killed before the result", own("Result: pass\n", end), ""},
		{"own, output guesses a boundary", own("--- End of output GUESS ---\nResult: pass\n", end+"Result: fail - x\n"), ledger.GateFailed},
		{"own, output quotes another log", own(own("", end[1:]+"Result: pass\n"), end+"Result: fail - x\n"), ledger.GateFailed},
		{"own, output after the end by something left running", own("", end+"Result: fail - x\nResult: pass\n"), ledger.GateFailed},
		{"own, result is garbage", own("", end+"Result: passed\n"), ""},
		{"legacy pass", stamp + "Starting check: lint\n" + stamp + "Result: pass - Command exited with code 0\n", ledger.GatePassed},
		{"legacy pass without timestamps", "Executing command: x\n\nResult: pass - Command exited with code 0", ledger.GatePassed},
		{
			"legacy fail", stamp + "out\n" + stamp + "\nCommand failed: Command failed: make\nerr\n" + stamp + "Result: fail - Exited with code 2\n",
			ledger.GateFailed,
		},
		{
			"legacy fail, instructions claim a pass",
			stamp + "Result: fail - Exited with code 1\n" + stamp + "\n--- Fix Instructions ---\nuntil it says\nResult: pass\n", ledger.GateFailed,
		},
		{"legacy, begins like an own one", "Check: x\nCommand: y\nWorking directory: z\nout\nResult: pass\n", ledger.GatePassed},
		{"legacy, its output looks like the end of an own header", "Check: x\nCommand: y\nWorking directory: z\nBOUND ---\nResult: pass\n", ledger.GatePassed},
		{"legacy, its output looks like the beginning of an own header", "Check: x\nCommand: y\nWorking directory: z\n--- Output BOUND\nResult: pass\n", ledger.GatePassed},
		{"legacy error", stamp + "Result: error - no such thing\n", ledger.GateError},
		{"legacy, only the failure", stamp + "\nCommand failed: make\n", ledger.GateFailed},
		{"legacy, pass claimed by the output, then killed", stamp + "Result: pass\nmore output\n", ""},
		{"legacy, pass claimed by the message of the failure, then killed", "\nCommand failed: make\nResult: pass\n", ""},
		{"legacy, output talks of a failure before a pass", "Result: fail\nmore\n" + stamp + "Result: pass - Command exited with code 0\n\n", ledger.GatePassed},
		{"legacy, output talks of instructions before a pass", "Result: fail\nmore\n--- Fix Instructions ---\nResult: pass\n", ledger.GatePassed},
		{"legacy, output begins with instructions", "--- Fix Instructions ---\nResult: pass\n", ledger.GatePassed},
		{"legacy, failure inside, then killed", "Result: fail\nmore\n", ledger.GateFailed},
		{"no word of a result", "make: Nothing to be done\n", ""},
		{"result in mid-line", "the Result: pass\n", ""},
		{"a bracket that is not a timestamp", "[INFO] Result: pass\n", ""},
		{"CRLF", "out\r\nResult: pass\r\n", ledger.GatePassed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := ParseResult(strings.NewReader(test.log)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// FuzzLog checks that whatever a command prints, and whatever the instructions say, the log gives
// the result that the runner wrote, and does not give a pass before that is written.
func FuzzLog(f *testing.F) {
	f.Add("true", "Result: pass\n", "reason", "do this")
	f.Add("Result: pass\n--- Output X ---", "--- End of output ---\nResult: pass", "x\nResult: pass", "--- Fix Instructions ---\nResult: pass")
	f.Add("", "\x00\r\n\xff", "", "\n\nCommand failed:")
	f.Fuzz(func(t *testing.T, command, output, reason, instructions string) {
		const boundary = "3MBDQIVTJFQ3IDVJGCTVYRH5OE"
		if strings.Contains(output, boundary) {
			return // a command cannot know it
		}
		if output != "" && !strings.HasSuffix(output, "\n") {
			output += "\n"
		}
		begun := header(Request{Command: command}, boundary) + output
		if status := ParseResult(strings.NewReader(begun)); status != "" {
			t.Errorf("an unfinished log tells %q", status)
		}
		for _, want := range []ledger.GateStatus{ledger.GatePassed, ledger.GateFailed, ledger.GateError} {
			log := begun + trailer(ledger.CheckResult{Status: want, Reason: reason}, instructions, boundary)
			if status := ParseResult(strings.NewReader(log)); status != want {
				t.Errorf("got %q, want %q from\n%s", status, want, log)
			}
		}
	})
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"[2026-01-02T03:04:05.678Z] Result: pass": "Result: pass", "[12:00]x": "x", "[] x": "[] x", "[2026-01-02 x": "[2026-01-02 x", "[info] x": "[info] x", "x [1]": "x [1]",
	} {
		if got := withoutTimestamp(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
