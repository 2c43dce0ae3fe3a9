package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Each facet counts exactly what its filter lists.
func TestFacetsCountWhatTheirFiltersList(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 60, Iterations: 2, Violations: 12}, now); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 720 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	for name, f := range map[string]ledger.ViolationFilter{
		"all": {}, "abandoned": {Statuses: []ledger.Status{ledger.ShownAbandoned}},
		"two statuses":        {Statuses: []ledger.Status{ledger.StatusVerified, ledger.ShownAbandoned}},
		"priority":            {Priorities: []ledger.Priority{ledger.High, ledger.Low}},
		"gate":                {EntryPoint: "src", Gate: "quality"},
		"no such gate":        {Gate: "nosuch"},
		"adapter and alone":   {Adapter: "codex", Alone: true},
		"recurring":           {Recurring: true},
		"in fix lines":        {InFixLines: true},
		"folder":              {File: "src/**", Statuses: []ledger.Status{ledger.StatusSkipped}},
		"skipped without":     {Reasons: []ledger.SkipReason{ledger.NoReason}, Iteration: 2},
		"reported":            {Reported: ledger.Period{Since: all[360].FirstSeen, Until: all[72].FirstSeen}},
		"model of repository": {Model: "model-1", Repository: ledger.UnknownRepository},
		"run":                 {Run: all[10].Run},
		"branch":              {Branch: "feature-3", Statuses: []ledger.Status{ledger.StatusVerified}},
		"deep folder":         {File: "src/module3/**"},
		"with an event":       {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusNew}}},
		"slot of an adapter":  {Slot: 2, Adapter: "gemini", Changed: ledger.Period{Since: all[240].StatusAt}},
	} {
		facets, err := l.Facets(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if facets.Unknown {
			t.Errorf("%s: too many to count", name)
		}
		counts := []ledger.Count{facets.Violations, *facets.Recurring, *facets.Alone, *facets.InFixLines}
		for _, kind := range [][]ledger.Facet{facets.Statuses, facets.Priorities, facets.Gates, facets.Adapters, facets.Folders} {
			for _, facet := range kind {
				if facet.Violations == 0 {
					t.Errorf("%s: %q is a value of none", name, facet.Value)
				}
				counts = append(counts, facet.Count)
			}
		}
		for _, count := range counts {
			if list, err := l.Violations(t.Context(), count.Filter); err != nil || len(list) != count.Violations {
				t.Errorf("%s: %d, and the list of %+v has %d, %v", name, count.Violations, count.Filter, len(list), err)
			}
		}
		if (len(facets.Folders) > 0) != (facets.Violations.Violations > 0 && name != "deep folder") {
			t.Errorf("%s: folders %v", name, facets.Folders)
		}
	}
}
