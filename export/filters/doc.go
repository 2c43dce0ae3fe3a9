// Package filters parses the filters by which a user chooses rows. Commands and dashboard share the
// filters and the parser: each flag of a command is a URL parameter of a page with the same name.
// The package queries a ledger only through [Finder] and [Namer]; it does not touch git.
package filters
