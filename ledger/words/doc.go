// Package words splits texts and searches into words as a ledger does, so that a search finds the
// same reports in a ledger and in a team store, and marks what was found.
package words
