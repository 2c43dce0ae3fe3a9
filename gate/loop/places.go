package loop

import (
	"context"
	"errors"
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
// Those are left out of which that tree, or the one in which they were reported, is not known.
func placesIn(ctx context.Context, diffs *worktree.Diffs, to string, violations []ledger.Violation) (map[string][]ledger.Place, error) {
	now := map[string][]ledger.Place{}
	moved := map[string][]string{} // by tree, for a diff is searched once
	for n := range violations {
		v := &violations[n]
		if v.Reviewed == "" || to == "" {
			continue
		}
		now[v.ID] = v.ReportedPlaces()
		if v.Reviewed != to {
			moved[v.Reviewed] = append(moved[v.Reviewed], v.ID)
		}
	}
	for tree, ids := range moved {
		since, err := diffs.Between(ctx, tree, to)
		if errors.Is(err, diff.ErrGone) {
			for _, id := range ids {
				delete(now, id)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		follow(since, ids, now)
	}
	return now, nil
}

// follow moves the places of violations to where the diff leads.
func follow(since *diff.Diff, ids []string, places map[string][]ledger.Place) {
	var spans []diff.Span
	for _, id := range ids {
		for _, p := range places[id] {
			spans = append(spans, diff.Span(p))
		}
	}
	followed := since.Follow(spans)
	for _, id := range ids {
		n := len(places[id])
		places[id] = make([]ledger.Place, 0, n)
		for _, f := range followed[:n] {
			here := ledger.Place(f.Here)
			here.End = max(here.Start, here.End)
			places[id] = append(places[id], here)
		}
		followed = followed[n:]
	}
}
