package triage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/triage"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// typed is what a person types: a key is one character, and a line ends with a line break.
type typed struct{ *strings.Reader }

func (t typed) Key(context.Context) (rune, error) {
	key, _, err := t.ReadRune()
	return key, err
}

func (t typed) Line(context.Context) (string, error) {
	var line strings.Builder
	for {
		c, _, err := t.ReadRune()
		if err != nil || c == '\n' {
			return line.String(), err
		}
		line.WriteRune(c)
	}
}

func finding(id string, line int) ledger.ListedViolation {
	return ledger.ListedViolation{Violation: ledger.Violation{
		ID: id, ShortID: "short-" + id, Status: ledger.StatusNew, Priority: ledger.High, Issue: "issue " + id + "\x1b[31m",
		Fix: "fix " + id, Place: ledger.Place{File: "a.go", Start: line, End: line}, Slot: 1, Adapter: "claude",
	}, EntryPoint: "src", Gate: "quality"}
}

// Only printable keys are echoed, and reasons are listed three per line.
func TestTriageKeys(t *testing.T) {
	t.Parallel()
	_, shown, _, _ := run(t, " ~\x7f\x1fswhy\n")
	for _, want := range []string{"[q] quit:  \n", "[q] quit: ~\n", "[q] quit: s\nWhy (may be empty):   [1] "} {
		if !strings.Contains(shown, want) {
			t.Errorf("there is no %q in\n%s", want, shown)
		}
	}
	if strings.Count(shown, "[q] quit: \n") != 2 {
		t.Errorf("of keys that cannot be seen something is:\n%q", shown)
	}
	if _, shown, _, _ := run(t, "s\n\n"); !strings.Contains(shown, "A skip needs words or a reason.\n[f] fixed") {
		t.Errorf("a skip without words is not asked about again in\n%s", shown)
	}
	_, choices, _ := strings.Cut(shown, "quit: s\nWhy (may be empty): ")
	for _, line := range strings.Split(strings.TrimRight(choices, "\n"), "\n") {
		if strings.Count(line, "  [") > 3 || strings.TrimRight(line, " ") != line && !strings.HasPrefix(line, "Reason") {
			t.Errorf("the choices are\n%s", choices)
		}
	}
}

// run types the text into a triage of three findings, and returns what was done and shown.
func run(t *testing.T, typing string) (log []string, shown string, done triage.Done, err error) {
	t.Helper()
	var out bytes.Buffer
	refuse := true
	s := &triage.Session{
		Input: typed{strings.NewReader(typing)}, Out: &out, Style: text.Style{Width: 80},
		Mark: func(_ context.Context, v ledger.ListedViolation, m ledger.Mark) (ledger.Marked, error) {
			if m.Result == "refuse" && refuse {
				refuse = false
				return ledger.Marked{}, errors.New("one\x1b\ntwo")
			}
			log = append(log, fmt.Sprintf("%s %s by %s: %s, %s", v.ID, m.Status, m.Actor, m.Reason, m.Result))
			return ledger.Marked{Violations: []ledger.ListedViolation{v}, Remembered: map[string]bool{v.ID: m.Status == ledger.StatusSkipped}}, nil
		},
		Restore: func(_ context.Context, before []ledger.ListedViolation) error {
			log = append(log, fmt.Sprintf("%s %s again", before[0].ID, before[0].Status))
			if strings.Contains(typing, "stuck") {
				return errors.New("stuck")
			}
			return nil
		},
	}
	found := []ledger.ListedViolation{finding("A", 2), finding("B", 5), finding("C", 9)}
	done, err = s.Run(t.Context(), found, map[string]ledger.Excerpt{"A": {First: 1, Text: "one\n\ttwo\x1b\nthree\n"}})
	return log, out.String(), done, err
}

func TestTriage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		log        []string
		done       triage.Done
		err        error
	}{
		{"all keys", "fdid it\ns the owner knows \n2\nn", []string{"A fixed by human: , did it", "B skipped by human: accepted_risk, the owner knows"}, triage.Done{Fixed: 1, Skipped: 1, Remaining: 1}, nil},
		{"nothing to say", "f\ns\n\nS\nnone\nq", []string{"A fixed by human: , "}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"a reason by its name, after a wrong one", "s\n7\nstyle\nq", []string{"A skipped by human: style, "}, triage.Done{Skipped: 1, Remaining: 2}, nil},
		{"capital letters", "Fx\nSy\n\nQ", []string{"A fixed by human: , x", "B skipped by human: , y"}, triage.Done{Fixed: 1, Skipped: 1, Remaining: 1}, nil},
		{"next in a capital letter", "NNf\n", []string{"C fixed by human: , "}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"no reason in words", "swhy\nnone\nq", []string{"A skipped by human: , why"}, triage.Done{Skipped: 1, Remaining: 2}, nil},
		{"help, wherever it is asked", "?f?\nby hand\ns?\nwhy?\n?\n1\nq", []string{"A fixed by human: , by hand", "B skipped by human: false_positive, why?"}, triage.Done{Fixed: 1, Skipped: 1, Remaining: 1}, nil},
		{"quit", "q", nil, triage.Done{Remaining: 3}, nil},
		{"the end of the input", "n", nil, triage.Done{Remaining: 3}, nil},
		{"the end of the input in a line", "fhalf", nil, triage.Done{Remaining: 3}, nil},
		{"an unknown key", "x\rfyes\nq", []string{"A fixed by human: , yes"}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"Ctrl-C", "n\x03", nil, triage.Done{Remaining: 3}, context.Canceled},
		{"Ctrl-D", "n\x04", nil, triage.Done{Remaining: 3}, nil},
		{"back", "fx\nbsy\n\nnq", []string{"A fixed by human: , x", "A new again", "A skipped by human: , y"}, triage.Done{Skipped: 1, Remaining: 2}, nil},
		{"back from the first", "bBfx\nq", []string{"A fixed by human: , x"}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"back to look at it", "fx\nbnfy\nq", []string{"A fixed by human: , x", "B fixed by human: , y"}, triage.Done{Fixed: 2, Remaining: 1}, nil},
		{"undo", "ufx\nnuUq", []string{"A fixed by human: , x", "A new again"}, triage.Done{Remaining: 3}, nil},
		{"undo two", "fx\nsy\n\nuuq", []string{"A fixed by human: , x", "B skipped by human: , y", "B new again", "A new again"}, triage.Done{Remaining: 3}, nil},
		{"an answer that cannot be taken back", "fstuck\nubsy\n\nq", []string{"A fixed by human: , stuck", "A new again", "A new again"}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"dispute", "dsee a.go:4\nd\nD?\nb\nDas it should be\nq", []string{"A disputed by human: , see a.go:4", "B disputed by human: , as it should be"}, triage.Done{Disputed: 2, Remaining: 1}, nil},
		{"quit at a question", "fq\n", nil, triage.Done{Remaining: 3}, nil},
		{"quit at the reason", "swhy\nQ\n", nil, triage.Done{Remaining: 3}, nil},
		{"back from a question to the keys", "fb\nswhy\nB\nfyes\nq", []string{"A fixed by human: , yes"}, triage.Done{Fixed: 1, Remaining: 2}, nil},
		{"a mark that is refused", "frefuse\nfrefuse\nq", []string{"A fixed by human: , refuse"}, triage.Done{Fixed: 1, Remaining: 2}, nil},
	}
	for _, test := range tests {
		log, shown, done, err := run(t, test.text)
		if d := cmp.Diff(test.log, log); d != "" || done != test.done || !errors.Is(err, test.err) {
			t.Errorf("%s: %+v, %v (-want +got):\n%s", test.name, done, err, d)
		}
		if strings.Contains(shown, "\x1b") {
			t.Errorf("%s: the output has control characters:\n%q", test.name, shown)
		}
		fits(t, test.name, shown)
	}
}

// fits checks that no line is wider than 80 columns. A terminal shows the line break after an answer.
func fits(t *testing.T, name, shown string) {
	t.Helper()
	for line := range strings.Lines(strings.NewReplacer("empty): ", "\n", "not a problem: ", "\n").Replace(shown)) {
		if got := text.Width(strings.TrimSuffix(line, "\n")); got > 80 {
			t.Errorf("%s: %d columns: %q", name, got, line)
		}
	}
}

// Long words of reviewers, and of errors, are wrapped, not cut.
func TestTriageWraps(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("many words about it ", 20)
	found := []ledger.ListedViolation{finding("A", 2), finding("B", 5)}
	found[0].Issue, found[0].Fix, found[1].Issue = "issue "+long, "fix "+long, "other "+long
	found[0].Block, found[1].Block = "short-A", "short-A"
	var out bytes.Buffer
	s := &triage.Session{
		Input: typed{strings.NewReader("f\nq")}, Out: &out, Style: text.Style{Width: 80},
		Mark: func(context.Context, ledger.ListedViolation, ledger.Mark) (ledger.Marked, error) {
			return ledger.Marked{}, errors.New("refused " + long)
		},
	}
	if _, err := s.Run(t.Context(), found, nil); err != nil {
		t.Error(err)
	}
	fits(t, "long words", out.String())
	if all := strings.Join(strings.Fields(out.String()), " "); strings.Count(all, strings.TrimSpace(long)) != 4 {
		t.Errorf("something is cut in\n%s", &out)
	}
}

// What is perhaps the same is one question, and one mark.
func TestTriageBlocks(t *testing.T) {
	t.Parallel()
	found := []ledger.ListedViolation{finding("A", 2), finding("B", 5), finding("C", 9)}
	found[0].Block, found[2].Block, found[2].Slot = "short-A", "short-A", 2
	var log []string
	var out bytes.Buffer
	s := &triage.Session{
		Input: typed{strings.NewReader("fboth\nufboth\nq")}, Out: &out, Style: text.Style{Width: 80},
		Mark: func(_ context.Context, v ledger.ListedViolation, _ ledger.Mark) (ledger.Marked, error) {
			log = append(log, v.ID)
			return ledger.Marked{Violations: []ledger.ListedViolation{v, found[2]}}, nil
		},
		Restore: func(_ context.Context, before []ledger.ListedViolation) error {
			for _, v := range before {
				log = append(log, "not "+v.ID)
			}
			return nil
		},
	}
	done, err := s.Run(t.Context(), found, nil)
	if err != nil || done != (triage.Done{Fixed: 1, Remaining: 1}) || !slices.Equal(log, []string{"A", "not A", "not C", "A"}) {
		t.Errorf("%v, %+v, %v", log, done, err)
	}
	for _, want := range []string{"1 of 2\nshort-A ", "\n  also: short-C claude@2 a.go:9 issue C\\x1b[31m\n", ": short-A, short-C: fixed\n", "2 of 2\nshort-B ", "\nshort-A, short-C: as before\n\n1 of 2\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestTriageShows(t *testing.T) {
	t.Parallel()
	_, shown, _, _ := run(t, "frefuse\nq")
	const want = `1 of 3
short-A  new  high  a.go:2  src:quality (claude@1)
  issue A\x1b[31m
  Fix: fix A
  The code as it was reported:
       1  one
  >    2      two\x1b
       3  three
[f] fixed [s] skip [d] dispute [n] next [b] back [u] undo [?] help [q] quit: f
How (may be empty): error: one\x1b
error: two
[f] fixed [s] skip [d] dispute [n] next [b] back [u] undo [?] help [q] quit: q

`
	if d := cmp.Diff(want, shown); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
