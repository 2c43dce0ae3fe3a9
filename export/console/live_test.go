package console_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// terminal returns what a terminal shows after this output, as far as the region needs it: lines,
// "up n" and "erase below".
func terminal(t *testing.T, written string) []string {
	t.Helper()
	return show(t, nil, written)
}

// show is terminal with lines that are already shown.
func show(t *testing.T, lines []string, written string) []string {
	t.Helper()
	up := regexp.MustCompile("^\x1b\\[([0-9]+)A\r\x1b\\[J")
	for written != "" {
		if m := up.FindStringSubmatch(written); m != nil {
			n := 0
			for _, digit := range m[1] {
				n = n*10 + int(digit-'0')
			}
			if n > len(lines) {
				t.Fatalf("%d lines up, of %d", n, len(lines))
			}
			lines, written = lines[:len(lines)-n], written[len(m[0]):]
			continue
		}
		line, rest, found := strings.Cut(written, "\n")
		if !found {
			t.Fatalf("no line break after %q", line)
		}
		lines, written = append(lines, line), rest
	}
	return lines
}

// liveConsole returns a console on a terminal of 60 columns and 8 lines, with logs and a clock.
func liveConsole(logs map[string]string) (c *console.Console, stdout *bytes.Buffer, clock *time.Time, stop func()) {
	stdout, clock = &bytes.Buffer{}, &time.Time{}
	c = console.NewConsole(stdout, &bytes.Buffer{}, text.Style{})
	stop = c.Animate(&console.Live{
		Size: func() (int, int) { return 60, 8 },
		Tail: func(path string) string { return logs[path] },
		Now:  func() time.Time { return *clock },
		Usual: func(job, adapter string) time.Duration {
			return map[string]time.Duration{"review:.:q x": 2 * time.Minute, "review:.:r x": 89 * time.Second, "review:.:s y": time.Millisecond}[job+" "+adapter]
		},
	})
	return c, stdout, clock, stop
}

// What is running is shown below the results, and no trace of it remains.
func TestLive(t *testing.T) {
	t.Parallel()
	logs := map[string]string{
		"a.log": "--- Output 1 ---\nok  \tpkg/a\n10 %\r20 %\n\n",
		"b.log": "\x1b[31mReviewing 3 changed files, 200 bytes of diff",
	}
	c, stdout, clock, stop := liveConsole(logs)
	c.CheckDone("check:.:lint", ledger.CheckResult{Status: ledger.GateNotRun}, "")
	c.Planned([]ledger.Running{{Job: "check:.:test"}, {Job: "review:.:q", Slot: 1}, {Job: "review:.:q", Slot: 2}, {Job: "review:.:r", Slot: 1}, {Job: "review:.:s", Slot: 1}})
	c.GateStarted("check:.:test")
	c.Running(ledger.Running{Job: "check:.:test", Log: "a.log"})
	c.Running(ledger.Running{Job: "review:.:q", Slot: 2, Adapter: "x", Log: "b.log"})
	*clock = clock.Add(63 * time.Second)
	c.Running(ledger.Running{Job: "review:.:r", Slot: 1, Adapter: "x"})
	c.Running(ledger.Running{Job: "review:.:s", Slot: 1, Adapter: "y"})
	c.Cost(ledger.Spent{Calls: 2, Known: 1, CostUSD: 0.5})
	want := []string{
		"[SKIP]  check:.:lint",
		"[START] check:.:test",
		"  check:.:test       1m03s                     20 %",
		`  review:.:q (x@2)   1m03s  usually 2 min      \x1b[31mRev…`,
		"  review:.:r (x@1)      0s  usually 89 s",
		"  review:.:s (y@1)      0s  usually under 1 s",
		"  0 of 5 done, after 1m03s",
		"  Cost so far: $0.50 (known for 1 of 2 calls)",
	}
	if diff := cmp.Diff(want, terminal(t, stdout.String())); diff != "" {
		t.Errorf("while both run (-want +got):\n%s", diff)
	}
	c.Ended("review:.:r", 1)
	c.Ended("review:.:s", 1)
	c.Ended("review:.:s", 1)
	c.Interrupted()
	c.SlotDone(ledger.SlotOutcome{Job: "review:.:q", Adapter: "x", Slot: 2, Status: ledger.SlotPass, Notes: []string{"Skipped before: this"}})
	c.Warn("about something")
	want = []string{
		"[SKIP]  check:.:lint",
		"[START] check:.:test",
		"Interrupted: stopping check:.:test, review:.:q@2",
		"[PASS]  review:.:q (x@2) (0.00s)",
		"        Skipped before: this",
		"  check:.:test   1m03s  20 %",
		"  3 of 5 done, after 1m03s",
		"  Cost so far: $0.50 (known for 1 of 2 calls)",
	}
	if diff := cmp.Diff(want, terminal(t, stdout.String())); diff != "" {
		t.Errorf("after one has ended (-want +got):\n%s", diff)
	}
	stop()
	if diff := cmp.Diff(want[:5], terminal(t, stdout.String())); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// narrower returns what a terminal that becomes narrower makes of its lines.
func narrower(lines []string, width int) (broken []string) {
	for _, line := range lines {
		runes := []rune(line)
		for len(runes) > width {
			broken, runes = append(broken, string(runes[:width])), runes[width:]
		}
		broken = append(broken, string(runes))
	}
	return broken
}

// If the width of the terminal changes, nothing of the old region remains.
func TestLiveFollowsTheWidth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // so that the region changes only when it is told to
		var stdout bytes.Buffer
		width := 40
		c := console.NewConsole(&stdout, &bytes.Buffer{}, text.Style{})
		stop := c.Animate(&console.Live{
			Size: func() (int, int) { return width, 20 },
			Tail: func(string) string { return "the last line of the log, a long one" },
			Now:  func() time.Time { return time.Time{} },
		})
		c.GateStarted("check:.:test")
		c.Running(ledger.Running{Job: "check:.:test"})
		c.Running(ledger.Running{Job: "check:.:lint"})
		shown := terminal(t, stdout.String())
		become := func(columns int, change func()) []string {
			width, shown = columns, narrower(shown, columns)
			stdout.Reset()
			change()
			shown = show(t, shown, stdout.String())
			return shown
		}
		started := []string{"[START] check:.", ":test"}
		for _, step := range []struct {
			width int
			want  []string
		}{
			{15, []string{"  check:.:tes…", "  check:.:lin…"}},
			{40, []string{"  check:.:test      0s  the last line …", "  check:.:lint      0s  the last line …"}},
			{20, []string{"  check:.:test    …", "  check:.:lint    …"}},
		} {
			got := become(step.width, func() { c.Cost(ledger.Spent{}) })
			if diff := cmp.Diff(slices.Concat(started, step.want), got); diff != "" {
				t.Errorf("%d columns (-want +got):\n%s", step.width, diff)
			}
		}
		if diff := cmp.Diff([]string{"[START] ch", "eck:.", ":test"}, become(10, stop)); diff != "" {
			t.Errorf("at the end (-want +got):\n%s", diff)
		}
	})
}

// The region is never as high as the terminal, and an address keeps its end.
func TestLiveFits(t *testing.T) {
	t.Parallel()
	c, stdout, _, stop := liveConsole(nil)
	defer stop()
	for n := range 9 {
		c.Running(ledger.Running{Job: "review:a/very/long/folder/of/a/project:quality", Slot: n + 1, Adapter: "claude"})
	}
	lines := terminal(t, stdout.String())
	if len(lines) != 5 || lines[0] != "  …a/project:quality (claude@1)      0s" || lines[4] != "  and 5 more" {
		t.Errorf("got %q", lines)
	}
}

// Without a region, nothing is printed about what is running.
func TestNoLive(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	c := console.NewConsole(&stdout, &stdout, text.Style{})
	c.Running(ledger.Running{Job: "check:.:test", Log: "a.log"})
	c.Cost(ledger.Spent{Calls: 1})
	c.Interrupted()
	if stdout.Len() > 0 {
		t.Errorf("printed %q", stdout.String())
	}
}
