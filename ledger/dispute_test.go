package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// A dispute is put to all reporters of the finding, in the slots that they still fill, or to
// nobody.
//
// Rule: Only its reporter withdraws a finding.
func TestDisputeIsPutToReporters(t *testing.T) {
	t.Parallel()
	by := func(reporters ...ledger.Reporter) ledger.Violation {
		return ledger.Violation{ShortID: "a", Job: quality, Slot: 1, Adapter: "codex", Status: ledger.StatusDisputed, Answered: 1, ReportedBy: reporters}
	}
	codex1, claude2, claude1, codex3 := ledger.Reporter{Slot: 1, Adapter: "codex"}, ledger.Reporter{Slot: 2, Adapter: "claude"}, ledger.Reporter{Slot: 1, Adapter: "claude"}, ledger.Reporter{Slot: 3, Adapter: "codex"}
	marked := by(codex1)
	marked.Status = ledger.StatusFixed
	for name, test := range map[string]struct {
		v        ledger.Violation
		adapters []string
		slots    []int
		absent   []ledger.Reporter
	}{
		"its reporter":                      {by(codex1), []string{"codex", "claude"}, []int{1}, nil},
		"its reporter, who is not named":    {by(), []string{"codex", "claude"}, []int{1}, nil},
		"two reporters":                     {by(codex1, claude2), []string{"codex", "claude"}, []int{1, 2}, nil},
		"another adapter":                   {by(codex1), []string{"claude", "codex"}, nil, []ledger.Reporter{codex1}},
		"another adapter for one of two":    {by(codex1, claude2), []string{"codex", "codex"}, nil, []ledger.Reporter{claude2}},
		"two adapters that filled one slot": {by(codex1, claude1), []string{"codex", "claude"}, nil, []ledger.Reporter{claude1}},
		"a slot that is gone":               {by(codex3), []string{"codex", "claude"}, []int{1}, nil},
		"a slot that is gone, and others":   {by(codex3), []string{"claude"}, nil, []ledger.Reporter{codex1}},
		"nobody can be asked":               {by(codex1), nil, nil, []ledger.Reporter{codex1}},
		"no dispute any more":               {marked, []string{"codex"}, nil, nil},
		"no dispute, and another adapter":   {marked, []string{"claude"}, nil, nil},
	} {
		planned := ledger.Planned{Job: quality, Kind: ledger.KindReview}
		for _, adapter := range test.adapters {
			planned.Fillers = append(planned.Fillers, ledger.Filler{Adapter: adapter})
		}
		absent := ledger.Absent([]ledger.Violation{test.v}, []ledger.Planned{planned})
		var slots []int
		for slot := 1; slot <= len(test.adapters); slot++ {
			if test.v.PutTo(slot, len(test.adapters), absent) {
				slots = append(slots, slot)
			}
		}
		if d := cmp.Diff(test.slots, slots); d != "" {
			t.Errorf("%s: slots (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(test.absent, absent[test.v.ID]); d != "" {
			t.Errorf("%s: absent (-want +got):\n%s", name, d)
		}
		var want []ledger.Owed
		for _, slot := range test.slots {
			want = append(want, ledger.Owed{Job: quality, Slot: slot, Reason: ledger.DisputeOpen, Iteration: 1})
		}
		s := with(loopOf(reviewed(1, quality, fail, fail)), func(s *ledger.State) { s.Violations = []ledger.Violation{test.v} })
		if d := cmp.Diff(want, ledger.NewCoverage(s, rerun(s, nil), nil).Owed([]ledger.Planned{planned}, nil)); d != "" {
			t.Errorf("%s: owed (-want +got):\n%s", name, d)
		}
	}
	const says = "violation a is disputed, and waits for codex@1 and claude@2, which reported it and is not asked now; a person may decide: reviewledger mark a skipped --as human --result '…'"
	if got := ledger.Waiting(by(), []ledger.Reporter{codex1, claude2}); got != says {
		t.Error(got)
	}
}

// Disputes that are not possible are refused, with what can be done instead.
//
// Rule: Only its reporter withdraws a finding.
func TestDisputeIsRefused(t *testing.T) {
	t.Parallel()
	codex, lint := ledger.Reporter{Slot: 1, Adapter: "codex"}, ledger.Reporter{Slot: 2, Adapter: "lint"}
	silent := []string{"builtin", "lint"}
	for name, test := range map[string]struct {
		disputed ledger.Disputed
		want     string
	}{
		"of a model":          {ledger.Disputed{ReportedBy: []ledger.Reporter{codex}, Silent: silent}, ""},
		"of a tool":           {ledger.Disputed{ReportedBy: []ledger.Reporter{lint}, Silent: silent}, `violation a was reported by "lint", which cannot answer a dispute: fix it, or mark it skipped with --reason false_positive`},
		"of a model and tool": {ledger.Disputed{ReportedBy: []ledger.Reporter{codex, lint}, Silent: silent}, `violation a was reported by "lint", which cannot answer a dispute: fix it, or mark it skipped with --reason false_positive`},
		"the second time":     {ledger.Disputed{ReportedBy: []ledger.Reporter{codex}, Answered: true}, "violation a was disputed before, and its reporter answered: a person decides: fix it, or mark a skipped --as human"},
	} {
		if got := test.disputed.Refuse("a"); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for status, want := range map[ledger.Status]string{
		ledger.StatusNew: "", ledger.StatusReopened: "",
		ledger.StatusDisputed:  "violation a is disputed already, and its reporter has not answered yet: to dispute it in other words, mark it new first",
		ledger.StatusFixed:     "violation a is fixed: mark it new first, for only what is open can be disputed",
		ledger.StatusSkipped:   "violation a is skipped: mark it new first, for only what is open can be disputed",
		ledger.StatusVerified:  "violation a is verified: a reviewer confirmed the fix, so it cannot be marked",
		ledger.StatusWithdrawn: "violation a is withdrawn: its reporter took it back, so there is nothing to mark",
	} {
		got := ledger.Mark{Status: ledger.StatusDisputed, Actor: ledger.ActorAgent}.Refuse(listed("a", status, at("a.go", 7)))
		if got != want {
			t.Errorf("%s: %s", status, got)
		}
	}
}

// Only a person can make a dispute remembered.
//
// Rule: A human's skip is remembered.
func TestDisputeIsRemembered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		actor  ledger.Actor
		memory ledger.Memory
		want   bool
	}{
		{ledger.ActorHuman, ledger.MemoryKeep, true}, {ledger.ActorHuman, ledger.MemoryDefault, false}, {ledger.ActorHuman, ledger.MemoryDrop, false},
		{ledger.ActorAgent, ledger.MemoryKeep, false}, {ledger.ActorAgent, ledger.MemoryDefault, false},
	} {
		mark := ledger.Mark{Status: ledger.StatusDisputed, Actor: test.actor, Memory: test.memory}
		if got := mark.Remembers(at("a.go", 7)); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}
