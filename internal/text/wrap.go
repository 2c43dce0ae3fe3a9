package text

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks lines between words so that none is longer than width, except for single words. The
// lines of a paragraph are joined first, unless they are indented. Lines that continue a line with
// columns are aligned with its last column.
func Wrap(text string, width int) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		column := lastColumn(line)
		for i+1 < len(lines) && continues(line, lines[i+1], column) {
			i++
			line += " " + strings.TrimLeft(lines[i], " ")
		}
		wrapLine(&b, line, column, width)
		if i+1 < len(lines) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// continues reports whether the next line continues this one: neither is empty, this one does not
// end with a colon, and the next is aligned with the text of this one.
func continues(line, next string, column int) bool {
	if strings.TrimSpace(line) == "" || strings.TrimSpace(next) == "" || strings.HasSuffix(line, ":") {
		return false
	}
	indented := len(next) - len(strings.TrimLeft(next, " "))
	own := len(line) - len(strings.TrimLeft(line, " "))
	return indented == column && (column > own || column == 0)
}

// lastColumn returns where the text of a line begins: after its indentation, or after its last gap
// of two or more spaces.
func lastColumn(line string) int {
	if gap := strings.LastIndex(line, "  "); gap >= 0 {
		return gap + len("  ")
	}
	return len(line) - len(strings.TrimLeft(line, " "))
}

func wrapLine(b *strings.Builder, line string, column, width int) {
	for utf8.RuneCountInString(line) > width {
		at := lastSpace(line, column, width)
		if at < 0 {
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		line = strings.Repeat(" ", column) + strings.TrimLeft(line[at:], " ")
	}
	b.WriteString(line)
}

// lastSpace returns the last position after column where breaking the line makes it fit the width,
// or else the first one beyond the width, or -1.
func lastSpace(line string, column, width int) int {
	found, runes := -1, 0
	for i, r := range line {
		if r == ' ' && i > column {
			if runes > width && found >= 0 {
				break
			}
			if found = i; runes > width {
				break
			}
		}
		runes++
	}
	return found
}
