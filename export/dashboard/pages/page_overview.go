package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

func (p Overview) content(f Frame, l links) content {
	c := content{Tab: "/", Head: head{Title: "Overview", Sub: words(p.words(f.Now, p.Weeks.Value.Weeks)), Choices: p.choices(l, "/")}, Chips: p.chips(l, "/")}
	if p.Empty {
		c.Head.Sub = nil
		c.Lead = []panel{noRuns()}
		for _, term := range []string{"Open now in loops", "Runs passed", "Iterations to pass", "Claims confirmed", "Cost"} {
			c.Figures = append(c.Figures, figure{term, plain(unknown), words("no run yet")})
		}
		return c
	}
	next := panelOf("What to do next", p.Next, func(n NextSteps) panel { return nextSteps(f, l, n) })
	if !l.none && len(p.Next.Value.Loops) > 0 {
		next.More = phrase{link("All open loops", l.runs(ledger.RunFilter{Statuses: waiting()}))}
	}
	c.Lead = []panel{next}
	c.Figures = append(p.open(l),
		figureOf("Runs passed", p.Runs, func(s figures.Statistics) (part, phrase) { return p.passed(l, s) }),
		figureOf("Iterations to pass", p.Runs, toPass), figureOf("Claims confirmed", p.Slots, claimsConfirmed),
		figureOf("Cost known", p.Slots, func(s figures.Statistics) (part, phrase) { return p.cost(l, s.Cost) }),
	)
	saved := ""
	if p.Slots.Problem == "" {
		saved = "saved: " + plural(p.Slots.Value.Saved.Slots, "slot") + " not asked"
	}
	c.Sections = []section{
		beside(
			panelOf("Opened and closed per week", p.Weeks, func(s figures.Statistics) panel { return p.eventsChart(f, l, s.Weeks) }),
			panelOf("Runs per week, by how they ended", p.Weeks, func(s figures.Statistics) panel { return p.runsChart(f, l, s.Weeks) }),
			panelOf("Iterations until a run passed", p.Runs, toPassChart),
			panelOf("Cost per week", p.Weeks, func(s figures.Statistics) panel { return costChart(f, s.Weeks, saved) }),
		),
		beside(
			panelOf("Comes back most", p.Recurring, func(s figures.Statistics) panel { return recurring(l, s.Recurring) }),
			panelOf("Files with most violations", p.Files, func(s figures.Statistics) panel { return p.topFiles(l, s.Files) }),
		),
	}
	return c
}

// waiting returns the statuses of runs that are not finished.
func waiting() []ledger.RunStatus {
	return []ledger.RunStatus{ledger.StatusRunning, ledger.StatusFailed, ledger.StatusError, ledger.StatusInterrupted, ledger.StatusRetryLimitExceeded}
}

func nextSteps(f Frame, l links, n NextSteps) panel {
	var made panel
	for _, loop := range n.Loops {
		made.Next = append(made.Next, loopStep(f, l, loop))
	}
	if n.More > 0 {
		made.Next = append(made.Next, step{
			Badge: badge{Class: "c-not_run", Icon: "i-said"}, Title: link(plural(n.More, "more loop")+" waiting", l.runs(ledger.RunFilter{Statuses: waiting()})),
			Text: words("older than those above"),
		})
	}
	if s := n.Stuck; s.Runs > 0 {
		made.Next = append(made.Next, step{
			Badge: badgeOf(ledger.StatusRetryLimitExceeded),
			Title: link("Decide on "+plural(s.Runs, "loop")+" that did not converge", l.runs(ledger.RunFilter{Statuses: []ledger.RunStatus{ledger.StatusRetryLimitExceeded}})),
			Text: phrase{
				plain("retry limit exceeded with " + count(s.Open) + " open, the newest "), link(runName(s.Newest), l.run(s.Newest.ID)),
				plain(", began "), at(s.Newest.StartedAt, f.Now),
			},
		})
	}
	if a := n.Abandoned; a.Open > 0 {
		made.Next = append(made.Next, step{
			Badge: badgeOf(ledger.StatusAbandoned),
			Title: link("Look through "+plural(a.Open, "finding")+" of abandoned loops", l.violations(ledger.ViolationFilter{Statuses: []ledger.Status{ledger.ShownAbandoned}})),
			Text:  words("still open when their loop was abandoned; no run will ask for them again"),
		})
	}
	if len(made.Next) == 0 {
		made.OK = "Nothing is open. " + plural(n.Recorded, "run") + " recorded, no loop is waiting."
	}
	return made
}

// loopStep says what an open run is waiting for.
func loopStep(f Frame, l links, loop OpenLoop) step {
	run, a := loop.Run, ledger.Assess(loop.State)
	s := step{Badge: badgeOf(run.Status), Command: listings.Command("run"), Copy: listings.CommandIn(run.Worktree, "run")}
	title := "Run again"
	switch {
	case run.Status == ledger.StatusRunning:
		title, s.Command = "Wait: an iteration is running", ""
	case run.Open > 0:
		title = "Answer " + plural(run.Open, "finding") + ", then run again"
	case len(a.Failing) > 0 && run.Claimed == 0:
		title = "Repair " + plural(len(a.Failing), "check") + ", then run again"
	case run.Claimed > 0:
		title, s.Badge = "Run again to verify the claims", badgeOf(ledger.StatusFixed)
	}
	if run.Kind == ledger.KindCodeReview {
		s.Command, s.Copy = listings.Command("code-review"), listings.CommandIn(run.Worktree, "code-review")
	}
	if run.Worktree == "" { // the loop goes on where it started
		s.Command, s.Copy = "", ""
	}
	s.Title = link(title, l.run(run.ID))
	s.Text = phrase{plain(runName(run) + " in " + placeOfRun(run))}
	if it := loop.Iteration(loop.LastIteration()); it != nil {
		s.Text = append(s.Text, plain(fmt.Sprintf(", iteration %d %s ", it.Number, badgeOf(it.Status).Word)))
		if when := it.Ended(); !when.IsZero() {
			s.Text = append(s.Text, at(when, f.Now))
		} else {
			s.Text = append(s.Text, plain("for "+elapsed(max(0, f.Now.Sub(it.StartedAt)))))
		}
	}
	if run.Open > 0 {
		s.Text = append(s.Text, plain(" · "), link(count(run.Open)+" open", l.violations(statusFilter(run.ID, ledger.OpenStatuses()...))))
		if loop.Urgent > 0 {
			s.Text = append(s.Text, plain(", "+count(loop.Urgent)+" critical or high"))
		}
	}
	if run.Claimed > 0 {
		s.Text = append(s.Text, plain(" · "), link(count(run.Claimed)+" claimed fixed", l.violations(statusFilter(run.ID, ledger.StatusFixed))), plain(", not verified yet"))
	}
	s.Text = append(s.Text, jobWords(l, " · failing: ", a.Failing)...)
	return step{s.Badge, s.Title, append(s.Text, jobWords(l, " · no result: ", a.Erred)...), s.Command, s.Copy}
}

// jobWords lists at most three jobs.
func jobWords(l links, lead string, gates []ledger.Gate) phrase {
	var parts phrase
	for i, gate := range gates[:min(len(gates), 3)] {
		if i > 0 {
			lead = ", "
		}
		href := ""
		if gate.Kind == ledger.KindCheck {
			href = l.to("/checks", param{"job", gate.Job})
		}
		parts = append(parts, plain(lead), link(gate.Job, href))
	}
	if len(gates) > 3 {
		parts = append(parts, plain(fmt.Sprintf(" and %d more", len(gates)-3)))
	}
	return parts
}

// figureOf returns the figure for the result of a query, or for its failure.
func figureOf[T any](term string, p Panel[T], make func(T) (value part, detail phrase)) figure {
	if p.Problem != "" {
		return figure{term, plain(unknown), words(p.Problem)}
	}
	value, detail := make(p.Value)
	return figure{term, value, detail}
}

// open returns the figures of what is open in loops and, if anything is, in code reviews.
func (p Overview) open(l links) []figure {
	of := func(term string, kind ledger.RunKind) figure {
		return figureOf(term, p.Open, func(by map[ledger.RunKind]map[ledger.Priority]int) (part, phrase) { return openNow(l, kind, by[kind]) })
	}
	list := []figure{of("Open now in loops", ledger.KindGates)}
	if reviews := of("Open now in code reviews", ledger.KindCodeReview); slices.Max(append(slices.Collect(maps.Values(p.Open.Value[ledger.KindCodeReview])), 0)) > 0 {
		list = append(list, reviews)
	}
	return list
}

func openNow(l links, kind ledger.RunKind, by map[ledger.Priority]int) (part, phrase) {
	open := ledger.Count{Filter: ledger.ViolationFilter{Kind: kind, Statuses: ledger.OpenStatuses()}}
	var detail []string
	for _, priority := range ledger.Priorities() {
		if n := by[priority]; n > 0 {
			open.Violations += n
			detail = append(detail, count(n)+" "+string(priority))
		}
	}
	if len(detail) == 0 {
		detail = []string{"nothing is open"}
	}
	return l.count(open), words(strings.Join(detail, ", "))
}

func (p Overview) passed(l links, s figures.Statistics) (part, phrase) {
	if s.Runs == 0 {
		return plain(unknown), words("no run in this period")
	}
	passed := p.runCount(l, percent(s.Passed, s.Runs), s.Passed, p.Filter.Period, ledger.StatusPassed, ledger.StatusPassedWithWarnings)
	return passed, phrase{plain(count(s.Passed) + " of "), p.runCount(l, plural(s.Runs, "run"), s.Runs, p.Filter.Period)}
}

func toPass(s figures.Statistics) (part, phrase) {
	if s.Passed == 0 {
		return plain(unknown), words("no run has passed")
	}
	median, mean, longest := toPassFigures(s.IterationsToPass)
	detail := fmt.Sprintf("median; mean %.1f, longest %d", mean, longest)
	if s.TimeToPass.N > 0 {
		detail += "; median time " + elapsed(s.TimeToPass.P50)
	}
	return plain(count(median)), words(detail)
}

func toPassFigures(by map[int]int) (median int, mean float64, longest int) {
	total, sum := 0, 0
	for n, runs := range by {
		total += runs
		sum += n * runs
		longest = max(longest, n)
	}
	seen := 0
	for _, n := range slices.Sorted(maps.Keys(by)) {
		if seen += by[n]; 2*seen >= total {
			median = n
			break
		}
	}
	return median, float64(sum) / float64(max(total, 1)), longest
}

func claimsConfirmed(s figures.Statistics) (part, phrase) {
	answered := s.Confirmed + s.Contradicted
	if answered == 0 {
		return plain(unknown), words("no claim was answered")
	}
	return plain(percent(s.Confirmed, answered)), words(fmt.Sprintf("%s of %s; %s contradicted", count(s.Confirmed), count(answered), count(s.Contradicted)))
}

func (p Overview) cost(l links, cost ledger.Cost) (part, phrase) {
	value := plain(unknown)
	if cost.Known > 0 {
		value = plain(dollars(cost.USD))
		if to := l.to("/reviewers", p.params()...); to != "" {
			value.Href = to + "#cost"
		}
	}
	return value, words(costCoverage(cost))
}

// topRows is the maximum number of rows in the lists of an overview.
const topRows = 10

func recurring(l links, list []figures.Recurrence) panel {
	if len(list) == 0 {
		return panel{Empty: &emptiness{Title: "Nothing recurs.", Text: words("No line was reported in more than one run.")}}
	}
	t := &table{Label: "Recurring violations", Columns: []column{{Title: "Same line in several runs"}, {Title: "Runs", Class: "num"}, {Title: "Violations", Class: "num"}, {Title: "Open", Class: "num"}}}
	for _, r := range list[:min(len(list), topRows)] {
		t.Rows = append(t.Rows, []cell{
			inRepository(finding(r.Issue, l.violation(r.Latest), ledger.Place{File: r.File, Start: r.Line}), r.Repository),
			numeric("", plain(count(r.Runs))), numeric("", l.count(r.Violations)), numeric("", l.count(r.Open)),
		})
	}
	made := panel{Table: t}
	if !l.none {
		made.More = phrase{link("All", l.violations(ledger.ViolationFilter{Recurring: true}))}
	}
	return made
}

// inRepository adds the repository to a file or finding, if the ledger has several.
func inRepository(c cell, repository string) cell {
	switch {
	case repository == "":
	case c.Path.Text == "":
		c.Path = plain(shownPath(repository))
	default:
		c.Path.Text += " in " + shownPath(repository)
	}
	return c
}

func (p Overview) topFiles(l links, list []figures.File) panel {
	if len(list) == 0 {
		return panel{Empty: &emptiness{Title: "No file has violations.", Text: words("Nothing was reported in this period.")}}
	}
	t := &table{Label: "Files with most violations", Columns: []column{
		{Title: "File"}, {Title: "Share of the first", Class: "wide", Hidden: true}, {Title: "Violations", Class: "num"}, {Title: "Open", Class: "num"},
	}}
	largest := 0
	for _, file := range list {
		largest = max(largest, file.Violations.Violations)
	}
	for _, file := range list[:min(len(list), topRows)] {
		n := file.Violations.Violations
		t.Rows = append(t.Rows, []cell{
			inRepository(cell{Parts: phrase{{Text: shownPath(file.File), Class: "path", Href: l.violations(file.Violations.Filter)}}}, file.Repository),
			barCell(plural(n, "violation"), chart.Row([]chart.Part{{Value: float64(n), Paint: chart.Paint{Tone: chart.Accent}}}, float64(largest))),
			numeric("", l.count(file.Violations)), numeric("", l.count(file.Open)),
		})
	}
	made := panel{Table: t}
	if !l.none {
		made.More = phrase{link("All files", l.to("/files", p.params()...))}
	}
	return made
}
