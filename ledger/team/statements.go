package team

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/queries"
)

// statements are those of queries/postgres/push by name. They are about temporary tables
// and rights, of which no code can be generated.
var statements = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	files, err := fs.Glob(queries.Push, "postgres/push/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for _, name := range files {
		text, err := fs.ReadFile(queries.Push, name)
		if err != nil {
			panic(err) // it is embedded
		}
		for _, part := range strings.Split(string(text), "-- name: ")[1:] {
			name, query, _ := strings.Cut(part, "\n")
			query, _, _ = strings.Cut(query, ";")
			all[name] = "-- name: " + name + "\n" + query
		}
	}
	return all
})

// statement is the one of this name.
func statement(name string) string {
	text, known := statements()[name]
	if !known {
		panic(fmt.Sprintf("there is not a statement %q", name))
	}
	return text
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
