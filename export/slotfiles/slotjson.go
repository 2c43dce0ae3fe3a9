package slotfiles

import (
	"time"

	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// slotJSON is a slot's JSON file; its keys are written in this order.
type slotJSON struct {
	Adapter   string      `json:"adapter"`
	Timestamp string      `json:"timestamp"`
	Status    string      `json:"status"`
	RawOutput string      `json:"rawOutput"`
	Entries   []entryJSON `json:"violations"`
	// PassIteration is there on a skip only.
	PassIteration *int `json:"passIteration,omitempty"`
}

// entryJSON is one violation in a slot's JSON file.
type entryJSON struct {
	ID       string  `json:"id"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Issue    string  `json:"issue"`
	Fix      string  `json:"fix,omitempty"`
	Priority string  `json:"priority"`
	Status   string  `json:"status"`
	Result   *string `json:"result"`
	// Also are more places of the same problem, and Gone is who says that it is gone though
	// nobody claims so. They are there only if there is something to say.
	Also []placeJSON `json:"also,omitempty"`
	Gone string      `json:"gone,omitempty"`
}

// placeJSON is a place in a slot's JSON file; line 0 is the whole file.
type placeJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
}

// MarshalSlot writes a slot's JSON file. A violation's line is the first of
// its range, 0 for the whole file. Bytes that are not UTF-8 become U+FFFD.
//
// Rule: The ledger is the only truth.
func MarshalSlot(doc ledger.SlotDocument) ([]byte, error) {
	file := slotJSON{
		Adapter:   doc.Adapter,
		Timestamp: doc.At.Format(time.RFC3339),
		Status:    string(doc.Status),
		RawOutput: doc.RawOutput,
		Entries:   make([]entryJSON, 0, len(doc.Violations)),
	}
	if doc.Status == ledger.SlotSkipped {
		file.PassIteration = &doc.PassIteration
	}
	for _, v := range doc.Violations {
		entry := entryJSON{
			ID: v.ID, File: v.File, Line: max(v.Line, 0),
			Issue: v.Issue, Fix: v.Fix, Priority: v.Priority,
			Status: v.Status, Result: v.Result, Gone: v.Gone,
		}
		for _, p := range v.Also {
			entry.Also = append(entry.Also, placeJSON{p.File, max(p.Start, 0), max(p.End, 0)})
		}
		file.Entries = append(file.Entries, entry)
	}
	return text.MarshalJSON(file, "  ")
}
