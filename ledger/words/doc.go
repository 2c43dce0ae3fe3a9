// Package words splits texts and searches into words as SQLite does, and marks what a search found.
package words
