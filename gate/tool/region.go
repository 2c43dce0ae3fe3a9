package tool

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// number is a line or a column of a report. No value of it makes a report unreadable.
type number struct {
	n int
	// nonsense is the JSON of a value that is neither absent nor a number of a line, or "".
	nonsense string
}

// UnmarshalJSON implements [json.Unmarshaler]. It never returns an error.
func (v *number) UnmarshalJSON(data []byte) error {
	text := string(bytes.Trim(data, `"`))
	*v = number{}
	if text == "" || text == "null" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 || n > math.MaxInt32 || n != math.Trunc(n) {
		v.nonsense = clients.OneLine(string(data))
		return nil
	}
	v.n = int(n)
	return nil
}

// region is the part of a file that a result is about. Columns start at 1; the end is exclusive.
type region struct {
	StartLine, StartColumn, EndLine, EndColumn number
	// Snippet is the text of the region, and Length its length: a tool that gives one has looked at
	// the line.
	Snippet json.RawMessage
	Length  number `json:"charLength"`
}

// anyRegion is a region of which no value makes a report unreadable.
type anyRegion struct{ region }

// UnmarshalJSON implements [json.Unmarshaler]. It never returns an error.
func (r *anyRegion) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &r.region) != nil {
		r.region = region{StartLine: number{nonsense: clients.OneLine(string(data))}}
	}
	return nil
}

// lines returns the first and the last line of the region; 0 and 0 mean the file as a whole. If
// nonsense is not empty, it is a line that is none.
//
// Rule: A report is never filtered for its name.
func (r *region) lines() (first, last int, nonsense string) {
	for _, line := range []number{r.StartLine, r.EndLine} {
		if line.nonsense != "" {
			return 0, 0, line.nonsense
		}
	}
	first, last = r.StartLine.n, r.EndLine.n
	if first == 0 || r.isBeginning() {
		return 0, 0, ""
	}
	if r.EndColumn.n == 1 && last > first {
		last-- // the region ends before the first character of that line
	}
	return first, max(first, last), ""
}

// isBeginning reports whether the region is only the beginning of line 1, without its text: tools
// put there what is about the file as a whole.
//
// Rule: A report is never filtered for its name.
func (r *region) isBeginning() bool {
	return r.StartLine.n == 1 && r.StartColumn.n <= 1 && r.EndLine.n <= 1 && r.EndColumn.n <= 1 && r.Length.n == 0 && !r.hasText()
}

// hasText reports whether the region has a text.
func (r *region) hasText() bool {
	if len(r.Snippet) == 0 || string(r.Snippet) == "null" {
		return false
	}
	var snippet struct{ Text string }
	return json.Unmarshal(r.Snippet, &snippet) != nil || strings.TrimSpace(snippet.Text) != ""
}
