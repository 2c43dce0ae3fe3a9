package ledger

import (
	"maps"
	"slices"
	"time"
)

// PeriodUnit is a week or a day.
type PeriodUnit string

// The units. Weeks begin on Monday; both begin at 00:00 UTC.
const (
	ByWeek PeriodUnit = "week"
	ByDay  PeriodUnit = "day"
)

// Start returns when the unit that contains the time begins.
func (u PeriodUnit) Start(t time.Time) time.Time {
	t = t.UTC()
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	if u == ByDay {
		return day
	}
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// Next returns when the unit after the one that begins at start begins.
func (u PeriodUnit) Next(start time.Time) time.Time {
	if u == ByDay {
		return start.AddDate(0, 0, 1)
	}
	return start.AddDate(0, 0, 7)
}

// Span is the part of one calendar week that is within a period. Whole is set if that is the whole
// week.
type Span struct {
	Start  time.Time
	Within Period
	Whole  bool
}

// Weeks lists the weeks of the period. If the period has no beginning, it begins in the week of
// first. No week begins after now.
func (p Period) Weeks(first, now time.Time) []Span {
	since, until := p.Since, p.Until
	if since.IsZero() || since.Before(ByWeek.Start(first)) {
		since = ByWeek.Start(first)
	}
	if until.IsZero() || until.After(now) {
		until = now
	}
	var spans []Span
	if first.IsZero() {
		return nil
	}
	for start := ByWeek.Start(since); start.Before(until) || start.Equal(until) && p.Until.IsZero(); start = ByWeek.Next(start) {
		s := Span{Start: start, Within: Period{Since: start, Until: ByWeek.Next(start)}, Whole: true}
		if start.Before(p.Since) {
			s.Within.Since, s.Whole = p.Since, false
		}
		if !p.Until.IsZero() && p.Until.Before(s.Within.Until) {
			s.Within.Until, s.Whole = p.Until, false
		}
		spans = append(spans, s)
	}
	return spans
}

// Latest narrows the filter's period to its last [StatisticsFilter.LatestWeeks] weeks if it has
// more. first is the time of the first event.
func (f StatisticsFilter) Latest(first, now time.Time) StatisticsFilter {
	if f.LatestWeeks == 0 {
		return f
	}
	if weeks := f.Period.Weeks(first, now); len(weeks) > f.LatestWeeks {
		f.Period.Since = weeks[len(weeks)-f.LatestWeeks].Start
	}
	return f
}

// statistics returns the statistics of each week, without gaps.
func (p PeriodRows) statistics(f StatisticsFilter, runs RunRows, now time.Time) []PeriodStatistics {
	var list []PeriodStatistics
	at := map[time.Time]int{}
	base := f.violations()
	base.Reported = Period{}
	for _, span := range f.Period.Weeks(p.First, now) {
		count := func(status Status) Count {
			filter := base
			filter.NoDuplicates = status != StatusDuplicate
			filter.Events = EventFilter{Statuses: []Status{status}, At: span.Within}
			return Count{p.Events[span.Start][status], filter}
		}
		at[span.Start] = len(list)
		list = append(list, PeriodStatistics{
			Start: span.Start, Within: span.Within, Partial: !span.Whole || now.Before(ByWeek.Next(span.Start)), RunsBy: map[RunStatus]int{},
			New: count(StatusNew), Reopened: count(StatusReopened), Verified: count(StatusVerified),
			Skipped: count(StatusSkipped), Withdrawn: count(StatusWithdrawn), Claimed: count(StatusFixed),
			Disputed: count(StatusDisputed), Duplicate: count(StatusDuplicate),
		})
	}
	for _, day := range slices.SortedFunc(maps.Keys(p.Costs), time.Time.Compare) { // sorted for the same reason as in compareSlots
		if i, ok := at[ByWeek.Start(day)]; ok {
			list[i].Cost.add(p.Costs[day])
		}
	}
	for day, byStatus := range runs.Days {
		i, ok := at[ByWeek.Start(day)]
		if !ok {
			continue
		}
		for status, n := range byStatus {
			list[i].Runs += n
			list[i].RunsBy[status] += n
			if status.Passes() {
				list[i].Passed += n
			}
		}
	}
	return list
}

// ThreeDigits rounds a duration to milliseconds and to three significant digits, as totals store
// it.
func ThreeDigits(d time.Duration) time.Duration {
	ms := d.Milliseconds()
	for unit := int64(10_000); unit > 1; unit /= 10 {
		if ms >= 100*unit {
			ms = (ms + unit/2) / unit * unit
			break
		}
	}
	return time.Duration(ms) * time.Millisecond
}

// durationsOf computes the percentiles of durations, from how often each was measured.
func durationsOf(frequency map[time.Duration]int) Durations {
	var d Durations
	var sorted []time.Duration
	for took, n := range frequency {
		d.N += n
		sorted = append(sorted, took)
	}
	slices.Sort(sorted)
	rank := func(percent int) time.Duration {
		left := (d.N*percent + 99) / 100
		for _, took := range sorted {
			if left -= frequency[took]; left <= 0 {
				return took
			}
		}
		return 0
	}
	d.P50, d.P90 = rank(50), rank(90)
	return d
}
