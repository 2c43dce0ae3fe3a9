// Package team opens the history of a team in PostgreSQL: it has the connection, the meaning of its
// errors, and what pushing and asking have in common. Package push writes to the team store, run by
// run, and does what only its owner may do; package ask answers questions.
//
// A ledger decides only by its own rows: nothing in a team store affects a loop.
package team
