package db

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/queries"
)

// List is a list of violations that is put together of the parts of queries/lists: SQLite
// gets only the conditions that were asked for, and reads the index that was chosen.
type List struct {
	// From is the index that the rows come from; without one, they are looked up by their ids.
	From string
	// By is the part "by ..." of an order.
	By string
	// AtMost is how long the list may be; 0 is without end.
	AtMost int
	keep   []string
	args   []any
}

// Keep adds the condition of this name, with its parameters.
func (l *List) Keep(part string, args ...sql.NamedArg) {
	l.keep = append(l.keep, part)
	for _, arg := range args {
		l.args = append(l.args, arg)
	}
}

// KeepColumn adds the condition that a column is a value, is among several in JSON, or lies from one on or
// until one: these words name the part.
func (l *List) KeepColumn(column, comparison string, value any) {
	l.Keep(column+" "+comparison, sql.Named(column+"_"+comparison, value))
}

// Clone is a list whose conditions can be added to without changing this one.
func (l List) Clone() List {
	l.keep, l.args = slices.Clip(l.keep), slices.Clip(l.args)
	return l
}

// listParts are the parts of lists by name.
var listParts = sync.OnceValue(func() map[string]string {
	parts := map[string]string{}
	for _, part := range strings.Split(queries.Lists, "-- name: ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n--")
		parts[name] = strings.TrimSpace(text)
	}
	return parts
})

// statement is the list as SQL, from its first part to the last.
func (l List) statement(first, last string) string {
	parts := listParts()
	var text strings.Builder
	add := func(before, name string) {
		part, known := parts[name]
		if column, comparison, _ := strings.Cut(name, " "); !known {
			part, known = parts["column "+comparison]
			part = strings.ReplaceAll(part, "{column}", column)
		}
		if !known {
			panic(fmt.Sprintf("a list of violations does not have a part %q", name))
		}
		text.WriteString(before + part)
	}
	add("", first)
	if l.From == "" {
		add(" ", "from ids")
	} else {
		add(" ", "from index")
	}
	for i, name := range l.keep {
		before := "\n  AND "
		if i == 0 {
			before = "\nWHERE "
		}
		add(before, name)
	}
	if l.By != "" {
		add("\n", "by "+l.By)
	}
	add("\n", last)
	return strings.Replace(text.String(), "{index}", l.From, 1)
}

// limited are the parameters with the limit, which is negative where there is none.
func (l List) limited() []any {
	atMost := l.AtMost
	if atMost == 0 {
		atMost = -1
	}
	return append(slices.Clip(l.args), sql.Named("at_most", atMost))
}

// ListIDs yields the rows of the list in its order, while SQLite finds them.
func (q *Queries) ListIDs(ctx context.Context, l List) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := q.db.QueryContext(ctx, l.statement("ids", "limit"), l.limited()...)
		if err != nil {
			yield(0, err)
			return
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				yield(0, err)
				return
			}
			if !yield(id, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(0, err)
		}
	}
}

// CountList counts the list, up to its limit.
func (q *Queries) CountList(ctx context.Context, l List) (n int, err error) {
	l.By = ""
	err = q.db.QueryRowContext(ctx, l.statement("count", "limit of count"), l.limited()...).Scan(&n)
	return n, err
}
