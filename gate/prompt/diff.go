package prompt

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// show adds a file's text to the part as the prompt shows it, where each line that now exists begins
// with its number. It records the lines and counts them.
func (u *unit) show(part *shownPart, file diff.File, whole bool) {
	u.changed = true
	added, removed := 0, 0
	rows := slices.Collect(diff.Rows(file.Text))
	if whole {
		rows = wholeRows(file)
	}
	width := 5
	for _, r := range rows {
		switch r.Kind {
		case '+':
			added++
		case '-':
			removed++
		}
		if r.Kind == '+' || r.Kind == ' ' {
			u.shown[r.New] = string(bytes.TrimRight(r.Text, "\r\n"))
			width = max(width, len(strconv.Itoa(r.New)))
		}
	}
	if !whole {
		rows = shortHeaders(rows, file.Path())
	}
	var b bytes.Buffer
	for _, r := range rows {
		switch r.Kind {
		case 0:
			b.Write(r.Text)
		case '-', '\\':
			fmt.Fprintf(&b, "%*s %c%s", width, "", r.Kind, r.Text)
		default:
			fmt.Fprintf(&b, "%*d %c%s", width, r.New, r.Kind, r.Text)
		}
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	part.text = append(part.text, b.Bytes()...)
	part.files = append(part.files, fileSummary(u.path, added, removed, whole)...)
}

// wholeRows returns the lines of a whole file, after its name.
func wholeRows(file diff.File) []diff.Line {
	rows := []diff.Line{{Text: []byte("file " + displayed(file.Path()))}}
	if len(file.Text) == 0 {
		rows[0].Text = append(rows[0].Text, ", which is empty"...)
	}
	for line := range bytes.Lines(file.Text) {
		rows = append(rows, diff.Line{Kind: ' ', New: len(rows), Text: line})
	}
	return rows
}

// shortHeaders leaves out parts of a diff's headers that are of no use to a reviewer: object ids,
// and git's extended header if the two names follow it. A change without lines is described in
// words.
func shortHeaders(rows []diff.Line, path string) []diff.Line {
	short := make([]diff.Line, 0, len(rows)+1)
	for at := 0; at < len(rows) || at == 0; {
		end, hunks := at, false // of the section of one "diff --git"
		for end < len(rows) && (end == at || !begins(rows[end], "diff --git ")) {
			hunks = hunks || begins(rows[end], "@@ ")
			end++
		}
		if !hunks {
			short = append(short, diff.Line{Text: []byte("file " + displayed(path) + " has changed, without lines to show")})
		}
		for _, r := range rows[at:end] {
			dropped := begins(r, "diff --git ") || begins(r, "index ") || begins(r, "similarity index ") ||
				hunks && (begins(r, "rename ") || begins(r, "copy "))
			if !dropped {
				short = append(short, r)
			}
		}
		at = max(end, 1)
	}
	return short
}

// begins reports whether the row is a header with the prefix.
func begins(row diff.Line, prefix string) bool {
	return row.Kind == 0 && bytes.HasPrefix(row.Text, []byte(prefix))
}
