package loop

import (
	"context"
	"errors"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// inRange reports whether a diff of this run showed one of the place's lines, which are line
// numbers of the tree. That may be this iteration's diff, in any part of the repository; the run's
// whole diff, unless the user chose a commit; or that of an earlier iteration. A tree that git no
// longer has may have shown anything.
//
// Rule: In range is what a diff of this run showed.
func (i *iteration) inRange(ctx context.Context, tree string, place ledger.Place) (bool, error) {
	if i.scope.narrowed.Shows(place.File, place.Start, place.End) {
		return true, nil
	}
	if !i.choseCommit() {
		whole, err := i.scope.diffs.Over(ctx, i.wholeSpan())
		if errors.Is(err, diff.ErrGone) || err == nil && whole.Shows(place.File, place.Start, place.End) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	for _, it := range i.state.Iterations {
		shown, err := i.showed(ctx, it, tree, place)
		if errors.Is(err, diff.ErrGone) {
			return true, nil
		}
		if shown || err != nil {
			return shown, err
		}
	}
	return false, nil
}

// choseCommit reports whether the run began with a commit that the user chose: then nobody was
// shown the rest of the run's whole diff.
func (i *iteration) choseCommit() bool {
	if len(i.state.Iterations) == 0 {
		return i.options.Commit != ""
	}
	return i.state.Iterations[0].Source == ledger.SourceCommit
}

// spanOf returns what an earlier iteration compared.
func (i *iteration) spanOf(it ledger.Iteration) worktree.Span {
	span := worktree.Span{From: it.From, To: it.To}
	for _, before := range i.state.Iterations {
		was, now := i.state.BaseAt(&before), i.state.BaseAt(&it)
		if before.Number < it.Number && before.To == it.From && was != "" && now != "" {
			span.Was, span.Now = was, now
		}
	}
	return span
}

// showed reports whether the diff of an earlier iteration showed one of the lines that are now at
// the place in the tree.
func (i *iteration) showed(ctx context.Context, it ledger.Iteration, tree string, place ledger.Place) (bool, error) {
	if it.From == "" || it.To == "" {
		return true, nil // unknown, as it was restored from files
	}
	back, err := i.scope.diffs.Between(ctx, tree, it.To)
	if err != nil {
		return false, err
	}
	shown, err := i.scope.diffs.Over(ctx, i.spanOf(it))
	if err != nil {
		return false, err
	}
	there := back.Follow([]ledger.Place{place})[0].Here
	return shown.Shows(there.File, there.Start, there.End), nil
}
