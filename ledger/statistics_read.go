package ledger

import (
	"context"
	"slices"
	"time"
)

// StatisticsSource reads what statistics are made of: of a ledger, or of the store of a
// team. Each adds its part to the rows.
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

// Of computes the statistics of what the source has.
func (f StatisticsFilter) Of(ctx context.Context, source StatisticsSource, now time.Time) (Statistics, error) {
	rows, err := f.read(ctx, source, now)
	if err != nil {
		return Statistics{}, err
	}
	return Compute(rows, f), nil
}

// read reads what the wanted sections are made of.
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

// OverlapRuns is of how many of the newest runs the overlap is counted: it compares
// violations one by one.
const OverlapRuns = 25

// How far from the first run and from now totals are looked for: clocks are not always
// right.
const (
	monthsBefore = 1
	yearsAhead   = 1
)

// TotalsOf are the buckets and the edges of the period, where the first run began at the
// time given.
func (p Period) TotalsOf(first, now time.Time) (buckets []string, edges []Period) {
	return p.Buckets(first.AddDate(0, -monthsBefore, 0), now.AddDate(yearsAhead, 0, 0))
}

// Beside is what the day of an edge has beside it, and the bucket of the whole day.
func (p Period) Beside() (bucket string, beside []Period) {
	day := ByDay.Start(p.Since)
	for _, rest := range []Period{{Since: day, Until: p.Since}, {Since: p.Until, Until: ByDay.Next(day)}} {
		if rest.Since.Before(rest.Until) {
			beside = append(beside, rest)
		}
	}
	return day.Format(time.DateOnly), beside
}

// DaysWithin are the buckets of the days that lie as a whole in the period, which has both ends.
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

// Days are the buckets of days that together are about as long as the period, which has both
// ends, and what is then missing or too much: less than half of a day each.
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

// Edges are the parts of the period that lie in no whole day of it.
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

// AddEvents adds violations with the event to the week that begins then.
func (r *PeriodRows) AddEvents(start time.Time, event string, violations int64) {
	if violations != 0 {
		countIn(&r.Events, start, Status(event), int(violations))
	}
}

// AddCost adds a figure of what slots cost in the week that begins then.
func (r *PeriodRows) AddCost(start time.Time, f SlotFigure, n int64) { countIn(&r.Costs, start, f, n) }

// FileCounts are the violations of a file, by what became of them.
type FileCounts struct{ Violations, Open, Abandoned, Claimed, Verified, Skipped, Withdrawn, InFixLines int64 }

// FileOf is a file with its counts and their filters.
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

// AddDay adds violations that were reported on a day to their week.
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

// RecurrenceOf is a line that keeps coming back, without the words of its latest violation.
func (f StatisticsFilter) RecurrenceOf(fingerprint, repository string, runs, violations, open int64) Recurrence {
	x := Recurrence{Fingerprint: fingerprint, Repository: repository, Runs: int(runs)}
	x.Violations = Count{int(violations), f.lineFilter(fingerprint, repository)}
	x.Open = Count{int(open), x.Violations.Filter.with(OpenStatuses()...)}
	return x
}

// TreeOutcome is what a check came to on a tree.
type TreeOutcome struct {
	Job, Tree, Branch string
	CheckExecution
}

// AddFlaky adds the trees on which a check had two outcomes. Those of a job and tree come
// one after the other, the first one first.
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

// FindingsBy are numbers of findings by their priorities, in the order of importance.
func FindingsBy(blocker, high, medium, low, info int64) map[Priority]int {
	return map[Priority]int{Critical: int(blocker), High: int(high), Medium: int(medium), Low: int(low), Info: int(info)}
}
