// Package postgres holds the schema of the team store as goose migrations. They run
// forward only, and a released file never changes.
package postgres

import "embed"

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS

// Latest is the number of the newest migration.
const Latest = 2
