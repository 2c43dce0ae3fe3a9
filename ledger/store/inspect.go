package store

import (
	"context"
	"errors"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// ErrMissing means that there is no ledger yet. Test for it with errors.Is.
var ErrMissing = db.ErrMissing

// ErrUnfinished means that a ledger on a read-only file system has changes that cannot be read
// there. Test for it with errors.Is.
var ErrUnfinished = db.ErrUnfinished

// ErrUnusable and ErrNewer mean that a file is not a ledger that this program can use: it is
// damaged or something else, or a newer program wrote it. Test for them with errors.Is.
var (
	ErrUnusable = db.ErrForeign
	ErrNewer    = db.ErrNewer
)

// IsBusy reports whether another process held the ledger's lock for longer than this one waits. The
// lock may be free later.
func IsBusy(err error) bool { return db.IsBusy(err) }

// IsDamaged reports whether SQLite found a damaged part of the ledger.
func IsDamaged(err error) bool { return db.IsCorrupt(err) || errors.Is(err, db.ErrDamaged) }

// SQLiteVersion is the version of SQLite that is built into this program.
const SQLiteVersion = db.SQLiteVersion

// An Inspection is what can be found out about a ledger without changing it.
type Inspection struct {
	// Schema is the version of its schema, and Latest the version that this program writes:
	// commands that write upgrade the ledger to it.
	Schema, Latest int
	// Problems describe what is damaged. A sound ledger has none.
	Problems []string
	// Cooldowns has the adapters that are in a cooldown, and when it ends.
	Cooldowns map[string]time.Time
}

// Inspect examines the ledger at path without changing it. The error is [ErrMissing] if there is no
// file.
func Inspect(ctx context.Context, path string, now time.Time) (Inspection, error) {
	found, err := db.Inspect(ctx, path, db.Time(now.UTC().Truncate(time.Millisecond)))
	i := Inspection{Schema: found.Version, Latest: found.Latest, Problems: found.Problems, Cooldowns: cooldownsFrom(found.Cooldowns)}
	if err != nil {
		return i, notOpened(path, err)
	}
	return i, nil
}
