package loop

import (
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// moveLines records where the lines of earlier violations are in the tree that is reviewed now, and
// writes that into the files that list them, because their readers look at the present code.
//
// Rule: A place moves with its lines.
func (i *iteration) moveLines(ctx context.Context) error {
	now, err := placesIn(ctx, i.scope.diffs, i.scope.to, i.state.Violations)
	if err != nil {
		return err
	}
	i.places = now
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

// placesIn returns the places of the violations in the tree, by ULID, the further places of each
// after its first. It leaves out violations that were reported in a tree that is not known.
func placesIn(ctx context.Context, diffs *worktree.Diffs, to string, violations []ledger.Violation) (map[string][]ledger.Place, error) {
	now := map[string][]ledger.Place{}
	return now, diffs.Follow(ctx, to, violations, func(v *ledger.Violation, _ *diff.Diff, places []ledger.Whereabouts) {
		for _, place := range places { // none if its tree no longer exists
			now[v.ID] = append(now[v.ID], place.Here)
		}
	})
}
