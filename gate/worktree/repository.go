package worktree

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// FindRepository says which repository the worktree is of: by the name that the
// configuration gives it, else by its origin. Else it does not matter for a ledger of
// the repository's own; in one that several may share it is known by its first commit,
// and without a commit by where it is.
func FindRepository(ctx context.Context, repo *diff.Repo, conf *config.Config, own bool) (ledger.Repository, error) {
	if conf.Repository != "" {
		return ledger.Repository{Kind: ledger.RepositoryConfigured, Key: conf.Repository, Sole: own}, nil
	}
	origin, err := repo.OriginURL()
	switch {
	case err != nil:
		return ledger.Repository{}, err
	case origin != "":
		return ledger.Repository{Kind: ledger.RepositoryOrigin, Key: origin, Sole: own}, nil
	case own:
		return ledger.Repository{Kind: ledger.RepositoryUnknown}, nil
	}
	root, err := repo.RootCommit(ctx)
	switch {
	case err != nil:
		return ledger.Repository{}, err
	case root != "":
		return ledger.Repository{Kind: ledger.RepositoryRootCommit, Key: root}, nil
	}
	return ledger.Repository{Kind: ledger.RepositoryPath, Key: repo.CommonDir}, nil
}
