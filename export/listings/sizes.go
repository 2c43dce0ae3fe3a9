package listings

import (
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// sizesJSON is how much room a ledger takes up. docs/json.md describes its keys.
type sizesJSON struct {
	Path      string          `json:"path"`
	Bytes     int64           `json:"bytes"`
	FreeBytes int64           `json:"free_bytes"`
	Parts     []partSizeJSON  `json:"parts"`
	Texts     []textSizeJSON  `json:"texts"`
	Growth    []monthSizeJSON `json:"growth"`
}

// partSizeJSON is what a part of a ledger takes up.
type partSizeJSON struct {
	Part  string `json:"part"`
	Bytes int64  `json:"bytes"`
}

// textSizeJSON is what texts of a kind take up.
type textSizeJSON struct {
	Kind        string `json:"kind"`
	Count       int    `json:"count"`
	Bytes       int64  `json:"bytes"`
	StoredBytes int64  `json:"stored_bytes"`
}

type monthSizeJSON struct {
	Month       string `json:"month"`
	Runs        int    `json:"runs"`
	Iterations  int    `json:"iterations"`
	Violations  int    `json:"violations"`
	StoredBytes int64  `json:"stored_bytes"`
}

// NewSizesJSON makes the JSON form of the sizes of the ledger at the path.
func NewSizesJSON(path string, s ledger.Sizes) sizesJSON {
	out := sizesJSON{Path: path, Bytes: s.Bytes, FreeBytes: s.Free, Parts: []partSizeJSON{}, Texts: []textSizeJSON{}, Growth: []monthSizeJSON{}}
	for _, p := range s.Parts {
		out.Parts = append(out.Parts, partSizeJSON{p.Name, p.Bytes})
	}
	for _, t := range s.Texts {
		out.Texts = append(out.Texts, textSizeJSON{t.Kind, t.Texts, t.Bytes, t.Stored})
	}
	for _, m := range s.Months {
		out.Growth = append(out.Growth, monthSizeJSON{m.Month, m.Runs, m.Iterations, m.Violations, m.Stored})
	}
	return out
}

// SizesTables shows how much room a ledger takes up to people: its parts, its texts by
// kind, and what came in each month.
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
