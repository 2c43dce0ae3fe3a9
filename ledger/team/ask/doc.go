// Package ask answers questions about the history of a team, as a ledger does about its own. No
// type of package postgres leaves it.
//
// Questions about one run are answered by a ledger in memory that is loaded from the run's record,
// so that they have only one implementation. Questions about many runs are answered by SQL.
//
// Worktrees and log directories are not known here: they are empty in answers, and the error for a
// filter by one of them is [ledger.ErrLocal]. A text that was not sent looks as if it had been
// removed.
package ask
