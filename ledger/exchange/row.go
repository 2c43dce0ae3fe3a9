package exchange

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// decodeRow fills a struct by its JSON tags with a valid object whose values are
// texts, numbers and nulls. If it is exact, it has all keys of the struct and no other.
// It reads the object once: encoding/json reads it to fill the struct, and again to
// tell which keys are missing, which takes longer than writing the row. It is
// also stricter: it refuses repeated keys and texts that are not UTF-8.
func decodeRow(data []byte, into any, exact bool) error {
	row := reflect.ValueOf(into).Elem()
	fields := fieldsOf(row.Type())
	object, err := strictjson.ReadObject(data)
	if err != nil {
		return fmt.Errorf("the row %w", err)
	}
	var seen uint64
	for n, m := range object {
		i := fields.find(m.Key, n)
		switch {
		case i < 0 && exact:
			return fmt.Errorf("unknown key %q", m.Key)
		case i < 0:
			continue
		case seen&(1<<i) != 0:
			return fmt.Errorf("duplicate key %q", m.Key)
		case strictjson.IsNull(m.Value) && !fields[i].nullable:
			continue // as if it were missing
		}
		seen |= 1 << i
		if err := fields[i].set(row.FieldByIndex(fields[i].index), m.Value); err != nil {
			return fmt.Errorf("key %q: %w", m.Key, err)
		}
	}
	var missing []string
	for i, field := range fields {
		if seen&(1<<i) == 0 {
			missing = append(missing, field.key)
		}
	}
	if missing == nil || !exact {
		return nil
	}
	return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
}

// rowFields are the fields of a struct in its order, which is also that in which
// a dump has them.
type rowFields []rowField

type rowField struct {
	key      string
	index    []int // that of [reflect.Value.FieldByIndex]
	nullable bool
	text     bool // a string, or a pointer to one
	set      func(field reflect.Value, value []byte) error
}

var rowFieldsByType sync.Map

// maxFields is how many keys a row may have: decodeRow has a bit for each.
const maxFields = 63

func fieldsOf(row reflect.Type) rowFields {
	if known, ok := rowFieldsByType.Load(row); ok {
		return known.(rowFields)
	}
	var fields rowFields
	for _, field := range reflect.VisibleFields(row) {
		if field.Anonymous {
			continue
		}
		kind, base := field.Type.Kind(), field.Type
		if kind == reflect.Pointer {
			base = base.Elem()
		}
		fields = append(fields, rowField{
			key: field.Tag.Get("json"), index: field.Index, nullable: kind == reflect.Pointer || kind == reflect.Slice,
			text: base.Kind() == reflect.String, set: setter(field.Type),
		})
	}
	if len(fields) > maxFields {
		panic(fmt.Sprintf("%s has more than %d fields", row, maxFields))
	}
	rowFieldsByType.Store(row, fields)
	return fields
}

// textAt is the text of a field, if it is not null.
func textAt(row reflect.Value, field rowField) (text reflect.Value, ok bool) {
	text = row.FieldByIndex(field.index)
	if text.Kind() == reflect.Pointer {
		if text.IsNil() {
			return text, false
		}
		text = text.Elem()
	}
	return text, true
}

// setTextAt sets the text of a field, without changing what a pointer in a copy of the
// row shares with the row itself.
func setTextAt(row reflect.Value, field rowField, text string) {
	to := row.FieldByIndex(field.index)
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	to.SetString(text)
}

// armour puts texts that are not UTF-8 into base64, for JSON would lose them: git and
// file systems know names of any bytes. It returns a copy of the row then, and the keys.
func armour(row reflect.Value) (reflect.Value, []string) {
	var encoded []string
	armoured := row
	for _, field := range fieldsOf(row.Type()) {
		if !field.text {
			continue
		}
		text, ok := textAt(row, field)
		if !ok || utf8.ValidString(text.String()) {
			continue
		}
		if encoded == nil {
			armoured = reflect.New(row.Type()).Elem()
			armoured.Set(row)
		}
		encoded = append(encoded, field.key)
		setTextAt(armoured, field, base64.StdEncoding.EncodeToString([]byte(text.String())))
	}
	return armoured, encoded
}

// disarmour reads the texts of these keys from base64.
func disarmour(row reflect.Value, encoded []string, exact bool) error {
	fields := fieldsOf(row.Type())
	for _, name := range encoded {
		i := slices.IndexFunc(fields, func(f rowField) bool { return f.text && f.key == name })
		var text reflect.Value
		found := i >= 0
		if found {
			text, found = textAt(row, fields[i])
		}
		switch {
		case !found && exact:
			return fmt.Errorf("base64 names %q, which is not a string of the row", name)
		case !found:
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(text.String())
		if err != nil {
			return fmt.Errorf("key %q: %w", name, err)
		}
		setTextAt(row, fields[i], string(raw))
	}
	return nil
}

// find returns the field with this key, or -1. It is likely the one at next.
func (f rowFields) find(key string, next int) int {
	if next < len(f) && f[next].key == key {
		return next
	}
	return slices.IndexFunc(f, func(field rowField) bool { return field.key == key })
}

// setter returns what sets a field of this type.
func setter(field reflect.Type) func(reflect.Value, []byte) error {
	switch {
	case reflect.PointerTo(field).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return setTextual
	case field.Kind() == reflect.Pointer:
		set := setter(field.Elem())
		return func(pointer reflect.Value, value []byte) error {
			if string(value) == "null" {
				pointer.SetZero()
				return nil
			}
			to := reflect.New(pointer.Type().Elem())
			pointer.Set(to)
			return set(to.Elem(), value)
		}
	case field.Kind() == reflect.String:
		return setString
	case field.Kind() == reflect.Int, field.Kind() == reflect.Int64:
		return setInteger
	case field == reflect.TypeFor[[]byte]():
		return setBytes
	}
	return setOther
}

func setString(field reflect.Value, value []byte) error {
	text, err := plainText(value)
	if err == nil {
		field.SetString(text)
	}
	return err
}

var (
	errNoText   = errors.New("it must be a string")
	errNoUTF8   = errors.New("the text is not UTF-8")
	errNoNumber = errors.New("it must be a whole number")
)

// plainText is the text that a JSON text stands for.
func plainText(value []byte) (text string, err error) {
	if len(value) < 2 || value[0] != '"' {
		return "", errNoText
	}
	plain, ascii := true, true
	for _, c := range value[1 : len(value)-1] {
		plain = plain && c >= ' ' && c != '\\'
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && !utf8.Valid(value) {
		return "", errNoUTF8
	}
	if plain {
		return string(value[1 : len(value)-1]), nil
	}
	err = json.Unmarshal(value, &text)
	return text, err
}

func setTextual(field reflect.Value, value []byte) error {
	text, err := plainText(value)
	if err != nil {
		return err
	}
	return field.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
}

func setInteger(field reflect.Value, value []byte) error {
	digits := bytes.TrimPrefix(value, []byte("-"))
	if len(digits) == 0 || digits[0] == '+' || digits[0] == '-' || digits[0] == '0' && len(digits) > 1 {
		return errNoNumber
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || field.OverflowInt(n) {
		return errNoNumber
	}
	field.SetInt(n)
	return nil
}

// setBytes sets bytes of base64, which are long where a row is a long text.
func setBytes(field reflect.Value, value []byte) error {
	if string(value) == "null" {
		field.SetZero()
		return nil
	}
	if len(value) < 2 || value[0] != '"' || bytes.ContainsAny(value, "\\\r\n") {
		return setOther(field, value) // base64 itself would let line breaks through
	}
	data, err := base64.StdEncoding.AppendDecode([]byte{}, value[1:len(value)-1])
	if err == nil {
		field.SetBytes(data)
	}
	return err
}

func setOther(field reflect.Value, value []byte) error {
	return json.Unmarshal(value, field.Addr().Interface())
}
