package ledger

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of queries. Test for them with errors.Is.
var (
	// ErrNotFound means that no such row exists.
	ErrNotFound = errors.New("not found in the ledger")
	// ErrAmbiguous means that an ID prefix matches several rows.
	ErrAmbiguous = errors.New("ambiguous ID")
	// ErrCursor means that a cursor does not belong to the list.
	ErrCursor = errors.New("not a cursor of this list")
)

// IDError means that an ID, or a prefix of one, does not identify one row.
type IDError struct {
	Kind    string // what was looked for: "run" or "violation"
	ID      string
	Matches []string // the IDs with this prefix; empty if the ID is unknown
}

// Error returns, on one line, what is wrong with the ID.
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

// LogDirError means that the log directory of the configuration changed while a run is open.
type LogDirError struct {
	Run        string // ULID
	Began, Now string // the log directories
}

// Error names both directories, and says how to continue.
func (e *LogDirError) Error() string {
	return fmt.Sprintf("log_dir is %q, but run %s is open with %q: set log_dir to %q again, and end that run first (`reviewledger run`; `reviewledger clean` gives it up)", e.Now, e.Run, e.Began, e.Began)
}
