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

// slotJSON is the content of a slot's JSON file. Its keys are written in this order.
type slotJSON struct {
	Adapter   string `json:"adapter"`
	Timestamp string `json:"timestamp"`
	Status    string `json:"status"`
	// PassIteration is only set for a skipped slot.
	PassIteration *int               `json:"passIteration,omitempty"`
	Entries       []ledger.SlotEntry `json:"violations"`
	// Filtered are the reports that a filter removed.
	Filtered  []ledger.FilteredEntry `json:"filtered"`
	RawOutput string                 `json:"rawOutput"`
}

// MarshalSlot encodes a slot's JSON file. A violation's line is the first of its range and end_line
// the last; both are 0 for the whole file. Bytes that are not UTF-8 become U+FFFD.
//
// Rule: The ledger is the only truth.
func MarshalSlot(doc ledger.SlotDocument) ([]byte, error) {
	var out bytes.Buffer
	err := writeSlot(&out, doc)
	return out.Bytes(), err
}

// noEntries is how an empty list of entries is encoded. It marks where the entries are inserted one
// by one, because encoding all of them together could take much memory. It cannot occur within a
// string, in which quotes and line feeds are escaped.
const noEntries = "\n  \"violations\": []"

func writeSlot(w io.Writer, doc ledger.SlotDocument) error {
	file := slotJSON{
		Adapter:   doc.Adapter,
		Timestamp: doc.At.Format(time.RFC3339),
		Status:    string(doc.Status),
		Entries:   []ledger.SlotEntry{},
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
	between, after, _ := bytes.Cut(rest, []byte("\"\"\n}")) // the empty rawOutput, which comes last
	lines := bufio.NewWriter(w)                             // keeps its error for Flush
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

// endOf returns the last line of a range, or 0 for a single line or none.
func endOf(p ledger.Place) int {
	if p.WholeFile() || p.End <= p.Start {
		return 0
	}
	return p.End
}

// entryOf returns the entry as it is written to the file.
func entryOf(v ledger.SlotEntry) ledger.SlotEntry {
	v.EndLine = endOf(v.Place())
	v.Line = max(v.Line, 0)
	switch ledger.Status(v.Status) {
	case ledger.StatusFixed, ledger.StatusSkipped: // the author's mark counts, not what the reviewer said before
		v.Said, v.Reopened = "", false
	}
	return v
}
