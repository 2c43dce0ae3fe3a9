package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// now returns when the ledgers of these tests were last written.
func now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) } // a Friday

// answeredAgain returns a ledger in which some violations are claimed and skipped again on other
// days: a few in the same week, others in the next one.
func answeredAgain(t *testing.T, again ...time.Duration) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 200, Iterations: 2, Violations: 8}, now()); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	const answer = `INSERT INTO events (violation_id, number, iteration_id, status, actor, result, at)
		SELECT v.id, (SELECT max(e.number) + 1 FROM events AS e WHERE e.violation_id = v.id), 1, ?1, 'human', 'done',
			strftime('%Y-%m-%dT%H:%M:%fZ', v.first_seen, ?2)
		FROM violations AS v WHERE v.status <> 'verified' AND v.id % 3 = ?3 AND v.id > 1200`
	for i, later := range again {
		status := []string{"skipped", "fixed"}[i%2]
		if _, err := handle.ExecContext(t.Context(), answer, status, fmt.Sprintf("%d hours", int(later.Hours())), i%3); err != nil {
			t.Fatal(err)
		}
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// Each number of a week is the number of violations that its filter lists, whichever part of a week
// the period contains, and however often a violation had the same event.
func TestWeeksCountWhatTheirFiltersList(t *testing.T) {
	t.Parallel()
	l := answeredAgain(t, 26*time.Hour, 30*time.Hour, 50*time.Hour, 5*time.Hour, 100*time.Hour, 170*time.Hour)
	ago := func(days, hours int) time.Time { return now().Add(-time.Duration(24*days+hours) * time.Hour) }
	unfinished := 0
	for name, f := range map[string]figures.Filter{
		"all":                   {},
		"since":                 {Period: ledger.Period{Since: ago(18, 5)}},
		"since a midnight":      {Period: ledger.Period{Since: ago(9, 0).Truncate(24 * time.Hour)}},
		"until":                 {Period: ledger.Period{Since: ago(60, 0), Until: ago(6, 0)}},
		"within a week":         {Period: ledger.Period{Since: ago(11, 1), Until: ago(8, -1)}},
		"two days":              {Period: ledger.Period{Since: ago(10, 0), Until: ago(9, 0)}},
		"within a day":          {Period: ledger.Period{Since: ago(10, 2), Until: ago(10, -2)}},
		"of an adapter":         {Period: ledger.Period{Since: ago(17, 3), Until: ago(4, 0)}, Adapter: "codex"},
		"of a gate":             {Period: ledger.Period{Since: ago(17, 3)}, Gate: "quality"},
		"of a repository":       {Period: ledger.Period{Since: ago(17, 3)}, Repository: ledger.UnknownRepository},
		"of no such repository": {Period: ledger.Period{Since: ago(17, 3)}, Repository: "nosuch"},
	} {
		f.Sections = []figures.Section{figures.SectionWeeks}
		s, err := l.Statistics(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, p := range s.Weeks {
			for _, count := range []ledger.Count{p.New, p.Reopened, p.Verified, p.Skipped, p.Withdrawn, p.Claimed, p.Disputed, p.Duplicate} {
				listed, err := l.Violations(t.Context(), count.Filter)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if len(listed) != count.Violations {
					t.Errorf("%s: %d violations had %+v, and %d are listed", name, count.Violations, count.Filter.Events, len(listed))
				}
				if p.Partial && count.Violations > 0 {
					unfinished++
				}
			}
		}
	}
	if unfinished < 20 {
		t.Errorf("only %d numbers are of a part of a week", unfinished)
	}
}

// What a part of a day adds to figures is the same whichever part is read, and with the rest of the
// day it adds up to the whole.
func TestPartsOfDaysAddUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 200, Iterations: 4, Violations: 16}, now()); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	figures := func(p ledger.Period) (n []int) {
		s, err := l.Statistics(t.Context(), figures.Filter{Period: p, Sections: []figures.Section{figures.SectionTotals, figures.SectionReviewers}})
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range []ledger.Count{s.Violations, s.Open, s.Verified, s.Skipped, s.Abandoned} {
			listed, err := l.Violations(t.Context(), count.Filter)
			if err != nil {
				t.Fatal(err)
			}
			if len(listed) != count.Violations {
				t.Errorf("%+v: %d violations, and %d are listed", count.Filter, count.Violations, len(listed))
			}
			n = append(n, count.Violations)
		}
		answers := 0
		for _, a := range s.Adapters {
			answers += a.Took.N
		}
		return append(n, s.Confirmed, s.Contradicted, s.Cost.Calls, s.Cost.Known, answers)
	}
	began := now().AddDate(0, 0, -5)
	since, until := now().AddDate(0, 0, -20), now().AddDate(0, 0, -1)
	whole := figures(ledger.Period{Since: since, Until: until})
	if whole[0] == 0 || whole[5] == 0 || whole[9] == 0 {
		t.Fatalf("there are no figures: %d", whole)
	}
	for _, after := range []time.Duration{-time.Hour, 90 * time.Second, 150 * time.Second, 20 * time.Hour} {
		for _, length := range []time.Duration{100 * time.Second, 22 * time.Hour} {
			a, b := began.Add(after), began.Add(after+length)
			parts := [][]int{figures(ledger.Period{Since: since, Until: a}), figures(ledger.Period{Since: a, Until: b}), figures(ledger.Period{Since: b, Until: until})}
			for i, want := range whole {
				if got := parts[0][i] + parts[1][i] + parts[2][i]; got != want {
					t.Errorf("figure %d of the parts from %s to %s: %d instead of %d", i, a, b, got, want)
				}
			}
		}
	}
}
