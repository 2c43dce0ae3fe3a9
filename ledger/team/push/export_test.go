package push

import (
	"context"
	"io/fs"

	"github.com/reviewledger/reviewledger/ledger/team"
)

// MigrateTo is like [Migrate], with the given migrations.
func MigrateTo(ctx context.Context, o team.Options, files fs.FS) (Migrated, error) {
	return migrate(ctx, o, Roles{}, files)
}
