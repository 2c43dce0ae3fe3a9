package ask

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// Statistics computes statistics from the figures, and from rows if the figures do not have them.
func (s *Store) Statistics(ctx context.Context, f ledger.StatisticsFilter) (found ledger.Statistics, err error) {
	if f.Worktree != "" {
		return found, fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
	}
	return answer(ctx, s, "compute statistics", func(t *tx) (ledger.Statistics, error) {
		q, err := t.statisticsQuery(ctx, f, time.Now())
		if err != nil {
			return ledger.Statistics{}, err
		}
		return f.Of(ctx, q, q.Now)
	})
}

// A statisticsQuery holds a filter in the form that queries need. It implements
// [ledger.StatisticsSource], from the figures wherever they have the answer.
type statisticsQuery struct {
	*tx
	*statistics.Query
	filter ledger.StatisticsFilter
	// jobs and repositories are those that the filter selects; nil means all.
	jobs         []string
	repositories []int64
	since, until time.Time
	ids          map[statistics.Job]string
	// shown has the keys of repositories by row, if several are known, and homes has their rows by
	// their ids in the figures.
	shown map[int64]string
	homes map[string]int64
}

// latest is the end of a period without one: after every time in the tables.
var latest = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)

// untilOf returns the end of a period.
func untilOf(p ledger.Period) time.Time {
	if p.Until.IsZero() {
		return latest
	}
	return p.Until
}

func (t *tx) statisticsQuery(ctx context.Context, f ledger.StatisticsFilter, now time.Time) (*statisticsQuery, error) {
	q := &statisticsQuery{
		tx: t, filter: f, since: f.Period.Since, until: untilOf(f.Period),
		ids: map[statistics.Job]string{}, shown: map[int64]string{}, homes: map[string]int64{},
	}
	if err := q.setScope(ctx); err != nil {
		return nil, err
	}
	q.Query = &statistics.Query{Sums: t.figures(f.Repository), Filter: f, Now: now, EventsIn: q.eventsIn}
	first, err := t.FirstTimes(ctx, eventWords())
	q.FirstRun, q.FirstEvent = notBefore(first.Run), notBefore(first.Event)
	return q, err
}

// notBefore returns a first time from the tables, or the zero time if there is none.
func notBefore(at time.Time) time.Time {
	if at.Year() <= 1 {
		return time.Time{}
	}
	return at.UTC()
}

// eventWords returns the statuses that events can set.
func eventWords() (words []string) {
	for _, status := range ledger.Statuses() {
		words = append(words, string(status))
	}
	return words
}

// setScope finds the jobs and repositories that the filter selects.
func (q *statisticsQuery) setScope(ctx context.Context) error {
	f := q.filter
	jobs, err := q.JobNames(ctx)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		q.ids[statistics.Job{Kind: job.Kind, EntryPoint: job.EntryPoint, Gate: job.Name}] = job.Job
	}
	if q.jobs, err = q.jobsNamed(ctx, f.EntryPoint, f.Gate); err != nil {
		return err
	}
	if q.repositories, err = q.repositoriesNamed(ctx, f.Repository); err != nil {
		return err
	}
	repositories, err := q.RepositoryRows(ctx)
	if err != nil {
		return err
	}
	known := 0
	for _, r := range repositories {
		of := team.Home{Kind: r.Kind, Key: r.Key}
		q.shown[r.ID], q.homes[of.Own()] = of.Name(), r.ID
		if of.Name() != ledger.UnknownRepository {
			known++
		}
	}
	if known < 2 {
		clear(q.shown)
	}
	return nil
}

func repositoryKey(r postgres.Repository) string { return team.Home{Kind: r.Kind, Key: r.Key}.Name() }

// eventsIn counts the violations that had events in a part of a day or week. Whole days in it are
// read from the figures, unless runs are read one by one.
func (q *statisticsQuery) eventsIn(ctx context.Context, p ledger.Period, add func(string, int64)) error {
	if q.ByRun() {
		rows, err := q.EventsOfRuns(ctx, postgres.EventsOfRunsParams{
			Run: q.filter.Run, Branch: q.filter.Branch, Since: p.Since, Until: untilOf(p),
			Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
		})
		for _, r := range rows {
			add(r.Status, r.Violations)
		}
		return err
	}
	params := postgres.EventsInPartsParams{
		Statuses: eventWords(), Since: p.Since, Until: p.Until, WideSince: p.Since, WideUntil: p.Until, Branch: q.filter.Branch,
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
	}
	days, missing, tooMuch := p.Days()
	params.Days = days
	for _, part := range missing {
		params.PartsSince, params.PartsUntil, params.Signs = append(params.PartsSince, part.Since), append(params.PartsUntil, part.Until), append(params.Signs, 1)
	}
	for _, part := range tooMuch {
		params.PartsSince, params.PartsUntil, params.Signs = append(params.PartsSince, part.Since), append(params.PartsUntil, part.Until), append(params.Signs, -1)
		if part.Since.Before(params.WideSince) {
			params.WideSince = part.Since
		}
		if part.Until.After(params.WideUntil) {
			params.WideUntil = part.Until
		}
	}
	if err := q.EventsOfDays(ctx, days, add); err != nil {
		return err
	}
	rows, err := q.EventsInParts(ctx, params)
	for _, r := range rows {
		add(r.Status, r.Violations)
	}
	return err
}

// Overlap implements [ledger.StatisticsSource].
func (q *statisticsQuery) Overlap(ctx context.Context, out *ledger.Rows) error {
	runs, err := q.NewestRuns(ctx, postgres.NewestRunsParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Run: q.filter.Run, Branch: q.filter.Branch, AtMost: ledger.OverlapRuns,
	})
	if err != nil {
		return err
	}
	rows, err := q.OverlapOfRuns(ctx, postgres.OverlapOfRunsParams{
		Runs: runs, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model, Since: q.since, Until: q.until,
	})
	for _, r := range rows {
		out.Overlaps = append(out.Overlaps, ledger.OverlapTotals{
			Adapter: r.Adapter, Other: r.Other, Violations: int(r.Violations), Shared: int(r.Shared),
		})
	}
	return err
}

// Checks implements [ledger.StatisticsSource]. It has no commands, because they stay on the
// machines where the checks ran.
func (q *statisticsQuery) Checks(ctx context.Context, out *ledger.Rows) error {
	if err := q.CheckTotals(ctx, out); err != nil {
		return err
	}
	out.CheckDetails = map[string]ledger.CheckStatistics{}
	var jobs []string
	for _, c := range out.Checks {
		if _, known := out.CheckDetails[c.Job]; !known {
			out.CheckDetails[c.Job], jobs = ledger.CheckStatistics{}, append(jobs, c.Job)
		}
	}
	last, err := q.LatestChecks(ctx, postgres.LatestChecksParams{
		Jobs: jobs, Since: q.since, Until: q.until, Repositories: q.repositories, Run: q.filter.Run, Branch: q.filter.Branch,
	})
	if err != nil {
		return err
	}
	for _, r := range slices.Backward(last) { // newest first
		c := out.CheckDetails[r.Job]
		c.Last = append(c.Last, ledger.CheckExecution{
			Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: r.StartedAt,
		})
		out.CheckDetails[r.Job] = c
	}
	return q.FlakyChecks(ctx, out, func(check statistics.Job, trees []string) (outcomes []ledger.TreeOutcome, err error) {
		rows, err := q.ChecksOfTrees(ctx, postgres.ChecksOfTreesParams{
			Job: q.ids[check], Trees: trees, Since: q.since, Until: q.until, Repositories: q.repositories, Run: q.filter.Run, Branch: q.filter.Branch,
		})
		for _, r := range rows {
			outcomes = append(outcomes, ledger.TreeOutcome{Job: check.ID(), Tree: r.Tree, Branch: r.Branch, CheckExecution: ledger.CheckExecution{
				Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: r.StartedAt,
			}})
		}
		return outcomes, err
	})
}

// ListedVerdicts implements [ledger.StatisticsSource].
func (q *statisticsQuery) ListedVerdicts(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.ListVerdicts(ctx, postgres.ListVerdictsParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Run: q.filter.Run, Branch: q.filter.Branch,
	})
	for _, d := range rows {
		out.Verdicts = append(out.Verdicts, ledger.ListedVerdict{
			Run: d.Run, Review: d.ReviewID, Iteration: int(d.Iteration), Scope: d.Scope, Target: d.Target, Mode: d.Mode,
			Verdict: ledger.VerdictWord(d.Verdict), At: d.At,
			Findings: ledger.FindingsBy(d.Blocker, d.High, d.Medium, d.Low, d.Info),
		})
	}
	return err
}
