package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Subject is what a prompt is about, for a reviewer that reads no prompt: the built-in one
// and the analysis tools.
type Subject struct {
	// Files are the changed files.
	Files []SubjectFile
	// WholeFiles means that the files' texts are their content, not a diff.
	WholeFiles bool
	// EntryPoint is the folder under review, relative to the repository's root; "" and "."
	// are the root itself.
	EntryPoint string
	// Claims are to be verified. Known are open problems, in whose files results count too.
	Claims, Known []SubjectPlace
}

// SubjectFile is one file under review.
type SubjectFile struct {
	Path string
	// Text is the file's part of the diff, or its content.
	Text []byte
}

// ScanHunk reads "@@ -10,7 +10,8 @@"; a missing count is 1. It reports false
// if the line is not such a head.
func ScanHunk(line []byte, oldStart, oldCount, newStart, newCount *int) bool {
	fields := bytes.Fields(line)
	if len(fields) < 4 {
		return false
	}
	return scanSide(fields[1], "-", oldStart, oldCount) && scanSide(fields[2], "+", newStart, newCount)
}

func scanSide(field []byte, sign string, start, count *int) bool {
	*count = 1
	rest, ok := bytes.CutPrefix(field, []byte(sign))
	if !ok {
		return false
	}
	format, into := "%d", []any{start}
	if bytes.IndexByte(rest, ',') >= 0 {
		format, into = "%d,%d", []any{start, count}
	}
	_, err := fmt.Sscanf(string(rest), format, into...)
	return err == nil && *start >= 0 && *count >= 0
}

// SubjectPlace is where something was reported before.
type SubjectPlace struct {
	ID, File string
	// Start and End are its lines now; 0 and 0 mean the whole file, an End of 0 one line.
	Start, End int
	Issue      string
}

// WholeChange is the file of what a tool reports without a place: a name that is not that of
// a file makes it a problem of the change as a whole.
const WholeChange = "."

// Written is a violation as the reviewers of this program write it in their answers.
type Written struct {
	File     string `json:"file"`
	Line     any    `json:"line"` // a number, or a range "10-14"
	Issue    string `json:"issue"`
	Fix      string `json:"fix"`
	Priority string `json:"priority"`
}

// NotFixed says of a claim that it is not fixed. That one is fixed is not written: these
// reviewers confirm by absence.
type NotFixed struct{ ID, Evidence string }

// WriteAnswer writes an answer in the form that lists these violations, each once: a claim
// and the diff may both give it.
func WriteAnswer(entries []Written, claims ...NotFixed) (string, error) {
	type word struct {
		ID       string `json:"id"`
		Verdict  string `json:"verdict"`
		Evidence string `json:"evidence"`
	}
	answer := struct {
		Status     string    `json:"status"`
		Violations []Written `json:"violations"`
		Claims     []word    `json:"claims,omitempty"`
	}{Status: "pass", Violations: withoutRepeats(entries)}
	for _, c := range claims {
		answer.Claims = append(answer.Claims, word{c.ID, "not_fixed", c.Evidence})
	}
	if len(entries)+len(claims) > 0 {
		answer.Status = "fail"
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(answer); err != nil {
		return "", fmt.Errorf("write the answer: %w", err)
	}
	return out.String(), nil
}

func withoutRepeats(entries []Written) []Written {
	once := []Written{}
	seen := map[Written]bool{}
	for _, e := range entries {
		if !seen[e] {
			once = append(once, e)
		}
		seen[e] = true
	}
	return once
}
