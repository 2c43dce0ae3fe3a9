package team_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// formed returns a ledger in which every violation has everything that an answer can say about it.
// Some of the open ones are said to be gone, by some reviewers before they were last reported.
func formed(t *testing.T) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 50, Iterations: 2, Violations: 10}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	if _, err := handle.ExecContext(t.Context(), `
		UPDATE violations SET seen_before = 'seen' || id WHERE id % 3 = 0;
		INSERT INTO violation_reporters (violation_id, slot) SELECT v.id, v.slot + n.value FROM violations AS v, json_each('[1, 2]') AS n;
		INSERT INTO report_places (report_id, position, file, line_start, line_end)
		SELECT r.id, n.value, 'docs/"' || r.id || '.md', n.value - 1, n.value + 3 FROM reports AS r, json_each('[1, 2]') AS n WHERE r.id % 2 = 0;
		INSERT INTO gone_words (violation_id, slot_id, evidence)
		SELECT v.id, s.id, 'removed, says ' || s.id FROM violations AS v
		JOIN iterations AS i ON i.run_id = v.run_id
		JOIN slots AS s ON s.iteration_id = i.id AND s.job_id = v.job_id;
		INSERT INTO slot_notes (slot_id, notes) SELECT s.id, 'The parser of slot ' || s.id || ' is "hard" to read' FROM slots AS s WHERE s.status IN ('pass', 'fail');
		INSERT INTO slot_calls (slot_id, call, part, repair, misfit) SELECT s.id, 2, 1, 1, 'no object' FROM slots AS s;
		UPDATE slots SET repairs = id % 3;
		UPDATE slots SET finished_at = '2026-02-03T04:05:06.000Z' WHERE id % 4 = 0 AND finished_at IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// A team store answers what answers say about violations as the ledger does.
func TestFormsAreThoseOfTheLedger(t *testing.T) {
	t.Parallel()
	l := formed(t)
	s := pushed(t, migrated(t), l)
	ctx := t.Context()
	all := answers(t, "violations", func(q questions) ([]ledger.ListedViolation, error) {
		return q.Violations(ctx, ledger.ViolationFilter{})
	}, l, s)
	gone, open := 0, 0
	for _, v := range all {
		if v.Status.Open() {
			open++
		}
		if v.Gone.By != "" {
			gone++
		}
		if len(v.MoreSlots) != 2 {
			t.Errorf("%s: reporters %v", v.ShortID, v.MoreSlots)
		}
	}
	if gone == 0 || gone > open {
		t.Errorf("%d of %d open violations are said to be gone", gone, open)
	}
	answers(t, "discarded", func(q questions) ([]ledger.Report, error) {
		found, err := q.Discarded(ctx, ledger.ViolationFilter{}, nil)
		for i := range found {
			found[i].Cursor = ""
		}
		return found, err
	}, l, s)
	for words, want := range map[string]bool{"parser": true, "pars*": true, `"hard to read"`: true, "parser -slot": false, "nosuch": false} {
		q := must(ledger.ParseSearch(words, nil))(t)
		for name, f := range map[string]ledger.ViolationFilter{
			"all": {}, "run": {Run: all[0].Run}, "gate": {Gate: all[0].Gate, Adapter: all[0].Adapter}, "slot": {Slot: 1, Iteration: 2},
			"old": {Reported: ledger.Period{Until: all[30].FirstSeen}}, "status": {Statuses: []ledger.Status{ledger.StatusNew}},
		} {
			found := func(q1 questions) []ledger.SearchHit { return must(q1.Search(ctx, q, f))(t) }
			mine, theirs := found(l), found(s)
			byAddress := cmpopts.SortSlices(func(a, b ledger.SearchHit) bool {
				return ledger.SlotName(a.Notes.Run, a.Notes.Ref) < ledger.SlotName(b.Notes.Run, b.Notes.Ref)
			})
			if d := gocmp.Diff(mine, theirs, local, byAddress); d != "" {
				t.Errorf("%s, %s (-ledger +team):\n%s", words, name, d)
			}
			if got := len(mine) > 0; got != (want && name != "status") {
				t.Errorf("%s, %s: %d hits", words, name, len(mine))
			}
		}
	}
	for name, f := range map[string]ledger.StatisticsFilter{
		"all": {}, "run": {Run: all[0].Run}, "adapter": {Adapter: all[0].Adapter}, "gate": {Gate: all[0].Gate}, "new": {Period: ledger.Period{Since: all[30].FirstSeen}},
	} {
		repairs := func(ask func(context.Context, ledger.StatisticsFilter) (ledger.Statistics, error)) map[string]int {
			n := map[string]int{}
			statistics := must(ask(ctx, f))(t)
			for _, a := range append(statistics.Adapters, statistics.Models...) {
				n[a.Adapter+" "+a.Model] = a.Repairs
			}
			return n
		}
		if d := gocmp.Diff(repairs(l.Statistics), repairs(s.Statistics)); d != "" {
			t.Errorf("repairs, %s (-ledger +team):\n%s", name, d)
		}
	}
}
