package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Violations) listing(l links) listing {
	li := listing{l: l, path: "/violations", params: violationParams(p.Filter), pager: p.Pager}
	if p.Query != "" {
		li.params = append([]param{{"q", p.Query}}, li.params...)
	} else if p.Filter.Sort == usualSort {
		li.usual = []param{{"sort", string(usualSort)}}
	}
	return li
}

// usualSort is the order of the page of violations if its address has none.
const usualSort = ledger.SortPriority

func (p Violations) content(f Frame, l links) content {
	li := p.listing(l)
	found, counted := p.found()
	page := listPage[ledger.ListedViolation]{
		listing: li, rows: p.Rows, head: head{Title: "Violations", Sub: p.sub(found, counted)},
		bar: li.searchBarOf("q", "Words, file or id", p.Query), filters: p.filters(li), more: p.alsoFound(f, l),
		nothing: emptiness{Title: "No violation matches.", Text: phrase{link("Show all violations.", l.to("/violations"))}},
		table:   func(rows []ledger.ListedViolation) *table { return p.table(f, l, li, rows) },
		footer: func(n int) phrase {
			return li.footer(n, max(found, n), counted, "violation", p.order(), p.command())
		},
	}
	if p.Query != "" {
		page.head.Title = "Violations that say “" + p.Query + "”"
	}
	if !l.none {
		page.formats = []string{"csv", "json"}
	}
	if p.All == 0 && len(p.Rows.Value) == 0 && len(p.Notes) == 0 && p.Rows.Problem == "" && p.Facets.Problem == "" {
		page.none = noViolations(f, l)
	}
	c := page.content()
	c.Name = "Violations" // for a search too
	return c
}

func noViolations(f Frame, l links) *panel {
	return &panel{Empty: &emptiness{
		Title: "No violation was reported.",
		Text: phrase{
			plain("Everything that reviewers reported was filtered. "), link("See the filtered reports.", l.to("/violations", param{"discarded", "1"})),
			{Tag: "br"}, plain(howRecorded),
		},
		Commands: recordingCommands(),
	}}
}

// alsoFound shows what a search found besides violations.
func (p Violations) alsoFound(f Frame, l links) (more []panel) {
	if len(p.Removed) > 0 {
		more = append(more, panel{Title: "Among filtered reports", Table: discardsTable(f, l, p.Removed)})
	}
	if len(p.Notes) > 0 {
		more = append(more, panel{Title: "Among the notes of reviewers", Table: notesTable(f, l, p.Notes)})
	}
	return more
}

// notesTable lists the notes of slots.
func notesTable(f Frame, l links, rows []ledger.SearchHit) *table {
	type hit = ledger.SearchHit
	return tableOf("Notes of reviewers", "stack", rows, []columnOf[hit]{
		{column{Title: "Notes"}, func(h hit) cell { return cell{Parts: marked(h.Snippet)} }},
		{column{Title: "By"}, func(h hit) cell { return answerCell(l, h.Notes.Adapter, h.Notes.Run, h.Notes.Ref) }},
		{column{Title: "Gate"}, func(h hit) cell {
			return cell{Class: "nw muted", Parts: words(h.Notes.EntryPoint + ":" + h.Notes.Gate)}
		}},
		{column{Title: "Run"}, func(h hit) cell { return iterationCell(l, h.Notes.Run, fmt.Sprint(h.Notes.Ref.Iteration)) }},
		{column{Title: "When", Class: "num"}, func(h hit) cell { return numeric("", at(h.Notes.At, f.Now)) }},
	}...)
}

// answerCell returns the cell of a slot, linked to its answer.
func answerCell(l links, adapter, run string, ref ledger.SlotRef) cell {
	return cell{Class: "nw", Parts: phrase{link(fmt.Sprintf("%s@%d", adapter, ref.Slot), l.log(run, ref, param{"kind", "answer"}))}}
}

// iterationCell returns the cell of a run and some of its iterations.
func iterationCell(l links, run, iterations string) cell {
	return cell{Class: "nw", Parts: phrase{link(shortRun(run), l.run(run)), muted(" it. " + iterations)}}
}

// found returns the total number of violations in the list, if they could be counted.
func (p Violations) found() (n int, counted bool) {
	if p.Facets.Problem != "" || p.Facets.Value.Unknown {
		return 0, false
	}
	return p.Facets.Value.Violations.Violations, true
}

func (p Violations) sub(found int, counted bool) phrase {
	const about = "A violation keeps its id over the iterations of its run."
	switch {
	case counted && found < p.All:
		return phrase{bold(count(found)), plain(" of " + count(p.All) + ". " + about)}
	case counted:
		return phrase{bold(plural(found, "violation")), plain(". " + about)}
	case p.All > 0:
		return phrase{plain("Of " + plural(p.All, "violation") + ". " + about)}
	}
	return words(about)
}

func (p Violations) order() string {
	usual := "newest first"
	if p.Query != "" {
		usual = "best first"
	}
	return cmp.Or(map[ledger.Sort]string{
		ledger.SortOldest: "oldest first", ledger.SortPriority: "worst first", ledger.SortFile: "by file",
		ledger.SortStatus: "by status", ledger.SortChanged: "last changed first",
	}[p.Filter.Sort], usual)
}

// command returns the command that prints the same list.
func (p Violations) command() string {
	args := listings.FilterArgs(p.Filter)
	if p.Query != "" {
		args = append([]string{"search", p.Query}, args[1:]...)
	} else if p.Filter.Sort != "" && p.Filter.Sort != ledger.SortNewest {
		args = append(args, "--sort", string(p.Filter.Sort))
	}
	return listings.Command(args...)
}

func (p Violations) filters(li listing) *filterList {
	list := &filterList{On: len(without(li.params, "sort"))}
	if p.Facets.Problem != "" {
		list.Groups = []filterGroup{{Title: "Filters", Note: p.Facets.Problem}}
		return list
	}
	if p.Rows.Problem == "" && p.Pager.Before == "" && len(p.Rows.Value)+len(p.Removed)+len(p.Notes) == 0 {
		return nil // nothing was found: the chips remove what is set
	}
	facets := p.Facets.Value
	statuses := func(v string) badge { return badgeOf(ledger.Status(v)) }
	priorities := func(v string) badge { return priorityBadge(ledger.Priority(v)) }
	for _, g := range []struct {
		title, name string
		facets      []ledger.Facet
		word        func(string) badge
	}{
		{"Status", "status", inOrder(facets.Statuses, ledger.ShownStatuses()), statuses},
		{"Priority", "priority", inOrder(facets.Priorities, ledger.Priorities()), priorities},
		{"Gate", "gate", facets.Gates, box}, {"First reported by", "adapter", facets.Adapters, box},
		{"Folder", "file", facets.Folders, func(v string) badge {
			if v == "" {
				return box("(no folder)")
			}
			return box(v + "/")
		}},
	} {
		made := facetGroup(li, g.title, g.name, g.facets, g.word)
		if facets.Unknown {
			made = uncounted(li, g.title, g.name, g.word)
		}
		if len(made.Items) > 0 {
			list.Groups = append(list.Groups, made)
		}
	}
	if facets.FoldersUnknown && p.Query == "" {
		list.Groups = append(list.Groups, filterGroup{Title: "Folder", Note: "Too many to count."})
	}
	also := filterGroup{Title: "Also"}
	for _, is := range []struct {
		name, words string
		count       *ledger.Count
	}{
		{"recurring", "in several runs", facets.Recurring}, {"alone", "by one reviewer only", facets.Alone},
		{"in-fix-lines", "in lines of the last fix", facets.InFixLines}, {"no-duplicates", "each problem once", facets.NoDuplicates},
	} {
		shown := unknown
		if is.count != nil {
			shown = count(is.count.Violations)
		}
		items := li.group("", is.name, false, []filterValue{{"1", shown, box(is.words)}}).Items
		if none := is.count != nil && is.count.Violations == 0; none && !items[0].Current {
			items[0].Href = "" // like every number that is zero
		}
		also.Items = append(also.Items, items...)
	}
	list.Groups = append(list.Groups, also)
	return list
}

// inOrder sorts facets in the order of their vocabulary, which is more useful than by frequency.
func inOrder[T ~string](facets []ledger.Facet, order []T) []ledger.Facet {
	return slices.SortedStableFunc(slices.Values(facets), func(a, b ledger.Facet) int {
		return cmp.Compare(slices.Index(order, T(a.Value)), slices.Index(order, T(b.Value)))
	})
}

// uncounted offers all words of a vocabulary without numbers, if there are too many rows to count.
func uncounted(li listing, title, name string, word func(string) badge) filterGroup {
	var values []filterValue
	switch name {
	case "status":
		for _, s := range ledger.ShownStatuses() {
			values = append(values, filterValue{string(s), unknown, word(string(s))})
		}
	case "priority":
		for _, p := range ledger.Priorities() {
			values = append(values, filterValue{string(p), unknown, word(string(p))})
		}
	}
	return li.group(title, name, true, values)
}

// facetGroup links each value to the list filtered by it, or without it if it is already chosen.
func facetGroup(li listing, title, name string, facets []ledger.Facet, word func(string) badge) filterGroup {
	g := filterGroup{Title: title}
	for _, facet := range facets {
		item := filterItem{Badge: word(facet.Value), Count: count(facet.Violations)}
		value := facet.Value
		if name == "file" {
			value = facet.Filter.File
		}
		on := param{name, value}
		if item.Current = slices.Contains(li.params, on); item.Current {
			item.Badge.Icon = "i-boxed"
			item.Href = li.here(slices.DeleteFunc(slices.Clone(li.params), func(p param) bool { return p == on }))
		} else {
			item.Href = li.here(violationParams(facet.Filter))
		}
		g.Items = append(g.Items, item)
	}
	return g
}

func (p Violations) table(f Frame, l links, li listing, rows []ledger.ListedViolation) *table {
	sorted := func(title, class string, by ledger.Sort, direction, arrow string) column {
		c := column{Title: title, Class: class}
		if p.Query == "" {
			c.Href = li.here(without(li.params, "sort"), param{"sort", string(by)})
		}
		if p.Filter.Sort == by {
			c.Title, c.Sorted = title+" "+arrow, direction
		}
		return c
	}
	t := &table{Label: "Violations", Class: "stack", Columns: []column{
		{Title: "ID"}, sorted("Status", "", ledger.SortStatus, "ascending", "↑"), sorted("Priority", "", ledger.SortPriority, "ascending", "↑"),
		sorted("Violation, place", "", ledger.SortFile, "ascending", "↑"), {Title: "First by"}, {Title: "Run"},
		sorted("Changed", "num", ledger.SortChanged, "descending", "↓"),
	}}
	rows, under := ledger.Together(ledger.WithDuplicates(rows))
	for i, v := range rows {
		by := words(fmt.Sprintf("%s@%d", v.Adapter, v.Slot))
		if v.Shared {
			by = append(by, muted(" + others"))
		}
		what := listedCell(l, v, under[i], rows)
		if snippet := p.Snippets[v.ID]; len(snippet) > 0 {
			what.Parts = append(what.Parts, part{Tag: "br"})
			what.Parts = append(what.Parts, marked(snippet)...)
		}
		t.Rows = append(t.Rows, []cell{
			idCell(v.ShortID), textual(badgeOf(v.Shown()).part()), textual(priorityBadge(v.Priority).part()), what,
			{Class: "nw", Parts: by, Path: plain(v.Gate)}, iterationCell(l, v.Run, iterationSpan(v.Violation)),
			numeric("", at(v.StatusAt, f.Now)),
		})
	}
	return t
}

// idCell shows an ID, to select and copy.
func idCell(id string) cell { return cell{Class: "nw", Parts: phrase{classed("mono", id)}} }

// listedCell shows the words and place of a violation in a list. Under another one of its block it
// has only words that are other words.
func listedCell(l links, v ledger.ListedViolation, under *ledger.ListedViolation, rows []ledger.ListedViolation) cell {
	issue := v.Issue
	if under != nil && ledger.SameText(issue, under.Issue) {
		issue = "the same words"
	}
	return noted(l, finding(issue, l.violation(v.ShortID), v.Place), v, under, rows)
}

// mostNoted is how many characters of each side a list quotes.
const mostNoted = 160

// noted adds lines to the cell of a violation: the original of a duplicate, its duplicates, open
// violations that may be the same problem, and both sides of a dispute or reopened claim. What the
// rows list in its block is not named again.
func noted(l links, c cell, v ledger.ListedViolation, under *ledger.ListedViolation, rows []ledger.ListedViolation) cell {
	if under != nil {
		c.Parts = append(phrase{classed("small muted", "↳ ")}, c.Parts...)
	}
	listed := func(id string) bool {
		return slices.ContainsFunc(rows, func(row ledger.ListedViolation) bool { return row.ShortID == id && row.Group() == v.Group() })
	}
	line := func(parts ...part) {
		c.Parts = append(append(c.Parts, part{Tag: "br"}), parts...)
	}
	const most = 3
	named := func(what string, ids []string) {
		if ids = slices.DeleteFunc(ids, listed); len(ids) == 0 {
			return
		}
		line(append(phrase{classed("small muted", what+" ")}, violationLinks(l, ids[:min(len(ids), most)])...)...)
		if more := len(ids) - most; more > 0 {
			c.Parts = append(c.Parts, classed("small muted", fmt.Sprintf(" and %d more", more)))
		}
	}
	var joined, related []string
	for _, d := range v.Duplicates {
		joined = append(joined, d.ShortID)
	}
	if v.Status.Open() {
		related = slices.DeleteFunc(slices.Clone(v.Related), func(id string) bool { return slices.Contains(joined, id) })
	}
	if v.DuplicateOf != "" {
		named("duplicate of", []string{v.DuplicateOf})
	}
	named("joined to it:", joined)
	named("perhaps the same:", related)
	for _, side := range bothSides(v.Violation) {
		line(classed("small muted", strings.ToLower(side.who[:1])+side.who[1:]+": "+cut(headline(side.words), mostNoted)))
	}
	return c
}

// marked formats a snippet with its matches.
func marked(snippet ledger.MarkedText) (parts phrase) {
	for _, p := range snippet {
		if shown := text.OnOneLine(p.Text); p.Match {
			parts = append(parts, part{Text: shown, Tag: "mark"})
		} else {
			parts = append(parts, classed("small muted", shown))
		}
	}
	return parts
}

func (p Discarded) content(f Frame, l links) content {
	params := violationParams(p.Filter)
	if len(p.Filter.Discards) == 0 { // that is, all of them
		params = append([]param{{"discarded", "1"}}, params...)
	}
	li := listing{l: l, path: "/violations", params: params, pager: p.Pager}
	return listPage[ledger.Report]{
		listing: li, rows: p.Rows, formats: []string{"csv", "json"},
		head: head{
			Crumb: phrase{link("Violations", l.to("/violations"))}, Title: "Filtered reports",
			Sub: words("Reports that did not become violations, with the reason. Nothing that a reviewer said is lost."),
		},
		nothing: emptiness{Title: "No such report was filtered.", Text: phrase{link("Show the violations.", l.to("/violations"))}},
		table:   func(rows []ledger.Report) *table { return discardsTable(f, l, rows) },
		footer:  func(n int) phrase { return p.footer(li, n) },
	}.content()
}

// discardsTable lists discarded reports.
func discardsTable(f Frame, l links, rows []ledger.Report) *table {
	type report = ledger.Report
	return tableOf("Removed reports", "stack", rows, []columnOf[report]{
		{column{Title: "ID"}, func(r report) cell { return idCell(r.ID) }},
		{column{Title: "Removed as"}, func(r report) cell { return textual(plain(dispositionWord(r.Disposition))) }},
		{column{Title: "Priority"}, func(r report) cell { return textual(priorityBadge(r.Priority).part()) }},
		{column{Title: "Report, place"}, func(r report) cell {
			words := finding(r.Issue, "", r.Place)
			words.Parts = append(words.Parts, part{Tag: "br"})
			words.Parts = append(words.Parts, reasonWords(l, r)...)
			return words
		}},
		{column{Title: "By"}, func(r report) cell {
			return answerCell(l, r.Adapter, r.Run, ledger.SlotRef{Job: r.Job, Slot: r.Slot, Iteration: r.Iteration})
		}},
		{column{Title: "Run"}, func(r report) cell { return iterationCell(l, r.Run, fmt.Sprint(r.Iteration)) }},
		{column{Title: "When", Class: "num"}, func(r report) cell { return numeric("", at(r.At, f.Now)) }},
	}...)
}

// reasonWords says why a report was discarded, with a link to the violation that it repeats.
func reasonWords(l links, d ledger.Report) phrase {
	switch {
	case d.ShortID == "":
		return phrase{classed("small muted", d.Reason)}
	case d.TakenUp():
		d.Reason += ", taken up"
	}
	return phrase{classed("small muted", d.Reason+": "), {Text: d.ShortID, Href: l.violation(d.ShortID), Class: "small"}}
}

// footer counts only the rows shown: counting all reports would take too long.
func (p Discarded) footer(li listing, shown int) phrase {
	args := []string{"violations"}
	for _, q := range li.params {
		if args = append(args, "--"+q.Name); q.Name != "discarded" {
			args = append(args, q.Value)
		}
	}
	return li.footer(shown, 0, false, "report", "newest first", listings.Command(args...))
}
