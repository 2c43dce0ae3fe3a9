package modeltest

// This file records answers, as the store does.

import (
	"math/bits"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

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
		carried := v.slot > 0 && !v.former && v.wasOpen && w.fate(i).Open() && !listed[i] && ledger.ResponsibleSlot(int(v.slot), 2) == s+1 && e.Words[modelIDs[i]] != ledger.DisputeWithdrawn
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
		if v.slot == 0 || v.born || v.former {
			continue
		}
		row := w.violation(i)
		asked := (v.put|v.disputes)&(1<<s) != 0
		known = append(known, ledger.Known{Violation: row, Whereabouts: ledger.Whereabouts{Here: Places[v.wasPlace]}, WasClaim: v.wasClaim, WasDisputed: v.wasDisputed, Asked: asked, Listed: !asked})
		row.Status = row.Fate()
		known[len(known)-1].Violation = row
		for n := range w.violations {
			if w.violations[n].slot == 0 || !asked || w.problem(n) != w.problem(i) || r.broken == forgetsDuplicates && n != i {
				continue
			}
			other := w.violation(n)
			for _, slot := range other.Reporters(modelFillers) {
				putTo[row.ID] = append(putTo[row.ID], match.Asked{Violation: other.ID, Slot: slot})
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
