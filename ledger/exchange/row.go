package exchange

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
)

// A Row is a row of a table. Its values are strings, whole numbers as int64, other numbers as float64,
// and nil, in the order of the table's columns. Whoever reads a dump knows no more of them: the ledger
// refuses what is not of the type of its column.
type Row struct {
	*Table
	// ID is that of the row in the ledger that it was read from, if it has one there.
	ID int64
	// Line is the line of the dump that it was read from, or 0.
	Line   int
	Values []any
}

// NewRow returns a row of a kind with all its values.
func NewRow(kind string, values ...any) Row {
	t := TableOf(kind)
	if len(values) != len(t.Columns) {
		panic(fmt.Sprintf("a row %q has %d values, not %d", kind, len(values), len(t.Columns)))
	}
	return Row{Table: t, Values: values}
}

// Value returns the value of a column.
func (r Row) Value(key string) any { return r.Values[r.known(key)] }

// Text returns the value of a column if it is a text, or else "".
func (r Row) Text(key string) string {
	value, _ := r.Value(key).(string)
	return value
}

// Number returns the value of a column if it is a whole number, or else 0.
func (r Row) Number(key string) int64 {
	value, _ := r.Value(key).(int64)
	return value
}

// With returns the row with another value of a column.
func (r Row) With(key string, value any) Row {
	r.Values = slices.Clone(r.Values)
	r.Values[r.known(key)] = value
	return r
}

func (r Row) known(key string) int {
	i := r.index(key)
	if i < 0 {
		panic(fmt.Sprintf("a row %q does not have a column %q", r.Kind, key))
	}
	return i
}

// Equal reports whether both rows have the same values.
func (r Row) Equal(other Row) bool { return slices.Equal(r.Values, other.Values) }

// Plain returns a number as rows have it: a whole one does not depend on how it was written, and
// neither on the type of its column.
func Plain(f float64) any {
	if whole := int64(f); f >= -1<<63 && f < 1<<63 && float64(whole) == f {
		return whole
	}
	return f
}

// MarshalJSON implements [json.Marshaler].
func (r Row) MarshalJSON() ([]byte, error) {
	var object bytes.Buffer
	values := json.NewEncoder(&object)
	values.SetEscapeHTML(false)
	begin := byte('{')
	for i, c := range r.Columns {
		object.WriteByte(begin)
		begin = ','
		object.WriteString(`"` + c.Key + `":`)
		if err := values.Encode(r.Values[i]); err != nil {
			return nil, fmt.Errorf("key %q: %w", c.Key, err)
		}
	}
	object.WriteByte('}')
	return object.Bytes(), nil
}

// line returns the row as a line of a dump. Texts that are not valid UTF-8 are encoded in base64,
// because JSON would lose them: names in git and in file systems may have any bytes.
func (r Row) line() ([]byte, error) {
	line := dumpLine{Record: r.Kind}
	for i, value := range r.Values {
		if s, is := value.(string); is && !utf8.ValidString(s) {
			if line.Base64 == nil {
				r.Values = slices.Clone(r.Values)
			}
			line.Base64 = append(line.Base64, r.Columns[i].Key)
			r.Values[i] = base64.StdEncoding.EncodeToString([]byte(s))
		}
	}
	var err error
	if line.Row, err = r.MarshalJSON(); err != nil {
		return nil, fmt.Errorf("write record %s: %w", r.Kind, err)
	}
	return text.MarshalJSON(line, "")
}

// dumpLine is a line of a dump.
type dumpLine struct {
	Record string `json:"record"`
	// Base64 has the keys of row whose text is not valid UTF-8 and is encoded in base64.
	Base64 []string        `json:"base64,omitempty"`
	Row    json.RawMessage `json:"row"`
	number int
}

// openLine parses a line except for its row, which is decoded when its kind is known.
func openLine(line []byte) (d dumpLine, err error) {
	if !json.Valid(line) {
		return d, errors.New("not valid JSON")
	}
	object, err := strictjson.ReadObject(bytes.TrimSpace(line))
	if err != nil {
		return d, fmt.Errorf("the line %w", err)
	}
	for _, m := range object {
		switch {
		case m.Key == "record" && d.Record == "":
			err = json.Unmarshal(m.Value, &d.Record)
		case m.Key == "row" && d.Row == nil:
			d.Row = m.Value
		case m.Key == "base64" && d.Base64 == nil:
			err = json.Unmarshal(m.Value, &d.Base64)
		default:
			err = fmt.Errorf("unknown or duplicate key %q", m.Key)
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

// decode returns the row of the line.
func (d dumpLine) decode(t *Table) (Row, error) {
	row, err := t.decode(d.Row)
	for _, key := range d.Base64 {
		if err != nil {
			break
		}
		i := t.index(key)
		if i < 0 || row.Text(key) == "" {
			err = fmt.Errorf("base64 names %q, which is not a string of the row", key)
			break
		}
		raw, wrong := base64.StdEncoding.DecodeString(row.Text(key))
		if wrong != nil {
			err = fmt.Errorf("key %q: %w", key, wrong)
		}
		row.Values[i] = string(raw)
	}
	if err != nil {
		return row, fmt.Errorf("record %s: %w", text.EscapeLine(d.Record), err)
	}
	row.Line = d.number
	return row, nil
}

// decode reads a row from a JSON object, which must have the key of each column and no others. Unlike
// encoding/json, it refuses repeated keys and texts that are not valid UTF-8.
func (t *Table) decode(data []byte) (Row, error) {
	row := Row{Table: t, Values: make([]any, len(t.Columns))}
	object, err := strictjson.ReadObject(data)
	if err != nil {
		return row, fmt.Errorf("the row %w", err)
	}
	seen := make([]bool, len(t.Columns))
	for n, m := range object {
		i := n // as a program writes it
		if n >= len(t.Columns) || t.Columns[n].Key != m.Key {
			i = t.index(m.Key)
		}
		switch {
		case i < 0:
			return row, fmt.Errorf("unknown key %q", m.Key)
		case seen[i]:
			return row, fmt.Errorf("duplicate key %q", m.Key)
		}
		seen[i] = true
		if row.Values[i], err = valueOf(m.Value); err != nil {
			return row, fmt.Errorf("key %q: %w", m.Key, err)
		}
	}
	var missing []string
	for i, there := range seen {
		if !there {
			missing = append(missing, t.Columns[i].Key)
		}
	}
	if missing != nil {
		return row, fmt.Errorf("it has no %s", strings.Join(missing, ", "))
	}
	if !utf8.Valid(data) {
		return row, errors.New("its text is not UTF-8")
	}
	return row, nil
}

// valueOf returns a JSON value as rows have it.
func valueOf(data json.RawMessage) (any, error) {
	switch data[0] {
	case '"':
		return strictjson.TextOf(data), nil
	case 'n':
		return nil, nil
	case '{', '[', 't', 'f':
		return nil, errors.New("it must be a string, a number or null")
	}
	if whole, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		return whole, nil
	}
	f, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return nil, errors.New("it must be a number that fits into 64 bits")
	}
	return Plain(f), nil
}
