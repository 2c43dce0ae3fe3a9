package team

import (
	"context"
	"io/fs"
)

// MigrateTo is [Migrate] to the tables that some migrations make.
func MigrateTo(ctx context.Context, o Options, files fs.FS) (Migrated, error) {
	return migrate(ctx, o, Roles{}, files)
}
