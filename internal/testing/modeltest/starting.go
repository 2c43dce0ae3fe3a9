package modeltest

// This file begins iterations, or passes a run in which there is nothing to do.

import (
	"github.com/reviewledger/reviewledger/ledger"
)

// start begins an iteration, or passes the run if there is nothing to do. ok is false if nothing
// changes.
func (r *Recorder) start(w *World, whole bool) (ok bool) {
	if w.passedAlready() && !whole {
		r.checkPassedAlready(w)
		return false
	}
	if w.last == 0 {
		if w.base = w.main; w.tree == w.base {
			return false // nothing has changed
		}
	}
	if w.last == 0 && w.runs > 0 {
		r.rest(w, whole)
	}
	state := w.rows()
	if w.refused() && r.broken != followsBranches {
		return false // the program refuses
	}
	if r.followBase(w, state) {
		state = w.rows()
	}
	if w.renamed > 0 {
		r.handOn(w, state)
		state = w.rows()
	}
	if !w.owner(state).GoesOn() && w.last > 0 { // the program begins a run, and abandons this one
		*w = World{tree: w.tree, main: w.main, head: w.head}
		return true
	}
	number := int(w.last) + 1
	if number > modelIterations {
		return false
	}
	coverage := w.coverage(state, number, whole || w.emptied)
	applying := w.applying(state)
	nothing := w.unchanged() && len(coverage.Owed(applying, modelPlanned)) == 0
	if number > 1 && (nothing && !whole || ledger.RetryLimitReached(state, r.Retries)) {
		if len(state.Gates) > 0 && ledger.Assess(state).Status.Passes() && len(coverage.Stale(modelPlanned)) == 0 {
			r.close(w)
			return true
		}
		return false
	}
	r.execute(w, state, coverage, applying, whole || w.emptied)
	return true
}

// execute begins an iteration with the jobs that apply.
func (r *Recorder) execute(w *World, state *ledger.State, coverage *ledger.Coverage, applying []ledger.Planned, whole bool) {
	_, covered := coverage.Covered(modelPlanned[1])
	asked := !covered && len(applying) == len(modelPlanned)
	plans := ledger.PlanSlots(state, modelReview, modelFillers)
	if whole {
		plans = []ledger.SlotPlan{{Index: 1}, {Index: 2}}
	}
	shown := [2]ledger.Shown{coverage.Shown(modelPlanned[1], 1), coverage.Shown(modelPlanned[1], 2)}
	r.checkBranch(w)
	w.last++
	w.phase, w.trees[w.last], w.bases[w.last], w.heads[w.last] = modelRunning, w.tree, w.base, w.head
	w.check = modelGate{ledger.GateRunning, w.last}
	for p := range 2 {
		w.inRange[p] = w.inRange[p] || w.tree[p] != w.base[p]
	}
	switch {
	case asked:
		r.startReview(w, plans, shown)
	case !covered: // it does not apply
	case w.review.iteration == 0 || w.review.status == ledger.GateNotRun:
		w.review = modelGate{ledger.GateNotRun, w.last}
	}
	absent := ledger.Absent(state.Violations, modelPlanned)
	for i := range w.violations {
		r.put(w, i, asked, absent)
	}
	if w.emptied {
		w.emptied = false
		if len(applying) == len(modelPlanned) {
			r.checkAnew(w)
		}
	}
}

// followBase moves the base of the run to where the branch has left main. It reports whether it moved.
func (r *Recorder) followBase(w *World, state *ledger.State) (moved bool) {
	facts := ledger.BaseFacts{Now: w.main.String(), Head: "head", Descends: true, Gained: []ledger.BaseCommit{{ID: "theirs", Tree: w.main.String()}}}
	if state.MoveBase(facts) != ledger.BaseForward {
		return false
	}
	w.base = w.main
	return true
}

// owner returns whose the files in the log directory are.
func (w *World) owner(state *ledger.State) ledger.LoopOwner {
	files := ledger.LoopFiles{HasLogs: !w.emptied, Begun: state.Run.ID}
	if files.HasLogs {
		files.Run = &ledger.RunFile{Run: state.Run.ID}
	}
	return ledger.LoopFacts{LoopFiles: files, Named: ledger.RunOpen, Open: state}.Owner()
}

func (r *Recorder) startReview(w *World, plans []ledger.SlotPlan, shown [2]ledger.Shown) {
	w.review = modelGate{ledger.GateRunning, w.last}
	for i, plan := range plans {
		slot := &w.slots[i]
		if r.broken == skipsOutstandingSlots && slot.status == ledger.SlotFail && i == 1 {
			plan = ledger.SlotPlan{Index: 2, Skip: true, PassIteration: 1}
		}
		if slot.answered <= w.renamed { // that was another gate
			slot.answered, slot.saw = 0, modelTree{}
		}
		slot.iteration, slot.since, slot.before = w.last, uint8(plan.PassIteration), slot.answered > 0 && !w.emptied
		if plan.Skip {
			slot.status, slot.reviewed = ledger.SlotSkipped, modelTree{}
			continue
		}
		slot.status, slot.reviewed, slot.shown = ledger.SlotRunning, w.tree, w.shows(shown[i])
		r.checkShown(w, i)
		for p := range 2 { // what was undone since a pass is shown too
			w.inRange[p] = w.inRange[p] || slot.shown[p]
		}
		if r.broken == forgetsTrees && slot.before {
			slot.shown = [2]bool{}
		}
	}
}

// put puts a violation that is a claim or disputed to the slots that are asked.
func (r *Recorder) put(w *World, i int, asked bool, absent map[string][]ledger.Reporter) {
	v := &w.violations[i]
	if v.slot == 0 {
		return
	}
	row := w.violation(i)
	v.wasPlace = v.place
	v.wasClaim, v.wasOpen, v.wasDisputed = row.Claim(), row.Fate().Open(), row.Fate() == ledger.StatusDisputed
	put := row.Claim() && r.broken != asksNobody || r.broken == putsSkips && row.Fate() == ledger.StatusSkipped
	for _, slot := range row.Reporters(modelFillers) {
		if put && asked && !v.former && w.slots[slot-1].status == ledger.SlotRunning {
			v.put |= 1 << (slot - 1)
		}
		if row.PutTo(slot, 2, absent) && !v.former && r.broken != disputesNobody && asked && w.slots[slot-1].status == ledger.SlotRunning {
			v.disputes |= 1 << (slot - 1)
		}
	}
	r.checkPut(w, i)
}
