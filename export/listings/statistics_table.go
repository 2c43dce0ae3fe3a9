package listings

import (
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// WriteStatistics shows statistics to people. The commands that list what was counted
// are shown where wanted.
func WriteStatistics(w io.Writer, s ledger.Statistics, style text.Style, width int, lists bool) error {
	r := NewStatisticsJSON(s)
	var out strings.Builder
	fmt.Fprintln(&out, text.EscapeLine(statisticsTitle(s)))
	runs := "Runs"
	if f := s.Filter; f.EntryPoint != "" || f.Gate != "" || f.Adapter != "" {
		runs = "Runs (any gate and adapter)"
	}
	fmt.Fprintf(&out, "\n%s: %d, of which %d passed%s\n", runs, r.Runs, r.Passed, toPass(r))
	fmt.Fprintf(&out, "Violations: %d (%d open, %d claimed, %d verified, %d skipped%s%s)\n", r.Violations.Count, r.Open.Count, r.Claimed.Count, r.Verified.Count, r.Skipped.Count, reasonsText(r.SkippedBy), abandonedText(r.Abandoned.Count))
	fmt.Fprintf(&out, "Claims: %d confirmed, %d contradicted%s\n", r.Confirmed, r.Contradicted, percent(r.ConfirmedShare, "%s confirmed"))
	fmt.Fprintf(&out, "In lines that the previous fix changed: %d%s\n", r.InFixLines.Count, percent(r.InFixLinesShare, "%s of the violations"))
	fmt.Fprintf(&out, "Saved by skipping: %s, %d tokens, $%.4f\n", ledger.Plural(r.Saved.Slots, "slot"), r.Saved.Tokens, r.Saved.CostUSD)
	for _, section := range statisticsTables(r) {
		if len(section.table.Rows) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n%s\n", section.title)
		if err := section.table.Write(&out, style, width); err != nil {
			return err
		}
	}
	if lists {
		fmt.Fprintln(&out, "\nCommands that list the violations behind each count")
		for _, f := range Figures(r) {
			if f.List != "" && f.Value != "0" {
				fmt.Fprintf(&out, "%s: %s\n  %s\n", text.EscapeLine(strings.TrimSpace(f.Section+" "+f.Name)+" "+f.Measure), f.Value, text.EscapeLine(f.List))
			}
		}
	} else {
		fmt.Fprintln(&out, "\nTo show the commands that list the violations behind each count: --lists")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func statisticsTitle(s ledger.Statistics) string {
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

func reasonsText(by []ReasonJSON) string {
	var parts []string
	for _, s := range by {
		parts = append(parts, fmt.Sprintf("%d %s", s.Count, s.reasonText()))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func (r ReasonJSON) reasonText() string {
	if r.Reason == string(ledger.NoReason) {
		return "without a reason"
	}
	return r.Reason
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

func statisticsTables(r StatisticsJSON) []titled {
	right := func(titles ...string) (columns []text.Column) {
		for _, title := range titles {
			columns = append(columns, text.Column{Title: title, Right: true})
		}
		return columns
	}
	iterations := text.Table{Columns: right("ITERATION", "NEW", "CARRIED", "FIXED", "REOPENED", "SKIPPED")}
	for _, i := range r.Iterations {
		iterations.Rows = append(iterations.Rows, text.Row{Cells: []text.Cell{
			text.Number(i.Iteration), text.Number(i.New.Count), text.Number(i.Carried), text.Number(i.Fixed), text.Number(i.Reopened), text.Number(i.Skipped.Count),
		}})
	}
	files := text.Table{Columns: append(right("VIOLATIONS", "RUNS"), text.Column{Title: "FILE", Cut: true})}
	for _, f := range r.Files {
		files.Rows = append(files.Rows, text.Row{Cells: []text.Cell{text.Number(f.Violations.Count), text.Number(f.Runs), {Text: f.File}}})
	}
	gates := text.Table{Columns: append(right("VIOLATIONS", "OPEN"), text.Column{Title: "GATE", Cut: true})}
	for _, g := range r.Gates {
		gates.Rows = append(gates.Rows, text.Row{Cells: []text.Cell{text.Number(g.Violations.Count), text.Number(g.Open.Count), {Text: g.EntryPoint + ":" + g.Gate}}})
	}
	recurring := text.Table{Columns: append(right("RUNS", "VIOLATIONS"), text.Column{Title: "LATEST"}, text.Column{Title: "PLACE", Cut: true}, text.Column{Title: "ISSUE", Cut: true})}
	for _, x := range r.Recurring {
		recurring.Rows = append(recurring.Rows, text.Row{Cells: []text.Cell{
			text.Number(x.Runs), text.Number(x.Violations.Count), {Text: x.Latest}, {Text: shownPlace(ledger.Place{File: x.File, Start: x.Line, End: x.Line})}, {Text: x.Issue},
		}})
	}
	return []titled{
		{"By iteration", iterations}, {"Files with most violations", files}, {"Gates with most violations", gates},
		{"Recurring violations", recurring}, {"Adapters: first reports", foundTable(r)}, {"Adapters: calls and cost", costTable(r)},
	}
}

// foundTable shows what came of what each adapter reported.
func foundTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "ADAPTER", Cut: true}}}
	for _, title := range []string{"REPORTS", "FOUND", "CONFIRMED", "UNIQUE"} {
		t.Columns = append(t.Columns, text.Column{Title: title, Right: true})
	}
	t.Columns = append(t.Columns, text.Column{Title: "SKIPPED", Cut: true}, text.Column{Title: "DISCARDED", Cut: true})
	for _, a := range r.Adapters {
		var discarded []string
		for _, d := range a.Discarded {
			discarded = append(discarded, fmt.Sprintf("%d %s", d.Reports, d.Disposition))
		}
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{
			{Text: a.Adapter}, text.Number(a.Reports), text.Number(a.Violations.Count), text.Number(a.Confirmed.Count), text.Number(a.Alone.Count),
			{Text: strings.TrimPrefix(reasonsText(a.SkippedBy), ": ")}, {Text: strings.Join(discarded, ", ")},
		}})
	}
	return t
}

// costTable shows what each adapter cost.
func costTable(r StatisticsJSON) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "ADAPTER", Cut: true}}}
	for _, title := range []string{"CALLS", "ERRORS", "SKIPS", "TOKENS", "COST", "COST PER FIX"} {
		t.Columns = append(t.Columns, text.Column{Title: title, Right: true})
	}
	for _, a := range r.Adapters {
		tokens := ""
		if a.InputTokens != nil {
			tokens = fmt.Sprint(*a.InputTokens + *a.OutputTokens)
		}
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{
			{Text: a.Adapter}, text.Number(a.Runs), text.Number(a.Errors), text.Number(a.Skips), {Text: tokens},
			{Text: shownCost(a.CostUSD)}, {Text: shownCost(a.CostPerConfirmed)},
		}})
	}
	return t
}

// abandonedText counts the violations that abandoned runs left open, if there are any.
func abandonedText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d abandoned", n)
}
