package pages

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Runs) content(f Frame, l links) content {
	li := listing{l: l, path: "/runs", params: flagParams(filters.OfRuns(p.Filter)), pager: p.Pager}
	page := listPage[RunRow]{
		listing: li, rows: p.Rows, formats: []string{"json"},
		head: head{
			Title: "Runs",
			Sub:   words(amount(p.Total, "run", ". ", p.Rows.Problem) + "A run is one fix-verify loop of one worktree; a code review is a separate run."),
		},
		actions: []action{{Text: "Compare two", Href: l.to("/compare")}},
		filters: p.filters(li),
		bar:     li.searchBarOf("branch", "Branch", p.Filter.Branch),
		nothing: emptiness{Title: "No run matches.", Text: phrase{link("Show all runs.", l.to("/runs"))}},
		table:   func(rows []RunRow) *table { return runsTable(f, l, rows) },
		footer: func(n int) phrase {
			return li.footer(n, p.Total, true, "run", "newest first", listings.RunsCommand(p.Filter))
		},
		footnote: "A + after a cost: the cost of some calls is unknown.",
	}
	if p.Total == 0 && p.Rows.Problem == "" && !li.filtered() {
		none := noRuns()
		page.none, page.actions = &none, append(page.actions, li.downloads("json")...)
	}
	return page.content()
}

// amount formats a count with the text after it. It returns "" if an error kept the rows from being
// counted.
func amount(n int, of, then, problem string) string {
	if n == 0 && problem != "" {
		return ""
	}
	return plural(n, of) + then
}

func noRuns() panel {
	e := &emptiness{Title: "This ledger holds no run.", Text: words(howRecorded), Commands: recordingCommands()}
	return panel{Title: "No run yet", Empty: e}
}

// howRecorded says what fills the ledger. It is shown before [recordingCommands].
const howRecorded = "A run is recorded when a gate is executed. In the repository:"

func recordingCommands() string {
	return listings.Command("init") + "\n" + listings.Command("run")
}

func (p Runs) filters(li listing) *filterList {
	list := &filterList{On: len(li.params)}
	if p.Facets.Problem != "" {
		list.Groups = append(list.Groups, filterGroup{Title: "Filters", Note: p.Facets.Problem})
		return list
	}
	for _, g := range []struct {
		title, name string
		word        func(string) badge
	}{
		{"Status", "status", func(v string) badge { return badgeOf(ledger.RunStatus(v)) }},
		{"Kind", "kind", func(v string) badge { return box(strings.ReplaceAll(v, "_", " ")) }},
		{"Branch", "branch", box},
		{"Worktree", "worktree", func(v string) badge { return box(folderName(v)) }},
		{"Repository", "repository", func(v string) badge { return box(shownPath(v)) }},
	} {
		var values []filterValue
		for _, v := range p.Facets.Value[g.name] {
			values = append(values, filterValue{v.Value, count(v.Runs), g.word(v.Value)})
		}
		if len(values) > 1 || len(values) > 0 && (g.name != "repository" || p.Filter.Repository != "") { // most ledgers have only one
			list.Groups = append(list.Groups, li.group(g.title, g.name, false, values))
		}
	}
	return list
}

func runsTable(f Frame, l links, rows []RunRow) *table {
	largest := 0
	for _, r := range rows {
		for _, n := range r.Remaining {
			largest = max(largest, n)
		}
	}
	counted := func(title string, tally ledger.Tally) columnOf[RunRow] {
		return columnOf[RunRow]{column{Title: title, Class: "num"}, func(r RunRow) cell { return numeric(string(tally), l.tally(r.Run, tally)) }}
	}
	columns := []columnOf[RunRow]{
		{column{Title: "Status"}, func(r RunRow) cell { return cell{Class: "full", Parts: phrase{badgeOfRun(r.Run).part()}} }},
		{column{Title: "Branch, run"}, func(r RunRow) cell {
			return cell{
				Class: "find-cell full", Parts: phrase{link(runTitle(r.Run), l.run(r.Run.ID))},
				Path: plain(shortRun(r.Run.ID) + " · " + folderName(placeOfRun(r.Run))),
			}
		}},
		{column{Title: "Not closed, by iteration"}, func(r RunRow) cell { return leftCell(r, largest) }},
		counted("Claimed", ledger.TallyClaimed), counted("Verified", ledger.TallyVerified), counted("Skipped", ledger.TallySkipped),
		counted("Withdrawn", ledger.TallyWithdrawn), counted("Open", ledger.TallyOpen),
		{column{Title: "Cost", Class: "num"}, func(r RunRow) cell { return numeric("cost", plain(costWords(r.Cost))) }},
		{column{Title: "Began ↓", Class: "num", Sorted: "descending"}, func(r RunRow) cell { return numeric("", at(r.Run.StartedAt, f.Now)) }},
	}
	for title, tally := range map[string]ledger.Tally{"Claimed": ledger.TallyClaimed, "Withdrawn": ledger.TallyWithdrawn} { // shown only if there are any
		if !slices.ContainsFunc(rows, func(r RunRow) bool { return r.Run.Count(tally) > 0 }) {
			columns = slices.DeleteFunc(columns, func(c columnOf[RunRow]) bool { return c.Title == title })
		}
	}
	return tableOf("Runs", "stack", rows, columns...)
}

// leftCell shows what was not closed after each iteration of a run.
func leftCell(r RunRow, largest int) cell {
	c := cell{Class: "sp", Label: "iterations", Parts: phrase{classed("num", count(r.Run.Iterations))}}
	if len(r.Remaining) == 0 {
		return c
	}
	d := spark("Not closed after each iteration: "+numbers(r.Remaining), chart.Spark(r.Remaining, largest, chart.Open))
	c.Drawing = &d
	return c
}

// numbers lists numbers, as in "3, 1, 0".
func numbers(list []int) string {
	said := make([]string, len(list))
	for i, n := range list {
		said[i] = count(n)
	}
	return strings.Join(said, ", ")
}
