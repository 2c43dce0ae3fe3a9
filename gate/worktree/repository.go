package worktree

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// FindRepository returns the identity of the worktree's repository: the name in the configuration,
// else its origin. Without either it does not matter if the ledger belongs to the repository alone
// (own). In a ledger that several repositories may share, it is the first commit, and without a
// commit the path.
func FindRepository(ctx context.Context, repo *diff.Repo, conf *config.Config, own bool) (ledger.Repository, error) {
	if conf.Repository != "" {
		return ledger.Repository{Kind: ledger.RepositoryConfigured, Key: conf.Repository, Sole: own}, nil
	}
	origin, err := repo.OriginURL(ctx)
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
