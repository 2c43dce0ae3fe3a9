package pages

import (
	"html/template"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// content is everything that a page shows, down to the words: the templates decide nothing.
type content struct {
	// Tab is the path of the page's entry in the navigation. Name is the name of the page if it is
	// not the title of its head.
	Tab, Name string
	Head      head
	Figures   []figure
	Form      *comparison
	// Filters are shown beside the sections, if not nil.
	Filters *filterList
	Bar     *searchBar
	Chips   []part
	// Lead is shown above the figures. Sections are below each other, and Aside is beside them.
	Lead     []panel
	Sections []section
	Aside    []panel
}

type head struct {
	Crumb   phrase
	Title   string
	Sub     phrase
	Life    []badge // in the order in which the violation had them
	Choices *choices
	Actions []action
}

// choices are links to pages of which one is shown, such as periods.
type choices struct {
	Label string
	Items []choice
}

type choice struct {
	Text, Href string
	Current    bool
}

type action struct{ Text, Href, Copy string }

// part is a piece of a line: a text, link, status or time.
type part struct {
	Text, Href string
	// Class and Icon together make it a status. Class alone is the class of a text.
	Class, Icon string
	// At is a time for programs, and Full is it for people, with its zone.
	At, Full string
	// Tag is the element around a text: b, code or span.
	Tag string
}

type phrase []part

func plain(s string) part               { return part{Text: s} }
func link(s, href string) part          { return part{Text: s, Href: href} }
func code(s string) part                { return part{Text: s, Tag: "code"} }
func bold(s string) part                { return part{Text: s, Tag: "b"} }
func classed(class, s string) part      { return part{Text: s, Class: class, Tag: "span"} }
func muted(s string) part               { return classed("muted", s) }
func words(s string) phrase             { return phrase{plain(s)} }
func (b badge) part() part              { return part{Text: b.Word, Class: "st " + b.Class, Icon: b.Icon} }
func (b badge) strong() part            { return part{Text: b.Word, Class: "st strong " + b.Class, Icon: b.Icon} }
func (b badge) linked(href string) part { p := b.part(); p.Href = href; return p }

// explained formats text in backticks as code, if the backticks are paired.
func explained(s string) (parts phrase) {
	texts := strings.Split(s, "`")
	if len(texts)%2 == 0 {
		return words(s)
	}
	for i, text := range texts {
		switch {
		case text == "":
		case i%2 == 1:
			parts = append(parts, code(text))
		default:
			parts = append(parts, plain(text))
		}
	}
	return parts
}

// at formats a time relative to now.
func at(t, now time.Time) part {
	if t.IsZero() {
		return plain(unknown)
	}
	return part{Text: shownTime(t, now), At: *text.Timestamp(t), Full: fullTime(t.In(now.Location()))}
}

// figure is one large number with its details.
type figure struct {
	Term   string
	Value  part
	Detail phrase
}

type filterList struct {
	On     int // how many filters are set
	Groups []filterGroup
}

type filterGroup struct {
	Title string
	Items []filterItem
	Note  string
}

type filterItem struct {
	Badge   badge
	Count   string
	Href    string
	Current bool
}

// searchBar is a form that queries the server. It also narrows the rows on the page.
type searchBar struct {
	Action, Name, Label, Value string
	Keep                       []param // filters of the list to keep
	Narrows                    bool
}

// section is a group of panels, below each other or side by side.
type section struct {
	Pair   bool
	Panels []panel
}

func below(panels ...panel) section  { return section{Panels: panels} }
func beside(panels ...panel) section { return section{Pair: true, Panels: panels} }

// panel is one part of a page. It shows those fields that are set, in this order.
type panel struct {
	ID, Title string
	Badge     string // number beside the title
	Note      string // muted text beside the title
	More      phrase // at the end of the title line
	Problem   string // why it cannot be shown; shown instead of everything else
	Legend    []legend
	Empty     *emptiness
	Form      *markForm
	Next      []step
	OK        string // says that nothing needs to be done
	Body      []phrase
	Facts     []fact
	Plot      *chart.Plot
	Units     *chart.Units
	Trees     []chart.Tree
	Split     *drawing
	Matrix    *matrix
	Table     *table
	Code      *codeBlock
	Timeline  []moment
	Twin      *table // the numbers of the drawing as a table
	Footnote  string
	Pager     phrase
	Rows      bool // the keyboard moves over its rows
}

// legend is one paint with its label.
type legend struct {
	Swatch template.HTML
	Icon   string
	Class  string
	Part   part
}

// emptiness is shown if there are no rows.
type emptiness struct {
	Title    string
	Text     phrase
	Commands string
}

// step is one thing to do next.
type step struct {
	Badge         badge
	Title         part
	Text          phrase
	Command, Copy string
}

// markForm is a form with one button for each mark.
type markForm struct {
	Action, Token, Version string
	// Words are in the text field, which is shown if Worded is set. Reasons are offered beside it; Href
	// has the value.
	Worded  bool
	Words   string
	Reasons []choice
	Buttons []markButton
}

type markButton struct{ Value, Title, Note string }

type fact struct {
	Term string
	Text phrase
}

// table is a table of cells.
type table struct {
	Label   string
	Class   string
	Columns []column
	Rows    [][]cell
}

type column struct {
	Title, Class string
	Href         string // sorts by this column
	Sorted       string // "ascending" or "descending"
	Hidden       bool   // its title is only for screen readers
}

type cell struct {
	Head    bool // heads its row
	Class   string
	Label   string // name of the value, shown where rows are not lines
	Parts   phrase
	Path    part // shown below
	Drawing *drawing
}

// drawing is a small picture with its description.
type drawing struct {
	Class, Label  string
	Width, Height string
	Marks         template.HTML
	Number, Top   string // shown above the bar of a burn-down
}

func numeric(label string, parts ...part) cell { return cell{Class: "num", Label: label, Parts: parts} }
func textual(parts ...part) cell               { return cell{Parts: parts} }
func rowHead(parts ...part) cell               { return cell{Head: true, Parts: parts} }
func drawn(class string, d drawing) cell       { return cell{Class: class, Drawing: &d} }

func labeled(label string, d drawing) cell { return cell{Label: label, Drawing: &d} }

// finding returns the cell with the issue and place of a violation.
func finding(issue, href string, place ledger.Place) cell {
	return cell{Class: "find-cell full", Parts: phrase{link(headline(issue), href)}, Path: plain(placeWords(place))}
}

func barCell(label string, marks template.HTML) cell {
	return drawn("barcell wide", drawing{Label: label, Marks: marks})
}

func spark(label string, marks template.HTML) drawing {
	return drawing{Class: "spark", Label: label, Width: "96", Height: "20", Marks: marks}
}

// matrix is the table of a run with one column for each iteration.
type matrix struct {
	Label   string
	Columns []matrixColumn
	Groups  []matrixGroup
	Foot    []matrixRow
}

type matrixColumn struct {
	ID   string
	Head phrase
	Line phrase // second line
}

type matrixGroup struct {
	Name string
	Span int // in columns
	Rows []matrixRow
}

type matrixRow struct {
	Head   phrase
	Swatch template.HTML
	Note   string
	Cells  []matrixCell
}

type matrixCell struct {
	Parts   phrase
	Small   string
	Drawing *drawing
}

// codeBlock is a block of code or of a diff.
type codeBlock struct {
	Label string
	Diff  bool
	Wrap  bool // long lines are wrapped, instead of scrolled
	Lines []codeLine
}

type codeLine struct{ Class, Old, New, Sign, Text string }

// moment is an entry of a timeline: an iteration, or an event in it.
type moment struct {
	Badge     badge
	Iteration bool
	Parts     phrase
	Quote     string
	Place     string
}

// comparison is the form for choosing two runs.
type comparison struct {
	A, B    string
	Options []choice // Href has the ID
	Swap    string
}

// failed returns the panel for a failed query.
func failed(title, problem string) panel { return panel{Title: title, Problem: problem} }

// panelOf returns the panel for the result of a query, or for its failure.
func panelOf[T any](title string, p Panel[T], make func(T) panel) panel {
	if p.Problem != "" {
		return failed(title, p.Problem)
	}
	made := make(p.Value)
	if made.Title == "" {
		made.Title = title
	}
	return made
}
