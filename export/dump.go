package export

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
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
func DumpWriter(w io.Writer) ledger.PutRow {
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
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
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
// after the last. Its errors name the line.
func DumpReader(r io.Reader) func() (ledger.DumpLine, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	number := 0
	return func() (ledger.DumpLine, error) {
		line, err := readDumpLine(buffered)
		if errors.Is(err, io.EOF) {
			return ledger.DumpLine{}, io.EOF
		}
		number++
		var record dumpRecord
		if err == nil {
			err = strict(line, &record)
		}
		if err != nil {
			return ledger.DumpLine{}, fmt.Errorf("line %d: no record of a dump: %w", number, err)
		}
		return ledger.DumpLine{Number: number, Kind: record.Record, Decode: record.decode}, nil
	}
}

func readDumpLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxDumpLine:
			return nil, fmt.Errorf("the line has more than %d bytes", maxDumpLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// strict decodes one JSON object that has no keys but those of into.
func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

func (d dumpRecord) decode(into any, exact bool) error {
	if err := d.fill(into, exact); err != nil {
		return fmt.Errorf("record %s: %w", EscapeLine(d.Record), err)
	}
	return nil
}

func (d dumpRecord) fill(into any, exact bool) error {
	if exact {
		if err := strict(d.Row, into); err != nil {
			return err
		}
		if err := allKeys(d.Row, reflect.ValueOf(into).Elem()); err != nil {
			return err
		}
	} else if err := json.Unmarshal(d.Row, into); err != nil {
		return err
	}
	row := reflect.ValueOf(into).Elem()
	for _, name := range d.Base64 {
		for found, text := range texts(row) {
			if found != name {
				continue
			}
			raw, err := base64.StdEncoding.DecodeString(text.String())
			if err != nil {
				return fmt.Errorf("key %q: %w", name, err)
			}
			setText(row, name, string(raw))
		}
	}
	return nil
}

// allKeys refuses a row without a key, which would be taken for an empty one.
func allKeys(data []byte, row reflect.Value) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	var missing []string
	for i := range row.NumField() {
		value, found := keys[key(row, i)]
		kind := row.Field(i).Kind()
		if !found || string(value) == "null" && kind != reflect.Pointer && kind != reflect.Slice {
			missing = append(missing, key(row, i))
		}
	}
	if missing != nil {
		return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
	}
	return nil
}
