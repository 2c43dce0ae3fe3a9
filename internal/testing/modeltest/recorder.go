package modeltest

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
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
	if r.followBase(w, state) {
		state = w.rows()
	}
	if !w.owner(state).GoesOn() && w.last > 0 { // the program begins a run, and abandons this one
		*w = World{tree: w.tree, main: w.main}
		return true
	}
	number := int(w.last) + 1
	coverage := w.coverage(state, number, whole || w.emptied)
	nothing := w.unchanged() && len(coverage.Owed(modelPlanned, modelPlanned)) == 0
	if number > 1 && (nothing && !whole || ledger.RetryLimitReached(state, r.Retries)) {
		if len(state.Gates) > 0 && ledger.Assess(state).Status.Passes() && len(coverage.Stale(modelPlanned)) == 0 {
			r.close(w)
			return true
		}
		return false
	}
	_, covered := coverage.Covered(modelPlanned[1])
	plans := ledger.PlanSlots(state, modelReview, modelFillers)
	if whole || w.emptied {
		plans = []ledger.SlotPlan{{Index: 1}, {Index: 2}}
	}
	shown := [2]ledger.Shown{coverage.Shown(modelPlanned[1], 1), coverage.Shown(modelPlanned[1], 2)}
	w.last++
	w.phase, w.trees[w.last], w.bases[w.last] = modelRunning, w.tree, w.base
	w.check = modelGate{ledger.GateRunning, w.last}
	for p := range 2 {
		w.inRange[p] = w.inRange[p] || w.tree[p] != w.base[p]
	}
	switch {
	case !covered:
		r.startReview(w, plans, shown)
	case w.review.iteration == 0 || w.review.status == ledger.GateNotRun:
		w.review = modelGate{ledger.GateNotRun, w.last}
	}
	for i := range w.violations {
		r.put(w, i, covered)
	}
	if w.emptied {
		w.emptied = false
		r.checkAnew(w)
	}
	return true
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
func (r *Recorder) put(w *World, i int, covered bool) {
	v := &w.violations[i]
	if v.slot == 0 {
		return
	}
	row := w.violation(i)
	v.wasPlace = v.place
	v.wasClaim, v.wasOpen, v.wasDisputed = row.Claim(), row.Fate().Open(), row.Fate() == ledger.StatusDisputed
	asked := row.Claim() && r.broken != asksNobody || r.broken == putsSkips && row.Fate() == ledger.StatusSkipped
	for _, slot := range row.Reporters(modelFillers) {
		if asked && !covered && w.slots[slot-1].status == ledger.SlotRunning {
			v.put |= 1 << (slot - 1)
		}
		if row.PutTo(slot, 2, nil) && r.broken != disputesNobody && !covered && w.slots[slot-1].status == ledger.SlotRunning {
			v.disputes |= 1 << (slot - 1)
		}
	}
	r.checkPut(w, i)
}

// answer records a slot's answer in one transaction, as the store does.
func (r *Recorder) answer(w *World, s int, a ledger.Answer) {
	known, putTo := r.known(w, s)
	facts := ledger.Facts{}
	for _, entry := range a.Entries {
		facts.Entries = append(facts.Entries, ledger.EntryFacts{InRange: w.inRange[modelPlaceOf(entry.Place)]})
	}
	slot := &w.slots[s]
	rules := ledger.Rules{Slot: s + 1, AnsweredBefore: slot.before, Threshold: ledger.High}
	e := match.Evaluate(a, known, facts, rules)
	for _, report := range e.Reports {
		left := report.Disposition == ledger.OutOfDiff || report.Disposition == ledger.BelowThreshold
		w.dropped = w.dropped || left && report.Priority == ledger.High
	}
	r.breakEvaluation(w, s, a, known, &e)
	listed, fresh := map[int]bool{}, map[int]bool{}
	for _, report := range e.Reports {
		if report.Disposition == ledger.Accepted {
			i := r.record(w, s, report)
			listed[i], fresh[i] = true, report.Match == ""
		} else if report.Disposition.Filtered() {
			w.left = modelLeft{uint8(s + 1), uint8(modelPlaceOf(report.Place)), uint8(modelWordsOf(report.Issue)), report.Priority == ledger.High, false, w.last}
		}
	}
	for _, id := range e.Reopened {
		if i := w.problem(w.find(id)); w.violations[i].status != ledger.StatusReopened {
			r.set(w, i, ledger.StatusReopened, ledger.ActorReviewer, "answer")
		}
	}
	for id, word := range e.Words {
		v := &w.violations[w.find(id)]
		v.said[s], v.answered = modelWordOf(word), v.answered || word == ledger.DisputeStands
		v.unanswered = slices.Contains(v.said[:], modelWordOf(ledger.NoWord))
	}
	said := map[match.Asked]ledger.ClaimVerdict{}
	for _, asked := range putTo {
		for _, a := range asked {
			said[a] = modelVerdicts[w.violations[w.find(a.Violation)].said[a.Slot-1]]
			if r.broken == verifiesByOne {
				said[a] = ledger.ClaimFixed
			}
			if r.broken == withdrawsByOne {
				said[a] = ledger.DisputeWithdrawn
			}
		}
	}
	verified, withdrawn := match.Confirmed(e, known, putTo, said)
	for _, id := range verified {
		r.verify(w, w.problem(w.find(id)))
	}
	for _, id := range withdrawn {
		r.set(w, w.problem(w.find(id)), ledger.StatusWithdrawn, ledger.ActorReviewer, "answer")
	}
	r.connect(w, listed, fresh)
	for i, v := range w.violations {
		carried := v.slot > 0 && v.wasOpen && w.fate(i).Open() && !listed[i] && ledger.ResponsibleSlot(int(v.slot), 2) == s+1 && e.Words[modelIDs[i]] != ledger.DisputeWithdrawn
		if carried && e.Status == ledger.SlotPass {
			e.Status = ledger.SlotFail
		}
	}
	slot.status = e.Status
	if e.Status.Answered() {
		slot.answered, slot.saw = w.last, slot.reviewed
		for p := range 2 {
			if slot.shown[p] {
				w.seen[p] |= seenBit(slot.saw[p], w.base[p])
			}
		}
	}
}

// connect joins what an answer reported first with what another one said in the same words at the same
// place, and notes what is perhaps the same.
func (r *Recorder) connect(w *World, listed, fresh map[int]bool) {
	for i := range listed {
		for of := range listed {
			if i != of {
				w.violations[i].apart |= 1 << of
			}
		}
	}
	related := w.relate(fresh)
	var stated []match.Stated
	for _, i := range w.waiting() {
		row := w.violation(i)
		stated = append(stated, match.Stated{
			ID: row.ShortID, Original: row.DuplicateOf, Status: row.Status, Place: row.Place, Places: []ledger.Place{row.Place}, Words: row.Issue,
			Fresh: listed[i], Answers: w.answers(i), TakenOut: w.violations[i].takenOut, First: int(w.violations[i].first), Priority: row.Priority, Slot: row.Slot,
		})
	}
	joins, reopened := match.Joins(stated, related)
	for _, join := range joins {
		i, of := Number(join.ID), Number(join.Original)
		r.checkJoined(w, i, of)
		r.set(w, i, ledger.StatusDuplicate, ledger.ActorSystem, "same words")
		w.violations[i].dup, w.violations[i].same, w.violations[i].confirmed, w.violations[i].takenOut = uint8(of+1), true, 0, false
		w.raise()
		w.pair(i, of)
	}
	for _, id := range reopened {
		r.set(w, Number(id), ledger.StatusReopened, ledger.ActorReviewer, "same words")
	}
}

// relate notes what is perhaps the same as what is fresh, and returns the pairs.
func (w *World) relate(fresh map[int]bool) (related [][2]string) {
	var near []ledger.Near
	for _, i := range w.waiting() {
		row := w.violation(i)
		near = append(near, ledger.Near{
			ID: row.ShortID, Places: []ledger.Place{row.Place}, Hunks: []string{""}, Issue: row.Issue, New: fresh[i],
			Reporter: modelFillers[row.Slot-1].Adapter, Answers: w.answers(i), Paired: bits.OnesCount8(w.violations[i].near),
		})
	}
	related = ledger.Related(near, func(string) map[string]ledger.NameUse { return nil })
	for _, pair := range related {
		w.pair(Number(pair[0]), Number(pair[1]))
	}
	return related
}

// waiting returns what is open or claimed, and what is joined to something, if it is known where it is.
func (w *World) waiting() (list []int) {
	for i, v := range w.violations {
		if v.slot > 0 && !v.unplaced && (v.status == ledger.StatusDuplicate || v.status.Open() || v.status == ledger.StatusFixed) {
			list = append(list, i)
		}
	}
	return list
}

// answers returns a number for each violation that one answer reported beside this one: the same for
// both.
func (w *World) answers(i int) (numbers []int64) {
	for of := range w.violations {
		if w.violations[i].apart&(1<<of) != 0 {
			numbers = append(numbers, int64(1<<i|1<<of))
		}
	}
	return numbers
}

func (r *Recorder) verify(w *World, i int) {
	switch r.broken {
	case confirmsNothing:
		return
	case changesWithoutEvent:
		w.violations[i].status = ledger.StatusVerified
		return
	}
	r.set(w, i, ledger.StatusVerified, ledger.ActorReviewer, "answer")
}

// known returns the earlier violations with which the slot's answer is compared, and the slots that
// each claim was put to.
func (r *Recorder) known(w *World, s int) (known []ledger.Known, putTo map[string][]match.Asked) {
	known, putTo = make([]ledger.Known, 0, modelViolations), map[string][]match.Asked{}
	for i := range w.violations {
		v := &w.violations[i]
		if v.slot == 0 || v.born {
			continue
		}
		row := w.violation(i)
		asked := (v.put|v.disputes)&(1<<s) != 0
		known = append(known, ledger.Known{Violation: row, Whereabouts: ledger.Whereabouts{Here: Places[v.wasPlace]}, WasClaim: v.wasClaim, WasDisputed: v.wasDisputed, Asked: asked, Listed: !asked})
		row.Status = row.Fate()
		known[len(known)-1].Violation = row
		for n := range w.violations {
			if other := w.violation(n); w.violations[n].slot > 0 && asked && w.problem(n) == w.problem(i) {
				for _, slot := range other.Reporters(modelFillers) {
					if r.broken != forgetsDuplicates || n == i {
						putTo[row.ID] = append(putTo[row.ID], match.Asked{Violation: other.ID, Slot: slot})
					}
				}
			}
		}
	}
	return known, putTo
}

// record records an accepted report, and returns its violation.
func (r *Recorder) record(w *World, s int, report ledger.Evaluated) int {
	i := w.find(report.Match)
	place, words := modelPlaceOf(report.Place), modelWordsOf(report.Issue)
	if report.Match == "" {
		i = slices.IndexFunc(w.violations[:], func(v modelViolation) bool { return v.slot == 0 })
		w.violations[i] = modelViolation{slot: uint8(s + 1), born: true, first: w.last}
		r.events = append(r.events, modelEvent{i, "", ledger.StatusNew, ledger.ActorReviewer, "answer"})
		w.violations[i].status = ledger.StatusNew
	}
	v := &w.violations[i]
	if int(v.slot) != s+1 && r.broken != forgetsReporter {
		v.more |= 1 << s
	}
	if report.Match == "" || report.Leads {
		v.place, v.words = uint8(place), uint8(words)
		v.high = report.Priority == ledger.High || v.high && v.status.Open()
		v.raised = v.raised && v.status.Open()
	}
	v.reported, v.unplaced = v.reported || report.Priority == ledger.High, false
	v.reporters |= 1 << s
	w.raise()
	return i
}

func modelPlaceOf(p ledger.Place) int { return slices.Index(Places[:], p) }

func modelWordsOf(issue string) int { return slices.Index(modelWords[:], issue) }

// breakEvaluation makes the deliberate mistake, if it is one about answers.
func (r *Recorder) breakEvaluation(w *World, s int, a ledger.Answer, known []ledger.Known, e *ledger.Evaluation) {
	for _, k := range known {
		if !k.Asked {
			continue
		}
		word := e.Words[k.ID]
		switch {
		case k.WasDisputed && r.broken == withdrawsInError && a.Error != "" && word == "" && len(a.Disputes) > 0:
			e.Words[k.ID] = ledger.DisputeWithdrawn
		case k.WasDisputed:
		case r.broken == verifiesBySilence && (word == "" || word == ledger.NoWord || word == ledger.ClaimCannotTell), r.broken == confirmsNeighbors && len(e.Words) > 0,
			r.broken == verifiesByFailure && word == ledger.NoWord && len(a.Entries) > 0,
			r.broken == verifiesInError && a.Error != "" && word == "" && len(a.Claims) > 0:
			e.Words[k.ID] = ledger.ClaimFixed
		case r.broken == reopensByNobody && k.Status == ledger.StatusSkipped:
			e.Reopened = append(e.Reopened, k.ID)
		}
	}
	for n := range e.Reports {
		report := &e.Reports[n]
		claim := slices.ContainsFunc(known, func(k ledger.Known) bool { return k.ID == report.Match && k.WasClaim })
		if r.broken == filtersClaims && claim || r.broken == buriesByName && report.SeenBefore != "" {
			report.Disposition = ledger.OutOfDiff
			e.Reopened = slices.DeleteFunc(e.Reopened, func(id string) bool { return id == report.Match })
		}
	}
}

// down records that a slot gave no answer.
func (r *Recorder) down(w *World, s int) { w.slots[s].status = ledger.SlotError }

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
	w.phase, w.left.ended = modelIdle, w.left.slot > 0
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
		tree: w.tree, main: w.main, runs: w.runs + 1, passed: w.tree, passedBase: w.base, option: option, doubted: doubted, seen: w.seen, whole: w.whole, lost: w.rebuilt > 0,
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
	facts := ledger.RestFacts{Whole: whole, Branch: "feature", Base: w.base.String(), Preceding: pass, TreeGone: w.option == afterPassGone}
	w.rests = w.option != afterPassEverything && facts.RefuseGate(modelReview, hash) == ledger.RestGranted
	if !w.rests || w.option == afterPassConfig {
		w.seen = [2]uint8{}
	}
	w.rests = w.rests || r.broken == restsBlindly
	w.option, w.whole = afterPassChanges, false
}

// close closes the run as passed.
func (r *Recorder) close(w *World) {
	w.phase, w.whole = modelClosed, ledger.PassedWhole(w.rows(), modelPlanned, "")
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

// restore deletes the ledger and restores the run from its files. They do not say what was
// reviewed, and do not prove a confirmation.
func (r *Recorder) restore(w *World) {
	before := *w
	for n := uint8(1); n <= w.last; n++ {
		if w.trees[n] = modelUnknown; w.bases[n] != w.base { // it is unknown what they were shown
			w.session, w.sessionTree, w.sessionBase = 0, modelTree{}, modelTree{}
		}
		w.bases[n] = w.base
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
