package worktree

import (
	"context"
	"sync"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// Diffs makes each diff between two trees once. It is safe for concurrent use.
type Diffs struct {
	repo    *diff.Repo
	exclude []string

	mu    sync.Mutex
	diffs map[[2]string]*lazyDiff
}

type lazyDiff struct {
	once sync.Once
	diff *diff.Diff
	err  error
}

// Diffs returns the diffs of the worktree, of which none is made yet.
func (w *Worktree) Diffs() *Diffs {
	return &Diffs{repo: w.Repo, exclude: w.Exclude(), diffs: map[[2]string]*lazyDiff{}}
}

// Between is the diff from one tree, or commit, to another.
func (d *Diffs) Between(ctx context.Context, from, to string) (*diff.Diff, error) {
	d.mu.Lock()
	key := [2]string{from, to}
	lazy := d.diffs[key]
	if lazy == nil {
		lazy = &lazyDiff{}
		d.diffs[key] = lazy
	}
	d.mu.Unlock()
	lazy.once.Do(func() {
		if from == to {
			lazy.diff = &diff.Diff{}
			return
		}
		lazy.diff, lazy.err = d.repo.Diff(ctx, from, to, d.exclude)
	})
	return lazy.diff, lazy.err
}
