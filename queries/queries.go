// Package queries holds the SQL that sqlc does not generate code for.
package queries

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed record/*.sql postgres/*.sql rows.sql statistics.sql check/*.sql lists/*.sql
var files embed.FS

// Record returns the statements that read and write records of runs, by name.
var Record = sync.OnceValue(func() map[string]string { return named("record") })

// Checks returns the statements that find rows that contradict each other, by name.
var Checks = sync.OnceValue(func() map[string]string { return named("check") })

// Figures returns the statements of figures, by name.
var Figures = sync.OnceValue(func() map[string]string { return named("statistics") })

// Rows returns the statements that read what the ledger consists of, by name.
var Rows = sync.OnceValue(func() map[string]string { return named("rows") })

// Team returns the statements of the team store, by name.
var Team = sync.OnceValue(func() map[string]string { return named("postgres") })

// Lists returns the parts that lists of violations are composed of, by name.
var Lists = sync.OnceValue(func() map[string]string { return named("lists") })

// named returns the statements of a file, or of the files of a folder, by name. Like generated statements they begin with a
// comment that names them. A "part" is substituted for its name in braces in the others.
func named(from string) map[string]string {
	all := map[string]string{}
	names, err := fs.Glob(files, from+"/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	if names == nil {
		names = []string{from + ".sql"}
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // it is embedded
		}
		for _, part := range strings.Split(string(text), "-- name: ")[1:] {
			name, query, _ := strings.Cut(part, "\n")
			query, _, _ = strings.Cut(query, ";\n\n")
			query = strings.TrimSuffix(query, ";\n")
			all[name] = "-- name: " + name + "\n" + query
		}
	}
	for name, part := range all {
		if part, is := strings.CutPrefix(part, "-- name: part: "); is {
			word, text, _ := strings.Cut(part, "\n")
			delete(all, name)
			for other, statement := range all {
				all[other] = strings.ReplaceAll(statement, "{"+word+"}", text)
			}
		}
	}
	return all
}
