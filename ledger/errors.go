package ledger

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of questions about rows, to be tested with errors.Is.
var (
	// ErrNotFound means that no such row exists.
	ErrNotFound = errors.New("not found in the ledger")
	// ErrAmbiguous means that an ID prefix matches several rows.
	ErrAmbiguous = errors.New("ambiguous ID")
	// ErrCursor means that a list cannot go on after a cursor, because it is not one of
	// this list.
	ErrCursor = errors.New("not a cursor of this list")
	// ErrLocal means that only the ledger of one machine can answer: what was asked for
	// never leaves it.
	ErrLocal = errors.New("the store of a team does not have this: ask the ledger of the machine, without --team")
)

// IDError means that an ID, or a prefix of one, does not name one row.
type IDError struct {
	Kind    string // what was looked for: "run" or "violation"
	ID      string
	Matches []string // the IDs with this prefix; empty if the ID is unknown
}

// Error says in one line what is wrong with the ID.
func (e *IDError) Error() string {
	if len(e.Matches) == 0 {
		return fmt.Sprintf("no %s matches %q", e.Kind, e.ID)
	}
	return fmt.Sprintf("ambiguous ID %q: matches %s; use more characters", e.ID, strings.Join(e.Matches, " and "))
}

// Unwrap returns [ErrNotFound] or [ErrAmbiguous].
func (e *IDError) Unwrap() error {
	if len(e.Matches) == 0 {
		return ErrNotFound
	}
	return ErrAmbiguous
}
