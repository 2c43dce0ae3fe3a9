package listings

import (
	"cmp"
	"iter"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// SearchJSON is a search hit: a violation, a discarded report, or the notes of a slot. The keys of a
// status are null unless it is a violation. docs/json.md describes its keys.
type SearchJSON struct {
	// Kind is violation, report or notes.
	Kind string `json:"kind"`
	ViolationJSON
	ULID        *string `json:"ulid"`
	Status      *string `json:"status"`
	StatusAt    *string `json:"status_at"`
	StatusBy    *string `json:"status_by"`
	Title       *string `json:"title"`
	Snippet     string  `json:"snippet"`
	Disposition *string `json:"disposition"`
	// Violation is the ID of the violation that was found, or that the report repeats.
	Violation *string `json:"violation"`
}

// NewSearchJSON returns the JSON form of a search hit.
func NewSearchJSON(h ledger.SearchHit) SearchJSON {
	out := SearchJSON{Kind: h.Kind(), Title: orNull(h.Title), Snippet: h.Snippet.String(), Disposition: orNull(string(h.Disposition()))}
	switch {
	case h.Violation != nil:
		v := NewViolationJSON(*h.Violation)
		out.ViolationJSON = v
		out.ULID, out.Status, out.StatusAt, out.StatusBy, out.Violation = &v.ULID, &v.Status, v.StatusAt, &v.StatusBy, &v.ID
		return out
	case h.Notes != nil:
		n, at := h.Notes, text.Timestamp(h.Notes.At)
		out.ViolationJSON = ViolationJSON{
			ID:        ledger.SlotName(n.Run, n.Ref),
			foundJSON: foundJSON{Run: n.Run, Gate: n.Gate, EntryPoint: n.EntryPoint, Slot: n.Ref.Slot, Adapter: n.Adapter, Iteration: n.Ref.Iteration, Also: []ledger.Place{}},
			FirstSeen: at, LastSeen: at, Related: []string{}, Alone: true,
		}
		return out
	}
	d := NewReportJSON(*h.Discard)
	out.ViolationJSON = ViolationJSON{
		ID: d.Address, foundJSON: d.foundJSON, Reason: d.Reason,
		FirstSeen: d.At, LastSeen: d.At, Related: []string{}, Alone: true, InFixLines: h.Discard.InFixLines,
	}
	out.Violation = d.Violation
	return out
}

// SearchTable formats search hits for people. A discarded report has its disposition as status, and
// the ID of the violation that it repeats or its own. Notes have the address of their slot as
// place. Hits are not kept, because a hit is several times as large as its row.
func SearchTable(hits iter.Seq2[ledger.SearchHit, error]) (text.Table, error) {
	t := text.Table{Columns: []text.Column{
		{Title: "ID"}, {Title: "STATUS", Cut: true, Late: true, Min: len(ledger.ShownAbandoned)}, {Title: "PRIORITY"}, placeColumn(),
		{}, {Title: "FOUND", Cut: true, Min: 32},
	}}
	var seen []time.Time
	for h, err := range hits {
		if err != nil {
			return t, err
		}
		seen = append(seen, h.At())
		cells := []text.Cell{{}, {Color: text.Yellow}, {}, {}, {}, {Text: h.Snippet.String()}}
		switch {
		case h.Violation != nil:
			v := h.Violation
			cells[0].Text, cells[1] = v.ShortID, text.Cell{Text: string(v.Shown()), Color: colorOf(v.Shown())}
			cells[2].Text, cells[3].Text = string(v.Priority), v.Place.String()
		case h.Notes != nil:
			cells[0].Text, cells[1].Text, cells[2].Text = "-", ledger.HitNotes, "-"
			cells[3].Text = ledger.SlotName(h.Notes.Run, h.Notes.Ref)
		default:
			d := h.Discard
			cells[0].Text, cells[1].Text = text.OrElse(cmp.Or(d.ShortID, d.ID), "-"), string(d.Disposition)
			cells[2].Text, cells[3].Text = string(d.Priority), text.OrElse(d.Place.String(), "-")
		}
		t.Rows = append(t.Rows, text.Row{Cells: cells})
	}
	column, cells := text.TimeColumn("SEEN", seen)
	column.Spare = true
	t.Columns[4] = column
	for i, at := range cells {
		t.Rows[i].Cells[4] = at
	}
	return t, nil
}
