package db

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// statement is SQL whose parameters have numbers instead of names.
type statement struct {
	text  string
	names []string // of the parameters, from number 1
	// sources are where the parameters come from, by the type of the rows.
	sources sync.Map
}

// recordStatements are those of queries/record by name.
var recordStatements = sync.OnceValue(func() map[string]*statement {
	all, parameter := map[string]*statement{}, regexp.MustCompile(`@\w+`)
	for name, query := range queries.Record() {
		if row, is := strings.CutPrefix(name, "row: "); is {
			name = "add " + row
			query = insertion(name, query)
		}
		s := &statement{}
		s.text = parameter.ReplaceAllStringFunc(query, func(parameter string) string {
			if parameter == "@table" {
				return parameter
			}
			n := slices.Index(s.names, parameter[1:])
			if n < 0 {
				n = len(s.names)
				s.names = append(s.names, parameter[1:])
			}
			return fmt.Sprintf("?%d", n+1)
		})
		all[name] = s
	}
	return all
})

// insertion inserts into a table with its columns what parameters with their names have.
func insertion(name, listed string) string {
	_, listed, _ = strings.Cut(listed, "\n")
	_, columns, _ := strings.Cut(listed, "(")
	return "-- name: " + name + "\nINSERT INTO " + listed + " VALUES (@" + strings.Join(strings.Fields(columns), " @")
}

// ReadRecord runs a query of queries/record and appends its rows to the list that into
// points to: structs whose JSON tags are the names of the columns. args are the
// parameters in their order.
func (q *Queries) ReadRecord(ctx context.Context, query string, into any, args ...any) error {
	found, err := q.db.QueryContext(ctx, recordStatements()[query].text, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	list := reflect.ValueOf(into).Elem()
	keys, fields := rows.Tags(list.Type().Elem()), make([][]int, len(columns))
	for i, column := range columns {
		n, known := keys[column]
		if !known {
			return fmt.Errorf("%s: %T has no key %q", query, into, column)
		}
		fields[i] = n
	}
	values := make([]any, len(columns))
	for found.Next() {
		n := list.Len()
		list.Grow(1)
		list.SetLen(n + 1)
		row := list.Index(n)
		row.SetZero()
		for i, field := range fields {
			values[i] = row.FieldByIndex(field).Addr().Interface()
		}
		if err := found.Scan(values...); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
	}
	return found.Err()
}

// WriteRecord runs a statement of queries/record. A parameter is a JSON tag of the row,
// or "slot_id" for what refers has for "slot", and NULL if it has nothing.
func (q *Queries) WriteRecord(ctx context.Context, name string, row any, refers map[string]int64) (sql.Result, error) {
	s, known := recordStatements()[name]
	if !known {
		return nil, fmt.Errorf("there is not a statement %q", name)
	}
	value := reflect.Indirect(reflect.ValueOf(row))
	sources, err := s.sourcesIn(value.Type())
	if err != nil {
		return nil, fmt.Errorf("statement %q: %w", name, err)
	}
	args := make([]any, len(sources))
	for i, from := range sources {
		if from.kind == "" {
			args[i] = value.FieldByIndex(from.field).Interface()
		} else if id, there := refers[from.kind]; there {
			args[i] = id
		}
	}
	return q.db.ExecContext(ctx, s.text, args...)
}

// RemoveRecord runs a statement of queries/record that removes what is of a run, in a table where the
// statement names none.
func (q *Queries) RemoveRecord(ctx context.Context, name, table string, run int64) error {
	_, err := q.db.ExecContext(ctx, strings.Replace(recordStatements()[name].text, "@table", table, 1), run)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// source is where a parameter comes from: a field of the row, or what it refers to.
type source struct {
	field []int
	kind  string
}

// sourcesIn are where the parameters come from if rows are of this type.
func (s *statement) sourcesIn(row reflect.Type) ([]source, error) {
	if known, ok := s.sources.Load(row); ok {
		return known.([]source), nil
	}
	keys, sources := rows.Tags(row), make([]source, len(s.names))
	for i, name := range s.names {
		field, is := keys[name]
		kind, refers := strings.CutSuffix(name, "_id")
		switch {
		case is:
			sources[i].field = field
		case refers:
			sources[i].kind = kind
		default:
			return nil, fmt.Errorf("%s has no key %q", row, name)
		}
	}
	s.sources.Store(row, sources)
	return sources, nil
}
