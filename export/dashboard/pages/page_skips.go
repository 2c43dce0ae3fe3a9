package pages

import (
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Skips) tab() string   { return "skips" }
func (p Skips) title() string { return "Skips" }

func (p Skips) content(f Frame, l links) content {
	filter := p.Filter
	filter.Statuses = nil // the page's own
	li := listing{l: l, path: "/skips", params: violationParams(filter), pager: p.Pager}
	c := content{Head: head{
		Title:   "Skips",
		Sub:     words(amount(p.Total, "violation", " skipped now. ", p.Rows.Problem) + "A skip that is remembered covers later runs, too, until its line changes."),
		Actions: []action{{Text: "JSON", Href: li.here(li.params, param{"format", "json"})}},
	}}
	c.Chips = li.chips()
	c.Sections = []section{below(panelOf("", p.Rows, func(rows []SkipRow) panel {
		switch {
		case len(rows) == 0 && li.filtered():
			return panel{Empty: &emptiness{Title: "No skip matches.", Text: phrase{link("Show all skips.", l.to("/skips"))}}}
		case len(rows) == 0:
			return panel{Empty: &emptiness{Title: "Nothing is skipped.", Text: words("Everything that reviewers report has to be fixed.")}}
		}
		all := filter
		all.Statuses = []ledger.Status{ledger.StatusSkipped}
		return panel{
			Rows: true, Table: skipsTable(f, l, rows),
			Pager:    li.footer(len(rows), max(p.Total, len(rows)), true, "skip", "newest first", listings.FilterCommand(all)),
			Footnote: "Met again counts reports that the skip kept from becoming violations.",
		}
	}))}
	return c
}

func skipsTable(f Frame, l links, rows []SkipRow) *table {
	t := &table{Label: "Skips", Class: "stack", Columns: []column{
		{Title: "Priority"}, {Title: "What, place"}, {Title: "Who, why"}, {Title: "Remembered"}, {Title: "Met again", Class: "num"},
		{Title: "Age", Class: "num"}, {Title: "Since ↓", Class: "num", Sorted: "descending"},
	}}
	for _, r := range rows {
		v := r.Violation
		why := textual(plain(actorWord(v.StatusBy)))
		if v.Reason != "" {
			why.Parts = append(why.Parts, plain(": "+strings.ReplaceAll(v.Reason, "_", " ")))
		}
		if result := strings.TrimSpace(v.Result); result != "" {
			why.Parts = append(why.Parts, part{Tag: "br"}, classed("small muted", headline(result)))
		}
		met := numeric("met", plain(count(r.Met)))
		if r.Met > 0 && !r.LastMet.IsZero() {
			met.Parts = append(met.Parts, muted(", last "), at(r.LastMet, f.Now))
		}
		t.Rows = append(t.Rows, []cell{
			textual(priorityBadge(v.Priority).part()), finding(v.Issue, l.violation(v.ShortID), v.Place), why,
			{Label: "remembered", Parts: words(memoryWord(r))}, met,
			numeric("age", plain(age(f.Now.Sub(v.StatusAt)))), numeric("", at(v.StatusAt, f.Now)),
		})
	}
	return t
}

func memoryWord(r SkipRow) string {
	switch {
	case !r.Remembered:
		return "no"
	case r.Expired:
		return "expired: its line is gone"
	}
	return "yes"
}

func actorWord(a ledger.Actor) string {
	switch a {
	case ledger.ActorHuman:
		return "a person"
	case ledger.ActorAgent:
		return "the agent"
	case ledger.ActorSystem:
		return "restored"
	}
	return string(a)
}

// age is a duration in days, in hours where it is less than two days, and in minutes where it
// is less than an hour.
func age(d time.Duration) string {
	if days := int(d.Hours() / 24); days >= 2 {
		return plural(days, "day")
	}
	if d >= time.Hour {
		return plural(int(d.Hours()), "hour")
	}
	return plural(int(max(0, d).Minutes()), "minute")
}
