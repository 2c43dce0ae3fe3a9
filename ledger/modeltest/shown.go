package modeltest

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Shown is what a state and the program have in common: what the program shows of a run.
type Shown struct {
	Passed        bool
	Iteration     int
	Check, Review ShownGate // the latest execution of each
	Slots         [2]ShownSlot
	Violations    []ShownViolation // in the order in which they were reported
}

// ShownGate is the latest execution of a gate; zero if there is none.
type ShownGate struct {
	Status    ledger.GateStatus
	Iteration int
}

// ShownSlot is the latest row of a slot, and the iteration in which it passed if it was
// skipped for that.
type ShownSlot struct {
	Status    ledger.SlotStatus
	Iteration int
	Passed    int
}

// ShownViolation is a violation in its latest words, with the slots that reported it.
type ShownViolation struct {
	Status   ledger.Status
	File     string
	Line     int
	Issue    string
	Priority ledger.Priority
	Slots    []int // the first is its own
}

// Shown is what the program has to show in this state.
func (w *World) Shown() Shown {
	shown := Shown{
		Passed: w.phase == modelClosed, Iteration: int(w.last),
		Check:  ShownGate{w.check.status, int(w.check.iteration)},
		Review: ShownGate{w.review.status, int(w.review.iteration)},
	}
	for i, slot := range w.slots {
		shown.Slots[i] = ShownSlot{Status: slot.status, Iteration: int(slot.iteration)}
		if slot.status == ledger.SlotSkipped {
			shown.Slots[i].Passed = int(slot.since)
		}
	}
	for i, v := range w.violations {
		if v.slot == 0 {
			continue
		}
		row := w.violation(i)
		shown.Violations = append(shown.Violations, ShownViolation{
			Status: row.Status, File: row.Place.File, Line: row.Place.Start, Issue: row.Issue, Priority: row.Priority,
			Slots: append([]int{row.Slot}, row.MoreSlots...),
		})
	}
	return shown
}

// Version is that of the code at one of [Places]; 0 is the base's.
func (w *World) Version(place int) int { return int(w.tree[place]) }

// Running are the slots that are asked at the moment, from 0, and whether the check runs.
func (w *World) Running() (slots []int, check bool) {
	if w.phase != modelRunning {
		return nil, false
	}
	for s, slot := range w.slots {
		if slot.iteration == w.last && slot.status == ledger.SlotRunning {
			slots = append(slots, s)
		}
	}
	return slots, w.check.status == ledger.GateRunning
}

// Put are the violations, by number, that are put to a slot as claims.
func (w *World) Put(slot int) (violations []int) {
	for i, v := range w.violations {
		if v.slot > 0 && v.put&(1<<slot) != 0 {
			violations = append(violations, i)
		}
	}
	return violations
}

// PutDisputes are the violations, by number, that are put to a slot as disputes.
func (w *World) PutDisputes(slot int) (violations []int) {
	for i, v := range w.violations {
		if v.slot > 0 && v.disputes&(1<<slot) != 0 {
			violations = append(violations, i)
		}
	}
	return violations
}

// Number is that of the violation with the name that answers use for it, or -1.
func Number(name string) int { return slices.Index(modelNames[:], name) }

// Closed reports whether the run has passed.
func (w *World) Closed() bool { return w.phase == modelClosed }

// LeavesOut reports whether a filter left out a report that nobody has taken up.
func (w *World) LeavesOut() bool { return w.left.slot > 0 }

// Done reports whether nothing is left to do: the code has passed as it is, or nothing differs
// from the base.
func (w *World) Done() bool {
	return w.phase == modelClosed && !w.restored || w.passedAlready() || w.last == 0 && w.tree == modelTree{}
}

// Rests reports whether the run rests on one that passed before.
func (w *World) Rests() bool { return w.rests }

// ShownTo are the places, by number, in the diff that a slot is shown in this iteration.
func (w *World) ShownTo(slot int) [2]bool { return w.slots[slot].shown }

// InRepository reports whether a repository can follow the move, which lets another run come.
func InRepository(m Move) bool {
	return modelOption(m.A) == afterPassChanges || ConfiguresAnew(m)
}

// ConfiguresAnew reports whether the gate of the run that is to come is another than before.
func ConfiguresAnew(m Move) bool { return m.Kind == MoveNext && modelOption(m.A) == afterPassConfig }
