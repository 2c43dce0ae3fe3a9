// Package team opens the history of a team in PostgreSQL: the connection, what its errors mean, and
// what pushing to it and asking it have in common. Package push writes to it, run by run, and does
// what its owner may; package ask answers questions.
//
// A ledger decides by its own rows alone; nothing of what is here flows back into a loop.
package team
