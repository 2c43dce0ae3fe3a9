package modeltest

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Recorder changes a state as the store and the loop do, by the rules of package ledger.
type Recorder struct {
	// Iterations is how many iterations a run may have, at most 6, and Retries is max_retries.
	Iterations uint8
	Retries    int
	broken     modelBreak
	events     []modelEvent
	Wrong      string // the invariant that broke, and how
}

type modelEvent struct {
	violation int
	from, to  ledger.Status
	actor     ledger.Actor
	cause     string
}

func (r *Recorder) fail(invariant int, format string, args ...any) {
	if r.Wrong == "" {
		r.Wrong = fmt.Sprintf("invariant %d: ", invariant) + fmt.Sprintf(format, args...)
	}
}

func (r *Recorder) set(w *World, i int, status ledger.Status, actor ledger.Actor, cause string) {
	v := &w.violations[i]
	before := v.status
	r.events = append(r.events, modelEvent{i, v.status, status, actor, cause})
	v.status, v.byAgent = status, status == ledger.StatusSkipped && actor == ledger.ActorAgent
	for n := range w.violations {
		if (status.Open() || status == ledger.StatusFixed && before == ledger.StatusDisputed) && w.problem(n) == i {
			w.violations[n].confirmed = 0
		}
	}
	v.answered = v.answered || before == ledger.StatusDisputed && actor == ledger.ActorReviewer
}

// judge sets the status of the review gate.
func (r *Recorder) judge(w *World) {
	w.phase = modelJudged
	if w.review.iteration == w.last && w.review.status == ledger.GateRunning {
		gate, _ := w.reviewRow(int(w.last))
		w.review.status = ledger.GateResult(gate.Slots)
	}
}

// finish ends the iteration.
func (r *Recorder) finish(w *World) {
	failed := w.review.iteration == w.last && (w.slots[0].status == ledger.SlotFail || w.slots[1].status == ledger.SlotFail)
	if w.session == 0 && failed {
		w.session, w.sessionTree, w.sessionBase = w.last, w.snapshot(), w.base
	}
	now := *w
	now.tree = w.snapshot()
	state := now.rows()
	status := ledger.Assess(state).Status
	if status.Passes() {
		if len(now.coverage(state, int(w.last), false).StaleAfter(modelPlanned)) > 0 {
			status = ledger.StatusFailed
		}
		if w.tree != w.snapshot() && r.broken != ignoresEdits {
			status, w.trees[w.last] = ledger.StatusFailed, modelUnknown
		}
	}
	status = ledger.AfterIteration(state, status, r.Retries)
	w.phase, w.ended, w.left.ended = modelIdle, true, w.left.slot > 0
	for i := range w.violations {
		w.violations[i].ended = w.violations[i].slot > 0
	}
	switch {
	case status.Passes():
		w.phase = modelPassing
	case status == ledger.StatusFailed, status == ledger.StatusRetryLimitExceeded:
		w.failed++
	}
}

// next lets another run follow. What slots have seen still counts if that run rests on this one.
func (r *Recorder) next(w *World, option modelOption) {
	doubted := w.dropped
	for i := range w.violations {
		doubted = doubted || w.violations[i].status == ledger.StatusWithdrawn || w.violations[i].byAgent
	}
	*w = World{
		tree: w.tree, main: w.main, head: w.head, passedOn: w.heads[1].branch, runs: w.runs + 1, passed: w.tree, passedBase: w.base, option: option, doubted: doubted, seen: w.seen, whole: w.whole, lost: w.rebuilt > 0,
	}
}

// passedAlready reports whether the next run would be on exactly the code that has passed.
func (w *World) passedAlready() bool {
	if w.last > 0 || w.runs == 0 || !w.whole || w.tree != w.passed || w.option == afterPassConfig || w.option == afterPassEverything {
		return false
	}
	facts := ledger.PassFacts{Ref: modelBranch, Branch: modelBranch}
	for p, place := range Places {
		if w.passedBase[p] != w.main[p] {
			facts.Theirs = append(facts.Theirs, place.File)
		}
		if w.main[p] != w.tree[p] {
			facts.Own = append(facts.Own, place.File)
		}
	}
	return facts.Counts()
}

// rest decides whether the run that begins rests on the previous one.
func (r *Recorder) rest(w *World, whole bool) {
	pass := &ledger.PrecedingRun{Stands: true, State: &ledger.State{
		Run:        ledger.Run{ID: modelPass, Status: ledger.StatusPassed, Base: w.passedBase.String()},
		Iterations: []ledger.Iteration{{Number: 1, Tree: w.passed.String()}},
		Gates:      []ledger.Gate{{Iteration: 1, Job: modelReview, ConfigHash: "as it was"}},
	}}
	if w.whole {
		pass.Transitions = []ledger.Transition{{Cause: ledger.CausePassedWhole}}
	}
	if w.lost {
		pass.Iterations[0].Mode = ledger.ModeRebuilt
	}
	if w.doubted {
		pass.Dropped = 1
	}
	hash := "as it was"
	if w.option == afterPassConfig && r.broken != restsOnAnother {
		hash = "anew"
	}
	facts := ledger.RestFacts{Whole: whole, Branch: modelBranchNames[w.head.branch], Base: w.base.String(), Preceding: pass, TreeGone: w.option == afterPassGone}
	if w.head.branch != w.passedOn {
		facts.Preceding = nil
	}
	w.rests = w.option != afterPassEverything && facts.RefuseGate(modelReview, hash) == ledger.RestGranted
	if !w.rests || w.option == afterPassConfig {
		w.seen = [2]uint8{}
	}
	w.rests = w.rests || r.broken == restsBlindly
	w.option, w.whole = afterPassChanges, false
}

// close closes the run as passed.
func (r *Recorder) close(w *World) {
	w.phase, w.whole = modelClosed, ledger.PassedWhole(w.rows(), w.touched(), modelConfig) || r.broken == passesReconfigured
	r.checkPassed(w)
}

// kill kills the process; the next one notices.
func (r *Recorder) kill(w *World) {
	if w.phase != modelPassing {
		interrupted := func(g *modelGate) {
			if g.iteration == w.last && g.status == ledger.GateRunning {
				g.status = ledger.GateInterrupted
			}
		}
		interrupted(&w.check)
		interrupted(&w.review)
		for i := range w.slots {
			if w.slots[i].status == ledger.SlotRunning {
				w.slots[i].status = ledger.SlotInterrupted
			}
		}
	}
	w.phase = modelIdle
	if r.broken != losesReports {
		return
	}
	for i := range w.violations {
		if w.violations[i].born {
			w.violations[i] = modelViolation{}
		}
	}
}

// restore deletes the ledger and restores the run from its files. They do not say what was
// reviewed, and do not prove a confirmation.
func (r *Recorder) restore(w *World) {
	before := *w
	if w.bases[1] != w.base { // it is unknown what the iterations were shown
		w.session, w.sessionTree, w.sessionBase = 0, modelTree{}, modelTree{}
	}
	for n := uint8(1); n <= w.last; n++ {
		w.trees[n], w.bases[n] = modelUnknown, w.base
	}
	if r.broken == restoresPass {
		w.check.status, w.trees[w.last] = ledger.GatePassed, w.tree
	}
	w.left = modelLeft{} // it is in no file
	for i := range w.violations {
		switch v := &w.violations[i]; {
		case v.slot == 0:
		case v.taken > 0 && r.broken == restoresLeft:
			*v = modelViolation{}
		case v.status == ledger.StatusDuplicate:
			r.set(w, i, ledger.StatusNew, ledger.ActorSystem, "restored")
			w.violations[v.dup-1].raised = false // its file shows its own priority
			v.dup, v.same = 0, false
		case v.status == ledger.StatusVerified && r.broken != restoresVerified:
			r.set(w, i, ledger.StatusFixed, ledger.ActorSystem, "restored")
		case v.status == ledger.StatusFixed && r.broken == restoresVerified:
			r.set(w, i, ledger.StatusVerified, ledger.ActorSystem, "restored")
		case v.status == ledger.StatusReopened:
			r.set(w, i, ledger.StatusNew, ledger.ActorSystem, "restored")
		case v.status == ledger.StatusWithdrawn:
			r.set(w, i, ledger.StatusDisputed, ledger.ActorSystem, "restored")
		}
		w.violations[i].answered, w.violations[i].unanswered, w.violations[i].near = false, false, 0 // they are in no file
		w.violations[i].ended, w.violations[i].unplaced, w.violations[i].takenOut = w.violations[i].slot > 0, w.violations[i].slot > 0, false
	}
	if w.rests { // what it rested on is gone too
		w.rests, w.gone, w.seen, w.runs = false, false, [2]uint8{}, modelRuns
		w.session, w.sessionTree, w.sessionBase = 0, modelTree{}, modelTree{}
	}
	if w.review.status == ledger.GateNotRun {
		w.review = modelGate{}
	}
	w.inRange = [2]bool{true, true}     // nobody knows what was shown
	w.dropped, w.rebuilt = true, w.last // nothing rests on a restored run
	for i := range w.slots {
		slot := &w.slots[i]
		slot.reviewed, slot.saw = modelUnknown, modelUnknown
		listed := slices.ContainsFunc(w.violations[:], func(v modelViolation) bool {
			return v.slot > 0 && (int(v.slot) == i+1 || v.more&(1<<i) != 0)
		})
		if slot.status.Unanswered() || slot.status == ledger.SlotFail && !listed {
			slot.status = ledger.SlotError
		}
		taken := slices.ContainsFunc(w.violations[:], func(v modelViolation) bool { return int(v.slot) == i+1 && v.taken > 0 })
		if taken && slot.status != ledger.SlotFail { // the slot's file lists something
			slot.status, slot.since, slot.answered = ledger.SlotFail, 0, slot.iteration
		}
	}
	if w.review.iteration > 0 {
		gate, _ := w.reviewRow(int(w.review.iteration))
		if w.review.status = ledger.GateResult(gate.Slots); before.review.status == ledger.GateInterrupted {
			w.review.status = ledger.GateInterrupted
		}
	}
	r.checkRestored(&before, w)
}
