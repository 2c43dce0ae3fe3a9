package clients

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Entry is one violation as a reviewer listed it. A status or result of its
// own is ignored.
type Entry struct {
	// Position counts from 1 in the order of the answer.
	Position int
	// File is the file in the reviewer's words, blanks and all: see [Resolver].
	File string
	// Start and End are the first and last line, counted from 1; both are 0 if
	// the entry has no usable line and so is about the file.
	Start, End int
	// OtherStart and OtherEnd are lines that the entry gives beside a range that does
	// not hold them, else 0.
	OtherStart, OtherEnd int
	// Claim is the id of the claim that the entry says is not fixed, or "".
	Claim string
	// ID is the id that the entry gives itself, which may be a claim's, or "".
	ID string
	// Named are the ids of more claims that the entry names in one list.
	Named []string
	Issue string
	Fix   string
	// Priority is critical, high, medium, low or info.
	Priority string
	// PriorityUnknown reports whether the reviewer gave another priority, which
	// is PriorityGiven: such an entry counts as high, and deserves a warning.
	PriorityUnknown bool
	PriorityGiven   string
	// Missing names which of file, issue and priority are missing, in this
	// order. If any is, the entry is malformed.
	Missing []string

	Title string
	// Confidence is the reviewer's, as given, or nil.
	Confidence     *float64
	SystemBreaking bool
	// Raw is the entry as it was written.
	Raw json.RawMessage
}

// unknownPriority is what a priority counts as that is none of the known ones.
const unknownPriority = "high"

// readEntry decodes one element of an answer's violations. What has another usual name
// instead of its own is not missing.
//
// Rule: Missing fields are named.
func readEntry(position int, raw json.RawMessage) Entry {
	entry := Entry{Position: position, Raw: slices.Clone(raw)}
	var fields members
	if raw[0] == '{' {
		fields, _ = readMembers(raw) // the answer's scan has proved that it decodes
	}
	entry.File = fileNames(fields.last("file", "path", "filename", "file_path", "filePath"))
	if ids := claimIDs(fields); len(ids) > 0 {
		entry.Claim = ids[0]
		if len(ids) > 1 {
			entry.Named = ids[1:]
		}
	}
	entry.ID = claimID(fields.last("id"))
	entry.Issue = trimmedString(fields.last("issue", "message", "description", "problem"))
	entry.Fix = anyText(fields.last("fix"))
	entry.Title = trimmedString(fields.last("title"))
	var other lineRange
	entry.Start, entry.End, other = readPlace(fields)
	entry.OtherStart, entry.OtherEnd = other.start, other.end
	entry.Confidence = readConfidence(fields.last("confidence"))
	entry.SystemBreaking = strings.EqualFold(anyText(fields.last("systemBreaking", "system_breaking")), "true")
	entry.readPriority(fields.last("priority", "severity"))
	entry.Missing = entry.missing()
	return entry
}

func (e *Entry) readPriority(raw json.RawMessage) {
	given := anyText(raw)
	switch lower := strings.ToLower(given); lower {
	case "":
	case "critical", "high", "medium", "low", "info":
		e.Priority = lower
	case "blocker": // the verdict's word, which prompts of users' own may ask for
		e.Priority = "critical"
	default:
		e.Priority, e.PriorityUnknown, e.PriorityGiven = unknownPriority, true, given
	}
}

func (e *Entry) missing() []string {
	var names []string
	for _, field := range []struct{ name, value string }{
		{"file", e.File}, {"issue", e.Issue}, {"priority", e.Priority},
	} {
		if isBlank(field.value) {
			names = append(names, field.name)
		}
	}
	return names
}

// fileNames returns the file that an entry names, or the list of several.
func fileNames(raw json.RawMessage) string {
	if name, ok := stringValue(raw); ok {
		return name
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var names []string
	for _, one := range list {
		name, ok := stringValue(one)
		if !ok {
			return ""
		}
		names = append(names, name)
	}
	return strings.Join(names, "\n")
}

func trimmedString(raw json.RawMessage) string {
	value, _ := stringValue(raw)
	return strings.TrimSpace(value)
}

// anyText returns a string's value, and anything else as it was written.
func anyText(raw json.RawMessage) string {
	if value, ok := stringValue(raw); ok {
		return strings.TrimSpace(value)
	}
	return string(raw)
}

func readConfidence(raw json.RawMessage) *float64 {
	value, err := strconv.ParseFloat(anyText(raw), 64)
	if err != nil || value != value {
		return nil
	}
	return &value
}
