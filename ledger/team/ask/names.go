package ask

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// Names answers as the ledger does.
func (s *Store) Names(ctx context.Context) (names ledger.Names, err error) {
	err = s.read(ctx, "list names", func(t *tx) error {
		jobs, err := t.JobNames(ctx)
		if err != nil {
			return err
		}
		for _, job := range jobs {
			names.Gates = append(names.Gates, job.Name)
			names.EntryPoints = append(names.EntryPoints, job.EntryPoint)
		}
		repositories, err := t.RepositoryRows(ctx)
		if err != nil {
			return err
		}
		for _, r := range repositories {
			names.Repositories = append(names.Repositories, repositoryKey(r))
		}
		reviewing, err := t.reviewing(ctx)
		names.Adapters, names.Models = reviewing.Adapters, reviewing.Models
		return err
	})
	return names, err
}

// Files answers as the ledger does.
func (s *Store) Files(ctx context.Context, prefix string, limit int) (files []string, err error) {
	err = s.read(ctx, "list files", func(t *tx) error {
		files, err = t.filesBetween(ctx, prefix, limit)
		return err
	})
	return files, err
}

// Branches answers as the ledger does.
func (s *Store) Branches(ctx context.Context) (names []string, err error) {
	err = s.read(ctx, "list branches", func(t *tx) (err error) {
		names, err = t.BranchNames(ctx)
		return err
	})
	return names, err
}
