package modeltest

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// modelBreak is a deliberate mistake of the recorder, which an invariant must detect.
type modelBreak string

const (
	verifiesBySilence     modelBreak = "a slot that says nothing confirms"
	verifiesByFailure     modelBreak = "a plain failure confirms what it does not mention"
	verifiesInError       modelBreak = "a slot in error confirms"
	forgetsDuplicates     modelBreak = "what was joined is verified, or withdrawn, without its own reporter"
	verifiesByOne         modelBreak = "one of two reporters confirms for both"
	withdrawsByOne        modelBreak = "one of two reporters withdraws for both"
	withdrawsInError      modelBreak = "a slot in error withdraws"
	disputesNobody        modelBreak = "disputes are put to nobody"
	forgetsReporter       modelBreak = "a second reporter is forgotten"
	filtersClaims         modelBreak = "a report about a claim is filtered"
	buriesByName          modelBreak = "the name of a skip leaves a report out wherever it lies"
	confirmsNeighbors     modelBreak = "a word on one claim confirms all"
	losesReports          modelBreak = "a kill loses what was recorded"
	asksNobody            modelBreak = "claims are put to nobody"
	putsSkips             modelBreak = "what is skipped is put to the slots"
	ignoresEdits          modelBreak = "the tree that passes is not compared"
	forgetsTrees          modelBreak = "a slot's tree is taken for the one that another reviewed"
	restoresVerified      modelBreak = "files prove that a claim is confirmed"
	restoresPass          modelBreak = "files prove that a check has passed on the tree as it is"
	changesWithoutEvent   modelBreak = "a status changes without an event"
	reopensByNobody       modelBreak = "a reviewer's word changes what was skipped"
	marksTwins            modelBreak = "a mark closes two"
	skipsOutstandingSlots modelBreak = "a slot with a claim is not asked"
	restsOnAnother        modelBreak = "a gate rests on a pass of another configuration"
	restsBlindly          modelBreak = "a gate rests on a pass that nothing may rest on"
	confirmsNothing       modelBreak = "nothing is ever confirmed"
	takesUpSettled        modelBreak = "what is taken up is settled at once"
	restoresLeft          modelBreak = "what was taken up is forgotten with the ledger"
	followsBranches       modelBreak = "a loop goes on with another branch"
	handsOnNothing        modelBreak = "nobody answers for what a gate left that is gone"
	passesReconfigured    modelBreak = "a pass counts for a gate that was configured differently before"
)

// checkPassed checks that in a run that passed each report was confirmed or withdrawn by its
// reporter, or skipped, and that each line of the change was shown as it is now.
func (r *Recorder) checkPassed(w *World) {
	for i, v := range w.violations {
		switch {
		case v.slot == 0, w.fate(i) == ledger.StatusSkipped:
		case w.fate(i) != ledger.StatusVerified && w.fate(i) != ledger.StatusWithdrawn:
			r.fail(1, "the run passed and %s is %s", modelNames[i], v.status)
		case v.confirmed&v.reporters != v.reporters:
			r.fail(1, "the run passed, %s is %s, and not every slot that reported it has said so", modelNames[i], v.status)
		}
	}
	// A gate that never ran keeps no run from passing, but such a pass does not count for what follows.
	never := w.renamed > 0 && w.review.iteration <= w.renamed
	for p, version := range w.tree {
		if version != w.base[p] && w.seen[p]&seenBit(version, w.base[p]) == 0 && !never {
			r.fail(2, "the run passed and no slot was shown %s as it stands", Places[p].File)
		}
	}
	if never && w.whole && w.tree != w.base {
		r.fail(2, "the pass counts, and the gate never ran under its present name")
	}
	if n := w.check.iteration; w.check.status != ledger.GatePassed || w.trees[n] != w.tree || w.bases[n] != w.base {
		r.fail(2, "the run passed and the check %s on %v with the base %v", w.check.status, w.trees[n], w.bases[n])
	}
	if w.base != w.main {
		r.fail(2, "the run passed compared with %v, and the merge base is %v", w.base, w.main)
	}
	if w.whole && w.edited > 0 && w.tree != w.base {
		r.fail(2, "the pass counts, and the gate was configured differently until iteration %d", w.edited)
	}
}

// checkBranch checks that the next iteration is about the branch of the run, or about one that goes on
// from it.
func (r *Recorder) checkBranch(w *World) {
	if w.last > 0 && !w.head.goesOn(w.heads[w.last]) {
		r.fail(11, "a loop on %v goes on with %v", w.heads[w.last], w.head)
	}
}

// checkPassedAlready checks that where a pass counts, each line of the change was shown as it is now.
func (r *Recorder) checkPassedAlready(w *World) {
	for p, version := range w.tree {
		if version != w.main[p] && w.seen[p]&seenBit(version, w.main[p]) == 0 {
			r.fail(2, "a pass counts, and no slot was shown %s as it stands", Places[p].File)
		}
	}
}

// checkChanges checks that nothing that was accepted disappears, and that no status changes without
// an event and no event happens without its cause.
func (r *Recorder) checkChanges(before, after *World) {
	now := [modelViolations]ledger.Status{}
	for i, v := range before.violations {
		now[i] = v.status
	}
	for _, e := range r.events {
		allowed := e.from == "" || ledger.MayChange(e.actor, e.from, e.to)
		if e.from != now[e.violation] || !allowed || e.cause == "" {
			r.fail(3, "%s became %s from %s by the %s because of %q", modelNames[e.violation], e.to, e.from, e.actor, e.cause)
		}
		now[e.violation] = e.to
	}
	for i, v := range after.violations {
		if before.violations[i].slot > 0 && v.slot == 0 {
			r.fail(3, "%s disappeared", modelNames[i])
		}
		if now[i] != v.status {
			r.fail(3, "%s is %s, and by its events %s", modelNames[i], v.status, now[i])
		}
	}
}

// near returns how near a violation is to letting the run pass.
func near(s ledger.Status) int {
	switch {
	case s == "", s.Open():
		return 0
	case s == ledger.StatusFixed:
		return 1
	}
	return 2
}

// checkMark checks that a mark changes only what it marks.
func (r *Recorder) checkMark(before, after *World, marked int) {
	for i, v := range after.violations {
		if i != marked && v.status != before.violations[i].status || near(after.fate(i)) > near(before.fate(i)) && after.problem(i) != after.problem(marked) {
			r.fail(7, "a mark of %s made %s %s", modelNames[marked], modelNames[i], v.status)
		}
	}
}

// checkGroup checks that a mark of a block changes only what belongs to it and was shown, and that an
// agent's skip leaves out only what was said in the same words at the same place.
func (r *Recorder) checkGroup(before, after *World, named int, status ledger.Status, actor ledger.Actor) {
	block, marked := uint8(1<<named), before.problem(named)
	for range modelViolations {
		for i, v := range before.violations {
			if block&(1<<i) != 0 {
				block |= v.near
			}
		}
	}
	for i, v := range after.violations {
		was := before.violations[i]
		switch {
		case v.status == was.status && after.fate(i) == before.fate(i):
		case block&(1<<i) == 0, !was.ended && i != named && before.problem(i) != marked && v.status != was.status:
			r.fail(7, "a mark of the block of %s made %s %s", modelNames[named], modelNames[i], v.status)
		case status == ledger.StatusSkipped && actor == ledger.ActorAgent && (v.words != was.words || v.words != before.violations[marked].words || v.place != before.violations[marked].place):
			r.fail(7, "an agent's skip of the block of %s leaves out %s, which has other words", modelNames[named], modelNames[i])
		}
	}
}

// checkTakenUp checks that a violation that was taken up is open, belongs to the slot that reported
// it, and keeps the run from passing, and that nothing else changes.
func (r *Recorder) checkTakenUp(before, after *World, taken int) {
	v := after.violations[taken]
	if !v.status.Open() || v.slot != before.left.slot || ledger.Assess(after.rows()).Status.Passes() {
		r.fail(7, "%s was taken up and is %s", modelNames[taken], v.status)
	}
	r.checkMark(before, after, taken)
}

// checkAnswer checks that what an answer reports is open afterwards, unless a skip or the threshold
// covers it, and that only the answer's own word on a claim brings the claim nearer to a pass. It
// notes what the answer confirms.
func (r *Recorder) checkAnswer(before, after *World, s int, a ledger.Answer) {
	reported := map[int]bool{}
	for _, entry := range a.Entries {
		about := before.meant(entry)
		if len(about) == 1 { // the report is about only one of several
			reported[about[0]] = true
		}
		r.checkEntry(before, after, s, a, entry)
	}
	for i := range after.violations {
		v, was := &after.violations[i], &before.violations[i]
		said, joined := ledger.ClaimVerdict(""), false
		for _, word := range slices.Concat(a.Claims, a.Disputes) {
			if n := slices.Index(modelNames[:], word.ID); word.ID == modelNames[i] {
				said = word.Verdict
			} else if n >= 0 && after.problem(n) == after.problem(i) {
				joined = joined || word.Verdict.Confirms() && a.Error == "" && !reported[n]
			}
		}
		if passedOver(before, after, s, a, i) {
			said = ledger.ClaimFixed
		}
		confirms := said.Confirms() && a.Error == "" && !reported[i]
		if confirms && (!after.fate(i).Open() || after.fate(i) == ledger.StatusDisputed) {
			v.confirmed |= 1 << s
		}
		for n := range after.violations {
			joined = joined || after.problem(n) == after.problem(i) && passedOver(before, after, s, a, n)
		}
		if was.slot > 0 && near(after.fate(i)) > near(before.fate(i)) && !confirms && !joined {
			r.fail(7, "%s became %s, and the answer's word on it is %q", modelNames[i], v.status, said)
		}
		if there := said == ledger.ClaimNotFixed || said == ledger.DisputeStands || reported[i]; there && !after.fate(i).Open() && after.fate(i) != ledger.StatusSkipped {
			r.fail(7, "%s is %s, and the answer says that it is there", modelNames[i], v.status)
		}
	}
	for i, v := range after.violations { // once everything that it confirms is noted
		fate := after.fate(i)
		if (fate == ledger.StatusVerified || fate == ledger.StatusWithdrawn) && before.fate(i) != fate && v.confirmed&v.reporters != v.reporters {
			r.fail(1, "%s became %s, and not every slot that reported it has said so", modelNames[i], fate)
		}
	}
}

// checkJoined checks that what is joined as it was reported waits, is of two answers, and has the same
// words and the same place.
func (r *Recorder) checkJoined(w *World, i, of int) {
	v, other := w.violations[i], w.violations[of]
	waits := (other.status.Open() || other.status == ledger.StatusFixed) && other.status != ledger.StatusDisputed
	if !waits || v.apart&(1<<of) != 0 || v.takenOut || other.takenOut || v.words != other.words || v.place != other.place {
		r.fail(8, "%s was joined to %s, which is %s", modelNames[i], modelNames[of], other.status)
	}
}

// passedOver reports whether a plain answer confirms a claim that was put to the slot: it is a pass,
// or all that it reports was left out, and in the file of the claim only because it was skipped.
func passedOver(before, after *World, s int, a ledger.Answer, i int) bool {
	v := before.violations[i]
	if a.Error != "" || len(a.Claims) > 0 || v.put&(1<<s) == 0 || !a.Passed && len(a.Entries) == 0 {
		return false
	}
	for n := range after.violations {
		was, is := before.violations[n], after.violations[n]
		if was.slot != is.slot || is.reporters != was.reporters || is.status == ledger.StatusReopened && was.status != is.status {
			return false // something counts
		}
	}
	for _, entry := range a.Entries {
		if entry.Place == Places[v.wasPlace] && !before.skips(entry) {
			return false
		}
	}
	return true
}

// skips reports whether a skip covers the entry.
func (w *World) skips(entry ledger.Entry) bool {
	for i, v := range w.violations {
		if v.slot > 0 && !v.born && w.fate(i) == ledger.StatusSkipped && Places[v.wasPlace] == entry.Place && modelWords[v.words] == entry.Issue {
			return true
		}
	}
	return false
}

// meant returns the violations that are not skipped and that an entry may be about.
func (w *World) meant(entry ledger.Entry) (about []int) {
	for i, v := range w.violations {
		same := modelNames[i] == strings.ToLower(entry.SameAs) || entry.SameAs == "" && modelWords[v.words] == entry.Issue && Places[v.wasPlace] == entry.Place
		if v.slot > 0 && !v.born && !v.former && w.fate(i) != ledger.StatusSkipped && same {
			about = append(about, i)
		}
	}
	return about
}

func (r *Recorder) checkEntry(before, after *World, s int, a ledger.Answer, entry ledger.Entry) {
	place, high := uint8(modelPlaceOf(entry.Place)), entry.Priority == ledger.High
	named := slices.Index(modelNames[:], strings.ToLower(entry.SameAs))
	if named >= 0 && before.fate(named) != ledger.StatusSkipped {
		if v := after.violations[named]; !after.fate(named).Open() || v.reporters&(1<<s) == 0 {
			r.fail(3, "a report about %s was accepted by nobody: it is %s", modelNames[named], v.status)
		}
		return
	}
	live := false
	for i, v := range before.violations {
		if v.slot == 0 || v.born || v.former || v.wasPlace != place {
			continue
		}
		meant := i == named || modelWords[v.words] == entry.Issue
		if before.fate(i) == ledger.StatusSkipped && meant && (v.high || !high) {
			return
		}
		confirmed := slices.ContainsFunc(slices.Concat(a.Claims, a.Disputes), func(word ledger.ClaimWord) bool {
			return word.ID == modelNames[i] && word.Verdict.Confirms() && a.Error == ""
		})
		live = live || before.fate(i).Open() && !confirmed || v.put&(1<<s) != 0 && !confirmed && before.fate(i) != ledger.StatusSkipped || meant && before.fate(i) != ledger.StatusSkipped
	}
	if !high && after.slots[s].before && !live || !before.inRange[place] {
		return // below the threshold, or on lines that nobody was shown
	}
	i := -1
	if !slices.ContainsFunc(after.violations[:], func(v modelViolation) bool {
		i++
		return v.slot > 0 && after.fate(i).Open() && v.place == place && modelWords[v.words] == entry.Issue && v.reporters&(1<<s) != 0
	}) {
		r.fail(3, "a report in %s disappeared: %q", entry.Place.File, entry.Issue)
	}
}

// checkPut checks that a claim is put to every slot that reported it, and a skipped violation to
// none.
func (r *Recorder) checkPut(w *World, i int) {
	v := &w.violations[i]
	if w.fate(i) == ledger.StatusFixed && v.put&v.reporters != v.reporters {
		r.fail(6, "the claim %s is not put to every slot that reported it", modelNames[i])
	}
	if w.fate(i) == ledger.StatusDisputed && v.disputes&v.reporters != v.reporters && !w.waitsForFormer(i) {
		r.fail(6, "the dispute of %s is not put to every slot that reported it", modelNames[i])
	}
	if w.fate(i) == ledger.StatusSkipped && v.put|v.disputes != 0 {
		r.fail(6, "%s is put to a slot, and it is skipped", modelNames[i])
	}
}

// checkShown checks that a slot is shown nothing that main brought and nobody changed since, and the
// whole change if it answered with other instructions.
func (r *Recorder) checkShown(w *World, s int) {
	for p, version := range w.tree {
		if answered := w.slots[s].answered; answered > 0 && answered <= w.edited && version != w.base[p] && !w.slots[s].shown[p] {
			r.fail(10, "slot %d has other instructions now, and is not shown %s", s+1, Places[p].File)
		}
		own := w.seen[p]>>modelVersions&^(1<<modelMain) != 0 // somebody saw the author's, compared with main's
		if version == modelMain && w.main[p] == modelMain && w.slots[s].shown[p] && !own {
			r.fail(10, "slot %d is shown what main brought in %s", s+1, Places[p].File)
		}
	}
}

// checkAnew checks that each slot is asked once the logs were deleted, and shown the whole change.
func (r *Recorder) checkAnew(w *World) {
	for i, slot := range w.slots {
		for p, version := range w.tree {
			if slot.status != ledger.SlotRunning || slot.shown[p] != (version != w.base[p]) {
				r.fail(9, "the logs are gone, and slot %d is %s and shown %v", i+1, slot.status, slot.shown)
			}
		}
	}
}

// checkRestored checks that what is restored from files is never nearer to a pass.
func (r *Recorder) checkRestored(before, after *World) {
	for i, v := range after.violations {
		if was := before.violations[i]; near(v.status) > near(before.fate(i)) || v.slot != was.slot || v.more != was.more {
			r.fail(5, "%s was %s, and is %s by the files", modelNames[i], was.status, v.status)
		}
	}
	if after.check.status == ledger.GatePassed && (before.check.status != ledger.GatePassed || after.trees[after.check.iteration] != modelUnknown) {
		r.fail(5, "the check has passed on a tree that no file names")
	}
	for i, slot := range after.slots {
		if was := before.slots[i].status; slot.status.Answered() && !was.Answered() && was != ledger.SlotSkipped || slot.status == ledger.SlotPass && was != ledger.SlotPass {
			r.fail(5, "slot %d was %s, and is %s by the files", i+1, was, slot.status)
		}
	}
}

// checkHonest checks that a run passes within two iterations if an agent repairs what is open and
// the reviewers confirm it. A repaired state that equals one that was tried is not tried again.
func (r *Recorder) checkHonest(w World, tried func(*World) bool) {
	honest := Recorder{Retries: r.Retries, broken: r.broken}
	repair := [2]bool{}
	for i, v := range w.violations {
		if v.slot > 0 && (w.fate(i).Open() || w.fate(i) == ledger.StatusFixed) {
			repair[v.place] = true
			honest.mark(&w, i, ledger.StatusFixed, ledger.ActorAgent)
		}
	}
	repair[0] = repair[0] || w.check.status == ledger.GateFailed
	for p := range 2 {
		if repair[p] {
			w.tree[p] = 2
			if w.session > 0 && w.sessionTree[p] == 2 {
				w.tree[p] = 1
			}
		}
	}
	if w.tree == w.trees[w.check.iteration] && w.check.status == ledger.GateFailed {
		w.tree[0] = (w.tree[0] + 1) % modelVersions
	}
	if w.Left() { // back to the branch of the run
		w.head = w.heads[w.last]
	}
	if tried(&w) || w.stuck() || ledger.RetryLimitReached(w.rows(), r.Retries) {
		return
	}
	for range 2 {
		if w.passedAlready() {
			return
		}
		if !honest.start(&w, false) {
			r.fail(4, "no invocation brings it further: %v", w)
			return
		}
		if w.phase != modelClosed {
			honest.reviewHonestly(&w)
		}
		if w.phase == modelClosed || ledger.RetryLimitReached(w.rows(), r.Retries) {
			return
		}
	}
	r.fail(4, "an honest review of a finished repair passes in no two iterations: %v", w)
}

func (r *Recorder) reviewHonestly(w *World) {
	w.check.status = ledger.GatePassed
	for s := range w.slots {
		if slot := &w.slots[s]; slot.status == ledger.SlotRunning && slot.iteration == w.last {
			answer := w.Answers(s)[0].Answer
			before := *w
			r.answer(w, s, answer)
			r.checkAnswer(&before, w, s, answer)
		}
	}
	r.judge(w)
	if r.finish(w); w.phase == modelPassing {
		w.phase = modelClosed
	}
}
