package listings

import (
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// compareJSON is a comparison of two runs. docs/json.md describes its keys.
type compareJSON struct {
	A     RunJSON         `json:"a"`
	B     RunJSON         `json:"b"`
	OnlyA []ViolationJSON `json:"only_a"`
	OnlyB []ViolationJSON `json:"only_b"`
	Both  []pairJSON      `json:"both"`
}

// pairJSON is one violation as it is in each of the two runs.
type pairJSON struct {
	A ViolationJSON `json:"a"`
	B ViolationJSON `json:"b"`
}

// NewCompareJSON returns the JSON form of a comparison.
func NewCompareJSON(a, b ledger.Run, c ledger.Comparison) compareJSON {
	out := compareJSON{A: NewRunJSON(a), B: NewRunJSON(b), OnlyA: violationsJSON(c.OnlyA), OnlyB: violationsJSON(c.OnlyB), Both: []pairJSON{}}
	for _, p := range c.Both {
		out.Both = append(out.Both, pairJSON{NewViolationJSON(p.A), NewViolationJSON(p.B)})
	}
	return out
}

func violationsJSON(list []ledger.ListedViolation) []ViolationJSON {
	items := []ViolationJSON{}
	for _, v := range list {
		items = append(items, NewViolationJSON(v))
	}
	return items
}

// WriteComparison writes a comparison for people: what only one run has, and what both have.
func WriteComparison(p *text.Page, a, b ledger.Run, c ledger.Comparison) {
	both := text.Table{Columns: []text.Column{
		{Title: "A"}, {Title: "STATUS", Spare: true}, {Title: "B"}, {Title: "STATUS", Spare: true}, {Title: "PRIORITY"}, placeColumn(), issueColumn(),
	}}
	for _, of := range c.Both {
		both.Rows = append(both.Rows, text.Row{Cells: []text.Cell{
			{Text: of.A.ShortID}, {Text: string(of.A.Shown()), Color: colorOf(of.A.Shown())},
			{Text: of.B.ShortID}, {Text: string(of.B.Shown()), Color: colorOf(of.B.Shown())},
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
