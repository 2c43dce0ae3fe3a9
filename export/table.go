package export

import (
	"bytes"
	"io"
	"time"
	"unicode"
)

// Table is text in columns for people.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Column is one column of a [Table].
type Column struct {
	Title string
	Right bool // set flush right, as numbers are
	// Cut columns give way, as they hold long text, when the table is wider
	// than the terminal.
	Cut bool
}

// Row is one line of a [Table]. A row with a Heading has no cells: it begins a
// group of rows.
type Row struct {
	Heading string
	Cells   []Cell
}

// Cell is one text of a [Table], with the colour of its status or none.
type Cell struct {
	Text  string
	Color string
}

// minCut is the width that a column is cut to at most.
const minCut = 6

// Write prints the table. Foreign text is escaped. Where width is positive, no
// line is longer if cutting the long columns can help it; an ellipsis shows
// where something was cut.
func (t Table) Write(w io.Writer, style Style, width int) error {
	widths := t.widths(width)
	var out bytes.Buffer
	titles := make([]Cell, len(t.Columns))
	for i, column := range t.Columns {
		titles[i].Text = column.Title
	}
	indent := ""
	if len(t.Rows) > 0 && t.Rows[0].Heading != "" {
		indent = groupIndent
	}
	t.writeLine(&out, style, widths, indent, titles)
	for _, row := range t.Rows {
		if row.Heading != "" {
			out.WriteString(Cut(EscapeLine(row.Heading), width) + "\n")
			continue
		}
		t.writeLine(&out, style, widths, indent, row.Cells)
	}
	_, err := w.Write(out.Bytes())
	return err
}

const (
	columnGap   = 2
	groupIndent = "  " // of the rows under a heading
)

func (t Table) widths(limit int) []int {
	widths := make([]int, len(t.Columns))
	total := columnGap * (len(widths) - 1)
	if len(t.Rows) > 0 && t.Rows[0].Heading != "" {
		total += len(groupIndent)
	}
	for i, column := range t.Columns {
		widths[i] = Width(column.Title)
		for _, row := range t.Rows {
			if i < len(row.Cells) {
				widths[i] = max(widths[i], Width(EscapeLine(row.Cells[i].Text)))
			}
		}
		total += widths[i]
	}
	for limit > 0 && total > limit {
		widest := -1
		for i, column := range t.Columns {
			if column.Cut && widths[i] > minCut && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

func (t Table) writeLine(out *bytes.Buffer, style Style, widths []int, indent string, cells []Cell) {
	out.WriteString(indent)
	for i, cell := range cells {
		text := Cut(EscapeLine(cell.Text), widths[i])
		pad := widths[i] - Width(text)
		if cell.Color != "" {
			text = style.paint(cell.Color, text)
		}
		if i > 0 {
			writeSpaces(out, columnGap)
		}
		if t.Columns[i].Right {
			writeSpaces(out, pad)
			out.WriteString(text)
		} else {
			out.WriteString(text)
			writeSpaces(out, pad)
		}
	}
	out.Truncate(len(bytes.TrimRight(out.Bytes(), " ")))
	out.WriteByte('\n')
}

func writeSpaces(out *bytes.Buffer, n int) {
	for range n {
		out.WriteByte(' ')
	}
}

// Cut shortens text to a width, with an ellipsis for what is left out. A width
// that is not positive cuts nothing.
func Cut(text string, width int) string {
	if width <= 0 || Width(text) <= width {
		return text
	}
	used := 0
	for i, r := range text {
		used += runeWidth(r)
		if used > width-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Width is how many columns of a terminal the text takes.
func Width(text string) int {
	if plain(text) {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// runeWidth is 0 for marks that combine with what is before them, and 2 for the
// wide letters of East Asia and for emoji.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		0xff01 <= r && r <= 0xff60, 0x1f300 <= r && r <= 0x1faff:
		return 2
	}
	return 1
}

// LocalTime is a time as tables show it, in the local zone.
func LocalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// localDay is the day of a time in the local zone.
func localDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02")
}

// timestamp is a time in files that programs read, or nil for none.
func timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}
