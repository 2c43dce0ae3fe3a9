package console_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/internal/text"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// found returns entries of which the worst is last and the first is hostile.
func found(n int) []ledger.SlotEntry {
	list := []ledger.SlotEntry{{ID: "a\x1b[2J", File: "src/\u202ea.go", Line: 3, Issue: "evil\n[PASS]  forged", Priority: "low"}}
	for i := range n - 2 {
		list = append(list, ledger.SlotEntry{ID: fmt.Sprintf("id%d", i), File: "src/b.go", Line: i, Issue: "Some issue", Priority: "medium"})
	}
	return append(list, ledger.SlotEntry{ID: "worst", File: "src/c.go", Line: 1, Issue: "The worst", Priority: "critical"})
}

// violations returns the entries of found(3) as violations.
func violations() (list []*ledger.Violation) {
	for _, e := range found(3) {
		list = append(list, &ledger.Violation{
			ShortID: e.ID, Place: ledger.Place{File: e.File, Start: e.Line, End: e.Line}, Issue: e.Issue, Priority: ledger.Priority(e.Priority),
		})
	}
	return list
}

// printAll prints one of each kind. attach is called after the first lines.
func printAll(c *console.Console, attach func()) {
	c.Line("Iteration 1")
	c.Line("    evil \x1b[2J\n[PASS]  forged")
	c.Warn("status \"done\u202e\" is not known\n[PASS]  forged")
	attach()
	c.GateStarted("check:src:lint")
	c.CheckDone("check:src:lint", ledger.CheckResult{Status: ledger.GatePassed, Duration: 120 * time.Millisecond}, "not shown")
	c.CheckDone("check:src:test", ledger.CheckResult{Status: ledger.GateFailed, Reason: "exited with code 1", Duration: 3100 * time.Millisecond},
		"gauntlet_logs/check_src_test.1.log")
	c.CheckDone("check:src:slow", ledger.CheckResult{Status: ledger.GateNotRun, Reason: "fail_fast of check:src:test"}, "")
	c.CheckDone("check:src:odd", ledger.CheckResult{Status: ledger.GateInterrupted, Duration: time.Second}, "")
	slot := ledger.SlotOutcome{Job: "review:src:code-quality", Adapter: "claude", Slot: 1, Status: ledger.SlotFail, Violations: found(2),
		Path: "gauntlet_logs/review_src_code-quality_claude@1.1.json", Duration: 12310 * time.Millisecond}
	c.SlotDone(slot)
	slot.Violations, slot.Reason, slot.Path = found(12), "unaddressed", "gauntlet_logs/x\n[PASS]\x1b.json"
	c.SlotDone(slot)
	slot.Status, slot.Reason = ledger.SlotPass, ""
	c.SlotDone(slot)
	c.SlotDone(ledger.SlotOutcome{Job: "review:src:code-quality", Adapter: "codex", Slot: 2, Status: ledger.SlotSkipped, PassIteration: 1})
	c.SlotDone(ledger.SlotOutcome{Job: "review:src:security", Adapter: "gemini", Slot: 1, Status: ledger.SlotError,
		Reason: "usage limit reached", Path: "gauntlet_logs/review_src_security_gemini@1.1.log", Duration: 500 * time.Millisecond})
	c.Error("no healthy adapters")
	c.Summary(ledger.Summary{
		Failed: 3, Status: ledger.StatusFailed, Open: violations(), Config: []string{".gauntlet/config.yml"},
		Unresolved: []ledger.Unresolved{{Job: "check:src:test", Reason: "exited with code 1"}, {Job: "review:src:security", Slot: 1, Adapter: "gemini", Reason: "usage limit reached"}},
		Spent:      ledger.Spent{Calls: 3, Known: 2, CostUSD: 1.234},
	})
	c.Conclude("and so it ended")
	c.Next("reviewledger run")
	c.Next("")
}

// Rule: A failure shows what was found.
func TestConsole(t *testing.T) {
	t.Parallel()
	var stdout, stderr, log strings.Builder
	c := console.NewConsole(&stdout, &stderr, text.Style{})
	printAll(c, func() { c.AttachLog(&log) })
	if err := c.Err(); err != nil {
		t.Error(err)
	}
	exporttest.Golden(t, "console-stdout.txt", stdout.String())
	exporttest.Golden(t, "console-stderr.txt", stderr.String())
	exporttest.Golden(t, "console.log.txt", log.String())
	if want := "\n        Review: gauntlet_logs/review_src_code-quality_claude@1.1.json\n"; !strings.Contains(stdout.String(), want) {
		t.Errorf("no %q", want)
	}
}

// A slot in error whose reviewer nevertheless reported something names the file that has it.
// Rule: A failure shows what was found.
func TestConsoleErrorWithViolations(t *testing.T) {
	t.Parallel()
	var stdout strings.Builder
	c := console.NewConsole(&stdout, io.Discard, text.Style{})
	c.SlotDone(ledger.SlotOutcome{Job: "review:src:q", Adapter: "claude", Slot: 1, Status: ledger.SlotError, Reason: "no time",
		Path: "gauntlet_logs/q.json", Violations: []ledger.SlotEntry{{ID: "8c31gnxt", File: "a.go", Line: 3, EndLine: 3, Issue: "Leaks", Priority: "high"}}, Notes: []string{"a note"}})
	want := "[ERROR] review:src:q (claude@1) (0.00s) - no time\n        Review: gauntlet_logs/q.json\n        a note\n"
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A quiet console prints the summary, warnings and the next step; its log has everything.
func TestQuietConsole(t *testing.T) {
	t.Parallel()
	var stdout, stderr, log strings.Builder
	c := console.NewConsole(&stdout, &stderr, text.Style{})
	c.Quiet()
	printAll(c, func() { c.AttachLog(&log) })
	exporttest.Golden(t, "console-quiet.txt", stdout.String())
	exporttest.Golden(t, "console-stderr.txt", stderr.String())
	exporttest.Golden(t, "console.log.txt", log.String())
}

func TestConsoleInColor(t *testing.T) {
	t.Parallel()
	var stdout, stderr, log strings.Builder
	c := console.NewConsole(&stdout, &stderr, text.Style{Color: true})
	printAll(c, func() { c.AttachLog(&log) })
	exporttest.Golden(t, "console-color.txt", stdout.String()+stderr.String())
	exporttest.Golden(t, "console.log.txt", log.String())
}

// On a terminal, lines of prose break between words; in the log they are whole.
func TestConsoleFitsTheTerminal(t *testing.T) {
	t.Parallel()
	var stdout, log strings.Builder
	c := console.NewConsole(&stdout, io.Discard, text.Style{Width: 50})
	c.AttachLog(&log)
	c.Line("Run 01M8, iteration 2: 1 changed file since the reviewed snapshot")
	c.CheckDone("check:src:test", ledger.CheckResult{Status: ledger.GateFailed, Reason: "exited with code 1", Excerpt: "one test of the package in src has failed, too\n"}, "gauntlet_logs/check_src_test.1.log")
	c.SlotDone(ledger.SlotOutcome{Job: "review:src:quality", Adapter: "claude", Slot: 1, Status: ledger.SlotError, Reason: "JSON parsing failed: the answer is text after the object",
		Path: "gauntlet_logs/review_src_quality_claude@1.1.json", Notes: []string{"the first answer was used for one of its violations"}})
	c.Summary(ledger.Summary{Status: ledger.StatusError, Unresolved: []ledger.Unresolved{{Job: "review:src:quality", Slot: 1, Adapter: "claude", Reason: "JSON parsing failed: the end of the object is missing"}}})
	c.Summary(ledger.Summary{Status: ledger.StatusPassed, LookedAt: &ledger.LookedAt{By: []ledger.Look{{Gate: "test"}, {Gate: "code-quality", Adapter: "claude"}, {Gate: "security", Adapter: "codex"}}}})
	c.Conclude("Passed already: run 01M8, 3 minutes ago, on exactly this code")
	for line := range strings.Lines(stdout.String()) {
		if text.Width(strings.TrimSuffix(line, "\n")) > 50 {
			t.Errorf("%q is wider than the terminal", line)
		}
	}
	for _, whole := range []string{"since the reviewed snapshot\n", "the package in src has failed, too\n", "is text after the object\n", "for one of its violations\n", "the end of the object is missing\n", "claude (code-quality), codex (security)\n", "ago, on exactly this code\n"} {
		if !strings.Contains(log.String(), whole) {
			t.Errorf("the log does not say %q:\n%s", whole, log.String())
		}
		if end := whole[strings.LastIndexByte(whole, ' '):]; !strings.Contains(stdout.String(), end) {
			t.Errorf("the terminal does not say %q:\n%s", end, stdout.String())
		}
	}
}

// Rule: The exit code says what happened.
func TestConsoleOutlivesItsStreams(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	var log strings.Builder
	c := console.NewConsole(failing{broken}, failing{broken}, text.Style{})
	printAll(c, func() { c.AttachLog(&log) })
	if err := c.Err(); !errors.Is(err, broken) || err.Error() != "write stdout: broken pipe\nwrite stderr: broken pipe" {
		t.Errorf("Err: %v", err)
	}
	exporttest.Golden(t, "console.log.txt", log.String())

	var stdout, stderr strings.Builder
	c = console.NewConsole(&stdout, &stderr, text.Style{})
	printAll(c, func() { c.AttachLog(failing{broken}) })
	if err := c.Err(); err == nil || err.Error() != "write console log: broken pipe" {
		t.Errorf("Err: %v", err)
	}
	exporttest.Golden(t, "console-stdout.txt", stdout.String())
}

func TestConsoleKeepsTheLinesOfAResultTogether(t *testing.T) {
	t.Parallel()
	var stdout, stderr, log strings.Builder
	c := console.NewConsole(&stdout, &stderr, text.Style{})
	const jobs = 50
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() {
			job := fmt.Sprintf("check:src:%d", i)
			c.CheckDone(job, ledger.CheckResult{Status: ledger.GateFailed}, job)
		})
		if i == jobs/2 {
			c.AttachLog(&log)
		}
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(lines) != 2*jobs {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		job := strings.TrimPrefix(lines[i+1], "        Log: ")
		if want := "[FAIL]  " + job + " (0.00s)"; lines[i] != want {
			t.Errorf("%q is followed by %q", lines[i], lines[i+1])
		}
	}
	if diff := cmp.Diff(stdout.String(), log.String()); diff != "" {
		t.Errorf("the log differs (-stdout +log):\n%s", diff)
	}
}

// failing is a stream whose writes fail.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
