// Package rows scans query results into structs whose fields are in the order of the columns, as
// sqlc generates them. One loop serves the drivers of SQLite and PostgreSQL.
package rows

import (
	"database/sql"
	"reflect"
	"time"
)

// Rows is what the row types of both drivers have in common.
type Rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}

// All reads all rows. Its parameters are the results of a query call.
func All[T any, R Rows](found R, err error) (all []T, _ error) {
	err = Each(found, err, func(row *T) { all = append(all, *row) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Each calls do for each row. The row is only valid until do returns.
func Each[T any, R Rows](found R, err error, do func(*T)) error {
	if err != nil {
		return err
	}
	defer end(found)
	var row, empty T
	columns := columnsOf(reflect.ValueOf(&row).Elem(), nil)
	for found.Next() {
		row = empty // so that a copy that do kept shares nothing with the next row
		if err := found.Scan(columns...); err != nil {
			return err
		}
		do(&row)
	}
	return found.Err()
}

// One reads the only row of a result.
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

// end releases the connection. Err has already returned any error of Close.
func end(found any) {
	switch found := found.(type) {
	case interface{ Close() error }:
		_ = found.Close()
	case interface{ Close() }:
		found.Close()
	}
}

// columnsOf returns pointers to the fields in the order of the query's columns. A struct that is
// not itself the value of a column is descended into: it holds the row of a table.
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
