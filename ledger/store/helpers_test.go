package store_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
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

// review begins an iteration of a code review whose findings are handed in, one gate for each domain.
// The function that it returns records them.
func review(t *testing.T, l *store.Store, run string, source ledger.Source, findings []verdict.FindingEntry) (r *store.Recorder, record func()) {
	t.Helper()
	var plans []ledger.GatePlan
	var answers []store.SlotAnswer
	for _, domain := range verdict.Domains(findings) {
		job := verdict.FindingsJob(domain)
		plans = append(plans, ledger.GatePlan{
			Job: job, Kind: ledger.KindReview, EntryPoint: ".", Name: domain, NumReviews: 1,
			Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: store.FindingsAdapter, Reviewed: "tree"}},
		})
		answer := store.SlotAnswer{SlotCall: ledger.SlotCall{Job: job, Slot: 1, Adapter: store.FindingsAdapter}, Domain: domain}
		for _, f := range findings {
			if f.Domain == domain {
				answer.Answer.Entries = append(answer.Answer.Entries, verdict.ReportedEntries(f, ledger.Violation{})...)
			}
		}
		for i := range answer.Answer.Entries {
			answer.Answer.Entries[i].Position = i + 1
		}
		answers = append(answers, answer)
	}
	r = must(l.BeginIteration(t.Context(), run, ledger.Iteration{Number: 1, Mode: ledger.ModeFirst, Source: source}, plans))(t)
	return r, func() {
		t.Helper()
		must(r.RecordReview(t.Context(), answers))(t)
		for _, a := range answers {
			if err := r.FinishReview(t.Context(), a.Job, ledger.GateFailed, "", 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}
