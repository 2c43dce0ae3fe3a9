package pages

import (
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

func (p Verdicts) content(f Frame, l links) content {
	return figurePage{
		Scope: p.Scope, path: "/verdicts", title: "Verdicts", own: param{"verdict", string(p.Verdict)}, figures: p.Figures,
		there: func(s figures.Statistics) bool {
			_, total := verdictTotals(s)
			return total > 0 || len(s.Verdicts) > 0
		},
		none: "No code review came to a verdict", about: "Verdicts are those of code reviews.",
		recorded: &emptiness{Text: words("A verdict is recorded by:"), Commands: listings.Command("code-review")},
		sub: func(s figures.Statistics) string {
			_, total := verdictTotals(s)
			return plural(total, "verdict") + " " + p.sinceWords(f.Now) + ". A verification gives a review its next verdict."
		},
		sections: func(s figures.Statistics) []section {
			by, total := verdictTotals(s)
			return []section{below(p.chart(f, l, s, by, total), p.table(f, l, s.Verdicts, total))}
		},
	}.content(f, l)
}

// verdictTotals counts verdicts, by word and in total.
func verdictTotals(s figures.Statistics) (by map[ledger.VerdictWord]int, total int) {
	by = map[ledger.VerdictWord]int{}
	for _, w := range s.VerdictWeeks {
		for word, n := range w.By {
			by[word] += n
			total += n
		}
	}
	return by, total
}

// mostUnits is the maximum number of verdicts that a chart draws one by one.
const mostUnits = 100

// chart draws one mark for each verdict, or bars if a week has too many.
func (p Verdicts) chart(f Frame, l links, s figures.Statistics, by map[ledger.VerdictWord]int, total int) panel {
	weeks, note := latestWeeks(s.VerdictWeeks)
	made := panel{Title: "Verdicts per week", Footnote: note, Twin: &table{Label: "Verdicts per week, table", Columns: numberColumns("Week of", "PASS", "WARN", "FAIL", "ABORT")}}
	crowded := len(s.Verdicts) < total || len(s.Verdicts) > mostUnits
	for _, w := range weeks {
		n := 0
		row := []cell{rowHead(plain(shownDay(w.Start, f.Now)))}
		for _, word := range ledger.VerdictWords() {
			n += w.By[word]
			row = append(row, numeric("", plain(count(w.By[word]))))
		}
		crowded = crowded || n > chart.MaxUnits
		made.Twin.Rows = append(made.Twin.Rows, row)
	}
	rest := p.params()
	for _, word := range ledger.VerdictWords() {
		b := badgeOf(word)
		entry := legend{Icon: b.Icon, Class: b.Class, Part: plain(count(by[word]) + " " + string(word))}
		if by[word] > 0 {
			entry.Part.Href = l.to("/verdicts", append(slices.Clip(rest), param{"verdict", string(word)})...)
		}
		made.Legend = append(made.Legend, entry)
	}
	if crowded {
		plot := verdictBars(f, weeks).Plot()
		made.Plot = &plot
		return made
	}
	made.More = words("one mark a verdict")
	units := chart.NewUnits("c5", "Verdicts per week, one mark each", verdictColumns(f, l, weeks, s.Verdicts))
	made.Units = &units
	return made
}

func verdictBars(f Frame, weeks []figures.VerdictWeek) chart.Bars {
	b := chart.Bars{ID: "c5", Title: "Verdicts per week", Desc: "One bar a week, parts by verdict", Height: chartHeight, Whole: true}
	paints := []chart.Paint{{Tone: chart.Verified}, {Tone: chart.Open, Fill: chart.Outlined}, {Tone: chart.Reopened}, {Tone: chart.Reopened, Fill: chart.Hatched}}
	for i, word := range ledger.VerdictWords() {
		b.Series = append(b.Series, chart.Series{Label: string(word), Paint: paints[i]})
	}
	for _, w := range weeks {
		band := chart.Band{Label: shownDay(w.Start, f.Now), Partial: w.Partial, Gap: true}
		what := ""
		for _, word := range ledger.VerdictWords() {
			band.Values = append(band.Values, float64(w.By[word]))
			band.Gap = band.Gap && w.By[word] == 0
			what += fmt.Sprintf(", %s %s", count(w.By[word]), word)
		}
		band.Title = weekTitle(f, w.Start, w.Partial, what[len(", "):])
		b.Bands = append(b.Bands, band)
	}
	return b
}

func verdictColumns(f Frame, l links, weeks []figures.VerdictWeek, verdicts []figures.Verdict) []chart.Column {
	var columns []chart.Column
	for _, w := range weeks {
		column := chart.Column{Label: shownDay(w.Start, f.Now)}
		for _, word := range ledger.VerdictWords() {
			for _, v := range slices.Backward(verdicts) {
				if v.Verdict != word || !in(w.Start, v.At) {
					continue
				}
				b := badgeOf(word)
				column.Units = append(column.Units, chart.Unit{
					Symbol: b.Icon, Class: b.Class, Href: l.run(v.Run),
					Title: fmt.Sprintf("%s, %s, %s", word, cut(v.Target, 100), shownTime(v.At, f.Now)),
				})
			}
		}
		columns = append(columns, column)
	}
	return columns
}

// in reports whether a time is in the week that begins at start.
func in(start, t time.Time) bool { return !t.Before(start) && t.Before(start.Add(week)) }

func (p Verdicts) table(f Frame, l links, list []figures.Verdict, total int) panel {
	if p.Verdict != "" {
		list = slices.DeleteFunc(slices.Clone(list), func(v figures.Verdict) bool { return v.Verdict != p.Verdict })
	}
	t := &table{Label: "Verdicts", Class: "stack", Columns: []column{{Title: "Verdict"}, {Title: "Target"}, {Title: "Mode"}, {Title: "Review"}}}
	for _, priority := range ledger.Priorities() {
		t.Columns = append(t.Columns, column{Title: verdict.SeverityOf(priority), Class: "num"})
	}
	t.Columns = append(t.Columns, column{Title: "When", Class: "num"})
	shown := list[:min(len(list), PageLength)]
	for _, v := range shown {
		target := phrase{link(cut(v.Target, 200), l.run(v.Run)), muted(" " + v.Scope)}
		row := []cell{
			textual(badgeOf(v.Verdict).part()), {Class: "find-cell full", Parts: target}, {Class: "muted", Parts: words(v.Mode)},
			{Class: "mono", Parts: words(v.Review)},
		}
		for _, priority := range ledger.Priorities() {
			row = append(row, numeric(verdict.SeverityOf(priority), plain(count(v.Findings[priority]))))
		}
		t.Rows = append(t.Rows, append(row, numeric("", at(v.At, f.Now))))
	}
	made := panel{Title: "Verdicts", More: words("newest first"), Rows: true, Table: t}
	if len(shown) == 0 {
		made.Table, made.Empty = nil, &emptiness{Title: "No such verdict among the latest."}
	}
	if len(shown) < total && p.Verdict == "" {
		made.Footnote = fmt.Sprintf("The newest %d of %s.", len(shown), count(total))
	}
	return made
}
