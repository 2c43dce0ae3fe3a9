package listings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// unknown stands for an unknown value, which is not zero.
const unknown = "–"

func right(titles ...string) (columns []text.Column) {
	for _, title := range titles {
		columns = append(columns, text.Column{Title: title, Right: true})
	}
	return columns
}

// spare returns columns that a table which is too wide leaves out.
func spare(titles ...string) []text.Column {
	columns := right(titles...)
	for i := range columns {
		columns[i].Spare = true
	}
	return columns
}

// knownOnly removes the columns in which all values are unknown.
func knownOnly(t text.Table, titles ...string) text.Table {
	for _, title := range titles {
		t = unlessAll(t, title, unknown)
	}
	return t
}

func numbers(counts ...int) (cells []text.Cell) {
	for _, n := range counts {
		cells = append(cells, text.Number(n))
	}
	return cells
}

// costText says what calls cost, and for how many of them that is known.
func costText(c costJSON) string {
	if c.USD == nil {
		return fmt.Sprintf("known for 0 of %s", ledger.Plural(c.Calls, "call"))
	}
	return fmt.Sprintf("$%.4f, known for %d of %s", *c.USD, c.Known, ledger.Plural(c.Calls, "call"))
}

// shownMilliseconds formats a duration with three significant digits.
func shownMilliseconds(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d < time.Second:
		return fmt.Sprintf("%dms", ms)
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	default:
		return d.Round(100 * time.Millisecond).String()
	}
}

func shownShare(share *float64) string {
	if share == nil {
		return unknown
	}
	return fmt.Sprintf("%.0f %%", 100**share)
}

func weeksTable(weeks []weekJSON) text.Table {
	t := periodTable("WEEK")
	for _, w := range weeks {
		t.Rows = append(t.Rows, periodRow(w.Week, w.periodJSON))
	}
	return knownOnly(withdrawnIfAny(t), "COST")
}

func periodTable(name string) text.Table {
	columns := append([]text.Column{{Title: name}}, right("NEW", "REOPENED", "VERIFIED", "SKIPPED", withdrawnTitle, "CLAIMED", "RUNS", "PASSED")...)
	return text.Table{Columns: append(columns, spare("COST")...)}
}

// partialMark marks a period that is not complete.
const partialMark = "*"

// periodRow formats a period and marks it if it is not complete.
func periodRow(name string, p periodJSON) text.Row {
	if p.Partial {
		name += partialMark
	}
	cells := append([]text.Cell{{Text: name}}, numbers(
		p.New.Count, p.Reopened.Count, p.Verified.Count, p.Skipped.Count, p.Withdrawn.Count, p.Claimed.Count, p.Runs, p.Passed)...)
	cost := unknown
	if p.Cost.USD != nil {
		cost = fmt.Sprintf("$%.2f", *p.Cost.USD)
	}
	return text.Row{Cells: append(cells, text.Cell{Text: cost})}
}

func outcomeCells(o outcomesJSON) []text.Cell {
	return numbers(o.Violations.Count, o.Open.Count, o.Claimed.Count, o.Verified.Count, o.Skipped.Count, o.Withdrawn.Count)
}

func prioritiesTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append([]text.Column{{Title: "PRIORITY"}}, right("VIOLATIONS", "OPEN", "CLAIMED", "VERIFIED", "SKIPPED", withdrawnTitle)...)}
	for _, p := range r.Priorities {
		t.Rows = append(t.Rows, text.Row{Cells: append([]text.Cell{{Text: p.Priority}}, outcomeCells(p.outcomesJSON)...)})
	}
	return withdrawnIfAny(t)
}

func iterationsTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: right("ITERATION", "NEW", "CARRIED", "VERIFIED", "REOPENED", "SKIPPED")}
	for _, i := range r.Iterations {
		t.Rows = append(t.Rows, text.Row{Cells: numbers(i.Iteration, i.New.Count, i.Carried, i.Verified, i.Reopened, i.Skipped.Count)})
	}
	return t
}

func filesTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append(right("VIOLATIONS", "OPEN", "REOPENED", "IN FIX", "RUNS"), text.Column{Title: "FILE", Cut: true, End: true}, text.Column{Title: "REPOSITORY"})}
	for _, f := range r.Files {
		cells := numbers(f.Violations.Count, f.Open.Count, f.Reopened.Count, f.InFixLines.Count, f.Runs)
		t.Rows = append(t.Rows, text.Row{Cells: append(cells, text.Cell{Text: f.File}, text.Cell{Text: cmp.Or(orEmpty(f.Repository), unknown)})})
	}
	return knownOnly(t, "REPOSITORY") // shown if there are several
}

func gatesTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append(right("VIOLATIONS", "OPEN"), text.Column{Title: "GATE", Cut: true, End: true})}
	for _, g := range r.Gates {
		t.Rows = append(t.Rows, text.Row{Cells: append(numbers(g.Violations.Count, g.Open.Count), text.Cell{Text: g.EntryPoint + ":" + g.Gate})})
	}
	return t
}

func recurringTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append(right("RUNS", "VIOLATIONS", "OPEN"), text.Column{Title: "LATEST"}, placeColumn(), issueColumn())}
	for _, x := range r.Recurring {
		t.Rows = append(t.Rows, text.Row{Cells: append(numbers(x.Runs, x.Violations.Count, x.Open.Count),
			text.Cell{Text: x.Latest}, text.Cell{Text: ledger.Place{File: x.File, Start: x.Line}.String()}, text.Cell{Text: x.Issue})})
	}
	return t
}

func checksTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append([]text.Column{{Title: "CHECK", Cut: true, End: true}}, right("EXECUTIONS", "FAILED", "SHARE", "MEDIAN", "90 %", "FLAKY")...)}
	for _, c := range r.Checks {
		p50, p90 := shownTimes(c.Took)
		cells := append([]text.Cell{{Text: c.EntryPoint + ":" + c.Check}}, numbers(c.Executions, c.Failures)...)
		cells = append(cells, text.Cell{Text: shownShare(c.FailureRate)}, text.Cell{Text: p50}, text.Cell{Text: p90}, text.Number(c.Flaky))
		t.Rows = append(t.Rows, text.Row{Cells: cells})
	}
	return t
}

func shownTimes(d *durationsJSON) (p50, p90 string) {
	if d == nil {
		return unknown, unknown
	}
	return shownMilliseconds(d.P50), shownMilliseconds(d.P90)
}

func verdictsTable(r StatisticsJSON) text.Table {
	weeks := r.VerdictWeeks[max(0, len(r.VerdictWeeks)-latestWeeks):]
	t := text.Table{Columns: append([]text.Column{{Title: "WEEK"}}, right("PASS", "WARN", "FAIL", "ABORT", "BLOCKER", "HIGH", "MEDIUM", "LOW", "INFO")...)}
	for _, w := range weeks {
		name := w.Week
		if w.Partial {
			name += partialMark
		}
		t.Rows = append(t.Rows, text.Row{Cells: append([]text.Cell{{Text: name}},
			numbers(w.Pass, w.Warn, w.Fail, w.Abort, w.Blocker, w.High, w.Medium, w.Low, w.Info)...)})
	}
	return t
}

// adapterOfFigures is the column of adapters; the names of the usual ones fit its least width.
func adapterOfFigures() text.Column { return text.Column{Title: "ADAPTER", Cut: true, Min: 14} }

// foundTable shows what became of each adapter's reports.
func foundTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: append([]text.Column{adapterOfFigures()}, right("REPORTS", "FOUND", "CONFIRMED", "UNIQUE", "PRECISION")...)}
	t.Columns = append(t.Columns, text.Column{Title: "SKIPPED", Cut: true}, text.Column{Title: "DISCARDED", Cut: true})
	for _, a := range r.Adapters {
		var discarded []string
		for _, d := range a.Discarded {
			discarded = append(discarded, fmt.Sprintf("%d %s", d.Reports, d.Disposition))
		}
		precision := unknown
		if p := a.Precision; p != nil {
			precision = fmt.Sprintf("%.0f %% (%.0f–%.0f)", 100*p.Value, 100*p.Low, 100*p.High)
		}
		cells := append([]text.Cell{{Text: orEmpty(a.Adapter)}}, numbers(a.Reports, a.Violations.Count, a.Confirmed.Count, a.Alone.Count)...)
		t.Rows = append(t.Rows, text.Row{Cells: append(cells, text.Cell{Text: precision},
			text.Cell{Text: strings.TrimPrefix(reasonsText(a.SkippedBy), ": ")}, text.Cell{Text: strings.Join(discarded, ", ")})})
	}
	return t
}

// costTable shows the cost of each adapter.
func costTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: slices.Concat(
		[]text.Column{adapterOfFigures()}, spare("ASKED"), right("ERRORS"), spare("REPAIRS", "NO WORD", "SKIPS"), right("CALLS", "MEDIAN", "90 %", "TOKENS", "COST", "COST PER FIX"),
	)}
	for _, a := range r.Adapters {
		tokens := unknown
		if a.InputTokens != nil {
			tokens = fmt.Sprint(*a.InputTokens + *a.OutputTokens)
		}
		p50, p90 := shownTimes(a.Took)
		t.Rows = append(t.Rows, text.Row{Cells: append(append([]text.Cell{{Text: orEmpty(a.Adapter)}}, numbers(a.Runs, a.Errors, a.Repairs, a.WithoutWord, a.Skips, a.Calls)...),
			text.Cell{Text: p50}, text.Cell{Text: p90}, text.Cell{Text: tokens}, text.Cell{Text: shownDollars(a.CostUSD)}, text.Cell{Text: shownDollars(a.CostPerConfirmed)})})
	}
	return knownOnly(t, "TOKENS", "COST", "COST PER FIX")
}

func shownDollars(usd *float64) string {
	if usd == nil {
		return unknown
	}
	return shownCost(usd)
}

func overlapTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "ADAPTER", Cut: true}, {Title: "ALSO BY", Cut: true}}}
	t.Columns = append(t.Columns, right("VIOLATIONS", "SHARED", "SHARE")...)
	for _, o := range r.Overlaps {
		t.Rows = append(t.Rows, text.Row{Cells: append([]text.Cell{{Text: o.Adapter}, {Text: o.Other}},
			append(numbers(o.Violations, o.Shared), text.Cell{Text: shownShare(o.Share)})...)})
	}
	return t
}
