package loop

import (
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// moveLines records where the lines of what was reported before are in the tree that is
// reviewed now, and writes it into the files that list it: their readers look at the
// present code.
//
// Rule: A place moves with its lines.
func (i *iteration) moveLines(ctx context.Context) error {
	now, err := placesIn(ctx, i.scope.diffs, i.scope.to, i.state.Violations)
	if err != nil {
		return err
	}
	moved := map[string][]ledger.Place{}
	for n := range i.state.Violations {
		v := &i.state.Violations[n]
		if places, known := now[v.ID]; known && !slices.Equal(places, v.Places()) {
			moved[v.ID] = places
		}
	}
	if len(moved) == 0 {
		return nil
	}
	listed, err := i.recorder.Move(ctx, moved)
	if err != nil {
		return err
	}
	return i.exportMarks(ctx, i.state.Run.ID, listed)
}

// placesIn are where the violations, and then their further places, are in the tree, by ULID.
// Those are left out of which the tree in which they were reported is not known.
func placesIn(ctx context.Context, diffs *worktree.Diffs, to string, violations []ledger.Violation) (map[string][]ledger.Place, error) {
	now := map[string][]ledger.Place{}
	return now, diffs.Follow(ctx, to, violations, func(v *ledger.Violation, _ *diff.Diff, places []ledger.Whereabouts) {
		for _, place := range places { // none where its tree is gone
			now[v.ID] = append(now[v.ID], place.Here)
		}
	})
}
