// Package push writes to the history of a team: the runs of a ledger, each as it is at its latest
// revision, with what they contribute to the figures. It also does what only the owner of the tables
// may: make them, delete runs, and make the figures again.
package push
