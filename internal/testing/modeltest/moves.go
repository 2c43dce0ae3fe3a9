package modeltest

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Move is a step from one state to the next. Its kind says what A and B mean.
type Move struct {
	Kind MoveKind
	A, B uint8
}

// MoveKind is what happens in a step.
type MoveKind uint8

// The kinds of moves.
const (
	MoveStart     MoveKind = iota // A: 1 if everything is to be reviewed
	MoveCheck                     // A: whether it fails
	MoveAnswer                    // A: the slot, B: the answer
	MoveDown                      // A: the slot
	MoveJudge                     // the gates are done
	MoveFinish                    // the iteration ends
	MoveClose                     // the run is closed
	MoveKill                      // the process is killed
	MoveMark                      // A: the violation, B: which of [Marks]
	MoveChange                    // A: the place, B: the version
	MoveRestore                   // the ledger is deleted, and restored from the files
	MoveJoin                      // A: the violation, B: its original
	MoveGroup                     // A: the violation whose block is marked, B: which of [GroupMarks]
	MoveTakeUp                    // the latest filtered report becomes a violation
	MoveNext                      // another run will follow; A: which of the options
	MoveEmpty                     // the log directory is deleted
	MoveBase                      // main changes a place, A, and the branch is rebased; B: 1 if its own change there is dropped
	MoveSwitch                    // another branch is checked out, A
	MoveConfigure                 // A: 0 if the review gate is renamed while a run is open, 1 if its configuration is edited
	MoveGone                      // git loses the tree that passed
)

// SetMark is a mark, and who sets it.
type SetMark struct {
	Status ledger.Status
	Actor  ledger.Actor
}

// Marks are the marks that may be set on a violation.
var Marks = []SetMark{{ledger.StatusFixed, ledger.ActorAgent}, {ledger.StatusSkipped, ledger.ActorHuman}, {ledger.StatusNew, ledger.ActorAgent}, {ledger.StatusDisputed, ledger.ActorAgent}}

// GroupMarks are the marks that may be set on a block. A skip by an agent is among them because it may
// not leave out what others said in other words.
var GroupMarks = append(slices.Clone(Marks), SetMark{ledger.StatusSkipped, ledger.ActorAgent})

// unusual reports whether the move does not belong to a loop in which all goes well: an agent that
// repairs, and slots that find A, B or nothing.
func (m Move) unusual(w *World) bool {
	switch m.Kind {
	case MoveJudge, MoveFinish, MoveClose, MoveJoin, MoveTakeUp:
		return false
	case MoveStart:
		return m.A != 0
	case MoveCheck:
		return m.A != 0
	case MoveAnswer:
		return m.B > 2
	case MoveMark:
		return Marks[m.B].Status != ledger.StatusFixed
	case MoveGroup:
		return GroupMarks[m.B].Status != ledger.StatusFixed
	case MoveChange:
		return m.B != 2 && w.last > 0
	}
	return true
}

// Moves returns all moves that are possible in the state.
func (w *World) Moves() (list []Move) {
	add := func(kind MoveKind, a, b int) { list = append(list, Move{kind, uint8(a), uint8(b)}) }
	switch w.phase {
	case modelClosed:
		if w.runs < modelRuns {
			for option := range int(afterPassConfig) + 1 {
				add(MoveNext, option, 0)
			}
		}
		return list
	case modelPassing:
		add(MoveClose, 0, 0)
	case modelJudged:
		add(MoveFinish, 0, 0)
	case modelIdle:
		add(MoveStart, 0, 0)
		if w.last+w.runs > 0 {
			add(MoveStart, 1, 0)
		}
		if w.rests && !w.gone {
			add(MoveGone, 0, 0)
		}
		if w.last > 0 && !w.emptied {
			if !w.Configured() { // the files do not say what the gate was
				add(MoveRestore, 0, 0)
			}
			add(MoveEmpty, 0, 0)
		}
		if w.last > 0 && w.rebuilt == 0 && !w.Configured() {
			add(MoveConfigure, gateRenamed, 0)
			add(MoveConfigure, gateEdited, 0)
		}
		w.switches(add)
	case modelRunning:
		w.running(add)
	}
	if w.phase != modelIdle {
		add(MoveKill, 0, 0)
	}
	w.edits(add)
	return list
}

// edits adds what agents and humans can do to the code and to violations.
func (w *World) edits(add func(kind MoveKind, a, b int)) {
	idle, running := w.phase == modelIdle && w.last+w.runs > 0, w.phase == modelRunning
	for p, version := range w.tree {
		if idle || running && p == 0 && w.tree == w.snapshot() {
			add(MoveChange, p, nextVersion(version))
			if p == 0 && version != w.main[p] { // the change is undone
				add(MoveChange, p, int(w.main[p]))
			}
			if p == 0 && version != 0 && w.main[p] == modelMain { // what main did is undone
				add(MoveChange, p, 0)
			}
		}
	}
	if idle && w.left.slot > 0 {
		add(MoveTakeUp, 0, 0)
	}
	for p, version := range w.tree {
		if idle && w.main[p] == 0 && w.head.branch == onFeature && w.heads[w.last].branch == onFeature {
			add(MoveBase, p, 0)
			if version != 0 {
				add(MoveBase, p, 1)
			}
		}
	}
	for i, v := range w.violations {
		for n := range GroupMarks {
			if idle && v.near != 0 {
				add(MoveGroup, i, n)
			}
		}
		for of, other := range w.violations {
			if idle && v.slot > 0 && other.slot > 0 && i != of {
				add(MoveJoin, i, of)
			}
		}
		for n, mark := range Marks {
			if v.slot > 0 && (idle || running && (v.wasClaim || v.wasDisputed) && mark.Status != ledger.StatusFixed) {
				add(MoveMark, i, n)
			}
		}
	}
}

// nextVersion returns the version that the author makes of another one.
func nextVersion(version uint8) int {
	if version < 2 {
		return 2
	}
	return 1
}

// running adds the moves of what is running: the check first, then the slots in any order.
func (w *World) running(add func(kind MoveKind, a, b int)) {
	if w.check.status == ledger.GateRunning {
		add(MoveCheck, 0, 0)
		add(MoveCheck, 1, 0)
		return
	}
	done := true
	for s := range w.slots {
		if slot := &w.slots[s]; slot.iteration == w.last && slot.status == ledger.SlotRunning {
			done = false
			add(MoveDown, s, 0)
			for n := range w.Answers(s) {
				add(MoveAnswer, s, n)
			}
		}
	}
	if done {
		add(MoveJudge, 0, 0)
	}
}

// Apply makes the move. ok is false if the move has no effect, or leads to a state that the model
// cannot hold.
func (r *Recorder) Apply(w *World, m Move) (ok bool) {
	before := *w
	switch m.Kind {
	case MoveStart:
		if ok = r.start(w, m.A == 1); !ok || w.last > r.Iterations {
			*w = before
			return false
		}
	case MoveCheck:
		w.check.status = []ledger.GateStatus{ledger.GatePassed, ledger.GateFailed}[m.A]
	case MoveAnswer:
		answer := w.Answers(int(m.A))[m.B].Answer
		if w.violations[modelViolations-2].slot > 0 && len(answer.Entries) > 0 && (w.violations[modelViolations-1].slot > 0 || len(answer.Entries) > 1) {
			return false // there is no room for another violation
		}
		r.answer(w, int(m.A), answer)
		r.checkAnswer(&before, w, int(m.A), answer)
	case MoveDown:
		r.down(w, int(m.A))
	case MoveJudge:
		r.judge(w)
	case MoveFinish:
		r.finish(w)
	case MoveClose:
		r.close(w)
	case MoveKill:
		r.kill(w)
	case MoveMark, MoveGroup, MoveJoin, MoveTakeUp:
		if !r.applyMark(w, m) {
			return false
		}
	case MoveRestore:
		r.restore(w)
	case MoveNext:
		r.next(w, modelOption(m.A))
		w.tidy()
		return true
	default:
		w.applyOutside(m)
	}
	r.checkChanges(&before, w)
	w.tidy()
	return *w != before
}

// applyMark makes a move that `mark` makes. ok is false if it is refused.
func (r *Recorder) applyMark(w *World, m Move) (ok bool) {
	if w.refused() {
		return false
	}
	before := *w
	switch m.Kind {
	case MoveMark:
		mark := Marks[m.B]
		i := w.marked(int(m.A), mark.Status)
		if ok = r.mark(w, i, mark.Status, mark.Actor); ok {
			r.checkMark(&before, w, i)
		}
	case MoveGroup:
		if ok = r.markGroup(w, int(m.A), int(m.B)); ok {
			r.checkGroup(&before, w, int(m.A), GroupMarks[m.B].Status, GroupMarks[m.B].Actor)
		}
	case MoveJoin:
		i, of := w.problem(int(m.A)), w.problem(int(m.B))
		if ok = r.join(w, i, of); ok {
			r.checkMark(&before, w, i)
		}
	case MoveTakeUp:
		i, done := r.takeUp(w)
		if ok = done; ok {
			r.checkTakenUp(&before, w, i)
		}
	}
	return ok
}

// applyOutside makes a move outside of the program: of the code, the branches, the configuration or the
// logs.
func (w *World) applyOutside(m Move) {
	switch m.Kind {
	case MoveChange:
		w.tree[m.A] = m.B
	case MoveEmpty:
		w.emptied = true
	case MoveBase:
		if w.main[m.A] = modelMain; w.tree[m.A] == 0 || m.B == 1 {
			w.tree[m.A] = modelMain
		}
		w.head.rebased++
	case MoveSwitch:
		w.head.branch = modelBranches(m.A)
	case MoveConfigure:
		w.configure(m.A)
	case MoveGone:
		w.gone = true
	}
}

// Say returns the description of the move in the state.
func (w *World) Say(m Move) string {
	switch m.Kind {
	case MoveStart:
		return []string{"reviewledger run", "reviewledger run --whole --again"}[m.A]
	case MoveNext:
		return []string{"another run is to come", "another run is to come, without after_pass", "another run is to come, and git loses the tree that passed", "another run is to come, and the gate is configured anew"}[m.A]
	case MoveCheck:
		return []string{"the check passes", "the check fails"}[m.A]
	case MoveAnswer:
		return fmt.Sprintf("slot %d: %s", m.A+1, w.Answers(int(m.A))[m.B].Name)
	case MoveDown:
		return fmt.Sprintf("slot %d gives no answer", m.A+1)
	case MoveMark:
		return fmt.Sprintf("the %s marks %s as %s", Marks[m.B].Actor, modelNames[m.A], Marks[m.B].Status)
	case MoveGroup:
		return fmt.Sprintf("the %s marks the block of %s as %s", GroupMarks[m.B].Actor, modelNames[m.A], GroupMarks[m.B].Status)
	case MoveJoin:
		return fmt.Sprintf("%s is joined to %s", modelNames[m.A], modelNames[m.B])
	case MoveBase:
		return fmt.Sprintf("main changes %s, and the branch is rebased%s", Places[m.A].File, []string{"", " without its own change there"}[m.B])
	case MoveChange:
		return fmt.Sprintf("%s becomes version %d", Places[m.A].File, m.B)
	case MoveSwitch:
		return fmt.Sprintf("the branch %s is checked out", modelBranchNames[m.A])
	case MoveConfigure:
		return []string{"the gate is renamed", "the gate's configuration is edited"}[m.A]
	}
	return map[MoveKind]string{
		MoveJudge: "the gates are done", MoveFinish: "the iteration ends", MoveClose: "the run is closed",
		MoveTakeUp: "the agent takes up what was left out", MoveKill: "the process is killed", MoveRestore: "the ledger is deleted and read back from the files",
		MoveEmpty: "the logs are deleted", MoveGone: "git loses the tree that passed",
	}[m.Kind]
}
