package push

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// statements has the statements in queries/postgres/push, by name. Code cannot be generated for
// them, because they use temporary tables and grant rights.
var statements = sync.OnceValue(queries.Push)

// written has the statements that write rows to a table.
type written struct {
	columns         []string // the copied columns, in order
	make, copy, put string
}

// writtenTables returns how rows are written to the server's tables, by name.
func writtenTables(ctx context.Context, conn *pgx.Conn) (map[string]written, error) {
	found, err := conn.Query(ctx, statement("columns"))
	if err != nil {
		return nil, err
	}
	keys, values := map[string][]string{}, map[string][]string{}
	var name, column string
	var isKey bool
	_, err = pgx.ForEachRow(found, []any{&name, &column, &isKey}, func() error {
		of := values
		if isKey {
			of = keys
		}
		of[name] = append(of[name], column)
		return nil
	})
	all := map[string]written{}
	for _, t := range append(rowTables, forgottenSkips) {
		tags := rows.Tags(t.row)
		values := slices.DeleteFunc(values[t.name], func(column string) bool { return tags[column] == nil })
		all[t.name] = t.written(strings.Join(keys[t.name], ", "), strings.Join(values, ", "))
	}
	return all, err
}

// written fills the statements that are the same for all tables, and takes those that this table
// has of its own.
func (t table) written(key, values string) written {
	fill := strings.NewReplacer("@push", "push_"+t.name, "@table", t.name, "@columns", key+", "+values, "@key", key, "@values", values,
		"@new", "excluded."+strings.ReplaceAll(values, ", ", ", excluded."), "@old", "t."+strings.ReplaceAll(values, ", ", ", t."))
	filled := func(verb, same string) string {
		text, own := statements()[verb+" "+t.name]
		if !own {
			text = strings.Replace(statement(same), same, verb+" "+t.name, 1)
		}
		return fill.Replace(text)
	}
	w := written{make: filled("make", "make rows"), copy: filled("copy", "copy rows"), put: filled("put", t.put)}
	_, list, _ := strings.Cut(w.copy, "(")
	list, _, _ = strings.Cut(list, ")")
	w.columns = strings.Split(list, ", ")
	return w
}

// statement returns the statement with this name.
func statement(name string) string {
	text, known := statements()[name]
	if !known {
		panic(fmt.Sprintf("there is not a statement %q", name))
	}
	return text
}

// parameter matches the name of a parameter in a statement.
var parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@\w+`) })

// named replaces the parameters of a statement by names of schemas, roles and databases, which
// cannot be sent as values.
func named(name string, identifiers map[string]string) string {
	_, text, _ := strings.Cut(statement(name), "\n")
	return parameter().ReplaceAllStringFunc(strings.TrimSpace(text), func(parameter string) string {
		return pgx.Identifier{identifiers[parameter[1:]]}.Sanitize()
	})
}
