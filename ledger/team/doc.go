// Package team opens the history of a team in PostgreSQL: the connection, what its errors mean, and
// what pushing to it and asking it have in common. Package push writes to it, run by run, and does
// what its owner may; package ask answers questions.
//
// A ledger decides only by its own rows: nothing in a team store affects a loop.
package team
