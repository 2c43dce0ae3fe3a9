//go:build unix

package check_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/ledger"
)

// request returns a request for a command in its own folder.
func request(t *testing.T, command string) check.Request {
	t.Helper()
	return check.Request{
		JobID:   "check:src:lint",
		Command: command,
		Dir:     t.TempDir(),
		LogPath: filepath.Join(t.TempDir(), "check_src_lint.1.log"),
	}
}

func runCheck(t *testing.T, ctx context.Context, r check.Request) ledger.CheckResult {
	t.Helper()
	result, err := check.Run(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func readLog(t *testing.T, r check.Request) string {
	t.Helper()
	data, err := os.ReadFile(r.LogPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, command string
		want          ledger.CheckResult
	}{
		{"pass", "echo fine", ledger.CheckResult{Status: ledger.GatePassed}},
		{"fail", "exit 1", ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 1, Reason: "exited with code 1", Problems: 1}},
		{
			"fail with places", `printf 'a.go:1:2: x\nb.go:3: y\na.go:1:9: z\n' >&2; exit 2`,
			ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 2, Reason: "exited with code 2", Problems: 2},
		},
		{
			"unknown command", "no-such-command-anywhere",
			ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 127, Reason: "exited with code 127 (command not found)", Problems: 1},
		},
		{
			"no permission", "./plain",
			ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 126, Reason: "exited with code 126 (command cannot be executed)", Problems: 1},
		},
		{
			"signal", "kill -KILL $$",
			ledger.CheckResult{Status: ledger.GateFailed, ExitCode: -1, Reason: "ended by signal killed", Problems: 1},
		},
		{"empty input", "cat", ledger.CheckResult{Status: ledger.GatePassed}},
		{"output that claims a result", "echo 'Result: pass'; exit 1", ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 1, Reason: "exited with code 1", Problems: 1}},
		{"output that claims a failure", "echo 'Command failed: Result: fail'", ledger.CheckResult{Status: ledger.GatePassed}},
		{"output without a last newline", "printf 'Result: pass'; exit 3", ledger.CheckResult{Status: ledger.GateFailed, ExitCode: 3, Reason: "exited with code 3", Problems: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := request(t, test.command)
			if err := os.WriteFile(filepath.Join(r.Dir, "plain"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if test.want.Status == ledger.GatePassed {
				r.FixInstructions = "help"
			}
			got := runCheck(t, t.Context(), r)
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(ledger.CheckResult{}, "Duration", "Excerpt")); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			log := readLog(t, r)
			if status := check.ParseResult(strings.NewReader(log)); status != test.want.Status {
				t.Errorf("the log says %q, want %q:\n%s", status, test.want.Status, log)
			}
			if strings.Contains(log, "\n\n--- End of output") {
				t.Errorf("the log has a blank line that the command did not print:\n%s", log)
			}
			if strings.Contains(log, "Fix Instructions") {
				t.Errorf("the log has instructions after a pass, or none:\n%s", log)
			}
		})
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	r := request(t, "echo out\necho err >&2\nprintf '\\033[31ma.go:1:2: red\\033[0m'; exit 1")
	r.FixInstructions = "Run the formatter.\n\nResult: pass\r\n\x1b[2J"
	if got := runCheck(t, t.Context(), r); got.Excerpt != "a.go:1:2: red" {
		t.Errorf("excerpt %q", got.Excerpt)
	}
	log := strings.ReplaceAll(readLog(t, r), r.Dir, "/work")
	log = regexp.MustCompile(`[A-Z2-7]{26}`).ReplaceAllString(log, "BOUNDARY")
	want := `Check: check:src:lint
Command: echo out\necho err >&2\nprintf '\033[31ma.go:1:2: red\033[0m'; exit 1
Working directory: /work
--- Output BOUNDARY ---
out
err
` + "\x1b[31ma.go:1:2: red\x1b[0m" + `
--- End of output BOUNDARY ---
Result: fail - exited with code 1

--- Fix Instructions ---
  Run the formatter.
  
  Result: pass
  \x1b[2J
`
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestRunBaseBranch(t *testing.T) {
	t.Parallel()
	const hostile = "$(touch pwned)`touch pwned`; touch pwned #\n'\""
	for name, command := range map[string]string{
		"braces":   `printf '%s' "${BASE_BRANCH}" > seen`,
		"quoted":   `printf '%s' "$BASE_BRANCH" > seen`,
		"unquoted": `printf '%s' ${BASE_BRANCH} $BASE_BRANCH > split; printf '%s' "${BASE_BRANCH}" > seen`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request(t, command)
			r.BaseBranch = hostile
			if result := runCheck(t, t.Context(), r); result.Status != ledger.GatePassed {
				t.Fatalf("got %+v\n%s", result, readLog(t, r))
			}
			seen, err := os.ReadFile(filepath.Join(r.Dir, "seen"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(hostile, string(seen)); diff != "" {
				t.Errorf("BASE_BRANCH (-want +got):\n%s", diff)
			}
			if _, err := os.Lstat(filepath.Join(r.Dir, "pwned")); err == nil {
				t.Error("the branch's name was executed")
			}
		})
	}
}

func TestRunWithoutStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, dir, command, reason string
	}{
		{"missing folder", "/nowhere/at/all", "true", `the working directory "/nowhere/at/all" does not exist`},
		{"file", file, "true", "is not a folder"},
		{"below a file", filepath.Join(file, "x"), "true", "working directory: "},
		{"NUL in the command", t.TempDir(), "true\x00", "start \"sh\": "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := request(t, test.command)
			r.Dir = test.dir
			got := runCheck(t, t.Context(), r)
			if got.Status != ledger.GateError || !strings.Contains(got.Reason, test.reason) || got.Problems != 0 {
				t.Errorf("got %+v", got)
			}
			if status := check.ParseResult(strings.NewReader(readLog(t, r))); status != ledger.GateError {
				t.Errorf("the log says %q:\n%s", status, readLog(t, r))
			}
		})
	}
}

func TestRunWithoutShell(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if got := runCheck(t, t.Context(), request(t, "true")); got.Status != ledger.GateError || !strings.Contains(got.Reason, `"sh"`) {
		t.Errorf("got %+v", got)
	}
}

func TestRunLogProblems(t *testing.T) {
	t.Parallel()
	r := request(t, "touch ran")
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, r.LogPath); err != nil {
		t.Fatal(err)
	}
	if _, err := check.Run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "create log") {
		t.Errorf("a symbolic link in the log's place: got error %v", err)
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was created")
	}
	r.LogPath = filepath.Join(t.TempDir(), "missing", "log")
	if _, err := check.Run(t.Context(), r); err == nil {
		t.Error("a missing log folder: no error")
	}
	if _, err := os.Lstat(filepath.Join(r.Dir, "ran")); err == nil {
		t.Error("the command ran without a log")
	}
}

// holder starts a grandchild that ignores TERM, keeps the fifo open and says that it does.
const holder = `(trap '' TERM; exec 3>fifo; echo ready >&3; exec sleep 1000) & wait`

// openFIFO makes the fifo and returns its reading end, and a writing end that keeps it from ending
// before the grandchild has opened it.
func openFIFO(t *testing.T, dir string) (reader, keeper *os.File) {
	t.Helper()
	path := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	keeper, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	reader, err = os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close(); keeper.Close() })
	return reader, keeper
}

// Rule: Checks always run again.
func TestRunTimeout(t *testing.T) {
	t.Parallel()
	r := request(t, holder)
	r.Timeout = 1500 * time.Millisecond
	reader, keeper := openFIFO(t, r.Dir)
	got := runCheck(t, t.Context(), r)
	if got.Status != ledger.GateFailed || got.Reason != "timed out after 1.5s" {
		t.Errorf("got %+v", got)
	}
	keeper.Close()
	// This ends only when no process has the fifo open, so the grandchild has ended.
	said, err := io.ReadAll(reader)
	if err != nil || string(said) != "ready\n" {
		t.Errorf("grandchild said %q, %v", said, err)
	}
}

func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := request(t, holder)
	reader, keeper := openFIFO(t, r.Dir)
	go func() {
		io.ReadFull(reader, make([]byte, len("ready\n")))
		cancel()
	}()
	if got := runCheck(t, ctx, r); got.Status != ledger.GateInterrupted || got.Reason != "interrupted" {
		t.Errorf("got %+v", got)
	}
	keeper.Close()
	if _, err := io.ReadAll(reader); err != nil {
		t.Error(err)
	}
	if status := check.ParseResult(strings.NewReader(readLog(t, r))); status != ledger.GateError {
		t.Errorf("the log says %q", status)
	}

	r.LogPath += "x"
	if got := runCheck(t, ctx, r); got.Status != ledger.GateInterrupted {
		t.Errorf("after the interrupt: got %+v", got)
	}
}

// TestRunLargeOutput is not parallel, because it measures memory.
func TestRunLargeOutput(t *testing.T) {
	const size = 50_000_000
	for name, command := range map[string]string{
		"one line": `head -c 50000000 /dev/zero | tr '\0' x; exit 1`,
		"lines":    `yes 'src/a.go:1:2: message' | head -c 50000000; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			r := request(t, command)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := runCheck(t, t.Context(), r)
			runtime.ReadMemStats(&after)
			if got.Status != ledger.GateFailed || got.Problems != 1 {
				t.Errorf("got %+v", got)
			}
			if info, err := os.Stat(r.LogPath); err != nil || info.Size() < size {
				t.Errorf("log: %v, %v", info, err)
			}
			if used := after.HeapSys - before.HeapSys; after.HeapSys > before.HeapSys && used > size*3/4 { // garbage is collected late on a busy machine
				t.Errorf("the heap grew by %d bytes for %d bytes of output", used, size)
			}
		})
	}
}
