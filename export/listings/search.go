package listings

import (
	"time"

	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// SearchJSON is what a search found: a violation, or a report that filters removed, whose
// keys of a status are null. docs/json.md describes its keys.
type SearchJSON struct {
	ViolationJSON
	ULID        *string `json:"ulid"`
	Status      *string `json:"status"`
	StatusAt    *string `json:"status_at"`
	StatusBy    *string `json:"status_by"`
	Title       *string `json:"title"`
	Snippet     string  `json:"snippet"`
	Disposition string  `json:"disposition"`
	// Violation is the ID of the violation that it is, or repeats.
	Violation *string `json:"violation"`
}

// NewSearchJSON makes the listing's form of what a search found.
func NewSearchJSON(h ledger.SearchHit) SearchJSON {
	out := SearchJSON{Title: orNull(h.Title), Snippet: h.Snippet.String(), Disposition: string(h.Disposition())}
	if h.Violation != nil {
		v := NewViolationJSON(*h.Violation)
		out.ViolationJSON = v
		out.ULID, out.Status, out.StatusAt, out.StatusBy, out.Violation = &v.ULID, &v.Status, v.StatusAt, &v.StatusBy, &v.ID
		return out
	}
	d := NewReportJSON(*h.Discard)
	out.ViolationJSON = ViolationJSON{
		ID: d.ID, foundJSON: d.foundJSON, Reason: d.Reason,
		FirstSeen: d.At, LastSeen: d.At, Alone: true, InFixLines: h.Discard.InFixLines,
	}
	out.Violation = d.Violation
	return out
}

// SearchTable shows what a search found to people. A report that filters removed has its
// disposition in the place of a status, and the ID of the violation that it repeats.
func SearchTable(hits []ledger.SearchHit) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "ID"}, {Title: "STATUS", Cut: true, Late: true, Min: len(ledger.StatusLeft)}, {Title: "PRIORITY"}, placeColumn(),
		{Title: "SEEN", Spare: true}, {Title: "FOUND", Cut: true, Min: 32},
	}}
	seen := times(hits, func(h ledger.SearchHit) time.Time {
		if h.Violation != nil {
			return h.Violation.FirstSeen
		}
		return h.Discard.At
	})
	for i, h := range hits {
		cells := []text.Cell{{}, {Color: text.Yellow}, {}, {}, {}, {Text: h.Snippet.String()}}
		if v := h.Violation; v != nil {
			cells[0].Text, cells[1] = v.ShortID, text.Cell{Text: string(v.Shown()), Color: statusColorOf(v.Shown())}
			cells[2].Text, cells[3].Text, cells[4] = string(v.Priority), shownPlace(v.Place), seen[i]
		} else {
			d := h.Discard
			cells[0].Text, cells[1].Text = text.OrElse(d.ShortID, "-"), string(d.Disposition)
			cells[2].Text, cells[3].Text, cells[4] = string(d.Priority), text.OrElse(shownPlace(d.Place), "-"), seen[i]
		}
		t.Rows = append(t.Rows, text.Row{Cells: cells})
	}
	return t
}
