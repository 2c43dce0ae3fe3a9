package pages

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

const (
	mostReviewers = 30 // maximum number of rows of each table
	mostOverlaps  = 8  // maximum number of rows and columns of the overlap
)

func (p Reviewers) content(f Frame, l links) content {
	return figurePage{
		Scope: p.Scope, path: "/reviewers", title: "Reviewers", figures: p.Figures,
		there: func(s figures.Statistics) bool { return len(s.Adapters) > 0 },
		none:  "Nobody was asked", about: "A reviewer is counted when a slot asks it.",
		sub:      func(s figures.Statistics) string { return p.sub(f, s.Adapters) },
		sections: func(s figures.Statistics) []section { return reviewerSections(l, s) },
	}.content(f, l)
}

func (p Reviewers) sub(f Frame, adapters []figures.Reviewer) string {
	asked := 0
	for _, a := range adapters {
		asked += a.Runs
	}
	answers := count(asked) + " answers and errors"
	if asked == 1 {
		answers = "1 answer or error"
	}
	return plural(len(adapters), "reviewer") + ", " + answers + " " + p.sinceWords(f.Now)
}

func reviewerSections(l links, s figures.Statistics) []section {
	adapters := byReports(s.Adapters)
	said := funnel(l, adapters)
	if n := len(s.Adapters); n > mostReviewers {
		said.Footnote = fmt.Sprintf("The %d that said most, of %s. ", mostReviewers, count(n)) + said.Footnote
	}
	sections := []section{
		below(said, precision(l, adapters)),
		beside(overlap(adapters, s.Overlaps), removed(l, adapters)),
		below(timeAndCost(l, adapters)),
	}
	if models := byReports(s.Models); len(models) > 0 {
		sections = append(sections, below(byModel(l, models)))
	}
	return sections
}

// byReports returns the adapters with most reports, most first.
func byReports(list []figures.Reviewer) []figures.Reviewer {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b figures.Reviewer) int {
		return cmp.Or(-cmp.Compare(a.Reports, b.Reports), cmp.Compare(a.Adapter, b.Adapter), cmp.Compare(a.Model, b.Model))
	})
	return list[:min(len(list), mostReviewers)]
}

func reviewerName(a figures.Reviewer) string {
	if a.Model == ledger.UnknownModel {
		return "unknown"
	}
	return text.OrElse(text.OrElse(a.Adapter, a.Model), "unknown")
}

func reviewerHead(l links, a figures.Reviewer) cell {
	name := reviewerName(a)
	if a.Adapter != "" {
		return rowHead(link(name, l.to("/reviewers", param{"adapter", a.Adapter})))
	}
	return rowHead(plain(name))
}

// discarded counts all reports of a reviewer that were discarded.
func discarded(a figures.Reviewer) ledger.Count {
	var all ledger.Count
	for _, d := range ledger.Dispositions() {
		n, met := a.Discarded[d]
		if !met {
			continue
		}
		dispositions := append(slices.Clone(all.Filter.Discards), n.Filter.Discards...)
		all.Filter = n.Filter
		all.Filter.Discards = dispositions
		all.Violations += n.Violations
	}
	return all
}

func funnel(l links, list []figures.Reviewer) panel {
	paints := []chart.Paint{{Tone: chart.Verified}, {Tone: chart.Claimed, Fill: chart.Hatched}, {Tone: chart.Skipped, Fill: chart.Outlined}, {Tone: chart.Track}, {Tone: chart.Muted}}
	said := []string{"verified", "open or claimed", "skipped, withdrawn or joined", "said again", "filtered"}
	made := panel{
		Title: "From what was said to what was confirmed",
		Footnote: "Said = violations it reported first, reports that repeat one, and filtered reports. " +
			"A violation is verified when its fix was confirmed.",
	}
	for i, word := range said {
		made.Legend = append(made.Legend, legend{Swatch: paints[i].Swatch(), Part: plain(word)})
	}
	largest := 0
	for _, a := range list {
		largest = max(largest, a.Reports)
	}
	t := &table{Label: "Funnel", Columns: append([]column{{Title: "Reviewer"}, {Title: "Reports", Class: "wide"}}, numberColumns("Said", "Filtered", "Violations", "Skipped", "Verified")...)}
	t.Columns[2].Class = "num"
	for _, a := range list {
		filtered := discarded(a)
		values := []int{a.Verified.Violations, a.Open.Violations + a.Claimed.Violations, a.Skipped.Violations + a.Withdrawn.Violations + a.Duplicates.Violations, a.Repeats(), a.Dropped()}
		label := reviewerName(a) + ": " + plural(a.Reports, "report")
		var parts []chart.Part
		for i, n := range values {
			parts = append(parts, chart.Part{Value: float64(n), Paint: paints[i]})
			label += ", " + count(n) + " " + said[i]
		}
		t.Rows = append(t.Rows, []cell{
			reviewerHead(l, a), barCell(label, chart.Row(parts, float64(largest))), numeric("", plain(count(a.Reports))), numeric("", l.count(filtered)),
			numeric("", l.count(a.Violations)), numeric("", l.count(a.Skipped)), numeric("", l.count(a.Verified)),
		})
	}
	made.Table = t
	return made
}

func precision(l links, list []figures.Reviewer) panel {
	t := &table{Label: "Precision", Columns: append([]column{{Title: "Reviewer"}, {Title: "Verified of what was answered, 0 to 100%", Class: "wide"}},
		numberColumns("Precision", "n", "False pos.", "Alone", "Alone, verified")...)}
	t.Columns[2].Class = "num"
	for _, a := range list {
		share := a.Precision()
		value, known := share.Value()
		bar := cell{Class: "barcell wide"}
		shown := numeric("", plain(unknown))
		if known {
			low, high, _ := share.Interval()
			said := percent(share.Part, share.Whole)
			bar = barCell(fmt.Sprintf("%s: %s, 95%% interval %.0f to %.0f%%", reviewerName(a), said, 100*low, 100*high), chart.Interval(low, value, high))
			shown = numeric("", l.counted(a.Verified, said))
		}
		t.Rows = append(t.Rows, []cell{
			reviewerHead(l, a), bar, shown, numeric("", plain(count(share.Part)+" of "+count(share.Whole))),
			numeric("", l.count(a.SkippedBy[ledger.FalsePositive])), numeric("", l.count(a.Alone)), numeric("", l.count(a.AloneConfirmed)),
		})
	}
	return panel{
		Title: "Precision and unique finds", Table: t,
		Footnote: "Precision = verified ÷ (verified + withdrawn + skipped), except what was skipped as a duplicate, out of scope, deferred or an accepted risk. The line is the 95% interval: if two overlap, the numbers do not show which reviewer is better. " +
			"Alone = no other reviewer reported it, or a duplicate of it.",
	}
}

func overlap(adapters []figures.Reviewer, overlaps []figures.Overlap) panel {
	made := panel{Title: "Overlap"}
	shares := map[[2]string]figures.Share{}
	for _, o := range overlaps {
		shares[[2]string{o.Adapter, o.Other}] = o.Shared
	}
	var names []string
	for _, a := range adapters {
		if slices.ContainsFunc(overlaps, func(o figures.Overlap) bool { return o.Adapter == a.Adapter || o.Other == a.Adapter }) && len(names) < mostOverlaps {
			names = append(names, a.Adapter)
		}
	}
	if len(names) < 2 {
		made.Empty = &emptiness{Title: "No overlap.", Text: words("No two reviewers were asked in the same run and gate.")}
		return made
	}
	t := &table{Label: "Overlap", Class: "overlap", Columns: []column{{Title: "Of what … reported"}}}
	for _, name := range names {
		t.Columns = append(t.Columns, column{Title: name + " did too"})
	}
	for _, name := range names {
		row := []cell{rowHead(plain(name))}
		for _, other := range names {
			share := shares[[2]string{name, other}]
			value, known := share.Value()
			if name == other || !known {
				row = append(row, cell{Class: "h0", Parts: words(unknown)})
				continue
			}
			row = append(row, cell{Class: heat(value), Parts: phrase{
				plain(percent(share.Part, share.Whole)), {Tag: "br"}, classed("small", count(share.Part)+" of "+count(share.Whole)),
			}})
		}
		t.Rows = append(t.Rows, row)
	}
	made.Table = t
	made.Footnote = fmt.Sprintf("The same problem, or the same line, where both were asked in the same run and gate, in the newest %d runs at most. Little overlap: they complement each other.", figures.OverlapRuns)
	return made
}

// heat returns the class for a share.
func heat(share float64) string {
	switch {
	case share == 0:
		return "h0"
	case share < .1:
		return "h1"
	case share < .25:
		return "h2"
	case share < .5:
		return "h3"
	}
	return "h4"
}

func removed(l links, list []figures.Reviewer) panel {
	t := &table{Label: "Filters", Class: "wrap", Columns: []column{{Title: "Reviewer"}}}
	var shown []ledger.Disposition
	for _, d := range ledger.Dispositions() {
		if d != ledger.Accepted {
			shown = append(shown, d)
			t.Columns = append(t.Columns, column{Title: dispositionWord(d), Class: "num"})
		}
	}
	for _, a := range list {
		row := []cell{rowHead(plain(reviewerName(a)))}
		for _, d := range shown {
			row = append(row, numeric("", l.count(a.Discarded[d])))
		}
		t.Rows = append(t.Rows, row)
	}
	return panel{Title: "Filtered reports", Table: t}
}

func timeAndCost(l links, list []figures.Reviewer) panel {
	var longest time.Duration
	for _, a := range list {
		longest = max(longest, a.Took.P90)
	}
	t := &table{Label: "Time and cost", Columns: append([]column{{Title: "Reviewer"}, {Title: "p50 ● to p90 |", Class: "wide"}},
		numberColumns("p50", "p90", "Asked", "Errors", "Asked again", "No word", "Tokens", "Cost known", "of calls", "per verified")...)}
	t.Columns[2].Class = "num"
	for _, a := range list {
		bar := cell{Class: "barcell wide"}
		p50, p90 := unknown, unknown
		if a.Took.N > 0 {
			p50, p90 = elapsed(a.Took.P50), elapsed(a.Took.P90)
			bar = barCell(reviewerName(a)+": p50 "+p50+", p90 "+p90, chart.Spread(a.Took.P50.Seconds(), a.Took.P90.Seconds(), longest.Seconds()))
		}
		errors := count(a.Errors)
		if a.Errors > 0 {
			errors += " (" + percent(a.Errors, a.Runs) + ")"
		}
		per := unknown
		if cost, known := a.CostPerConfirmed(); known {
			per = dollars(cost)
			if a.Cost.Known < a.Cost.Calls {
				per = "≥ " + per
			}
		}
		t.Rows = append(t.Rows, []cell{
			reviewerHead(l, a), bar, numeric("", plain(p50)), numeric("", plain(p90)), numeric("", plain(count(a.Runs))), numeric("", plain(errors)), numeric("", plain(count(a.Repairs))), numeric("", plain(count(a.WithoutWord))),
			numeric("", plain(tokens(a))), numeric("", plain(knownCost(a.Cost))), numeric("", plain(count(a.Cost.Known)+" of "+count(a.Cost.Calls))), numeric("", plain(per)),
		})
	}
	return panel{
		ID: "cost", Title: "Time and cost", Table: t,
		Footnote: "“–” is not zero: the reviewer did not report it. “Asked again” are calls in which its answer did not fit the form: they cost as much again. “No word” are claims that it confirmed by a pass without a word on them. If the cost of some calls is unknown, the cost per verified violation is a lower bound.",
	}
}

func knownCost(c ledger.Cost) string {
	if c.Known == 0 {
		return unknown
	}
	return dollars(c.USD)
}

// tokens formats how many tokens a reviewer read and wrote, as far as it reported them.
func tokens(a figures.Reviewer) string {
	n := a.InputTokens + a.OutputTokens
	switch {
	case a.WithTokens == 0:
		return unknown
	case n >= 100_000_000:
		return count(int(n)/1_000_000) + "M"
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return count(int(n))
}

func byModel(l links, list []figures.Reviewer) panel {
	t := &table{Label: "By model", Columns: numberColumns("Model", "Said", "Violations", "Skipped", "Verified", "Precision", "n", "Asked", "Errors", "p50", "p90", "Tokens", "Cost known")}
	for _, a := range list {
		share := a.Precision()
		p50, p90 := unknown, unknown
		if a.Took.N > 0 {
			p50, p90 = elapsed(a.Took.P50), elapsed(a.Took.P90)
		}
		t.Rows = append(t.Rows, []cell{
			reviewerHead(l, a), numeric("", plain(count(a.Reports))), numeric("", l.count(a.Violations)), numeric("", l.count(a.Skipped)),
			numeric("", l.count(a.Verified)), numeric("", plain(percent(share.Part, share.Whole))), numeric("", plain(count(share.Part)+" of "+count(share.Whole))),
			numeric("", plain(count(a.Runs))), numeric("", plain(count(a.Errors))), numeric("", plain(p50)), numeric("", plain(p90)),
			numeric("", plain(tokens(a))), numeric("", plain(knownCost(a.Cost))),
		})
	}
	return panel{Title: "By model", Table: t}
}
