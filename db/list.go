package db

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/queries"
)

// List is a list of violations, composed from the parts of queries/lists. SQLite gets only the
// conditions that were asked for.
type List struct {
	// By is the order: the name of a part "by ...", without "by".
	By string
	// AtMost is the length limit of the list; 0 means no limit.
	AtMost int
	keep   []string
	args   []any
}

// Keep adds the condition that the named part holds, with its parameters.
func (l *List) Keep(part string, args ...sql.NamedArg) {
	l.keep = append(l.keep, part)
	for _, arg := range args {
		l.args = append(l.args, arg)
	}
}

// KeepColumn adds a condition on a column. The comparison is the second word of a part "column ...":
// is, among (several values as a JSON array), from or until.
func (l *List) KeepColumn(column, comparison string, value any) {
	l.Keep(column+" "+comparison, sql.Named(column+"_"+comparison, value))
}

// Clone returns a copy to which conditions can be added without changing this one.
func (l List) Clone() List {
	l.keep, l.args = slices.Clip(l.keep), slices.Clip(l.args)
	return l
}

// statement returns the list as SQL.
func (l List) statement() string {
	parts := queries.Lists()
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
		_, part, _ = strings.Cut(part, "\n") // without its name
		text.WriteString(before + part)
	}
	add("", "ids")
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
	add("\n", "limit")
	return text.String()
}

// limited returns the parameters and the limit, which is negative for none.
func (l List) limited() []any {
	atMost := l.AtMost
	if atMost == 0 {
		atMost = -1
	}
	return append(slices.Clip(l.args), sql.Named("at_most", atMost))
}

// ListIDs yields the IDs of the list in its order, as SQLite finds them.
func (q *Queries) ListIDs(ctx context.Context, l List) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := q.db.QueryContext(ctx, l.statement(), l.limited()...)
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
