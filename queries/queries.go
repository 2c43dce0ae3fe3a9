// Package queries holds the SQL that no code is generated from: a record of a run has
// its columns as the keys of its structs, and each is named once there.
package queries

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed record/*.sql postgres/push/*.sql
var files embed.FS

// Record reads and writes records of runs, by name.
var Record = sync.OnceValue(func() map[string]string { return named("record") })

// Push writes to the team store, by name: temporary tables, what is made of them, and rights.
var Push = sync.OnceValue(func() map[string]string { return named("postgres/push") })

// Lists are the parts of lists of violations.
//
//go:embed lists/violations.sql
var Lists string

// named are the statements of a folder. Like generated ones they begin with a comment that names
// them. A part is put into others in the place of its name in braces.
func named(folder string) map[string]string {
	all := map[string]string{}
	names, err := fs.Glob(files, folder+"/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
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
