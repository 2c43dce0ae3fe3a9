package push

import (
	"context"
	"io/fs"

	"github.com/reviewledger/reviewledger/ledger/team"
)

// MigrateTo is [Migrate] to the tables that some migrations make.
func MigrateTo(ctx context.Context, o team.Options, files fs.FS) (Migrated, error) {
	return migrate(ctx, o, Roles{}, files)
}
