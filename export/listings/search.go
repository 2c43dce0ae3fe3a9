package listings

import (
	"cmp"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

type hit = ledger.SearchHit

// Hits describe what a search found: a violation, a discarded report, or the notes of a slot. They have
// the columns of violations. In a table, a discarded report has its disposition as status, and the ID of
// the violation that it repeats or its own. Notes have the address of their slot as place.
var Hits = slices.Concat(
	Columns[hit]{{Key: "kind", Doc: "`violation`, `report` (a filtered one) or `notes` (of a reviewer)", Value: func(h *hit) any { return h.Kind() }}},
	hitColumns().without(statusKeys...), hitColumns().Pick(statusKeys...),
	Columns[hit]{
		{Key: "title", Doc: "the title of that report, or null", Value: func(h *hit) any { return orNull(h.Title) }},
		{Key: "snippet", Doc: "the part of the report that matched best", Value: func(h *hit) any { return h.Snippet.String() },
			Column: text.Column{Title: "FOUND", Cut: true, Min: 32}},
		{Key: "disposition", Doc: "`accepted` for a violation, else why the report was filtered; null for notes",
			Value: func(h *hit) any { return orNull(h.Disposition()) }},
		{Key: "violation", Doc: "the id of the violation that it is, or repeats; null: neither", Value: violationOf},
	},
)

// statusKeys come after the others in a hit.
var statusKeys = []string{"ulid", "status", "status_at", "status_by"}

// hitColumns returns the columns of violations as hits have them.
func hitColumns() Columns[hit] {
	c := Of(Violations, asViolation).
		laidOut("status", text.Column{Title: "STATUS", Cut: true, Late: true, Min: len(ledger.ShownAbandoned)}).
		shown("id", idOfHit).shown("status", statusOfHit).shown("priority", priorityOfHit).shown("file", placeOfHit)
	for _, key := range append([]string{"group"}, statusKeys...) { // reports and notes do not have these
		value := c[c.index(key)].Value
		c[c.index(key)].Value = func(h *hit) any {
			if h.Violation == nil {
				return nil
			}
			return value(h)
		}
	}
	return c
}

// asViolation returns a hit with what it has of the fields of a violation.
func asViolation(h *hit) *violation {
	seen := func(v violation, at time.Time) *violation {
		v.FirstSeen, v.LastSeen = at, at
		return &v
	}
	switch {
	case h.Violation != nil:
		return h.Violation
	case h.Notes != nil:
		n := h.Notes
		return seen(violation{
			Run: n.Run, Gate: n.Gate, EntryPoint: n.EntryPoint,
			Violation: ledger.Violation{ShortID: ledger.SlotName(n.Run, n.Ref), Slot: n.Ref.Slot, Adapter: n.Adapter, First: n.Ref.Iteration},
		}, n.At)
	}
	d := h.Discard
	return seen(violation{
		Run: d.Run, Gate: d.Gate, EntryPoint: d.EntryPoint, InFixLines: d.InFixLines,
		Violation: ledger.Violation{
			ShortID: address(d), Slot: d.Slot, Adapter: d.Adapter, First: d.Iteration, Place: d.Place, Also: d.Also,
			Issue: d.Issue, Fix: d.Fix, Priority: d.Priority, Reason: d.Reason,
		},
	}, d.At)
}

func violationOf(h *hit) any {
	switch {
	case h.Violation != nil:
		return h.Violation.ShortID
	case h.Discard != nil:
		return orNull(h.Discard.ShortID)
	}
	return nil
}

func idOfHit(h *hit) text.Cell {
	switch {
	case h.Violation != nil:
		return text.Cell{Text: h.Violation.ShortID}
	case h.Discard != nil:
		return text.Cell{Text: cmp.Or(h.Discard.ShortID, h.Discard.ID, "-")}
	}
	return text.Cell{Text: "-"}
}

func statusOfHit(h *hit) text.Cell {
	switch {
	case h.Violation != nil:
		return statusCell(h.Violation.Shown())
	case h.Discard != nil:
		return text.Cell{Text: string(h.Discard.Disposition), Color: text.Yellow}
	}
	return text.Cell{Text: ledger.HitNotes, Color: text.Yellow}
}

func priorityOfHit(h *hit) text.Cell {
	if h.Notes != nil {
		return text.Cell{Text: "-"}
	}
	return text.Cell{Text: string(asViolation(h).Priority)}
}

func placeOfHit(h *hit) text.Cell {
	if h.Notes != nil {
		return text.Cell{Text: ledger.SlotName(h.Notes.Run, h.Notes.Ref)}
	}
	return text.Cell{Text: text.OrElse(asViolation(h).Place.String(), "-")}
}

// SearchTable formats search hits for people.
func SearchTable(hits []ledger.SearchHit) text.Table {
	return Hits.Table(hits, "id", "status", "priority", "file", "first_seen", "snippet")
}
