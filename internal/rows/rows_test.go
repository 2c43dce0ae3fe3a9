package rows_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/rows"
)

// found are rows of a fake query result.
type found struct {
	values [][]any
	at     int
	err    error
	closed bool
}

func (f *found) Next() bool   { f.at++; return f.at <= len(f.values) }
func (f *found) Err() error   { return f.err }
func (f *found) Close() error { f.closed = true; return nil }
func (f *found) Scan(into ...any) error {
	row := f.values[f.at-1]
	if len(row) != len(into) {
		return errors.New("another number of columns")
	}
	for i, value := range row {
		if value != nil {
			reflect.ValueOf(into[i]).Elem().Set(reflect.ValueOf(value))
		}
	}
	return nil
}

type table struct {
	ID   int64
	Name string
}

type wide struct {
	At    time.Time
	Table table
	Words []string
}

func TestRowsAreStructsInTheOrderOfTheirColumns(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := &found{values: [][]any{{at, int64(1), "a", []string{"x"}}, {at, int64(2), nil, nil}}}
	got, err := rows.All[wide](f, nil)
	want := []wide{{at, table{1, "a"}, []string{"x"}}, {at, table{ID: 2}, nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("rows are %v, %v; want %v", got, err, want)
	}
	if !f.closed {
		t.Error("the rows were left open")
	}
}

func TestRowsThatFail(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		found *found
		err   error
	}{
		"query": {&found{}, broken},
		"end":   {&found{values: [][]any{{"a"}}, err: broken}, nil},
		"scan":  {&found{values: [][]any{{"a", "b"}}}, nil},
	} {
		if got, err := rows.All[string](c.found, c.err); err == nil || got != nil {
			t.Errorf("%s: rows are %v, %v; want an error alone", name, got, err)
		}
	}
	one := &found{values: [][]any{{"a"}}, at: 1}
	if got, err := rows.One[string](one); got != "a" || err != nil {
		t.Errorf("the row is %q, %v", got, err)
	}
}
