package slotfiles

import (
	"encoding/json"
	"strings"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// isLandmark reports whether a line is one that [ParseSlotLog] relies on.
func isLandmark(line string) bool {
	line = stripTimestamp(line)
	if _, _, ok := parseHeader(line); ok {
		return true
	}
	_, _, numbered := cutNumber(line)
	text := strings.TrimSpace(line)
	return numbered || strings.HasPrefix(text, "Status:") ||
		strings.HasPrefix(text, "Result:") || strings.HasPrefix(text, "Fix:") ||
		strings.HasPrefix(text, "Skipping @")
}

// stripTimestamp removes a prefix like "[2026-01-23T17:18:45Z] " from a line. A timestamp consists
// of digits and separators, including a colon.
func stripTimestamp(line string) string {
	if !strings.HasPrefix(line, "[") {
		return line
	}
	stamp, _, found := strings.Cut(line[1:min(len(line), maxTimestamp)], "] ")
	if !found || len(stamp) < len("00:00:00") || !strings.Contains(stamp, ":") {
		return line
	}
	if strings.Trim(stamp, "0123456789:-+.,/ TZ") != "" {
		return line
	}
	return line[len("[")+len(stamp)+len("] "):]
}

// maxTimestamp is the maximum length of a timestamp with its brackets.
const maxTimestamp = 64

// parseHeader parses "--- Review Output (adapter) ---", in which the adapter may be missing.
func parseHeader(line string) (title, adapter string, ok bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "---") || !strings.HasSuffix(line, "---") {
		return "", "", false
	}
	text := strings.TrimSpace(strings.Trim(line, "-"))
	for _, title := range []string{reviewOutput, parsedResult} {
		rest, found := strings.CutPrefix(text, title)
		if !found {
			continue
		}
		if rest == "" {
			return title, "", true
		}
		rest, opened := strings.CutPrefix(strings.TrimSpace(rest), "(")
		adapter, closed := strings.CutSuffix(rest, ")")
		if opened && closed {
			return title, strings.TrimSpace(adapter), true
		}
	}
	return "", "", false
}

// parseStatus parses "Status: FAIL". The case of the status does not matter, and text after it is
// ignored. It returns "" if the line has no known status.
func parseStatus(line string) ledger.SlotStatus {
	rest, found := strings.CutPrefix(strings.TrimSpace(line), "Status:")
	if !found {
		return ""
	}
	fields := strings.Fields(text.Truncate(rest, 100))
	if len(fields) == 0 {
		return ""
	}
	switch status := ledger.SlotStatus(strings.ToLower(fields[0])); status {
	case ledger.SlotPass, ledger.SlotFail, ledger.SlotError, ledger.SlotSkipped:
		return status
	}
	return ""
}

// parseEntryLine parses "3. file:line - issue". If the number is the next one expected, "3. file -
// issue" is accepted too, so that no violation is lost for lack of a line.
func parseEntryLine(line string, next int) (ledger.SlotEntry, bool) {
	n, rest, ok := cutNumber(line)
	if !ok {
		return ledger.SlotEntry{}, false
	}
	for i := range len(rest) {
		if rest[i] != ':' {
			continue
		}
		if start, end, issue, ok := parseLineAndIssue(rest[i+1:]); ok {
			return newLogEntry(strings.TrimSpace(rest[:i]), start, end, issue), true
		}
	}
	if file, issue, found := strings.Cut(rest, " - "); found && n == next {
		return newLogEntry(strings.TrimSpace(file), 0, 0, strings.TrimSpace(issue)), true
	}
	return ledger.SlotEntry{}, false
}

// cutNumber removes a prefix like "3. " from a line.
func cutNumber(line string) (n int, rest string, ok bool) {
	number, _, found := strings.Cut(line[:min(len(line), len("1000000000. "))], ". ")
	n, ok = parseNumber(number)
	if !found || !ok {
		return 0, "", false
	}
	return n, line[len(number)+len(". "):], true
}

// parseLineAndIssue parses "42 - issue", "10-14 - issue", "? - issue" and "NaN - issue".
func parseLineAndIssue(text string) (start, end int, issue string, ok bool) {
	const longest = len("1000000000-1000000000 -")
	lines, _, found := strings.Cut(text[:min(len(text), longest)], " -")
	if !found {
		return 0, 0, "", false
	}
	issue = text[len(lines)+len(" -"):]
	if issue != "" && issue[0] != ' ' {
		return 0, 0, "", false
	}
	start, end = parseLines(lines)
	if start == 0 && lines != "?" && lines != "NaN" && lines != "0" {
		return 0, 0, "", false
	}
	return start, end, strings.TrimSpace(issue), true
}

// entriesInAnswer returns the violations of the largest JSON object in an answer that has any.
func entriesInAnswer(text string) []ledger.SlotEntry {
	var largest []ledger.SlotEntry
	size := 0
	for _, object := range topLevelObjects(text) {
		if len(object) <= size {
			continue
		}
		entries := entriesOf(object)
		if len(entries) > 0 {
			largest, size = entries, len(object)
		}
	}
	return largest
}

func entriesOf(object string) []ledger.SlotEntry {
	if !json.Valid([]byte(object)) {
		return nil
	}
	ms, err := strictjson.ReadObject(json.RawMessage(object))
	if err != nil {
		return nil
	}
	entries, err := readEntries(ms)
	if err != nil {
		return nil
	}
	for i := range entries {
		// A status or result that the reviewer set is ignored.
		entries[i].Status, entries[i].Result = string(ledger.StatusNew), nil
		if entries[i].Priority == "" {
			entries[i].Priority = string(ledger.High)
		}
	}
	return entries
}

// topLevelObjects finds what may be JSON objects between other text, in one pass: a candidate that
// turns out not to be an object is abandoned at that point, and the search continues from there.
func topLevelObjects(text string) []string {
	var objects []string
	start, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case quoted && c == '"':
			quoted = false
		case quoted && c == '\n':
			quoted, depth = false, 0 // a JSON string cannot hold a newline
		case quoted:
		case c == '"' && depth > 0:
			quoted = true
		case c == '{' && depth == 0 && !beginsObject(text[i:]):
		case c == '{':
			if depth == 0 {
				start = i
			}
			depth++
		case c == '}' && depth > 0:
			depth--
			if depth == 0 {
				objects = append(objects, text[start:i+1])
			}
		}
	}
	return objects
}

// beginsObject reports whether the brace is followed by a key or a closing brace, with a realistic
// amount of white space between.
func beginsObject(text string) bool {
	const farthest = 200
	rest := strings.TrimLeft(text[1:min(len(text), farthest)], " \t\r\n")
	return rest != "" && (rest[0] == '"' || rest[0] == '}')
}
