package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// database examines the ledger and its file system. It returns the adapters that reached a limit,
// with the times when they may be asked again.
func (d *doctor) database(ctx context.Context, path string) map[string]time.Time {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	found, err := store.Inspect(ctx, path, time.Now())
	switch {
	case errors.Is(err, store.ErrMissing):
		d.add("ledger", healthOK, "", "%s: does not exist yet; the first run creates it", path)
	case store.DamageIn(err) != store.Damage{}:
		damage := store.DamageIn(err)
		d.add("ledger", healthProblem, damage.Fix, "%s %s (%v)", path, damage.Means, err)
	case err != nil:
		d.add("ledger", healthProblem, remedy(err), "%v", err)
	case len(found.Problems) > 0:
		damage := store.DamageOf(found.Problems)
		d.add("ledger", healthProblem, damage.Fix, "%s %s (%s)", path, damage.Means, found.Problems[0])
	case found.Schema < found.Latest:
		d.add("ledger", healthWarning, "`reviewledger run` upgrades it", "%s has schema %d; this program uses %d", path, found.Schema, found.Latest)
	default:
		d.add("ledger", healthOK, "", "%s, %s, schema %d, no problems", path, fileSize(path), found.Schema)
	}
	d.fileSystem(path)
	return found.Cooldowns
}

// fileSystem warns if the folder of the ledger is on a network file system. If the folder does not
// exist, it looks at the nearest one above.
func (d *doctor) fileSystem(path string) {
	folder := filepath.Dir(path)
	for {
		if _, err := os.Stat(folder); err == nil || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	if kind := networkFileSystem(folder); kind != "" {
		d.add("file system", healthWarning, "keep the ledger on a local disk: `export REVIEWLEDGER_DB=FILE`",
			"%s is on a network file system (%s), where the locks of SQLite may not work", folder, kind)
	}
}

func fileSize(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "size unknown"
	}
	return text.Bytes(info.Size())
}
