package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
)

// Problems lists what is wrong with the ledger: what SQLite finds in the file, and rows that
// contradict each other. The progress functions are called before each check with the number of
// checks done and the total.
func (l *Store) Problems(ctx context.Context, progress ...func(done, all int)) ([]string, error) {
	tell := func(done, all int) {
		for _, p := range progress {
			p(done, all)
		}
	}
	checks := db.Checks()
	tell(0, len(checks))
	problems, err := db.Integrity(ctx, l.handle)
	if err != nil {
		return nil, fmt.Errorf("check ledger %q: %w", l.path, err)
	}
	if DamageOf(problems) == broken { // what rows say cannot be read, perhaps
		return problems, nil
	}
	err = l.read(ctx, "check the ledger", func(t *tx) error {
		for n, name := range checks {
			tell(n+1, len(checks))
			found, err := t.Check(ctx, name)
			if err != nil {
				return err
			}
			problems = append(problems, found...)
		}
		return nil
	})
	return problems, err
}

// Backup writes a copy of the ledger, from one state of it, to a file that must not exist. Other
// processes can write meanwhile.
func (l *Store) Backup(ctx context.Context, path string) error {
	if err := db.Backup(ctx, l.handle, path); err != nil {
		return fmt.Errorf("back up ledger %q to %q: %w", l.path, path, err)
	}
	return nil
}
