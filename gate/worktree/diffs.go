package worktree

import (
	"context"
	"errors"
	"sync"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Diffs makes each diff between two trees once. It is safe for concurrent use.
type Diffs struct {
	repo    *diff.Repo
	exclude []string

	mu    sync.Mutex
	diffs map[trees]func() (*diff.Diff, error)
}

// trees are what a diff begins and ends at; plain means without renames.
type trees struct {
	from, to string
	plain    bool
}

// Diffs returns the diffs of the worktree, of which none is made yet.
func (w *Worktree) Diffs() *Diffs {
	return &Diffs{repo: w.Repo, exclude: w.Exclude(), diffs: map[trees]func() (*diff.Diff, error){}}
}

// Missing is [diff.Repo.Missing].
func (d *Diffs) Missing(file string) bool { return d.repo.Missing(file) }

// Hidden is [diff.Repo.Hidden].
func (d *Diffs) Hidden(file string) bool { return d.repo.Hidden(file) }

// Prefetch makes the diffs from commits or trees to one tree, side by side. A diff that cannot be
// made is left to [Diffs.Between], which returns the error.
func (d *Diffs) Prefetch(ctx context.Context, bases []string, to string) {
	var making sync.WaitGroup
	for _, base := range bases {
		making.Go(func() { _, _ = d.Between(ctx, base, to) })
	}
	making.Wait()
}

// Between is the diff from one tree, or commit, to another.
func (d *Diffs) Between(ctx context.Context, from, to string) (*diff.Diff, error) {
	return d.once(trees{from: from, to: to}, func() (*diff.Diff, error) { return d.repo.Diff(ctx, from, to, d.exclude) })
}

// Follow finds where the lines of violations are in a tree, and tells it of each that was
// reported in a known tree: the places of its latest report, its own first, with the diff since
// then. The diff is nil if git no longer has that tree. A diff is searched once.
func (d *Diffs) Follow(ctx context.Context, to string, violations []ledger.Violation, tell func(v *ledger.Violation, since *diff.Diff, now []ledger.Whereabouts)) error {
	byTree := map[string][]*ledger.Violation{}
	for i := range violations {
		if v := &violations[i]; v.Reviewed != "" {
			byTree[v.Reviewed] = append(byTree[v.Reviewed], v)
		}
	}
	for tree, list := range byTree {
		since, err := d.Between(ctx, tree, to)
		if err != nil && !errors.Is(err, diff.ErrGone) {
			return err
		}
		if err != nil {
			for _, v := range list {
				tell(v, nil, nil)
			}
			continue
		}
		var places []ledger.Place
		for _, v := range list {
			places = append(places, v.ReportedPlaces()...)
		}
		followed := since.Follow(places)
		for _, v := range list {
			n := len(v.ReportedPlaces())
			tell(v, since, followed[:n])
			followed = followed[n:]
		}
	}
	return nil
}

// Part returns the part of the diff from one tree, or commit, to another that a gate
// covers. A file that was moved from where the gate does not look is shown as a new one: a
// rename would show its name and none of its lines.
//
// Rule: No slot passes what it was not shown.
func (d *Diffs) Part(ctx context.Context, from, to string, covers, looks func(file string) bool) (*diff.Diff, error) {
	between, err := d.Between(ctx, from, to)
	if err != nil {
		return nil, err
	}
	part := between.Filter(covers)
	arrives := func(from, to string) bool { return covers(to) && !looks(from) }
	if !part.Renames(arrives) {
		return part, nil
	}
	plain, err := d.once(trees{from, to, true}, func() (*diff.Diff, error) { return d.repo.DiffUnrenamed(ctx, from, to, d.exclude) })
	if err != nil {
		return nil, err
	}
	return part.Unrename(arrives, plain), nil
}

// once returns the diff, and makes it if that was not done yet.
func (d *Diffs) once(of trees, make func() (*diff.Diff, error)) (*diff.Diff, error) {
	if of.from == of.to {
		return &diff.Diff{}, nil
	}
	d.mu.Lock()
	made := d.diffs[of]
	if made == nil {
		made = sync.OnceValues(make)
		d.diffs[of] = made
	}
	d.mu.Unlock()
	return made()
}
