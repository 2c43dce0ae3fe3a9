// Package ask answers questions about the history of a team, as a ledger does about itself. It is
// the only package that sees package postgres, and no row type leaves it.
//
// Questions about one run are answered from its record, by a ledger in memory, so that they
// have one implementation. Those over many runs are SQL.
//
// Worktrees and folders of logs are not known here: they are empty in answers, and a filter by one
// is [ledger.ErrLocal]. A text that was not sent is missing as if it had been removed.
package ask
