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

// A Span is what a diff compares: two commits or trees, and, if the base of the run has moved since
// somebody saw the first one, its bases then and now.
type Span struct{ From, To, Was, Now string }

// moved reports whether the base has moved.
func (s Span) moved() bool { return s.Was != s.Now }

// trees is what a diff compares; plain means without renames.
type trees struct {
	Span
	plain bool
}

// Diffs returns the diffs of the worktree. None has been computed yet.
func (w *Worktree) Diffs() *Diffs {
	return &Diffs{repo: w.Repo, exclude: w.Exclude(), diffs: map[trees]func() (*diff.Diff, error){}, lists: map[trees]func() (diff.Listing, error){}}
}

// Missing calls [diff.Repo.Missing].
func (d *Diffs) Missing(file string) bool { return d.repo.Missing(file) }

// Hidden calls [diff.Repo.Hidden].
func (d *Diffs) Hidden(file string) bool { return d.repo.Hidden(file) }

// Prefetch computes several diffs, and lists the files of another one, at the same time. If one
// fails, [Diffs.Over] or [Diffs.List] returns the error.
func (d *Diffs) Prefetch(ctx context.Context, spans []Span, list, to string) {
	var making sync.WaitGroup
	for _, span := range spans {
		making.Go(func() { _, _ = d.Over(ctx, span) })
	}
	if !slices.Contains(spans, Span{From: list, To: to}) {
		making.Go(func() { _, _ = d.List(ctx, list, to) })
	}
	making.Wait()
}

// Between returns the diff from one commit or tree to another.
func (d *Diffs) Between(ctx context.Context, from, to string) (*diff.Diff, error) {
	return d.Over(ctx, Span{From: from, To: to})
}

// Over returns the diff of a span. If the base has moved, it leaves out what is as in the new base,
// and has what both sides changed compared with the new base ([ledger.ShowPath]).
//
// Rule: No slot passes what it was not shown.
func (d *Diffs) Over(ctx context.Context, span Span) (*diff.Diff, error) {
	return d.over(ctx, trees{Span: span})
}

func (d *Diffs) over(ctx context.Context, of trees) (between *diff.Diff, err error) {
	if of.moved() {
		return d.sinceMove(ctx, of)
	}
	find := d.repo.Diff
	if of.plain {
		find = d.repo.DiffUnrenamed
	}
	of.Was, of.Now = "", ""
	between, err = once(d, d.diffs, of, func() (*diff.Diff, error) { return find(ctx, of.From, of.To, d.exclude) })
	if between == nil && err == nil {
		between = &diff.Diff{}
	}
	return between, err
}

// sinceMove returns the diff of a span in which the base has moved.
func (d *Diffs) sinceMove(ctx context.Context, of trees) (*diff.Diff, error) {
	theirs, err := d.List(ctx, of.Was, of.Now)
	if err != nil {
		return nil, err
	}
	own, err := d.List(ctx, of.Now, of.To)
	if err != nil {
		return nil, err
	}
	gained, changed := pathSet(theirs), pathSet(own)
	show := func(path string) ledger.PathShown { return ledger.ShowPath(gained[path], changed[path]) }
	whole := &diff.Diff{}
	if slices.ContainsFunc(own.Paths(), func(path string) bool { return show(path) == ledger.PathWhole }) {
		if whole, err = d.over(ctx, trees{Span{From: of.Now, To: of.To}, of.plain}); err != nil {
			return nil, err
		}
		whole = whole.Filter(func(path string) bool { return show(path) == ledger.PathWhole })
	}
	instead := pathSet(whole.Listing())
	since, err := d.over(ctx, trees{Span{From: of.From, To: of.To}, of.plain})
	if err != nil {
		return nil, err
	}
	kept := func(path string) bool { return show(path) == ledger.PathSinceSeen && !instead[path] }
	// A rename that only the move of the base made would hide the lines of one of its files.
	torn := func(from, to string) bool {
		return kept(from) != kept(to) && (gained[from] || gained[to] || instead[from] || instead[to])
	}
	if since.Renames(torn) {
		plain, err := d.over(ctx, trees{Span{From: of.From, To: of.To}, true})
		if err != nil {
			return nil, err
		}
		since = since.Sever(torn, plain)
	}
	return since.Filter(kept).Join(whole), nil
}

func pathSet(files diff.Listing) map[string]bool {
	set := make(map[string]bool, len(files))
	for _, path := range files.Paths() {
		set[path] = true
	}
	return set
}

// ListOver is [Diffs.List] of a span.
func (d *Diffs) ListOver(ctx context.Context, span Span) (diff.Listing, error) {
	if !span.moved() {
		return d.List(ctx, span.From, span.To)
	}
	between, err := d.Over(ctx, span)
	if err != nil {
		return nil, err
	}
	return between.Listing(), nil
}

// List returns the names of the files of [Diffs.Between]. If that has not been computed yet, git is
// asked for the names alone.
func (d *Diffs) List(ctx context.Context, from, to string) (diff.Listing, error) {
	of := trees{Span: Span{From: from, To: to}}
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

// Part returns the part of the diff of a span that a gate covers. A file that was moved from where
// the gate does not look is shown as a new file, because a rename would show its name and none of
// its lines.
//
// Rule: No slot passes what it was not shown.
func (d *Diffs) Part(ctx context.Context, span Span, covers, looks func(file string) bool) (*diff.Diff, error) {
	between, err := d.Over(ctx, span)
	if err != nil {
		return nil, err
	}
	part := between.Filter(covers)
	arrives := func(from, to string) bool { return covers(to) && !looks(from) }
	if !part.Renames(arrives) {
		return part, nil
	}
	plain, err := d.over(ctx, trees{span, true})
	if err != nil {
		return nil, err
	}
	return part.Unrename(arrives, plain), nil
}

// once returns what is known about the diff of a span without a moved base, and finds it out if that
// has not been done yet. It is zero for a tree and itself.
func once[T any](d *Diffs, known map[trees]func() (T, error), of trees, find func() (T, error)) (found T, err error) {
	if of.From == of.To {
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
