package listings

import (
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// pairs describe violations as they are in each of two runs.
var pairs = Columns[ledger.Pair]{
	{Key: "a", Value: func(p *ledger.Pair) any { return Violations.Object(p.A) }},
	{Key: "b", Value: func(p *ledger.Pair) any { return Violations.Object(p.B) }},
}

// Comparison returns the JSON form of a comparison of two runs.
func Comparison(a, b ledger.Run, c ledger.Comparison) text.Object {
	return text.Object{
		{Key: "a", Value: Runs.Object(a)},
		{Key: "b", Value: Runs.Object(b)},
		{Key: "only_a", Value: Violations.Objects(c.OnlyA)},
		{Key: "only_b", Value: Violations.Objects(c.OnlyB)},
		{Key: "both", Value: pairs.Objects(c.Both)},
	}
}

// WriteComparison writes a comparison for people: what only one run has, and what both have.
func WriteComparison(p *text.Page, a, b ledger.Run, c ledger.Comparison) {
	both := text.Table{Columns: []text.Column{
		{Title: "A"}, {Title: "STATUS", Spare: true}, {Title: "B"}, {Title: "STATUS", Spare: true}, {Title: "PRIORITY"}, placeLayout, issueLayout,
	}}
	for _, of := range c.Both {
		both.Rows = append(both.Rows, text.Row{Cells: []text.Cell{
			{Text: of.A.ShortID}, statusCell(of.A.Shown()), {Text: of.B.ShortID}, statusCell(of.B.Shown()),
			{Text: string(of.B.Priority)}, {Text: of.B.Place.String()}, {Text: of.B.Issue},
		}})
	}
	for i, part := range []struct {
		title string
		count int
		table text.Table
	}{
		{fmt.Sprintf("Only in A, %s (%s)", a.ID, runWord(a)), len(c.OnlyA), ViolationsTable(c.OnlyA, false)},
		{fmt.Sprintf("Only in B, %s (%s)", b.ID, runWord(b)), len(c.OnlyB), ViolationsTable(c.OnlyB, false)},
		{"In both", len(c.Both), both},
	} {
		if i > 0 {
			p.Line("")
		}
		p.Line("%s: %s", part.title, ledger.Plural(part.count, "violation"))
		if part.count > 0 {
			p.Table(part.table)
		}
	}
}
