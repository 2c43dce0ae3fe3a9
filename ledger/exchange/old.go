package exchange

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// upgrade adds to a record of the old format what can be known of the rest, as an
// upgrade of its ledger does (migrations/00004_history.sql).
func (r *Run) upgrade() {
	r.Head.RepositoryKind = string(ledger.RepositoryUnknown)
	for _, v := range r.Violations {
		if ledger.Status(v.Status) == ledger.StatusFixed {
			r.Head.Claimed++
		}
	}
	for i := range r.Gates {
		if g := &r.Gates[i]; ledger.GateStatus(g.Status) == ledger.GateNotRun {
			g.NotRunReason = pointer(string(ledger.NotRunFailFast))
		}
	}
	for i := range r.Slots {
		s := &r.Slots[i]
		if strings.Contains(s.Reason, "safety latch") { // the latch was a sentence
			s.Latch = 1
		}
		if ledger.SlotStatus(s.Status) == ledger.SlotInterrupted {
			s.ErrorKind = pointer(string(ledger.ErrorInterrupted))
		}
	}
	numbers := map[string]int64{}
	for i := range r.Events {
		e := &r.Events[i]
		numbers[e.Violation]++
		e.Number = numbers[e.Violation]
	}
	r.reconstruct()
}

func pointer[T any](value T) *T { return &value }

// reconstruct makes the transitions that must have been.
func (r *Run) reconstruct() {
	note := func(t Transition, status string, at Time) {
		t.Run, t.Status, t.At = r.Head.Run, status, at
		t.Actor, t.Cause = string(ledger.MoverSystem), string(ledger.CauseReconstructed)
		r.Transitions = append(r.Transitions, t)
	}
	const running = "running" // the same word for each of them
	iterations, gateEnds, runEnd := map[int64]Iteration{}, map[Place]*Time{}, r.Head.FinishedAt
	note(Transition{Subject: "run"}, running, r.Head.StartedAt)
	for _, i := range r.Iterations {
		iterations[i.Number] = i
		note(ofIteration(i), running, i.StartedAt)
	}
	for _, g := range r.Gates {
		if ledger.GateStatus(g.Status) != ledger.GateNotRun {
			note(ofGate(g), running, iterations[g.Iteration].StartedAt)
		}
	}
	for _, s := range r.Slots {
		if ledger.SlotStatus(s.Status) != ledger.SlotSkipped {
			note(ofSlot(s), running, iterations[s.Iteration].StartedAt)
		}
	}
	for _, s := range r.Slots {
		if s.FinishedAt == nil {
			continue
		}
		note(ofSlot(s), s.Status, *s.FinishedAt)
		at := gateAt(s.Iteration, s.Job)
		if end := gateEnds[at]; end == nil || *end < *s.FinishedAt {
			gateEnds[at] = s.FinishedAt
		}
	}
	for _, g := range r.Gates {
		if g.Status != running {
			i := iterations[g.Iteration]
			note(ofGate(g), g.Status, *cmp.Or(gateEnds[gateAt(g.Iteration, g.Job)], i.FinishedAt, &i.StartedAt))
		}
	}
	var lastEnd *Time
	for _, i := range r.Iterations {
		if i.FinishedAt == nil {
			continue
		}
		note(ofIteration(i), i.Status, *i.FinishedAt)
		if lastEnd == nil || *lastEnd < *i.FinishedAt {
			lastEnd = i.FinishedAt
		}
	}
	if r.Head.Status != running {
		note(Transition{Subject: "run"}, r.Head.Status, *cmp.Or(runEnd, lastEnd, &r.Head.StartedAt))
	}
}

func ofIteration(i Iteration) Transition {
	return Transition{Subject: "iteration", Iteration: &i.Number}
}

func ofGate(g Gate) Transition {
	return Transition{Subject: "gate", Iteration: &g.Iteration, Job: &g.Job}
}

func ofSlot(s Slot) Transition {
	return Transition{Subject: "slot", Iteration: &s.Iteration, Job: &s.Job, Slot: &s.Slot}
}

// asFormat leaves of a record what that format of a dump has. In the old one, what was
// killed ended when that was noticed.
func asFormat(r *Run, format int) {
	r.Iterations, r.Slots = slices.Clone(r.Iterations), slices.Clone(r.Slots)
	r.Gates, r.Reports = slices.Clone(r.Gates), slices.Clone(r.Reports) // events have their numbers from the order
	r.Violations = slices.Clone(r.Violations)
	if format < formFormat {
		r.Calls, r.Notes, r.ClaimWords, r.GoneWords, r.Reporters, r.Places = nil, nil, nil, nil, nil, nil
	}
	if format < skipFormat {
		r.Remembered, r.Met = nil, nil
	}
	if format == OldFormat {
		for i := range r.Iterations {
			r.Iterations[i].FinishedAt = cmp.Or(r.Iterations[i].FinishedAt, r.Iterations[i].NoticedAt)
		}
		for i := range r.Slots {
			r.Slots[i].FinishedAt = cmp.Or(r.Slots[i].FinishedAt, r.Slots[i].NoticedAt)
		}
		r.Transitions, r.Excerpts, r.Hunks = nil, nil, nil
	}
	forget(reflect.ValueOf(&r.Head).Elem(), format)
	withoutNews(r.Iterations, format)
	withoutNews(r.Gates, format)
	withoutNews(r.Slots, format)
	withoutNews(r.Reports, format)
	withoutNews(r.Violations, format)
}

func withoutNews[R any](list []R, format int) {
	for i := range list {
		forget(reflect.ValueOf(&list[i]).Elem(), format)
	}
}

// forget empties the fields that the format does not have.
func forget(row reflect.Value, format int) {
	for i, field := range fieldsOf(row.Type()) {
		if field.since > format {
			row.Field(i).SetZero()
		}
	}
}
