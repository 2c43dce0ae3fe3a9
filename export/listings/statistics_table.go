package listings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// unknown stands for an unknown value, which is not zero.
const unknown = "–"

// WriteStatistics writes statistics for people.
func WriteStatistics(p *text.Page, s figures.Statistics) {
	p.Words("%s", text.EscapeLine(statisticsTitle(s)))
	runs := "Runs"
	if f := s.Filter; f.EntryPoint != "" || f.Gate != "" || f.Adapter != "" {
		runs = "Runs (any gate and adapter)"
	}
	p.Words("\n%s: %d, of which %d passed%s", runs, s.Runs, s.Passed, toPass(s))
	if t := s.TimeToPass; t.N > 0 {
		p.Words("Time until a run passes: %s (median), %s (90 %% of the runs)", shownTime(t.P50), shownTime(t.P90))
	}
	p.Words("Violations: %d (%d open, %d claimed, %d verified%s, %d skipped%s%s)", s.Violations.Violations, s.Open.Violations, s.Claimed.Violations, s.Verified.Violations,
		andSo(s.Withdrawn.Violations, "withdrawn"), s.Skipped.Violations, prefixed(": ", reasonsText(s.SkippedBy)), andSo(s.Abandoned.Violations, "abandoned"))
	p.Words("Claims: %d confirmed, %d contradicted%s", s.Confirmed, s.Contradicted, percent(confirmedShare(s), "confirmed"))
	p.Words("In lines that the previous fix changed: %d%s", s.InFixLines.Violations, percent(inFixLinesShare(s), "of the violations"))
	if s.Cost.Known > 0 || slices.ContainsFunc(s.Adapters, func(a figures.Reviewer) bool { return a.WithTokens > 0 }) {
		p.Words("Cost: %s", costText(s.Cost))
	}
	p.Words("Saved by skipping: %s", savedText(s.Saved))
	for _, section := range statisticsTables(s) {
		if len(section.table.Rows) > 0 {
			p.Line("\n%s", section.title)
			p.Table(section.table)
		}
	}
}

// savedText says what skipping slots saved. Usage that reviewers did not report is not zero but
// unknown, so it is left out.
func savedText(s figures.Saved) string {
	said := ledger.Plural(s.Slots, "slot")
	if s.Tokens > 0 {
		said += fmt.Sprintf(", %d tokens", s.Tokens)
	}
	if s.CostUSD > 0 {
		said += fmt.Sprintf(", $%.4f", s.CostUSD)
	}
	return said
}

// costText says what calls cost, and for how many of them that is known.
func costText(c ledger.Cost) string {
	if c.Known == 0 {
		return fmt.Sprintf("not known (%s)", ledger.Plural(c.Calls, "call"))
	}
	return fmt.Sprintf("$%.4f, known for %d of %s", c.USD, c.Known, ledger.Plural(c.Calls, "call"))
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

func toPass(s figures.Statistics) string {
	if s.Passed == 0 {
		return ""
	}
	var parts []string
	for _, p := range passesOf(s) {
		parts = append(parts, fmt.Sprintf("%d after %s", p.runs, ledger.Plural(p.iterations, "iteration")))
	}
	return fmt.Sprintf(": %s; %.1f on average", strings.Join(parts, ", "), meanToPass(s))
}

// reasonsText says how many violations were skipped for which reasons.
func reasonsText(by map[ledger.SkipReason]ledger.Count) string {
	var parts []string
	for _, r := range reasonsOf(by) {
		word := string(r.reason)
		if r.reason == ledger.NoReason {
			word = "without a reason"
		}
		parts = append(parts, fmt.Sprintf("%d %s", r.Violations, word))
	}
	return strings.Join(parts, ", ")
}

// prefixed returns a text with a prefix, unless it is empty.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// andSo formats a count to be appended to a line. It returns "" for 0, the usual case.
func andSo(n int, word string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %s", n, word)
}

// percent formats a share to be appended to a line.
func percent(s figures.Share, of string) string {
	if s.Whole == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s %s)", shareCell(s).Text, of)
}

// shownTime formats a duration with three significant digits.
func shownTime(d time.Duration) string {
	switch d = d.Truncate(time.Millisecond); {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	default:
		return d.Round(100 * time.Millisecond).String()
	}
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

// latestWeeks is how many weeks are shown.
const latestWeeks = 4

func latest[W any](weeks []W) []W { return weeks[max(0, len(weeks)-latestWeeks):] }

func statisticsTables(s figures.Statistics) []titled {
	return []titled{
		periodsOf("Latest weeks, from Monday (UTC)", weeks.Table(latest(s.Weeks), "week", "new", "reopened", "verified", "skipped", "withdrawn", "claimed", "runs", "passed", "cost")),
		{"By priority", priorities.Table(s.Priorities, "priority", "violations", "open", "claimed", "verified", "skipped", "withdrawn")},
		{"By iteration", iterations.Table(s.Iterations, "iteration", "new", "carried", "verified", "reopened", "skipped")},
		{"Files with most violations", Files.Table(s.Files, "violations", "open", "reopened", "in_fix_lines", "runs", "file", "repository")},
		{"Gates with most violations", gateTotals.Table(s.Gates, "violations", "open", "gate")},
		{"Recurring violations", recurring.Table(s.Recurring, "runs", "violations", "open", "latest", "file", "issue")},
		{"Checks", checksTable(s.Checks)},
		periodsOf("Verdicts by week", verdictWeeks.Table(latest(s.VerdictWeeks), verdictWeeks.without("partial").keys()...)),
		{"Adapters: first reports", Reviewers.Table(s.Adapters, "adapter", "reports", "violations", "confirmed", "alone", "precision", "skipped_by_reason", "discarded")},
		{"Adapters: calls and cost", callsTable(s.Adapters)},
		{"Adapters: overlap in the newest runs", overlaps.Table(s.Overlaps, overlaps.keys()...)},
	}
}

func checksTable(checks []check) text.Table {
	return withSlowest(Checks, func(c *check) figures.Durations { return c.Took }).
		Table(checks, "check", "executions", "failures", "failure_rate", "duration", "p90", "flaky")
}

func callsTable(adapters []reviewer) text.Table {
	return withSlowest(Reviewers, func(r *reviewer) figures.Durations { return r.Took }).
		Table(adapters, "adapter", "runs", "errors", "repairs", "without_word", "skips", "calls", "duration", "p90", "input_tokens", "cost_usd", "cost_usd_per_confirmed")
}

// withSlowest returns the columns with one that only a table has: in JSON it is a part of the duration.
func withSlowest[R any](columns Columns[R], took func(*R) figures.Durations) Columns[R] {
	return append(slices.Clip(columns), Column[R]{Key: "p90", Column: right("90 %"), Cell: func(r *R) text.Cell { return tookCell(took(r), took(r).P90) }})
}
