package clients

import (
	"bytes"
	"fmt"
	"iter"

	form "github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
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
	// Claims are to be verified. Known are open problems: results in their files count, too.
	Claims, Known []ledger.Violation
}

// SubjectFile is one file under review.
type SubjectFile struct {
	Path string
	// Text is the file's part of the diff, or its content.
	Text []byte
}

// DiffLine is a line that a file's part of a unified diff shows.
type DiffLine struct {
	// Hunk counts the hunks from 1.
	Hunk int
	// Kind is '+', '-', or ' ' for an unchanged line.
	Kind byte
	// Text is the line without its line feed.
	Text []byte
	// New is its number on the new side; of a removed line it is that of the line below.
	New int
}

// DiffLines yields the lines that a file's part of a unified diff shows.
func DiffLines(part []byte) iter.Seq[DiffLine] {
	return func(yield func(DiffLine) bool) {
		hunk, oldLeft, newLeft, next := 0, 0, 0, 0
		for line := range bytes.Lines(part) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if oldLeft <= 0 && newLeft <= 0 {
				if bytes.HasPrefix(line, []byte("@@ -")) && scanHunk(line, &oldLeft, &next, &newLeft) {
					hunk++
				}
				continue
			}
			shown := DiffLine{Hunk: hunk, Kind: ' ', Text: line, New: next}
			if len(line) > 0 {
				shown.Kind, shown.Text = line[0], line[1:]
			}
			switch shown.Kind {
			case '\\': // no newline at the end of the file
				continue
			case '+':
				next, newLeft = next+1, newLeft-1
			case '-':
				oldLeft--
			default:
				shown.Kind, next, oldLeft, newLeft = ' ', next+1, oldLeft-1, newLeft-1
			}
			if !yield(shown) {
				return
			}
		}
	}
}

// scanHunk reads "@@ -10,7 +10,8 @@"; a missing count is 1.
func scanHunk(line []byte, oldCount, newStart, newCount *int) bool {
	var oldStart int
	fields := bytes.Fields(line)
	if len(fields) < 4 || !scanSide(fields[1], "-", &oldStart, oldCount) || !scanSide(fields[2], "+", newStart, newCount) {
		return false
	}
	if *newCount == 0 {
		*newStart++ // git gives the line before a pure deletion
	}
	return true
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

// WholeChange is the file of a result without a place. It is not the name of a file, so
// that the result is about the change as a whole.
const WholeChange = "."

// Found writes the answer of a reviewer that does not ask a model: its findings, each once,
// because a claim and the diff may both lead to it, and its verdicts on claims that are not
// fixed.
func Found(entries []ledger.Entry, claims []ledger.ClaimWord) string {
	type same struct {
		place      ledger.Place
		issue, fix string
		priority   ledger.Priority
	}
	found, seen := form.Form{Status: form.Pass, Claims: claims}, map[same]bool{}
	for _, e := range entries {
		if is := (same{e.Place, e.Issue, e.Fix, e.Priority}); !seen[is] {
			seen[is], found.Violations = true, append(found.Violations, e)
		}
	}
	if len(found.Violations)+len(claims) > 0 {
		found.Status = form.Fail
	}
	return form.Write(found)
}
