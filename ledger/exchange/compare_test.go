package exchange

import (
	"strings"
	"testing"
)

func at(text Time) *Time { return &text }

func pointer[T any](value T) *T { return &value }

// sample returns a run of one iteration with a gate, a slot, and a claim.
func sample() *Run {
	one, job := int64(1), "review:.:quality"
	done := at("2026-01-02T03:04:06.000Z")
	r := &Run{
		Head:       Head{Run: "R", Kind: "gates", Status: "failed", Iterations: 1, Claimed: 1, RepositoryKind: "origin", Repository: "host/a", Revision: 7},
		Iterations: []Iteration{{Run: "R", Number: 1, Status: "failed", FinishedAt: done, Claimed: 1}},
		Gates:      []Gate{{Run: "R", Iteration: 1, Job: job, Status: "failed", FinishedAt: done}},
		Slots:      []Slot{{InSlot: InSlot{"R", 1, job, 1}, Status: "fail", FinishedAt: done, Accepted: 1}},
		Violations: []Violation{{Violation: "V", Run: "R", Job: job, Slot: 1, Status: "fixed", LastIteration: 1}},
		Reports:    []Report{{InSlot: InSlot{"R", 1, job, 1}, Position: 1, Violation: pointer("V"), Issue: "leaks"}},
		Events: []Event{
			{Violation: "V", Run: "R", Iteration: 1, Status: "new", Number: 1},
			{Violation: "V", Run: "R", Iteration: 1, Status: "fixed", Number: 2},
		},
		SlotEntries: []SlotEntry{{InSlot: InSlot{"R", 1, job, 1}, Position: 1, Violation: "V", Status: "new"}},
		SlotBlobs:   []SlotBlob{{InSlot: InSlot{"R", 1, job, 1}, Kind: "prompt", Sha256: []byte("p")}},
	}
	for _, of := range []Transition{
		{Subject: "run"}, {Subject: "iteration", Iteration: &one}, {Subject: "gate", Iteration: &one, Job: &job},
		{Subject: "slot", Iteration: &one, Job: &job, Slot: &one},
	} {
		of.Run, of.Status, of.Cause = "R", "failed", "finished"
		if of.Subject == "slot" {
			of.Status = "fail"
		}
		r.Transitions = append(r.Transitions, of)
	}
	return r
}

func review(r *Run) { r.Head.Kind = "code_review" }

func TestCompare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		here, other func(*Run) // how each state differs
		want, back  Relation   // seen from the other state
	}{
		"the same": {nil, nil, Same, Same},
		"an event more": {nil, func(r *Run) {
			r.Events = append(r.Events, Event{Violation: "V", Number: 3})
			r.Violations[0].Status = "new"
		}, Later, Earlier},
		"an iteration more": {nil, func(r *Run) { r.Iterations = append(r.Iterations, Iteration{Number: 2}) }, Later, Earlier},
		"closed later": {nil, func(r *Run) {
			r.Head.FinishedAt, r.Head.Status = at("t"), "abandoned"
			r.Transitions = append(r.Transitions, Transition{Run: "R", Subject: "run", Status: "abandoned"})
		}, Later, Earlier},
		"two events": {func(r *Run) { r.Events[1].Status = "skipped" }, nil, Diverged, Diverged},
		"each its own": {
			func(r *Run) { r.Events = append(r.Events, Event{Violation: "V", Number: 3, Status: "new"}) },
			func(r *Run) { r.Iterations = append(r.Iterations, Iteration{Number: 2}) }, Diverged, Diverged,
		},
		"a violation seen again": {nil, func(r *Run) {
			r.Violations[0].LastSeen, r.Violations[0].LastIteration, r.Head.Revision = "t", 2, 8
		}, Later, Earlier},
		"another violation": {nil, func(r *Run) { r.Violations[0].Violation, r.Head.Revision = "W", 8 }, Diverged, Diverged},
		"a report more of each": {
			func(r *Run) { r.Reports = append(r.Reports, Report{InSlot: r.Reports[0].InSlot, Position: 2}) },
			func(r *Run) { r.Reports = append(r.Reports, Report{InSlot: r.Reports[0].InSlot, Position: 3}) }, Diverged, Diverged,
		},
		"a review, opened again": {func(r *Run) { review(r); r.Transitions = append(r.Transitions, Transition{Status: "running"}) }, review, Earlier, Later},
		"another wording":        {nil, func(r *Run) { r.Reports[0].Issue = "leaked" }, Diverged, Diverged},
		"another branch":         {nil, func(r *Run) { r.Head.Branch = pointer("b") }, Diverged, Diverged},
		"another gate end":       {nil, func(r *Run) { r.Gates[0].Status = "passed" }, Diverged, Diverged},
		"a gate that ended": {
			func(r *Run) {
				r.Gates[0].Status, r.Gates[0].FinishedAt = "running", nil
				r.Transitions = r.Transitions[:2]
			}, nil, Later, Earlier,
		},
		"a transition less": {func(r *Run) { r.Transitions = r.Transitions[:3] }, nil, Later, Earlier},
		"another cause":     {nil, func(r *Run) { r.Transitions[0].Cause = "interrupted" }, Diverged, Diverged},
		// What a row shows may change in both directions; the revision shows which state is later.
		"shown later":                {nil, func(r *Run) { r.SlotEntries[0].Status, r.Head.Revision = "fixed", 8 }, Later, Earlier},
		"shown in the same revision": {nil, func(r *Run) { r.SlotEntries[0].Status = "fixed" }, Diverged, Diverged},
		"only the revision":          {nil, func(r *Run) { r.Head.Revision = 8 }, Later, Earlier},
		"content removed":            {nil, func(r *Run) { r.SlotBlobs, r.Head.ContentRemovedAt = nil, at("t") }, Same, Same},
		"other content":              {nil, func(r *Run) { r.SlotBlobs[0].Sha256 = []byte("q") }, Diverged, Diverged},
		"a repository known later":   {nil, func(r *Run) { r.Head.RepositoryKind, r.Head.Repository = "unknown", "" }, Same, Same},
		"another repository":         {nil, func(r *Run) { r.Head.Repository = "host/b" }, Diverged, Diverged},
		"a closed run stays": {
			func(r *Run) { r.Head.FinishedAt = at("t") }, func(r *Run) { r.Head.FinishedAt = at("t"); r.Head.Open = 1 }, Diverged, Diverged,
		},
	} {
		here, other := sample(), sample()
		for change, r := range map[int]*Run{0: here, 1: other} {
			if f := []func(*Run){test.here, test.other}[change]; f != nil {
				f(r)
			}
		}
		if got := Compare(here, other); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
		if got := Compare(other, here); got != test.back {
			t.Errorf("%s, from the other: %d, want %d", name, got, test.back)
		}
	}
}

// The missing rows turn the earlier state into the later one.
func TestMissing(t *testing.T) {
	t.Parallel()
	later := sample()
	later.Events = append(later.Events, Event{Violation: "V", Run: "R", Iteration: 1, Status: "new", Number: 3})
	later.SlotEntries[0].Status = "fixed"
	later.Transitions = append(later.Transitions, Transition{Run: "R", Subject: "run", Status: "passed"})
	added, changed := Missing(sample(), later)
	if len(added.Events) != 1 || added.Events[0].Number != 3 || len(added.Transitions) != 1 || len(added.Reports)+len(added.SlotEntries) > 0 {
		t.Errorf("added: %+v", added)
	}
	if len(changed.SlotEntries) != 1 || changed.SlotEntries[0].Status != "fixed" || len(changed.Events)+len(changed.Transitions) > 0 {
		t.Errorf("changed: %+v", changed)
	}
}

func TestSound(t *testing.T) {
	t.Parallel()
	if err := sample().Sound(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Run){
		func(r *Run) { r.Transitions = nil },
		func(r *Run) { r.Head.Status = "passed" },
		func(r *Run) { r.Slots[0].Status = "pass" },
		func(r *Run) { r.Gates[0].Status = "passed" },
		func(r *Run) { r.Iterations[0].Status = "passed" },
	} {
		r := sample()
		change(r)
		if err := r.Sound(); err == nil || !strings.Contains(err.Error(), "the last transition of") {
			t.Error(err)
		}
	}
}
