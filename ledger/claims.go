package ledger

import (
	"fmt"
	"strings"
)

// readWords sorts the answer's words on claims. Of two words on one claim, the one that
// says that it is not fixed counts. If an id that nobody knows is said not to be fixed, any
// claim may be meant that the reviewer was asked about and has no other word on.
//
// Rule: An unreadable word on a claim counts as not fixed.
func (e *evaluator) readWords(words []ClaimWord) {
	if len(words) == 0 {
		return
	}
	e.words = map[string]ClaimWord{}
	ids, others := e.claimIDs(), map[string]bool{}
	for i := range e.known {
		others[claimID(e.known[i].ShortID)], others[claimID(e.known[i].ID)] = true, true
	}
	var lost *ClaimWord
	for n, word := range words {
		i, ok := ids[claimID(word.ID)]
		if !ok {
			e.unknown = append(e.unknown, word.ID)
			if !word.Fixed && !others[claimID(word.ID)] {
				lost = &words[n]
			}
			continue
		}
		id := e.known[i].ID
		if before, said := e.words[id]; !said || before.Fixed {
			e.words[id] = word
		}
	}
	for i := range e.known {
		k := &e.known[i]
		if _, said := e.words[k.ID]; lost != nil && !said && k.Shown && k.claim() {
			e.words[k.ID] = ClaimWord{ID: k.ShortID, Evidence: fmt.Sprintf("%q is not fixed: %s", lost.ID, lost.Evidence)}
		}
	}
}

// unknownWords are warnings about words that fit no claim.
func (e *evaluator) unknownWords() (warnings []string) {
	for _, id := range e.unknown {
		warnings = append(warnings, fmt.Sprintf("the answer mentions claim %q, which does not exist", id))
	}
	return warnings
}

// saidFixed reports whether the answer says that the claim, which the slot was asked
// about, is fixed. Then a report in other words at its place is about another problem.
func (e *evaluator) saidFixed(known int) bool {
	k := &e.known[known]
	return e.words[k.ID].Fixed && k.Shown
}

// saidThere reports whether the answer says that the claim is not fixed.
func (e *evaluator) saidThere(known int) bool {
	word, said := e.words[e.known[known].ID]
	return said && !word.Fixed
}

// contradicts reports whether the answer says of a claim that it is not fixed.
func (e *evaluator) contradicts() bool {
	if len(e.words) == 0 {
		return false
	}
	for i := range e.known {
		if e.saidThere(i) {
			return true
		}
	}
	return false
}

// change lists the claims that the answer confirms or contradicts. A claim is
// confirmed by an answer that was asked about it and does not report it again; but not
// by one with an entry that may be about it: a malformed one, or one in other words
// that may mean several claims. In a verdict these are reopened all.
func (e *evaluator) change(result *Evaluation) {
	ambiguous := e.ambiguousReports()
	for i := range e.known {
		k := &e.known[i]
		contradicted := e.matched[i] >= 0 && e.reports[e.matched[i]].Disposition == Accepted || e.saidThere(i)
		switch {
		case contradicted:
			if k.Status == StatusFixed || k.Status == StatusVerified {
				result.Reopened = append(result.Reopened, k.ID)
				e.addEvidence(result, k)
			}
		case !k.Shown || k.Status != StatusFixed:
		case e.rules.Verify && e.mayMean(ambiguous, i) >= 0:
			result.Reopened = append(result.Reopened, k.ID)
		default:
			if why := e.unverified(ambiguous, i); why != "" {
				result.Warnings = append(result.Warnings, fmt.Sprintf("claim %s stays unverified: %s", k.ShortID, why))
				continue
			}
			result.Verified = append(result.Verified, k.ID)
			e.addEvidence(result, k)
		}
	}
}

func (e *evaluator) addEvidence(result *Evaluation, k *Known) {
	if evidence := strings.TrimSpace(e.words[k.ID].Evidence); evidence != "" {
		if result.Evidence == nil {
			result.Evidence = map[string]string{}
		}
		result.Evidence[k.ID] = evidence
	}
}

// unverified says why silence does not confirm the claim; "" if it does.
func (e *evaluator) unverified(ambiguous placeIndex, known int) string {
	if report := e.mayMean(ambiguous, known); report >= 0 {
		return fmt.Sprintf("violation %d may also be about it", e.reports[report].Position)
	}
	if position, ok := e.unclear(known); ok {
		return fmt.Sprintf("malformed violation %d may be about it", position)
	}
	return ""
}

// ambiguousReports are the reports that were matched in other words, by their places:
// they may be about any of the claims there.
func (e *evaluator) ambiguousReports() placeIndex {
	var list []indexedPlace
	for i, r := range e.reports {
		if e.matchedBy[i] >= byRareWord {
			list = append(list, indexedPlace{r.Place, i})
		}
	}
	return indexPlaces(list)
}

// mayMean finds a report in other words that may be about the claim, though it was
// matched with another one: it lies at the claim's place, and no identifier of the code
// distinguishes them. A report about the whole file may mean any claim on its lines, unless
// it was matched with a claim about the file. A report on lines does not mean a claim
// about the file; in a verdict it may, if it was matched with such a claim. mayMean
// returns -1 if there is none.
func (e *evaluator) mayMean(ambiguous placeIndex, known int) (report int) {
	k := &e.known[known]
	if e.saidFixed(known) {
		return -1
	}
	if report = e.containedIn(known); report >= 0 {
		return report
	}
	for _, here := range k.places() {
		ambiguous.any(here, 0, func(i int) bool {
			place, matched := e.reports[i].Place, e.about[i]
			alike := e.known[matched].Here.WholeFile() == place.WholeFile() || !e.rules.Verify && here.WholeFile()
			if here.WholeFile() != place.WholeFile() && alike || e.rare.shares(i, matched) && !e.rare.shares(i, known) {
				return false
			}
			report = i
			return true
		})
	}
	return report
}

// malformedReports are the reports that lack something, by what they may be about.
type malformedReports struct {
	any     bool
	named   map[string]int // the first by the claim that it names
	worded  map[int]int    // the first by its wording
	nowhere int            // the first that names no file; -1 if there is none
	placed  placeIndex
}

func indexMalformed(reports []Evaluated, wording []int) malformedReports {
	m := malformedReports{named: map[string]int{}, worded: map[int]int{}, nowhere: -1}
	var places []indexedPlace
	for i, r := range reports {
		if r.Disposition != Malformed {
			continue
		}
		m.any = true
		if _, seen := m.named[claimID(r.Claim)]; !seen && r.Claim != "" {
			m.named[claimID(r.Claim)] = i
		}
		if _, seen := m.worded[wording[i]]; !seen {
			m.worded[wording[i]] = i
		}
		switch {
		case r.Place.File != "":
			places = append(places, indexedPlace{r.Place, i})
		case m.nowhere < 0:
			m.nowhere = i
		}
	}
	m.placed = indexPlaces(places)
	return m
}

// unclear finds a malformed entry that may be about the earlier violation: it
// names it, or no file, or meets its place, or has its wording. Where the answer says
// that the claim is fixed, the place says nothing.
func (e *evaluator) unclear(known int) (position int, ok bool) {
	m, k := &e.malformed, &e.known[known]
	if !m.any {
		return 0, false
	}
	first := -1
	found := func(i int) {
		if first < 0 || i < first {
			first = i
		}
	}
	for _, id := range []string{claimID(k.ShortID), claimID(k.ID)} {
		if i, named := m.named[id]; named {
			found(i)
		}
	}
	if i, worded := m.worded[e.knownWording[known]]; worded {
		found(i)
	}
	if !e.saidFixed(known) {
		if m.nowhere >= 0 {
			found(m.nowhere)
		}
		for _, place := range k.places() {
			m.placed.any(place, 0, func(i int) bool {
				found(i)
				return true // one is enough, for there may be many
			})
		}
	}
	if first < 0 {
		return 0, false
	}
	return e.reports[first].Position, true
}
