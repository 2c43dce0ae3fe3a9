package store

import (
	"context"
	"database/sql"
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
	args   []any // parameters by name
	filter figures.Filter
	now    time.Time
	// first is the first of the weeks that are shown for each file and check.
	first time.Time
	// several is set if more than one repository is known.
	several bool
}

func (t *tx) figures(ctx context.Context, f figures.Filter, now time.Time) (*figuresQuery, error) {
	q := &figuresQuery{tx: t, filter: f, now: now, first: f.FirstShownWeek(now)}
	repositories, err := t.RepositoryRows(ctx)
	if err != nil {
		return nil, err
	}
	q.several = len(repositories) > 2 // the first one stands for the unknown repository
	jobs, err := t.jobsOf(ctx, f.Gate, f.EntryPoint)
	if err != nil {
		return nil, err
	}
	q.args = []any{
		sql.Named("since", since(f.Period)), sql.Named("until", until(f.Period)), sql.Named("jobs", jobs),
		sql.Named("adapter", f.Adapter), sql.Named("model", f.Model), sql.Named("at_most", atMost(f.Top)),
		sql.Named("newest", figures.OverlapRuns), sql.Named("first_week", db.Time(q.first)),
	}
	runs := anyWord
	if f.Run != "" || f.Branch != "" || f.Worktree != "" || f.Repository != "" {
		in, err := t.repositoriesOf(ctx, f.Repository)
		if err != nil {
			return nil, err
		}
		ids, err := db.Figures[int64](ctx, t.Queries, "RunsOfScope",
			sql.Named("run", f.Run), sql.Named("branch", f.Branch), sql.Named("worktree", f.Worktree), sql.Named("repositories", in))
		if err != nil {
			return nil, err
		}
		runs = asJSON(ids)
	}
	q.args = append(q.args, sql.Named("runs", runs))
	return q, nil
}

// ask reads the rows of a statement, which may have more parameters than the filter's.
func ask[T any](ctx context.Context, q *figuresQuery, statement string, more ...any) ([]T, error) {
	return db.Figures[T](ctx, q.Queries, statement, append(more, q.args...)...)
}

// shown returns the key of a repository, or "" if there is only one.
func (q *figuresQuery) shown(repository string) string {
	if !q.several {
		return ""
	}
	return repository
}

func (q *figuresQuery) reported(ctx context.Context, s *figures.Statistics) error {
	list, err := ask[figures.Reported](ctx, q, "ReportedViolations")
	s.AddReported(list)
	return err
}

func (q *figuresQuery) slots(ctx context.Context, s *figures.Statistics) error {
	list, err := ask[figures.Slots](ctx, q, "EndedSlots")
	s.AddSlots(list)
	return err
}

func (q *figuresQuery) reviewers(ctx context.Context, s *figures.Statistics) error {
	times := func(by string) (map[string]figures.Durations, error) {
		rows, err := ask[struct {
			Name string
			Took figures.Durations
		}](ctx, q, "AnswerTimes", sql.Named("by", by))
		took := map[string]figures.Durations{}
		for _, r := range rows {
			took[r.Name] = r.Took
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
	s.Overlaps, err = ask[figures.Overlap](ctx, q, "AdapterOverlaps")
	return err
}

// runsOfWeek is how many runs of a week have a status and a number of iterations.
type runsOfWeek struct {
	Week             int64
	Status           ledger.RunStatus
	Iterations, Runs int
}

func (q *figuresQuery) runTotals(ctx context.Context, s *figures.Statistics) error {
	rows, err := ask[runsOfWeek](ctx, q, "RunsByWeek")
	if err != nil {
		return err
	}
	for _, r := range rows {
		s.Runs += r.Runs
		if r.Status.Passes() {
			s.Passed += r.Runs
			s.IterationsToPass[r.Iterations] += r.Runs
		}
	}
	took, err := ask[struct{ Took figures.Durations }](ctx, q, "TimeToPass")
	for _, one := range took {
		s.TimeToPass = one.Took
	}
	return err
}

func (q *figuresQuery) weeks(ctx context.Context, s *figures.Statistics) error {
	reported, err := ask[struct{ At time.Time }](ctx, q, "FirstReported")
	if err != nil || reported[0].At.IsZero() {
		return err
	}
	s.BeginWeeks(reported[0].At, q.now)
	events, err := ask[struct {
		Week       int64
		Status     ledger.Status
		Violations int64
	}](ctx, q, "EventsByWeek")
	if err != nil {
		return err
	}
	for _, r := range events {
		s.Week(r.Week).AddEvents(r.Status, r.Violations)
	}
	runs, err := ask[runsOfWeek](ctx, q, "RunsByWeek")
	if err != nil {
		return err
	}
	for _, r := range runs {
		s.Week(r.Week).AddRuns(r.Status, int64(r.Runs))
	}
	costs, err := ask[struct {
		Week int64
		Cost ledger.Cost
	}](ctx, q, "CostsByWeek")
	for _, r := range costs {
		s.Week(r.Week).Cost = r.Cost
	}
	return err
}

func (q *figuresQuery) files(ctx context.Context, s *figures.Statistics) error {
	rows, err := ask[struct {
		RepositoryID                                                                             int64
		Repository, File                                                                         string
		Violations, Open, Abandoned, Claimed, Verified, Skipped, Withdrawn, Reopened, InFixLines int
		Runs                                                                                     int
	}](ctx, q, "TopFiles")
	if err != nil {
		return err
	}
	listed := [][2]any{}
	for _, r := range rows {
		file := q.filter.FileOf(r.File, q.shown(r.Repository))
		for count, n := range map[*ledger.Count]int{
			&file.Violations: r.Violations, &file.Open: r.Open, &file.Abandoned: r.Abandoned, &file.Claimed: r.Claimed, &file.Verified: r.Verified,
			&file.Skipped: r.Skipped, &file.Withdrawn: r.Withdrawn, &file.Reopened: r.Reopened, &file.InFixLines: r.InFixLines,
		} {
			count.Violations = n
		}
		file.Runs = r.Runs
		s.Files, listed = append(s.Files, file), append(listed, [2]any{r.RepositoryID, r.File})
	}
	if len(listed) == 0 {
		return nil
	}
	places, err := json.Marshal(listed)
	if err != nil {
		return err
	}
	weeks, err := ask[struct {
		Place      int
		Week       int64
		Violations int
	}](ctx, q, "FilesByWeek", sql.Named("files", string(places)))
	for _, r := range weeks {
		if n := figures.WeeksBetween(q.first, r.Week); n < figures.ShownWeeks { // a clock may have been ahead
			s.Files[r.Place].Weeks[n] = r.Violations
		}
	}
	return err
}

func (q *figuresQuery) recurring(ctx context.Context, s *figures.Statistics) error {
	rows, err := ask[struct {
		Fingerprint, Repository string
		Runs, Violations, Open  int64
		Latest, Job, File       string
		Line                    int
		Issue                   string
	}](ctx, q, "RecurringLines")
	for _, r := range rows {
		line := q.filter.RecurrenceOf(r.Fingerprint, q.shown(r.Repository), r.Runs, r.Violations, r.Open)
		line.Latest, line.Job, line.File, line.Issue, line.Line = r.Latest, r.Job, r.File, r.Issue, r.Line
		s.Recurring = append(s.Recurring, line)
	}
	return err
}

func (q *figuresQuery) checks(ctx context.Context, s *figures.Statistics) error {
	rows, err := ask[struct {
		JobID                 int64
		Job, EntryPoint, Name string
		Failures              int
		Took                  figures.Durations
	}](ctx, q, "ExecutedChecks")
	if err != nil {
		return err
	}
	at := map[int64]*figures.Check{}
	s.Checks = make([]figures.Check, len(rows))
	for i, r := range rows {
		s.Checks[i] = figures.Check{
			Job: r.Job, EntryPoint: r.EntryPoint, Check: r.Name, Executions: r.Took.N, Failures: r.Failures,
			Took: r.Took, Weeks: figures.CheckWeeks(q.first),
		}
		at[r.JobID] = &s.Checks[i]
	}
	latest, err := ask[struct {
		JobID int64
		figures.Execution
		Command string
	}](ctx, q, "LatestExecutions")
	if err != nil {
		return err
	}
	for _, r := range latest {
		if c := at[r.JobID]; c != nil {
			c.Command = r.Command
			c.Last = append(c.Last, r.Execution)
		}
	}
	weeks, err := ask[struct {
		JobID, Week int64
		Failures    int
		Took        figures.Durations
	}](ctx, q, "ChecksByWeek")
	if err != nil {
		return err
	}
	for _, r := range weeks {
		if c, n := at[r.JobID], figures.WeeksBetween(q.first, r.Week); c != nil && n < figures.ShownWeeks {
			w := &c.Weeks[n]
			w.Executions, w.Failures, w.Took = r.Took.N, r.Failures, r.Took
		}
	}
	return q.flaky(ctx, s, at)
}

func (q *figuresQuery) flaky(ctx context.Context, s *figures.Statistics, checks map[int64]*figures.Check) error {
	rows, err := ask[struct {
		JobID int64
		figures.FlakyCheck
	}](ctx, q, "FlakyChecks")
	for _, r := range rows {
		s.Flaky = append(s.Flaky, r.FlakyCheck)
		if c := checks[r.JobID]; c != nil {
			c.Flaky++
		}
	}
	return err
}

func (q *figuresQuery) verdicts(ctx context.Context, s *figures.Statistics) error {
	rows, err := ask[struct {
		figures.Verdict
		Blocker, High, Medium, Low, Info int
	}](ctx, q, "ListVerdicts")
	all := make([]figures.Verdict, len(rows))
	for i, r := range rows {
		all[i] = r.Verdict
		all[i].Findings = map[ledger.Priority]int{
			ledger.Critical: r.Blocker, ledger.High: r.High, ledger.Medium: r.Medium, ledger.Low: r.Low, ledger.Info: r.Info,
		}
	}
	s.AddVerdicts(all, q.now)
	return err
}
