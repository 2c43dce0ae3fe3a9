package loop

import (
	"context"
	"errors"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// moveLines records where the lines of what was reported before are in the tree that is
// reviewed now, and writes it into the files that list it: their readers look at the
// present code.
//
// Rule: A place moves with its lines.
func (i *iteration) moveLines(ctx context.Context) error {
	moved := map[string][]ledger.Place{}
	for n := range i.state.Violations {
		v := &i.state.Violations[n]
		places, known, err := i.placesNow(ctx, *v)
		if err != nil {
			return err
		}
		if known && !slices.Equal(places, v.Places()) {
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

// placesNow are where the violation, and then its further places, are in the tree that is reviewed
// in this iteration. They are not known where that tree, or the one in which it was reported, is
// not.
func (i *iteration) placesNow(ctx context.Context, v ledger.Violation) (places []ledger.Place, known bool, err error) {
	if v.Reviewed == "" || i.scope.to == "" {
		return nil, false, nil
	}
	if places = v.Reported; len(places) == 0 {
		places = v.Places()
	}
	if v.Reviewed == i.scope.to {
		return places, true, nil
	}
	since, err := i.scope.diffs.Between(ctx, v.Reviewed, i.scope.to)
	if errors.Is(err, diff.ErrGone) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	spans := make([]diff.Span, 0, len(places))
	for _, p := range places {
		spans = append(spans, diff.Span(p))
	}
	places = nil
	for _, followed := range since.Follow(spans) {
		here := ledger.Place(followed.Here)
		here.End = max(here.Start, here.End)
		places = append(places, here)
	}
	return places, true, nil
}
