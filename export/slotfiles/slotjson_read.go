package slotfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/ledger"
)

// MaxEntries is the maximum number of violations in one file. It limits the memory that a file of
// [files.MaxFileSize] can take.
const MaxEntries = 100_000

// UnmarshalSlot decodes a slot's JSON file as an agent or another tool left it.
//
// It is lenient with values: a line may be a number, a numeric string or a range "10-14", and is 0
// otherwise; a status may be any text; ID, fix, priority and result may be missing; unknown keys
// are ignored; an invalid timestamp becomes the zero time. It is strict with structure: invalid
// JSON is an error with line and column. It is also an error if the violations are missing, are not
// an array or contain something other than objects, and if a status is given twice with different
// values.
func UnmarshalSlot(data []byte) (ledger.SlotDocument, error) {
	whole, err := strictjson.ValidJSON(data)
	if err != nil {
		return ledger.SlotDocument{}, err
	}
	object, err := strictjson.ReadObject(whole)
	if err != nil {
		return ledger.SlotDocument{}, fmt.Errorf("the file %w", err)
	}
	entries, err := readEntries(object)
	if err != nil {
		return ledger.SlotDocument{}, err
	}
	status, err := object.Unambiguous("status")
	if err != nil {
		return ledger.SlotDocument{}, err
	}
	doc := ledger.SlotDocument{
		Adapter:    strictjson.TextOf(object.Last("adapter")),
		Status:     ledger.SlotStatus(strictjson.TextOf(status)),
		RawOutput:  strictjson.TextOf(object.Last("rawOutput")),
		Violations: entries,
		Filtered:   readFiltered(object.Last("filtered")),
	}
	doc.PassIteration, _ = linesOf(object.Last("passIteration"))
	if at, err := time.Parse(time.RFC3339, strictjson.TextOf(object.Last("timestamp"))); err == nil {
		doc.At = at
	}
	return doc, nil
}

// readEntries decodes the violations of a slot's file.
func readEntries(object strictjson.Object) ([]ledger.SlotEntry, error) {
	values := object.All("violations")
	switch {
	case len(values) == 0:
		return nil, errors.New(`"violations" is missing: restore the array ([] if there are none)`)
	case len(values) > 1:
		return nil, errors.New(`"violations" appears twice: keep one`)
	case values[0][0] != '[':
		return nil, fmt.Errorf(`"violations" is %s, not an array`, strictjson.KindOf(values[0]))
	}
	items, err := strictjson.ReadArray(values[0], MaxEntries, "violations")
	if err != nil {
		return nil, err
	}
	var entries []ledger.SlotEntry
	for i, item := range items {
		entry, err := readEntry(item)
		if err != nil {
			return nil, fmt.Errorf("violations[%d] %w", i, err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// readFiltered decodes the filtered reports of a file, to detect whether they were changed. Invalid
// values are not an error, because the list is not used otherwise.
func readFiltered(value json.RawMessage) (list []ledger.FilteredEntry) {
	if value == nil {
		return nil
	}
	foreign := []ledger.FilteredEntry{{}} // differs from every real list
	if value[0] != '[' {
		return foreign
	}
	items, err := strictjson.ReadArray(value, MaxEntries, "filtered")
	if err != nil {
		return foreign
	}
	for _, item := range items {
		var f ledger.FilteredEntry
		reader := json.NewDecoder(bytes.NewReader(item))
		reader.DisallowUnknownFields()
		if reader.Decode(&f) != nil {
			return foreign
		}
		list = append(list, f)
	}
	return list
}

func readEntry(value json.RawMessage) (ledger.SlotEntry, error) {
	object, err := strictjson.ReadObject(value)
	if err != nil {
		return ledger.SlotEntry{}, err
	}
	status, err := object.Unambiguous("status")
	if err != nil {
		return ledger.SlotEntry{}, fmt.Errorf("is not valid: %w", err)
	}
	entry := ledger.SlotEntry{
		ID:       strictjson.TextOf(object.Last("id")),
		File:     strictjson.TextOf(object.Last("file")),
		Issue:    strictjson.TextOf(object.Last("issue")),
		Fix:      strictjson.TextOf(object.Last("fix")),
		Priority: strictjson.TextOf(object.Last("priority")),
		Status:   strictjson.TextOf(status),
		Reason:   strictjson.TextOf(object.Last("reason")), Fingerprint: strictjson.TextOf(object.Last("fingerprint")),
	}
	if strictjson.IsNull(status) {
		// A warning must be able to quote the value.
		entry.Status = "null"
	}
	entry.Line, entry.EndLine = linesOf(object.Last("line"))
	if end, _ := linesOf(object.Last("end_line")); entry.Line > 0 {
		entry.EndLine = max(entry.EndLine, end)
	}
	if result := object.Last("result"); result != nil && !strictjson.IsNull(result) {
		text := strictjson.TextOf(result)
		entry.Result = &text
	}
	return entry, nil
}

// linesOf decodes a line or a range. Both results are 0 if the value is neither.
func linesOf(value json.RawMessage) (start, end int) {
	var number float64
	if json.Unmarshal(value, &number) == nil {
		if number < 1 || number > MaxNumber {
			return 0, 0
		}
		return int(number), int(number)
	}
	return parseLines(strictjson.TextOf(value))
}

// parseLines parses "12" or "10-14". For anything else, such as "?" or "NaN", both results are 0.
func parseLines(text string) (start, end int) {
	first, last, isRange := strings.Cut(text, "-")
	start, ok := parseNumber(strings.TrimSpace(first))
	if !ok {
		return 0, 0
	}
	if !isRange {
		return start, start
	}
	end, ok = parseNumber(strings.TrimSpace(last))
	if !ok {
		return start, start
	}
	return min(start, end), max(start, end)
}
