package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// Statistics computes statistics from the sums, and from rows if the sums do not have them.
func (l *Store) Statistics(ctx context.Context, f ledger.StatisticsFilter) (s ledger.Statistics, err error) {
	err = l.ofSums(ctx, func(kept *sql.DB) error {
		return l.read(ctx, "compute statistics", func(t *tx) error {
			q, err := t.statisticsQuery(ctx, kept, f, l.now())
			if err != nil {
				return err
			}
			s, err = f.Of(ctx, q, q.Now)
			return err
		})
	})
	return s, err
}

// A statisticsQuery holds a filter in the form that queries need. It implements
// [ledger.StatisticsSource], from the sums wherever they have the answer.
type statisticsQuery struct {
	*tx
	*statistics.Query
	sums   *sums.Queries
	filter ledger.StatisticsFilter
	now    time.Time
	// runs is [anyWord] if the filter selects all of them.
	runs, repositories, jobs string
	since, until             string
	ids                      map[statistics.Job]int64
	// byKey maps the keys of repositories to their rows. several is set if more than one repository
	// is known.
	byKey   map[string]int64
	several bool
	// counted caches the counts of files and lines.
	counted *tallies
}

// noRows is the empty list for json_each.
const noRows = "[]"

func (t *tx) statisticsQuery(ctx context.Context, kept *sql.DB, f ledger.StatisticsFilter, now time.Time) (*statisticsQuery, error) {
	q := &statisticsQuery{
		tx: t, sums: sums.New(kept), filter: f, now: now, runs: anyWord, repositories: anyWord, jobs: anyWord,
		since: since(f.Period), until: until(f.Period), ids: map[statistics.Job]int64{}, byKey: map[string]int64{},
	}
	if err := q.setScope(ctx); err != nil {
		return nil, err
	}
	q.Query = &statistics.Query{Sums: sumsReader{kept, q.runs}, Filter: f, Now: now, EventsIn: q.eventsIn}
	first, err := t.FirstTimes(ctx)
	if err == nil {
		q.FirstRun, err = timeOf(first.Run)
	}
	if err == nil {
		q.FirstEvent, err = timeOf(first.Event)
	}
	return q, err
}

// eventsIn counts the violations that had events in a part of a day or week, by status.
func (q *statisticsQuery) eventsIn(ctx context.Context, p ledger.Period, add func(string, int64)) error {
	f := q.filter
	whole := q.runs == anyWord && q.repositories == anyWord && q.jobs == anyWord && f.Adapter == "" && f.Model == ""
	rows, err := q.EventsInPeriod(ctx, db.EventsInPeriodParams{
		Since: since(p), Until: until(p), Whole: boolean(whole), Runs: q.runs,
		Repositories: q.repositories, Jobs: q.jobs, Adapter: f.Adapter, Model: f.Model,
	})
	for _, r := range rows {
		add(r.Status, r.Violations)
	}
	return err
}

// timeOf parses a time from the database; "" is the zero time.
func timeOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// setScope finds the jobs, repositories and runs that the filter selects.
func (q *statisticsQuery) setScope(ctx context.Context) error {
	f := q.filter
	jobs, err := q.JobNames(ctx)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		q.ids[statistics.Job{Kind: job.Kind, EntryPoint: job.EntryPoint, Gate: job.Name}] = job.ID
	}
	if q.jobs, err = q.jobsOf(ctx, f.Gate, f.EntryPoint); err != nil {
		return err
	}
	if q.repositories, err = q.repositoriesOf(ctx, f.Repository); err != nil {
		return err
	}
	rows, err := q.RepositoryRows(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		q.byKey[repositoryKey(r)] = r.ID
	}
	q.several = len(rows) > 2 // the first one stands for the unknown repository
	if f.Run != "" || f.Branch != "" || f.Worktree != "" {
		runs, err := q.RunsOfScope(ctx, db.RunsOfScopeParams{Run: f.Run, Branch: f.Branch, Worktree: f.Worktree})
		if err != nil {
			return err
		}
		q.runs = asJSON(runs)
	}
	return nil
}

func repositoryKey(r db.Repository) string {
	if r.Kind == string(ledger.RepositoryUnknown) {
		return ledger.UnknownRepository
	}
	return r.Key
}

// Overlap implements [ledger.StatisticsSource].
func (q *statisticsQuery) Overlap(ctx context.Context, out *ledger.Rows) error {
	runs, err := q.NewestRuns(ctx, db.NewestRunsParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs, AtMost: ledger.OverlapRuns,
	})
	if err != nil {
		return err
	}
	rows, err := q.OverlapOfRuns(ctx, db.OverlapOfRunsParams{
		Runs: asJSON(runs), Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model, Since: q.since, Until: q.until,
	})
	for _, r := range rows {
		out.Overlaps = append(out.Overlaps, ledger.OverlapTotals{
			Adapter: r.Adapter, Other: r.Other, Violations: int(r.Violations), Shared: int(r.Shared),
		})
	}
	return err
}

// Checks implements [ledger.StatisticsSource].
func (q *statisticsQuery) Checks(ctx context.Context, out *ledger.Rows) error {
	if err := q.CheckTotals(ctx, out); err != nil {
		return err
	}
	out.CheckDetails = map[string]ledger.CheckStatistics{}
	for job, id := range q.ids {
		if !slices.ContainsFunc(out.Checks, func(c ledger.CheckTotals) bool { return c.Job == job.ID() }) {
			continue
		}
		var err error
		if out.CheckDetails[job.ID()], err = q.checkDetails(ctx, id); err != nil {
			return err
		}
	}
	return q.FlakyChecks(ctx, out, func(check statistics.Job, trees []string) (outcomes []ledger.TreeOutcome, err error) {
		rows, err := q.ChecksOfTrees(ctx, db.ChecksOfTreesParams{
			JobID: q.ids[check], Trees: orAny(trees), Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs,
		})
		for _, r := range rows {
			outcomes = append(outcomes, ledger.TreeOutcome{Job: check.ID(), Tree: *r.Tree, Branch: r.Branch, CheckExecution: ledger.CheckExecution{
				Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: time.Time(r.StartedAt),
			}})
		}
		return outcomes, err
	})
}

func (q *statisticsQuery) checkDetails(ctx context.Context, job int64) (c ledger.CheckStatistics, err error) {
	rows, err := q.latestChecks(ctx, db.LatestChecksParams{
		JobID: job, Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs,
	})
	for i, r := range rows {
		if i == 0 && r.Command != nil {
			c.Command = *r.Command
		}
		c.Last = append(c.Last, ledger.CheckExecution{
			Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: time.Time(r.StartedAt),
		})
	}
	slices.Reverse(c.Last)
	return c, err
}

// fewChecks is the largest number of executions of a check whose latest are found by sorting.
const fewChecks = 2000

// latestChecks returns the latest executions of a check, the last one first.
func (q *statisticsQuery) latestChecks(ctx context.Context, p db.LatestChecksParams) (latest []db.LatestChecksRow, err error) {
	n, err := q.CountChecksUpTo(ctx, db.CountChecksUpToParams{JobID: p.JobID, AtMost: fewChecks})
	switch {
	case err != nil:
		return nil, err
	case n == fewChecks:
		return q.LatestChecks(ctx, p)
	}
	rows, err := q.LatestOfFewChecks(ctx, db.LatestOfFewChecksParams(p))
	for _, row := range rows {
		latest = append(latest, db.LatestChecksRow(row))
	}
	return latest, err
}

// ListedVerdicts implements [ledger.StatisticsSource].
func (q *statisticsQuery) ListedVerdicts(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.ListVerdicts(ctx, db.ListVerdictsParams{Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs})
	for _, r := range rows {
		d := r.Verdict
		out.Verdicts = append(out.Verdicts, ledger.ListedVerdict{
			Run: r.Run, Review: r.ReviewID, Iteration: int(r.Iteration), Scope: r.Scope, Target: r.Target, Mode: d.Mode,
			Verdict: ledger.VerdictWord(d.Verdict), At: time.Time(d.At),
			Findings: ledger.FindingsBy(d.Blocker, d.High, d.Medium, d.Low, d.Info),
		})
	}
	return err
}
