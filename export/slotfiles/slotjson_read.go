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

// maxEntries bounds the violations of one file, and with them the memory that a
// file of MaxFileSize can take.
const MaxEntries = 100_000

// UnmarshalSlot reads a slot's JSON file as an agent or another tool left it.
//
// It is lenient in values: a line may be a number, a numeric text or a range
// "10-14", and is 0 where it is none of these; a status is whatever stands
// there; id, fix, priority and result may be missing; unknown keys are ignored;
// a timestamp that cannot be read is the zero time. It is strict in structure:
// bad JSON is an error with line and column, and so are violations that are
// missing, no array or no objects, and a status that is given twice with
// different values.
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

// readEntries reads the violations of a slot's file.
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

// readFiltered reads what a file lists of reports that a filter left out, to tell whether
// somebody changed it. Invalid values are not an error, because the list is never used.
func readFiltered(value json.RawMessage) (list []ledger.FilteredEntry) {
	if value == nil {
		return nil
	}
	foreign := []ledger.FilteredEntry{{}} // no report is like that
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
	}
	if strictjson.IsNull(status) {
		// A warning has to be able to quote the value.
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

// linesOf reads a line or a range; without a usable line both are 0.
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

// parseLines reads "12" or "10-14". Anything else, "?" and "NaN" among them, is
// no line, which is 0.
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
