package store_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// target is the short id of the violation that [twoViolations] changes.
const target = "00000001"

// twoViolations returns a ledger with the target and another violation, changed by the statements.
func twoViolations(t *testing.T, statements ...string) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 1, Iterations: 1, Violations: 2}, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	handle, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := handle.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// holds reports whether the filter lists the target.
func holds(t *testing.T, l *store.Store, f ledger.ViolationFilter) (bool, error) {
	t.Helper()
	found, err := l.Violations(t.Context(), f)
	return slices.Contains(shortIDs(found), target), err
}

// Each condition of a filter excludes what does not meet it.
func TestEachConditionOfAFilter(t *testing.T) {
	t.Parallel()
	l := twoViolations(t, `UPDATE violations SET status = 'skipped', priority = 'low', adapter = 'claude', slot = 2, first_iteration = 2,
		file = 'src/a/b.go', fingerprint = 'f', shared = 1, in_fix_lines = 0, reason = NULL,
		first_seen = '2026-01-02T00:00:00.000Z' WHERE id = 1`,
		`UPDATE jobs SET name = 'g', entry_point = 'e'`)
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	later := ledger.Period{Since: at.Add(time.Millisecond)}
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	changed := all[slices.Index(shortIDs(all), target)].StatusAt
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   bool
	}{
		"nothing":               {ledger.ViolationFilter{}, true},
		"run":                   {ledger.ViolationFilter{Run: all[0].Run}, true},
		"status":                {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusSkipped}}, true},
		"other status":          {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew}}, false},
		"other priority":        {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.High}}, false},
		"path":                  {ledger.ViolationFilter{File: "src/a/b.go"}, true},
		"pattern":               {ledger.ViolationFilter{File: "src/**"}, true},
		"one star":              {ledger.ViolationFilter{File: "src/*"}, false},
		"braces":                {ledger.ViolationFilter{File: "src/a/{b,c}.go"}, true},
		"other gate":            {ledger.ViolationFilter{Gate: "h"}, false},
		"other entry":           {ledger.ViolationFilter{EntryPoint: "x"}, false},
		"other adapter":         {ledger.ViolationFilter{Adapter: "codex"}, false},
		"slot":                  {ledger.ViolationFilter{Slot: 2}, true},
		"other slot":            {ledger.ViolationFilter{Slot: 1}, false},
		"folder":                {ledger.ViolationFilter{File: "src/a/**"}, true},
		"other folder":          {ledger.ViolationFilter{File: "src/ab/**"}, false},
		"no reason":             {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.NoReason}}, true},
		"other reason":          {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.StyleOnly}}, false},
		"iteration":             {ledger.ViolationFilter{Iteration: 2}, true},
		"other iteration":       {ledger.ViolationFilter{Iteration: 1}, false},
		"changed":               {ledger.ViolationFilter{Changed: ledger.Period{Since: changed, Until: changed.Add(time.Millisecond)}}, true},
		"changed until":         {ledger.ViolationFilter{Changed: ledger.Period{Until: changed}}, false},
		"changed later":         {ledger.ViolationFilter{Changed: ledger.Period{Since: changed.Add(time.Millisecond)}}, false},
		"reported later":        {ledger.ViolationFilter{Reported: later}, false},
		"fingerprint":           {ledger.ViolationFilter{Fingerprint: "f"}, true},
		"other print":           {ledger.ViolationFilter{Fingerprint: "x"}, false},
		"recurring":             {ledger.ViolationFilter{Recurring: true}, false},
		"alone":                 {ledger.ViolationFilter{Alone: true}, false},
		"in lines of fix":       {ledger.ViolationFilter{InFixLines: true}, false},
		"skipped, no duplicate": {ledger.ViolationFilter{NoDuplicates: true, Statuses: []ledger.Status{ledger.StatusSkipped, ledger.StatusDuplicate}}, true},
		"escaped own name":      {ledger.ViolationFilter{File: ledger.EscapePattern("src/a/b.go")}, true},
	} {
		if got, err := holds(t, l, test.filter); err != nil || got != test.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A file is found by its name, even if the name contains characters that are special in patterns.
func TestFilesAreFoundByTheirEscapedNames(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"a*b", "a?b", "a[b]", "{a,b}", `a\b`, "a b", "x/**", "/**"} {
		l := twoViolations(t, "UPDATE violations SET file = '"+file+"' WHERE id = 1")
		f := ledger.ViolationFilter{File: ledger.EscapePattern(file)}
		if found, err := holds(t, l, f); err != nil || !found {
			t.Errorf("%q does not match itself as %q: %v", file, f.File, err)
		}
	}
}

// An event matches only if it is the violation's own and has the status, the time and the
// iteration, all at once.
func TestViolationsByTheirEvents(t *testing.T) {
	t.Parallel()
	l := twoViolations(t)
	history, err := l.History(t.Context(), target)
	if err != nil || len(history.Events) < 2 {
		t.Fatalf("%+v, %v", history.Events, err)
	}
	for _, e := range history.Events {
		own := ledger.EventFilter{Statuses: []ledger.Status{e.Status}, At: ledger.Period{Since: e.At, Until: e.At.Add(time.Millisecond)}, Iteration: e.Iteration}
		for name, test := range map[string]struct {
			change func(*ledger.EventFilter)
			want   bool
		}{
			"itself":          {func(*ledger.EventFilter) {}, true},
			"at any time":     {func(f *ledger.EventFilter) { f.At = ledger.Period{} }, true},
			"any iteration":   {func(f *ledger.EventFilter) { f.Iteration = 0 }, true},
			"several words":   {func(f *ledger.EventFilter) { f.Statuses = ledger.Statuses() }, true},
			"later":           {func(f *ledger.EventFilter) { f.At.Since = f.At.Until; f.At.Until = time.Time{} }, false},
			"other iteration": {func(f *ledger.EventFilter) { f.Iteration = 9 }, false},
		} {
			f := ledger.ViolationFilter{Events: own}
			test.change(&f.Events)
			if found, err := holds(t, l, f); err != nil || found != test.want {
				t.Errorf("%s, %s: %v, %v", e.Status, name, found, err)
			}
		}
	}
	never := ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusReopened}, At: ledger.Period{Since: history.Events[0].At}}
	if found, err := holds(t, l, ledger.ViolationFilter{Events: never}); err != nil || found {
		t.Errorf("reopened: %v, %v", found, err)
	}
}
