package ledger

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Rule: Done means passed as it is now.
func TestAssessProgress(t *testing.T) {
	t.Parallel()
	const tree, base, hash = "tree", "base", "hash"
	// open returns an open run of iterations that all failed, with these violations.
	open := func(at string, iterations int, violations ...Violation) *State {
		s := &State{Run: Run{ID: "OPEN", Base: base, ConfigHash: hash, Status: StatusFailed}, Violations: violations}
		for n := 1; n <= iterations; n++ {
			s.Iterations = append(s.Iterations, Iteration{Number: n, Tree: at, To: at, Source: SourceBase, Status: StatusFailed})
			s.Gates = append(s.Gates, Gate{Iteration: n, Job: "review:src:x", Kind: KindReview, Status: GateFailed,
				Slots: []Slot{{Iteration: n, Job: "review:src:x", Index: 1, Status: SlotFail}}})
		}
		return s
	}
	closed := func(change func(*State)) *State {
		s := &State{
			Run:        Run{ID: "CLOSED", Base: base, ConfigHash: hash, Status: StatusPassed, FinishedAt: time.Now()},
			Iterations: []Iteration{{Number: 1, Tree: tree, Source: SourceBase}},
		}
		change(s)
		return s
	}
	none := func(*State) {}
	found, claim, skipped := Violation{ID: "1", Status: StatusNew}, Violation{ID: "1", Status: StatusFixed}, Violation{ID: "1", Status: StatusSkipped}
	doubted := claim // and marked again in the same words
	doubted.Doubted, doubted.DoubtedWords, doubted.Result, doubted.StatusAt = time.Unix(1, 0), "done", "Done.", time.Unix(2, 0)
	explained := doubted
	explained.Result = "see a.go:7"
	failed := open(tree, 1)
	failed.Gates = append(failed.Gates, Gate{Iteration: 1, Job: "check:src:x", Kind: KindCheck, Status: GateFailed, Reason: "no"})
	// still returns the position of a loop in which nothing has changed since it was reviewed.
	still := func(change func(*State), violations ...Violation) Position {
		s := open(tree, 1, violations...)
		s.Run.SessionRef = "commit"
		change(s)
		return Position{Open: s}
	}
	other := Violation{ID: "2", Status: StatusNew}
	killed := open(tree, 1)
	killed.Gates[0].Status, killed.Gates[0].Slots[0].Status = GateRunning, SlotRunning
	with := func(s *State, v Violation) *State {
		more := *s
		more.Violations = append(slices.Clone(s.Violations), v)
		return &more
	}
	// partly is a loop whose second iteration reviewed only what was not committed, after a commit.
	partly := open(tree, 2, skipped)
	partly.Iterations[1].Mode, partly.Iterations[1].Source, partly.Iterations[1].Head = ModeRerun, SourceUncommittedOnly, "commit"
	for name, test := range map[string]struct {
		facts  ProgressFacts
		state  ProgressState
		reason ProgressReason
		next   string
	}{
		"running":                            {ProgressFacts{Running: true, Owner: OwnLoop, Position: Position{Open: open(tree, 1, found)}}, ProgressRunning, "", ""},
		"running before a run":               {ProgressFacts{Running: true, Owner: NoLoop}, ProgressRunning, "", ""},
		"limit":                              {ProgressFacts{Owner: OwnLoop, MaxRetries: 1, Position: Position{Open: open(tree, 2, found)}}, ProgressRetryLimit, "", CommandRun},
		"limit, but skipped":                 {ProgressFacts{Owner: OwnLoop, MaxRetries: 1, Position: Position{Open: open(tree, 2, skipped)}}, ProgressOpen, RunNotClosed, CommandRun},
		"found":                              {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: open(tree, 1, found)}}, ProgressOpen, "", CommandRun},
		"claimed":                            {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: open(tree, 1, claim)}}, ProgressOpen, "", CommandRun},
		"claimed, and nothing changed":       {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(none, claim)}, ProgressOpen, "", CommandForce},
		"claimed, and nobody can tell":       {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(none, doubted)}, ProgressOpen, "", CommandRun},
		"claimed, one can tell of another":   {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(none, doubted, Violation{ID: "2", Status: StatusFixed})}, ProgressOpen, "", CommandForce},
		"claimed, explained once more":       {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(none, explained)}, ProgressOpen, "", CommandRun},
		"nobody can tell, one fails":         {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Gates = append(s.Gates, failed.Gates[1]) }, doubted)}, ProgressOpen, "", CommandRun},
		"claimed, nothing changed, one open": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(none, claim, other)}, ProgressOpen, "", CommandRun},
		"claimed, and a check fails":         {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Gates = append(s.Gates, failed.Gates[1]) }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, and other gates":           {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Run.ConfigHash = "x" }, claim)}, ProgressOpen, "", CommandForce},
		"claimed, without a reviewed tree":   {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Run.SessionRef = "" }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, after a forgotten skip":    {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Gates[0].Slots[0].Forgotten = true }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, on other trees between": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) {
			s.Iterations = append(s.Iterations, Iteration{Number: 2, Tree: "x"}, Iteration{Number: 3, Tree: tree})
		}, claim)}, ProgressOpen, "", CommandForce},
		"claimed, back on it, then changed":  {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Iterations = append(s.Iterations, Iteration{Number: 2, Tree: "x"}) }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, on other trees before":     {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Iterations = append([]Iteration{{Tree: "x", To: "x"}}, s.Iterations...) }, claim)}, ProgressOpen, "", CommandForce},
		"claimed, reviewed on another tree":  {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Iterations[0].To = "x" }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, interrupted on this tree":  {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) { s.Iterations[0].Status = StatusInterrupted }, claim)}, ProgressOpen, "", CommandRun},
		"claimed, in a folder that is gone":  {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Differs: true, Position: still(none, claim)}, ProgressOpen, LogsGone, CommandRun},
		"claimed, logs and changes gone":     {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Position: still(none, claim)}, ProgressOpen, LogsGone, CommandRun},
		"a failing check":                    {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: failed}}, ProgressOpen, "", CommandRun},
		"a failing check, then changed":      {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: &State{Run: failed.Run, Iterations: []Iteration{{Number: 1, Tree: "x"}}, Gates: failed.Gates}}}, ProgressOpen, "", CommandRun},
		"a failing check, which is gone":     {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{"check:src:x"}, Position: Position{Open: failed}}, ProgressOpen, "", CommandRun},
		"killed, and its gate is gone":       {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{killed.Gates[0].Job}, Position: Position{Open: killed}}, ProgressOpen, "", CommandClean},
		"killed, its gate and logs are gone": {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Differs: true, Gone: []string{killed.Gates[0].Job}, Position: Position{Open: killed}}, ProgressOpen, LogsGone, CommandClean},
		"another checkout's, killed":         {ProgressFacts{Owner: NoLoop, Differs: true, Gone: []string{killed.Gates[0].Job}, Position: Position{Open: killed}}, ProgressOpen, OtherCheckout, CommandRun},
		"killed, and another gate is gone":   {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{"x"}, Position: Position{Open: killed}}, ProgressOpen, "", CommandRun},
		"a claim of a gate that is gone":     {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{"review:src:x"}, Position: still(none, Violation{ID: "1", Job: "review:src:x", Status: StatusFixed})}, ProgressOpen, "", CommandRun},
		"open in a gate that is gone":        {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{"review:src:x"}, Position: still(none, Violation{ID: "1", Job: "review:src:x", Status: StatusNew})}, ProgressOpen, "", CommandRun},
		"open there, and elsewhere":          {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{"review:src:x"}, Position: still(none, Violation{ID: "1", Job: "review:src:x", Status: StatusNew}, other)}, ProgressOpen, "", CommandRun},
		"in error and gone, with a claim":    {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Gone: []string{killed.Gates[0].Job}, Position: Position{Open: with(killed, claim)}}, ProgressOpen, "", CommandRun},
		"killed":                             {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: killed}}, ProgressOpen, "", CommandRun},
		"open, though passed":                {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: open(tree, 1, found)}, Passed: closed(none)}, ProgressOpen, "", CommandRun},
		"logs gone":                          {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 9, Differs: true, Position: Position{Open: open(tree, 9, found)}}, ProgressOpen, LogsGone, CommandRun},
		"logs gone, at the limit":            {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Differs: true, Position: Position{Open: open(tree, 9, found)}}, ProgressRetryLimit, "", CommandRun},
		"logs gone, though passed":           {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Differs: true, Position: Position{Open: open(tree, 1, skipped)}, Passed: closed(none)}, ProgressUnreviewed, RunNotClosed, CommandRun},
		"logs and changes gone":              {ProgressFacts{Owner: EmptiedLoop, MaxRetries: 3, Position: Position{Open: open(tree, 1, found)}}, ProgressOpen, LogsGone, CommandClean},
		"another checkout's":                 {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Open: open(tree, 9, found)}}, ProgressOpen, OtherCheckout, CommandRun},
		"another checkout's, passed here":    {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Open: open(tree, 1, skipped)}, Passed: closed(none)}, ProgressPassed, "", ""},
		"another's loop":                     {ProgressFacts{Owner: LostLoop, Passed: closed(none)}, ProgressOpen, LoopUnknown, CommandRun},
		"changed after":                      {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Differs: true, Position: Position{Open: open("before", 1, skipped)}}, ProgressUnreviewed, TreeChangedSincePass, CommandRun},
		"changed after, and no gate is left": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Differs: true, Gateless: true, Position: Position{Open: open("before", 1, skipped)}}, ProgressUnreviewed, TreeChangedSincePass, CommandClean},
		"skipped, and no gate is left":       {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Differs: true, Gateless: true, Position: Position{Open: open(tree, 1, skipped)}}, ProgressOpen, RunNotClosed, CommandRun},
		"nothing outstanding, no difference": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: Position{Open: open(tree, 1, skipped)}, Passed: closed(none)}, ProgressOpen, RunNotClosed, CommandRun},
		"skipped, and the base has moved": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) {
			s.Run.Base, s.Iterations[0].Base, s.Iterations[0].Source = "before", "before", SourceBase
		}, skipped)}, ProgressUnreviewed, RunNotClosed, CommandRun},
		"skipped, and a gate has not seen it": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Position: still(func(s *State) {
			s.Iterations = []Iteration{{Number: 1, Tree: "x", Status: StatusFailed}, {Number: 2, Tree: tree, Status: StatusFailed}}
		}, skipped)}, ProgressUnreviewed, RunNotClosed, CommandRun},
		"skipped, and a commit was not shown": {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Differs: true, Position: Position{Open: partly}}, ProgressUnreviewed, RunNotClosed, CommandRun},
		"limit, and a commit was not shown":   {ProgressFacts{Owner: OwnLoop, MaxRetries: 1, Differs: true, Position: Position{Open: partly}}, ProgressRetryLimit, "", CommandRun},
		"limit, skipped, then changed":        {ProgressFacts{Owner: OwnLoop, MaxRetries: 1, Position: Position{Open: open("before", 2, skipped)}}, ProgressRetryLimit, "", CommandRun},
		"limit, and a forgotten skip":         {ProgressFacts{Owner: OwnLoop, MaxRetries: 0, Position: still(func(s *State) { s.Gates[0].Slots[0].Forgotten = true }, skipped)}, ProgressRetryLimit, "", CommandRun},
		"limit, and a gate left out": {ProgressFacts{Owner: OwnLoop, MaxRetries: 0, Position: still(func(s *State) {
			s.Iterations = []Iteration{{Number: 1, Tree: "x", Status: StatusFailed}, {Number: 2, Tree: tree, Status: StatusFailed}}
		}, skipped)}, ProgressRetryLimit, "", CommandRun},
		"first":                       {ProgressFacts{Owner: NoLoop, Differs: true}, ProgressUnreviewed, NoRun, CommandRun},
		"abandoned":                   {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Run.Status = StatusAbandoned })}}, ProgressUnreviewed, RunNotPassed, CommandRun},
		"another tree":                {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Iterations[0].Tree = "x" })}}, ProgressUnreviewed, TreeChangedSincePass, CommandRun},
		"a tree that is not known":    {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Iterations[0].Tree = "" })}}, ProgressUnreviewed, TreeChangedSincePass, CommandRun},
		"another base":                {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Run.Base = "x" })}}, ProgressUnreviewed, BaseMoved, CommandRun},
		"another configuration":       {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Run.ConfigHash = "x" })}}, ProgressUnreviewed, ConfigChanged, CommandRun},
		"other gates, then changed":   {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Run.ConfigHash, s.Run.Base, s.Iterations[0].Tree = "x", "x", "x" })}}, ProgressUnreviewed, ConfigChanged, CommandRun},
		"restored":                    {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Run.ConfigHash = "" })}}, ProgressUnreviewed, RunRestored, CommandRun},
		"without an iteration":        {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(func(s *State) { s.Iterations = nil })}}, ProgressUnreviewed, TreeChangedSincePass, CommandRun},
		"in part":                     {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(none)}}, ProgressUnreviewed, PassedInPart, CommandRun},
		"passed":                      {ProgressFacts{Owner: NoLoop, Differs: true, Position: Position{Last: closed(none)}, Passed: closed(none)}, ProgressPassed, "", ""},
		"passed, and not archived":    {ProgressFacts{Owner: EndedLoop, Differs: true, Passed: closed(none)}, ProgressPassed, "", ""},
		"no changes":                  {ProgressFacts{Owner: NoLoop}, ProgressNoChanges, "", ""},
		"no gate":                     {ProgressFacts{Owner: NoLoop, Differs: true, Ungated: []string{"README"}}, ProgressNoGate, "", ""},
		"no gate, after another pass": {ProgressFacts{Owner: NoLoop, Differs: true, Ungated: []string{"README"}, Position: Position{Last: closed(func(s *State) { s.Iterations[0].Tree = "x" })}}, ProgressNoGate, "", ""},
		"no gate, but a loop":         {ProgressFacts{Owner: OwnLoop, MaxRetries: 3, Ungated: []string{"README"}, Position: Position{Open: open(tree, 1, skipped)}}, ProgressOpen, RunNotClosed, CommandRun},
		"no gate, but open":           {ProgressFacts{Owner: NoLoop, Differs: true, Ungated: []string{"README"}, Position: Position{Open: open(tree, 1, found)}}, ProgressOpen, OtherCheckout, CommandRun},
	} {
		facts := test.facts
		facts.Tree, facts.Base, facts.ConfigHash = tree, base, hash
		if facts.Open != nil {
			for _, v := range facts.Open.Violations {
				facts.Listed = append(facts.Listed, ListedViolation{Violation: v})
			}
		}
		p := AssessProgress(facts)
		if p.State != test.state || p.Reason != test.reason || p.Next != test.next {
			t.Errorf("%s: %q, because %q, next %q; not %q, %q, %q", name, p.State, p.Reason, p.Next, test.state, test.reason, test.next)
		}
		if changed := test.reason == TreeChangedSincePass || strings.HasSuffix(name, "then changed"); p.TreeChanged != changed {
			t.Errorf("%s: the tree changed: %v", name, p.TreeChanged)
		}
		step := test.next
		switch name {
		case "found", "open, though passed", "claimed, nothing changed, one open", "open there, and elsewhere":
			step = StepOpen
		case "a claim of a gate that is gone", "open in a gate that is gone", "a failing check, which is gone":
			step = StepGone
		case "claimed, and nobody can tell":
			step = StepExplain
		case "nobody can tell, one fails", "a failing check", "claimed, and a check fails":
			step = StepFix
		case "limit", "logs gone, at the limit":
			step = "1 open violation left: skip with words (`reviewledger mark ID skipped --result TEXT`), then: reviewledger run; or " + stepLimit
		case "limit, skipped, then changed", "limit, and a forgotten skip", "limit, and a gate left out", "limit, and a commit was not shown":
			step = "the gates have not seen the working tree as it is: " + stepLimit
		}
		if got := p.Step(); got != step {
			t.Errorf("%s: people are told %q, not %q", name, got, step)
		}
		if done := test.state == ProgressPassed || test.state == ProgressNoChanges || test.state == ProgressNoGate; p.Done() != done {
			t.Errorf("%s: done is %v", name, p.Done())
		}
		want := map[bool]string{true: "CLOSED", false: ""}[test.state == ProgressPassed]
		if facts.Open != nil && test.state != ProgressPassed {
			want = "OPEN"
			if p.Iteration != facts.Open.LastIteration() {
				t.Errorf("%s: iteration %d", name, p.Iteration)
			}
		}
		if p.Run.ID != want {
			t.Errorf("%s: the run is %q", name, p.Run.ID)
		}
	}
}

func TestPassedAs(t *testing.T) {
	t.Parallel()
	run := func(id string, trees ...string) *State {
		s := &State{Run: Run{ID: id}}
		for n, tree := range trees {
			s.Iterations = append(s.Iterations, Iteration{Number: n + 1, Tree: tree})
		}
		return s
	}
	p := Position{Passes: []*State{run("3", "b", "c"), run("2", "a"), run("1", "a"), run("0")}}
	for tree, want := range map[string]string{"a": "2", "b": "", "c": "3"} {
		if got := p.PassedAs(tree); (got == nil) != (want == "") || got != nil && got.Run.ID != want {
			t.Errorf("%s: %+v", tree, got)
		}
	}
}

// Listed violations have the status that the marks set.
func TestProgressListsByMarks(t *testing.T) {
	t.Parallel()
	state := &State{
		Run:        Run{ID: "OPEN"},
		Iterations: []Iteration{{Number: 1, Tree: "other"}},
		Gates: []Gate{
			{Iteration: 1, Job: "check:src:a", Kind: KindCheck, Status: GateFailed, Reason: "exited with code 1"},
			{Iteration: 1, Job: "check:src:b", Kind: KindCheck, Status: GateNotRun},
			{Iteration: 1, Job: "review:src:c", Kind: KindReview, Status: GateError, Slots: []Slot{
				{Iteration: 1, Index: 1, Status: SlotPass}, {Iteration: 1, Index: 2, Adapter: "codex", Status: SlotError, Reason: "at its limit"},
			}},
		},
		Violations: []Violation{{ID: "1", Status: StatusNew}, {ID: "2", Status: StatusFixed, Result: "done"}, {ID: "3", Status: StatusSkipped}},
	}
	was := func(id string, s Status) ListedViolation {
		return ListedViolation{Violation: Violation{ID: id, Status: s}}
	}
	p := AssessProgress(ProgressFacts{
		Owner: OwnLoop, Tree: "tree", MaxRetries: 3,
		Position: Position{Open: state, Listed: []ListedViolation{was("9", StatusReopened), was("2", StatusNew), was("1", StatusNew), was("3", StatusReopened)}},
	})
	if len(p.Open) != 1 || p.Open[0].ID != "1" || len(p.Unverified) != 1 || p.Unverified[0].ID != "2" || p.Unverified[0].Result != "done" || p.Unverified[0].StatusBy != ActorAgent {
		t.Errorf("open %+v, unverified %+v", p.Open, p.Unverified)
	}
	if len(p.Failing) != 1 || p.Failing[0].Job != "check:src:a" || p.Failing[0].Reason != "exited with code 1" {
		t.Errorf("failing %+v", p.Failing)
	}
	if len(p.Errors) != 2 || p.Errors[0].Reason != "not_run" || p.Errors[1].Slot != 2 || p.Errors[1].Adapter != "codex" || p.Errors[1].Reason != "at its limit" {
		t.Errorf("errors %+v", p.Errors)
	}
	if !p.TreeChanged {
		t.Error("the tree has not changed")
	}
}

// A slot that has not ended is being asked, or its process was killed.
func TestProgressOfARunningSlot(t *testing.T) {
	t.Parallel()
	state := &State{
		Iterations: []Iteration{{Number: 1, Tree: "tree", Status: StatusRunning}},
		Gates: []Gate{{Iteration: 1, Job: "review:src:a", Kind: KindReview, Status: GateRunning, Slots: []Slot{
			{Iteration: 1, Job: "review:src:a", Index: 1, Status: SlotRunning}, {Iteration: 1, Job: "review:src:a", Index: 2, Status: SlotError, Reason: "empty answer"},
		}}},
	}
	facts := ProgressFacts{Owner: OwnLoop, Tree: "tree", MaxRetries: 3, Position: Position{Open: state}}
	if p := AssessProgress(facts); len(p.Errors) != 2 || p.Errors[0].Reason != "its process was killed" {
		t.Errorf("killed: %+v", p.Errors)
	}
	facts.Running = true
	if p := AssessProgress(facts); p.State != ProgressRunning || len(p.Errors) != 1 || p.Errors[0].Slot != 2 {
		t.Errorf("running: %+v", p)
	}
}

// Every reason has its own sentence. That the tree has changed is said if something is left to do.
func TestSentences(t *testing.T) {
	t.Parallel()
	said := map[string]ProgressReason{"": ""}
	for _, reason := range []ProgressReason{NoRun, RunNotPassed, RunNotClosed, TreeChangedSincePass, BaseMoved, ConfigChanged, RunRestored, PassedInPart, LoopUnknown, LogsGone, OtherCheckout, MemoryEnded} {
		sentence := Progress{Reason: reason}.Sentence()
		if other, twice := said[sentence]; twice {
			t.Errorf("%s says %q, as %q does", reason, sentence, other)
		}
		said[sentence] = reason
	}
	for _, reason := range []ProgressReason{ConfigChanged, PassedInPart} { // which gates, if that is known
		for _, changed := range []bool{false, true} {
			named := Progress{Reason: reason, TreeChanged: changed, Lacks: []string{"lint", "style"}}.ReasonSentence()
			unnamed := Progress{Reason: reason, TreeChanged: changed}.ReasonSentence()
			if !strings.HasSuffix(named, ": lint, style") || strings.HasSuffix(unnamed, ":") || strings.HasSuffix(unnamed, ": ") {
				t.Errorf("%s, tree changed %t: %q, and without names %q", reason, changed, named, unnamed)
			}
		}
	}
	for changed, want := range map[bool]string{true: treeChangedSentence, false: "The run has used up its iterations."} {
		if got := (Progress{State: ProgressRetryLimit, TreeChanged: changed}).Sentence(); got != want {
			t.Errorf("at the retry limit, with nothing left: %q, want %q", got, want)
		}
	}
	for state, want := range map[ProgressState]string{ProgressOpen: treeChangedSentence, ProgressRunning: "", ProgressPassed: "", ProgressNoChanges: "", ProgressNoGate: ""} {
		p := Progress{State: state, TreeChanged: true, Open: []ListedViolation{{}}}
		if got := p.ReasonSentence(); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
		if _, twice := said[p.Sentence()]; twice {
			t.Errorf("%s says %q", state, p.Sentence())
		}
		said[p.Sentence()] = ""
	}
}

// A pass that depends on a forgotten skip does not count.
func TestPassedOnAForgottenSkip(t *testing.T) {
	t.Parallel()
	slot := func(iteration int, forgotten bool) Gate {
		return Gate{Iteration: iteration, Job: "review:src:a", Slots: []Slot{
			{Iteration: iteration, Job: "review:src:a", Index: 1, Status: SlotPass, Forgotten: forgotten},
		}}
	}
	run := func(gates ...Gate) *State {
		return &State{Run: Run{ID: "1", Status: StatusPassed}, Iterations: []Iteration{{Number: 2, Tree: "tree"}}, Gates: gates}
	}
	for name, test := range map[string]struct {
		run  *State
		want bool
	}{
		"a tree that is not known": {&State{Run: Run{ID: "1", Status: StatusPassed}, Iterations: []Iteration{{Number: 2}}}, false},
		"no iteration":             {&State{Run: Run{ID: "1", Status: StatusPassed}}, false},
		"nothing was met":          {run(), true}, "forgotten": {run(slot(1, true)), false}, "asked again": {run(slot(1, true), slot(2, false)), true},
	} {
		p := Position{Last: test.run, Passes: []*State{test.run}}
		if got := p.PassedAs("tree") != nil; got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		if _, got := p.PassedOn(); got != test.want {
			t.Errorf("%s, but for files that nobody reviews: %v", name, got)
		}
	}
	if tree, passed := (Position{Passes: []*State{run()}}).PassedOn(); passed || tree != "" {
		t.Error("no run was the latest")
	}
	if _, passed := (Position{Last: run()}).PassedOn(); passed {
		t.Error("a run that is not one of the passes")
	}
}

// If a pass on this tree depends on a forgotten skip, the reason is the skip, and not that it
// passed in part.
func TestProgressAfterAForgottenSkip(t *testing.T) {
	t.Parallel()
	for forgotten, want := range map[bool]ProgressReason{true: MemoryEnded, false: PassedInPart} {
		last := &State{
			Run: Run{ID: "1", Status: StatusPassed, Base: "base", ConfigHash: "hash"}, Iterations: []Iteration{{Number: 1, Tree: "tree"}},
			Gates: []Gate{{Iteration: 1, Job: "review:src:a", Status: GatePassed, Slots: []Slot{{Iteration: 1, Job: "review:src:a", Index: 1, Status: SlotPass, Forgotten: forgotten}}}},
		}
		p := AssessProgress(ProgressFacts{Owner: NoLoop, Differs: true, Tree: "tree", Base: "base", ConfigHash: "hash", Position: Position{Last: last}})
		if p.State != ProgressUnreviewed || p.Reason != want {
			t.Errorf("forgotten: %v: %s, %s", forgotten, p.State, p.Reason)
		}
		if forgotten {
			p = AssessProgress(ProgressFacts{Owner: OwnLoop, Differs: true, Tree: "tree", MaxRetries: 3, Position: Position{Open: last}})
			if p.State != ProgressUnreviewed || p.Reason != MemoryEnded {
				t.Errorf("of an open run: %s, %s", p.State, p.Reason)
			}
		}
	}
}

func TestPassedWhole(t *testing.T) {
	t.Parallel()
	state := &State{
		Run:        Run{ConfigHash: "hash"},
		Iterations: []Iteration{{Number: 1, Source: SourceBase}},
		Gates:      []Gate{{Iteration: 1, Job: "check:src:a", Kind: KindCheck, Status: GatePassed}},
	}
	ran, left, elsewhere := Planned{Job: "check:src:a", Applies: true}, Planned{Job: "review:src:b", Applies: true}, Planned{Job: "check:src:c"}
	for name, test := range map[string]struct {
		source   Source
		hash     string
		applying []Planned
		want     bool
	}{
		"whole":                 {SourceBase, "hash", []Planned{ran, elsewhere}, true},
		"a gate left out":       {SourceBase, "hash", []Planned{ran, left}, false},
		"what is uncommitted":   {SourceUncommitted, "hash", []Planned{ran}, false},
		"one commit":            {SourceCommit, "hash", []Planned{ran}, false},
		"restored":              {"files", "hash", []Planned{ran}, false},
		"another configuration": {SourceBase, "other", []Planned{ran}, false},
	} {
		state.Iterations[0].Source = test.source
		if got := PassedWhole(state, test.applying, test.hash); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if PassedWhole(&State{}, nil, "") {
		t.Error("a run without an iteration passed")
	}
}

// A pass counts for the configuration as it became during the run, if each gate that applies ran with it
// alone: a check at last, a review whenever it was asked.
//
// Rule: Done means passed as it is now.
func TestPassedWholeAsConfigured(t *testing.T) {
	t.Parallel()
	const check, review = "check:src:a", "review:src:b"
	ran := func(iteration int, job, hash string) Gate {
		return Gate{Iteration: iteration, Job: job, Kind: KindReview, Status: GatePassed, ConfigHash: hash}
	}
	for name, test := range map[string]struct {
		last  string // configuration of the last iteration
		gates []Gate
		want  bool
	}{
		"the review is new":                     {"new", []Gate{ran(1, "review:src:gone", "g"), ran(1, check, "c"), ran(2, check, "c"), ran(2, review, "r")}, true},
		"the check became another one":          {"new", []Gate{ran(1, check, "before"), ran(1, review, "r"), ran(2, check, "c"), ran(2, review, "r")}, true},
		"the review was asked otherwise":        {"new", []Gate{ran(1, check, "c"), ran(1, review, "before"), ran(2, check, "c"), ran(2, review, "r")}, false},
		"it was not asked again":                {"new", []Gate{ran(1, check, "c"), ran(1, review, "before"), ran(2, check, "c")}, false},
		"the check did not run again":           {"new", []Gate{ran(1, check, "before"), ran(1, review, "r"), ran(2, review, "r")}, false},
		"a review did not run":                  {"new", []Gate{ran(1, check, "c"), ran(2, check, "c")}, false},
		"it was asked before, with the same":    {"new", []Gate{ran(1, check, "c"), ran(1, review, "r"), ran(2, check, "c")}, true},
		"the configuration has changed since":   {"older", []Gate{ran(2, check, "c"), ran(2, review, "r")}, false},
		"as when it began, which is not as now": {"", []Gate{ran(2, check, "c"), ran(2, review, "r")}, false},
	} {
		state := &State{Run: Run{ConfigHash: "old"}, Gates: test.gates, Iterations: []Iteration{
			{Number: 1, Mode: ModeFirst, Source: SourceBase}, {Number: 2, Mode: ModeRerun, ConfigHash: test.last},
		}}
		applying := []Planned{
			{Job: check, Kind: KindCheck, Applies: true, ConfigHash: "c"}, {Job: review, Kind: KindReview, Applies: true, ConfigHash: "r"},
			{Job: "review:src:elsewhere", Kind: KindReview, ConfigHash: "e"},
		}
		if got := PassedWhole(state, applying, "new"); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		if state.Iterations[0].Source = SourceCommit; PassedWhole(state, applying, "new") {
			t.Errorf("%s: a chosen commit passed as a whole", name)
		}
	}
}

// What is left is counted by what has to be done about it, and what is at nothing is not named.
func TestCounts(t *testing.T) {
	t.Parallel()
	some := make([]ListedViolation, 2)
	for want, p := range map[string]Progress{
		"": {}, "2 open violations": {Open: some}, "1 unverified claim": {Unverified: some[:1]}, "1 failing check": {Failing: make([]Unresolved, 1)},
		"2 gates in error": {Errors: make([]Unresolved, 2)},
		"1 open violation, 2 unverified claims, 1 failing check, 1 gate in error": {Open: some[:1], Unverified: some, Failing: make([]Unresolved, 1), Errors: make([]Unresolved, 1)},
	} {
		if got := p.Counts(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A restored run has passed as a whole only if every check has run, and every slot has answered, since it
// was restored.
//
// Rule: A file does not prove a pass.
func TestRestoredPassesWhole(t *testing.T) {
	t.Parallel()
	const check, review = "check:src:a", "review:src:b"
	checked := func(iteration int) Gate {
		return Gate{Iteration: iteration, Job: check, Kind: KindCheck, Status: GatePassed}
	}
	asked := func(iteration int, slots ...SlotStatus) Gate {
		gate := Gate{Iteration: iteration, Job: review, Kind: KindReview, Status: GatePassed}
		for n, status := range slots {
			gate.Slots = append(gate.Slots, Slot{Iteration: iteration, Job: review, Index: n + 1, Status: status})
		}
		return gate
	}
	unchanged := Gate{Iteration: 3, Job: review, Kind: KindReview, Status: GateNotRun, NotRun: NotRunUnchanged}
	for name, test := range map[string]struct {
		base  string
		gates []Gate
		want  bool
	}{
		"all answered again":                {"base", []Gate{checked(1), asked(1, SlotFail), checked(2), asked(2, SlotPass)}, true},
		"the review only from a file":       {"base", []Gate{checked(1), asked(1, SlotPass), checked(2)}, false},
		"the check only from a file":        {"base", []Gate{checked(1), asked(1, SlotPass), asked(2, SlotPass)}, false},
		"a slot skipped for a file's pass":  {"base", []Gate{checked(2), asked(1, SlotPass, SlotFail), asked(2, SlotSkipped, SlotPass)}, false},
		"unchanged since it answered again": {"base", []Gate{checked(2), asked(2, SlotPass), checked(3), unchanged}, true},
		"unchanged since a file":            {"base", []Gate{asked(1, SlotPass), checked(3), unchanged}, false},
		"a base that the user chose":        {"", []Gate{checked(2), asked(2, SlotPass)}, false},
	} {
		state := &State{Run: Run{ConfigHash: "hash"}, Gates: test.gates, Iterations: []Iteration{
			{Number: 1, Mode: ModeRebuilt, Source: SourceFiles, Base: test.base}, {Number: 2, Mode: ModeRerun}, {Number: 3, Mode: ModeRerun},
		}}
		if got := PassedWhole(state, []Planned{{Job: check, Applies: true}, {Job: review, Applies: true}}, "hash"); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
