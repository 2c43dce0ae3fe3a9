package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Statistics reads the rows that the filter chooses and computes statistics of them:
// totals where the filter leaves all runs, and otherwise the rows of its runs.
func (l *Store) Statistics(ctx context.Context, f ledger.StatisticsFilter) (s ledger.Statistics, err error) {
	err = l.read(ctx, "compute statistics", func(t *tx) error {
		q, err := t.statisticsQuery(ctx, f, l.now())
		if err != nil {
			return err
		}
		rows, err := f.Read(ctx, q, q.now)
		if err == nil {
			s = ledger.Compute(rows, f)
		}
		return err
	})
	return s, err
}

// statisticsQuery is a filter in the words of the queries.
type statisticsQuery struct {
	*tx
	filter ledger.StatisticsFilter
	now    time.Time
	// runs is null where the filter leaves all of them. Then buckets and edges are read.
	buckets, edges, runs, repositories, jobs string
	// counted and signed are the same period where fewer rows are read: of a day of which the
	// larger part lies in the period, the others are taken away from the whole.
	counted, signed string
	since, until    string
	names           map[int64]db.Job
	// keys are those of the repositories, where there are several.
	keys map[int64]string
}

// noRows is an empty list for json_each.
const noRows = "[]"

func (t *tx) statisticsQuery(ctx context.Context, f ledger.StatisticsFilter, now time.Time) (*statisticsQuery, error) {
	q := &statisticsQuery{
		tx: t, filter: f, now: now, buckets: noRows, edges: noRows, counted: noRows, signed: noRows, runs: anyWord, repositories: anyWord, jobs: anyWord,
		since: since(f.Period), until: until(f.Period), names: map[int64]db.Job{}, keys: map[int64]string{},
	}
	if err := q.setScope(ctx); err != nil {
		return nil, err
	}
	if q.runs != anyWord {
		return q, nil
	}
	first, err := t.FirstRun(ctx)
	if err != nil {
		return nil, err
	}
	begin, err := timeOf(first)
	if err != nil {
		return nil, err
	}
	buckets, edges := f.Period.TotalsOf(begin, now)
	q.edges = jsonEdges(edges)
	if q.buckets, err = asJSON(buckets); err != nil {
		return nil, err
	}
	return q, q.sign(ctx, buckets, edges)
}

// signedEdge is an edge whose rows are added, or taken away where the sign is -1.
type signedEdge struct {
	ledger.Period
	sign int
}

// MarshalJSON implements [json.Marshaler].
func (e signedEdge) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{since(e.Period), until(e.Period), e.sign})
}

// sign finds what is counted, and at which edges rows are taken away from it.
func (q *statisticsQuery) sign(ctx context.Context, buckets []string, edges []ledger.Period) error {
	signed := []signedEdge{}
	for _, edge := range edges {
		within, err := q.reported(ctx, edge)
		if err != nil {
			return err
		}
		day, beside := edge.Beside()
		others, err := q.reported(ctx, beside...)
		if err != nil {
			return err
		}
		if within <= others {
			signed = append(signed, signedEdge{edge, 1})
			continue
		}
		buckets = append(buckets, day)
		for _, p := range beside {
			signed = append(signed, signedEdge{p, -1})
		}
	}
	var err error
	if q.counted, err = asJSON(buckets); err != nil {
		return err
	}
	q.signed, err = asJSON(signed)
	return err
}

// reported is how many violations were first reported in the periods.
func (q *statisticsQuery) reported(ctx context.Context, periods ...ledger.Period) (n int64, err error) {
	for _, p := range periods {
		one, err := q.CountReported(ctx, db.CountReportedParams{Since: since(p), Until: until(p)})
		if err != nil {
			return 0, err
		}
		n += one
	}
	return n, nil
}

// timeOf reads a time of the database; an empty one is the zero time.
func timeOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// jsonEdges are periods as pairs for json_each.
func jsonEdges(periods []ledger.Period) string {
	pairs := [][2]string{}
	for _, p := range periods {
		pairs = append(pairs, [2]string{since(p), until(p)})
	}
	text, _ := json.Marshal(pairs) // texts can always be written
	return string(text)
}

// setScope finds the jobs, repositories and runs that the filter leaves.
func (q *statisticsQuery) setScope(ctx context.Context) error {
	f := q.filter
	jobs, err := q.JobNames(ctx)
	if err != nil {
		return err
	}
	chosen := []int64{}
	for _, job := range jobs {
		q.names[job.ID] = job
		if lists.OneOf(f.Gate, job.Name) && lists.OneOf(f.EntryPoint, job.EntryPoint) {
			chosen = append(chosen, job.ID)
		}
	}
	if f.Gate != "" || f.EntryPoint != "" {
		if q.jobs, err = asJSON(chosen); err != nil {
			return err
		}
	}
	rows, err := q.RepositoryRows(ctx)
	if err != nil {
		return err
	}
	if q.repositories, err = repositoriesNamed(rows, f.Repository); err != nil {
		return err
	}
	if len(rows) > 2 { // the first one stands for the unknown
		for _, r := range rows {
			q.keys[r.ID] = repositoryKey(r)
		}
	}
	if f.Run != "" || f.Branch != "" || f.Worktree != "" {
		runs, err := q.RunsOfScope(ctx, db.RunsOfScopeParams{Run: f.Run, Branch: f.Branch, Worktree: f.Worktree})
		if err != nil {
			return err
		}
		q.runs, err = asJSON(runs)
		return err
	}
	return nil
}

// repositoriesNamed are the rows with this key, for json_each.
func repositoriesNamed(rows []db.Repository, key string) (string, error) {
	if key == "" {
		return anyWord, nil
	}
	ids := []int64{}
	for _, r := range rows {
		if repositoryKey(r) == key {
			ids = append(ids, r.ID)
		}
	}
	return asJSON(ids)
}

func repositoryKey(r db.Repository) string {
	if r.Kind == string(ledger.RepositoryUnknown) {
		return ledger.UnknownRepository
	}
	return r.Key
}

// ViolationTotals implements [ledger.StatisticsSource].
func (q *statisticsQuery) ViolationTotals(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.TotalsOfViolations(ctx, q.cells())
	for _, r := range rows {
		out.Violations = append(out.Violations, ledger.ViolationTotals{
			EntryPoint: q.names[r.JobID].EntryPoint, Gate: q.names[r.JobID].Name, Adapter: r.Adapter, Model: r.Model,
			Iteration: int(r.Iteration), Priority: ledger.Priority(r.Priority), Status: ledger.Status(r.Status), Reason: r.Reason,
			Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Recurring: r.Recurring != 0, Violations: int(r.Violations),
		})
	}
	return err
}

// cells are the parameters of the queries of totals.
func (q *statisticsQuery) cells() db.TotalsOfViolationsParams {
	return db.TotalsOfViolationsParams{
		Buckets: q.counted, Edges: q.signed, Runs: q.runs, Since: q.since, Until: q.until,
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
	}
}

// SlotTotals implements [ledger.StatisticsSource].
func (q *statisticsQuery) SlotTotals(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.TotalsOfSlots(ctx, db.TotalsOfSlotsParams(q.cells()))
	for _, r := range rows {
		out.Slots = append(out.Slots, ledger.SlotTotals{
			EntryPoint: q.names[r.JobID].EntryPoint, Gate: q.names[r.JobID].Name, Adapter: r.Adapter, Model: r.Model, Iteration: int(r.Iteration),
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
	rows, err := q.TimesOfSlots(ctx, db.TimesOfSlotsParams(q.cells()))
	for _, r := range rows {
		out.Times = append(out.Times, ledger.TimeTotals{
			Adapter: r.Adapter, Model: r.Model, Took: time.Duration(r.TookMs) * time.Millisecond, Slots: int(r.Slots),
		})
	}
	return err
}

// Repairs implements [ledger.StatisticsSource].
func (q *statisticsQuery) Repairs(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.RepairsOfReviewers(ctx, db.RepairsOfReviewersParams{
		Since: q.since, Until: q.until, Jobs: q.jobs, Runs: q.runs, Adapter: q.filter.Adapter, Model: q.filter.Model, Repositories: q.repositories,
	})
	for _, r := range rows {
		out.Repairs = append(out.Repairs, ledger.RepairTotals{Adapter: r.Adapter, Model: r.Model, Calls: int(r.Repairs)})
	}
	return err
}

// Overlap implements [ledger.StatisticsSource].
func (q *statisticsQuery) Overlap(ctx context.Context, out *ledger.Rows) error {
	runs, err := q.NewestRuns(ctx, db.NewestRunsParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs, AtMost: ledger.OverlapRuns,
	})
	if err != nil {
		return err
	}
	list, err := asJSON(runs)
	if err != nil {
		return err
	}
	rows, err := q.OverlapOfRuns(ctx, db.OverlapOfRunsParams{
		Runs: list, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model, Since: q.since, Until: q.until,
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
	if part, counted := q.part(); counted {
		return q.runTotals(ctx, part, &out.Runs)
	}
	rows, err := q.StatisticsOfRuns(ctx, db.StatisticsOfRunsParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Runs: q.runs, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	runs := make([]ledger.RunTotals, 0, len(rows))
	for _, r := range rows {
		run := ledger.RunTotals{
			Status: ledger.RunStatus(r.Status), Iterations: int(r.Iterations), Branch: r.Branch, Started: time.Time(r.StartedAt),
		}
		if r.FinishedAt != nil {
			run.Finished = time.Time(*r.FinishedAt)
		}
		runs = append(runs, run)
	}
	out.Runs = ledger.CountRuns(runs...)
	return err
}

// part is the part of runs under which those are counted that the filter leaves; the empty
// one is all of them. Not counted are those of a branch, and those with two parts.
func (q *statisticsQuery) part() (part string, counted bool) {
	f := q.filter
	switch {
	case q.runs != anyWord || f.EntryPoint != "" || f.Wants(ledger.SectionBranches) || f.Gate != "" && f.Adapter != "":
		return "", false
	case f.Gate != "":
		return "gate:" + f.Gate, true
	case f.Adapter != "":
		return "adapter:" + f.Adapter, true
	}
	return "", true
}

// runTotals reads what is counted already of the runs with the part.
func (q *statisticsQuery) runTotals(ctx context.Context, part string, out *ledger.RunRows) error {
	totals, err := q.TotalsOfRuns(ctx, db.TotalsOfRunsParams{Part: part, Buckets: q.buckets, Edges: q.edges, Repositories: q.repositories})
	for _, r := range totals {
		out.AddTotals(ledger.RunStatus(r.Status), int(r.Iterations), int(r.Runs))
	}
	if err != nil {
		return err
	}
	times, err := q.TimesOfRuns(ctx, db.TimesOfRunsParams{Part: part, Buckets: q.buckets, Edges: q.edges, Repositories: q.repositories})
	for _, r := range times {
		out.AddTimes(time.Duration(r.TookMs)*time.Millisecond, int(r.Runs))
	}
	if err != nil || !q.filter.Wants(ledger.SectionWeeks) && !q.filter.Wants(ledger.SectionDays) {
		return err
	}
	first, last := q.filter.Period.WholeDays()
	days, err := q.RunsByDay(ctx, db.RunsByDayParams{Part: part, FirstDay: first, LastDay: last, Edges: q.edges, Repositories: q.repositories})
	for _, r := range days {
		day, err := timeOf(r.Day + "T00:00:00Z")
		if err != nil {
			return err
		}
		out.AddDay(day, ledger.RunStatus(r.Status), int(r.Runs))
	}
	return err
}

// Branches implements [ledger.StatisticsSource].
func (q *statisticsQuery) Branches(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.ViolationsByBranch(ctx, db.ViolationsByBranchParams{
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model, Since: q.since, Until: q.until, Runs: q.runs,
	})
	for _, r := range rows {
		out.Branches = append(out.Branches, ledger.BranchTotals{Branch: r.Branch, Status: ledger.Status(r.Status), Violations: int(r.Violations)})
	}
	return err
}

// Checks implements [ledger.StatisticsSource].
func (q *statisticsQuery) Checks(ctx context.Context, out *ledger.Rows) error {
	p := q.cells()
	rows, err := q.TotalsOfChecks(ctx, db.TotalsOfChecksParams{
		Buckets: p.Buckets, Edges: p.Edges, Runs: p.Runs, Since: p.Since, Until: p.Until, Repositories: p.Repositories, Jobs: p.Jobs,
	})
	if err != nil {
		return err
	}
	out.CheckDetails = map[string]ledger.CheckStatistics{}
	for _, r := range rows {
		job := q.names[r.JobID]
		out.Checks = append(out.Checks, ledger.CheckTotals{
			Job: job.Job, EntryPoint: job.EntryPoint, Check: job.Name, Passed: r.Passed != 0,
			Took: time.Duration(r.TookMs) * time.Millisecond, Executions: int(r.Executions),
		})
		if _, known := out.CheckDetails[job.Job]; known {
			continue
		}
		if out.CheckDetails[job.Job], err = q.checkDetails(ctx, r.JobID); err != nil {
			return err
		}
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
	params := db.ChecksByWeekParams{
		Edges: noRows, Runs: q.runs, Since: since(p), Until: until(p), Repositories: q.repositories, Jobs: q.jobs,
	}
	if q.runs == anyWord {
		_, edges := p.TotalsOf(p.Since, q.now)
		params.Edges = jsonEdges(edges)
		params.FirstDay, params.LastDay = p.WholeDays()
	}
	rows, err := q.ChecksByWeek(ctx, params)
	for _, r := range rows {
		start, err := timeOf(r.Start + "T00:00:00Z")
		if err != nil {
			return err
		}
		out.CheckWeeks = append(out.CheckWeeks, ledger.CheckTotals{
			Start: start, Job: q.names[r.JobID].Job, Passed: r.Passed != 0, Took: time.Duration(r.TookMs) * time.Millisecond, Executions: int(r.Executions),
		})
	}
	return err
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

// fewChecks is of how many executions of a check the latest are found by sorting them.
const fewChecks = 2000

// latestChecks are the latest executions of a check, the last one first.
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

// flaky lists the trees on which a check had two outcomes in the period.
func (q *statisticsQuery) flaky(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.FlakyChecks(ctx, db.FlakyChecksParams{
		Since: q.since, Until: q.until, Repositories: q.repositories, Jobs: q.jobs, Runs: q.runs,
	})
	if err != nil {
		return err
	}
	outcomes := make([]ledger.TreeOutcome, 0, len(rows))
	for _, r := range rows {
		outcomes = append(outcomes, ledger.TreeOutcome{Job: r.Job, Tree: r.Tree, Branch: r.Branch, CheckExecution: ledger.CheckExecution{
			Run: r.Run, Iteration: int(r.Iteration), Status: ledger.GateStatus(r.Status), At: time.Time(r.StartedAt),
		}})
	}
	out.AddFlaky(outcomes)
	return nil
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
