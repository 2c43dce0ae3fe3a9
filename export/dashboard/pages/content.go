package pages

import (
	"html/template"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// content is what a page shows, down to the words: the templates decide nothing.
type content struct {
	// Tab is the address of the page's entry in the navigation; Name is its own where that is
	// not the title of its head.
	Tab, Name string
	Head      head
	Figures   []figure
	Form      *comparison
	// Filters beside the sections; nil: none.
	Filters *filterList
	Bar     *searchBar
	Chips   []part
	// Lead stands above the figures. Sections stand below each other, Aside beside them.
	Lead     []panel
	Sections []section
	Aside    []panel
}

type head struct {
	Crumb   phrase
	Title   string
	Sub     phrase
	Life    []badge // in the order in which a violation had them
	Choices *choices
	Actions []action
}

// choices are pages of which one is shown, such as periods.
type choices struct {
	Label string
	Items []choice
}

type choice struct {
	Text, Href string
	Current    bool
}

type action struct{ Text, Href, Copy string }

// part is a piece of a line: a text, a link, a status or a time.
type part struct {
	Text, Href string
	// Class and Icon make it a status; Class alone is that of a text.
	Class, Icon string
	// At is the full time of a time.
	At string
	// Tag is an element around a text: b, code or span.
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

// explained shows what is between backticks as code, if they come in pairs.
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

// at is a time, seen from now.
func at(t, now time.Time) part {
	if t.IsZero() {
		return plain(unknown)
	}
	return part{Text: shownTime(t, now), At: *text.Timestamp(t)}
}

// figure is one large number with what it is made of.
type figure struct {
	Term   string
	Value  part
	Detail phrase
}

type filterList struct {
	On     int // how many are set
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

// searchBar is a form that asks the server, and narrows the rows that are there.
type searchBar struct {
	Action, Name, Label, Value string
	Keep                       []param // what the list is filtered by already
	Narrows                    bool
}

// section is panels below each other, or side by side.
type section struct {
	Pair   bool
	Panels []panel
}

func below(panels ...panel) section  { return section{Panels: panels} }
func beside(panels ...panel) section { return section{Pair: true, Panels: panels} }

// panel is one part of a page. What it has of these is shown in this order.
type panel struct {
	ID, Title string
	Badge     string // a number beside the title
	Note      string // muted, beside the title
	More      phrase // at the end of the title's line
	Problem   string // why it cannot be shown; nothing else is then
	Legend    []legend
	Empty     *emptiness
	Next      []step
	OK        string // nothing is to be done
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
	Twin      *table // the same numbers as the drawing
	Footnote  string
	Pager     phrase
	Rows      bool // its rows are those that the keys move over
}

// legend is one paint with its word.
type legend struct {
	Swatch template.HTML
	Icon   string
	Class  string
	Part   part
}

// emptiness says what there is instead of rows.
type emptiness struct {
	Title    string
	Text     phrase
	Commands string
}

// step is something to do next.
type step struct {
	Badge         badge
	Title         part
	Text          phrase
	Command, Copy string
}

type fact struct {
	Term string
	Text phrase
}

// table is rows of cells.
type table struct {
	Label   string
	Class   string
	Columns []column
	Rows    [][]cell
}

type column struct {
	Title, Class string
	Href         string // sorts by it
	Sorted       string // "ascending" or "descending"
	Hidden       bool   // its title is for those who hear the page
}

type cell struct {
	Head    bool // it names its row
	Class   string
	Label   string // what it is, where a row is not a line
	Parts   phrase
	Path    part // below
	Drawing *drawing
}

// drawing is a small picture, with what it says in words.
type drawing struct {
	Class, Label  string
	Width, Height string
	Marks         template.HTML
	Number, Top   string // above the bar of a burn-down
}

func numeric(label string, parts ...part) cell { return cell{Class: "num", Label: label, Parts: parts} }
func textual(parts ...part) cell               { return cell{Parts: parts} }
func rowHead(parts ...part) cell               { return cell{Head: true, Parts: parts} }
func drawn(class string, d drawing) cell       { return cell{Class: class, Drawing: &d} }

func labelled(label string, d drawing) cell { return cell{Label: label, Drawing: &d} }

// finding is the words and the place of a violation.
func finding(issue, href string, place ledger.Place) cell {
	return cell{Class: "find-cell full", Parts: phrase{link(headline(issue), href)}, Path: plain(placeWords(place))}
}

func barCell(label string, marks template.HTML) cell {
	return drawn("barcell wide", drawing{Label: label, Marks: marks})
}

func spark(label string, marks template.HTML) drawing {
	return drawing{Class: "spark", Label: label, Width: "96", Height: "20", Marks: marks}
}

// matrix is the table of a run: a column an iteration.
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
	Span int // columns
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

// codeBlock is lines of code, or of a diff.
type codeBlock struct {
	Label string
	Diff  bool
	Lines []codeLine
}

type codeLine struct{ Class, Old, New, Sign, Text string }

// moment is a point of a timeline: an iteration, or what somebody did in it.
type moment struct {
	Badge     badge
	Iteration bool
	Parts     phrase
	Quote     string
	Place     string
}

// comparison is the form that chooses two runs.
type comparison struct {
	A, B    string
	Options []choice // Href is the id
	Swap    string
}

// failed is a panel whose question failed.
func failed(title, problem string) panel { return panel{Title: title, Problem: problem} }

// panelOf is the panel of an answer, or of the failure of its question.
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
