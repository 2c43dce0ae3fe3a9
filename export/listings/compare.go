package listings

import (
	"fmt"
	"io"

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

// pairJSON is one violation as each of the two runs has it.
type pairJSON struct {
	A ViolationJSON `json:"a"`
	B ViolationJSON `json:"b"`
}

// NewCompareJSON makes the JSON form of a comparison.
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

// WriteComparison shows a comparison to people: what only one run has, and what both have.
func WriteComparison(w io.Writer, a, b ledger.Run, c ledger.Comparison, style text.Style, width int) error {
	both := text.Table{Columns: []text.Column{
		{Title: "A"}, {Title: "STATUS", Spare: true}, {Title: "B"}, {Title: "STATUS", Spare: true}, {Title: "PRIORITY"}, placeColumn(), issueColumn(),
	}}
	for _, p := range c.Both {
		both.Rows = append(both.Rows, text.Row{Cells: []text.Cell{
			{Text: p.A.ShortID}, {Text: string(p.A.Shown()), Color: statusColorOf(p.A.Shown())},
			{Text: p.B.ShortID}, {Text: string(p.B.Shown()), Color: statusColorOf(p.B.Shown())},
			{Text: string(p.B.Priority)}, {Text: p.B.Place.String()}, {Text: p.B.Issue},
		}})
	}
	for i, part := range []struct {
		title string
		count int
		table text.Table
	}{
		{fmt.Sprintf("Only in A, %s (%s)", a.ID, runWord(a)), len(c.OnlyA), ViolationsTable(c.OnlyA, false, nil)},
		{fmt.Sprintf("Only in B, %s (%s)", b.ID, runWord(b)), len(c.OnlyB), ViolationsTable(c.OnlyB, false, nil)},
		{"In both", len(c.Both), both},
	} {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", part.title, ledger.Plural(part.count, "violation")); err != nil {
			return err
		}
		if part.count == 0 {
			continue
		}
		if err := part.table.Write(w, style, width); err != nil {
			return err
		}
	}
	return nil
}
