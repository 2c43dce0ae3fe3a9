package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// outcomes returns counts of what the filter selects, which are all still 0.
func outcomes(f ViolationFilter) OutcomeStatistics {
	return OutcomeStatistics{
		Violations: Count{Filter: f}, Open: Count{Filter: f.with(OpenStatuses()...)}, Abandoned: Count{Filter: f.with(ShownAbandoned)}, Claimed: Count{Filter: f.with(StatusFixed)},
		Verified: Count{Filter: f.with(StatusVerified)}, Skipped: Count{Filter: f.with(StatusSkipped)},
		Withdrawn: Count{Filter: f.with(StatusWithdrawn)},
	}
}

func (o *OutcomeStatistics) count(v ViolationTotals) { o.add(v.Status, v.Violations) }

func (o *OutcomeStatistics) add(status Status, n int) {
	o.Violations.Violations += n
	switch {
	case status.Open():
		o.Open.Violations += n
	case status == ShownAbandoned:
		o.Abandoned.Violations += n
	case status == StatusFixed:
		o.Claimed.Violations += n
	case status == StatusVerified:
		o.Verified.Violations += n
	case status == StatusSkipped:
		o.Skipped.Violations += n
	case status == StatusWithdrawn:
		o.Withdrawn.Violations += n
	}
}

// fileOutcomes returns the counts of one file, which are all still 0, with the filters that list
// them.
func (f StatisticsFilter) fileOutcomes(file, repository string) (o OutcomeStatistics, reopened, inFixLines Count) {
	filter := f.problems()
	filter.File = EscapePattern(file)
	if repository != "" {
		filter.Repository = repository
	}
	reopened, inFixLines = Count{Filter: filter}, Count{Filter: filter}
	reopened.Filter.Events.Statuses = []Status{StatusReopened}
	inFixLines.Filter.InFixLines = true
	return outcomes(filter), reopened, inFixLines
}

// lineFilter selects the violations with one fingerprint.
func (f StatisticsFilter) lineFilter(fingerprint, repository string) ViolationFilter {
	filter := f.problems()
	filter.Fingerprint = fingerprint
	if repository != "" {
		filter.Repository = repository
	}
	return filter
}

// addTimes adds how long answers took.
func (s *Statistics) addTimes(times []TimeTotals) {
	var adapters, models map[string]map[time.Duration]int
	for _, t := range times {
		countIn(&adapters, t.Adapter, t.Took, t.Slots)
		countIn(&models, t.Model, t.Took, t.Slots)
	}
	for i, a := range s.Adapters {
		s.Adapters[i].Took = durationsOf(adapters[a.Adapter])
	}
	for i, m := range s.Models {
		s.Models[i].Took = durationsOf(models[m.Model])
	}
}

func overlaps(totals []OverlapTotals) []Overlap {
	var list []Overlap
	for _, t := range totals {
		list = append(list, Overlap{t.Adapter, t.Other, Share{t.Shared, t.Violations}})
	}
	slices.SortFunc(list, func(a, b Overlap) int {
		return cmp.Or(cmp.Compare(a.Adapter, b.Adapter), cmp.Compare(a.Other, b.Other))
	})
	return list
}

// checksOf returns the checks, those that failed most often first.
func checksOf(totals, weeks []CheckTotals, first time.Time, details map[string]CheckStatistics, limit int) []CheckStatistics {
	checks := group(func(job string) CheckStatistics { return details[job] })
	var times map[string]map[time.Duration]int
	for _, t := range totals {
		c := checks.at(t.Job)
		c.Job, c.EntryPoint, c.Check = t.Job, t.EntryPoint, t.Check
		c.Executions += t.Executions
		if !t.Passed {
			c.Failures += t.Executions
		}
		countIn(&times, t.Job, t.Took, t.Executions)
	}
	list := checks.list()
	for i, c := range list {
		list[i].Took = durationsOf(times[c.Job])
		list[i].Weeks = checkWeeks(weeks, c.Job, first)
	}
	slices.SortFunc(list, func(a, b CheckStatistics) int {
		return cmp.Or(-cmp.Compare(a.Failures, b.Failures), strings.Compare(a.Job, b.Job))
	})
	return list[:top(len(list), limit)]
}

// ShownWeeks is how many weeks are shown for each file and each check.
const ShownWeeks = 12

// FirstShownWeek returns when the first of the [ShownWeeks] begins. The last one contains the end
// of the filter's period.
func (f StatisticsFilter) FirstShownWeek(now time.Time) time.Time {
	last := now
	if end := f.Period.Until; !end.IsZero() && end.Before(last) {
		last = end.Add(-time.Millisecond)
	}
	return ByWeek.Start(last).AddDate(0, 0, -7*(ShownWeeks-1))
}

// checkWeeks counts the executions of one check by week, starting with the week that begins at
// first.
func checkWeeks(totals []CheckTotals, job string, first time.Time) []CheckWeek {
	weeks := make([]CheckWeek, ShownWeeks)
	var times map[int]map[time.Duration]int
	at := map[time.Time]int{}
	for i := range weeks {
		weeks[i].Start = first.AddDate(0, 0, 7*i)
		at[weeks[i].Start] = i
	}
	for _, t := range totals {
		i, known := at[t.Start]
		if t.Job != job || !known {
			continue
		}
		weeks[i].Executions += t.Executions
		if !t.Passed {
			weeks[i].Failures += t.Executions
		}
		countIn(&times, i, t.Took, t.Executions)
	}
	for i := range weeks {
		weeks[i].Took = durationsOf(times[i])
	}
	return weeks
}

// listVerdicts lists the newest verdicts, and counts all of them by week.
func (s *Statistics) listVerdicts(rows Rows) {
	s.Verdicts = rows.Verdicts[:top(len(rows.Verdicts), s.Filter.Top)]
	if len(rows.Verdicts) == 0 {
		return
	}
	at := map[time.Time]int{}
	for _, span := range s.Filter.Period.Weeks(rows.Verdicts[len(rows.Verdicts)-1].At, rows.Now) {
		at[span.Start] = len(s.VerdictWeeks)
		s.VerdictWeeks = append(s.VerdictWeeks, VerdictStatistics{
			Start: span.Start, Partial: !span.Whole || rows.Now.Before(ByWeek.Next(span.Start)),
			By: map[VerdictWord]int{}, Findings: map[Priority]int{},
		})
	}
	for _, v := range rows.Verdicts {
		i, ok := at[ByWeek.Start(v.At)]
		if !ok {
			continue
		}
		s.VerdictWeeks[i].By[v.Verdict]++
		for priority, n := range v.Findings {
			s.VerdictWeeks[i].Findings[priority] += n
		}
	}
}

// Buckets divides the period into the buckets of totals that it contains completely, and the edges
// that remain. The bucket "" is all time, "2026-11" a month, and "2026-11-22" a day in UTC. If the
// period has no beginning, it begins at first; if it has no end, it ends with the day of last.
func (p Period) Buckets(first, last time.Time) (buckets []string, edges []Period) {
	if p == (Period{}) {
		return []string{""}, nil
	}
	since, until := p.Since, p.Until
	if since.Before(first) {
		since = ByDay.Start(first)
	}
	if until.IsZero() || until.After(last) {
		until = ByDay.Next(ByDay.Start(last))
	}
	if !since.Before(until) {
		return nil, nil
	}
	day := ByDay.Start(since)
	if day.Before(since) {
		day = ByDay.Next(day)
	}
	end := ByDay.Start(until)
	for day.Before(end) {
		if month := day.AddDate(0, 1, 0); day.Day() == 1 && !month.After(end) {
			buckets, day = append(buckets, day.Format("2006-01")), month
			continue
		}
		buckets, day = append(buckets, day.Format("2006-01-02")), ByDay.Next(day)
	}
	return buckets, p.Edges()
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
