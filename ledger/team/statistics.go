package team

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
)

// Statistics reads the rows that the filter chooses and computes statistics of them:
// totals where the filter leaves all runs, and otherwise the rows of its runs.
func (s *Store) Statistics(ctx context.Context, f ledger.StatisticsFilter) (found ledger.Statistics, err error) {
	if f.Worktree != "" {
		return found, fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
	}
	err = s.read(ctx, "compute statistics", func(t *tx) error {
		q, err := t.statisticsQuery(ctx, f, time.Now())
		if err != nil {
			return err
		}
		rows, err := f.Read(ctx, q, q.now)
		if err == nil {
			found = ledger.Compute(rows, f)
		}
		return err
	})
	return found, err
}

// statisticsQuery is a filter in the words of the queries. It implements
// [ledger.StatisticsSource].
type statisticsQuery struct {
	*tx
	filter ledger.StatisticsFilter
	now    time.Time
	// cells have the runs of which rows are read, beside totals of the branch if it has some; nil
	// where the filter leaves all runs.
	cells cells
	names map[string]postgres.Job
	// keys are those of the repositories, where there are several.
	keys map[int64]string
}

// cells are the parameters of the queries of totals.
type cells = postgres.TotalsOfViolationsParams

// latest is the end of an open period: after every time that the tables have.
var latest = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)

// untilOf is the end of a period; its beginning may be the zero time.
func untilOf(p ledger.Period) time.Time {
	if p.Until.IsZero() {
		return latest
	}
	return p.Until
}

func (t *tx) statisticsQuery(ctx context.Context, f ledger.StatisticsFilter, now time.Time) (*statisticsQuery, error) {
	q := &statisticsQuery{tx: t, filter: f, now: now, names: map[string]postgres.Job{}, keys: map[int64]string{}}
	q.cells = cells{Since: f.Period.Since, Until: untilOf(f.Period), Adapter: f.Adapter, Model: f.Model}
	if err := q.setScope(ctx); err != nil || !q.counted() {
		return q, err
	}
	first, err := t.FirstRun(ctx)
	if err != nil {
		return nil, err
	}
	var edges []ledger.Period
	q.cells.Buckets, edges = f.Period.TotalsOf(first, now)
	for i := range q.cells.Buckets {
		q.cells.Buckets[i] = q.cells.Within + q.cells.Buckets[i]
	}
	q.setEdges(edges)
	return q, nil
}

// counted reports whether there are totals of runs that the filter leaves.
func (q *statisticsQuery) counted() bool { return q.cells.Runs == nil || q.cells.Within != "" }

// setEdges sets the parts of the period of which rows are read.
func (q *statisticsQuery) setEdges(edges []ledger.Period) {
	q.cells.EdgesSince, q.cells.EdgesUntil = nil, nil
	for _, edge := range edges {
		q.cells.EdgesSince, q.cells.EdgesUntil = append(q.cells.EdgesSince, edge.Since), append(q.cells.EdgesUntil, untilOf(edge))
	}
}

// setScope finds the jobs, repositories and runs that the filter leaves.
func (q *statisticsQuery) setScope(ctx context.Context) error {
	f := q.filter
	jobs, err := q.JobNames(ctx)
	if err != nil {
		return err
	}
	chosen := []string{}
	for _, job := range jobs {
		q.names[job.Job] = job
		if (f.Gate == "" || f.Gate == job.Name) && (f.EntryPoint == "" || f.EntryPoint == job.EntryPoint) {
			chosen = append(chosen, job.Job)
		}
	}
	if f.Gate != "" || f.EntryPoint != "" {
		q.cells.Jobs = chosen
	}
	repositories, err := q.RepositoryRows(ctx)
	if err != nil {
		return err
	}
	if f.Repository != "" {
		q.cells.Repositories = []int64{}
	}
	known := 0
	for _, r := range repositories {
		key := repositoryKey(r)
		q.keys[r.ID] = key
		if key != ledger.UnknownRepository {
			known++
		}
		if f.Repository == key {
			q.cells.Repositories = append(q.cells.Repositories, r.ID)
		}
	}
	if known < 2 {
		clear(q.keys)
	}
	if f.Run == "" && f.Branch == "" {
		return nil
	}
	if f.Run == "" {
		counted, err := q.CountedBranch(ctx, f.Branch)
		if err != nil {
			return err
		}
		if q.cells.Within = counted.Within; counted.Whole {
			q.cells.Runs = []string{}
			return nil
		}
	}
	runs, err := q.RunsOfScope(ctx, postgres.RunsOfScopeParams{Run: f.Run, Branch: f.Branch})
	q.cells.Runs = append([]string{}, runs...)
	return err
}

func repositoryKey(r postgres.Repository) string {
	if r.Kind == string(ledger.RepositoryUnknown) {
		return ledger.UnknownRepository
	}
	return r.Key
}

// ViolationTotals implements [ledger.StatisticsSource].
func (q *statisticsQuery) ViolationTotals(ctx context.Context, out *ledger.Rows) error {
	if !q.filter.Wants(ledger.SectionTotals) && q.filter.Wants(ledger.SectionReviewers) {
		return q.outcomesOfReviewers(ctx, out)
	}
	rows, err := q.TotalsOfViolations(ctx, q.cells)
	out.Violations = slices.Grow(out.Violations, len(rows))
	for _, r := range rows {
		job := q.names[r.Job]
		out.Violations = append(out.Violations, ledger.ViolationTotals{
			EntryPoint: job.EntryPoint, Gate: job.Name, Adapter: r.Adapter, Model: r.Model,
			Iteration: int(r.Iteration), Priority: ledger.Priority(r.Priority), Status: ledger.Status(r.Status), Reason: r.Reason,
			Shared: r.Shared, InFixLines: r.InFixLines, Recurring: r.Recurring, Violations: int(r.Violations),
		})
	}
	return err
}

// outcomesOfReviewers are the same, by less: there are fifty times as many kinds of violations.
func (q *statisticsQuery) outcomesOfReviewers(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	params := postgres.OutcomesOfReviewersParams{
		EdgesSince: p.EdgesSince, EdgesUntil: p.EdgesUntil, Runs: p.Runs, Since: p.Since, Until: p.Until,
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Within: p.Within,
	}
	for _, bucket := range p.Buckets {
		if len(bucket) == len(p.Within)+len(time.DateOnly) {
			params.Days = append(params.Days, bucket)
		} else {
			params.Buckets = append(params.Buckets, bucket)
		}
	}
	rows, err := q.OutcomesOfReviewers(ctx, params)
	for _, r := range rows {
		out.Violations = append(out.Violations, ledger.ViolationTotals{
			Adapter: r.Adapter, Model: r.Model, Status: ledger.Status(r.Status), Reason: r.Reason, Shared: r.Shared, Violations: int(r.Violations),
		})
	}
	return err
}

// slotCells are the same for totals of slots.
func (q *statisticsQuery) slotCells() postgres.TotalsOfSlotsParams {
	p := q.cells
	return postgres.TotalsOfSlotsParams{
		Buckets: p.Buckets, EdgesSince: p.EdgesSince, EdgesUntil: p.EdgesUntil, Runs: p.Runs, Since: p.Since, Until: p.Until,
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Within: p.Within,
	}
}

// SlotTotals implements [ledger.StatisticsSource].
func (q *statisticsQuery) SlotTotals(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.TotalsOfSlots(ctx, q.slotCells())
	for _, r := range rows {
		job := q.names[r.Job]
		out.Slots = append(out.Slots, ledger.SlotTotals{
			EntryPoint: job.EntryPoint, Gate: job.Name, Adapter: r.Adapter, Model: r.Model, Iteration: int(r.Iteration),
			Answered: int(r.Answered), Errors: int(r.Errors), Interrupted: int(r.Interrupted), Skipped: int(r.Skipped),
			Counts: ledger.SlotCounts{
				Accepted: int(r.Accepted), OutOfDiff: int(r.OutOfDiff), BelowThreshold: int(r.BelowThreshold),
				PreviouslySkipped: int(r.PreviouslySkipped), RememberedSkip: int(r.RememberedSkip), Malformed: int(r.Malformed),
				Merged: int(r.Merged), OutsideVerify: int(r.OutsideVerify), Reopened: int(r.Reopened),
				Verified: int(r.Verified), Carried: int(r.Carried),
			},
			InputTokens: r.InputTokens, CachedTokens: r.CachedTokens, OutputTokens: r.OutputTokens, WithTokens: int(r.WithTokens),
			CostNano: r.CostNano, WithCost: int(r.WithCost), SavedTokens: r.SavedTokens, SavedNano: r.SavedNano,
		})
	}
	return err
}

// SlotTimes implements [ledger.StatisticsSource].
func (q *statisticsQuery) SlotTimes(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.TimesOfSlots(ctx, postgres.TimesOfSlotsParams(q.slotCells()))
	for _, r := range rows {
		out.Times = append(out.Times, ledger.TimeTotals{
			Adapter: r.Adapter, Model: r.Model, Took: time.Duration(r.TookMs) * time.Millisecond, Slots: int(r.Slots),
		})
	}
	return err
}

// Repairs implements [ledger.StatisticsSource].
func (q *statisticsQuery) Repairs(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.RepairsOfReviewers(ctx, postgres.RepairsOfReviewersParams{
		Since: q.filter.Period.Since, Until: untilOf(q.filter.Period), Jobs: q.cells.Jobs, Repositories: q.cells.Repositories,
		Run: q.filter.Run, Branch: q.filter.Branch, Adapter: q.filter.Adapter, Model: q.filter.Model,
	})
	for _, r := range rows {
		out.Repairs = append(out.Repairs, ledger.RepairTotals{Adapter: r.Adapter, Model: r.Model, Calls: int(r.Repairs)})
	}
	return err
}

// Overlap implements [ledger.StatisticsSource].
func (q *statisticsQuery) Overlap(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	runs, err := q.NewestRuns(ctx, postgres.NewestRunsParams{
		Since: p.Since, Until: p.Until, Repositories: p.Repositories, Run: q.filter.Run, Branch: q.filter.Branch, AtMost: ledger.OverlapRuns,
	})
	if err != nil {
		return err
	}
	rows, err := q.OverlapOfRuns(ctx, postgres.OverlapOfRunsParams{
		Runs: runs, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until,
	})
	for _, r := range rows {
		out.Overlaps = append(out.Overlaps, ledger.OverlapTotals{
			Adapter: r.Adapter, Other: r.Other, Violations: int(r.Violations), Shared: int(r.Shared),
		})
	}
	return err
}

// RunTotals implements [ledger.StatisticsSource].
func (q *statisticsQuery) RunTotals(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.StatisticsOfRuns(ctx, postgres.StatisticsOfRunsParams{
		Since: q.cells.Since, Until: q.cells.Until, Repositories: q.cells.Repositories, Run: q.filter.Run, Branch: q.filter.Branch,
		Jobs: q.cells.Jobs, Adapter: q.cells.Adapter, Branches: q.filter.Wants(ledger.SectionBranches), Passes: passes(),
	})
	for _, r := range rows {
		status, runs := ledger.RunStatus(r.Status), int(r.Runs)
		if r.Timed {
			out.Runs.AddTimes(time.Duration(r.TookMs)*time.Millisecond, runs)
			continue
		}
		out.Runs.AddTotals(status, int(r.Iterations), runs)
		out.Runs.AddDay(time.Date(2001, 1, 1+int(r.Day), 0, 0, 0, 0, time.UTC), status, runs)
		out.Runs.AddBranch(r.Branch, status, runs)
	}
	return err
}

// passes are the statuses of runs that passed.
func passes() (words []string) {
	for _, status := range ledger.RunStatuses() {
		if status.Passes() {
			words = append(words, string(status))
		}
	}
	return words
}

// Branches implements [ledger.StatisticsSource].
func (q *statisticsQuery) Branches(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	params := postgres.ViolationsByBranchParams{
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Run: q.filter.Run, Branch: q.filter.Branch,
	}
	params.FirstDay, params.LastDay = q.filter.Period.WholeDays()
	for _, edge := range q.filter.Period.Edges() {
		params.EdgesSince, params.EdgesUntil = append(params.EdgesSince, edge.Since), append(params.EdgesUntil, edge.Until)
	}
	rows, err := q.ViolationsByBranch(ctx, params)
	for _, r := range rows {
		out.Branches = append(out.Branches, ledger.BranchTotals{Branch: r.Branch, Status: ledger.Status(r.Status), Violations: int(r.Violations)})
	}
	return err
}

// Checks implements [ledger.StatisticsSource]. Commands stay on the machines where the
// checks ran.
func (q *statisticsQuery) Checks(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	rows, err := q.TotalsOfChecks(ctx, postgres.TotalsOfChecksParams{
		Buckets: p.Buckets, EdgesSince: p.EdgesSince, EdgesUntil: p.EdgesUntil, Runs: p.Runs, Since: p.Since, Until: p.Until,
		Repositories: p.Repositories, Jobs: p.Jobs, Within: p.Within,
	})
	if err != nil {
		return err
	}
	out.CheckDetails = map[string]ledger.CheckStatistics{}
	var jobs []string
	for _, r := range rows {
		job := q.names[r.Job]
		out.Checks = append(out.Checks, ledger.CheckTotals{
			Job: r.Job, EntryPoint: job.EntryPoint, Check: job.Name, Passed: r.Passed,
			Took: time.Duration(r.TookMs) * time.Millisecond, Executions: int(r.Executions),
		})
		if _, known := out.CheckDetails[r.Job]; !known {
			out.CheckDetails[r.Job], jobs = ledger.CheckStatistics{}, append(jobs, r.Job)
		}
	}
	last, err := q.LatestChecks(ctx, postgres.LatestChecksParams{
		Jobs: jobs, Since: p.Since, Until: p.Until, Repositories: p.Repositories, Run: q.filter.Run, Branch: q.filter.Branch,
	})
	if err != nil {
		return err
	}
	for _, r := range slices.Backward(last) { // the newest first
		c := out.CheckDetails[r.Job]
		c.Last = append(c.Last, ledger.CheckExecution{
			Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: r.StartedAt,
		})
		out.CheckDetails[r.Job] = c
	}
	if err := q.checkWeeks(ctx, out); err != nil {
		return err
	}
	return q.flaky(ctx, out)
}

// checkWeeks reads the executions of the latest weeks, by week.
func (q *statisticsQuery) checkWeeks(ctx context.Context, out *ledger.Rows) error {
	p := q.filter.Period
	if first := q.filter.FirstShownWeek(q.now); p.Since.Before(first) {
		p.Since = first
	}
	params := postgres.ChecksByWeekParams{
		Runs: q.cells.Runs, Since: p.Since, Until: untilOf(p), Repositories: q.cells.Repositories, Jobs: q.cells.Jobs,
		Within: q.cells.Within,
	}
	if q.counted() {
		_, edges := p.TotalsOf(p.Since, q.now)
		for _, edge := range edges {
			params.EdgesSince, params.EdgesUntil = append(params.EdgesSince, edge.Since), append(params.EdgesUntil, untilOf(edge))
		}
		params.Days = q.filter.ShownDays(p, q.now)
		for i := range params.Days {
			params.Days[i] = q.cells.Within + params.Days[i]
		}
	}
	rows, err := q.ChecksByWeek(ctx, params)
	for _, r := range rows {
		start := time.Date(2001, 1, 1+7*int(r.Week), 0, 0, 0, 0, time.UTC)
		out.CheckWeeks = append(out.CheckWeeks, ledger.CheckTotals{
			Start: start, Job: r.Job, Passed: r.Passed, Took: time.Duration(r.TookMs) * time.Millisecond, Executions: int(r.Executions),
		})
	}
	return err
}

func (q *statisticsQuery) flaky(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	rows, err := q.FlakyChecks(ctx, postgres.FlakyChecksParams{
		Since: p.Since, Until: p.Until, Repositories: p.Repositories, Jobs: p.Jobs, Run: q.filter.Run, Branch: q.filter.Branch,
	})
	outcomes := make([]ledger.TreeOutcome, 0, len(rows))
	for _, r := range rows {
		outcomes = append(outcomes, ledger.TreeOutcome{Job: r.Job, Tree: r.Tree, Branch: r.Branch, CheckExecution: ledger.CheckExecution{
			Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: r.At,
		}})
	}
	out.AddFlaky(outcomes)
	return err
}

// ListedVerdicts implements [ledger.StatisticsSource].
func (q *statisticsQuery) ListedVerdicts(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.ListVerdicts(ctx, postgres.ListVerdictsParams{
		Since: q.cells.Since, Until: q.cells.Until, Repositories: q.cells.Repositories, Run: q.filter.Run, Branch: q.filter.Branch,
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
