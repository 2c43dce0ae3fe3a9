package prompt

import (
	"bytes"
	"fmt"
	"strconv"
)

// row is a line of a diff: its sign and its text, for which the number is that in the
// present file. Header lines have the sign 0.
type row struct {
	sign   byte
	number int
	text   []byte
}

// show returns a file's text as the prompt shows it: each line that exists now begins with
// its number. It remembers the lines and counts them.
func (u *unit) show(file File, whole bool) []byte {
	u.changed = true
	rows := diffRows(file.Text)
	if whole {
		rows = wholeRows(file)
	}
	width := 5
	for _, r := range rows {
		switch r.sign {
		case '+':
			u.added++
		case '-':
			u.removed++
		}
		if r.number > 0 {
			u.shown[r.number] = string(bytes.TrimRight(r.text, "\r\n"))
			width = max(width, len(strconv.Itoa(r.number)))
		}
	}
	if !whole {
		rows = shortHeaders(rows, file.Path)
	}
	var b bytes.Buffer
	for _, r := range rows {
		switch r.sign {
		case 0:
			b.Write(r.text)
		case '-', '\\':
			fmt.Fprintf(&b, "%*s %c%s", width, "", r.sign, r.text)
		default:
			fmt.Fprintf(&b, "%*d %c%s", width, r.number, r.sign, r.text)
		}
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// wholeRows are the lines of a whole file, under its name.
func wholeRows(file File) []row {
	rows := []row{{text: []byte("file " + displayed(file.Path))}}
	if len(file.Text) == 0 {
		rows[0].text = append(rows[0].text, ", which is empty"...)
	}
	for line := range bytes.Lines(file.Text) {
		rows = append(rows, row{' ', len(rows), line})
	}
	return rows
}

// diffRows reads a diff. Within a hunk it counts lines by the hunk header, so that no line
// of a file is mistaken for one of git's.
func diffRows(text []byte) []row {
	var rows []row
	oldLeft, newLeft, next := 0, 0, 0
	inHunks := false
	for line := range bytes.Lines(text) {
		switch {
		case line[0] == '\\' && inHunks: // "\ No newline at end of file"
			rows = append(rows, row{sign: '\\', text: line[1:]})
		case oldLeft > 0 || newLeft > 0:
			r := row{line[0], next, line[1:]}
			switch line[0] {
			case '-':
				r.number = 0
				oldLeft--
			case '+':
				newLeft--
				next++
			default:
				r.sign, r.text = ' ', bytes.TrimPrefix(line, []byte(" "))
				oldLeft--
				newLeft--
				next++
			}
			rows = append(rows, r)
		default:
			var isHunk bool
			if oldLeft, next, newLeft, isHunk = hunkHead(line); isHunk {
				inHunks = true
			} else if bytes.HasPrefix(line, []byte("diff --git ")) {
				inHunks = false
			}
			rows = append(rows, row{text: line})
		}
	}
	return rows
}

// hunkHead reads "@@ -1,2 +1,3 @@".
func hunkHead(line []byte) (oldCount, newStart, newCount int, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) < 4 || string(fields[0]) != "@@" {
		return 0, 0, 0, false
	}
	_, oldCount, okOld := hunkSide(fields[1], "-")
	newStart, newCount, okNew := hunkSide(fields[2], "+")
	if !okOld || !okNew {
		return 0, 0, 0, false
	}
	return oldCount, newStart, newCount, true
}

func hunkSide(field []byte, sign string) (start, count int, ok bool) {
	field, ok = bytes.CutPrefix(field, []byte(sign))
	from, length, counted := bytes.Cut(field, []byte(","))
	start, err := strconv.Atoi(string(from))
	if !ok || err != nil || start < 0 {
		return 0, 0, false
	}
	if !counted {
		return start, 1, true
	}
	count, err = strconv.Atoi(string(length))
	return start, count, err == nil && count >= 0
}

// shortHeaders leaves out of a diff's headers what is of no use to a reviewer: object ids,
// and git's extended header where the two names follow it. A change without lines is
// described in words.
func shortHeaders(rows []row, path string) []row {
	short := make([]row, 0, len(rows)+1)
	for at := 0; at < len(rows) || at == 0; {
		end, hunks := at, false // of the section of one "diff --git"
		for end < len(rows) && (end == at || !rows[end].begins("diff --git ")) {
			hunks = hunks || rows[end].begins("@@ ")
			end++
		}
		if !hunks {
			short = append(short, row{text: []byte("file " + displayed(path) + " has changed, without lines to show")})
		}
		for _, r := range rows[at:end] {
			dropped := r.begins("diff --git ") || r.begins("index ") || r.begins("similarity index ") ||
				hunks && (r.begins("rename ") || r.begins("copy "))
			if !dropped {
				short = append(short, r)
			}
		}
		at = max(end, 1)
	}
	return short
}

func (r row) begins(prefix string) bool {
	return r.sign == 0 && bytes.HasPrefix(r.text, []byte(prefix))
}
