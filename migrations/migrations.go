// Package migrations holds the database schema as goose migrations. They only run forward. From
// v0.9.0 on a released file never changes, because ledgers hold what it created: a change comes in
// a new file. Each migration sets user_version to its own number, so that the version of a database
// is cheap to read.
package migrations

import "embed"

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS

// Latest is the number of the newest migration.
const Latest = 1

// ApplicationID marks a SQLite file as a ledger ("RLDL").
const ApplicationID = 0x524C444C
