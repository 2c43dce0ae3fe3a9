package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// statement is SQL with numbered parameters instead of named ones.
type statement struct {
	text  string
	names []string // names of the parameters; the first has number 1
	// sources caches, by the type of the row, where the parameters come from.
	sources sync.Map
}

// recordStatements returns the statements of queries/record by name.
var recordStatements = sync.OnceValue(func() map[string]*statement {
	all := map[string]*statement{}
	for name, query := range queries.Record() {
		all[name] = numbered(query)
	}
	return all
})

// parameterName matches the name of a parameter, and also the placeholder @table.
var parameterName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@\w+`) })

// numbered replaces the names of parameters by numbers.
func numbered(query string) *statement {
	s := &statement{}
	s.text = parameterName().ReplaceAllStringFunc(query, func(parameter string) string {
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
	return s
}

// rowStatements caches the statements that "add row", "ensure row" and "change row" expand to, by
// name.
var rowStatements sync.Map

// rowStatement returns the statement with this name. A name that queries/record does not have is a
// verb and a kind of row, as in "add report". Its statement is derived from "<verb> row", with the
// columns that the row type has keys for and, unless the verb is "change", the columns that refer
// to other rows.
func (q *Queries) rowStatement(ctx context.Context, name string, row reflect.Type) (*statement, error) {
	if s, own := recordStatements()[name]; own {
		return s, nil
	}
	if s, known := rowStatements.Load(name); known {
		return s.(*statement), nil
	}
	verb, kind, _ := strings.Cut(name, " ")
	table := strings.Replace(kind+"s", "ys", "ies", 1) // slot_entries
	found, err := q.db.QueryContext(ctx, recordStatements()["read columns"].text, table)
	names, err := rows.All[string](found, err)
	keys, written, values := rows.Tags(row), []string(nil), []string(nil)
	for _, column := range names {
		if _, is := keys[column]; is || verb != "change" && strings.HasSuffix(column, "_id") {
			value, own := queries.Record()["value of "+column]
			if !own {
				value = "@" + column
			}
			written, values = append(written, column), append(values, value)
		}
	}
	if err != nil || len(written) == 0 {
		return nil, errors.Join(fmt.Errorf("there is not a statement %q", name), err)
	}
	fill := strings.NewReplacer("@table", table, "@columns", strings.Join(written, ", "),
		"@values", strings.Join(values, ", "), "@row_id", "@"+kind+"_id")
	s := numbered(fill.Replace(queries.Record()[verb+" row"]))
	rowStatements.Store(name, s)
	return s, nil
}

// ReadRecord runs a query of queries/record and appends its rows to the slice that into points to.
// The elements are structs whose JSON tags are the names of columns. args are the query's
// parameters in order.
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
	fields := rows.Tags(list.Type().Elem())
	for key := range fields {
		if !slices.Contains(columns, key) {
			return fmt.Errorf("%s: there is not a column %q for %T", query, key, into)
		}
	}
	values := make([]any, len(columns))
	for found.Next() {
		n := list.Len()
		list.Grow(1)
		list.SetLen(n + 1)
		row := list.Index(n)
		row.SetZero()
		for i, column := range columns {
			if field, is := fields[column]; is {
				values[i] = row.FieldByIndex(field).Addr().Interface()
			} else {
				values[i] = &unread{}
			}
		}
		if err := found.Scan(values...); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
	}
	return found.Err()
}

// unread discards a column that the row type has no key for.
type unread struct{}

// Scan implements [sql.Scanner].
func (*unread) Scan(any) error { return nil }

// WriteRecord runs a statement of queries/record. A parameter is the JSON tag of a field of the
// row, or for example "slot_id", which is refers["slot"], or NULL if refers does not have it.
func (q *Queries) WriteRecord(ctx context.Context, name string, row any, refers map[string]int64) (sql.Result, error) {
	value := reflect.Indirect(reflect.ValueOf(row))
	s, err := q.rowStatement(ctx, name, value.Type())
	if err != nil {
		return nil, err
	}
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

// RemoveRecord runs a statement of queries/record that removes rows of a run, from the given table
// if the statement has the placeholder @table.
func (q *Queries) RemoveRecord(ctx context.Context, name, table string, run int64) error {
	_, err := q.db.ExecContext(ctx, strings.Replace(recordStatements()[name].text, "@table", table, 1), run)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// source is where a parameter comes from: a field of the row, or a kind of row that it refers to.
type source struct {
	field []int
	kind  string
}

// sourcesIn returns the sources of the parameters for rows of this type.
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

// ExecRecord runs a statement, or several without parameters, of queries/record.
func (q *Queries) ExecRecord(ctx context.Context, name string, args ...any) error {
	if _, err := q.db.ExecContext(ctx, recordStatements()[name].text, args...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
