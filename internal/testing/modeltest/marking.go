package modeltest

// This file records marks of agents and humans.

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// mark sets a mark of an agent or a human on a violation. ok is false if the mark is not allowed.
func (r *Recorder) mark(w *World, i int, status ledger.Status, actor ledger.Actor) (ok bool) {
	row := w.violation(i)
	mark := ledger.Mark{Status: status, Actor: actor, Result: "words"}
	if mark.Refuse(ledger.ListedViolation{Violation: row, RunOpen: true, Run: "R"}) != "" {
		return false
	}
	if w.repeats(i, mark) {
		byAgent := status == ledger.StatusSkipped && actor == ledger.ActorAgent
		changed := w.violations[i].byAgent != byAgent
		w.violations[i].byAgent = byAgent
		return changed
	}
	for n, v := range w.violations {
		disputed := ledger.Disputed{ReportedBy: row.ReportedBy, Answered: v.answered}
		if v.slot > 0 && w.problem(n) == i && status == ledger.StatusDisputed && disputed.Refuse(row.ShortID) != "" {
			return false
		}
	}
	state := w.rows()
	edit := ledger.Edit{Violation: row.ID, Status: status, Result: "words"}
	if ledger.ApplyEdits(state, actor, []ledger.Edit{edit}) != 1 {
		return false
	}
	for n, v := range state.Violations {
		if v.Status != w.violations[n].status {
			r.set(w, n, v.Status, actor, "mark")
			if was := w.violations[n].dup; was > 0 {
				w.violations[n].dup, w.violations[n].same, w.violations[n].takenOut = 0, false, true
				w.fall(int(was) - 1)
			}
		}
	}
	if r.broken == marksTwins {
		for n := range w.violations {
			if v := &w.violations[n]; n != i && v.slot > 0 && v.status.Open() && v.status != status && v.place == w.violations[i].place {
				r.set(w, n, status, actor, "mark")
			}
		}
	}
	return true
}

// takeUp makes the filtered report a violation, if there is room for one and its slot has a file
// for it.
func (r *Recorder) takeUp(w *World) (i int, ok bool) {
	left := w.left
	slot := &w.slots[left.slot-1]
	i = slices.IndexFunc(w.violations[:], func(v modelViolation) bool { return v.slot == 0 })
	report := ledger.Report{Disposition: ledger.BelowThreshold, Place: Places[left.place], Issue: modelWords[left.words]}
	refused := ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorAgent}.RefuseTakeUp(report, ledger.Run{Kind: ledger.KindGates})
	if i < 0 || refused != "" || !slot.status.Answered() && slot.status != ledger.SlotSkipped {
		return i, false
	}
	w.violations[i] = modelViolation{
		slot: left.slot, place: left.place, words: left.words, high: left.high, reported: left.high, reporters: 1 << (left.slot - 1), taken: slot.iteration, ended: left.ended, first: left.iteration,
	}
	status := ledger.StatusNew
	if r.broken == takesUpSettled {
		status = ledger.StatusSkipped
	}
	r.set(w, i, status, ledger.ActorAgent, ledger.ReasonTakenUp)
	w.relate(map[int]bool{i: true})
	w.left = modelLeft{}
	return i, true
}

// marked returns what a mark of the violation applies to: its original, unless the mark undoes the
// join.
func (w *World) marked(i int, status ledger.Status) int {
	if status == ledger.StatusNew {
		return i
	}
	return w.problem(i)
}

// join joins a violation to another one, as a person may. ok is false if they cannot be joined.
func (r *Recorder) join(w *World, i, of int) (ok bool) {
	v, other := w.violation(i), w.violation(of)
	if (ledger.Mark{Status: ledger.StatusDuplicate, Actor: ledger.ActorHuman}).RefuseJoin(v, other) != "" {
		return false
	}
	state := w.rows()
	edit := ledger.Edit{Violation: v.ID, Status: ledger.StatusDuplicate, Result: other.ShortID}
	if ledger.ApplyEdits(state, ledger.ActorHuman, []ledger.Edit{edit}) != 1 {
		return false
	}
	for n, v := range state.Violations {
		if v.DuplicateOf != w.violation(n).DuplicateOf {
			r.set(w, n, v.Status, ledger.ActorHuman, "mark")
			w.violations[n].dup, w.violations[n].same, w.violations[n].confirmed = uint8(of+1), w.violations[n].same && n != i, 0
			w.violations[n].takenOut = false
			if n != i { // it was a duplicate of what is joined now, and goes with it
				w.fall(i)
			}
		}
	}
	w.raise()
	w.pair(i, of)
	return true
}

// markGroup marks the block of a violation: all of it that the mark is meant for, or nothing.
func (r *Recorder) markGroup(w *World, named, which int) (ok bool) {
	mark := ledger.Mark{Status: GroupMarks[which].Status, Actor: GroupMarks[which].Actor, Result: "words"}
	request := ledger.MarkRequest{IDs: []string{modelNames[named]}, Group: true, Mark: mark}
	if request.ResolveNames(w.rowsWithBlocks()) != nil {
		return false
	}
	for _, id := range request.IDs {
		i := w.marked(Number(id), mark.Status)
		repeats := w.repeats(i, mark)
		if done := r.mark(w, i, mark.Status, mark.Actor); !done && !repeats {
			return false
		} else if done {
			ok = true
		}
	}
	return ok
}

// repeats reports whether the violation has the mark already.
func (w *World) repeats(i int, mark ledger.Mark) bool {
	return mark.Repeats(ledger.ListedViolation{Violation: ledger.Violation{Status: w.violations[i].status, Result: mark.Result}})
}
