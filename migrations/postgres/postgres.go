// Package postgres holds the schema of the team store as goose migrations. They only run forward.
// From v0.9.0 on a released file never changes: a change comes in a new file.
package postgres

import (
	"embed"
	"io/fs"
	"strconv"
	"strings"
	"sync"
)

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS

// Latest is the number of the newest migration.
var Latest = sync.OnceValue(func() (latest int) {
	names, err := fs.Glob(FS, "*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.Atoi(number); err == nil {
			latest = max(latest, n)
		}
	}
	return latest
})
