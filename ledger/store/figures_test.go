package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// generatedLedger returns the path of a generated ledger.
func generatedLedger(t *testing.T, size storetest.Size) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, now()); err != nil {
		t.Fatal(err)
	}
	return path
}

// special makes of a generated ledger what generated ones do not have: executions of a check, a slot
// that was not asked, a tool, disputes, a filtered report that was taken up, and two repositories.
const special = `
	DROP TRIGGER events_are_never_changed; DROP TRIGGER events_stay_with_their_run; DROP TRIGGER events_follow_the_rules;
	INSERT INTO gates (iteration_id, job_id, status, command, duration_ms) VALUES
		(1, 2, 'passed', 'old', 100), (2, 2, 'failed', 'new', 200), (3, 2, 'passed', 'old', 300), (4, 2, 'error', NULL, 400), (5, 2, 'passed', 'old', 501), (6, 2, 'not_run', NULL, 0);
	UPDATE iterations SET tree = 't' || ((id + 1) / 2);
	UPDATE slots SET duration_ms = 1000 + id;
	UPDATE slots SET reopened = 2 WHERE id = 1;
	UPDATE slots SET reopened = 1 WHERE id = 3;
	UPDATE slots SET status = 'skipped_prior_pass', pass_iteration = 1 WHERE id = 4;
	UPDATE slots SET cost_usd = 0, input_tokens = NULL, output_tokens = NULL WHERE id = 5;
	UPDATE slots SET cost_usd = NULL, model = NULL WHERE id = 6;
	DELETE FROM events WHERE violation_id IN (1, 3);
	UPDATE violations SET slot = 3 WHERE id = 3; -- its slot is gone
	INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
	SELECT v.id, e.column1, v.first_iteration, e.column2, 'reviewer', v.first_seen
	FROM violations AS v, (VALUES (1, 'new'), (2, 'disputed'), (3, 'reopened')) AS e WHERE v.id IN (1, 3);
	UPDATE events SET actor = 'human' WHERE violation_id = 2 AND number = 1;
	INSERT INTO repositories (id, kind, key) VALUES (2, 'origin', 'host/a'), (3, 'origin', 'host/b');
	UPDATE runs SET repository_id = 2 WHERE id = 3;
	UPDATE violations SET fingerprint = 'f1', file = 'f.go' WHERE id IN (1, 2, 5, 9);
	UPDATE violations SET status = 'duplicate', result = short_id WHERE id = 5;
	UPDATE violations SET shared = 1 WHERE id = 1;`

// Figures that are joins and percentiles, counted by hand.
func TestFiguresByHand(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 3, Iterations: 2, Violations: 4})
	if _, err := rows(t, path).Exec(special); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{Now: now}))(t)
	defer l.Close()
	s := must(l.Statistics(t.Context(), figures.Filter{}))(t)
	got := []string{
		fmt.Sprint("contradicted ", s.Contradicted, ", saved ", s.Saved, ", cost ", s.Cost.Known, "/", s.Cost.Calls),
		fmt.Sprint("passed ", s.Passed, "/", s.Runs, " ", s.IterationsToPass, " ", s.TimeToPass),
	}
	for _, a := range s.Adapters {
		got = append(got, fmt.Sprint(a.Adapter, ": ", a.Took, ", taken up ", a.TakenUp))
	}
	for _, m := range s.Models {
		got = append(got, fmt.Sprint(m.Model, ": ", m.Took))
	}
	for _, c := range s.Checks {
		got = append(got, fmt.Sprint(c.Job, " ", c.Command, " ", c.Failures, "/", c.Executions, " ", c.Took, ", flaky ", c.Flaky))
		for _, e := range c.Last {
			got = append(got, fmt.Sprint(e.Iteration, " ", e.Status))
		}
		for _, w := range c.Weeks {
			if w.Executions > 0 {
				got = append(got, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Failures, "/", w.Executions, " ", w.Took))
			}
		}
	}
	for _, f := range s.Flaky {
		got = append(got, fmt.Sprint(f.Job, " on ", f.Tree, ": ", f.First.Status, " then ", f.Then.Status))
	}
	for _, r := range s.Recurring {
		got = append(got, fmt.Sprint(r.Fingerprint, " in ", r.Repository, ": ", r.Runs, " runs, ", r.Violations.Violations, ", latest ", r.Latest))
	}
	for _, f := range s.Files {
		if f.File == "f.go" {
			got = append(got, fmt.Sprint(f.File, " in ", f.Repository, ": ", f.Violations.Violations, ", reopened ", f.Reopened.Violations, ", runs ", f.Runs, " ", f.Weeks))
		}
	}
	want := []string{
		"contradicted 1, saved {1 12800 0.02}, cost 10/11",
		"passed 3/3 map[2:3] {3 1h0m0s 1h0m0s}",
		"claude: {3 1.005s 1.007s}, taken up 1", "codex: {4 1.008s 1.011s}, taken up 0", "gemini: {4 1.003s 1.012s}, taken up 0",
		"model-1: {10 1.007s 1.011s}", "unknown: {1 1.006s 1.006s}",
		"check:src:lint new 2/5 {5 300ms 501ms}, flaky 1", "1 passed", "1 passed", "2 error", "1 passed", "2 failed",
		"2025-11-17 2/5 {5 300ms 501ms}",
		"check:src:lint on t1: passed then failed",
		"f1 in unknown: 2 runs, 2, latest 00000002",
		"f.go in unknown: 2, reopened 1, runs 1 [0 0 0 0 0 2 0 0 0 0 0 0]", "f.go in host/a: 1, reopened 0, runs 1 [0 0 0 0 0 1 0 0 0 0 0 0]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A section is the same alone as with the others.
func TestASectionAlone(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 3, Iterations: 2, Violations: 4})
	if _, err := rows(t, path).Exec(special); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{Now: now}))(t)
	defer l.Close()
	all := must(l.Statistics(t.Context(), figures.Filter{}))(t)
	for section, part := range map[figures.Section]func(figures.Statistics) any{
		figures.SectionTotals: func(s figures.Statistics) any {
			return []any{s.Outcomes, s.Confirmed, s.Cost, s.Iterations, s.Gates, s.Priorities}
		},
		figures.SectionSlots:     func(s figures.Statistics) any { return []any{s.Confirmed, s.Contradicted, s.Saved, s.Cost} },
		figures.SectionReviewers: func(s figures.Statistics) any { return []any{s.Adapters, s.Models, s.Overlaps} },
		figures.SectionRuns:      func(s figures.Statistics) any { return []any{s.Runs, s.Passed, s.IterationsToPass, s.TimeToPass} },
		figures.SectionWeeks:     func(s figures.Statistics) any { return s.Weeks },
		figures.SectionFiles:     func(s figures.Statistics) any { return s.Files },
		figures.SectionRecurring: func(s figures.Statistics) any { return s.Recurring },
		figures.SectionChecks:    func(s figures.Statistics) any { return []any{s.Checks, s.Flaky} },
		figures.SectionVerdicts:  func(s figures.Statistics) any { return s.Verdicts },
	} {
		alone := figures.Filter{Sections: []figures.Section{section}}
		s := must(l.Statistics(t.Context(), alone))(t)
		if d := cmp.Diff(part(all), part(s)); d != "" {
			t.Errorf("%s (-among all +alone):\n%s", section, d)
		}
		if section != figures.SectionVerdicts && cmp.Equal(part(all), part(figures.New(figures.Filter{}))) {
			t.Errorf("%s is empty", section)
		}
	}
}
