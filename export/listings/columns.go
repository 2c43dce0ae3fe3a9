// Package listings formats the results of queries: as JSON and CSV for programs and as tables for
// people. The commands, the dashboard and the MCP server all use it, so that the same thing has the
// same name everywhere. It does not query a ledger: it turns rows into text.
package listings

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Columns describe what is listed of a thing, such as a run: in JSON, CSV, tables, the answers of the
// MCP server and docs/json.md.
type Columns[R any] []Column[R]

// Column is one column: a key in JSON and, if it has a title, a column of tables.
type Column[R any] struct {
	// Key is the key in JSON and the title in CSV. Doc is what docs/json.md says about it; it is empty
	// if a text there names the key.
	Key, Doc string
	// Value returns a text, a number, a time, a count and so on; nil is null.
	Value func(*R) any
	// Optional leaves the key out of JSON where it is null, and out of CSV.
	Optional bool
	// Column is how the column is laid out in tables.
	text.Column
	// Cell returns the cell of a table if it is not the value as text.
	Cell func(*R) text.Cell
	// Usual is the text with which the column is left out of a table, if all rows have it. Same leaves
	// it out if all rows have the same text.
	Usual string
	Same  bool
}

// Object returns the JSON form of a row.
func (c Columns[R]) Object(row R) text.Object {
	object := make(text.Object, 0, len(c))
	for _, column := range c {
		if value := inJSON(column.Value(&row)); value != nil || !column.Optional {
			object = append(object, text.Member{Key: column.Key, Value: value})
		}
	}
	return object
}

// Objects returns the JSON form of rows.
func (c Columns[R]) Objects(rows []R) []text.Object {
	list := make([]text.Object, 0, len(rows))
	for _, row := range rows {
		list = append(list, c.Object(row))
	}
	return list
}

// inJSON returns what is encoded for a value. No list is null.
func inJSON(value any) any {
	switch value := value.(type) {
	case time.Time:
		return text.Timestamp(value)
	case ledger.Count:
		return newCountJSON(value)
	case []string:
		return append([]string{}, value...)
	case []ledger.Place:
		return append([]ledger.Place{}, value...)
	}
	return value
}

// orNull returns a text, or nil if it is empty.
func orNull[T ~string](s T) any {
	if s == "" {
		return nil
	}
	return string(s)
}

// Of describes a thing by the columns of a part of it.
func Of[R, Part any](columns Columns[Part], part func(*R) *Part) Columns[R] {
	of := make(Columns[R], len(columns))
	for i, c := range columns {
		of[i] = Column[R]{Key: c.Key, Doc: c.Doc, Optional: c.Optional, Column: c.Column, Usual: c.Usual, Same: c.Same}
		of[i].Value = func(row *R) any { return c.Value(part(row)) }
		if c.Cell != nil {
			of[i].Cell = func(row *R) text.Cell { return c.Cell(part(row)) }
		}
	}
	return of
}

// laidOut returns the columns with another layout of one.
func (c Columns[R]) laidOut(key string, layout text.Column) Columns[R] {
	c = slices.Clone(c)
	c[c.index(key)].Column = layout
	return c
}

// shown returns the columns with other cells of one.
func (c Columns[R]) shown(key string, cell func(*R) text.Cell) Columns[R] {
	c = slices.Clone(c)
	c[c.index(key)].Cell = cell
	return c
}

func (c Columns[R]) index(key string) int {
	at := slices.IndexFunc(c, func(column Column[R]) bool { return column.Key == key })
	if at < 0 {
		panic("there is no column " + key) // the keys are part of the program
	}
	return at
}

func (c Columns[R]) keys() []string {
	keys := make([]string, len(c))
	for i, column := range c {
		keys[i] = column.Key
	}
	return keys
}

// Pick returns the columns with these keys, in this order.
func (c Columns[R]) Pick(keys ...string) Columns[R] {
	picked := make(Columns[R], len(keys))
	for i, key := range keys {
		picked[i] = c[c.index(key)]
	}
	return picked
}

// without returns the columns but for those with these keys.
func (c Columns[R]) without(keys ...string) Columns[R] {
	return slices.DeleteFunc(slices.Clone(c), func(column Column[R]) bool { return slices.Contains(keys, column.Key) })
}

// Table returns a table with the columns of these keys, in this order.
func (c Columns[R]) Table(rows []R, keys ...string) text.Table {
	t := text.Table{Rows: make([]text.Row, len(rows))}
	for _, column := range c.Pick(keys...) {
		layout, cells := column.cells(rows)
		if column.leftOut(cells) {
			continue
		}
		t.Columns = append(t.Columns, layout)
		for i, cell := range cells {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
		}
	}
	return t
}

// cells returns the column of a table and its cells. The title of a column of times names their zone.
func (c Column[R]) cells(rows []R) (text.Column, []text.Cell) {
	cells := make([]text.Cell, len(rows))
	var times []time.Time
	for i := range rows {
		if c.Cell != nil {
			cells[i] = c.Cell(&rows[i])
			continue
		}
		value := c.Value(&rows[i])
		if at, is := value.(time.Time); is {
			times = append(times, at)
		}
		cells[i] = text.Cell{Text: inCell(value)}
	}
	if len(times) == 0 {
		return c.Column, cells
	}
	zoned, cells := text.TimeColumn(c.Title, times)
	layout := c.Column
	layout.Title = zoned.Title
	return layout, cells
}

func (c Column[R]) leftOut(cells []text.Cell) bool {
	usual := c.Usual
	if c.Same && len(cells) > 0 {
		usual = cells[0].Text
	}
	return usual != "" && !slices.ContainsFunc(cells, func(cell text.Cell) bool { return cell.Text != usual })
}

// WriteCSV writes rows as CSV, with the keys as titles. Null is an empty cell.
func WriteCSV[R any](w io.Writer, columns Columns[R], rows iter.Seq2[R, error]) error {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[R]) bool { return c.Optional })
	return text.WriteCSV(w, columns.keys(), text.Mapped(rows, func(row R) []string {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = inCell(inJSON(c.Value(&row)))
		}
		return cells
	}))
}

// inCell returns a value as a text: those of a list are separated by spaces, and places, which may have
// spaces, by semicolons.
func inCell(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case *string:
		if value == nil {
			return ""
		}
		return *value
	case ledger.Count:
		return fmt.Sprint(value.Violations)
	case []string:
		return strings.Join(value, " ")
	case []ledger.Place:
		places := make([]string, 0, len(value))
		for _, p := range value {
			places = append(places, p.String())
		}
		return strings.Join(places, "; ")
	}
	return fmt.Sprint(value)
}
