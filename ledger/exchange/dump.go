package exchange

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/export/strictjson"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// maxDumpLine is how long a line of a dump may be, in bytes: a long text in
// base64 fits, and what is no dump does not fill the memory.
const maxDumpLine = 512 << 20

// dumpRecord is a line of a dump.
type dumpRecord struct {
	Record string `json:"record"`
	// Base64 names the keys of row whose text is no UTF-8 and stands in base64.
	Base64 []string        `json:"base64,omitempty"`
	Row    json.RawMessage `json:"row"`
}

// DumpWriter returns what writes a row of a dump as a line of JSON. The text of
// a row is kept byte for byte.
func DumpWriter(w io.Writer) store.PutRow {
	return func(kind string, row any) error {
		row, encoded := armour(row)
		raw, err := compactJSON(row)
		if err != nil {
			return fmt.Errorf("write record %s: %w", kind, err)
		}
		line, err := compactJSON(dumpRecord{Record: kind, Base64: encoded, Row: raw})
		if err != nil {
			return fmt.Errorf("write record %s: %w", kind, err)
		}
		_, err = w.Write(append(line, '\n'))
		return err
	}
}

func compactJSON(v any) ([]byte, error) {
	line, err := text.MarshalJSON(v, "")
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// armour puts texts that are no UTF-8 into base64, for JSON would lose them: git
// and file systems know names of any bytes.
func armour(row any) (any, []string) {
	var encoded []string
	copied := reflect.New(reflect.TypeOf(row)).Elem()
	copied.Set(reflect.ValueOf(row))
	for name, text := range texts(copied) {
		if utf8.ValidString(text.String()) {
			continue
		}
		encoded = append(encoded, name)
		setText(copied, name, base64.StdEncoding.EncodeToString([]byte(text.String())))
	}
	if encoded == nil {
		return row, nil
	}
	return copied.Interface(), encoded
}

// texts yields the texts of a struct by their keys, in the struct's order.
func texts(row reflect.Value) func(func(string, reflect.Value) bool) {
	return func(yield func(string, reflect.Value) bool) {
		for i := range row.NumField() {
			field := row.Field(i)
			if field.Kind() == reflect.Pointer && !field.IsNil() {
				field = field.Elem()
			}
			if field.Kind() == reflect.String && !yield(key(row, i), field) {
				return
			}
		}
	}
}

func key(row reflect.Value, field int) string { return row.Type().Field(field).Tag.Get("json") }

// setText sets the text with this key, without changing what a pointer in a copy
// of the row shares with the row itself.
func setText(row reflect.Value, name, text string) bool {
	for i := range row.NumField() {
		if key(row, i) != name {
			continue
		}
		field := row.Field(i)
		switch {
		case field.Kind() == reflect.String:
			field.SetString(text)
			return true
		case field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.String:
			field.Set(reflect.ValueOf(&text))
			return true
		}
	}
	return false
}

// DumpReader returns what reads the lines of a dump, one at a time, and io.EOF
// after the last. Its errors name the line. A line can be decoded until the next
// one is read.
func DumpReader(r io.Reader) func() (store.DumpLine, error) {
	lines := &dumpLines{r: bufio.NewReaderSize(r, 64<<10)}
	return func() (store.DumpLine, error) {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return store.DumpLine{}, io.EOF
		}
		var record dumpRecord
		if err == nil {
			record, err = openRecord(line)
		}
		if err != nil {
			return store.DumpLine{}, fmt.Errorf("line %d: no record of a dump: %w", lines.number, err)
		}
		return store.DumpLine{Number: lines.number, Kind: record.Record, Decode: record.decode}, nil
	}
}

// dumpLines reads lines into one buffer.
type dumpLines struct {
	r      *bufio.Reader
	line   []byte
	number int
}

// keptLine is how large the buffer may be that is kept for the next line: few
// lines hold a long text.
const keptLine = 1 << 20

func (l *dumpLines) next() ([]byte, error) {
	if l.line = l.line[:0]; cap(l.line) > keptLine {
		l.line = nil
	}
	l.number++
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil && len(l.line) == 0 {
			return part, nil // it lies in the reader's buffer as a whole
		}
		l.line = append(l.line, part...)
		switch {
		case len(l.line) > maxDumpLine:
			return nil, fmt.Errorf("the line has more than %d bytes", maxDumpLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.line) > 0:
			return l.line, nil
		}
		return l.line, err
	}
}

// openRecord reads a line but for its row, which is decoded when it is known what
// it is.
func openRecord(line []byte) (d dumpRecord, err error) {
	if !json.Valid(line) {
		return d, errors.New("this is no JSON")
	}
	object, err := strictjson.ReadObject(bytes.TrimSpace(line))
	if err != nil {
		return d, fmt.Errorf("the line %w", err)
	}
	for _, m := range object {
		switch {
		case m.Key == "record" && d.Record == "":
			d.Record, err = plainText(m.Value)
		case m.Key == "row" && d.Row == nil:
			d.Row = m.Value
		case m.Key == "base64" && d.Base64 == nil:
			err = json.Unmarshal(m.Value, &d.Base64)
		default:
			err = fmt.Errorf("the key %q is unknown, or there twice", m.Key)
		}
		if err != nil {
			return d, err
		}
	}
	if d.Record == "" || d.Row == nil {
		return d, errors.New("it has no record, or no row")
	}
	return d, nil
}

func (d dumpRecord) decode(into any, exact bool) error {
	if err := d.fill(into, exact); err != nil {
		return fmt.Errorf("record %s: %w", text.EscapeLine(d.Record), err)
	}
	return nil
}

func (d dumpRecord) fill(into any, exact bool) error {
	if err := decodeRow(d.Row, into, exact); err != nil {
		return err
	}
	row := reflect.ValueOf(into).Elem()
	for _, name := range d.Base64 {
		found := false
		for key, text := range texts(row) {
			if key != name {
				continue
			}
			found = true
			raw, err := base64.StdEncoding.DecodeString(text.String())
			if err != nil {
				return fmt.Errorf("key %q: %w", name, err)
			}
			setText(row, name, string(raw))
		}
		if exact && !found {
			return fmt.Errorf("base64 names %q, which is not a string of the row", name)
		}
	}
	return nil
}
