package clients

import (
	"bytes"
)

// shortDiff leaves out of a file's part of a diff what tells a reviewer nothing: the ids
// of contents, and git's own header where the two names follow it.
func shortDiff(text []byte) []byte {
	short := make([]byte, 0, len(text))
	var header [][]byte
	flush := func() {
		for _, line := range shortHeader(header) {
			short = append(short, line...)
		}
		header = nil
	}
	oldLeft, newLeft := 0, 0
	for line := range bytes.Lines(text) {
		var oldStart, newStart int
		switch {
		case oldLeft > 0 || newLeft > 0:
			oldLeft, newLeft = afterLine(line, oldLeft, newLeft)
			short = append(short, line...)
		case bytes.HasPrefix(line, []byte("@@ ")) && scanHunk(line, &oldStart, &oldLeft, &newStart, &newLeft):
			flush()
			short = append(short, line...)
		case line[0] == '\\' && header == nil: // "\ No newline at end of file"
			short = append(short, line...)
		case bytes.HasPrefix(line, []byte("diff --git ")):
			flush()
			header = append(header, line)
		default:
			header = append(header, line)
		}
	}
	flush()
	return short
}

// afterLine returns how many lines of the two sides a hunk still has after one of them.
func afterLine(line []byte, oldLeft, newLeft int) (int, int) {
	switch line[0] {
	case '+':
		return oldLeft, newLeft - 1
	case '-':
		return oldLeft - 1, newLeft
	case '\\':
		return oldLeft, newLeft
	}
	return oldLeft - 1, newLeft - 1
}

func shortHeader(header [][]byte) [][]byte {
	named := 0
	for _, line := range header {
		if bytes.HasPrefix(line, []byte("--- ")) || bytes.HasPrefix(line, []byte("+++ ")) {
			named++
		}
	}
	var kept [][]byte
	for _, line := range header {
		if bytes.HasPrefix(line, []byte("index ")) || named == 2 && bytes.HasPrefix(line, []byte("diff --git ")) {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// diffLines are the lines of the new side that a file's part of a diff shows, by number.
func diffLines(text []byte) map[int]string {
	lines := map[int]string{}
	oldLeft, newLeft, next := 0, 0, 0
	for line := range bytes.Lines(text) {
		if oldLeft <= 0 && newLeft <= 0 {
			var oldStart int
			if !bytes.HasPrefix(line, []byte("@@ ")) || !scanHunk(line, &oldStart, &oldLeft, &next, &newLeft) {
				oldLeft, newLeft = 0, 0
			}
			continue
		}
		if line[0] == '+' || line[0] == ' ' {
			lines[next] = string(bytes.TrimRight(line[1:], "\r\n"))
			next++
		}
		oldLeft, newLeft = afterLine(line, oldLeft, newLeft)
	}
	return lines
}

// fileLines are the lines of a whole file, by number.
func fileLines(text []byte) map[int]string {
	lines := map[int]string{}
	for i, line := range splitLines(text) {
		lines[i+1] = string(bytes.TrimRight(line, "\r"))
	}
	return lines
}
