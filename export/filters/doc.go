// Package filters reads the filters by which a user chooses rows. The commands and the
// dashboard have the same filters and one parser: each flag of a command is a parameter of
// a page's URL with the same name. The package asks a ledger only through [Finder] and
// [Namer]; it does not touch git.
package filters
