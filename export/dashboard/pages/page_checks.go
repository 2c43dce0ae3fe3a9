package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

const mostChecks = 50 // maximum number of rows of each table

func (p Checks) content(f Frame, l links) content {
	return figurePage{
		Scope: p.Scope, path: "/checks", title: "Checks", own: param{"job", p.Job}, figures: p.Figures,
		there: func(s figures.Statistics) bool { return len(p.checks(s)) > 0 },
		none:  "No check was executed", about: "Checks are commands in .gauntlet/ that decide by their exit code.",
		sub:      func(s figures.Statistics) string { return p.sub(f, p.checks(s)) },
		sections: func(s figures.Statistics) []section { return []section{below(p.panels(f, l, s)...)} },
	}.content(f, l)
}

// checks returns the checks that the page is about.
func (p Checks) checks(s figures.Statistics) []figures.Check {
	return slices.DeleteFunc(slices.Clone(s.Checks), func(c figures.Check) bool { return p.Job != "" && c.Job != p.Job })
}

func (p Checks) sub(f Frame, checks []figures.Check) string {
	executions, failures := 0, 0
	for _, check := range checks {
		executions, failures = executions+check.Executions, failures+check.Failures
	}
	return fmt.Sprintf("%s, %s %s, %s failed", plural(len(checks), "check"), plural(executions, "execution"), p.sinceWords(f.Now), count(failures))
}

func (p Checks) panels(f Frame, l links, s figures.Statistics) []panel {
	checks := p.checks(s)
	panels := []panel{checksTable(l, checks)}
	if p.Job != "" {
		panels = append(panels, lastExecutions(f, l, checks[0]))
	}
	flaky := slices.DeleteFunc(slices.Clone(s.Flaky), func(c figures.FlakyCheck) bool { return p.Job != "" && c.Job != p.Job })
	return append(panels, flakyPanel(f, l, flaky))
}

// checkName returns a check's name with its entry point.
func checkName(c figures.Check) string { return c.EntryPoint + ":" + c.Check }

func checksTable(l links, checks []figures.Check) panel {
	checks = slices.Clone(checks)
	slices.SortStableFunc(checks, func(a, b figures.Check) int {
		return cmp.Or(-cmp.Compare(a.Failures, b.Failures), cmp.Compare(a.Job, b.Job))
	})
	shown := checks[:min(len(checks), mostChecks)]
	t := &table{Label: "Checks", Class: "stack", Columns: []column{
		{Title: "Check, command"}, {Title: "Failed ↓", Class: "num", Sorted: "descending"}, {Title: "Share", Class: "num"},
		{Title: "Last 30, newest right"}, {Title: "Median per week"}, {Title: "p50", Class: "num"}, {Title: "p90", Class: "num"}, {Title: "Flaky", Class: "num"},
	}}
	for _, c := range shown {
		var failed []bool
		bad := 0
		for _, e := range c.Last {
			failed = append(failed, e.Status != ledger.GatePassed)
			if e.Status != ledger.GatePassed {
				bad++
			}
		}
		p50, p90 := unknown, unknown
		if c.Took.N > 0 {
			p50, p90 = elapsed(c.Took.P50), elapsed(c.Took.P90)
		}
		flaky := plain(count(c.Flaky))
		if c.Flaky > 0 && !l.none {
			flaky.Href = "#flaky"
		}
		t.Rows = append(t.Rows, []cell{
			{Class: "find-cell full", Parts: phrase{link(checkName(c), l.to("/checks", param{"job", c.Job}))}, Path: plain(cut(c.Command, 200))},
			numeric("failed", plain(count(c.Failures)+" of "+count(c.Executions))), numeric("share", plain(percent(c.Failures, c.Executions))),
			labeled("last 30", drawing{Class: "strip", Width: "184", Height: "20", Label: fmt.Sprintf("Last %s, %d failed", plural(len(failed), "execution"), bad), Marks: chart.Strip(failed)}),
			medianCell(c.Weeks),
			numeric("p50", plain(p50)), numeric("p90", plain(p90)), numeric("flaky", flaky),
		})
	}
	made := panel{
		Title: "Failures and durations", Rows: true, Table: t,
		Legend: []legend{
			{Swatch: `<rect class="f-verified" x="3" y="6" width="5" height="6"/>`, Part: plain("short: passed")},
			{Swatch: `<rect class="f-reopened" x="3" y="0" width="5" height="12"/>`, Part: plain("tall: failed")},
		},
	}
	if len(shown) < len(checks) {
		made.Footnote = fmt.Sprintf("The first %d of %s.", len(shown), count(len(checks)))
	}
	return made
}

// medianCell shows the median duration of each week, and the change from the first to the last.
func medianCell(weeks []figures.CheckWeek) cell {
	var medians []int
	var known []time.Duration
	for _, w := range weeks {
		ms := 0
		if w.Took.N > 0 {
			known = append(known, w.Took.P50)
			ms = max(1, int(w.Took.P50.Milliseconds())) // at least 1, because 0 is a week without executions
		}
		medians = append(medians, ms)
	}
	c := cell{Class: "sp", Label: "median per week"}
	if len(known) == 0 {
		c.Parts = words(unknown)
		return c
	}
	first, last := known[0], known[len(known)-1]
	if len(known) == 1 {
		c.Parts = phrase{classed("muted small", elapsed(last)+", one week")}
		return c
	}
	d := spark(fmt.Sprintf("Median per week from %s to %s, of %s", elapsed(first), elapsed(last), plural(len(known), "week")), chart.Spark(medians, slices.Max(medians), chart.Accent))
	c.Drawing = &d
	if first > 0 {
		change := fmt.Sprintf("%+.0f%%", 100*(float64(last)/float64(first)-1))
		c.Parts = phrase{classed("muted small", strings.Replace(change, "-", "−", 1))}
	}
	return c
}

// lastExecutions lists the executions of one check, newest first.
func lastExecutions(f Frame, l links, c figures.Check) panel {
	type execution = figures.Execution
	newest := slices.Clone(c.Last)
	slices.Reverse(newest)
	t := tableOf("Executions", "stack", newest, []columnOf[execution]{
		{column{Title: "Result"}, func(e execution) cell {
			return textual(gateBadge(e.Status).linked(l.log(e.Run, ledger.SlotRef{Job: c.Job, Iteration: e.Iteration})))
		}},
		{column{Title: "Run"}, func(e execution) cell { return cell{Class: "mono", Parts: phrase{link(shortRun(e.Run), l.run(e.Run))}} }},
		{column{Title: "Iteration", Class: "num"}, func(e execution) cell { return numeric("iteration", plain(count(e.Iteration))) }},
		{column{Title: "When", Class: "num"}, func(e execution) cell { return numeric("", at(e.At, f.Now)) }},
	}...)
	return panel{Title: "Latest executions", Table: t}
}

func flakyPanel(f Frame, l links, list []figures.FlakyCheck) panel {
	made := panel{
		ID: "flaky", Title: "Flaky", Badge: count(len(list)),
		Footnote: "Flaky = two outcomes on the same tree, so no edit explains the change. That is the only definition; a check that fails and then passes on another tree is a fixed check.",
	}
	if len(list) == 0 {
		made.Badge = ""
		made.Empty = &emptiness{Title: "No check is flaky.", Text: words("None had two outcomes on the same tree.")}
		return made
	}
	t := &table{Label: "Flaky", Columns: []column{{Title: "Check"}, {Title: "First"}, {Title: "Then"}, {Title: "Tree"}, {Title: "Run"}, {Title: "When", Class: "num"}}}
	outcome := func(job string, e figures.Execution) cell {
		b := gateBadge(e.Status)
		b.Word = fmt.Sprintf("%s in %d", b.Word, e.Iteration)
		return cell{Class: "nw", Parts: phrase{b.linked(l.log(e.Run, ledger.SlotRef{Job: job, Iteration: e.Iteration}))}}
	}
	for _, c := range list[:min(len(list), mostChecks)] {
		name := c.Branch
		if name == "" {
			name = shortRun(c.Then.Run)
		}
		t.Rows = append(t.Rows, []cell{
			{Class: "nw", Parts: phrase{link(c.Job, l.to("/checks", param{"job", c.Job}))}}, outcome(c.Job, c.First), outcome(c.Job, c.Then),
			{Class: "mono", Parts: words(c.Tree[:min(len(c.Tree), 10)])}, textual(link(name, l.run(c.Then.Run))), numeric("", at(c.Then.At, f.Now)),
		})
	}
	made.Table = t
	return made
}
