package ledger_test

import (
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// What a report that filters removed does not have, nobody looks for among such reports.
func TestOnlyViolations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   bool
	}{
		"nothing":     {ledger.ViolationFilter{}, false},
		"a place":     {ledger.ViolationFilter{Run: "r", File: "f", Gate: "g", Adapter: "a", Iteration: 1, Slot: 1}, false},
		"priority":    {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.High}}, false},
		"times":       {ledger.ViolationFilter{Events: ledger.EventFilter{Iteration: 1}}, false},
		"status":      {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew}}, true},
		"reason":      {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.Deferred}}, true},
		"actor":       {ledger.ViolationFilter{Actors: []ledger.Actor{ledger.ActorHuman}}, true},
		"event":       {ledger.ViolationFilter{Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed}}}, true},
		"recurring":   {ledger.ViolationFilter{Recurring: true}, true},
		"fingerprint": {ledger.ViolationFilter{Fingerprint: "x"}, true},
		"alone":       {ledger.ViolationFilter{Alone: true}, true},
		"fix lines":   {ledger.ViolationFilter{InFixLines: true}, true},
	} {
		if got := test.filter.OnlyViolations(); got != test.want {
			t.Errorf("%s: %t", name, got)
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
