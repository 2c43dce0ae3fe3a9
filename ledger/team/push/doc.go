// Package push writes the history of a team: the runs of a ledger, each at its latest revision, and
// what they contribute to the figures. It also does what only the owner of the tables may do:
// create them, delete runs, and compute the figures again.
package push
