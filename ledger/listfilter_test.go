package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// A filter by something that discarded reports do not have is only for violations.
func TestOnlyViolations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   bool
	}{
		"every file":  {ledger.ViolationFilter{File: "**"}, false},
		"nothing":     {ledger.ViolationFilter{}, false},
		"a place":     {ledger.ViolationFilter{Run: "r", File: "f", Gate: "g", Adapter: "a", Iteration: 1, Slot: 1}, false},
		"priority":    {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.High}}, false},
		"times":       {ledger.ViolationFilter{Events: ledger.EventFilter{Iteration: 1}}, false},
		"status":      {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew}}, true},
		"reason":      {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.Deferred}}, true},
		"event":       {ledger.ViolationFilter{Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed}}}, true},
		"recurring":   {ledger.ViolationFilter{Recurring: true}, true},
		"fingerprint": {ledger.ViolationFilter{Fingerprint: "x"}, true},
		"problems":    {ledger.ViolationFilter{NoDuplicates: true}, true},
		"alone":       {ledger.ViolationFilter{Alone: true}, true},
		"fix lines":   {ledger.ViolationFilter{InFixLines: true}, true},
	} {
		if got := test.filter.OnlyViolations(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
		// Notes do not have a priority or a file either.
		if got := test.filter.OnlyReports(); got != (test.want || name == "a place" || name == "priority") {
			t.Errorf("%s, of notes: %t", name, got)
		}
	}
}

// A filter by reason keeps only skips, and a filter without duplicates keeps everything else.
func TestShown(t *testing.T) {
	t.Parallel()
	without := slices.DeleteFunc(ledger.ShownStatuses(), func(s ledger.Status) bool { return s == ledger.StatusDuplicate })
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   []ledger.Status
	}{
		"nothing":                {ledger.ViolationFilter{}, nil},
		"statuses":               {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusDuplicate}}, []ledger.Status{ledger.StatusNew, ledger.StatusDuplicate}},
		"a reason":               {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.Deferred}}, []ledger.Status{ledger.StatusSkipped}},
		"a reason and a status":  {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.Deferred}, Statuses: []ledger.Status{ledger.StatusNew}}, []ledger.Status{ledger.StatusNew}},
		"no duplicates":          {ledger.ViolationFilter{NoDuplicates: true}, without},
		"statuses, none of them": {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusDuplicate}, NoDuplicates: true}, []ledger.Status{ledger.StatusNew}},
	} {
		if got := test.filter.Shown(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestPeriodHolds(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		period ledger.Period
		want   bool
	}{
		"open":        {ledger.Period{}, true},
		"begins then": {ledger.Period{Since: at}, true},
		"begins soon": {ledger.Period{Since: at.Add(1)}, false},
		"ends then":   {ledger.Period{Until: at}, false},
		"ends soon":   {ledger.Period{Until: at.Add(1)}, true},
		"holds":       {ledger.Period{Since: at.Add(-1), Until: at.Add(1)}, true},
	} {
		if got := test.period.Holds(at); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
