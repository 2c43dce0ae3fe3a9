// Package rows reads what a query returns into structs with its columns in their order, as
// sqlc generates them: one loop for the drivers of SQLite and PostgreSQL. Records of runs have
// their columns as JSON tags instead.
package rows

import (
	"database/sql"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Rows are the rows of either driver.
type Rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}

// All reads all rows. It takes what the query returned, with its error.
func All[T any, R Rows](found R, err error) (all []T, _ error) {
	err = Each(found, err, func(row *T) { all = append(all, *row) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Each calls do with the rows, one by one: a row is only good until do returns.
func Each[T any, R Rows](found R, err error, do func(*T)) error {
	if err != nil {
		return err
	}
	defer end(found)
	var row, empty T
	columns := columnsOf(reflect.ValueOf(&row).Elem(), nil)
	for found.Next() {
		row = empty // a row that was kept shares nothing with the next one
		if err := found.Scan(columns...); err != nil {
			return err
		}
		do(&row)
	}
	return found.Err()
}

// One reads the only row.
func One[T any](found interface{ Scan(into ...any) error }) (row T, err error) {
	err = found.Scan(columnsOf(reflect.ValueOf(&row).Elem(), nil)...)
	return row, err
}

// Value returns the value of a column, or the zero value for NULL.
func Value[T any](column *T) (value T) {
	if column != nil {
		value = *column
	}
	return value
}

// end returns the connection. Err has already returned any error of Close.
func end(found any) {
	switch found := found.(type) {
	case interface{ Close() error }:
		_ = found.Close()
	case interface{ Close() }:
		found.Close()
	}
}

// columnsOf are the fields in the order of the query's columns. A struct that is not a value
// of a column is the row of a table.
func columnsOf(row reflect.Value, columns []any) []any {
	into := row.Addr().Interface()
	_, scans := into.(sql.Scanner)
	_, at := into.(*time.Time)
	if row.Kind() != reflect.Struct || scans || at {
		return append(columns, into)
	}
	for i := range row.NumField() {
		columns = columnsOf(row.Field(i), columns)
	}
	return columns
}

var tagsByType sync.Map

// Tags are where the fields of a struct are, by their JSON tags. A field without one is a struct
// whose fields are among them, unless the struct itself, or an earlier one in it, has the same tag.
func Tags(row reflect.Type) map[string][]int {
	if known, ok := tagsByType.Load(row); ok {
		return known.(map[string][]int)
	}
	tags := make(map[string][]int, row.NumField())
	var parts []reflect.StructField
	for i := range row.NumField() {
		field := row.Field(i)
		switch tag, tagged := field.Tag.Lookup("json"); {
		case !tagged:
			parts = append(parts, field)
		case tag != "-": // it is not a column
			tags[tag] = field.Index
		}
	}
	for _, field := range parts {
		for tag, index := range Tags(field.Type) {
			if _, known := tags[tag]; !known {
				tags[tag] = append(slices.Clone(field.Index), index...)
			}
		}
	}
	tagsByType.Store(row, tags)
	return tags
}
