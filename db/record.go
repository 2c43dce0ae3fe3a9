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

// RowsOf is a table with rows of a run.
type RowsOf struct {
	// Kind is what a dump calls a row.
	Kind, Table string
	// Of is the table whose rows they are looked up by.
	Of string
}

// RowsOfRun are the tables with rows of a run. None comes before what leads to its rows.
var RowsOfRun = []RowsOf{
	{"iteration", "iterations", "runs"},
	{"gate", "gates", "iterations"},
	{"slot", "slots", "gates"},
	{"violation", "violations", "runs"},
	{"report", "reports", "slots"},
	{"event", "events", "violations"},
	{"slot_entry", "slot_entries", "slots"},
	{"slot_blob", "slot_blobs", "slots"},
	{"gate_blob", "gate_blobs", "gates"},
	{"code_review", "code_reviews", "runs"},
	{"verdict", "verdicts", "runs"},
	{"finding", "findings", "runs"},
	{"transition", "transitions", "runs"},
	{"report_excerpt", "report_excerpts", "reports"},
	{"event_hunk", "event_hunks", "events"},
	{"remembered_skip", "remembered_skips", "events"},
	{"met_skip", "met_skips", "reports"},
	{"slot_call", "slot_calls", "slots"},
	{"slot_note", "slot_notes", "slots"},
	{"claim_word", "claim_words", "slots"},
	{"gone_word", "gone_words", "violations"},
	{"violation_reporter", "violation_reporters", "violations"},
	{"report_place", "report_places", "reports"},
}

// rowsNamed are those of which a record has rows of the kind: runs themselves, too.
func rowsNamed(kind string) (RowsOf, bool) {
	if kind == "run" || kind == "revision" {
		return RowsOf{Kind: kind, Table: "runs"}, true
	}
	i := slices.IndexFunc(RowsOfRun, func(r RowsOf) bool { return r.Kind == kind })
	if i < 0 {
		return RowsOf{}, false
	}
	return RowsOfRun[i], true
}

// recordStatement is SQL whose parameters have numbers instead of names, for one type of rows.
type recordStatement struct {
	text  string
	names []string // of the parameters, from number 1
}

var parameter = regexp.MustCompile(`@\w+`)

// numbered gives the parameters of the statement numbers.
func numbered(name, query string) *recordStatement {
	s := &recordStatement{}
	s.text = "-- name: " + name + "\n" + parameter.ReplaceAllStringFunc(query, func(parameter string) string {
		n := slices.Index(s.names, parameter[1:])
		if n < 0 {
			n = len(s.names)
			s.names = append(s.names, parameter[1:])
		}
		return fmt.Sprintf("?%d", n+1)
	})
	return s
}

// recordText is the text of queries/record of this name, without its first line.
func recordText(name string) (string, bool) {
	text, known := queries.Record()[name]
	_, text, _ = strings.Cut(text, "\n")
	return text, known
}

// recordStatements are those that were asked for, by their name and the type of their rows.
var recordStatements sync.Map

// recordStatement is the one of this name, which begins with what it does. Where a kind of row does
// not have its own, it is that of all rows.
func (q *Queries) recordStatement(ctx context.Context, name string, row reflect.Type) (*recordStatement, error) {
	type key struct {
		name string
		row  reflect.Type
	}
	if known, ok := recordStatements.Load(key{name, row}); ok {
		return known.(*recordStatement), nil
	}
	verb, kind, _ := strings.Cut(name, " ")
	of, listed := rowsNamed(kind)
	text, own := recordText(name)
	switch {
	case own:
	case verb == "read":
		text, own = recordText("read rows of " + of.Of)
	default:
		text, own = recordText(verb + " rows")
	}
	if !own || !listed && strings.Contains(text, "@columns") {
		return nil, fmt.Errorf("there is not a statement %q", name)
	}
	if listed {
		table, err := q.columnsOf(ctx, of.Table)
		if err == nil {
			text, err = table.fill(text, verb, row)
		}
		if err != nil {
			return nil, fmt.Errorf("statement %q: %w", name, err)
		}
		text = strings.ReplaceAll(text, "@row", "@"+kind+"_id")
	}
	s := numbered(name, text)
	recordStatements.Store(key{name, row}, s)
	return s, nil
}

// recordTable is a table with its columns.
type recordTable struct {
	name    string
	columns []string
	primary []string // those of its primary key
}

func (q *Queries) columnsOf(ctx context.Context, table string) (recordTable, error) {
	text, _ := recordText("columns")
	found, err := q.db.QueryContext(ctx, text, table)
	type column struct {
		Name string
		Key  int64
	}
	t := recordTable{name: table}
	keys := map[int64]string{}
	err = rows.Each(found, err, func(c *column) {
		t.columns = append(t.columns, c.Name)
		keys[c.Key] = c.Name
	})
	for n := int64(1); keys[n] != ""; n++ {
		t.primary = append(t.primary, keys[n])
	}
	return t, err
}

// fill puts the columns that the statement is about in the place of what stands for them.
func (t recordTable) fill(text, verb string, row reflect.Type) (string, error) {
	var columns, values []string
	if verb == "read" {
		for key := range rows.Tags(row) {
			from, found := t.source(key, text)
			if !found {
				return "", fmt.Errorf("table %q has nothing for key %q", t.name, key)
			}
			columns = append(columns, from+" AS "+key)
		}
		slices.Sort(columns)
	} else {
		columns, values = t.written(verb, rows.Tags(row))
	}
	return strings.NewReplacer("@columns", strings.Join(columns, ", "), "@values", strings.Join(values, ", "),
		"@order", "x."+strings.Join(t.primary, ", x."), "@table", t.name).Replace(text), nil
}

// recordKeys are what keys stand for that are not columns, in their order.
var recordKeys = sync.OnceValue(func() (keys [][2]string) {
	text, _ := recordText("keys")
	for line := range strings.Lines(text) {
		key, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		keys = append(keys, [2]string{key, from})
	}
	return keys
})

var columnOfAlias = regexp.MustCompile(`\b([a-z]+)\.(\w+)`)

// source is what the key is read from in the statement.
func (t recordTable) source(key, text string) (string, bool) {
	if slices.Contains(t.columns, key) {
		return "x." + key, true
	}
	for _, k := range recordKeys() {
		if k[0] != key && k[0] != t.name+"."+key {
			continue
		}
		there := !strings.Contains(k[1], "@id") || strings.Contains(text, "@id")
		for _, use := range columnOfAlias.FindAllStringSubmatch(k[1], -1) {
			switch alias := use[1]; {
			case alias == "x":
				there = there && slices.Contains(t.columns, use[2])
			case !strings.Contains(k[1], " AS "+alias+" "):
				there = there && regexp.MustCompile(`\bAS `+alias+`\b`).MatchString(text)
			}
		}
		if there {
			return k[1], true
		}
	}
	return "", false
}

// written are the columns that a row is written to, and their values. Only who adds a row says what
// it refers to.
func (t recordTable) written(verb string, keys map[string][]int) (columns, values []string) {
	later, _ := recordText("later")
	textOf, _ := recordText("text")
	for _, column := range t.columns {
		key := column
		for _, k := range recordKeys() {
			_, has := keys[strings.TrimPrefix(k[0], t.name+".")]
			if k[1] == "x."+column && has {
				key = strings.TrimPrefix(k[0], t.name+".")
			}
		}
		_, known := keys[key]
		value := "@" + key
		switch {
		case known && verb == "add" && strings.TrimSpace(later) == t.name+"."+column:
			continue
		case known:
		case verb == "add" && column == "blob_id":
			value = textOf
		case verb != "add" || !strings.HasSuffix(column, "_id"):
			continue
		}
		columns, values = append(columns, column), append(values, value)
	}
	return columns, values
}

// ReadRecord runs a query of queries/record and appends its rows to the list that into
// points to: structs whose JSON tags are the names of the columns. args are the
// parameters in their order.
func (q *Queries) ReadRecord(ctx context.Context, query string, into any, args ...any) error {
	list := reflect.ValueOf(into).Elem()
	s, err := q.recordStatement(ctx, query, list.Type().Elem())
	if err != nil {
		return err
	}
	found, err := q.db.QueryContext(ctx, s.text, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
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
	value := reflect.Indirect(reflect.ValueOf(row))
	s, err := q.recordStatement(ctx, name, value.Type())
	if err != nil {
		return nil, err
	}
	keys, args := rows.Tags(value.Type()), make([]any, len(s.names))
	for i, parameter := range s.names {
		field, is := keys[parameter]
		kind, refersTo := strings.CutSuffix(parameter, "_id")
		switch {
		case is:
			args[i] = value.FieldByIndex(field).Interface()
		case !refersTo:
			return nil, fmt.Errorf("statement %q: %s has no key %q", name, value.Type(), parameter)
		default:
			if id, there := refers[kind]; there {
				args[i] = id
			}
		}
	}
	return q.db.ExecContext(ctx, s.text, args...)
}

// RemoveRecord runs a statement of queries/record that removes what is of a run, in a table where the
// statement names none.
func (q *Queries) RemoveRecord(ctx context.Context, name, table string, run int64) error {
	text, _ := recordText(name)
	_, err := q.db.ExecContext(ctx, numbered(name, strings.Replace(text, "@table", table, 1)).text, run)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
