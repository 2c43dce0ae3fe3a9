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

	"github.com/reviewledger/reviewledger/export/strictjson"
)

// decodeRow fills a struct by its JSON tags with a valid object whose values are
// texts, numbers and nulls. It reads the object once: encoding/json reads it to fill
// the struct, and again to tell which keys are missing, which takes longer than
// writing the row. It is stricter, too: neither a key that is there twice nor a text
// that is no UTF-8 is let through. Where exact is not set, other keys may be there or
// missing.
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
			return fmt.Errorf("key %q is there twice", m.Key)
		case strictjson.IsNull(m.Value) && !fields[i].nullable:
			continue // as if it were missing
		}
		seen |= 1 << i
		if err := fields[i].set(row.Field(i), m.Value); err != nil {
			return fmt.Errorf("key %q: %w", m.Key, err)
		}
	}
	if !exact || seen == 1<<len(fields)-1 {
		return nil
	}
	var missing []string
	for i, field := range fields {
		if seen&(1<<i) == 0 {
			missing = append(missing, field.key)
		}
	}
	return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
}

// rowFields are the fields of a struct in its order, which is also that in which
// a dump has them.
type rowFields []rowField

type rowField struct {
	key      string
	nullable bool
	set      func(field reflect.Value, value []byte) error
}

var rowFieldsByType sync.Map

// maxFields is how many keys a row may have: decodeRow has a bit for each.
const maxFields = 63

func fieldsOf(row reflect.Type) rowFields {
	if known, ok := rowFieldsByType.Load(row); ok {
		return known.(rowFields)
	}
	fields := make(rowFields, row.NumField())
	if len(fields) > maxFields {
		panic(fmt.Sprintf("%s has more than %d fields", row, maxFields))
	}
	for i := range fields {
		field := row.Field(i)
		key := field.Tag.Get("json")
		kind := field.Type.Kind()
		fields[i] = rowField{
			key: key, nullable: kind == reflect.Pointer || kind == reflect.Slice, set: setter(field.Type),
		}
	}
	rowFieldsByType.Store(row, fields)
	return fields
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
	errNoText   = errors.New("it must be a text")
	errNoUTF8   = errors.New("the text is no UTF-8")
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
	data, err := base64.StdEncoding.AppendDecode(nil, value[1:len(value)-1])
	if err == nil {
		field.SetBytes(data)
	}
	return err
}

func setOther(field reflect.Value, value []byte) error {
	return json.Unmarshal(value, field.Addr().Interface())
}
