package figures

import (
	"cmp"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// week is the length of a week. All times are in UTC, which has no summer time.
const week = 7 * 24 * time.Hour

// ShownWeeks is how many weeks are shown for each file and each check.
const ShownWeeks = 12

// Statements number weeks from this Monday.
var firstWeek = time.Date(1970, 1, 5, 0, 0, 0, 0, time.UTC)

// WeekOf returns when the week begins that contains the time: on a Monday at 00:00 UTC.
func WeekOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day()-(int(t.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
}

// StartOf returns when the week with this number in statements begins.
func StartOf(number int64) time.Time { return firstWeek.Add(time.Duration(number) * week) }

// FirstShownWeek returns when the first of the [ShownWeeks] begins. The last one contains the end
// of the filter's period.
func (f Filter) FirstShownWeek(now time.Time) time.Time {
	last := now
	if end := f.Period.Until; !end.IsZero() && end.Before(last) {
		last = end.Add(-time.Millisecond)
	}
	return WeekOf(last).Add(-(ShownWeeks - 1) * week)
}

// Span is the part of one calendar week that is within a period.
type Span struct {
	Start  time.Time
	Within ledger.Period
	// Partial is set if the period begins or ends in the week, or the week is not over.
	Partial bool
}

// Weeks lists the weeks of the period. If the period has no beginning, it begins in the week of
// first. No week begins after now.
func (f Filter) Weeks(first, now time.Time) []Span {
	p := f.Period
	since, until := p.Since, p.Until
	if since.IsZero() || since.Before(WeekOf(first)) {
		since = WeekOf(first)
	}
	if until.IsZero() || until.After(now) {
		until = now
	}
	if first.IsZero() {
		return nil
	}
	var spans []Span
	for start := WeekOf(since); start.Before(until) || start.Equal(until) && p.Until.IsZero(); start = start.Add(week) {
		s := Span{Start: start, Within: ledger.Period{Since: start, Until: start.Add(week)}, Partial: now.Before(start.Add(week))}
		if start.Before(p.Since) {
			s.Within.Since, s.Partial = p.Since, true
		}
		if !p.Until.IsZero() && p.Until.Before(s.Within.Until) {
			s.Within.Until, s.Partial = p.Until, true
		}
		spans = append(spans, s)
	}
	return spans
}

// Week has the figures of one week. Each counts the violations that had such an event in the week,
// by the time of the event, so that figures of the past never change.
type Week struct {
	Span
	// New and Reopened violations are opened, Verified, Skipped and Withdrawn ones are closed, and
	// the others are neither. A duplicate is closed with its original.
	New, Reopened, Verified, Skipped, Withdrawn, Claimed, Disputed, Duplicate ledger.Count
	// Runs is the number of runs of gates that began in the week, RunsBy their number by current
	// status, and Passed how many of them passed.
	Runs, Passed int
	RunsBy       map[ledger.RunStatus]int
	Cost         ledger.Cost
}

// BeginWeeks lists the weeks of the filter's period, as in [Filter.Weeks]. All their figures are
// still 0.
func (s *Statistics) BeginWeeks(first, now time.Time) {
	base := s.Filter.violations()
	base.Reported = ledger.Period{}
	for _, span := range s.Filter.Weeks(first, now) {
		w := Week{Span: span, RunsBy: map[ledger.RunStatus]int{}}
		for _, status := range ledger.Statuses() {
			filter := base
			filter.NoDuplicates = status != ledger.StatusDuplicate
			filter.Events = ledger.EventFilter{Statuses: []ledger.Status{status}, At: span.Within}
			w.events(status).Filter = filter
		}
		s.Weeks = append(s.Weeks, w)
	}
}

// Week returns the week with this number in statements, or an empty one if it is not listed.
func (s *Statistics) Week(number int64) *Week {
	if len(s.Weeks) > 0 {
		if i := int(StartOf(number).Sub(s.Weeks[0].Start) / week); i >= 0 && i < len(s.Weeks) && s.Weeks[i].Start.Equal(StartOf(number)) {
			return &s.Weeks[i]
		}
	}
	return &Week{RunsBy: map[ledger.RunStatus]int{}}
}

// events returns the count of the violations that had an event with the status, or one that nobody reads
// if weeks do not show the status.
func (w *Week) events(status ledger.Status) *ledger.Count {
	return cmp.Or(map[ledger.Status]*ledger.Count{
		ledger.StatusNew: &w.New, ledger.StatusReopened: &w.Reopened, ledger.StatusVerified: &w.Verified, ledger.StatusSkipped: &w.Skipped,
		ledger.StatusWithdrawn: &w.Withdrawn, ledger.StatusFixed: &w.Claimed, ledger.StatusDisputed: &w.Disputed, ledger.StatusDuplicate: &w.Duplicate,
	}[status], &ledger.Count{})
}

// AddEvents adds violations that had an event with the status.
func (w *Week) AddEvents(status ledger.Status, violations int64) {
	w.events(status).Violations += int(violations)
}

// AddRuns adds runs with the status.
func (w *Week) AddRuns(status ledger.RunStatus, runs int64) {
	w.Runs += int(runs)
	w.RunsBy[status] += int(runs)
	if status.Passes() {
		w.Passed += int(runs)
	}
}

// VerdictWeek has the figures of the verdicts of one week.
type VerdictWeek struct {
	Span
	By map[ledger.VerdictWord]int
	// Findings has the numbers of the findings of these verdicts by severity, whatever their
	// status.
	Findings map[ledger.Priority]int
}

// AddVerdicts counts all verdicts by week, and lists the newest. They are in order, the newest
// first.
func (s *Statistics) AddVerdicts(all []Verdict, now time.Time) {
	s.Verdicts = top(s.Filter, all)
	if len(all) == 0 {
		return
	}
	for _, span := range s.Filter.Weeks(all[len(all)-1].At, now) {
		w := VerdictWeek{Span: span, By: map[ledger.VerdictWord]int{}, Findings: map[ledger.Priority]int{}}
		for _, v := range all {
			if !WeekOf(v.At).Equal(span.Start) {
				continue
			}
			w.By[v.Verdict]++
			for priority, n := range v.Findings {
				w.Findings[priority] += n
			}
		}
		s.VerdictWeeks = append(s.VerdictWeeks, w)
	}
}

// WeeksBetween returns how many weeks after first the week with this number in statements begins.
func WeeksBetween(first time.Time, number int64) int { return int(StartOf(number).Sub(first) / week) }

// CheckWeeks returns the [ShownWeeks] of a check without executions.
func CheckWeeks(first time.Time) []CheckWeek {
	weeks := make([]CheckWeek, ShownWeeks)
	for i := range weeks {
		weeks[i].Start = first.Add(time.Duration(i) * week)
	}
	return weeks
}
