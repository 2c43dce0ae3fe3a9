package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// generated returns a ledger of violations whose issues contain the number of the violation.
func generated(t testing.TB, size storetest.Size) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func search(t testing.TB, l *store.Store, query string, f ledger.ViolationFilter) (found []ledger.ListedViolation) {
	t.Helper()
	q, err := ledger.ParseSearch(query, nil)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := l.Search(t.Context(), q, f)
	if n, countErr := l.CountHits(t.Context(), q, f); f.After == "" && (n != len(hits) || countErr != nil) {
		t.Errorf("%s: %d are counted, %d found (error %v)", query, n, len(hits), countErr)
	}
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	for _, h := range hits {
		found = append(found, *h.Violation)
	}
	return found
}

// Whether matches are checked against the filter or what the filter keeps is looked up in the
// index, a search finds exactly what meets both conditions, and with a limit that many of it.
func TestSearchFindsWhatTheFilterKeeps(t *testing.T) {
	t.Parallel()
	l := generated(t, storetest.Size{Runs: 60, Iterations: 2, Violations: 20})
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 1200 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	for query, has := range map[string]func(v ledger.ListedViolation) bool{
		"error":           func(ledger.ListedViolation) bool { return true },
		"error -handled":  func(ledger.ListedViolation) bool { return false },
		`"ERROR of call"`: func(ledger.ListedViolation) bool { return true },
		`"of error"`:      func(ledger.ListedViolation) bool { return false },
		"unnoticed 1134":  func(v ledger.ListedViolation) bool { return strings.Contains(v.Issue, " 1134 ") },
		"call 12*":        func(v ledger.ListedViolation) bool { return strings.Contains(v.Issue, "call 12") },
		"error -1* -2*": func(v ledger.ListedViolation) bool {
			return !strings.Contains(v.Issue, "call 1") && !strings.Contains(v.Issue, "call 2")
		},
		"nosuch":            func(ledger.ListedViolation) bool { return false },
		"done handle error": func(v ledger.ListedViolation) bool { return v.Result == "done" }, // words of the issue, the fix and the result
	} {
		for name, f := range map[string]ledger.ViolationFilter{
			"all": {}, "run": {Run: all[750].Run}, "file": {File: all[500].Place.File}, "folder": {File: "src/module1*/*.go"},
			"no file": {File: "nosuch"}, "skipped": {Statuses: []ledger.Status{ledger.StatusSkipped}},
			"high": {Priorities: []ledger.Priority{ledger.High}}, "old": {Reported: ledger.Period{Until: all[1000].FirstSeen}},
			"gate": {Gate: "quality", Adapter: "codex"}, "no gate": {Gate: "nosuch"},
		} {
			var want []string
			for _, v := range all {
				if has(v) && keeps(f, v) {
					want = append(want, v.ShortID)
				}
			}
			slices.Sort(want)
			found := shortIDs(search(t, l, query, f))
			slices.Sort(found)
			if d := cmp.Diff(want, found); d != "" && len(want)+len(found) > 0 {
				t.Errorf("%s, %s (-want +got):\n%s", query, name, d)
			}
			f.Limit = 20
			few := shortIDs(search(t, l, query, f))
			if len(few) != min(20, len(want)) || slices.ContainsFunc(few, func(id string) bool { return !slices.Contains(want, id) }) {
				t.Errorf("%s, %s: of %d, the limit left %q", query, name, len(want), few)
			}
		}
	}
}

// Pages that follow each other make up the whole list, best first.
func TestPagesOfASearch(t *testing.T) {
	t.Parallel()
	l := generated(t, storetest.Size{Runs: 6, Iterations: 2, Violations: 20})
	f := ledger.ViolationFilter{}
	whole := shortIDs(search(t, l, "call 1* error", f))
	var paged []string
	q, err := ledger.ParseSearch("call 1* error", nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Limit = 7
	for {
		hits, err := l.Search(t.Context(), q, f)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 {
			break
		}
		for _, h := range hits {
			paged = append(paged, h.Violation.ShortID)
		}
		f.After = hits[len(hits)-1].Cursor
	}
	if d := cmp.Diff(whole, paged); d != "" || len(whole) < 20 {
		t.Errorf("of %d (-whole +pages):\n%s", len(whole), d)
	}
	for _, cursor := range []string{"zzz", "?", lists.Cursor(ledger.SortNewest, ledger.ListedViolation{})} {
		if _, err := l.Search(t.Context(), q, ledger.ViolationFilter{After: cursor}); !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// A query of many words works like any other.
func TestLongSearch(t *testing.T) {
	t.Parallel()
	l := generated(t, storetest.Size{Runs: 1, Iterations: 1, Violations: 4})
	var all, none strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&all, " word%d", n)
		fmt.Fprintf(&none, " -word%d", n)
	}
	if found := search(t, l, "error"+none.String(), ledger.ViolationFilter{}); len(found) != 4 {
		t.Errorf("without many words: %d found", len(found))
	}
	if found := search(t, l, "error"+all.String(), ledger.ViolationFilter{}); len(found) != 0 {
		t.Errorf("with many words: %d found", len(found))
	}
}

// FuzzSearch searches for anything: no query is a syntax error.
func FuzzSearch(f *testing.F) {
	for _, query := range []string{`error`, `"a phrase" b* -c`, `"`, `""`, `-`, `*`, `(`, `NEAR(a b, 3)`, `issue : x`, `a AND (b`, `{issue}: x`, "\x00", "é́", `-"`, `a*"b"*`, "\xff\xfe"} {
		f.Add(query, "")
	}
	l := generated(f, storetest.Size{Runs: 1, Iterations: 1, Violations: 2})
	f.Fuzz(func(t *testing.T, query, without string) {
		q, err := ledger.ParseSearch(query, []string{without})
		if err != nil {
			return
		}
		if _, err := l.Search(t.Context(), q, ledger.ViolationFilter{Limit: 5}); err != nil {
			t.Errorf("%q without %q: %v", query, without, err)
		}
	})
}
