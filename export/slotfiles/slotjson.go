package slotfiles

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// slotJSON is a slot's JSON file; its keys are written in this order.
type slotJSON struct {
	Adapter   string `json:"adapter"`
	Timestamp string `json:"timestamp"`
	Status    string `json:"status"`
	// PassIteration is there on a skip only.
	PassIteration *int        `json:"passIteration,omitempty"`
	Entries       []entryJSON `json:"violations"`
	// Filtered are reports that a filter left out.
	Filtered  []ledger.FilteredEntry `json:"filtered"`
	RawOutput string                 `json:"rawOutput"`
}

// entryJSON is one violation in a slot's JSON file.
type entryJSON struct {
	ID       string  `json:"id"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	EndLine  int     `json:"end_line,omitempty"` // of a range
	Issue    string  `json:"issue"`
	Fix      string  `json:"fix,omitempty"`
	Priority string  `json:"priority"`
	Status   string  `json:"status"`
	Result   *string `json:"result"`
	// Said is what the reviewer said of what its author claimed.
	Said     string `json:"said,omitempty"`
	Reopened bool   `json:"reopened,omitempty"`
	// Related are the ids of those that are perhaps the same.
	Related []string `json:"related,omitempty"`
	// Also are more places of the same problem, and Gone is who says that it is gone though
	// nobody claims so. They are there only if there is something to say.
	Also []ledger.Place `json:"also,omitempty"`
	Gone string         `json:"gone,omitempty"`
}

// MarshalSlot is a slot's JSON file. A violation's line is the first of
// its range, whose last is end_line; 0 for the whole file. Bytes that are not UTF-8 become U+FFFD.
//
// Rule: The ledger is the only truth.
func MarshalSlot(doc ledger.SlotDocument) ([]byte, error) {
	var out bytes.Buffer
	err := writeSlot(&out, doc)
	return out.Bytes(), err
}

// noEntries is what stands in place of the entries in a file that has none. It is where the
// entries are inserted, one by one: together they could take much of a process's memory. It
// cannot occur in a text, whose quotes and line feeds are escaped.
const noEntries = "\n  \"violations\": []"

func writeSlot(w io.Writer, doc ledger.SlotDocument) error {
	file := slotJSON{
		Adapter:   doc.Adapter,
		Timestamp: doc.At.Format(time.RFC3339),
		Status:    string(doc.Status),
		Entries:   []entryJSON{},
		Filtered:  append([]ledger.FilteredEntry{}, doc.Filtered...),
	}
	if doc.Status == ledger.SlotSkipped {
		file.PassIteration = &doc.PassIteration
	}
	frame, err := text.MarshalJSON(file, "  ")
	if err != nil {
		return err
	}
	before, rest, _ := bytes.Cut(frame, []byte(noEntries))
	between, after, _ := bytes.Cut(rest, []byte("\"\"\n}")) // of the answer, which comes last
	lines := bufio.NewWriter(w)                             // it keeps its error for Flush
	_, _ = lines.Write(before)
	_, _ = lines.WriteString(strings.TrimSuffix(noEntries, "[]"))
	if err := text.WriteJSONArray(lines, text.Mapped(text.All(doc.Violations), entryOf), "  "); err != nil {
		return err
	}
	_, _ = lines.Write(between)
	if err := text.WriteJSONString(lines, doc.RawOutput); err != nil {
		return err
	}
	_, _ = lines.WriteString("\n}")
	_, _ = lines.Write(after)
	return lines.Flush()
}

// endOf is the last line of a range; 0 where there is one line or none.
func endOf(p ledger.Place) int {
	if p.WholeFile() || p.End <= p.Start {
		return 0
	}
	return p.End
}

func entryOf(v ledger.SlotEntry) entryJSON {
	entry := entryJSON{
		ID: v.ID, File: v.File, Line: max(v.Line, 0), EndLine: endOf(v.Place()),
		Issue: v.Issue, Fix: v.Fix, Priority: v.Priority,
		Status: v.Status, Result: v.Result, Gone: v.Gone.String(), Related: v.Related, Also: v.Also, Said: v.Said, Reopened: v.Reopened,
	}
	switch ledger.Status(v.Status) {
	case ledger.StatusFixed, ledger.StatusSkipped: // the author's status counts, not the reviewer's
		entry.Said, entry.Reopened = "", false
	}
	return entry
}
