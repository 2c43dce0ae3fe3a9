package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Statistics computes the figures that the filter asks for. What each counts is said above its
// statement in queries/statistics.sql.
func (l *Store) Statistics(ctx context.Context, f figures.Filter) (s figures.Statistics, err error) {
	s = figures.New(f)
	err = l.read(ctx, "compute statistics", func(t *tx) error {
		q, err := t.figures(ctx, f, l.now())
		if err != nil {
			return err
		}
		parts := slices.DeleteFunc(q.parts(), func(p figuresPart) bool { return !f.Wants(p.of...) })
		for i, part := range parts {
			l.count(i, len(parts))
			if err := part.read(ctx, &s); err != nil {
				return err
			}
		}
		l.count(len(parts), len(parts))
		s.Sort()
		return nil
	})
	return s, err
}

// count reports the progress of counting.
func (l *Store) count(done, all int) {
	if l.counting != nil {
		l.counting(Progress{Done: done, Steps: all})
	}
}

// figuresPart reads the figures of some sections.
type figuresPart struct {
	of   []figures.Section
	read func(context.Context, *figures.Statistics) error
}

func (q *figuresQuery) parts() []figuresPart {
	sections := func(list ...figures.Section) []figures.Section { return list }
	return []figuresPart{
		{sections(figures.SectionTotals, figures.SectionReviewers), q.reported},
		{sections(figures.SectionTotals, figures.SectionReviewers, figures.SectionSlots), q.slots},
		{sections(figures.SectionReviewers), q.reviewers},
		{sections(figures.SectionRuns), q.runTotals},
		{sections(figures.SectionWeeks), q.weeks},
		{sections(figures.SectionFiles), q.files},
		{sections(figures.SectionRecurring), q.recurring},
		{sections(figures.SectionChecks), q.checks},
		{sections(figures.SectionVerdicts), q.verdicts},
	}
}

// figuresQuery has a filter in the form that the statements of figures need.
type figuresQuery struct {
	*tx
	conditions
	filter figures.Filter
	now    time.Time
	// several is set if more than one repository is known.
	several bool
}

// conditions are the parameters that the statements of figures have in common.
type conditions struct{ Since, Until, Runs, Jobs, Adapter, Model string }

// noRows is the empty list for json_each.
const noRows = "[]"

func (t *tx) figures(ctx context.Context, f figures.Filter, now time.Time) (*figuresQuery, error) {
	q := &figuresQuery{tx: t, filter: f, now: now, conditions: conditions{
		Since: since(f.Period), Until: until(f.Period), Runs: anyWord, Adapter: f.Adapter, Model: f.Model,
	}}
	var err error
	if q.Jobs, err = t.jobsOf(ctx, f.Gate, f.EntryPoint); err != nil {
		return nil, err
	}
	repositories, err := t.RepositoryRows(ctx)
	if err != nil {
		return nil, err
	}
	q.several = len(repositories) > 2 // the first one stands for the unknown repository
	if f.Run == "" && f.Branch == "" && f.Worktree == "" && f.Repository == "" {
		return q, nil
	}
	scope := db.RunsOfScopeParams{Run: f.Run, Branch: f.Branch, Worktree: f.Worktree}
	if scope.Repositories, err = t.repositoriesOf(ctx, f.Repository); err != nil {
		return nil, err
	}
	runs, err := t.RunsOfScope(ctx, scope)
	q.Runs = asJSON(runs)
	return q, err
}

// shown returns the key of a repository, or "" if there is only one.
func (q *figuresQuery) shown(repository string) string {
	if !q.several {
		return ""
	}
	return repository
}

func (q *figuresQuery) reported(ctx context.Context, s *figures.Statistics) error {
	rows, err := q.ReportedViolations(ctx, db.ReportedViolationsParams(q.conditions))
	list := make([]figures.Reported, len(rows))
	for i, r := range rows {
		list[i] = figures.Reported(r)
	}
	s.AddReported(list)
	return err
}

func (q *figuresQuery) slots(ctx context.Context, s *figures.Statistics) error {
	rows, err := q.EndedSlots(ctx, db.EndedSlotsParams(q.conditions))
	list := make([]figures.Slots, len(rows))
	for i, r := range rows {
		list[i] = figures.Slots(r)
	}
	s.AddSlots(list)
	return err
}

func (q *figuresQuery) reviewers(ctx context.Context, s *figures.Statistics) error {
	c := q.conditions
	times := func(by string) (map[string]figures.Durations, error) {
		rows, err := q.AnswerTimes(ctx, db.AnswerTimesParams{By: by, Since: c.Since, Until: c.Until, Runs: c.Runs, Jobs: c.Jobs, Adapter: c.Adapter, Model: c.Model})
		took := map[string]figures.Durations{}
		for _, r := range rows {
			took[r.Name] = durations(r.Answers, r.P50, r.P90)
		}
		return took, err
	}
	adapters, err := times("adapter")
	if err != nil {
		return err
	}
	models, err := times("model")
	if err != nil {
		return err
	}
	for i, a := range s.Adapters {
		s.Adapters[i].Took = adapters[a.Adapter]
	}
	for i, m := range s.Models {
		s.Models[i].Took = models[m.Model]
	}
	overlaps, err := q.AdapterOverlaps(ctx, db.AdapterOverlapsParams{
		Since: c.Since, Until: c.Until, Runs: c.Runs, Jobs: c.Jobs, Adapter: c.Adapter, Model: c.Model, Newest: figures.OverlapRuns,
	})
	for _, r := range overlaps {
		s.Overlaps = append(s.Overlaps, figures.Overlap{
			Adapter: r.Adapter, Other: r.Other, Shared: figures.Share{Part: int(r.Shared), Whole: int(r.Violations)},
		})
	}
	return err
}

// durations converts from milliseconds.
func durations(n, p50, p90 int64) figures.Durations {
	return figures.Durations{N: int(n), P50: time.Duration(p50) * time.Millisecond, P90: time.Duration(p90) * time.Millisecond}
}

// ofRuns has the conditions of statements about runs, which no single model answered.
type ofRuns struct{ Since, Until, Runs, Jobs, Adapter string }

func (c conditions) ofRuns() ofRuns { return ofRuns{c.Since, c.Until, c.Runs, c.Jobs, c.Adapter} }

func (q *figuresQuery) runTotals(ctx context.Context, s *figures.Statistics) error {
	rows, err := q.RunsByIterations(ctx, db.RunsByIterationsParams(q.ofRuns()))
	if err != nil {
		return err
	}
	for _, r := range rows {
		s.Runs += int(r.Runs)
		if ledger.RunStatus(r.Status).Passes() {
			s.Passed += int(r.Runs)
			s.IterationsToPass[int(r.Iterations)] += int(r.Runs)
		}
	}
	took, err := q.TimeToPass(ctx, db.TimeToPassParams(q.ofRuns()))
	s.TimeToPass = durations(took.Runs, took.P50, took.P90)
	return err
}

func (q *figuresQuery) weeks(ctx context.Context, s *figures.Statistics) error {
	text, err := q.FirstReported(ctx)
	if err != nil || text == "" {
		return err
	}
	first, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return err
	}
	s.BeginWeeks(first, q.now)
	events, err := q.EventsByWeek(ctx, db.EventsByWeekParams(q.conditions))
	if err != nil {
		return err
	}
	for _, r := range events {
		s.Week(r.Week).AddEvents(ledger.Status(r.Status), r.Violations)
	}
	runs, err := q.RunsByWeek(ctx, db.RunsByWeekParams(q.ofRuns()))
	if err != nil {
		return err
	}
	for _, r := range runs {
		s.Week(r.Week).AddRuns(ledger.RunStatus(r.Status), r.Runs)
	}
	costs, err := q.CostsByWeek(ctx, db.CostsByWeekParams(q.conditions))
	for _, r := range costs {
		s.Week(r.Week).Cost = ledger.Cost{USD: r.CostUSD, Known: int(r.CallsWithCost), Calls: int(r.Calls)}
	}
	return err
}

func (q *figuresQuery) files(ctx context.Context, s *figures.Statistics) error {
	c := q.conditions
	rows, err := q.TopFiles(ctx, db.TopFilesParams{
		Since: c.Since, Until: c.Until, Runs: c.Runs, Jobs: c.Jobs, Adapter: c.Adapter, Model: c.Model, AtMost: atMost(q.filter.Top),
	})
	if err != nil {
		return err
	}
	listed := [][2]any{}
	for _, r := range rows {
		file := q.filter.FileOf(r.File, q.shown(r.Repository))
		for count, n := range map[*ledger.Count]int64{
			&file.Violations: r.Violations, &file.Open: r.Open, &file.Abandoned: r.Abandoned, &file.Claimed: r.Claimed, &file.Verified: r.Verified,
			&file.Skipped: r.Skipped, &file.Withdrawn: r.Withdrawn, &file.Reopened: r.Reopened, &file.InFixLines: r.InFixLines,
		} {
			count.Violations = int(n)
		}
		file.Runs = int(r.Runs)
		s.Files, listed = append(s.Files, file), append(listed, [2]any{r.RepositoryID, r.File})
	}
	if len(listed) == 0 {
		return nil
	}
	places, err := json.Marshal(listed)
	if err != nil {
		return err
	}
	first := q.filter.FirstShownWeek(q.now)
	weeks, err := q.FilesByWeek(ctx, db.FilesByWeekParams{
		Files: string(places), Since: q.sinceWeek(first), Until: c.Until, Runs: c.Runs, Jobs: c.Jobs, Adapter: c.Adapter, Model: c.Model,
	})
	for _, r := range weeks {
		if n := figures.WeeksBetween(first, r.Week); n < figures.ShownWeeks { // a clock may have been ahead
			s.Files[r.Place].Weeks[n] = int(r.Violations)
		}
	}
	return err
}

// sinceWeek returns the beginning of the period, or of the week if that is later.
func (q *figuresQuery) sinceWeek(start time.Time) string { return max(q.Since, db.Time(start).Text()) }

func (q *figuresQuery) recurring(ctx context.Context, s *figures.Statistics) error {
	c := q.conditions
	rows, err := q.RecurringLines(ctx, db.RecurringLinesParams{
		Since: c.Since, Until: c.Until, Runs: c.Runs, Jobs: c.Jobs, Adapter: c.Adapter, Model: c.Model, AtMost: atMost(q.filter.Top),
	})
	for _, r := range rows {
		line := q.filter.RecurrenceOf(r.Fingerprint, q.shown(r.Repository), r.Runs, r.Violations, r.Open)
		line.Latest, line.Job, line.File, line.Issue, line.Line = r.Latest, r.Job, r.File, r.Issue, int(r.LineStart)
		s.Recurring = append(s.Recurring, line)
	}
	return err
}

// ofChecks has the conditions of statements about checks, which nobody answers.
type ofChecks struct{ Since, Until, Runs, Jobs string }

func (q *figuresQuery) checks(ctx context.Context, s *figures.Statistics) error {
	of := ofChecks{q.Since, q.Until, q.Runs, q.Jobs}
	rows, err := q.ExecutedChecks(ctx, db.ExecutedChecksParams{Since: q.Since, Until: q.Until, Runs: q.Runs, Jobs: q.Jobs, AtMost: atMost(q.filter.Top)})
	if err != nil {
		return err
	}
	first, at := q.filter.FirstShownWeek(q.now), map[int64]*figures.Check{}
	s.Checks = make([]figures.Check, len(rows))
	for i, r := range rows {
		s.Checks[i] = figures.Check{
			Job: r.Job, EntryPoint: r.EntryPoint, Check: r.Name, Executions: int(r.Executions), Failures: int(r.Failures),
			Took: durations(r.Executions, r.P50, r.P90), Weeks: figures.CheckWeeks(first),
		}
		at[r.JobID] = &s.Checks[i]
	}
	latest, err := q.LatestExecutions(ctx, db.LatestExecutionsParams(of))
	if err != nil {
		return err
	}
	for _, r := range latest {
		if c := at[r.JobID]; c != nil {
			c.Command = r.Command
			c.Last = append(c.Last, execution(r.Run, r.Iteration, r.Status, r.StartedAt))
		}
	}
	of.Since = q.sinceWeek(first)
	weeks, err := q.ChecksByWeek(ctx, db.ChecksByWeekParams(of))
	if err != nil {
		return err
	}
	for _, r := range weeks {
		if c, n := at[r.JobID], figures.WeeksBetween(first, r.Week); c != nil && n < figures.ShownWeeks {
			w := &c.Weeks[n]
			w.Executions, w.Failures, w.Took = int(r.Executions), int(r.Failures), durations(r.Executions, r.P50, r.P90)
		}
	}
	return q.flaky(ctx, s, at)
}

func (q *figuresQuery) flaky(ctx context.Context, s *figures.Statistics, checks map[int64]*figures.Check) error {
	rows, err := q.FlakyChecks(ctx, db.FlakyChecksParams{Since: q.Since, Until: q.Until, Runs: q.Runs, Jobs: q.Jobs})
	for _, r := range rows {
		s.Flaky = append(s.Flaky, figures.FlakyCheck{
			Job: r.Job, Tree: *r.Tree, Branch: r.Branch,
			First: execution(r.FirstRun, r.FirstIteration, r.FirstStatus, r.FirstAt), Then: execution(r.Run, r.Iteration, r.Status, r.StartedAt),
		})
		if c := checks[r.JobID]; c != nil {
			c.Flaky++
		}
	}
	return err
}

func execution(run string, iteration int64, status string, at db.Time) figures.Execution {
	return figures.Execution{Run: run, Iteration: int(iteration), Status: ledger.GateStatus(status), At: time.Time(at)}
}

func (q *figuresQuery) verdicts(ctx context.Context, s *figures.Statistics) error {
	rows, err := q.ListVerdicts(ctx, db.ListVerdictsParams{Since: q.Since, Until: q.Until, Runs: q.Runs})
	all := make([]figures.Verdict, len(rows))
	for i, r := range rows {
		d := r.Verdict
		all[i] = figures.Verdict{
			Run: r.Run, Review: r.ReviewID, Iteration: int(r.Iteration), Scope: r.Scope, Target: r.Target, Mode: d.Mode,
			Verdict: ledger.VerdictWord(d.Verdict), At: time.Time(d.At), Findings: map[ledger.Priority]int{
				ledger.Critical: int(d.Blocker), ledger.High: int(d.High), ledger.Medium: int(d.Medium), ledger.Low: int(d.Low), ledger.Info: int(d.Info),
			},
		}
	}
	s.AddVerdicts(all, q.now)
	return err
}
