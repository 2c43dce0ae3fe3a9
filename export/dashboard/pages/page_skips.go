package pages

import (
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Skips) content(f Frame, l links) content {
	filter := p.Filter
	filter.Statuses = nil // the page sets it itself
	li := listing{l: l, path: "/skips", params: violationParams(filter), pager: p.Pager}
	filter.Statuses = []ledger.Status{ledger.StatusSkipped}
	page := listPage[ledger.Skip]{
		listing: li, rows: p.Rows, formats: []string{"json"},
		head: head{
			Title: "Skips",
			Sub:   words(amount(p.Total, "violation", " skipped now. ", p.Rows.Problem) + "A skip that is remembered covers later runs, too, until its line changes."),
		},
		nothing: emptiness{Title: "Nothing is skipped.", Text: words("Everything that reviewers report has to be fixed.")},
		table:   func(rows []ledger.Skip) *table { return skipsTable(f, l, rows) },
		footer: func(n int) phrase {
			return li.footer(n, max(p.Total, n), true, "skip", "newest first", listings.FilterCommand(filter))
		},
		footnote: "Met again counts reports that the skip kept from becoming violations.",
	}
	if li.filtered() {
		page.nothing = emptiness{Title: "No skip matches.", Text: phrase{link("Show all skips.", l.to("/skips"))}}
	}
	return page.content()
}

func skipsTable(f Frame, l links, rows []ledger.Skip) *table {
	return tableOf("Skips", "stack", rows, []columnOf[ledger.Skip]{
		{column{Title: "ID"}, func(r ledger.Skip) cell { return idCell(r.ShortID) }},
		{column{Title: "Priority"}, func(r ledger.Skip) cell { return textual(priorityBadge(r.Priority).part()) }},
		{column{Title: "What, place"}, func(r ledger.Skip) cell {
			return finding(r.Issue, l.violation(r.ShortID), r.Place)
		}},
		{column{Title: "Who, why"}, whySkipped},
		{column{Title: "Remembered"}, func(r ledger.Skip) cell { return cell{Label: "remembered", Parts: words(memoryWord(r))} }},
		{column{Title: "Met again", Class: "num"}, func(r ledger.Skip) cell {
			met := numeric("met", plain(count(r.Met)))
			if r.Met > 0 && !r.LastMet.IsZero() {
				met.Parts = append(met.Parts, muted(", last "), at(r.LastMet, f.Now))
			}
			return met
		}},
		{column{Title: "Age", Class: "num"}, func(r ledger.Skip) cell { return numeric("age", plain(ledger.Age(f.Now.Sub(r.StatusAt)))) }},
		{column{Title: "Since ↓", Class: "num", Sorted: "descending"}, func(r ledger.Skip) cell { return numeric("", at(r.StatusAt, f.Now)) }},
	}...)
}

// whySkipped shows who skipped a violation, the reason and the explanation.
func whySkipped(r ledger.Skip) cell {
	v := r.ListedViolation
	why := textual(plain(actorWord(v.StatusBy)))
	if v.Reason != "" {
		why.Parts = append(why.Parts, plain(": "+strings.ReplaceAll(v.Reason, "_", " ")))
	}
	if result := strings.TrimSpace(v.Result); result != "" {
		why.Parts = append(why.Parts, part{Tag: "br"}, classed("small muted", headline(result)))
	}
	return why
}

func memoryWord(r ledger.Skip) string {
	switch {
	case !r.Remembered:
		return "no"
	case r.Expired != nil && *r.Expired:
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
