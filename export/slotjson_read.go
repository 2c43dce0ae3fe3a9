package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// maxEntries bounds the violations of one file, and with them the memory that a
// file of MaxFileSize can take.
const maxEntries = 100_000

// maxMembers bounds the members of one object for the same reason; this tool
// writes eight at most.
const maxMembers = 1000

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
	if len(data) > MaxFileSize {
		return ledger.SlotDocument{}, tooLarge(MaxFileSize)
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return ledger.SlotDocument{}, syntaxError(data, err)
	}
	object, err := readObject(whole)
	if err != nil {
		return ledger.SlotDocument{}, fmt.Errorf("the file %w", err)
	}
	entries, err := readEntries(object)
	if err != nil {
		return ledger.SlotDocument{}, err
	}
	status, err := object.unambiguous("status")
	if err != nil {
		return ledger.SlotDocument{}, err
	}
	doc := ledger.SlotDocument{
		Adapter:    textOf(object.last("adapter")),
		Status:     ledger.SlotStatus(textOf(status)),
		RawOutput:  textOf(object.last("rawOutput")),
		Violations: entries,
	}
	doc.PassIteration, _ = linesOf(object.last("passIteration"))
	if at, err := time.Parse(time.RFC3339, textOf(object.last("timestamp"))); err == nil {
		doc.At = at
	}
	return doc, nil
}

// readEntries reads the violations of a slot's file.
func readEntries(object members) ([]ledger.SlotEntry, error) {
	values := object.all("violations")
	switch {
	case len(values) == 0:
		return nil, errors.New(`"violations" is missing: restore the array, [] if there are none`)
	case len(values) > 1:
		return nil, errors.New(`"violations" appears twice: keep one`)
	case values[0][0] != '[':
		return nil, fmt.Errorf(`"violations" is %s, not an array`, kindOf(values[0]))
	}
	decoder := json.NewDecoder(bytes.NewReader(values[0]))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var entries []ledger.SlotEntry
	for i := 0; decoder.More(); i++ {
		if i == maxEntries {
			return nil, fmt.Errorf("more than %d violations", maxEntries)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("violations[%d]: %w", i, err)
		}
		entry, err := readEntry(value)
		if err != nil {
			return nil, fmt.Errorf("violations[%d] %w", i, err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func readEntry(value json.RawMessage) (ledger.SlotEntry, error) {
	object, err := readObject(value)
	if err != nil {
		return ledger.SlotEntry{}, err
	}
	status, err := object.unambiguous("status")
	if err != nil {
		return ledger.SlotEntry{}, fmt.Errorf("has a fault: %w", err)
	}
	entry := ledger.SlotEntry{
		ID:       textOf(object.last("id")),
		File:     textOf(object.last("file")),
		Issue:    textOf(object.last("issue")),
		Fix:      textOf(object.last("fix")),
		Priority: textOf(object.last("priority")),
		Status:   textOf(status),
	}
	if isNull(status) {
		// A warning has to be able to name what stands there.
		entry.Status = "null"
	}
	entry.Line, entry.EndLine = linesOf(object.last("line"))
	if result := object.last("result"); result != nil && !isNull(result) {
		text := textOf(result)
		entry.Result = &text
	}
	return entry, nil
}

// members are the members of an object in their order, each key as often as it
// stands there.
type members []member

type member struct {
	key   string
	value json.RawMessage
}

// readObject reads the members of valid JSON, or says what it is instead of an
// object.
func readObject(value json.RawMessage) (members, error) {
	value = bytes.TrimSpace(value)
	if value[0] != '{' {
		return nil, fmt.Errorf("is %s, not an object", kindOf(value))
	}
	decoder := json.NewDecoder(bytes.NewReader(value))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var object members
	for decoder.More() {
		if len(object) == maxMembers {
			return nil, fmt.Errorf("has more than %d keys", maxMembers)
		}
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		m := member{key: key}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, err
		}
		object = append(object, m)
	}
	return object, nil
}

// all returns the values of a key.
func (ms members) all(key string) []json.RawMessage {
	var values []json.RawMessage
	for _, m := range ms {
		if m.key == key {
			values = append(values, m.value)
		}
	}
	return values
}

// last returns the last value of a key, as most readers of JSON do, or nil.
func (ms members) last(key string) json.RawMessage {
	values := ms.all(key)
	if len(values) == 0 {
		return nil
	}
	return values[len(values)-1]
}

// unambiguous returns the value of a key, or nil; two different ones are an
// error.
func (ms members) unambiguous(key string) (json.RawMessage, error) {
	values := ms.all(key)
	for _, value := range values {
		if textOf(value) != textOf(values[0]) {
			return nil, fmt.Errorf("%q appears twice, as %q and %q: keep one", key, textOf(values[0]), textOf(value))
		}
	}
	return ms.last(key), nil
}

// textOf is a text's content, nothing for null and what is missing, and the
// JSON of anything else.
func textOf(value json.RawMessage) string {
	if value == nil || isNull(value) {
		return ""
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return ""
	}
	return strings.ToValidUTF8(compact.String(), "\uFFFD")
}

func isNull(value json.RawMessage) bool { return string(value) == "null" }

// linesOf reads a line or a range; without a usable line both are 0.
func linesOf(value json.RawMessage) (start, end int) {
	var number float64
	if json.Unmarshal(value, &number) == nil {
		if number < 1 || number > maxNumber {
			return 0, 0
		}
		return int(number), int(number)
	}
	return parseLines(textOf(value))
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

func kindOf(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a text"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// syntaxError adds the place of the fault, counted from 1 in lines and
// characters.
func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	fault := int(syntax.Offset)
	if syntax.Error() != "unexpected end of JSON input" {
		fault-- // the offset counts the faulty byte too
	}
	before := data[:min(max(fault, 0), len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}
