package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/queries"
)

// statement is SQL whose parameters have numbers instead of names.
type statement struct {
	text  string
	names []string // of the parameters, from number 1
}

var parameter = regexp.MustCompile(`@\w+`)

// recordStatements are those of queries/record by name. Like generated ones they begin with
// a comment that names them.
var recordStatements = sync.OnceValue(func() map[string]statement {
	all := map[string]statement{}
	files, err := fs.Glob(queries.Record, "record/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for _, name := range files {
		text, err := fs.ReadFile(queries.Record, name)
		if err != nil {
			panic(err) // it is embedded
		}
		for _, part := range strings.Split(string(text), "-- name: ")[1:] {
			name, query, _ := strings.Cut(part, "\n")
			query, _, _ = strings.Cut(query, ";")
			s := statement{}
			s.text = "-- name: " + name + "\n" + parameter.ReplaceAllStringFunc(query, func(parameter string) string {
				n := slices.Index(s.names, parameter[1:])
				if n < 0 {
					n = len(s.names)
					s.names = append(s.names, parameter[1:])
				}
				return fmt.Sprintf("?%d", n+1)
			})
			all[name] = s
		}
	}
	return all
})

// ReadRecord runs a query of queries/record and returns its rows as structs whose JSON
// tags are the names of the columns. args are the parameters in their order.
func ReadRecord[R any](ctx context.Context, q *Queries, query string, args ...any) (list []R, err error) {
	rows, err := q.db.QueryContext(ctx, recordStatements()[query].text, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	keys, fields := keysOf(reflect.TypeFor[R]()), make([]int, len(columns))
	for i, column := range columns {
		n, known := keys[column]
		if !known {
			return nil, fmt.Errorf("%s: %T has no key %q", query, list, column)
		}
		fields[i] = n
	}
	into := make([]any, len(columns))
	for rows.Next() {
		var zero R
		list = append(list, zero)
		row := reflect.ValueOf(&list[len(list)-1]).Elem()
		for i, n := range fields {
			into[i] = row.Field(n).Addr().Interface()
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("%s: %w", query, err)
		}
	}
	return list, rows.Err()
}

// WriteRecord runs a statement of queries/record, whose parameters are JSON tags of the
// two structs: the row, and what it refers to.
func (q *Queries) WriteRecord(ctx context.Context, name string, row, refers any) (sql.Result, error) {
	s := recordStatements()[name]
	args, given := make([]any, len(s.names)), 0
	for _, from := range []any{row, refers} {
		value := reflect.Indirect(reflect.ValueOf(from))
		keys := keysOf(value.Type())
		for i, name := range s.names {
			if n, is := keys[name]; is {
				args[i] = value.Field(n).Interface()
				given++
			}
		}
	}
	if given != len(args) || s.text == "" {
		return nil, fmt.Errorf("statement %q: %d of its %d parameters are given once", name, given, len(args))
	}
	return q.db.ExecContext(ctx, s.text, args...)
}

var keysByType sync.Map

// keysOf are the fields of a struct by their JSON tags.
func keysOf(row reflect.Type) map[string]int {
	if known, ok := keysByType.Load(row); ok {
		return known.(map[string]int)
	}
	keys := make(map[string]int, row.NumField())
	for i := range row.NumField() {
		keys[row.Field(i).Tag.Get("json")] = i
	}
	keysByType.Store(row, keys)
	return keys
}
