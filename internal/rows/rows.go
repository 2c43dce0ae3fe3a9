// Package rows reads the rows of a query into structs, by the names of the columns.
package rows

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Each calls do for each row of a query of SQLite, whose columns have the names of the fields of T:
// column short_id is field ShortID, and place_file is field File in field Place. Fields of embedded
// structs count as T's own. A field with the tag `column:"-"` is not in any column; every other field
// must have one, and every column a field.
//
// NULL is the zero value. An INTEGER is a number, a bool or a duration in milliseconds; a TEXT is a
// string, a time or a list: a JSON array. In a list of structs, each is an array of its fields in their
// order, and its texts are hexadecimal, because names of files may have bytes that JSON does not keep.
//
// The row is only valid until do returns. A row that is not a struct has one column.
func Each[T any](found *sql.Rows, err error, do func(*T)) error {
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }() // Err has any error of it
	var row, empty T
	cells, err := cellsOf(found, reflect.ValueOf(&row).Elem())
	if err != nil {
		return err
	}
	for found.Next() {
		row = empty // so that a copy that do kept shares nothing with the next row
		if err := found.Scan(cells...); err != nil {
			return err
		}
		do(&row)
	}
	return found.Err()
}

// All reads all rows as [Each] does.
func All[T any](found *sql.Rows, err error) (all []T, _ error) {
	err = Each(found, err, func(row *T) { all = append(all, *row) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

// cellsOf returns what scans each column into its field.
func cellsOf(found *sql.Rows, row reflect.Value) ([]any, error) {
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	if row.Kind() != reflect.Struct {
		return []any{&cell{row, "of the row"}}, nil
	}
	fields := fieldsOf(row.Type())
	cells := make([]any, 0, len(names))
	for i, name := range names {
		field, there := fields[keyOf(name)]
		if !there || slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("column %q is not a field of %s, or there are two", name, row.Type())
		}
		cells = append(cells, &cell{row.FieldByIndex(field), name})
	}
	if len(names) == len(fields) {
		return cells, nil
	}
	for key := range fields {
		if !slices.ContainsFunc(names, func(name string) bool { return keyOf(name) == key }) {
			return nil, fmt.Errorf("there is not a column for field %q of %s", key, row.Type())
		}
	}
	return cells, nil
}

func keyOf(column string) string { return strings.ReplaceAll(column, "_", "") }

var namedFields sync.Map // of reflect.Type

// fieldsOf returns the indexes of the fields that columns are read into, by their lower-case names.
func fieldsOf(row reflect.Type) map[string][]int {
	if known, ok := namedFields.Load(row); ok {
		return known.(map[string][]int)
	}
	fields := map[string][]int{}
	addFields(fields, "", nil, row)
	namedFields.Store(row, fields)
	return fields
}

func addFields(fields map[string][]int, name string, index []int, of reflect.Type) {
	if of.Kind() != reflect.Struct || of == timeType {
		fields[name] = index
		return
	}
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Tag.Get("column") == "-" {
			continue
		}
		within := name
		if !field.Anonymous {
			within += strings.ToLower(field.Name)
		}
		addFields(fields, within, append(slices.Clone(index), i), field.Type)
	}
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// cell is a field that a column is read into.
type cell struct {
	field  reflect.Value
	column string
}

// Scan implements [sql.Scanner].
func (c *cell) Scan(value any) error {
	if value == nil {
		return nil
	}
	if err := set(c.field, value); err != nil {
		return fmt.Errorf("column %q: %w", c.column, err)
	}
	return nil
}

func set(field reflect.Value, value any) error {
	if field.Kind() == reflect.Pointer {
		to := reflect.New(field.Type().Elem())
		field.Set(to)
		field = to.Elem()
	}
	switch value := value.(type) {
	case int64:
		return setNumber(field, value)
	case float64:
		if field.CanFloat() {
			field.SetFloat(value)
			return nil
		}
	case string:
		return setText(field, value)
	case []byte:
		if field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Uint8 {
			field.SetBytes(slices.Clone(value))
			return nil
		}
	}
	return fmt.Errorf("%T does not fit into %s", value, field.Type())
}

func setNumber(field reflect.Value, value int64) error {
	switch {
	case field.Type() == durationType:
		field.SetInt(value * int64(time.Millisecond))
	case field.CanInt():
		field.SetInt(value)
	case field.CanFloat():
		field.SetFloat(float64(value))
	case field.Kind() == reflect.Bool:
		field.SetBool(value != 0)
	default:
		return fmt.Errorf("a number does not fit into %s", field.Type())
	}
	return nil
}

func setText(field reflect.Value, value string) error {
	switch {
	case field.Kind() == reflect.String:
		field.SetString(value)
	case field.Type() == timeType:
		at, err := Time(value)
		if err != nil {
			return err
		}
		*field.Addr().Interface().(*time.Time) = at
	case field.Kind() == reflect.Slice:
		return setList(field, value)
	default:
		return fmt.Errorf("a text does not fit into %s", field.Type())
	}
	return nil
}

// setList reads a JSON array. Most lists are empty.
func setList(field reflect.Value, text string) error {
	if text == "" || text == "[]" {
		return nil
	}
	if field.Type().Elem().Kind() != reflect.Struct {
		return json.Unmarshal([]byte(text), field.Addr().Interface())
	}
	var list [][]any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return err
	}
	to := reflect.MakeSlice(field.Type(), len(list), len(list))
	for i, values := range list {
		if len(values) != to.Index(i).NumField() {
			return fmt.Errorf("%d values do not fit into %s", len(values), field.Type().Elem())
		}
		for n, value := range values {
			if err := setInList(to.Index(i).Field(n), value); err != nil {
				return err
			}
		}
	}
	field.Set(to)
	return nil
}

// setInList sets a field of a struct in a list.
func setInList(field reflect.Value, value any) error {
	switch value := value.(type) {
	case float64:
		return setNumber(field, int64(value))
	case string:
		text, err := hex.DecodeString(value)
		if err != nil {
			return err
		}
		return setText(field, string(text))
	}
	return fmt.Errorf("%T does not fit into %s", value, field.Type())
}
