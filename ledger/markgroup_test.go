package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// blocks returns a run in whose first iteration, the only one that has ended, the blocks of a, f and
// g were shown: j is joined to a by its words, and n was found after that.
func blocks() *ledger.State {
	v := func(id, block string, line int, priority ledger.Priority, status ledger.Status) ledger.Violation {
		return ledger.Violation{ID: strings.ToUpper(id), ShortID: id, Block: block, Priority: priority, Status: status, First: 1, Place: ledger.Place{File: "f", Start: line, End: line + 2}}
	}
	joined := func(of *ledger.Violation, reason string) ledger.Violation {
		d := v("j"+of.ShortID, of.Block, of.Place.Start, of.Priority, ledger.StatusDuplicate)
		d.DuplicateOf, d.Result, d.Reason = of.ShortID, of.ShortID, reason
		d.Original = &ledger.Original{ID: of.ID, Status: of.Status}
		return d
	}
	s := &ledger.State{Iterations: []ledger.Iteration{{Number: 1, FinishedAt: time.Unix(1, 0)}, {Number: 2}}}
	s.Violations = []ledger.Violation{
		v("a", "a", 5, ledger.High, ledger.StatusNew), v("b", "a", 6, ledger.Low, ledger.StatusReopened), v("c", "a", 6, ledger.Low, ledger.StatusFixed),
		v("d", "a", 6, ledger.Low, ledger.StatusVerified), v("e", "a", 6, ledger.Low, ledger.StatusDisputed),
		v("f", "f", 20, ledger.High, ledger.StatusNew), v("g", "", 30, ledger.High, ledger.StatusNew), v("h", "h", 40, ledger.High, ledger.StatusNew),
		v("x", "", 31, ledger.Low, ledger.StatusNew), v("w", "", 0, ledger.Low, ledger.StatusNew),
		v("y", "y", 50, ledger.High, ledger.StatusVerified), v("z", "y", 50, ledger.Low, ledger.StatusNew),
		v("q", "", 70, ledger.Low, ledger.StatusFixed), v("abcd1234", "", 60, ledger.Low, ledger.StatusNew), v("abcd12345", "", 61, ledger.Low, ledger.StatusNew),
	}
	s.Violations = append(s.Violations, joined(&s.Violations[5], ledger.ReasonSameWords), joined(&s.Violations[7], ""))
	moved := joined(&s.Violations[6], ledger.ReasonSameWords) // with what it was joined to, which was marked new since
	moved.Issue = "other words"
	s.Violations[6].Block, moved.Block = "g", "g"
	s.Violations = append(s.Violations, moved)
	killed := joined(&s.Violations[8], "") // by a person, to x; an iteration that was killed found it
	killed.First, killed.Block, s.Violations[8].Block = 2, "x", "x"
	s.Violations = append(s.Violations, killed)
	late := v("n", "a", 5, ledger.High, ledger.StatusNew)
	late.First = 2
	s.Violations = append(s.Violations, late)
	return s
}

// Rule: A mark is not a fix.
func TestResolveNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status ledger.Status
		actor  ledger.Actor
		group  bool
		ids    string
		want   string // the ids, or a part of the error
	}{
		"ids alone":                             {ledger.StatusFixed, ledger.ActorAgent, false, "a zzzz", "a zzzz"},
		"a block":                               {ledger.StatusFixed, ledger.ActorAgent, true, "c", "a b c e"},
		"a block, by its duplicate":             {ledger.StatusFixed, ledger.ActorAgent, true, "jf", "f"},
		"two of one block":                      {ledger.StatusFixed, ledger.ActorAgent, true, "a b g", "a b c e g"},
		"one alone":                             {ledger.StatusFixed, ledger.ActorAgent, true, "g", "g"},
		"one whose id begins another one":       {ledger.StatusFixed, ledger.ActorAgent, true, "abcd1234", "abcd1234"},
		"the beginning of two ids":              {ledger.StatusFixed, ledger.ActorAgent, true, "ABCD12", "ABCD12"},
		"in other letters":                      {ledger.StatusFixed, ledger.ActorAgent, true, "ABCD1234", "abcd1234"},
		"one of no run":                         {ledger.StatusFixed, ledger.ActorAgent, true, "zzzz", "zzzz"},
		"what is closed and alone":              {ledger.StatusFixed, ledger.ActorAgent, true, "d", "a b c e"},
		"what was found since, by its name":     {ledger.StatusFixed, ledger.ActorAgent, true, "n", "a b c e n"},
		"a dispute of what is open":             {ledger.StatusDisputed, ledger.ActorAgent, true, "a", "a b"},
		"what can be opened again":              {ledger.StatusNew, ledger.ActorAgent, true, "a", "c e"},
		"a skip of other words":                 {ledger.StatusSkipped, ledger.ActorAgent, true, "a", "only perhaps the same"},
		"a skip of other words, by a person":    {ledger.StatusSkipped, ledger.ActorHuman, true, "a", "a b c e"},
		"a skip of the same words":              {ledger.StatusSkipped, ledger.ActorAgent, true, "jf", "f"},
		"a skip of other words that came along": {ledger.StatusSkipped, ledger.ActorAgent, true, "g", "jg is only perhaps the same"},
		"a skip of what an agent joined":        {ledger.StatusSkipped, ledger.ActorAgent, true, "h", "jh is only perhaps the same"},
		"a skip by the name of what is closed":  {ledger.StatusSkipped, ledger.ActorAgent, true, "y", "z is only perhaps the same"},
		"a skip of one alone":                   {ledger.StatusSkipped, ledger.ActorAgent, true, "w", "w"},
		"a skip of what a person joined since":  {ledger.StatusSkipped, ledger.ActorAgent, true, "x", "jx is only perhaps the same"},
		"a place":                               {ledger.StatusFixed, ledger.ActorAgent, false, "f:22", "f"},
		"a range":                               {ledger.StatusFixed, ledger.ActorAgent, false, "f:18-20", "f"},
		"a place of a block":                    {ledger.StatusFixed, ledger.ActorAgent, false, "f:8", "a"},
		"a place, and its block":                {ledger.StatusFixed, ledger.ActorAgent, true, "f:8", "a b c e"},
		"a place of two problems":               {ledger.StatusFixed, ledger.ActorAgent, false, "f:31", "2 problems are at \"f:31\": mark one by its ID\n  g f:30-32 \n  x f:31-33 "},
		"a place that has the mark":             {ledger.StatusFixed, ledger.ActorAgent, false, "f:71", "q"},
		"a place of a claim, to be skipped":     {ledger.StatusSkipped, ledger.ActorAgent, false, "f:71", `nothing that can be marked skipped is at "f:71"`},
		"a place where nothing is":              {ledger.StatusFixed, ledger.ActorAgent, false, "f:99", `nothing that can be marked fixed is at "f:99"`},
		"a place in another file":               {ledger.StatusFixed, ledger.ActorAgent, false, "g:5", "nothing that can be marked"},
		"the whole file":                        {ledger.StatusFixed, ledger.ActorAgent, false, "f:0", "w"},
		"a place to open again":                 {ledger.StatusNew, ledger.ActorAgent, false, "f:8", "c"},
	} {
		r := ledger.MarkRequest{Mark: ledger.Mark{Status: test.status, Actor: test.actor}, IDs: strings.Fields(test.ids), Group: test.group}
		got := ""
		if err := r.ResolveNames(blocks()); err != nil {
			got = err.Error()
		} else if got = strings.Join(r.IDs, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestParsePlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a.go:5": "a.go:5", "a.go:5-7": "a.go:5-7", "a:b.go:5": "a:b.go:5", "a.go:0": "a.go", "8f3kq2": "", ":5": "", "a.go:": "", "a.go:-5": "", "a.go:7-5": "", "a.go:x": "", "a.go:5-": "",
	} {
		place, ok := ledger.ParsePlace(text)
		if ok != (want != "") || ok && place.String() != want {
			t.Errorf("%q: %v %t", text, place, ok)
		}
	}
}
