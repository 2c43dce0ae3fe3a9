// Package match decides what becomes of each entry of a reviewer's answer, and what its
// words make of claims. It knows an earlier violation by the id that the entry names, or
// by equal words at the place where it is now, and guesses nothing.
package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Evaluate decides what becomes of each entry of an answer, and what its words make of the
// claims that the slot was asked about. Each entry gets one disposition: an entry that lacks
// something is malformed, and one that stands twice is merged; then it is matched with an
// earlier violation, by the id that it names, else by its words; what matches none passes
// the filters. Nothing depends on the order of the entries, but which of several
// equally important reports of one violation gives its words.
//
// Rule: The reviewer names what it means.
// Rule: In range is what a diff of this run showed.
// Rule: A rerun leaves out what is new and below the threshold.
// Rule: Violations count, whatever the status says.
func Evaluate(answer ledger.Answer, known []ledger.Known, facts ledger.Facts, rules ledger.Rules) ledger.Evaluation {
	e := newEvaluator(answer, known, facts, rules)
	e.merge()
	e.order()
	e.matchNames()
	e.matchWords()
	for _, i := range e.ordered {
		if e.undecided(i) {
			e.filter(i)
		}
	}
	e.lead()
	return e.result(answer)
}

// evaluator evaluates one answer. Reports and known are called by their indexes.
type evaluator struct {
	known   []ledger.Known
	facts   ledger.Facts
	rules   ledger.Rules
	reports []ledger.Evaluated
	entries []ledger.EntryFacts // by report
	ordered []int               // the reports as they are looked at
	// words are the normalised words of each report, and knownWords of each known.
	words, knownWords []string

	about []int  // by report: the known that it is about, or -1
	taken []bool // by known: whether a report was taken for it
	// unlisted are the names by report that the prompt did not list.
	unlisted map[int]string
	shelves  map[shelfKey]*shelf
	// remembered are indexes of remembered skips, by fingerprint and what else is the same,
	// and met those that have covered a report.
	remembered map[[2]string][]int
	met        map[int]bool
	claimWords map[string]bool // the words of claims
	claimsAt   map[ledger.Place][]int
}

func newEvaluator(answer ledger.Answer, known []ledger.Known, facts ledger.Facts, rules ledger.Rules) *evaluator {
	e := &evaluator{
		known: slices.Clone(known), facts: facts, rules: rules,
		about: slices.Repeat([]int{-1}, len(answer.Entries)), taken: make([]bool, len(known)),
		unlisted: map[int]string{}, shelves: map[shelfKey]*shelf{}, met: map[int]bool{}, claimWords: map[string]bool{}, claimsAt: map[ledger.Place][]int{},
	}
	e.reports = make([]ledger.Evaluated, 0, len(answer.Entries))
	e.entries = make([]ledger.EntryFacts, 0, len(answer.Entries))
	e.words = make([]string, 0, len(answer.Entries))
	said, anywhere := make(map[string]bool, len(answer.Entries)), false
	for i, entry := range answer.Entries {
		fact := facts.Entry(i)
		entry.Place, entry.SameAs, entry.Also = tidy(entry.Place), name(entry.SameAs), slices.Clip(entry.Also)
		entry.Priority, _ = ledger.ParsePriority(string(entry.Priority))
		r := ledger.Evaluated{Entry: entry, Line: fact.Line}
		if len(entry.Missing) > 0 {
			r.Disposition, r.Reason = ledger.Malformed, "missing "+strings.Join(entry.Missing, ", ")
		}
		e.reports, e.entries = append(e.reports, r), append(e.entries, fact)
		e.words = append(e.words, ledger.NormalWords(entry.Issue))
		said[e.words[i]], anywhere = true, anywhere || entry.WholeChange
	}
	for i := range e.known {
		k := &e.known[i]
		k.Place, k.Here = tidy(k.Place), tidy(k.Here)
		e.knownWords = append(e.knownWords, ledger.NormalWords(k.Issue))
		if claim(k) {
			e.claimWords[e.knownWords[i]] = true
			e.claimsAt[k.Place] = append(e.claimsAt[k.Place], i)
		}
		e.shelve(i, said[e.knownWords[i]], anywhere)
	}
	return e
}

// tidy gives the place an end that is not before its start: lines that were deleted leave
// an empty range, which would meet nothing.
func tidy(p ledger.Place) ledger.Place {
	if p.WholeFile() {
		return ledger.Place{File: p.File}
	}
	p.End = max(p.Start, p.End)
	return p
}

func name(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// claim reports whether the violation was a claim that nobody has skipped since.
func claim(k *ledger.Known) bool { return k.WasClaim && k.Status != ledger.StatusSkipped }

// closed reports whether the violation is one that a report of it opens again.
func closed(k *ledger.Known) bool {
	return k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified || k.Status == ledger.StatusWithdrawn
}

// meets reports whether the violation is at the place now.
func meets(k *ledger.Known, place ledger.Place) bool {
	return k.Here.Meets(place) || slices.ContainsFunc(k.Moved, func(p ledger.Place) bool { return tidy(p).Meets(place) })
}

func (e *evaluator) undecided(report int) bool { return e.reports[report].Disposition == "" }

// decide gives the report its disposition.
func (e *evaluator) decide(report int, d ledger.Disposition, reason string) {
	e.reports[report].Disposition, e.reports[report].Reason = d, reason
}

// merge makes entries with equal words and one place one; where they name different
// violations, only those that name the same. What one of them has, all have: the priority,
// the name, the places.
func (e *evaluator) merge() {
	type key struct {
		words  string
		place  ledger.Place
		whole  bool
		sameAs string
	}
	names, several, firsts := map[key]string{}, map[key]bool{}, map[key]int{}
	keyOf := func(i int) key {
		return key{words: e.words[i], place: e.reports[i].Place, whole: e.reports[i].WholeChange}
	}
	for i, r := range e.reports {
		if k := keyOf(i); e.undecided(i) && r.SameAs != "" {
			several[k] = several[k] || names[k] != "" && names[k] != r.SameAs
			names[k] = r.SameAs
		}
	}
	for i := range e.reports {
		r, k := &e.reports[i], keyOf(i)
		if !e.undecided(i) {
			continue
		}
		if several[k] {
			k.sameAs = r.SameAs
		}
		n, seen := firsts[k]
		if !seen {
			firsts[k] = i
			continue
		}
		first := &e.reports[n]
		if r.Priority.Higher(first.Priority) {
			first.Priority = r.Priority
		}
		first.SameAs, first.Fix = cmp.Or(first.SameAs, r.SameAs), cmp.Or(first.Fix, r.Fix)
		first.SystemBreaking = first.SystemBreaking || r.SystemBreaking
		first.Also = append(first.Also, r.Also...)
		e.entries[n].InRange = e.entries[n].InRange || e.entries[i].InRange
		e.decide(i, ledger.Merged, fmt.Sprintf("the same as violation %d of this answer", first.Position))
	}
}

// order decides in which order the reports are looked at: by what they say, so that it
// does not matter where they stand in the answer.
func (e *evaluator) order() {
	for i := range e.reports {
		if e.undecided(i) {
			e.ordered = append(e.ordered, i)
		}
	}
	slices.SortStableFunc(e.ordered, func(a, b int) int {
		x, y := &e.reports[a], &e.reports[b]
		return cmp.Or(cmp.Compare(x.Priority.Rank(), y.Priority.Rank()), cmp.Compare(x.Place.File, y.Place.File),
			cmp.Compare(x.Place.Start, y.Place.Start), cmp.Compare(x.Place.End, y.Place.End),
			cmp.Compare(e.words[a], e.words[b]), cmp.Compare(x.SameAs, y.SameAs))
	})
}

// lead finds, of the reports of each matched violation, the one whose words it takes.
func (e *evaluator) lead() {
	leads := map[int]int{}
	for i, r := range e.reports {
		if r.Disposition != ledger.Accepted || e.about[i] < 0 {
			continue
		}
		if first, seen := leads[e.about[i]]; !seen || r.Priority.Higher(e.reports[first].Priority) {
			leads[e.about[i]] = i
		}
	}
	for _, i := range leads {
		e.reports[i].Leads = true
	}
}
