package team_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// recordedAll returns n runs, whose violations are on the same few lines, and their jobs.
func recordedAll(t testing.TB, n int) (runs []*exchange.Run, jobs []exchange.Job) {
	t.Helper()
	l := generated(t, storetest.Size{Runs: n, Iterations: 2, Violations: 8})
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	for i, r := range outline.Runs {
		run := must(l.Run(t.Context(), r.Run))(t)
		for k := range run.Violations {
			line := fmt.Sprintf("line %d", k+i%2) // the last one of some runs recurs nowhere else, or does
			run.Violations[k].Fingerprint = &line
		}
		runs = append(runs, run)
	}
	return runs, outline.Jobs
}

// putNew pushes records in one batch.
func putNew(t testing.TB, url string, from push.Source, runs []*exchange.Run, jobs []exchange.Job) ([]push.Result, error) {
	t.Helper()
	p := must(opened(t, url).NewPusher(t.Context(), from))(t)
	defer p.Close()
	var all []push.Prepared
	for _, run := range runs {
		all = append(all, must(p.Prepare(run, jobs, nil))(t))
	}
	return p.PushNew(t.Context(), all)
}

// Runs that are pushed in one batch end up as if they had been pushed one by one, in any order.
func TestNewRunsAtOnce(t *testing.T) {
	t.Parallel()
	runs, jobs := recordedAll(t, 6)
	alone, first, rest := migrated(t), migrated(t), migrated(t)
	for _, run := range runs {
		put(t, alone, words("d"), run, jobs)
	}
	reversed := slices.Clone(runs)
	slices.Reverse(reversed)
	for url, batches := range map[string][][]*exchange.Run{first: {reversed}, rest: {runs[:1], runs[1:4], runs[4:]}} {
		for _, batch := range batches {
			for _, result := range must(putNew(t, url, words("d"), batch, jobs))(t) {
				if result != push.Pushed {
					t.Errorf("%d at once: %s", len(batch), result)
				}
			}
			totalsAreRight(t, url)
		}
		if d := gocmp.Diff(rowsOf(t, alone), rowsOf(t, url)); d != "" {
			t.Errorf("(-one by one +in %d batches):\n%s", len(batches), d)
		}
	}
	if n := teamtest.Ask[int](t, first, "SELECT count(*) FROM v_violations WHERE recurring"); n == 0 {
		t.Error("no violation recurs")
	}
}

// A run that the store already has, that was deleted, or that is refused does not keep the others
// out.
func TestNotAllAreNew(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	runs, jobs := recordedAll(t, 6)
	thief := *runs[3]
	thief.Head.Run = "01ZZZZZZZZZZZZZZZZZZZZZZZZ"
	own := func(run *exchange.Run) { // the rows are those in the record
		for i := range run.Violations {
			run.Violations[i].Run = run.Head.Run
		}
	}
	thief.Violations = slices.Clone(thief.Violations)
	thief.Iterations, thief.Gates, thief.Slots, thief.Reports, thief.Events, thief.Transitions, thief.SlotEntries = nil, nil, nil, nil, nil, nil, nil
	own(&thief)
	put(t, url, words("theirs"), &thief, jobs)
	put(t, url, words("d"), runs[1], jobs)
	later := *runs[4]
	put(t, url, words("d"), &later, jobs)
	later.Head.Revision++
	teamtest.Exec(t, url, "INSERT INTO tombstone (kind, key) VALUES ('run', '"+runs[2].Head.Run+"')")
	batch := []*exchange.Run{runs[0], runs[1], runs[2], runs[3], &later, runs[5]}
	want := []push.Result{push.Pushed, push.Unchanged, push.Forgotten, push.Foreign, push.Pushed, push.Pushed}
	got := must(putNew(t, url, words("d"), batch, jobs))(t)
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	totalsAreRight(t, url)
}

// Rows that the server refuses keep out only their own run.
func TestOneRunOfABatchIsRefused(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	runs, jobs := recordedAll(t, 4)
	nowhere := "01ZZZZZZZZZZZZZZZZZZZZZZZZ"
	runs[2].Reports[0].Violation = &nowhere
	got := must(putNew(t, url, words("d"), runs, jobs))(t)
	if d := gocmp.Diff([]push.Result{push.Pushed, push.Pushed, push.Rejected, push.Pushed}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM run"); n != 3 {
		t.Errorf("%d runs", n)
	}
	totalsAreRight(t, url)
}

// A push continues after a run that the server does not accept, names the run with the reason, and
// pushes it later if that is possible.
func TestPushGoesOnAfterARunThatIsRefused(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := generated(t, storetest.Size{Runs: 12, Iterations: 1, Violations: 2})
	runs := must(l.Outline(t.Context(), time.Time{}))(t).Runs
	teamtest.Exec(t, url, "ALTER TABLE iteration ADD CONSTRAINT not_this CHECK (run NOT IN ('"+runs[0].Run+"', '"+runs[5].Run+"'))")
	got := sending(t, url, l, exchange.ContentWords)
	why := `new row for relation "iteration" violates check constraint "not_this"`
	want := []push.Rejection{{Run: runs[0].Run, Why: why}, {Run: runs[5].Run, Why: why}}
	if d := gocmp.Diff(want, got.Rejected); d != "" || got.Pushed != 10 || got.Refused() != 2 {
		t.Errorf("%+v (-want +got):\n%s", got, d)
	}
	if lines := strings.Join(got.Lines(), "\n"); !strings.Contains(lines, "Run "+runs[5].Run+" was refused: the server does not take its rows: ") || !strings.Contains(lines, "2 refused") {
		t.Error(lines)
	}
	totalsAreRight(t, url)
	teamtest.Exec(t, url, "ALTER TABLE iteration DROP CONSTRAINT not_this")
	if got := sending(t, url, l, exchange.ContentWords); got.Pushed != 2 || got.Unchanged != 10 {
		t.Errorf("again: %+v", got)
	}
}

// Several processes push one ledger at the same time, from either end: each run is pushed once.
func TestLedgerPushedFromBothEnds(t *testing.T) {
	t.Parallel()
	const runs, pushers = 30, 4
	url := migrated(t)
	l := generated(t, storetest.Size{Runs: runs, Iterations: 1, Violations: 4})
	sent := make([]push.Sent, pushers)
	var group sync.WaitGroup
	for i := range pushers {
		s := opened(t, url)
		group.Go(func() {
			var err error
			if sent[i], err = s.PushLedger(t.Context(), l, push.Sending{Source: words(""), NewestFirst: i%2 == 1}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	pushed, all := 0, 0
	for _, s := range sent {
		pushed += s.Pushed
		all += s.Pushed + s.Unchanged
	}
	if pushed != runs || all != runs*pushers {
		t.Errorf("%+v", sent)
	}
	totalsAreRight(t, url)
}
