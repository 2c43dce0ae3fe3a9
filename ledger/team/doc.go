// Package team keeps the history of a team in PostgreSQL: what ledgers push, run by run. It
// is the only package that sees package postgres, and no row type leaves it.
//
// A ledger decides by its own rows alone; nothing of what is here flows back into a loop.
// Questions about one run are answered from its record, by a ledger in memory, so that they
// have one implementation. Those over many runs are SQL.
package team
