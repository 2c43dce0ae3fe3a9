package pages

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

const (
	// ShownWeeks is how many weeks a chart shows, the latest ones.
	ShownWeeks  = 26
	week        = 7 * 24 * time.Hour
	chartHeight = 192
)

// latestWeeks returns the weeks that a chart shows, and a note if it leaves some out.
func latestWeeks[T any](weeks []T) ([]T, string) {
	if len(weeks) <= ShownWeeks {
		return weeks, ""
	}
	return weeks[len(weeks)-ShownWeeks:], fmt.Sprintf("The latest %d of %s weeks.", ShownWeeks, count(len(weeks)))
}

func weekTitle(f Frame, start time.Time, partial bool, what string) string {
	title := "Week of " + shownDay(start, f.Now) + ": " + what
	switch {
	case partial && f.Now.Before(start.Add(week)):
		return title + ", so far"
	case partial:
		return title + ", in a part of the week"
	}
	return title
}

// plotted returns the panel of a chart and its table.
func plotted(b chart.Bars, twin *table, note string) panel {
	twin.Label = b.Title + ", table"
	made := panel{Twin: twin, Footnote: note}
	for _, s := range b.Series {
		if len(b.Series) > 1 {
			made.Legend = append(made.Legend, legend{Swatch: s.Paint.Swatch(), Part: plain(s.Label)})
		}
	}
	plot := b.Plot()
	made.Plot = &plot
	return made
}

// lone returns the only band with data, if there is exactly one.
func lone(b chart.Bars) (chart.Band, bool) {
	var only chart.Band
	n := 0
	for _, band := range b.Bands {
		if !band.Gap {
			only = band
			n++
		}
	}
	return only, n == 1
}

// oneWeek returns the panel shown instead of a chart if only one week has data.
func oneWeek(band chart.Band) panel {
	return panel{Empty: &emptiness{Title: "One week so far.", Text: words(band.Title + ". A chart is drawn from two weeks on.")}}
}

// nothing returns the panel shown if no week has data. For the whole history it does not suggest a
// longer period.
func nothing(f figures.Filter, sentence string) panel {
	e := &emptiness{Title: sentence}
	if !f.Period.Since.IsZero() {
		e.Text = words("Choose a longer period to see more.")
	}
	return panel{Empty: e}
}

func (p Overview) eventsChart(f Frame, l links, weeks []figures.Week) panel {
	weeks, note := latestWeeks(weeks)
	b := chart.Bars{
		ID: "c1", Title: "Violations opened and closed per week", Height: chartHeight, Whole: true,
		Desc: "Above the line what was opened, below it what was closed, by the week of the event",
		Series: []chart.Series{
			{Label: "new", Paint: chart.Paint{Tone: chart.Open}}, {Label: "reopened", Paint: chart.Paint{Tone: chart.Reopened, Fill: chart.Hatched}},
			{Label: "verified", Paint: chart.Paint{Tone: chart.Verified}, Down: true}, {Label: "skipped or withdrawn", Paint: chart.Paint{Tone: chart.Skipped, Fill: chart.Outlined}, Down: true},
		},
	}
	twin := &table{Columns: numberColumns("Week of", "new", "reopened", "verified", "skipped", "withdrawn", "claimed", "disputed", "duplicate")}
	for _, w := range weeks {
		isNew, again, verified, left := w.New.Violations, w.Reopened.Violations, w.Verified.Violations, w.Skipped.Violations+w.Withdrawn.Violations
		band := chart.Band{Label: shownDay(w.Start, f.Now), Partial: w.Partial, Values: []float64{float64(isNew), float64(again), float64(verified), float64(left)}}
		what := fmt.Sprintf("%s opened (%s reopened), %s closed (%s skipped or withdrawn)", count(isNew+again), count(again), count(verified+left), count(left))
		if isNew+again+verified+left == 0 {
			what = "nothing opened or closed"
			band.Gap = w.Runs == 0
		} else {
			all := w.New.Filter
			all.Events.Statuses = []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.StatusVerified, ledger.StatusSkipped, ledger.StatusWithdrawn}
			band.Href = l.violations(all)
		}
		band.Title = weekTitle(f, w.Start, w.Partial, what)
		b.Bands = append(b.Bands, band)
		row := []cell{rowHead(plain(band.Label))}
		for _, n := range []ledger.Count{w.New, w.Reopened, w.Verified, w.Skipped, w.Withdrawn, w.Claimed, w.Disputed, w.Duplicate} {
			row = append(row, numeric("", l.count(n)))
		}
		twin.Rows = append(twin.Rows, row)
	}
	if only, is := lone(b); is {
		return oneWeek(only)
	}
	if b.Filled() == 0 {
		return nothing(p.Filter, "Nothing was opened or closed.")
	}
	made := plotted(b, twin, note)
	made.More = words("up is opened, down is closed")
	return made
}

func numberColumns(first string, rest ...string) []column {
	columns := []column{{Title: first}}
	for _, title := range rest {
		columns = append(columns, column{Title: title, Class: "num"})
	}
	return columns
}

func (p Overview) runsChart(f Frame, l links, weeks []figures.Week) panel {
	weeks, note := latestWeeks(weeks)
	b := chart.Bars{ID: "c2", Title: "Runs per week by how they ended", Desc: "One bar a week, parts by status", Height: chartHeight, Whole: true}
	ends := []struct {
		word     string
		paint    chart.Paint
		statuses []ledger.RunStatus
	}{
		{"passed", chart.Paint{Tone: chart.Verified}, []ledger.RunStatus{ledger.StatusPassed}},
		{"with warnings", chart.Paint{Tone: chart.Verified, Fill: chart.Outlined}, []ledger.RunStatus{ledger.StatusPassedWithWarnings}},
		{"retry limit", chart.Paint{Tone: chart.Reopened}, []ledger.RunStatus{ledger.StatusRetryLimitExceeded}},
		{"abandoned", chart.Paint{Tone: chart.Skipped}, []ledger.RunStatus{ledger.StatusAbandoned}},
		{"open", chart.Paint{Tone: chart.Open, Fill: chart.Hatched}, []ledger.RunStatus{ledger.StatusRunning, ledger.StatusFailed, ledger.StatusError, ledger.StatusInterrupted}},
	}
	titles := []string{}
	for _, e := range ends {
		b.Series = append(b.Series, chart.Series{Label: e.word, Paint: e.paint})
		titles = append(titles, e.word)
	}
	twin := &table{Columns: numberColumns("Week of", append(titles, "all")...)}
	total := 0
	for _, w := range weeks {
		band := chart.Band{Label: shownDay(w.Start, f.Now), Partial: w.Partial, Gap: w.Runs == 0}
		row := []cell{rowHead(plain(band.Label))}
		what := plural(w.Runs, "run")
		for _, e := range ends {
			n := 0
			for _, s := range e.statuses {
				n += w.RunsBy[s]
			}
			band.Values = append(band.Values, float64(n))
			if n > 0 {
				what += fmt.Sprintf(", %s %s", count(n), e.word)
			}
			row = append(row, numeric("", p.runCount(l, count(n), n, w.Within, e.statuses...)))
		}
		if w.Runs == 0 {
			what = "no runs"
		}
		all := p.runCount(l, count(w.Runs), w.Runs, w.Within)
		band.Href, band.Title = all.Href, weekTitle(f, w.Start, w.Partial, what)
		total += w.Runs
		b.Bands = append(b.Bands, band)
		twin.Rows = append(twin.Rows, append(row, numeric("", all)))
	}
	if only, is := lone(b); is {
		return oneWeek(only)
	}
	if total == 0 {
		return nothing(p.Filter, "No run began.")
	}
	return plotted(b, twin, note)
}

// mostIterations is the highest number of iterations with a bar of its own. That bar includes
// higher numbers.
const mostIterations = 20

func toPassChart(s figures.Statistics) panel {
	if s.Passed == 0 {
		return nothing(s.Filter, "No run has passed.")
	}
	if len(s.IterationsToPass) == 1 {
		for n, runs := range s.IterationsToPass {
			return panel{Empty: &emptiness{Title: plural(runs, "run") + " passed, after " + plural(n, "iteration") + "."}}
		}
	}
	b := chart.Bars{
		ID: "c3", Title: "Iterations until a run passed", Desc: "One bar for each number of iterations", Height: 152, Whole: true,
		Series: []chart.Series{{Label: "runs", Paint: chart.Paint{Tone: chart.Accent}}},
	}
	twin := &table{Columns: numberColumns("Iterations", "runs")}
	by := map[int]int{}
	for n, runs := range s.IterationsToPass {
		by[min(n, mostIterations)] += runs
	}
	for n := 1; n <= slices.Max(slices.Collect(maps.Keys(by))); n++ {
		label := count(n)
		if n == mostIterations {
			label += "+"
		}
		b.Bands = append(b.Bands, chart.Band{Label: label, Values: []float64{float64(by[n])}, Title: plural(by[n], "run") + " passed after " + label + " iterations"})
		twin.Rows = append(twin.Rows, []cell{rowHead(plain(label)), numeric("", plain(count(by[n])))})
	}
	made := plotted(b, twin, "")
	made.More = words(plural(s.Passed, "passed run"))
	return made
}

func costChart(f Frame, weeks []figures.Week, saved string) panel {
	weeks, note := latestWeeks(weeks)
	b := chart.Bars{
		ID: "c4", Title: "Known cost per week", Height: 146, Unit: "$", Coverage: true,
		Desc:   "Bars are dollars; the strip below them is the share of calls with a known cost",
		Series: []chart.Series{{Label: "known cost, $", Paint: chart.Paint{Tone: chart.Accent}}},
	}
	twin := &table{Columns: numberColumns("Week of", "known cost", "calls with cost", "calls")}
	var sum ledger.Cost
	for _, w := range weeks {
		band := chart.Band{Label: shownDay(w.Start, f.Now), Partial: w.Partial, Values: []float64{w.Cost.USD}, Gap: w.Cost.Known == 0, Known: -1}
		what, shown := "nobody was asked", unknown
		if w.Cost.Calls > 0 {
			band.Known = float64(w.Cost.Known) / float64(w.Cost.Calls)
			what = "cost " + costCoverage(w.Cost)
		}
		if w.Cost.Known > 0 {
			shown = dollars(w.Cost.USD)
			what = shown + ", " + costCoverage(w.Cost)
		}
		sum = ledger.Cost{USD: sum.USD + w.Cost.USD, Known: sum.Known + w.Cost.Known, Calls: sum.Calls + w.Cost.Calls}
		band.Title = weekTitle(f, w.Start, w.Partial, what)
		b.Bands = append(b.Bands, band)
		twin.Rows = append(twin.Rows, []cell{
			rowHead(plain(band.Label)), numeric("", plain(shown)), numeric("", plain(count(w.Cost.Known))), numeric("", plain(count(w.Cost.Calls))),
		})
	}
	if sum.Known == 0 {
		return panel{Empty: &emptiness{Title: "No cost is known.", Text: words(sentence(costCoverage(sum)))}}
	}
	if only, is := lone(b); is {
		return oneWeek(only)
	}
	made := plotted(b, twin, note)
	made.More = words(saved)
	made.Legend = []legend{
		{Swatch: chart.Paint{Tone: chart.Accent}.Swatch(), Part: plain("known cost, $")},
		{Swatch: chart.Paint{Tone: chart.Muted}.Swatch(), Part: plain("share of calls with a known cost")},
	}
	return made
}
