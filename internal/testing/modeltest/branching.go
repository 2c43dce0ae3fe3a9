package modeltest

import (
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// This file has what is checked out, and how the review gate is configured while a run is open.

// modelBranches is a branch: the one that the run begins on, one that goes on from it, or one from main
// that has nothing of it.
type modelBranches uint8

const (
	onFeature modelBranches = iota
	onCopy
	onOther
)

var modelBranchNames = [...]string{"feature", "copy", "other"}

// modelHead is a commit that is checked out: the latest of a branch. rebased is how often feature was
// rebased before. The author's changes are not committed.
type modelHead struct {
	branch  modelBranches
	rebased uint8
}

func (h modelHead) String() string {
	return fmt.Sprint(modelBranchNames[h.branch], "-", h.rebased)
}

// descends reports whether the other commit is in the history of the commit.
func (h modelHead) descends(other modelHead) bool {
	return h == other || h.branch == onCopy && other.branch == onFeature && h.rebased == other.rebased
}

// goesOn reports whether a loop whose latest iteration was on a commit is about what is checked out.
func (h modelHead) goesOn(from modelHead) bool { return h.branch == from.branch || h.descends(from) }

// Left reports whether another branch is checked out than the one that the open run is about.
func (w *World) Left() bool {
	return w.last > 0 && w.phase != modelClosed && !w.head.goesOn(w.heads[w.last])
}

// refused reports whether the program finds that the loop was left.
func (w *World) refused() bool {
	state := &ledger.State{} // only what is asked here: each mark asks it
	if at := w.heads[w.last]; w.last > 0 {
		state.Iterations = []ledger.Iteration{{Number: int(w.last), Head: at.String(), Branch: modelBranchNames[at.branch]}}
	}
	left, err := state.LeftBranch(modelBranchNames[w.head.branch], w.head.String(), func(commit string) (bool, error) {
		return commit == w.heads[w.last].String() && w.head.descends(w.heads[w.last]), nil
	})
	return left != nil || err != nil
}

// switches adds the moves that check out another branch. Feature is rebased only while it is checked
// out, and the run after the first pass is the only one that may begin elsewhere: the model knows of one
// run before.
func (w *World) switches(add func(kind MoveKind, a, b int)) {
	if w.last == 0 && w.runs != 1 {
		return
	}
	for branch := range modelBranchNames {
		to := modelHead{modelBranches(branch), w.head.rebased}
		// A copy that is made after feature was rebased does not go on from what was reviewed.
		if to != w.head && (to.branch != onCopy || w.last == 0 || w.heads[w.last].rebased == to.rebased) {
			add(MoveSwitch, branch, 0)
		}
	}
}

// Ways to configure the review gate while a run is open.
const (
	gateRenamed = iota
	gateEdited
)

// modelFormer is the gate's name before it was renamed, and modelBefore the hash of its configuration
// before that was edited.
const (
	modelFormer = "review:.:former"
	modelBefore = "configured before"
)

// Configured reports whether the review gate was renamed or edited during the run.
func (w *World) Configured() bool { return w.renamed+w.edited > 0 }

// configure renames the review gate, or edits its configuration. What filtered reports say under the
// former name is not taken up: the model remembers only the latest one.
func (w *World) configure(how uint8) {
	if how == gateEdited {
		w.edited, w.ran = w.last, w.review.iteration
		return
	}
	w.renamed, w.former, w.seen, w.left = w.last, w.review, [2]uint8{}, modelLeft{}
	w.rests, w.gone = false, false // the new gate was never part of a run that passed
	for i := range w.violations {
		w.violations[i].former = w.violations[i].slot > 0
	}
}

// applying returns the jobs of an iteration. A gate that was renamed applies only once something has
// changed, or if it was handed something.
func (w *World) applying(state *ledger.State) []ledger.Planned {
	if w.renamed > 0 && w.review.iteration <= w.renamed && w.tree == w.base && len(state.Heirs()) == 0 {
		return modelPlanned[:1]
	}
	return modelPlanned
}

// touched returns the jobs for everything that the run has changed.
func (w *World) touched() []ledger.Planned {
	if w.tree == w.base {
		return nil
	}
	return modelPlanned
}

// formerRow returns the row of the gate that was renamed.
func (w *World) formerRow() ledger.Gate {
	gate := ledger.Gate{Iteration: int(w.former.iteration), Job: modelFormer, EntryPoint: ".", Kind: ledger.KindReview, Status: w.former.status}
	if gate.Status == ledger.GateNotRun {
		gate.NotRun, gate.RestsOn = ledger.NotRunUnchanged, modelPass
	}
	return gate
}

// stuck reports whether the gate that was renamed did not finish. Nobody executes it any more, so the
// run cannot pass.
func (w *World) stuck() bool {
	switch w.former.status {
	case "", ledger.GatePassed, ledger.GateFailed, ledger.GateNotRun:
		return false
	}
	return true
}

// handOn makes the gate answer for what it left under its former name.
//
// Rule: Flags restrict what runs, never what is outstanding.
func (r *Recorder) handOn(w *World, state *ledger.State) {
	heirs := []ledger.Heir{{Job: modelReview, EntryPoint: ".", Covers: func(string) bool { return true }}}
	to := state.HandOn(func(job string) bool { return job == modelFormer }, func(*ledger.Violation) bool { return false }, heirs)
	for id := range to {
		if r.broken != handsOnNothing {
			w.violations[w.find(id)].former = false
		}
	}
}

// waitsForFormer reports whether a dispute waits for the gate that was renamed.
func (w *World) waitsForFormer(i int) bool {
	for n, v := range w.violations {
		if v.slot > 0 && v.former && w.problem(n) == w.problem(i) {
			return true
		}
	}
	return false
}
