package exchange

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// decodeRow fills a struct by its JSON tags from a JSON object, which must have all keys of the
// struct and no others. Unlike encoding/json, it refuses repeated keys and texts that are not valid
// UTF-8.
func decodeRow(data []byte, into any) error {
	fields := fieldsOf(reflect.TypeOf(into).Elem())
	object, err := strictjson.ReadObject(data)
	if err != nil {
		return fmt.Errorf("the row %w", err)
	}
	var seen uint64
	for n, m := range object {
		i := fields.find(m.Key, n)
		switch {
		case i < 0:
			return fmt.Errorf("unknown key %q", m.Key)
		case seen&(1<<i) != 0:
			return fmt.Errorf("duplicate key %q", m.Key)
		case strictjson.IsNull(m.Value) && !fields[i].nullable:
			continue // as if it were missing
		}
		seen |= 1 << i
	}
	var missing []string
	for i, field := range fields {
		if seen&(1<<i) == 0 {
			missing = append(missing, field.key)
		}
	}
	if missing != nil {
		return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
	}
	if !utf8.Valid(data) {
		return errors.New("its text is not UTF-8")
	}
	err = json.Unmarshal(data, into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("key %q: it must be a %s", wrong.Field, kindName(wrong.Type))
	}
	return err
}

// kindName returns what values of a type are called in a dump. Bytes and times are strings there.
func kindName(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Float64:
		return "number"
	}
	return "string"
}

// rowFields lists the fields of a struct in order, which is also their order in a dump.
type rowFields []rowField

type rowField struct {
	key      string
	index    []int // for [reflect.Value.FieldByIndex]
	nullable bool
	text     bool // a string, or a pointer to one
}

var rowFieldsByType sync.Map

// maxFields limits the number of keys of a row: decodeRow has one bit for each.
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
			text: base.Kind() == reflect.String,
		})
	}
	if len(fields) > maxFields {
		panic(fmt.Sprintf("%s has more than %d fields", row, maxFields))
	}
	rowFieldsByType.Store(row, fields)
	return fields
}

// textAt returns the text of a field, if it is not null.
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

// setTextAt sets the text of a field. If row is a copy whose field is a pointer, the original does
// not change.
func setTextAt(row reflect.Value, field rowField, text string) {
	to := row.FieldByIndex(field.index)
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	to.SetString(text)
}

// armour encodes texts that are not valid UTF-8 in base64, because JSON would lose them: names in
// git and in file systems may have any bytes. If there are such texts, it returns a copy of the row
// and their keys.
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

// disarmour decodes the texts of these keys from base64.
func disarmour(row reflect.Value, encoded []string) error {
	fields := fieldsOf(row.Type())
	for _, name := range encoded {
		i := slices.IndexFunc(fields, func(f rowField) bool { return f.text && f.key == name })
		var text reflect.Value
		found := i >= 0
		if found {
			text, found = textAt(row, fields[i])
		}
		if !found {
			return fmt.Errorf("base64 names %q, which is not a string of the row", name)
		}
		raw, err := base64.StdEncoding.DecodeString(text.String())
		if err != nil {
			return fmt.Errorf("key %q: %w", name, err)
		}
		setTextAt(row, fields[i], string(raw))
	}
	return nil
}

// find returns the index of the field with this key, or -1. The field is probably at next.
func (f rowFields) find(key string, next int) int {
	if next < len(f) && f[next].key == key {
		return next
	}
	return slices.IndexFunc(f, func(field rowField) bool { return field.key == key })
}
