package pages

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Most pages are of one of three kinds: a list of rows, figures of a scope, or one thing. A page
// describes itself as one of these, with functions for what is special about it.

// listPage is a page with a list of rows.
type listPage[R any] struct {
	listing
	head    head
	actions []action
	// formats are the formats in which the list can be downloaded.
	formats []string
	// none is shown instead of the list if the ledger has no such rows at all.
	none    *panel
	filters *filterList
	bar     *searchBar
	rows    Panel[[]R]
	// nothing is shown if the filters keep no rows.
	nothing  emptiness
	table    func([]R) *table
	footer   func(shown int) phrase
	footnote string
	// more are other lists below this one.
	more []panel
}

func (p listPage[R]) content() content {
	c := content{Tab: p.path, Head: p.head}
	if p.none != nil {
		c.Head.Actions = p.actions
		c.Sections = []section{below(*p.none)}
		return c
	}
	c.Head.Actions = append(p.actions, p.downloads(p.formats...)...)
	c.Filters, c.Bar, c.Chips = p.filters, p.bar, p.chips()
	c.Sections = []section{below(panelOf("", p.rows, p.panel))}
	for _, more := range p.more {
		c.Sections = append(c.Sections, below(more))
	}
	return c
}

func (p listPage[R]) panel(rows []R) panel {
	if len(rows) == 0 {
		return panel{Empty: &p.nothing}
	}
	return panel{Rows: true, Table: p.table(rows), Pager: p.footer(len(rows)), Footnote: p.footnote}
}

// downloads returns links to the list in other formats.
func (li listing) downloads(formats ...string) []action {
	var list []action
	for _, format := range formats {
		name := map[string]string{"json": "JSON", "csv": "CSV"}[format]
		list = append(list, action{Text: name, Href: li.here(li.params, append(slices.Clone(li.usual), param{"format", format})...)})
	}
	return list
}

// figurePage is a page of figures about a [Scope].
type figurePage struct {
	Scope
	path, title string
	// own is the parameter that only this page has. Its value is empty if it was not given.
	own     param
	figures Panel[figures.Statistics]
	// there reports whether there are figures. If not, none and about are shown.
	there       func(figures.Statistics) bool
	none, about string
	// recorded says how such figures come about, if not by a run.
	recorded *emptiness
	sub      func(figures.Statistics) string
	// sections returns the sections that show the figures.
	sections func(figures.Statistics) []section
}

func (p figurePage) content(f Frame, l links) content {
	var own []param
	if p.own.Value != "" {
		own = append(own, p.own)
	}
	c := content{Tab: p.path, Head: head{Title: p.title, Choices: p.choices(l, p.path, own...)}, Chips: p.chips(l, p.path, own...)}
	if p.figures.Problem != "" {
		c.Sections = []section{below(failed(p.title, p.figures.Problem))}
		return c
	}
	s := p.figures.Value
	if !p.there(s) {
		none := p.nothing(f, l, p.path, p.none, p.about)
		if p.recorded != nil && none.Empty.Commands != "" {
			none.Empty.Text, none.Empty.Commands = p.recorded.Text, p.recorded.Commands
		}
		c.Sections = []section{below(none)}
		return c
	}
	c.Head.Sub = words(p.sub(s))
	c.Sections = p.sections(s)
	return c
}

// thingPage is a page about one thing of a list, such as a run.
type thingPage struct {
	// list and path are the name and path of the list that the thing is in.
	list, path string
	id         string
	title      string
	sub        phrase
	life       []badge
	// name is the name of the page if it is not the title, and lead is what comes before everything else.
	name    string
	lead    []panel
	actions []action
	figures []figure
	main    []panel
	aside   []panel
}

func (p thingPage) content(l links) content {
	actions := append([]action{{Text: "Copy id", Copy: p.id}}, p.actions...)
	return content{
		Tab: p.path, Name: p.name, Lead: p.lead, Head: head{
			Crumb: phrase{link(p.list, l.to(p.path)), plain(" / "), classed("mono", p.id)}, Title: p.title, Sub: p.sub, Life: p.life,
			Actions: append(actions, action{Text: "JSON", Href: l.to(p.path+"/"+p.id, param{"format", "json"})}),
		},
		Figures: p.figures, Sections: []section{below(p.main...)}, Aside: p.aside,
	}
}

// columnOf is a column of a table with the function that returns the cell of a row.
type columnOf[R any] struct {
	column
	cell func(R) cell
}

func tableOf[R any](label, class string, rows []R, columns ...columnOf[R]) *table {
	t := &table{Label: label, Class: class}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.column)
	}
	for _, row := range rows {
		cells := make([]cell, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(row)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
