// Package queries holds the SQL that no code is generated from: a record of a run has
// its columns as the keys of its structs, and each is named once there.
package queries

import "embed"

// Record reads and writes records of runs.
//
//go:embed record/*.sql
var Record embed.FS

// Push writes to the team store: temporary tables, what is made of them, and rights.
//
//go:embed postgres/push/*.sql
var Push embed.FS

// Lists are the parts of lists of violations.
//
//go:embed lists/violations.sql
var Lists string
