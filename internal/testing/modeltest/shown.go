package modeltest

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Shown is what the program shows of a run, so that a state can be compared with it.
type Shown struct {
	Passed        bool
	Iteration     int
	Check, Review ShownGate // the latest execution of each
	Slots         [2]ShownSlot
	Violations    []ShownViolation // in the order in which they were reported
}

// ShownGate is the latest execution of a gate, or zero if there is none.
type ShownGate struct {
	Status    ledger.GateStatus
	Iteration int
}

// ShownSlot is the latest row of a slot. If it was skipped, Passed is the iteration in which it
// passed.
type ShownSlot struct {
	Status    ledger.SlotStatus
	Iteration int
	Passed    int
}

// ShownViolation is a violation with its latest text, and the slots that reported it.
type ShownViolation struct {
	Status   ledger.Status
	File     string
	Line     int
	Issue    string
	Priority ledger.Priority
	Slots    []int // the first is its own
}

// Shown returns what the program must show in this state.
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

// MainVersion is the version that main makes of a place.
const MainVersion = modelMain

// Version returns the version of the code at one of [Places]; 0 is that of the first base.
func (w *World) Version(place int) int { return int(w.tree[place]) }

// Running returns the slots, from 0, that are being asked now, and whether the check is running.
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

// Put returns the violations, by number, that are put to a slot as claims.
func (w *World) Put(slot int) (violations []int) {
	for i, v := range w.violations {
		if v.slot > 0 && v.put&(1<<slot) != 0 {
			violations = append(violations, i)
		}
	}
	return violations
}

// PutDisputes returns the violations, by number, that are put to a slot as disputes.
func (w *World) PutDisputes(slot int) (violations []int) {
	for i, v := range w.violations {
		if v.slot > 0 && v.disputes&(1<<slot) != 0 {
			violations = append(violations, i)
		}
	}
	return violations
}

// Number returns the number of the violation that has this name in answers, or -1.
func Number(name string) int { return slices.Index(modelNames[:], name) }

// Closed reports whether the run has passed.
func (w *World) Closed() bool { return w.phase == modelClosed }

// LeavesOut reports whether there is a filtered report that nobody has taken up.
func (w *World) LeavesOut() bool { return w.left.slot > 0 }

// Done reports whether nothing is left to do: the code has passed as it is, or nothing differs from
// the base.
func (w *World) Done() bool {
	return w.phase == modelClosed && w.whole || w.passedAlready() || w.last == 0 && w.tree == w.main
}

// Rests reports whether the run rests on one that passed before.
func (w *World) Rests() bool { return w.rests }

// Joined reports whether a violation of the run is joined to another one.
func (w *World) Joined() bool {
	return slices.ContainsFunc(w.violations[:], func(v modelViolation) bool { return v.dup > 0 })
}

// PutAt reports whether a claim or a dispute at a place is put to the slot.
func (w *World) PutAt(slot, place int) bool {
	return slices.ContainsFunc(w.violations[:], func(v modelViolation) bool {
		return (v.put|v.disputes)&(1<<slot) != 0 && int(v.wasPlace) == place
	})
}

// SawLast reports whether the slot was shown the code at a place as it is now when it answered last.
func (w *World) SawLast(slot, place int) bool {
	return w.slots[slot].answered > 0 && w.slots[slot].saw[place] == w.tree[place]
}

// ShownTo reports for each place whether it is in the diff that a slot is shown in this iteration.
func (w *World) ShownTo(slot int) [2]bool { return w.slots[slot].shown }

// Branch returns the name of the branch that is checked out.
func (w *World) Branch() string { return modelBranchNames[w.head.branch] }

// InRepository reports whether the move, which lets another run follow, is possible in a real
// repository.
func InRepository(m Move) bool {
	return modelOption(m.A) == afterPassChanges || modelOption(m.A) == afterPassConfig
}

// ConfiguresAnew reports whether the gate is configured differently from then on, and renames whether it
// has another name.
func ConfiguresAnew(m Move) (anew, renames bool) {
	switch m.Kind {
	case MoveNext:
		return modelOption(m.A) == afterPassConfig, false
	case MoveConfigure:
		return true, m.A == gateRenamed
	}
	return false, false
}
