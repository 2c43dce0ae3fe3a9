package exchange

import (
	"bytes"
	"fmt"
	"io"
	"reflect"

	"github.com/reviewledger/reviewledger/internal/text"
)

// A Writer writes the records of a dump as lines of JSON.
type Writer struct {
	w    io.Writer
	rows int
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Put writes a record: a [Header], [Meta], [Job], [Cooldown], [ForgottenSkip], [File] or [Blob], a
// [*Run] with all its rows, or finally an [End], whose count it fills in. Texts are preserved byte
// for byte.
func (w *Writer) Put(record any) error {
	switch r := record.(type) {
	case *Run:
		return w.run(r)
	case End:
		record = End{Rows: w.rows}
	}
	kind, err := kindOf(record)
	if err != nil {
		return err
	}
	return w.line(kind, record)
}

func kindOf(record any) (string, error) {
	switch record.(type) {
	case Header:
		return "header", nil
	case Meta:
		return "meta", nil
	case Job:
		return "job", nil
	case Cooldown:
		return "cooldown", nil
	case File:
		return "file", nil
	case ForgottenSkip:
		return "forgotten_skip", nil
	case Blob:
		return "blob", nil
	case End:
		return "end", nil
	}
	return "", fmt.Errorf("%T is not a record of a dump", record)
}

func (w *Writer) run(r *Run) error {
	if err := w.line("run", r.Head); err != nil {
		return err
	}
	return r.Each(func(row Row) error { return w.line(row.At.Kind, row.Value) })
}

func (w *Writer) line(kind string, record any) error {
	row, encoded := armour(reflect.Indirect(reflect.ValueOf(record)))
	line := bytes.NewBufferString(`{"record":"` + kind + `",`)
	if encoded != nil {
		names, err := text.MarshalJSON(encoded, "")
		if err != nil {
			return fmt.Errorf("write record %s: %w", kind, err)
		}
		fmt.Fprintf(line, `"base64":%s,`, bytes.TrimSuffix(names, []byte("\n")))
	}
	data, err := text.MarshalJSON(row.Interface(), "")
	if err != nil {
		return fmt.Errorf("write record %s: %w", kind, err)
	}
	fmt.Fprintf(line, "\"row\":%s}\n", bytes.TrimSuffix(data, []byte("\n")))
	w.rows++
	_, err = w.w.Write(line.Bytes())
	return err
}
