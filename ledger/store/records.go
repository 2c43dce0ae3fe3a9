package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// This file reads and writes the rows of records, table by table, as ledger/exchange describes them.

// A rowStatement is a statement for rows of a table. from lists what its columns are read into, or what
// its parameters are: a value of the row by its index, or else rowID or a [refID].
type rowStatement struct {
	text string
	from []int
}

// rowID is the ID of the row itself, and refID that of a row that it refers to.
const rowID = -1

func refID(ref int) int { return rowID - 1 - ref }

// rowStatements caches statements.
var rowStatements sync.Map

// statementFor returns the statement that does something with rows of the table. make makes it.
func statementFor(do string, t *exchange.Table, make func(*rowStatement)) *rowStatement {
	if s, known := rowStatements.Load(do + " " + t.Kind); known {
		return s.(*rowStatement)
	}
	s := &rowStatement{}
	make(s)
	rowStatements.Store(do+" "+t.Kind, s)
	return s
}

// outside returns the part of queries/record that finds the row that ref refers to by its key, or "" if
// it is a row of the run, whose ID is known.
func outside(ref exchange.Ref) string { return db.RecordPart("value " + ref.Name) }

// readStatement returns the statement that reads the rows of a table for which a condition holds.
func readStatement(t *exchange.Table, which string) *rowStatement {
	return statementFor(which, t, func(s *rowStatement) {
		var columns []string
		read := func(from int, column string) {
			columns, s.from = append(columns, column), append(s.from, from)
		}
		if t.ID {
			read(rowID, "t.id")
		}
		for i, ref := range t.Refs {
			switch {
			case ref.Name == "":
			case outside(ref) == "":
				read(refID(i), "t."+ref.Name)
			default:
				for _, key := range ref.Keys {
					read(key, db.RecordPart("key "+t.Columns[key].Key))
				}
			}
		}
		for i, c := range t.Columns {
			if c.Name != "" {
				read(i, "t."+c.Name)
			}
		}
		order := "t.id"
		if !t.ID {
			order = "t." + strings.Join(keyColumns(t), ", t.")
		}
		s.text = db.RecordSQL("read rows", "@table", t.SQL(), "@columns", strings.Join(columns, ", "), "@rows", db.RecordPart(which), "@order", order)
	})
}

// keyColumns returns the columns that identify a row of the table in the ledger.
func keyColumns(t *exchange.Table) (columns []string) {
	refs, own := t.KeyColumns()
	for _, i := range refs {
		columns = append(columns, t.Refs[i].Name)
	}
	for _, i := range own {
		columns = append(columns, t.Columns[i].Name)
	}
	return columns
}

// parameter returns a parameter for the text.
func (s *rowStatement) parameter(from int) string {
	if !slices.Contains(s.from, from) {
		s.from = append(s.from, from)
	}
	return fmt.Sprintf("?%d", 1+slices.Index(s.from, from))
}

// reference returns what the ledger has for a reference.
func (s *rowStatement) reference(t *exchange.Table, i int) string {
	ref := t.Refs[i]
	value := outside(ref)
	if value == "" {
		return s.parameter(refID(i))
	}
	for _, key := range ref.Keys {
		value = strings.Replace(value, "@"+t.Columns[key].Key, s.parameter(key), 1)
	}
	return value
}

// addStatement returns the statement that adds a row, or that ensures that there is one.
func addStatement(verb string, t *exchange.Table) *rowStatement {
	return statementFor(verb, t, func(s *rowStatement) {
		var columns, values []string
		for i, ref := range t.Refs {
			if ref.Name != "" && !ref.Later {
				columns, values = append(columns, ref.Name), append(values, s.reference(t, i))
			}
		}
		for i, c := range t.Columns {
			if c.Name != "" {
				columns, values = append(columns, c.Name), append(values, s.parameter(i))
			}
		}
		s.text = db.RecordSQL(verb+" row", "@table", t.SQL(), "@columns", strings.Join(columns, ", "), "@values", strings.Join(values, ", "))
	})
}

// changeStatement returns the statement that changes what may change in a row.
func changeStatement(t *exchange.Table) *rowStatement {
	return statementFor("change", t, func(s *rowStatement) {
		var values, row []string
		for i, ref := range t.Refs {
			if slices.ContainsFunc(ref.Keys, func(key int) bool { return t.Columns[key].Changes }) {
				values = append(values, ref.Name+" = "+s.reference(t, i))
			}
		}
		for i, c := range t.Columns {
			if c.Name != "" && c.Changes {
				values = append(values, c.Name+" = "+s.parameter(i))
			}
		}
		refs, own := t.KeyColumns()
		if t.ID {
			refs, own, row = nil, nil, []string{"id = " + s.parameter(rowID)}
		}
		for _, i := range refs {
			row = append(row, t.Refs[i].Name+" = "+s.reference(t, i))
		}
		for _, i := range own {
			row = append(row, t.Columns[i].Name+" = "+s.parameter(i))
		}
		s.text = db.RecordSQL("change row", "@table", t.SQL(), "@values", strings.Join(values, ", "), "@row", strings.Join(row, " AND "))
	})
}

// runRows are the rows of a run that others may refer to, as far as they were read or written: by kind
// and ID, and their IDs by place.
type runRows struct {
	rows map[string]map[int64]exchange.Row
	ids  map[exchange.Place]int64
	// later refer to rows that were not read yet.
	later []laterRef
}

type laterRef struct {
	row exchange.Row
	ref exchange.Ref
	id  int64
}

func (k *runRows) add(row exchange.Row) {
	if k.rows[row.Kind] == nil {
		k.rows[row.Kind] = map[int64]exchange.Row{}
	}
	k.rows[row.Kind][row.ID], k.ids[row.At()] = row, row.ID
}

// refer fills in the key of the row that the row refers to.
func (k *runRows) refer(row exchange.Row, ref exchange.Ref, id int64) {
	if to, there := k.rows[ref.Kind][id]; there {
		row.Refer(ref, to)
	} else {
		k.later = append(k.later, laterRef{row, ref, id})
	}
}

// readRows reads the rows of a table for which a condition of queries/record holds. They refer to rows
// among in, and are added to it.
func (t *tx) readRows(ctx context.Context, table *exchange.Table, which string, in *runRows, args ...any) (list []exchange.Row, err error) {
	s := readStatement(table, which)
	err = t.Read(ctx, s.text, func(read []any) {
		row := exchange.Row{Table: table, Values: make([]any, len(table.Columns))}
		for i, from := range s.from {
			id, whole := read[i].(int64)
			f, is := read[i].(float64)
			switch {
			case from == rowID:
				row.ID = id
			case from < 0 && whole:
				in.refer(row, table.Refs[-2-from], id)
			case is:
				row.Values[from] = exchange.Plain(f)
			case from >= 0:
				row.Values[from] = read[i]
			}
		}
		if table.ID && in != nil { // a run itself is not in a run
			in.add(row)
		}
		list = append(list, row)
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table.SQL(), err)
	}
	return list, nil
}

// headOf reads the row of a run.
func (t *tx) headOf(ctx context.Context, run int64) (exchange.Row, error) {
	heads, err := t.readRows(ctx, exchange.TableOf("run"), "run itself", nil, run)
	if err == nil && len(heads) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return exchange.Row{}, err
	}
	return heads[0], nil
}

// recordOf reads all rows of a run.
func (t *tx) recordOf(ctx context.Context, run int64) (*exchange.Run, *runRows, error) {
	head, err := t.headOf(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	r, in := &exchange.Run{Head: head, Rows: map[string][]exchange.Row{}}, newRunRows(head)
	for _, table := range exchange.OfRun() {
		if r.Rows[table.Kind], err = t.readRows(ctx, table, "rows of "+table.Of, in, run); err != nil {
			return nil, nil, err
		}
	}
	for _, l := range in.later {
		if to, there := in.rows[l.ref.Kind][l.id]; there { // it is not in a damaged ledger
			l.row.Refer(l.ref, to)
		}
	}
	return r, in, nil
}

func newRunRows(head exchange.Row) *runRows {
	in := &runRows{rows: map[string]map[int64]exchange.Row{}, ids: map[exchange.Place]int64{}}
	in.add(head)
	return in
}

// writeRow runs a statement with a row. It refers to rows among in.
func (t *tx) writeRow(ctx context.Context, s *rowStatement, row exchange.Row, in *runRows) (sql.Result, error) {
	args := make([]any, len(s.from))
	for i, from := range s.from {
		switch {
		case from >= 0:
			args[i] = row.Values[from]
		case from == rowID:
			args[i] = in.ids[row.At()]
		default:
			if at, refers := row.Refers(row.Refs[-2-from]); refers {
				if id, there := in.ids[at]; there {
					args[i] = id
				}
			}
		}
	}
	return t.Write(ctx, s.text, args...)
}

// ensureRow adds a row that does not belong to a run, unless it exists.
func (t *tx) ensureRow(ctx context.Context, row exchange.Row) (sql.Result, error) {
	return t.writeRow(ctx, addStatement("ensure", row.Table), row, nil)
}

// addRow adds a row with values by column.
func (t *tx) addRow(ctx context.Context, table string, values map[string]any) error {
	columns, numbers := slices.Sorted(maps.Keys(values)), make([]string, len(values))
	args := make([]any, len(values))
	for i, column := range columns {
		args[i], numbers[i] = values[column], fmt.Sprintf("?%d", i+1)
	}
	_, err := t.Write(ctx, db.RecordSQL("add row", "@table", table, "@columns", strings.Join(columns, ", "), "@values", strings.Join(numbers, ", ")), args...)
	return err
}

// removeRows removes the rows of tables that belong to a run. A table is emptied before those to which
// its rows refer.
func (t *tx) removeRows(ctx context.Context, run int64, tables []*exchange.Table) error {
	for _, table := range slices.Backward(tables) {
		statement := db.RecordSQL("remove rows", "@table", table.SQL(), "@rows", db.RecordPart("rows of "+table.Of))
		if _, err := t.Write(ctx, statement, run); err != nil {
			return fmt.Errorf("remove %s: %w", table.SQL(), err)
		}
	}
	return nil
}
