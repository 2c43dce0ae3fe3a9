package push

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/queries"
)

// statements are those of queries/postgres/push by name. They are about temporary tables
// and rights, of which no code can be generated.
var statements = sync.OnceValue(func() map[string]string {
	all := maps.Clone(queries.Push())
	addRows(all)
	return all
})

// addRows adds what is the same for all tables that rows.sql lists.
func addRows(all map[string]string) {
	for name, text := range all {
		kind, table, listed := strings.Cut(name, ": ")
		if !listed {
			continue
		}
		_, text, _ = strings.Cut(text, "(")
		key, columns, _ := strings.Cut(text, ")")
		values := strings.Join(strings.Fields(columns), " ")
		fill := strings.NewReplacer("@push", "push_"+table, "@table", table, "@columns", key+", "+values, "@key", key, "@values", values,
			"@new", "excluded."+strings.ReplaceAll(values, ", ", ", excluded."), "@old", "t."+strings.ReplaceAll(values, ", ", ", t."))
		for does, of := range map[string]string{"make ": "make rows", "copy ": "copy rows", "put ": "put " + kind} {
			text, own := all[does+table]
			if !own {
				text = strings.Replace(all[of], of, does+table, 1)
			}
			all[does+table] = fill.Replace(text)
		}
	}
}

// statement is the one of this name.
func statement(name string) string {
	text, known := statements()[name]
	if !known {
		panic(fmt.Sprintf("there is not a statement %q", name))
	}
	return text
}

// columnsOf are the columns of a table that are copied, in their order.
func columnsOf(table string) []string {
	_, list, _ := strings.Cut(statement("copy "+table), "(")
	list, _, _ = strings.Cut(list, ")")
	return strings.Split(list, ", ")
}

// parameter is the name of a parameter in a statement.
var parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@\w+`) })

// named is the statement with names in the place of its parameters: of schemas, roles and
// databases, which cannot be sent apart from it.
func named(name string, identifiers map[string]string) string {
	_, text, _ := strings.Cut(statement(name), "\n")
	return parameter().ReplaceAllStringFunc(strings.TrimSpace(text), func(parameter string) string {
		return pgx.Identifier{identifiers[parameter[1:]]}.Sanitize()
	})
}
