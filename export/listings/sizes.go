package listings

import (
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// SizesJSON is the disk space of the ledger at a path. docs/json.md describes its keys.
type SizesJSON struct {
	Path string `json:"path"`
	ledger.Sizes
}

// SizesTables formats for people the disk space of a ledger: its parts, its texts by kind, and what
// each month added.
func SizesTables(s ledger.Sizes) (parts, texts, months text.Table) {
	right := func(titles ...string) (columns []text.Column) {
		for i, title := range titles {
			columns = append(columns, text.Column{Title: title, Right: i > 0})
		}
		return columns
	}
	parts.Columns, texts.Columns = right("PART", "SIZE"), right("TEXTS", "COUNT", "SIZE", "STORED")
	months.Columns = right("MONTH", "RUNS", "ITERATIONS", "VIOLATIONS", "TEXTS STORED")
	for _, p := range s.Parts {
		parts.Rows = append(parts.Rows, text.Row{Cells: []text.Cell{{Text: p.Name}, {Text: text.Bytes(p.Bytes)}}})
	}
	for _, t := range s.Texts {
		texts.Rows = append(texts.Rows, text.Row{Cells: []text.Cell{{Text: t.Kind}, text.Number(t.Texts), {Text: text.Bytes(t.Bytes)}, {Text: text.Bytes(t.Stored)}}})
	}
	for _, m := range s.Months {
		months.Rows = append(months.Rows, text.Row{Cells: []text.Cell{
			{Text: m.Month}, text.Number(m.Runs), text.Number(m.Iterations), text.Number(m.Violations), {Text: text.Bytes(m.Stored)},
		}})
	}
	return parts, texts, months
}
