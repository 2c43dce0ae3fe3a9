package worktree

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Diffs computes each diff between two trees only once. It is safe for concurrent use.
type Diffs struct {
	repo    *diff.Repo
	exclude []string

	mu    sync.Mutex
	diffs map[trees]func() (*diff.Diff, error)
	lists map[trees]func() (diff.Listing, error)
}

// trees are the two trees of a diff; plain means without renames.
type trees struct {
	from, to string
	plain    bool
}

// Diffs returns the diffs of the worktree. None has been computed yet.
func (w *Worktree) Diffs() *Diffs {
	return &Diffs{repo: w.Repo, exclude: w.Exclude(), diffs: map[trees]func() (*diff.Diff, error){}, lists: map[trees]func() (diff.Listing, error){}}
}

// Missing calls [diff.Repo.Missing].
func (d *Diffs) Missing(file string) bool { return d.repo.Missing(file) }

// Hidden calls [diff.Repo.Hidden].
func (d *Diffs) Hidden(file string) bool { return d.repo.Hidden(file) }

// Prefetch computes the diffs from several commits or trees to one tree, and lists the files of
// another such diff, at the same time. If one fails, [Diffs.Between] or [Diffs.List] returns the
// error.
func (d *Diffs) Prefetch(ctx context.Context, bases []string, list, to string) {
	var making sync.WaitGroup
	for _, base := range bases {
		making.Go(func() { _, _ = d.Between(ctx, base, to) })
	}
	if !slices.Contains(bases, list) {
		making.Go(func() { _, _ = d.List(ctx, list, to) })
	}
	making.Wait()
}

// Between returns the diff from one commit or tree to another.
func (d *Diffs) Between(ctx context.Context, from, to string) (*diff.Diff, error) {
	between, err := once(d, d.diffs, trees{from: from, to: to}, func() (*diff.Diff, error) { return d.repo.Diff(ctx, from, to, d.exclude) })
	if between == nil && err == nil {
		between = &diff.Diff{}
	}
	return between, err
}

// List returns the names of the files of [Diffs.Between]. If that has not been computed yet, git is
// asked for the names alone.
func (d *Diffs) List(ctx context.Context, from, to string) (diff.Listing, error) {
	of := trees{from: from, to: to}
	d.mu.Lock()
	made := d.diffs[of]
	d.mu.Unlock()
	if made == nil {
		return once(d, d.lists, of, func() (diff.Listing, error) { return d.repo.List(ctx, from, to, d.exclude) })
	}
	between, err := made()
	if err != nil {
		return nil, err
	}
	return between.Listing(), nil
}

// Follow finds out where the lines of violations are in a tree. It calls tell for each violation
// that was reported in a known tree, with the present places of its latest report, its own place
// first, and the diff since then. The diff is nil if git no longer has that tree. Each diff is
// searched once.
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

// Part returns the part of the diff from one commit or tree to another that a gate covers. A file
// that was moved from where the gate does not look is shown as a new file, because a rename would
// show its name and none of its lines.
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
	plain, err := once(d, d.diffs, trees{from, to, true}, func() (*diff.Diff, error) { return d.repo.DiffUnrenamed(ctx, from, to, d.exclude) })
	if err != nil {
		return nil, err
	}
	return part.Unrename(arrives, plain), nil
}

// once returns what is known about the diff, and finds it out if that has not been done yet. It is
// zero for a tree and itself.
func once[T any](d *Diffs, known map[trees]func() (T, error), of trees, find func() (T, error)) (found T, err error) {
	if of.from == of.to {
		return found, nil
	}
	d.mu.Lock()
	made := known[of]
	if made == nil {
		made = sync.OnceValues(find)
		known[of] = made
	}
	d.mu.Unlock()
	return made()
}
