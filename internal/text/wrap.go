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

// Fill breaks one line into lines of at most width columns: between words, and within a word only if
// it is longer than a line. A width of 0 or less breaks nothing.
func Fill(text string, width int) (lines []string) {
	for width > 0 && Width(text) > width {
		at := len(columns.Truncate(text, width, ""))
		if space := strings.LastIndexByte(text[:at+1], ' '); space > 0 {
			at = space
		}
		if at == 0 { // not even one character fits
			break
		}
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	return append(lines, text)
}

// fitIndent is how much further the lines are indented that continue one in [Fit].
const fitIndent = 2

// Fit breaks the lines that are wider than width between words. Words stay whole, so that paths can
// be copied: one that is too long for its line is indented less. A width of 0 or less breaks nothing.
func Fit(text string, width int) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		words := strings.TrimSuffix(line, "\n")
		if width <= 0 || Width(words) <= width {
			continue
		}
		var b strings.Builder
		used, indent := 0, len(words)-len(strings.TrimLeft(words, " "))
		for rest := words; rest != ""; {
			gap := len(rest) - len(strings.TrimLeft(rest, " "))
			word, _, _ := strings.Cut(rest[gap:], " ")
			rest = rest[gap+len(word):]
			wide := Width(word)
			if used > 0 && used+gap+wide > width {
				b.WriteByte('\n')
				used, gap = 0, min(indent+fitIndent, max(0, width-wide))
			}
			b.WriteString(strings.Repeat(" ", gap) + word)
			used += gap + wide
		}
		lines[i] = b.String() + line[len(words):] // with its line break
	}
	return strings.Join(lines, "")
}
