// Package store keeps the rows of the ledger in SQLite. It is the only package
// that sees package db, and no row type leaves it: what it takes and returns are
// the values of package ledger.
//
// Each exported method of [Store] is one transaction, and none is open while a
// command or a reviewer runs. What a transaction decides, it decides by the pure
// functions of package ledger, with facts that were found before it began.
package store
