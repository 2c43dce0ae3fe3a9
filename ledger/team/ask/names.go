package ask

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// Names answers as the ledger does.
func (s *Store) Names(ctx context.Context) (ledger.Names, error) {
	return answer(ctx, s, "list names", func(t *tx) (names ledger.Names, err error) {
		jobs, err := t.JobNames(ctx)
		if err != nil {
			return names, err
		}
		for _, job := range jobs {
			names.Gates = append(names.Gates, job.Name)
			names.EntryPoints = append(names.EntryPoints, job.EntryPoint)
		}
		repositories, err := t.RepositoryRows(ctx)
		if err != nil {
			return names, err
		}
		for _, r := range repositories {
			names.Repositories = append(names.Repositories, repositoryKey(r))
		}
		reviewing, err := t.reviewing(ctx)
		names.Adapters, names.Models = reviewing.Adapters, reviewing.Models
		return names, err
	})
}

// Files answers as the ledger does.
func (s *Store) Files(ctx context.Context, prefix string, limit int) ([]string, error) {
	return answer(ctx, s, "list files", func(t *tx) ([]string, error) { return t.filesBetween(ctx, prefix, limit) })
}

// Branches answers as the ledger does.
func (s *Store) Branches(ctx context.Context) ([]string, error) {
	return answer(ctx, s, "list branches", func(t *tx) ([]string, error) { return t.BranchNames(ctx) })
}
