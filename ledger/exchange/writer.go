package exchange

import "io"

// A Writer writes the records of a dump as lines of JSON.
type Writer struct {
	w    io.Writer
	rows int
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Put writes a row, or a run with all its rows. It fills in the count of the row "end". Texts are
// preserved byte for byte.
func (w *Writer) Put(record Record) error {
	if record.Run == nil {
		return w.row(record.Row)
	}
	if err := w.row(record.Run.Head); err != nil {
		return err
	}
	return record.Run.Each(w.row)
}

func (w *Writer) row(row Row) error {
	if row.Kind == "end" {
		row = row.With("rows", int64(w.rows))
	}
	line, err := row.line()
	if err != nil {
		return err
	}
	w.rows++
	_, err = w.w.Write(line)
	return err
}
