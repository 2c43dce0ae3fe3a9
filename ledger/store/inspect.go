package store

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// Sweep removes what a killed process left beside the ledger at the path.
func Sweep(path string) error { return db.Sweep(path) }

// ErrMissing means that there is no ledger yet, to be tested with errors.Is.
var ErrMissing = db.ErrMissing

// ErrUnfinished means that a ledger on a read-only file system holds changes that
// cannot be read there, to be tested with errors.Is.
var ErrUnfinished = db.ErrUnfinished

// ErrUnusable and ErrNewer mean that a file is not a ledger that this program can use:
// it is something else or damaged, or a newer program wrote it. They are to be tested
// with errors.Is.
var (
	ErrUnusable = db.ErrForeign
	ErrNewer    = db.ErrNewer
)

// IsBusy reports whether another process held the ledger's lock for longer than is waited:
// later it may be free.
func IsBusy(err error) bool { return db.IsBusy(err) }

// SQLiteVersion is that of the SQLite in this program.
const SQLiteVersion = db.SQLiteVersion

// Inspection is what can be said about a ledger without changing it.
type Inspection struct {
	// Schema is the version of its tables, and Latest the one of this program,
	// which writing commands bring it to.
	Schema, Latest int
	// Problems say what is damaged; there are none in a sound ledger.
	Problems []string
	// Cooldowns are the adapters that are left alone, and until when.
	Cooldowns map[string]time.Time
}

// Inspect checks the ledger at path and changes nothing. Without a file it returns
// ErrMissing.
func Inspect(ctx context.Context, path string, now time.Time) (Inspection, error) {
	found, err := db.Inspect(ctx, path, db.Time(now.UTC().Truncate(time.Millisecond)))
	i := Inspection{Schema: found.Version, Latest: found.Latest, Problems: found.Problems, Cooldowns: cooldownsFrom(found.Cooldowns)}
	if err != nil {
		return i, notOpened(path, err)
	}
	return i, nil
}
