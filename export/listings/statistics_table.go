package listings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// WriteStatistics writes statistics for people.
func WriteStatistics(p *text.Page, s figures.Statistics) {
	r := NewStatisticsJSON(s)
	p.Words("%s", text.EscapeLine(statisticsTitle(s)))
	runs := "Runs"
	if f := s.Filter; f.EntryPoint != "" || f.Gate != "" || f.Adapter != "" {
		runs = "Runs (any gate and adapter)"
	}
	p.Words("\n%s: %d, of which %d passed%s", runs, r.Runs, r.Passed, toPass(r))
	if t := r.TimeToPass; t != nil {
		p.Words("Time until a run passes: %s (median), %s (90 %% of the runs)", shownMilliseconds(t.P50), shownMilliseconds(t.P90))
	}
	p.Words("Violations: %d (%d open, %d claimed, %d verified%s, %d skipped%s%s)", r.Violations.Count, r.Open.Count, r.Claimed.Count, r.Verified.Count,
		andSo(r.Withdrawn.Count, "withdrawn"), r.Skipped.Count, reasonsText(r.SkippedBy), andSo(r.Abandoned.Count, "abandoned"))
	p.Words("Claims: %d confirmed, %d contradicted%s", r.Confirmed, r.Contradicted, percent(r.ConfirmedShare, "%s confirmed"))
	p.Words("In lines that the previous fix changed: %d%s", r.InFixLines.Count, percent(r.InFixLinesShare, "%s of the violations"))
	if r.Cost.USD != nil || slices.ContainsFunc(r.Adapters, func(a adapterJSON) bool { return a.InputTokens != nil }) {
		p.Words("Cost: %s", costText(r.Cost))
	}
	p.Words("Saved by skipping: %s", savedText(r))
	for _, section := range statisticsTables(r) {
		if len(section.table.Rows) > 0 {
			p.Line("\n%s", section.title)
			p.Table(section.table)
		}
	}
}

// savedText says what skipping slots saved. Usage that reviewers did not report is not zero but
// unknown, so it is left out.
func savedText(r StatisticsJSON) string {
	said := ledger.Plural(r.Saved.Slots, "slot")
	if r.Saved.Tokens > 0 {
		said += fmt.Sprintf(", %d tokens", r.Saved.Tokens)
	}
	if r.Saved.CostUSD > 0 {
		said += fmt.Sprintf(", $%.4f", r.Saved.CostUSD)
	}
	return said
}

func statisticsTitle(s figures.Statistics) string {
	f := s.Filter
	title := "Statistics"
	if !f.Period.Since.IsZero() {
		title += " since " + text.LocalTime(f.Period.Since)
	}
	if !f.Period.Until.IsZero() {
		title += " until " + text.LocalTime(f.Period.Until)
	}
	if f.Period == (ledger.Period{}) {
		title += ", all time"
	}
	for _, part := range []struct{ name, value string }{
		{"run", f.Run}, {"branch", f.Branch}, {"worktree", f.Worktree}, {"entry point", f.EntryPoint}, {"gate", f.Gate}, {"adapter", f.Adapter},
	} {
		if part.value != "" {
			title += fmt.Sprintf(", %s %s", part.name, part.value)
		}
	}
	return title
}

func toPass(r StatisticsJSON) string {
	if r.MeanToPass == nil {
		return ""
	}
	var parts []string
	for _, p := range r.IterationsToPass {
		parts = append(parts, fmt.Sprintf("%d after %s", p.Runs, ledger.Plural(p.Iterations, "iteration")))
	}
	return fmt.Sprintf(": %s; %.1f on average", strings.Join(parts, ", "), *r.MeanToPass)
}

func reasonsText(by []reasonJSON) string {
	var parts []string
	for _, s := range by {
		parts = append(parts, fmt.Sprintf("%d %s", s.Count, s.reasonText()))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func (r reasonJSON) reasonText() string {
	if r.Reason == string(ledger.NoReason) {
		return "without a reason"
	}
	return r.Reason
}

// andSo formats a count to be appended to a line. It returns "" for 0, the usual case.
func andSo(n int, word string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %s", n, word)
}

func percent(share *float64, format string) string {
	if share == nil {
		return ""
	}
	return " (" + fmt.Sprintf(format, fmt.Sprintf("%.0f %%", 100**share)) + ")"
}

type titled struct {
	title string
	table text.Table
}

// periodsOf returns a table of periods, with a title that explains the mark of partial ones if
// there are any.
func periodsOf(title string, table text.Table) titled {
	if slices.ContainsFunc(table.Rows, func(r text.Row) bool { return strings.HasSuffix(r.Cells[0].Text, partialMark) }) {
		title += "; " + partialMark + " only in part"
	}
	return titled{title, table}
}

func statisticsTables(r StatisticsJSON) []titled {
	weeks := r.Weeks[max(0, len(r.Weeks)-latestWeeks):]
	return []titled{
		periodsOf("Latest weeks, from Monday (UTC)", weeksTable(weeks)), {"By priority", prioritiesTable(r)}, {"By iteration", iterationsTable(r)},
		{"Files with most violations", filesTable(r)}, {"Gates with most violations", gatesTable(r)},
		{"Recurring violations", recurringTable(r)}, {"Checks", checksTable(r)}, periodsOf("Verdicts by week", verdictsTable(r)),
		{"Adapters: first reports", foundTable(r)}, {"Adapters: calls and cost", costTable(r)},
		{"Adapters: overlap in the newest runs", overlapTable(r)},
	}
}

// latestWeeks is how many weeks are shown.
const latestWeeks = 4
