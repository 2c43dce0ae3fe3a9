package ledger

import (
	"context"
	"slices"
	"time"
)

// StatisticsSource reads what statistics are computed from, in a ledger or in a team store. Each
// method adds its part to the rows.
type StatisticsSource interface {
	ViolationTotals(context.Context, *Rows) error
	SlotTotals(context.Context, *Rows) error
	SlotTimes(context.Context, *Rows) error
	Overlap(context.Context, *Rows) error
	RunTotals(context.Context, *Rows) error
	Weeks(context.Context, *Rows) error
	Files(context.Context, *Rows) error
	RecurringLines(context.Context, *Rows) error
	Checks(context.Context, *Rows) error
	ListedVerdicts(context.Context, *Rows) error
}

// Of computes statistics from the source.
func (f StatisticsFilter) Of(ctx context.Context, source StatisticsSource, now time.Time) (Statistics, error) {
	rows, err := f.read(ctx, source, now)
	if err != nil {
		return Statistics{}, err
	}
	return Compute(rows, f), nil
}

// read reads what the wanted sections are computed from.
func (f StatisticsFilter) read(ctx context.Context, source StatisticsSource, now time.Time) (rows Rows, err error) {
	rows.Now = now
	totals, reviewers := f.Wants(SectionTotals), f.Wants(SectionReviewers)
	for _, part := range []struct {
		wanted bool
		read   func(context.Context, *Rows) error
	}{
		{totals || reviewers, source.ViolationTotals},
		{totals || reviewers || f.Wants(SectionSlots), source.SlotTotals},
		{reviewers, source.SlotTimes},
		{reviewers, source.Overlap},
		{f.Wants(SectionRuns) || f.Wants(SectionWeeks), source.RunTotals},
		{f.Wants(SectionWeeks), source.Weeks},
		{f.Wants(SectionFiles), source.Files},
		{f.Wants(SectionRecurring), source.RecurringLines},
		{f.Wants(SectionChecks), source.Checks},
		{f.Wants(SectionVerdicts), source.ListedVerdicts},
	} {
		if !part.wanted {
			continue
		}
		if err := part.read(ctx, &rows); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// OverlapRuns is how many of the newest runs the overlap is computed from, because it compares
// violations one by one.
const OverlapRuns = 25

// How long before the first run and after now totals are read, because clocks may be wrong.
const (
	monthsBefore = 1
	yearsAhead   = 1
)

// TotalsOf returns the buckets and edges of the period in a ledger whose first run started at
// first.
func (p Period) TotalsOf(first, now time.Time) (buckets []string, edges []Period) {
	return p.Buckets(first.AddDate(0, -monthsBefore, 0), now.AddDate(yearsAhead, 0, 0))
}

// Beside returns the bucket of the day that contains the edge, and the parts of that day outside
// the edge.
func (p Period) Beside() (bucket string, beside []Period) {
	day := ByDay.Start(p.Since)
	for _, rest := range []Period{{Since: day, Until: p.Since}, {Since: p.Until, Until: ByDay.Next(day)}} {
		if rest.Since.Before(rest.Until) {
			beside = append(beside, rest)
		}
	}
	return day.Format(time.DateOnly), beside
}

// DaysWithin returns the buckets of the days that the period contains completely. It must have both
// bounds.
func (p Period) DaysWithin() (buckets []string) {
	day := ByDay.Start(p.Since)
	if day.Before(p.Since) {
		day = ByDay.Next(day)
	}
	for ; !ByDay.Next(day).After(p.Until); day = ByDay.Next(day) {
		buckets = append(buckets, day.Format(time.DateOnly))
	}
	return buckets
}

// Days returns the buckets of the days that come closest to the period, which must have both
// bounds. missing are the parts of the period that these days do not have, and tooMuch what they
// have beyond it: at most half a day on each side.
func (p Period) Days() (buckets []string, missing, tooMuch []Period) {
	buckets = p.DaysWithin()
	for _, edge := range p.Edges() {
		if edge.Until.Sub(edge.Since) <= 12*time.Hour {
			missing = append(missing, edge)
			continue
		}
		bucket, beside := edge.Beside()
		buckets, tooMuch = append(buckets, bucket), append(tooMuch, beside...)
	}
	return buckets, missing, tooMuch
}

// Edges returns the parts at both ends of the period that are not whole days.
func (p Period) Edges() (edges []Period) {
	until := p.Until
	if !p.Since.IsZero() {
		if day := ByDay.Start(p.Since); day.Before(p.Since) {
			edge := Period{Since: p.Since, Until: ByDay.Next(day)}
			if !until.IsZero() {
				edge.Until = earlier(edge.Until, until)
			}
			edges = append(edges, edge)
			if edge.Until.Equal(until) {
				return edges
			}
		}
	}
	if day := ByDay.Start(until); !until.IsZero() && day.Before(until) {
		edges = append(edges, Period{Since: day, Until: until})
	}
	return edges
}

// AddEvents adds violations that had the event to the week that begins at start.
func (r *PeriodRows) AddEvents(start time.Time, event string, violations int64) {
	if violations != 0 {
		countIn(&r.Events, start, Status(event), int(violations))
	}
}

// AddCost adds a figure of the cost of slots to the week that begins at start.
func (r *PeriodRows) AddCost(start time.Time, f SlotFigure, n int64) { countIn(&r.Costs, start, f, n) }

// FileCounts are the numbers of violations of a file by what became of them.
type FileCounts struct{ Violations, Open, Abandoned, Claimed, Verified, Skipped, Withdrawn, InFixLines int64 }

// FileOf returns a file with its counts and the filters that list them.
func (f StatisticsFilter) FileOf(name, repository string, n FileCounts) FileStatistics {
	file := FileStatistics{File: name, Repository: repository, Weeks: make([]int, ShownWeeks)}
	file.OutcomeStatistics, file.Reopened, file.InFixLines = f.fileOutcomes(name, repository)
	for count, number := range map[*Count]int64{
		&file.Violations: n.Violations, &file.Open: n.Open, &file.Abandoned: n.Abandoned, &file.Claimed: n.Claimed,
		&file.Verified: n.Verified, &file.Skipped: n.Skipped, &file.Withdrawn: n.Withdrawn, &file.InFixLines: n.InFixLines,
	} {
		count.Violations = int(number)
	}
	return file
}

// AddDay adds violations that were reported on a day to the week of that day.
func (s *FileStatistics) AddDay(firstWeek time.Time, day string, violations int64) error {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return err
	}
	if week := int(ByWeek.Start(at).Sub(firstWeek).Hours()) / (24 * 7); week >= 0 && week < ShownWeeks {
		s.Weeks[week] += int(violations)
	}
	return nil
}

// RecurrenceOf returns a recurring line without the text of its latest violation.
func (f StatisticsFilter) RecurrenceOf(fingerprint, repository string, runs, violations, open int64) Recurrence {
	x := Recurrence{Fingerprint: fingerprint, Repository: repository, Runs: int(runs)}
	x.Violations = Count{int(violations), f.lineFilter(fingerprint, repository)}
	x.Open = Count{int(open), x.Violations.Filter.with(OpenStatuses()...)}
	return x
}

// TreeOutcome is an execution of a check on a tree.
type TreeOutcome struct {
	Job, Tree, Branch string
	CheckExecution
}

// AddFlaky adds the trees on which a check both passed and failed. The outcomes are grouped by job
// and tree, and each group is in the order of time.
func (r *Rows) AddFlaky(outcomes []TreeOutcome) {
	var current FlakyCheck
	for _, o := range outcomes {
		switch {
		case current.Job != o.Job || current.Tree != o.Tree:
			current = FlakyCheck{Job: o.Job, Tree: o.Tree, Branch: o.Branch, First: o.CheckExecution}
		case current.Then.Status == "" && o.Status != current.First.Status:
			current.Then, current.Branch = o.CheckExecution, o.Branch
			r.Flaky = append(r.Flaky, current)
			c := r.CheckDetails[o.Job]
			c.Flaky++
			r.CheckDetails[o.Job] = c
		}
	}
	slices.SortStableFunc(r.Flaky, func(a, b FlakyCheck) int { return b.Then.At.Compare(a.Then.At) })
}

// FindingsBy returns numbers of findings by priority.
func FindingsBy(blocker, high, medium, low, info int64) map[Priority]int {
	return map[Priority]int{Critical: int(blocker), High: int(high), Medium: int(medium), Low: int(low), Info: int(info)}
}
