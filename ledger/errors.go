package ledger

import "errors"

// Errors of questions about rows, to be tested with errors.Is.
var (
	// ErrNotFound means that there is no such row.
	ErrNotFound = errors.New("not found in the ledger")
	// ErrAmbiguous means that a prefix of an ID is that of several rows.
	ErrAmbiguous = errors.New("ambiguous ID")
)
