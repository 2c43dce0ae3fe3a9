package pages

import (
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// PageLength is how many rows a page of a list has.
const PageLength = 50

// listing is one page of a list, with what its links need.
type listing struct {
	l      links
	path   string
	params []param // parameters that choose and order the rows
	usual  []param // parameters that the page has if its address does not, and other formats only if theirs does
	pager  Pager
}

// here returns the address of the first page of the list with other parameters. A link adds or
// removes one parameter, so parameters that would be rejected without it, or beside it, are
// removed.
func (li listing) here(params []param, more ...param) string {
	params = append(slices.Clone(params), more...)
	valuesOf := func(name string) (values []string) {
		for _, p := range params {
			if p.Name == name {
				values = append(values, p.Value)
			}
		}
		return values
	}
	if valuesOf("discarded") == nil {
		params = without(params, "disposition")
	}
	if valuesOf("event") == nil {
		params = without(without(without(params, "event-since"), "event-until"), "event-iteration")
	}
	if slices.Equal(valuesOf("status"), []string{string(ledger.StatusDuplicate)}) {
		params = without(params, "no-duplicates")
	}
	return li.l.to(li.path, params...)
}

// chips returns a link for each filter of the list, to the list without that filter.
func (li listing) chips() []part {
	var chips []part
	for i, p := range li.params {
		if p.Name == "sort" {
			continue
		}
		rest := slices.Delete(slices.Clone(li.params), i, i+1)
		chips = append(chips, part{Text: li.l.chipWords(p), Href: li.here(rest), Tag: "chip"})
	}
	if len(chips) > 1 {
		chips = append(chips, link("Clear all", li.l.to(li.path)))
	}
	return chips
}

// chipWords describes a parameter. Times are local. Of a time at which a day begins, only the day is
// shown.
func (l links) chipWords(p param) string {
	if p.Value == "1" && (p.Name == "recurring" || p.Name == "alone" || p.Name == "in-fix-lines" || p.Name == "no-duplicates" || p.Name == "discarded") {
		return strings.ReplaceAll(p.Name, "-", " ")
	}
	if p.Name == "q" {
		return "words: " + p.Value
	}
	isTime := strings.HasSuffix(p.Name, "since") || strings.HasSuffix(p.Name, "until")
	if t, err := time.Parse(time.RFC3339, p.Value); isTime && err == nil {
		const midnight = "00:00:00"
		switch local := t.In(l.now.Location()); {
		case local.Format(time.TimeOnly) == midnight:
			p.Value = local.Format(time.DateOnly)
		case t.UTC().Format(time.TimeOnly) == midnight: // as weeks begin
			p.Value = t.UTC().Format("2006-01-02 MST")
		default:
			p.Value = local.Format("2006-01-02 15:04")
		}
	}
	return strings.ReplaceAll(p.Name, "-", " ") + ": " + p.Value
}

// filtered reports whether any filter is set. The order does not count.
func (li listing) filtered() bool { return len(without(li.params, "sort")) > 0 }

// footer says which rows are shown, of how many if they were counted, where the others are, and
// which command lists them.
func (li listing) footer(shown, total int, counted bool, noun, order, command string) phrase {
	parts := phrase{}
	switch {
	case !counted && li.pager.Before != "":
		parts = append(parts, plain(plural(shown, "more "+noun)+", "+order))
	case !counted && li.pager.Next != "":
		parts = append(parts, plain("the first "+plural(shown, noun)+", "+order))
	case !counted:
		parts = append(parts, plain(plural(shown, noun)+", "+order))
	case li.pager.Before != "":
		parts = append(parts, plain(plural(shown, noun)+" of "+count(total)+", "+order))
	case shown < total:
		parts = append(parts, plain("1 to "+count(shown)+" of "+count(total)+", "+order))
	default:
		parts = append(parts, plain(plural(total, noun)+", "+order))
	}
	if li.pager.Before != "" {
		parts = append(parts, part{Text: "First", Href: li.here(li.params), Class: "btn"})
	}
	if li.pager.Next != "" {
		parts = append(parts, part{Text: "Next", Href: li.here(li.params, param{"before", li.pager.Next}), Class: "btn"})
	}
	return append(parts, li.l.command(command))
}

// group returns the filters for the values of one parameter, as links that turn each on or off.
// several means that a link adds its value to those that are chosen. A value with a count replaces
// them instead, because the link must lead to exactly the rows that were counted.
func (li listing) group(title, name string, several bool, values []filterValue) filterGroup {
	g := filterGroup{Title: title}
	for _, v := range values {
		on := param{name, v.value}
		chosen := slices.Contains(li.params, on)
		params := slices.Clone(li.params)
		switch {
		case chosen:
			params = slices.DeleteFunc(params, func(p param) bool { return p == on })
		case several:
			params = append(params, on)
		default:
			params = append(without(params, name), on)
		}
		if chosen {
			v.badge.Icon = "i-boxed"
		}
		g.Items = append(g.Items, filterItem{Badge: v.badge, Count: v.count, Href: li.here(params), Current: chosen})
	}
	return g
}

type filterValue struct {
	value, count string
	badge        badge
}

// box returns the badge of a value without a symbol of its own.
func box(word string) badge { return badge{"", "i-box", word} }

// searchBarOf returns a search form that keeps the filters of the list.
func (li listing) searchBarOf(name, label, value string) *searchBar {
	return &searchBar{Action: li.path, Name: name, Label: label, Value: value, Keep: without(li.params, name), Narrows: true}
}

func statusFilter(run string, statuses ...ledger.Status) ledger.ViolationFilter {
	return ledger.ViolationFilter{Run: run, Statuses: statuses}
}

// costWords formats a cost. A plus means that the cost of some calls is unknown.
func costWords(c ledger.Cost) string {
	switch {
	case c.Known == 0:
		return unknown
	case c.Known < c.Calls:
		return dollars(c.USD) + "+"
	}
	return dollars(c.USD)
}

// costCoverage says for how many calls the cost is known.
func costCoverage(c ledger.Cost) string {
	switch {
	case c.Calls == 0:
		return "nobody was asked"
	case c.Known == 0:
		return "not known (" + plural(c.Calls, "call") + ")"
	case c.Known < c.Calls:
		return "known for " + count(c.Known) + " of " + plural(c.Calls, "call") + ", a lower bound"
	}
	return "known for all of " + plural(c.Calls, "call")
}
