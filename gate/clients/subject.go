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

// SubjectPlace is where something was reported before.
type SubjectPlace struct {
	ID, File string
	// Start and End are its lines now; 0 and 0 mean the whole file, an End of 0 one line.
	Start, End int
	Issue      string
}

// Written is a violation as the reviewers of this program write it in their answers.
type Written struct {
	File     string `json:"file"`
	Line     any    `json:"line"` // a number, or a range "10-14"
	Issue    string `json:"issue"`
	Fix      string `json:"fix"`
	Priority string `json:"priority"`
}

// writtenClaim says of a claim that it is not fixed. That one is fixed is not written: these
// reviewers confirm by absence.
type writtenClaim struct {
	ID       string `json:"id"`
	Verdict  string `json:"verdict"`
	Evidence string `json:"evidence"`
}

func notFixed(id, evidence string) writtenClaim { return writtenClaim{id, "not_fixed", evidence} }

// WriteAnswer writes an answer in the form that lists these violations.
func WriteAnswer(entries []Written) (string, error) { return writeAnswer(entries, nil) }

func writeAnswer(entries []Written, claims []writtenClaim) (string, error) {
	answer := struct {
		Status     string         `json:"status"`
		Violations []Written      `json:"violations"`
		Claims     []writtenClaim `json:"claims,omitempty"`
	}{"pass", append([]Written{}, entries...), claims}
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
