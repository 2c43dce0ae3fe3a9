package listings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// right is the layout of a column of numbers, and spare that of one which a table that is too wide
// leaves out.
func right(title string) text.Column { return text.Column{Title: title, Right: true} }
func spare(title string) text.Column { return text.Column{Title: title, Right: true, Spare: true} }

// outcomes describe violations by what became of them.
var outcomes = Columns[figures.Outcomes]{
	{Key: "violations", Value: func(o *figures.Outcomes) any { return o.Violations }, Column: right("VIOLATIONS")},
	{Key: "open", Value: func(o *figures.Outcomes) any { return o.Open }, Column: right("OPEN")},
	{Key: "abandoned", Value: func(o *figures.Outcomes) any { return o.Abandoned }},
	{Key: "claimed", Value: func(o *figures.Outcomes) any { return o.Claimed }, Column: right("CLAIMED")},
	{Key: "verified", Value: func(o *figures.Outcomes) any { return o.Verified }, Column: right("VERIFIED")},
	{Key: "skipped", Value: func(o *figures.Outcomes) any { return o.Skipped }, Column: right("SKIPPED")},
	{Key: "withdrawn", Value: func(o *figures.Outcomes) any { return o.Withdrawn }, Column: right("WITHDRAWN"), Usual: "0"},
}

// iterations describe all iterations with the same number.
var iterations = Columns[figures.Iteration]{
	{Key: "iteration", Value: func(i *figures.Iteration) any { return i.Number }, Column: right("ITERATION")},
	{Key: "new", Value: func(i *figures.Iteration) any { return i.New }, Column: right("NEW")},
	{Key: "carried", Value: func(i *figures.Iteration) any { return i.Carried }, Column: right("CARRIED")},
	{Key: "verified", Value: func(i *figures.Iteration) any { return i.Verified }, Column: right("VERIFIED")},
	{Key: "reopened", Value: func(i *figures.Iteration) any { return i.Reopened }, Column: right("REOPENED")},
	{Key: "skipped", Value: func(i *figures.Iteration) any { return i.Skipped }, Column: right("SKIPPED")},
}

// Files describe the files with most violations.
var Files = slices.Concat(
	Columns[figures.File]{
		{Key: "file", Value: func(f *figures.File) any { return f.File }, Column: text.Column{Title: "FILE", Cut: true, End: true}},
		{Key: "repository", Value: func(f *figures.File) any { return orNull(f.Repository) }, Column: text.Column{Title: "REPOSITORY"},
			Cell: func(f *figures.File) text.Cell { return text.Cell{Text: cmp.Or(f.Repository, unknown)} }, Usual: unknown}, // shown if there are several
	},
	Of(outcomes, func(f *figures.File) *figures.Outcomes { return &f.Outcomes }),
	Columns[figures.File]{
		{Key: "reopened", Value: func(f *figures.File) any { return f.Reopened }, Column: right("REOPENED")},
		{Key: "in_fix_lines", Value: func(f *figures.File) any { return f.InFixLines }, Column: right("IN FIX")},
		{Key: "runs", Value: func(f *figures.File) any { return f.Runs }, Column: right("RUNS")},
		{Key: "weeks", Value: func(f *figures.File) any { return f.Weeks }},
	},
)

var gateTotals = Columns[figures.Gate]{
	{Key: "entry_point", Value: func(g *figures.Gate) any { return g.EntryPoint }},
	{Key: "gate", Value: func(g *figures.Gate) any { return g.Gate }, Column: text.Column{Title: "GATE", Cut: true, End: true},
		Cell: func(g *figures.Gate) text.Cell { return text.Cell{Text: g.EntryPoint + ":" + g.Gate} }},
	{Key: "violations", Value: func(g *figures.Gate) any { return g.Violations }, Column: right("VIOLATIONS")},
	{Key: "open", Value: func(g *figures.Gate) any { return g.Open }, Column: right("OPEN")},
}

// recurring describe lines with violations in several runs.
var recurring = Columns[figures.Recurrence]{
	{Key: "fingerprint", Value: func(r *figures.Recurrence) any { return r.Fingerprint }},
	{Key: "runs", Value: func(r *figures.Recurrence) any { return r.Runs }, Column: right("RUNS")},
	{Key: "violations", Value: func(r *figures.Recurrence) any { return r.Violations }, Column: right("VIOLATIONS")},
	{Key: "open", Value: func(r *figures.Recurrence) any { return r.Open }, Column: right("OPEN")},
	{Key: "latest", Value: func(r *figures.Recurrence) any { return r.Latest }, Column: text.Column{Title: "LATEST"}},
	{Key: "job", Value: func(r *figures.Recurrence) any { return r.Job }},
	{Key: "file", Value: func(r *figures.Recurrence) any { return r.File }, Column: placeLayout,
		Cell: func(r *figures.Recurrence) text.Cell {
			return text.Cell{Text: ledger.Place{File: r.File, Start: r.Line}.String()}
		}},
	{Key: "line", Value: func(r *figures.Recurrence) any { return r.Line }},
	{Key: "issue", Value: func(r *figures.Recurrence) any { return r.Issue }, Column: issueLayout},
}

type reviewer = figures.Reviewer

// Reviewers describe adapters, or models; the key of the other one is null.
var Reviewers = Columns[reviewer]{
	{Key: "adapter", Value: func(r *reviewer) any { return orNull(r.Adapter) },
		Column: text.Column{Title: "ADAPTER", Cut: true, Min: 14}}, // the names of the usual ones fit
	{Key: "model", Value: func(r *reviewer) any {
		if r.Model == ledger.UnknownModel {
			return nil
		}
		return orNull(r.Model)
	}},
	{Key: "runs", Value: func(r *reviewer) any { return r.Runs }, Column: spare("ASKED")},
	{Key: "errors", Value: func(r *reviewer) any { return r.Errors }, Column: right("ERRORS")},
	{Key: "error_rate", Value: func(r *reviewer) any { return share(r.ErrorRate()) }},
	{Key: "interrupted", Value: func(r *reviewer) any { return r.Interrupted }},
	{Key: "skips", Value: func(r *reviewer) any { return r.Skips }, Column: spare("SKIPS")},
	{Key: "repairs", Value: func(r *reviewer) any { return r.Repairs }, Column: spare("REPAIRS")},
	{Key: "without_word", Value: func(r *reviewer) any { return r.WithoutWord }, Column: spare("NO WORD")},
	{Key: "reports", Value: func(r *reviewer) any { return r.Reports }, Column: right("REPORTS")},
	{Key: "repeats", Value: func(r *reviewer) any { return r.Repeats() }},
	{Key: "violations", Value: func(r *reviewer) any { return r.Violations }, Column: right("FOUND")},
	{Key: "open", Value: func(r *reviewer) any { return r.Open }},
	{Key: "abandoned", Value: func(r *reviewer) any { return r.Abandoned }},
	{Key: "claimed", Value: func(r *reviewer) any { return r.Claimed }},
	{Key: "confirmed", Value: func(r *reviewer) any { return r.Confirmed() }, Column: right("CONFIRMED")},
	{Key: "skipped", Value: func(r *reviewer) any { return r.Skipped }},
	{Key: "withdrawn", Value: func(r *reviewer) any { return r.Withdrawn }},
	{Key: "duplicates", Value: func(r *reviewer) any { return r.Duplicates }},
	{Key: "skipped_by_reason", Value: func(r *reviewer) any { return reasons.Objects(reasonsOf(r.SkippedBy)) },
		Column: text.Column{Title: "SKIPPED", Cut: true}, Cell: func(r *reviewer) text.Cell { return text.Cell{Text: reasonsText(r.SkippedBy)} }},
	{Key: "discarded", Value: func(r *reviewer) any { return discards.Objects(discardsOf(r.Discarded)) },
		Column: text.Column{Title: "DISCARDED", Cut: true}, Cell: discardedCell},
	{Key: "alone", Value: func(r *reviewer) any { return r.Alone }, Column: right("UNIQUE")},
	{Key: "alone_confirmed", Value: func(r *reviewer) any { return r.AloneConfirmed }},
	{Key: "precision", Value: func(r *reviewer) any { return precision(r.Precision()) }, Column: right("PRECISION"), Cell: precisionCell},
	{Key: "input_tokens", Value: func(r *reviewer) any { return ifTokens(r, r.InputTokens) }, Column: right("TOKENS"), Usual: unknown,
		Cell: func(r *reviewer) text.Cell { return knownCell(ifTokens(r, r.InputTokens+r.OutputTokens), "%d") }},
	{Key: "output_tokens", Value: func(r *reviewer) any { return ifTokens(r, r.OutputTokens) }},
	{Key: "cost_usd", Value: func(r *reviewer) any { return knownCost(r.Cost) }, Column: right("COST"), Usual: unknown,
		Cell: func(r *reviewer) text.Cell { return knownCell(knownCost(r.Cost), "$%.4f") }},
	{Key: "cost_known", Value: func(r *reviewer) any { return r.Cost.Known }},
	{Key: "calls", Value: func(r *reviewer) any { return r.Cost.Calls }, Column: right("CALLS")},
	{Key: "cost_usd_per_confirmed", Value: costPerConfirmed, Column: right("COST PER FIX"), Usual: unknown,
		Cell: func(r *reviewer) text.Cell { return knownCell(costPerConfirmed(r), "$%.4f") }},
	{Key: "duration", Value: func(r *reviewer) any { return durations(r.Took) }, Column: right("MEDIAN"),
		Cell: func(r *reviewer) text.Cell { return tookCell(r.Took, r.Took.P50) }},
}

func discardedCell(r *reviewer) text.Cell {
	var list []string
	for _, d := range discardsOf(r.Discarded) {
		list = append(list, fmt.Sprintf("%d %s", d.Violations, d.disposition))
	}
	return text.Cell{Text: strings.Join(list, ", ")}
}

// precision returns a share with its 95 % confidence interval, or nil.
func precision(s figures.Share) any {
	value, ok := s.Value()
	if !ok {
		return nil
	}
	low, high, _ := s.Interval()
	return text.Object{{Key: "value", Value: value}, {Key: "low", Value: low}, {Key: "high", Value: high}, {Key: "of", Value: s.Whole}}
}

func precisionCell(r *reviewer) text.Cell {
	value, ok := r.Precision().Value()
	if !ok {
		return text.Cell{Text: unknown}
	}
	low, high, _ := r.Precision().Interval()
	return text.Cell{Text: fmt.Sprintf("%.0f %% (%.0f–%.0f)", 100*value, 100*low, 100*high)}
}

// ifTokens returns a number of tokens, or nil if a reviewer never said how many it used.
func ifTokens(r *reviewer, n int64) any {
	if r.WithTokens == 0 {
		return nil
	}
	return n
}

func costPerConfirmed(r *reviewer) any {
	if cost, ok := r.CostPerConfirmed(); ok {
		return dollars(cost)
	}
	return nil
}

// knownCell formats a value, which may be unknown.
func knownCell(value any, format string) text.Cell {
	if value == nil {
		return text.Cell{Text: unknown}
	}
	return text.Cell{Text: fmt.Sprintf(format, value)}
}

func shareCell(s figures.Share) text.Cell {
	if value, ok := s.Value(); ok {
		return text.Cell{Text: fmt.Sprintf("%.0f %%", 100*value)}
	}
	return text.Cell{Text: unknown}
}

// tookCell formats one of the percentiles.
func tookCell(d figures.Durations, percentile time.Duration) text.Cell {
	if d.N == 0 {
		return text.Cell{Text: unknown}
	}
	return text.Cell{Text: shownTime(percentile)}
}

var priorities = append(
	Columns[figures.Priority]{{Key: "priority", Value: func(p *figures.Priority) any { return string(p.Priority) }, Column: text.Column{Title: "PRIORITY"}}},
	Of(outcomes, func(p *figures.Priority) *figures.Outcomes { return &p.Outcomes })...)

// overlaps describe how many of the violations of one adapter another one reported too.
var overlaps = Columns[figures.Overlap]{
	{Key: "adapter", Value: func(o *figures.Overlap) any { return o.Adapter }, Column: text.Column{Title: "ADAPTER", Cut: true}},
	{Key: "other", Value: func(o *figures.Overlap) any { return o.Other }, Column: text.Column{Title: "ALSO BY", Cut: true}},
	{Key: "violations", Value: func(o *figures.Overlap) any { return o.Shared.Whole }, Column: right("VIOLATIONS")},
	{Key: "shared", Value: func(o *figures.Overlap) any { return o.Shared.Part }, Column: right("SHARED")},
	{Key: "share", Value: func(o *figures.Overlap) any { return share(o.Shared) }, Column: right("SHARE"),
		Cell: func(o *figures.Overlap) text.Cell { return shareCell(o.Shared) }},
}

type check = figures.Check

// Checks describe the executions of checks over a period.
var Checks = Columns[check]{
	{Key: "job", Value: func(c *check) any { return c.Job }},
	{Key: "entry_point", Value: func(c *check) any { return c.EntryPoint }},
	{Key: "check", Value: func(c *check) any { return c.Check }, Column: text.Column{Title: "CHECK", Cut: true, End: true},
		Cell: func(c *check) text.Cell { return text.Cell{Text: c.EntryPoint + ":" + c.Check} }},
	{Key: "command", Value: func(c *check) any { return orNull(c.Command) }},
	{Key: "executions", Value: func(c *check) any { return c.Executions }, Column: right("EXECUTIONS")},
	{Key: "failures", Value: func(c *check) any { return c.Failures }, Column: right("FAILED")},
	{Key: "failure_rate", Value: func(c *check) any { return share(figures.Share{Part: c.Failures, Whole: c.Executions}) }, Column: right("SHARE"),
		Cell: func(c *check) text.Cell { return shareCell(figures.Share{Part: c.Failures, Whole: c.Executions}) }},
	{Key: "last", Value: func(c *check) any { return executions.Objects(c.Last) }},
	{Key: "duration", Value: func(c *check) any { return durations(c.Took) }, Column: right("MEDIAN"),
		Cell: func(c *check) text.Cell { return tookCell(c.Took, c.Took.P50) }},
	{Key: "flaky", Value: func(c *check) any { return c.Flaky }, Column: right("FLAKY")},
	{Key: "weeks", Value: func(c *check) any { return checkWeeks.Objects(c.Weeks) }},
}

var checkWeeks = Columns[figures.CheckWeek]{
	{Key: "week", Value: func(w *figures.CheckWeek) any { return w.Start.Format(time.DateOnly) }},
	{Key: "executions", Value: func(w *figures.CheckWeek) any { return w.Executions }},
	{Key: "failures", Value: func(w *figures.CheckWeek) any { return w.Failures }},
	{Key: "failure_rate", Value: func(w *figures.CheckWeek) any {
		return share(figures.Share{Part: w.Failures, Whole: w.Executions})
	}},
	{Key: "duration", Value: func(w *figures.CheckWeek) any { return durations(w.Took) }},
}

var executions = Columns[figures.Execution]{
	{Key: "run", Value: func(e *figures.Execution) any { return e.Run }},
	{Key: "iteration", Value: func(e *figures.Execution) any { return e.Iteration }},
	{Key: "status", Value: func(e *figures.Execution) any { return e.Status }},
	{Key: "at", Value: func(e *figures.Execution) any { return e.At }},
}

// flaky describe checks with two different results on the same tree.
var flaky = Columns[figures.FlakyCheck]{
	{Key: "job", Value: func(f *figures.FlakyCheck) any { return f.Job }},
	{Key: "tree", Value: func(f *figures.FlakyCheck) any { return f.Tree }},
	{Key: "branch", Value: func(f *figures.FlakyCheck) any { return orNull(f.Branch) }},
	{Key: "first", Value: func(f *figures.FlakyCheck) any { return executions.Object(f.First) }},
	{Key: "then", Value: func(f *figures.FlakyCheck) any { return executions.Object(f.Then) }},
}

// partialMark marks a period that is not complete.
const partialMark = "*"

// spans describe periods, named by the Monday on which they begin. In a table, one that is not complete
// has a mark.
var spans = Columns[figures.Span]{
	{Key: "week", Value: func(s *figures.Span) any { return s.Start.Format(time.DateOnly) }, Column: text.Column{Title: "WEEK"},
		Cell: func(s *figures.Span) text.Cell {
			week := text.Cell{Text: s.Start.Format(time.DateOnly)}
			if s.Partial {
				week.Text += partialMark
			}
			return week
		}},
	{Key: "partial", Value: func(s *figures.Span) any { return s.Partial }},
}

// weeks describe what happened in each week.
var weeks = append(
	Of(spans, func(w *figures.Week) *figures.Span { return &w.Span }),
	Columns[figures.Week]{
		{Key: "new", Value: func(w *figures.Week) any { return w.New }, Column: right("NEW")},
		{Key: "reopened", Value: func(w *figures.Week) any { return w.Reopened }, Column: right("REOPENED")},
		{Key: "verified", Value: func(w *figures.Week) any { return w.Verified }, Column: right("VERIFIED")},
		{Key: "skipped", Value: func(w *figures.Week) any { return w.Skipped }, Column: right("SKIPPED")},
		{Key: "withdrawn", Value: func(w *figures.Week) any { return w.Withdrawn }, Column: right("WITHDRAWN"), Usual: "0"},
		{Key: "claimed", Value: func(w *figures.Week) any { return w.Claimed }, Column: right("CLAIMED")},
		{Key: "disputed", Value: func(w *figures.Week) any { return w.Disputed }},
		{Key: "duplicate", Value: func(w *figures.Week) any { return w.Duplicate }},
		{Key: "runs", Value: func(w *figures.Week) any { return w.Runs }, Column: right("RUNS")},
		{Key: "passed", Value: func(w *figures.Week) any { return w.Passed }, Column: right("PASSED")},
		{Key: "cost", Value: func(w *figures.Week) any { return cost(w.Cost) }, Column: spare("COST"), Usual: unknown,
			Cell: func(w *figures.Week) text.Cell { return knownCell(knownCost(w.Cost), "$%.2f") }},
	}...)

// severities describe numbers of findings by severity.
func severities[R any](findings func(*R) map[ledger.Priority]int) (columns Columns[R]) {
	for _, p := range ledger.Priorities() {
		key := strings.ToLower(string(verdict.SeverityOf(p)))
		columns = append(columns, Column[R]{Key: key, Value: func(r *R) any { return findings(r)[p] }, Column: right(strings.ToUpper(key))})
	}
	return columns
}

// Verdicts describe verdicts, with their findings by severity.
var Verdicts = append(Columns[figures.Verdict]{
	{Key: "run", Value: func(v *figures.Verdict) any { return v.Run }},
	{Key: "review", Value: func(v *figures.Verdict) any { return v.Review }},
	{Key: "iteration", Value: func(v *figures.Verdict) any { return v.Iteration }},
	{Key: "scope", Value: func(v *figures.Verdict) any { return v.Scope }},
	{Key: "target", Value: func(v *figures.Verdict) any { return v.Target }},
	{Key: "mode", Value: func(v *figures.Verdict) any { return v.Mode }},
	{Key: "verdict", Value: func(v *figures.Verdict) any { return v.Verdict }},
	{Key: "at", Value: func(v *figures.Verdict) any { return v.At }},
}, severities(func(v *figures.Verdict) map[ledger.Priority]int { return v.Findings })...)

// verdictWeeks describe the verdicts of each week.
var verdictWeeks = slices.Concat(
	Of(spans, func(w *figures.VerdictWeek) *figures.Span { return &w.Span }),
	verdictWords(),
	severities(func(w *figures.VerdictWeek) map[ledger.Priority]int { return w.Findings }),
)

func verdictWords() (columns Columns[figures.VerdictWeek]) {
	for _, word := range ledger.VerdictWords() {
		key := strings.ToLower(string(word))
		columns = append(columns, Column[figures.VerdictWeek]{Key: key, Value: func(w *figures.VerdictWeek) any { return w.By[word] }, Column: right(string(word))})
	}
	return columns
}
