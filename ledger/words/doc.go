// Package words cuts texts and searches into words as a ledger does, so that a search finds the same
// in both stores, and marks what was found.
package words
