// Package match decides the disposition of each entry of a reviewer's answer, and what the answer
// means for claims and disputes. An entry matches an earlier violation by the ID that it names, or
// by equal words at the violation's current place; nothing is guessed.
package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Evaluate decides the disposition of each entry of an answer, and what the answer means for the
// claims that the slot was asked about. An entry that lacks a field is malformed, and a repeated
// entry is merged. Every other entry is matched with an earlier violation, by the ID that it names
// or else by its words; if there is no match, it goes through the filters. The order of the entries
// matters only if several equally important reports are about one violation: the first gives the
// text.
//
// Rule: The reviewer names what it means.
// Rule: In range is what a diff of this run showed.
// Rule: A rerun filters what is new and below the threshold.
// Rule: Violations count, whatever the status says.
func Evaluate(answer ledger.Answer, known []ledger.Known, facts ledger.Facts, rules ledger.Rules) ledger.Evaluation {
	entries, before := readEntries(answer, facts), readEarlier(known, facts)
	entries.merge()
	m := newMatching(entries, before, rules)
	f := newFilters(m, answer, facts.Remembered, rules)
	f.matchNames()
	m.matchWords(exact, whole)
	f.skips()
	if f.moved {
		m.matchWords(exact, whole)
	}
	m.matchWords(nearest, nearest)
	f.apply()
	m.lead()
	return (&evaluator{matching: m, rules: rules}).evaluation(answer)
}

// entries holds the entries of an answer with their dispositions. Other types refer to them by
// index.
type entries struct {
	reports []ledger.Evaluated
	facts   []ledger.EntryFacts
	words   []string // normalized
}

func readEntries(answer ledger.Answer, facts ledger.Facts) *entries {
	e := &entries{
		reports: make([]ledger.Evaluated, 0, len(answer.Entries)),
		facts:   make([]ledger.EntryFacts, 0, len(answer.Entries)),
		words:   make([]string, 0, len(answer.Entries)),
	}
	for i, entry := range answer.Entries {
		fact := facts.Entry(i)
		entry.Place, entry.SameAs, entry.Also = tidy(entry.Place), name(entry.SameAs), slices.Clip(entry.Also)
		fact.Also = slices.Clip(fact.Also)
		entry.Priority, _ = ledger.ParsePriority(string(entry.Priority))
		r := ledger.Evaluated{Entry: entry, Line: fact.Line}
		if len(entry.Missing) > 0 {
			r.Disposition, r.Reason = ledger.Malformed, "missing "+strings.Join(entry.Missing, ", ")
		}
		e.reports, e.facts = append(e.reports, r), append(e.facts, fact)
		e.words = append(e.words, ledger.NormalWords(entry.Issue))
	}
	return e
}

// earlier holds the job's violations of earlier iterations. Other types refer to them by index.
type earlier struct {
	known      []ledger.Known
	knownWords []string // normalized
	// elsewhere has the short ids of the violations of earlier runs and of other gates that the prompt
	// named.
	elsewhere map[string]bool
}

func readEarlier(known []ledger.Known, facts ledger.Facts) *earlier {
	e := &earlier{known: slices.Clone(known), elsewhere: map[string]bool{}}
	for i := range e.known {
		k := &e.known[i]
		k.Place, k.Here, k.Moved, k.Further = tidy(k.Place), tidy(k.Here), allTidy(k.Moved), allTidy(k.Further)
		e.knownWords = append(e.knownWords, ledger.NormalWords(k.Issue))
	}
	for _, v := range facts.Earlier {
		e.elsewhere[v.ShortID] = true
	}
	for _, id := range facts.Others {
		e.elsewhere[id] = true
	}
	return e
}

// tidy moves an end that is before the start to the start: deleted lines leave an empty range,
// which would not meet any place.
func tidy(p ledger.Place) ledger.Place {
	if p.WholeFile() {
		return ledger.Place{File: p.File}
	}
	p.End = max(p.Start, p.End)
	return p
}

func allTidy(places []ledger.Place) []ledger.Place {
	places = slices.Clone(places)
	for i := range places {
		places[i] = tidy(places[i])
	}
	return places
}

func name(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// claim reports whether the violation was a claim and has not been skipped since.
func claim(k *ledger.Known) bool { return k.WasClaim && k.Status != ledger.StatusSkipped }

// closed reports whether a report of the violation reopens it.
func closed(k *ledger.Known) bool {
	return k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified || k.Status == ledger.StatusWithdrawn
}

// meets reports whether the violation is now at the place.
func meets(k *ledger.Known, place ledger.Place) bool {
	return k.Here.Meets(place) || slices.ContainsFunc(k.Moved, place.Meets)
}

func (e *entries) undecided(report int) bool { return e.reports[report].Disposition == "" }

// decide gives the report its disposition.
func (e *entries) decide(report int, d ledger.Disposition, reason string) {
	e.reports[report].Disposition, e.reports[report].Reason = d, reason
}

// merge merges entries with equal words at one place, unless they name different violations. The
// remaining entry has the highest priority of them, their ID and all their places.
func (e *entries) merge() {
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
		e.facts[n].Also = append(e.alsoFacts(n), e.alsoFacts(i)...)
		first.Also = append(first.Also, r.Also...)
		e.facts[n].InRange = e.facts[n].InRange || e.facts[i].InRange
		e.decide(i, ledger.Merged, fmt.Sprintf("the same as violation %d of this answer", first.Position))
	}
}

// alsoFacts returns the facts about all further places of a report.
func (e *entries) alsoFacts(report int) []ledger.EntryFacts {
	facts := e.facts[report].Also
	for len(facts) < len(e.reports[report].Also) {
		facts = append(facts, ledger.EntryFacts{InRange: true})
	}
	return facts[:len(e.reports[report].Also)]
}

// order returns the undecided reports, sorted by content, so that their order in the answer does
// not matter.
func (e *entries) order() []int {
	var ordered []int
	for i := range e.reports {
		if e.undecided(i) {
			ordered = append(ordered, i)
		}
	}
	slices.SortStableFunc(ordered, func(a, b int) int {
		x, y := &e.reports[a], &e.reports[b]
		return cmp.Or(cmp.Compare(x.Priority.Rank(), y.Priority.Rank()), cmp.Compare(x.Place.File, y.Place.File),
			cmp.Compare(x.Place.Start, y.Place.Start), cmp.Compare(x.Place.End, y.Place.End),
			cmp.Compare(e.words[a], e.words[b]), cmp.Compare(x.SameAs, y.SameAs))
	})
	return ordered
}
