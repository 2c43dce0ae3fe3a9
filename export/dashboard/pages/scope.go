package pages

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// allTime is the value of [Scope.Since] for the whole history.
const allTime = "all"

// periods returns the periods that a page of figures offers.
func periods() []choice {
	return []choice{{Text: "7 d", Href: "7d"}, {Text: "4 w", Href: "4w"}, {Text: "12 w", Href: "12w"}, {Text: "all", Href: allTime}}
}

// choices returns links to the page with other periods and the same filters.
func (s Scope) choices(l links, path string, more ...param) *choices {
	if l.none {
		return nil
	}
	c := &choices{Label: "Period"}
	rest := append(without(statisticsParams(s.Filter), "since"), more...)
	for _, p := range periods() {
		c.Items = append(c.Items, choice{p.Text, l.to(path, append(slices.Clone(rest), param{"since", p.Href})...), p.Href == s.Since || s.Since == "" && p.Href == allTime && s.Filter.Period.Since.IsZero()})
	}
	return c
}

// chips returns links that remove the filters of the page, except its period.
func (s Scope) chips(l links, path string, more ...param) []part {
	if l.none {
		return nil
	}
	li := listing{l: l, path: path, params: append(without(statisticsParams(s.Filter), "since"), more...)}
	return li.chips()
}

// params returns the parameters for a page of figures with the same scope.
func (s Scope) params() []param {
	list := without(statisticsParams(s.Filter), "since")
	if s.Since != "" {
		list = append(list, param{"since", s.Since})
	}
	return list
}

// words describes the period, as in "31 Aug to 21 Nov 2026, 12 weeks". The whole history starts
// with the first week that has figures.
func (s Scope) words(now time.Time, weeks []figures.Week) string {
	p := s.Filter.Period
	if p.Since.IsZero() && len(weeks) > 0 {
		p.Since = weeks[0].Start
	}
	until := p.Until
	if until.IsZero() {
		until = now
	}
	last := until.Format("2 Jan 2006")
	switch {
	case p.Since.IsZero() && p.Until.IsZero():
		return "all time"
	case p.Since.IsZero():
		return "until " + last
	}
	days := int(math.Round(until.Sub(p.Since).Hours() / 24))
	length := plural(days, "day")
	if days >= 28 || days >= 14 && days%7 == 0 {
		length = plural((days+6)/7, "week")
	}
	return fmt.Sprintf("%s to %s, %s", shownDay(p.Since, until), last, length)
}

// sinceWords says since when something is counted.
func (s Scope) sinceWords(now time.Time) string {
	if s.Filter.Period.Since.IsZero() {
		return "in all"
	}
	return "since " + shownDay(s.Filter.Period.Since, now)
}

// nothing returns the panel for a page of figures without rows: what is missing, and what would
// create such rows. With a period or filters, it links to the page without them.
func (s Scope) nothing(f Frame, l links, path, what, about string) panel {
	e := &emptiness{Title: what + ".", Text: words(about)}
	if since := s.Filter.Period.Since; !since.IsZero() {
		e.Title = what + " " + s.sinceWords(f.Now) + "."
	}
	filtered := len(without(statisticsParams(s.Filter), "since")) > 0
	switch wider := filtered || !s.Filter.Period.Since.IsZero(); {
	case wider && l.none:
	case filtered:
		e.Text = append(e.Text, plain(" "), link("Show all time, without filters.", l.to(path, param{"since", allTime})))
	case wider:
		e.Text = append(e.Text, plain(" "), link("Show all time.", l.to(path, param{"since", allTime})))
	default:
		e.Text = append(e.Text, plain(" "), plain(howRecorded))
		e.Commands = recordingCommands()
	}
	return panel{Empty: e}
}

// runs returns the filter for the runs that are counted. It reports false if no such filter exists,
// because runs cannot be listed by model or by a single run.
func (s Scope) runs(statuses ...ledger.RunStatus) (ledger.RunFilter, bool) {
	f := s.Filter
	return ledger.RunFilter{
		Statuses: statuses, Kind: ledger.KindGates, Branch: f.Branch, Worktree: f.Worktree, Gate: f.Gate, EntryPoint: f.EntryPoint,
		Adapter: f.Adapter, Repository: f.Repository, Started: f.Period,
	}, f.Model == "" && f.Run == ""
}

// runCount returns a number of runs linked to their list.
func (s Scope) runCount(l links, shown string, n int, period ledger.Period, statuses ...ledger.RunStatus) part {
	filter, listed := s.runs(statuses...)
	if n == 0 || !listed {
		return plain(shown)
	}
	filter.Started = period
	return link(shown, l.runs(filter))
}
