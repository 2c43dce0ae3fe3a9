// Package team keeps the history of a team in PostgreSQL: one row a run, with its record. It pushes
// the runs of a ledger, pulls those of all ledgers into a replica, and does what only the owner of the
// store may do.
//
// A ledger decides only by its own rows: nothing in a team store affects a loop.
package team
