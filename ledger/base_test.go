package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: The base moves forward with the branch.
func TestMoveBase(t *testing.T) {
	t.Parallel()
	gained := []ledger.BaseCommit{{ID: "g1", Tree: "t1"}, {ID: "new", Tree: "t2"}}
	forward := ledger.BaseFacts{Now: "new", Head: "head", Descends: true, Gained: gained, Own: []string{"head", "mine"}}
	but := func(change func(*ledger.BaseFacts)) ledger.BaseFacts {
		facts := forward
		change(&facts)
		return facts
	}
	iteration := func(change func(*ledger.Iteration)) []ledger.Iteration {
		first := ledger.Iteration{Number: 1, Source: ledger.SourceBase, Base: "base", Branch: "work", Head: "h", Tree: "reviewed"}
		change(&first)
		return []ledger.Iteration{first}
	}
	usual := func(*ledger.Iteration) {}
	for name, test := range map[string]struct {
		first func(*ledger.Iteration)
		facts ledger.BaseFacts
		want  ledger.BaseMove
	}{
		"a rebase, or a merge":                    {usual, forward, ledger.BaseForward},
		"nothing moved":                           {usual, but(func(f *ledger.BaseFacts) { f.Now = "base" }), ledger.BaseStays},
		"no merge base":                           {usual, but(func(f *ledger.BaseFacts) { f.Now = "" }), ledger.BaseLost},
		"back, or elsewhere":                      {usual, but(func(f *ledger.BaseFacts) { f.Descends = false }), ledger.BaseElsewhere},
		"back to what is checked out":             {usual, but(func(f *ledger.BaseFacts) { f.Descends, f.Now = false, "head" }), ledger.BaseElsewhere},
		"another base branch":                     {usual, but(func(f *ledger.BaseFacts) { f.OtherBranch = true }), ledger.BaseElsewhere},
		"another base branch at the same commit":  {usual, but(func(f *ledger.BaseFacts) { f.OtherBranch, f.Now = true, "base" }), ledger.BaseStays},
		"everything is in the base branch":        {usual, but(func(f *ledger.BaseFacts) { f.Now = "head" }), ledger.BaseLanded},
		"a commit of the change landed":           {usual, but(func(f *ledger.BaseFacts) { f.Own = []string{"head", "g1"} }), ledger.BaseLanded},
		"it landed, and another base branch":      {usual, but(func(f *ledger.BaseFacts) { f.OtherBranch, f.Own = true, []string{"new"} }), ledger.BaseLanded},
		"what was reviewed landed as a commit":    {func(i *ledger.Iteration) { i.Tree = "t1" }, forward, ledger.BaseLanded},
		"committed on the base branch itself":     {func(i *ledger.Iteration) { i.Branch = "main" }, forward, ledger.BaseLanded},
		"a chosen commit":                         {func(i *ledger.Iteration) { i.Source = ledger.SourceCommit }, forward, ledger.BaseStays},
		"uncommitted changes":                     {func(i *ledger.Iteration) { i.Source = ledger.SourceUncommitted }, forward, ledger.BaseStays},
		"restored":                                {func(i *ledger.Iteration) { *i = ledger.Iteration{Number: 1, Source: ledger.SourceFiles, Base: "base"} }, forward, ledger.BaseForward},
		"restored, of a base that a user chose":   {func(i *ledger.Iteration) { *i = ledger.Iteration{Number: 1, Source: ledger.SourceFiles} }, forward, ledger.BaseStays},
		"another tool continued, and it is known": {func(i *ledger.Iteration) { i.Branch = "" }, forward, ledger.BaseForward},
	} {
		s := &ledger.State{Run: ledger.Run{Base: "base", BaseRef: "main"}, Iterations: iteration(test.first)}
		if got := s.MoveBase(test.facts); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	if got := (&ledger.State{}).MoveBase(forward); got != ledger.BaseStays {
		t.Errorf("without an iteration: %s", got)
	}
}

// A base that the user chose stays, and what the base branch brought is told from the change, unless
// that may be a part of it.
//
// Rule: The base moves forward with the branch.
func TestBrought(t *testing.T) {
	t.Parallel()
	facts := ledger.BaseFacts{Now: "new", Head: "head", Descends: true, Gained: []ledger.BaseCommit{{ID: "g1", Tree: "t1"}}, Own: []string{"mine"}}
	but := func(change func(*ledger.BaseFacts)) ledger.BaseFacts {
		facts := facts
		change(&facts)
		return facts
	}
	chosen := ledger.Iteration{Number: 1, Source: ledger.SourceCommit, Base: "chosen", Branch: "work", Tree: "reviewed"}
	on := func(change func(*ledger.Iteration)) []ledger.Iteration {
		first := chosen
		change(&first)
		return []ledger.Iteration{first}
	}
	usual := on(func(*ledger.Iteration) {})
	for name, test := range map[string]struct {
		iterations []ledger.Iteration
		facts      ledger.BaseFacts
		want       bool
	}{
		"a rebase, or a merge":                 {usual, facts, true},
		"uncommitted changes":                  {on(func(i *ledger.Iteration) { i.Source = ledger.SourceUncommitted }), facts, true},
		"a merge base, which moves":            {on(func(i *ledger.Iteration) { i.Source = ledger.SourceBase }), facts, false},
		"nothing moved":                        {usual, but(func(f *ledger.BaseFacts) { f.Now = "fork" }), false},
		"no merge base":                        {usual, but(func(f *ledger.BaseFacts) { f.Now = "" }), false},
		"back, or elsewhere":                   {usual, but(func(f *ledger.BaseFacts) { f.Descends = false }), false},
		"everything is in the base branch":     {usual, but(func(f *ledger.BaseFacts) { f.Now = "head" }), false},
		"a commit of the change landed":        {usual, but(func(f *ledger.BaseFacts) { f.Own = []string{"g1"} }), false},
		"what was reviewed landed as a commit": {on(func(i *ledger.Iteration) { i.Tree = "t1" }), facts, false},
		"committed on the base branch itself":  {on(func(i *ledger.Iteration) { i.Branch = "main" }), facts, false},
		"no iteration":                         {nil, facts, false},
	} {
		s := &ledger.State{Run: ledger.Run{Base: "chosen", BaseRef: "HEAD"}, Iterations: test.iterations}
		if got := s.Brought("main", "fork", test.facts); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	s := &ledger.State{Run: ledger.Run{Base: "chosen"}, Fork: ledger.Fork{Base: "fork", Now: "new", At: map[int]string{1: "fork", 2: "new"}}}
	if got := s.Whole(); got != (ledger.Seen{Tree: "chosen", Base: "fork"}) || s.BaseNow() != "new" {
		t.Errorf("the whole diff begins with %v, and the base is %s", got, s.BaseNow())
	}
	for number, want := range map[int]string{1: "fork", 2: "new", 3: "chosen"} {
		if got := s.BaseAt(&ledger.Iteration{Number: number, Base: "chosen"}); got != want {
			t.Errorf("in iteration %d it was %s", number, got)
		}
	}
}

// A path has a content in the old base, the new base, the tree that a slot saw, and the working tree.
//
// Rule: No slot passes what it was not shown.
func TestShowPath(t *testing.T) {
	t.Parallel()
	for paths, want := range map[string]ledger.PathShown{
		// old, new, seen, now; "-": there is no such file
		"OOTN": ledger.PathSinceSeen, "OOOO": ledger.PathLeftOut, "OOTO": ledger.PathLeftOut, "OOTT": ledger.PathSinceSeen, "--TN": ledger.PathSinceSeen, "---N": ledger.PathSinceSeen, "--T-": ledger.PathLeftOut,
		"OBOB": ledger.PathLeftOut, // main's alone
		"-B-B": ledger.PathLeftOut, // a file that main added
		"O-O-": ledger.PathLeftOut, // a file that main deleted
		"OBTN": ledger.PathWhole,   // both sides changed it
		"OBOO": ledger.PathWhole,   // main's side was dropped
		"OBTT": ledger.PathWhole,   // main's side was dropped, for what had been seen
		"-B--": ledger.PathWhole,   // a file of main's was deleted by the merge
		"O-OO": ledger.PathWhole,   // a file that main deleted came back
		"OO--": ledger.PathSinceSeen,
	} {
		old, now, tree := paths[0], paths[1], paths[3]
		if got := ledger.ShowPath(old != now, tree != now); got != want {
			t.Errorf("%s: %s, want %s", paths, got, want)
		}
	}
}

// Rule: The base moves forward with the branch.
func TestPassCountsForAnotherBase(t *testing.T) {
	t.Parallel()
	paths := func(paths ...string) []string { return paths }
	for name, test := range map[string]struct {
		facts ledger.PassFacts
		want  bool
	}{
		"the same base":               {ledger.PassFacts{Ref: "main", Branch: "main", Own: paths("a")}, true},
		"main changed another file":   {ledger.PassFacts{Ref: "main", Branch: "main", Theirs: paths("b"), Own: paths("a")}, true},
		"both changed a file":         {ledger.PassFacts{Ref: "main", Branch: "main", Theirs: paths("a", "b"), Own: paths("c", "b")}, false},
		"it has what main changed":    {ledger.PassFacts{Ref: "main", Branch: "main", Theirs: paths("a")}, true},
		"chosen, nothing left out":    {ledger.PassFacts{Ref: "HEAD~1", Branch: "main", Own: paths("a")}, true},
		"chosen, and main has less":   {ledger.PassFacts{Ref: "HEAD~1", Branch: "main", Theirs: paths("a"), Own: paths("a")}, false},
		"its base branch is gone":     {ledger.PassFacts{Ref: "main", Branch: "main", Gone: true}, true},
		"chosen, and main is gone":    {ledger.PassFacts{Ref: "HEAD~1", Branch: "main", Gone: true}, false},
		"another one never was there": {ledger.PassFacts{Ref: "main", Branch: "nosuch", Gone: true}, false},
	} {
		if got := test.facts.Counts(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestBases(t *testing.T) {
	t.Parallel()
	s := &ledger.State{Iterations: []ledger.Iteration{{Number: 1, Base: "a"}, {Number: 2, Base: "a"}, {Number: 3}, {Number: 4, Base: "b"}, {Number: 5, Base: "b"}}}
	got := s.Bases()
	if len(got) != 2 || got[0] != (ledger.MovedBase{Base: "a", Iteration: &s.Iterations[0]}) || got[1] != (ledger.MovedBase{Base: "b", From: "a", Iteration: &s.Iterations[3]}) {
		t.Errorf("%+v", got)
	}
}

// Another branch is another loop, unless it goes on from the latest iteration.
//
// Rule: Every worktree has its own loop.
func TestLeftBranch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		last         ledger.Iteration
		branch, head string
		descends     bool
		left         bool
	}{
		"the same branch":                     {ledger.Iteration{Branch: "work", Head: "a"}, "work", "b", true, false},
		"the same branch, rebased":            {ledger.Iteration{Branch: "work", Head: "a"}, "work", "b", false, false},
		"another branch":                      {ledger.Iteration{Branch: "work", Head: "a"}, "hotfix", "b", false, true},
		"another branch at the same commit":   {ledger.Iteration{Branch: "work", Head: "a"}, "hotfix", "a", false, false},
		"another branch that goes on from it": {ledger.Iteration{Branch: "work", Head: "a"}, "hotfix", "b", true, false},
		"detached":                            {ledger.Iteration{Branch: "work", Head: "a"}, "", "b", false, true},
		"detached further on":                 {ledger.Iteration{Branch: "work", Head: "a"}, "", "b", true, false},
		"detached before and now":             {ledger.Iteration{Head: "a"}, "", "b", false, true},
		"from detached to a branch":           {ledger.Iteration{Head: "a"}, "work", "b", false, true},
		"before the first commit":             {ledger.Iteration{Branch: "main"}, "work", "b", false, false},
	} {
		test.last.Number = 1
		s := &ledger.State{Iterations: []ledger.Iteration{test.last}, Violations: []ledger.Violation{{Status: ledger.StatusNew}, {Status: ledger.StatusFixed}, {Status: ledger.StatusVerified}}}
		left, err := s.LeftBranch(test.branch, test.head, func(string) (bool, error) { return test.descends, nil })
		if (left != nil) != test.left || err != nil {
			t.Errorf("%s: %v, %v", name, left, err)
		}
		if left != nil && (left.Open != 2 || !strings.Contains(left.Error(), "(2 open)") || !strings.Contains(left.Error(), "reviewledger clean")) {
			t.Errorf("%s: %v", name, left)
		}
	}
	if left, err := (&ledger.State{}).LeftBranch("work", "a", nil); left != nil || err != nil {
		t.Errorf("without an iteration: %v, %v", left, err)
	}
	failed := errors.New("git failed")
	s := &ledger.State{Iterations: []ledger.Iteration{{Number: 1, Branch: "work", Head: "a"}}}
	if _, err := s.LeftBranch("x", "b", func(string) (bool, error) { return false, failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if text := (&ledger.OtherBranch{Began: "work", Commit: "0123456789abcdef", Underway: "a rebase"}).Error(); !strings.Contains(text, "a rebase is in progress") || !strings.Contains(text, "0123456789ab ") {
		t.Error(text)
	}
	for branch, want := range map[string]string{"work": "", "hotfix": "work"} {
		if got := s.BeganOn(branch); got != want {
			t.Errorf("%s: %q", branch, got)
		}
	}
}
