package text

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

// Table is text in columns, for people.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Column is one column of a [Table].
type Column struct {
	Title string
	Right bool // aligned right, as numbers are
	// Cut columns hold long text and are cut if the table is wider than the terminal. Late columns
	// tell rows apart, and are cut after the others.
	Cut, Late bool
	// Min is the width that a Cut column keeps as long as another column can be cut.
	Min int
	// End columns hold addresses, whose end matters most: they are cut at the beginning.
	End bool
	// Short is how many characters are enough, as the beginning of an ID is. The rest is left out
	// if the table is too wide. 0 means all.
	Short int
	// Spare columns are left out if cutting others is not enough.
	Spare bool
	// Whole columns are not cut in a table that is too wide. A text that is too long for the first
	// column has a line of its own above the rest of its row; the texts of other ones stand below.
	Whole bool
}

// Row is one line of a [Table]. A row with a Heading has no cells: it starts a group of rows.
type Row struct {
	Heading string
	Cells   []Cell
	below   []string // of Whole columns
}

// Cell is one text of a [Table], with an optional color.
type Cell struct {
	Text  string
	Color string
	// Short replaces Text in a table that is too wide, if it is not empty.
	Short string
}

// minCut is the least width that a column is cut to.
const minCut = 6

func (c Column) least() int { return max(c.Min, minCut) }

// Write prints the table, without the columns that have no text. Foreign text is escaped. If the
// style has a width, no line is longer: columns are cut, and lines if that is not enough. An
// ellipsis shows where.
func (t Table) Write(w io.Writer, style Style) error {
	t, widths := t.withoutEmpty().fitted(style.Width)
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
			writeFilled(&out, "", EscapeLine(row.Heading), style.Width)
			continue
		}
		t.writeLine(&out, style, widths, indent, t.above(&out, style, widths, indent, row.Cells))
		for _, words := range row.below {
			writeFilled(&out, indent+belowIndent, EscapeLine(words), style.Width)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

const (
	columnGap   = 2
	groupIndent = "  " // indent of the rows under a heading
	belowIndent = "  " // further indent of what stands below its row
)

// fitted returns the table cut to the limit, as far as that is possible, and the widths of its
// columns.
func (t Table) fitted(limit int) (Table, []int) {
	widths := t.widths()
	if limit <= 0 || t.total(widths) <= limit {
		return t, widths
	}
	t = t.shortened().withWholeBelow()
	widths = t.widths()
	narrow := t.narrowed(widths, limit, func(c Column) (int, bool) { return c.least(), !c.Late })
	for i := len(t.Columns) - 1; i >= 0 && t.total(narrow) > limit; i-- {
		if t.Columns[i].Spare {
			t, widths = t.without(i), slices.Delete(widths, i, i+1)
			narrow = t.narrowed(widths, limit, func(c Column) (int, bool) { return c.least(), !c.Late })
		}
	}
	narrow = t.narrowed(narrow, limit, func(c Column) (int, bool) { return c.least(), true })
	return t, t.narrowed(narrow, limit, func(Column) (int, bool) { return minCut, true })
}

func (t Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for i, column := range t.Columns {
		widths[i] = Width(column.Title)
		for _, row := range t.Rows {
			if i < len(row.Cells) {
				widths[i] = max(widths[i], Width(EscapeLine(row.Cells[i].Text)))
			}
		}
	}
	return widths
}

func (t Table) total(widths []int) int {
	total := columnGap * (len(widths) - 1)
	if len(t.Rows) > 0 && t.Rows[0].Heading != "" {
		total += len(groupIndent)
	}
	for _, width := range widths {
		total += width
	}
	return total
}

// narrowed takes width from the widest column that may be cut until the table fits, or until each
// such column has its least width.
func (t Table) narrowed(widths []int, limit int, least func(Column) (width int, may bool)) []int {
	widths = slices.Clone(widths)
	for total := t.total(widths); total > limit; total-- {
		widest := -1
		for i, column := range t.Columns {
			if width, may := least(column); column.Cut && may && widths[i] > width && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// withoutEmpty returns the table without the columns that have no text in any row.
func (t Table) withoutEmpty() Table {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		rows, texts := 0, 0
		for _, row := range t.Rows {
			if i < len(row.Cells) {
				rows++
				texts += len(row.Cells[i].Text)
			}
		}
		if rows > 0 && texts == 0 {
			t = t.without(i)
		}
	}
	return t
}

// withWholeBelow returns the table with the texts of its Whole columns, except for the first column,
// below their rows.
func (t Table) withWholeBelow() Table {
	for i := len(t.Columns) - 1; i > 0; i-- {
		if !t.Columns[i].Whole {
			continue
		}
		below := make([][]string, len(t.Rows))
		for n, row := range t.Rows {
			if below[n] = row.below; i < len(row.Cells) && row.Cells[i].Text != "" {
				below[n] = append([]string{row.Cells[i].Text}, row.below...)
			}
		}
		t = t.without(i)
		for n := range t.Rows {
			t.Rows[n].below = below[n]
		}
	}
	return t
}

// above writes the text of a row's first cell if it must not be cut and is too long for its column. It
// returns the cells that remain to be written.
func (t Table) above(out *bytes.Buffer, style Style, widths []int, indent string, cells []Cell) []Cell {
	if len(cells) == 0 || !t.Columns[0].Whole || Width(EscapeLine(cells[0].Text)) <= widths[0] {
		return cells
	}
	writeFilled(out, indent, EscapeLine(cells[0].Text), style.Width)
	cells = slices.Clone(cells)
	cells[0].Text = ""
	return cells
}

// writeFilled writes a text on as many lines as it needs.
func writeFilled(out *bytes.Buffer, indent, text string, width int) {
	for _, line := range Fill(text, width-len(indent)) {
		out.WriteString(indent + line + "\n")
	}
}

// shortened returns the table with the short forms of the texts that have one.
func (t Table) shortened() Table {
	rows := make([]Row, len(t.Rows))
	for n, row := range t.Rows {
		rows[n] = row
		rows[n].Cells = slices.Clone(row.Cells)
		for i := range rows[n].Cells {
			cell := &rows[n].Cells[i]
			if cell.Short != "" {
				cell.Text = cell.Short
			} else if short := t.Columns[i].Short; short > 0 && len(cell.Text) > short {
				cell.Text = cell.Text[:short]
			}
		}
	}
	t.Rows = rows
	return t
}

func (t Table) without(column int) Table {
	t.Columns = slices.Delete(slices.Clone(t.Columns), column, column+1)
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		if column < len(row.Cells) {
			t.Rows[i].Cells = slices.Delete(slices.Clone(row.Cells), column, column+1)
		}
	}
	return t
}

func (t Table) writeLine(out *bytes.Buffer, style Style, widths []int, indent string, cells []Cell) {
	out.WriteString(indent)
	used := len(indent)
	for i, cell := range cells {
		text := t.Columns[i].cut(EscapeLine(cell.Text), widths[i])
		pad := strings.Repeat(" ", widths[i]-Width(text))
		before, after := "", pad
		if t.Columns[i].Right {
			before, after = pad, ""
		}
		if i > 0 {
			before = strings.Repeat(" ", columnGap) + before
		}
		// Where even the least widths are too much, the line ends with an ellipsis.
		if used += len(before) + Width(text) + len(after); style.Width > 0 && (used > style.Width || used == style.Width && i < len(cells)-1) {
			room := style.Width - (used - len(before) - Width(text) - len(after))
			out.WriteString(Cut(before+text+"  ", room))
			break
		}
		out.WriteString(before + style.Paint(cell.Color, text) + after)
	}
	out.Truncate(len(bytes.TrimRight(out.Bytes(), " ")))
	out.WriteByte('\n')
}

// Cut shortens text to a width and ends it with an ellipsis. A width of 0 or less cuts nothing.
func Cut(text string, width int) string {
	if width <= 0 || Width(text) <= width {
		return text
	}
	return columns.Truncate(text, width, "…")
}

// CutStart is [Cut], but cuts the beginning and keeps the end.
func CutStart(text string, width int) string {
	over := Width(text) - width
	if width <= 0 || over <= 0 {
		return text
	}
	return columns.TruncateLeft(text, over+1, "…")
}

func (c Column) cut(text string, width int) string {
	if c.End {
		return CutStart(text, width)
	}
	return Cut(text, width)
}

// Width returns how many terminal columns the text takes.
func Width(text string) int {
	if Plain(text) {
		return len(text)
	}
	return columns.StringWidth(text)
}

// columns measures text the same way on every machine. The package's default depends on the locale.
var columns = &runewidth.Condition{StrictEmojiNeutral: true}

// LocalTime formats a time for people, in the local zone and with its name.
func LocalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04 MST")
}

// TimeColumn returns a column of local times and its cells. The title names the zone; where summer
// time begins or ends between the times, each cell does. Short forms of cells omit the year if all
// times are of the same year, otherwise the time of day.
func TimeColumn(title string, times []time.Time) (Column, []Cell) {
	var zones []string
	var years []int
	for _, at := range times {
		if !at.IsZero() {
			zone, _ := at.Local().Zone()
			zones, years = append(zones, zone), append(years, at.Local().Year())
		}
	}
	oneZone, oneYear := len(slices.Compact(zones)) == 1, len(slices.Compact(years)) == 1
	zone := " MST"
	if oneZone {
		title, zone = title+" "+zones[0], ""
	}
	cells := make([]Cell, len(times))
	for i, at := range times {
		switch {
		case at.IsZero():
			continue
		case oneYear:
			cells[i].Short = at.Local().Format("01-02 15:04" + zone)
		default:
			cells[i].Short = LocalDay(at)
		}
		cells[i].Text = at.Local().Format("2006-01-02 15:04" + zone)
	}
	return Column{Title: title}, cells
}

// LocalDay formats the day of a time, in the local zone.
func LocalDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02")
}

// Timestamp formats a time for files that programs read. It returns nil for the zero time.
func Timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	at := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &at
}

// Number returns a cell with a number.
func Number(n int) Cell { return Cell{Text: strconv.Itoa(n)} }

// Bytes formats a number of bytes for people, as in "1.5 MiB".
func Bytes[N int64 | uint64](n N) string {
	const unit = 1024
	size, names := float64(n), []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	at := 0
	for size >= unit && at < len(names)-1 {
		size /= unit
		at++
	}
	if at == 0 {
		return fmt.Sprintf("%d %s", n, names[0])
	}
	return fmt.Sprintf("%.1f %s", size, names[at])
}
