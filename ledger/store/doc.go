// Package store keeps the rows of the ledger in SQLite. It is the only package that uses package
// db, and no row type leaves it: it takes and returns values of package ledger.
//
// Each exported method of [Store] is one transaction, and none is open while a command or a reviewer
// runs. Decisions within a transaction are made by the pure functions of package ledger, from facts
// that were found before it began.
package store
