package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Run) content(f Frame, l links) content {
	run, counts := p.State.Run, p.counts()
	page := thingPage{
		list: "Runs", path: "/runs", id: run.ID, title: runTitle(run), sub: p.sub(f, l), figures: p.figures(l, counts),
		actions: []action{{Text: "Compare", Href: l.to("/compare", param{"a", run.ID})}},
	}
	if why, said := p.why(l); said {
		page.main = append(page.main, why)
	}
	if len(p.State.Iterations) == 0 {
		page.main = append(page.main, panel{Title: "Slots by iteration", Empty: &emptiness{Title: "No iteration has begun."}})
	} else {
		page.main = append(page.main, p.matrix(f, l))
	}
	page.main = append(page.main, panelOf("Violations of this run", p.Violations, func(rows []ledger.ListedViolation) panel {
		return p.violations(l, rows, counts.all)
	}))
	if left, there := p.left(f, l); there {
		page.main = append(page.main, left)
	}
	if notes, said := p.notes(l); said {
		page.main = append(page.main, notes)
	}
	return page.content(l)
}

// why shows the first sentences of the explanation of the run's status.
func (p Run) why(l links) (made panel, said bool) {
	made.Title = "Why"
	const rest = "The command gives the full explanation."
	made.More = phrase{l.command(listings.Command("why", shortRun(p.State.Run.ID)))}
	for _, s := range p.Why.Sentences {
		if made.Body = append(made.Body, explained(cut(s, mostQuoted))); len(made.Body) == mostSentences {
			made.Footnote = rest
			break
		}
	}
	if who := p.Why.LookedAt; who != nil && made.Footnote == "" {
		made.Body = append(made.Body, words(cut(who.Sentence(), mostQuoted)))
	}
	return made, len(made.Body) > 0
}

// mostNotes is the maximum number of notes shown, the latest ones.
const mostNotes = 20

// notes shows the free text of reviewers, latest first.
func (p Run) notes(l links) (panel, bool) {
	made, n := panel{Title: "Notes of reviewers", More: words("for information: they have no effect on the result")}, 0
	for i := len(p.State.Gates) - 1; i >= 0; i-- {
		g := p.State.Gates[i]
		for _, s := range g.Slots {
			if strings.TrimSpace(s.Notes) == "" {
				continue
			}
			if n++; n > mostNotes {
				continue
			}
			address := l.log(p.State.Run.ID, ledger.SlotRef{Job: g.Job, Slot: s.Index, Iteration: g.Iteration})
			made.Body = append(made.Body, phrase{link(fmt.Sprintf("%s@%d, iteration %d of %s", s.Adapter, s.Index, g.Iteration, g.Job), address)})
			made.Body = append(made.Body, paragraphs(cut(s.Notes, mostQuoted))...)
		}
	}
	if n > mostNotes {
		made.Footnote = "The latest " + count(mostNotes) + " of " + count(n) + "."
	}
	return made, n > 0
}

func (p Run) sub(f Frame, l links) phrase {
	run := p.State.Run
	sub := phrase{badgeOfRun(run).strong(), plain(" · " + plural(run.Iterations, "iteration"))}
	switch {
	case run.Closed():
		sub = append(sub, plain(" in "+elapsed(run.FinishedAt.Sub(run.StartedAt))))
	case run.Status == ledger.StatusRunning:
		sub = append(sub, plain(" so far, going for "+elapsed(f.Now.Sub(run.StartedAt))))
	}
	sub = append(sub, plain(", began "), at(run.StartedAt, f.Now), plain(" · "+placeOfRun(run)+" · "), classed("mono", strings.TrimSpace(run.BaseRef+" "+run.Base[:min(len(run.Base), 7)])))
	if run.ReviewID != "" {
		sub = append(sub, plain(" · code review "), classed("mono", run.ReviewID))
	}
	for _, on := range p.State.RestsOn() {
		sub = append(sub, plain(" · rests on "), link("run "+on, l.run(on)))
	}
	return sub
}

// mostSentences is the maximum number of sentences shown of an explanation.
const mostSentences = 20

// runCounts counts a run's violations by what became of them. Urgent ones are open.
type runCounts struct {
	all, urgent int
	by          map[ledger.Tally]int
}

func (p Run) counts() runCounts {
	c := runCounts{by: map[ledger.Tally]int{}}
	for _, v := range p.State.Violations {
		c.all++
		tally := v.Status.Tally()
		if tally == ledger.TallyOpen && p.State.Run.Status == ledger.StatusAbandoned {
			tally = ledger.TallyAbandoned
		}
		c.by[tally]++
		if tally == ledger.TallyOpen && v.Priority.Meets(ledger.High) {
			c.urgent++
		}
	}
	return c
}

func (p Run) figures(l links, c runCounts) []figure {
	counted := func(term, detail string, tally ledger.Tally) figure {
		return figure{term, l.count(ledger.Count{Violations: c.by[tally], Filter: statusFilter(p.State.Run.ID, tally.Statuses()...)}), words(detail)}
	}
	open := "nothing is open"
	if c.by[ledger.TallyOpen] > 0 {
		open = count(c.urgent) + " critical or high"
	}
	once := statusFilter(p.State.Run.ID)
	once.NoDuplicates = true
	list := []figure{
		{"Reported", l.count(ledger.Count{Violations: c.all - c.by[ledger.TallyDuplicate], Filter: once}), words("by reviewers, in all")},
		counted("Verified", "fix confirmed by a reviewer", ledger.TallyVerified), counted("Skipped", "left as they are", ledger.TallySkipped), counted("Open", open, ledger.TallyOpen),
	}
	for _, some := range []figure{
		counted("Claimed fixed", "not confirmed yet", ledger.TallyClaimed),
		counted("Withdrawn", "by their reviewers, when disputed", ledger.TallyWithdrawn),
		counted("Duplicates", "joined to another one", ledger.TallyDuplicate),
		counted("Abandoned", "were open when it ended", ledger.TallyAbandoned),
	} {
		if some.Value.Href != "" {
			list = append(list, some)
		}
	}
	return append(list, figure{"Cost known", plain(costWords(p.Cost)), words(costCoverage(p.Cost))})
}

// matrix shows one column for each iteration, with its checks and slots, and below them what was
// left.
func (p Run) matrix(f Frame, l links) panel {
	m := &matrix{Label: "Slots by iteration"}
	columns := map[int]int{}
	iterations := p.shownIterations()
	for i, it := range iterations {
		columns[it.Number] = i
		filter := ledger.ViolationFilter{Run: p.State.Run.ID, Iteration: it.Number}
		line := phrase{at(it.StartedAt, f.Now)}
		if it.Verdict != "" {
			line = append(phrase{badgeOf(it.Verdict).part(), plain(" ")}, line...)
		}
		switch ended := it.Ended(); {
		case ended.IsZero() && it.Status == ledger.StatusRunning:
			line = append(line, plain(", going for "+elapsed(f.Now.Sub(it.StartedAt))))
		case !ended.IsZero():
			line = append(line, plain(", "+elapsed(ended.Sub(it.StartedAt))))
		}
		m.Columns = append(m.Columns, matrixColumn{
			ID: fmt.Sprintf("it-%d", it.Number), Head: phrase{link(fmt.Sprintf("Iteration %d", it.Number), l.violations(filter))}, Line: line,
		})
	}
	p.addGates(m, f, l, columns)
	made := panel{Title: "Slots by iteration", Matrix: m, More: words("a slot that has passed is not asked again")}
	if hidden := len(p.State.Iterations) - len(iterations); hidden > 0 {
		made.Footnote = "The latest " + plural(len(iterations), "iteration") + "; the JSON has the " + count(hidden) + " before, too."
	}
	if p.Events.Problem != "" {
		made.Footnote = strings.TrimSpace(made.Footnote + " What was left after each iteration cannot be shown: " + p.Events.Problem)
		return made
	}
	p.addFoot(m, l)
	return made
}

// matrixCells is approximately the maximum number of cells in a matrix, to limit the size of the
// page.
const matrixCells = 200

// shownIterations returns the latest iterations, as many as fit on the page.
func (p Run) shownIterations() []ledger.Iteration {
	rows := map[string]bool{}
	for _, g := range p.State.Gates {
		rows[g.Job] = true
		for _, s := range g.Slots {
			rows[fmt.Sprintf("%s@%d", g.Job, s.Index)] = true
		}
	}
	shown := max(3, matrixCells/max(1, len(rows)))
	all := p.State.Iterations
	return all[max(0, len(all)-shown):]
}

// addGates adds the rows of checks and slots. The cell of a row is empty in iterations that do not
// have it.
func (p Run) addGates(m *matrix, f Frame, l links, columns map[int]int) {
	groups := map[string]int{}
	rows := map[string][2]int{} // group and row, by job and slot
	cellAt := func(group, key string, row phrase, iteration int) *matrixCell {
		g, met := groups[group]
		if !met {
			g = len(m.Groups)
			groups[group] = g
			m.Groups = append(m.Groups, matrixGroup{Name: group, Span: len(m.Columns) + 1})
		}
		r, met := rows[key]
		if !met {
			r = [2]int{g, len(m.Groups[g].Rows)}
			rows[key] = r
			m.Groups[g].Rows = append(m.Groups[g].Rows, matrixRow{Head: row, Cells: make([]matrixCell, len(m.Columns))})
		}
		return &m.Groups[r[0]].Rows[r[1]].Cells[columns[iteration]]
	}
	run := p.State.Run.ID
	for _, g := range p.State.Gates {
		if _, known := columns[g.Iteration]; !known {
			continue
		}
		if g.Kind == ledger.KindCheck {
			head := phrase{link(g.EntryPoint+":"+g.Name, l.to("/checks", param{"job", g.Job}))}
			*cellAt("checks", g.Job, head, g.Iteration) = checkCell(g, l.log(run, ledger.SlotRef{Job: g.Job, Iteration: g.Iteration}))
			continue
		}
		if len(g.Slots) == 0 {
			*cellAt(g.Job, g.Job, words("all slots"), g.Iteration) = matrixCell{Parts: phrase{gateBadge(g.Status).part()}, Small: cut(g.Reason, 120)}
		}
		for _, s := range g.Slots {
			ref := ledger.SlotRef{Job: g.Job, Slot: s.Index, Iteration: g.Iteration}
			head := phrase{link(s.Adapter, l.to("/reviewers", param{"adapter", s.Adapter})), muted(fmt.Sprintf("@%d", s.Index))}
			*cellAt(g.Job, fmt.Sprintf("%s@%d", g.Job, s.Index), head, g.Iteration) = slotCell(s, f, l.log(run, ref))
		}
	}
}

func checkCell(g ledger.Gate, log string) matrixCell {
	c := matrixCell{Parts: phrase{gateBadge(g.Status).linked(log)}, Small: took(g.Duration)}
	switch g.Status {
	case ledger.GateNotRun:
		c = matrixCell{Parts: phrase{gateBadge(g.Status).part()}, Small: strings.ReplaceAll(string(g.NotRun), "_", " ")}
	case ledger.GateFailed, ledger.GateError:
		if g.Reason != "" {
			c.Small = cut(g.Reason, 120) + ", " + took(g.Duration)
		}
	}
	return c
}

func slotCell(s ledger.Slot, f Frame, log string) matrixCell {
	switch s.Status {
	case ledger.SlotSkipped:
		return matrixCell{Parts: phrase{badgeOf(s.Status).part()}, Small: fmt.Sprintf("passed in %d", s.PassIteration)}
	case ledger.SlotRunning:
		c := matrixCell{Parts: phrase{badgeOf(s.Status).linked(log)}}
		if !s.StartedAt.IsZero() {
			c.Small = "for " + elapsed(f.Now.Sub(s.StartedAt))
		}
		return c
	case ledger.SlotError, ledger.SlotInterrupted:
		return matrixCell{Parts: phrase{badgeOf(s.Status).linked(log)}, Small: cut(s.Reason, 120)}
	}
	var said []string
	for _, n := range []struct {
		n    int
		word string
	}{
		{s.Counts.New, "new"}, {s.Counts.Reopened, "reopened"}, {s.Counts.Accepted - s.Counts.New - s.Counts.Reopened, "reported again"},
		{s.Counts.Verified, "verified"},
		{s.Counts.Carried, "carried"}, {s.Counts.Discarded(), "filtered"},
	} {
		if n.n > 0 {
			said = append(said, count(n.n)+" "+n.word)
		}
	}
	if len(said) == 0 {
		said = []string{"nothing new"}
	}
	return matrixCell{Parts: phrase{badgeOf(s.Status).linked(log)}, Small: strings.Join(said, ", ")}
}

// leftAfter counts the violations that were not closed after an iteration, and what happened in it.
type leftAfter struct {
	isNew, reopened, carried, unanswered int
	// events counts the violations that had an event in the iteration, no matter what happened
	// later. A skip that was taken back is not counted.
	events map[ledger.Status]int
	// first counts the violations that the iteration was the first to report.
	first int
}

func (a leftAfter) total() int { return a.isNew + a.reopened + a.carried + a.unanswered }

// leftAfterEach replays the events. The state after an iteration includes what its reviewers said,
// and what others said before. An agent's answer to a report of an iteration comes after that
// iteration.
func leftAfterEach(events []ledger.Event, iterations []ledger.Iteration) []leftAfter {
	of := map[string][]ledger.Event{}
	for _, e := range events {
		of[e.Violation] = append(of[e.Violation], e)
	}
	left := make([]leftAfter, len(iterations))
	for i := range left {
		left[i].events = map[ledger.Status]int{}
	}
	for _, history := range of {
		slices.SortStableFunc(history, func(a, b ledger.Event) int { return cmp.Compare(a.Number, b.Number) })
		for i, it := range iterations {
			left[i].add(history, it.Number)
		}
	}
	return left
}

// add counts one violation.
func (a *leftAfter) add(history []ledger.Event, iteration int) {
	var last *ledger.Event
	had := map[ledger.Status]bool{}
	for i := range history {
		e := &history[i]
		byReviewer := e.Actor == ledger.ActorReviewer
		if e.Iteration < iteration || e.Iteration == iteration && byReviewer {
			last = e
		}
		if e.Iteration == iteration && !had[e.Status] && !ledger.TakenBack(history[i:]) {
			had[e.Status] = true
			a.events[e.Status]++
		}
	}
	switch {
	case last == nil:
	case last.Status == ledger.StatusFixed:
		a.unanswered++
	case !last.Status.Open():
	case last.Iteration < iteration || last.Actor != ledger.ActorReviewer:
		a.carried++
	case last.Status == ledger.StatusReopened:
		a.reopened++
	default:
		a.isNew++
	}
}

// addFoot adds the bars of what was left, and the numbers below.
func (p Run) addFoot(m *matrix, l links) {
	iterations := p.shownIterations()
	left := leftAfterEach(p.Events.Value, iterations)
	largest := 0
	for i := range left {
		largest = max(largest, left[i].total())
		for _, v := range p.State.Violations {
			if v.First == iterations[i].Number {
				left[i].first++
			}
		}
	}
	paints := []chart.Paint{{Tone: chart.Claimed, Fill: chart.Outlined}, {Tone: chart.Open, Fill: chart.Outlined}, {Tone: chart.Reopened, Fill: chart.Hatched}, {Tone: chart.Open}}
	burn := matrixRow{Head: words("Not closed"), Note: "after the iteration"}
	for i, a := range left {
		values := []int{a.unanswered, a.carried, a.reopened, a.isNew}
		var parts []chart.Part
		for j, paint := range paints {
			parts = append(parts, chart.Part{Value: float64(values[j]), Paint: paint})
		}
		marks, top := chart.Burn(parts, float64(largest))
		burn.Cells = append(burn.Cells, matrixCell{Drawing: &drawing{
			Class: "burn", Height: "84", Marks: marks, Number: count(a.total()), Top: top,
			Label: fmt.Sprintf("After iteration %d: %d not closed, %d new, %d reopened, %d carried, %d claimed and not answered",
				iterations[i].Number, a.total(), a.isNew, a.reopened, a.carried, a.unanswered),
		}})
	}
	m.Foot = append(m.Foot, burn)
	for _, row := range []footRow{
		{"new", &paints[3], func(a leftAfter) int { return a.first }, func(n int) *ledger.ViolationFilter {
			return &ledger.ViolationFilter{Run: p.State.Run.ID, Iteration: n}
		}},
		p.events("reopened", &paints[2], ledger.StatusReopened),
		{"carried", &paints[1], func(a leftAfter) int { return a.carried }, nil},
		{"not answered", &paints[0], func(a leftAfter) int { return a.unanswered }, nil},
		p.events("verified", nil, ledger.StatusVerified), p.events("answered fixed", nil, ledger.StatusFixed),
		p.events("answered skipped", nil, ledger.StatusSkipped), p.events("withdrawn", nil, ledger.StatusWithdrawn),
	} {
		if row.word == "withdrawn" && !slices.ContainsFunc(left, func(a leftAfter) bool { return row.n(a) > 0 }) {
			continue // rare, so shown only if there are any
		}
		line := matrixRow{Head: words(row.word)}
		if row.swatch != nil {
			line.Swatch = row.swatch.Swatch()
		}
		for i, a := range left {
			line.Cells = append(line.Cells, footCell(l, row.n(a), row.filter, iterations[i].Number))
		}
		m.Foot = append(m.Foot, line)
	}
}

// footRow is a number for each iteration, with the list of what it counts, if any.
type footRow struct {
	word   string
	swatch *chart.Paint
	n      func(leftAfter) int
	filter func(iteration int) *ledger.ViolationFilter
}

// events returns the row that counts violations with an event of this status in an iteration.
func (p Run) events(word string, swatch *chart.Paint, status ledger.Status) footRow {
	return footRow{word, swatch, func(a leftAfter) int { return a.events[status] }, func(n int) *ledger.ViolationFilter {
		return &ledger.ViolationFilter{Run: p.State.Run.ID, Events: ledger.EventFilter{Statuses: []ledger.Status{status}, Iteration: n}}
	}}
}

func footCell(l links, n int, filter func(int) *ledger.ViolationFilter, iteration int) matrixCell {
	if n == 0 {
		return matrixCell{Parts: phrase{muted("0")}}
	}
	if filter == nil {
		return matrixCell{Parts: words(count(n))}
	}
	return matrixCell{Parts: phrase{l.count(ledger.Count{Violations: n, Filter: *filter(iteration)})}}
}

// mostLeft is the maximum number of filtered reports on a run's page.
const mostLeft = 20

// left shows the reports that filters removed and nobody took up.
//
// Rule: What is filtered is counted and kept.
func (p Run) left(f Frame, l links) (panel, bool) {
	left := p.State.Filtered
	if len(left) == 0 {
		return panel{}, false
	}
	shown := left[:min(len(left), mostLeft)]
	made := panel{
		Title: "Not counted", Rows: true, Table: discardsTable(f, l, shown),
		More: phrase{link("Filtered reports", l.violations(ledger.ViolationFilter{Run: p.State.Run.ID, Discards: ledger.FilteredDispositions()}))},
	}
	if len(shown) < len(left) {
		made.Footnote = fmt.Sprintf("The worst %s of %s.", count(len(shown)), count(len(left)))
	}
	if !p.State.Run.Closed() && p.State.Run.Kind == ledger.KindGates && p.State.Run.Worktree != "" {
		made.Footnote = strings.TrimSpace(made.Footnote + " To take one up: reviewledger mark ID new.")
	}
	return made, true
}

func (p Run) violations(l links, rows []ledger.ListedViolation, all int) panel {
	if all == 0 {
		return panel{Empty: &emptiness{Title: "No reviewer reported a violation."}}
	}
	t := &table{Label: "Violations of this run", Class: "stack", Columns: []column{
		{Title: "ID"}, {Title: "Status"}, {Title: "Priority"}, {Title: "Violation, place"}, {Title: "First by"}, {Title: "Gate"}, {Title: "Iterations", Class: "num"},
	}}
	rows, under := ledger.Together(ledger.WithDuplicates(rows))
	for i, v := range rows {
		t.Rows = append(t.Rows, []cell{
			idCell(v.ShortID), textual(badgeOf(v.Shown()).part()), textual(priorityBadge(v.Priority).part()),
			listedCell(l, v, under[i], rows), {Class: "nw", Parts: words(fmt.Sprintf("%s@%d", v.Adapter, v.Slot))},
			{Class: "nw muted", Parts: words(v.EntryPoint + ":" + v.Gate)}, numeric("iterations", plain(iterationSpan(v.Violation))),
		})
	}
	made := panel{Rows: true, Table: t, More: phrase{link(count(all)+" in the list", l.violations(ledger.ViolationFilter{Run: p.State.Run.ID}))}}
	if len(rows) < all {
		made.Footnote = fmt.Sprintf("The worst %s of %s.", count(len(rows)), count(all))
	}
	return made
}
