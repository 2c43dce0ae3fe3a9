package clients

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// lineRange is a first and a last line, counted from 1. The zero value is none.
type lineRange struct{ start, end int }

// maxLine bounds line numbers: a larger one is an invention.
const maxLine = math.MaxInt32

// readPlace returns the lines that an entry names: a range if it gives one,
// else from its first to its last line. Both are 0 if it gives no usable line.
// Other is its line where that lies outside of its range.
func readPlace(fields members) (start, end int, other lineRange) {
	line := readRange(fields.last("line", "lineNumber", "line_number"))
	from := readRange(fields.last("startLine", "start_line", "lineStart", "line_start"))
	line = around(line, from) // "line" alone is where a comment on GitHub ends
	if r := readRange(fields.last("lineRange", "line_range", "lines", "range")); r.start > 0 {
		if line.start < r.start || line.end > r.end {
			other = line
		}
		return r.start, r.end, other
	}
	if line.start == 0 {
		return 0, 0, other
	}
	line = around(line, readRange(fields.last("endLine", "end_line", "lineEnd", "line_end")))
	return line.start, line.end, other
}

// around returns the range from the first to the last line of two; one may be none.
func around(a, b lineRange) lineRange {
	switch {
	case a.start == 0:
		return b
	case b.start == 0:
		return a
	}
	return lineRange{min(a.start, b.start), max(a.end, b.end)}
}

// readRange understands 10, "10", "L10", "10-14", [10, 14] and
// {"start": 10, "end": 14}.
func readRange(raw json.RawMessage) lineRange {
	if len(raw) == 0 {
		return lineRange{}
	}
	switch raw[0] {
	case '{':
		return readRangeObject(raw)
	case '[':
		var ends []json.RawMessage
		if json.Unmarshal(raw, &ends) != nil || len(ends) == 0 || len(ends) > 2 {
			return lineRange{} // a longer list is not a range
		}
		return ordered(readLine(ends[0]), readLine(ends[len(ends)-1]))
	case '"':
		return parseRange(trimmedString(raw))
	}
	line := readLine(raw)
	return lineRange{line, line}
}

func readRangeObject(raw json.RawMessage) lineRange {
	fields, err := readMembers(raw)
	if err != nil {
		return lineRange{}
	}
	start := readLine(fields.last("start", "startLine", "start_line", "from"))
	end := start
	if last := fields.last("end", "endLine", "end_line", "to"); last != nil {
		end = readLine(last)
	}
	return ordered(start, end)
}

// readLine returns a line number, or 0 if the value is none.
func readLine(raw json.RawMessage) int {
	if text, ok := stringValue(raw); ok {
		if r := parseRange(text); r.start == r.end {
			return r.start
		}
		return 0
	}
	value, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || value != math.Trunc(value) || value < 1 || value > maxLine {
		return 0
	}
	return int(value)
}

// ordered returns the range between two lines in either order, or none if one
// of them is none.
func ordered(a, b int) lineRange {
	if a == 0 || b == 0 {
		return lineRange{}
	}
	return lineRange{min(a, b), max(a, b)}
}

// parseRange reads a line or a range as people write it. After a colon stands a
// column, which is of no use here.
func parseRange(text string) lineRange {
	start, rest := cutLine(text)
	line, column, _ := strings.Cut(rest, ":")
	if start == 0 || strings.Trim(column, "0123456789") != "" {
		return lineRange{}
	}
	if strings.TrimSpace(line) == "" {
		return lineRange{start, start}
	}
	for _, separator := range []string{"-", "–", "—", "−", "‑", "...", "..", ",", "to "} {
		if last, found := strings.CutPrefix(strings.TrimSpace(line), separator); found {
			end, rest := cutLine(last)
			if strings.TrimSpace(rest) != "" {
				return lineRange{}
			}
			return ordered(start, end)
		}
	}
	return lineRange{}
}

// cutLine returns the line number that text begins with, as in "L10", and what
// follows it. The number is 0 if there is none.
func cutLine(text string) (line int, rest string) {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, word := range []string{"lines", "line", "#l", "l"} {
		if after, found := strings.CutPrefix(text, word); found {
			text = strings.TrimSpace(after)
		}
	}
	rest = strings.TrimLeft(text, "0123456789")
	line, _ = strconv.Atoi(text[:len(text)-len(rest)]) // 0 of no digits, and the largest number of too many
	if line > maxLine {
		return 0, rest
	}
	if column, found := strings.CutPrefix(rest, "c"); found { // as in "#L10C5-L14C2"
		if after := strings.TrimLeft(column, "0123456789"); after != column {
			rest = after
		}
	}
	return line, rest
}
