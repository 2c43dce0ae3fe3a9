package store_test

import (
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	quality = "review:src:code-quality"
	lint    = "check:src:lint"
)

const (
	pass    = ledger.SlotPass
	fail    = ledger.SlotFail
	erred   = ledger.SlotError
	skipped = ledger.SlotSkipped
)

func at(file string, lines ...int) ledger.Place {
	switch len(lines) {
	case 0:
		return ledger.Place{File: file}
	case 1:
		return ledger.Place{File: file, Start: lines[0], End: lines[0]}
	}
	return ledger.Place{File: file, Start: lines[0], End: lines[1]}
}

func entry(place ledger.Place, issue string, priority ledger.Priority) ledger.Entry {
	return ledger.Entry{Place: place, Issue: issue, Priority: priority}
}

func malformed(place ledger.Place, issue string, missing ...string) ledger.Entry {
	return ledger.Entry{Place: place, Issue: issue, Priority: ledger.High, Missing: missing}
}

// factsOf returns facts in which lines 1 to 100 of any file except "old.go" are in the diff, line 7
// was changed since the last answer, and all violations are where they were.
func factsOf(entries []ledger.Entry, violations []ledger.Violation) ledger.Facts {
	facts := ledger.Facts{Whereabouts: map[string]ledger.Whereabouts{}}
	for _, e := range entries {
		facts.Entries = append(facts.Entries, ledger.EntryFacts{InRange: changed(e.Place), InFixLines: e.Place.Start == 7})
	}
	for _, v := range violations {
		facts.Whereabouts[v.ID] = ledger.Whereabouts{Here: v.Place}
	}
	return facts
}

func changed(p ledger.Place) bool { return p.File != "old.go" && p.Start <= 100 }

func words(s string) *string { return &s }

// about returns the entry, which names the violation.
func about(v ledger.Violation, e ledger.Entry) ledger.Entry {
	e.SameAs = v.ShortID
	return e
}
