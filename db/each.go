package db

import (
	"context"
	"database/sql"
	"reflect"
)

// EachViolationOfRun calls each with the rows of [Queries.ViolationsOfRun], one by one: those of
// a large run take several times the memory of what is made of them. The row is only good until
// each returns.
func (q *Queries) EachViolationOfRun(ctx context.Context, arg ViolationsOfRunParams, each func(*ViolationsOfRunRow)) error {
	rows, err := q.db.QueryContext(ctx, violationsOfRun, arg.RunID, arg.Job)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	row := ViolationsOfRunRow{}
	values := columnsOf(reflect.ValueOf(&row).Elem(), nil)
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return err
		}
		each(&row)
	}
	return rows.Err()
}

// columnsOf are the fields of a generated row in the order of the query's columns. A struct that
// cannot be scanned as one is the row of a table.
func columnsOf(row reflect.Value, columns []any) []any {
	for i := range row.NumField() {
		field := row.Field(i)
		_, one := field.Addr().Interface().(sql.Scanner)
		if field.Kind() == reflect.Struct && !one {
			columns = columnsOf(field, columns)
			continue
		}
		columns = append(columns, field.Addr().Interface())
	}
	return columns
}
