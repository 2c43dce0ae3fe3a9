package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// resolveJoins replaces violations of a mark by those that they were joined to, and finds
// the violation that a mark as duplicate joins them to.
//
// Rule: A duplicate has the fate of what it was joined to.
func (r *Runner) resolveJoins(ctx context.Context, request *ledger.MarkRequest, done *ledger.Marked) error {
	if request.Status == ledger.StatusNew { // it ends the join
		return nil
	}
	var marked []ledger.ListedViolation
	done.Instead = map[string][]string{}
	for _, v := range done.Violations {
		original, err := r.original(ctx, v)
		if err != nil {
			return err
		}
		if original.ID != v.ID {
			done.Instead[original.ID] = append(done.Instead[original.ID], v.ShortID)
		}
		if !slices.ContainsFunc(marked, func(m ledger.ListedViolation) bool { return m.ID == original.ID }) {
			marked = append(marked, original)
		}
	}
	done.Violations = marked
	if request.Status != ledger.StatusDuplicate {
		return request.Check(marked)
	}
	return r.join(ctx, request, marked)
}

// original returns the violation that this one was joined to, or itself.
func (r *Runner) original(ctx context.Context, v ledger.ListedViolation) (ledger.ListedViolation, error) {
	if v.DuplicateOf == "" {
		return v, nil
	}
	found, err := r.Ledger.FindViolations(ctx, []string{v.DuplicateOf})
	if err != nil {
		return v, fmt.Errorf("find what violation %s was joined to: %w", v.ShortID, err)
	}
	return found[0], nil
}

// join finds what the violations are duplicates of, and makes sure that each can be joined to it.
func (r *Runner) join(ctx context.Context, request *ledger.MarkRequest, marked []ledger.ListedViolation) error {
	ids, reports, err := r.leftOut(ctx, []string{request.Result})
	if err != nil {
		return err
	}
	if len(reports) > 0 {
		return r.checkTakeUp(ctx, request.Mark, ledger.Run{}, reports)
	}
	named, err := r.Ledger.FindViolations(ctx, ids)
	if err != nil {
		return err
	}
	original, err := r.original(ctx, named[0])
	if err != nil {
		return err
	}
	request.Result = original.ShortID
	var lines []string
	for _, v := range marked {
		if refused := request.RefuseJoinOf(v, original); refused != "" {
			lines = append(lines, refused)
		}
	}
	if len(lines) > 0 {
		return &ledger.MarkError{Lines: lines}
	}
	return nil
}

// relate records which new violations are perhaps the same as others, and writes it into
// the files that list them, with what a reviewer says is gone: each slot wrote its file before it
// could know what the other slots say.
func (i *iteration) relate(ctx context.Context, state *ledger.State) error {
	if i.scope.to == "" {
		return nil
	}
	found, err := i.nearNewOnes(ctx, state)
	if err != nil {
		return err
	}
	lines := slots.NewLines(i.Repo.Root)
	pairs := ledger.Related(found, lines.Names)
	if len(pairs) == 0 && !slices.ContainsFunc(state.Violations, ledger.Violation.SaidGone) {
		return nil
	}
	listed, err := i.recorder.Relate(ctx, state, pairs)
	if err != nil {
		return err
	}
	return i.exportMarks(ctx, state.Run.ID, listed)
}

// nearNewOnes returns the open and claimed violations in files where something new was
// found, each at its place in the tree that was reviewed. Those that were reported in a
// tree that git no longer has are left out.
func (i *iteration) nearNewOnes(ctx context.Context, state *ledger.State) (found []ledger.Near, err error) {
	news := map[string]bool{}
	for _, v := range state.Violations {
		if v.First == i.number {
			news[v.Place.File] = true
		}
	}
	if len(news) == 0 {
		return nil, nil
	}
	whole, err := i.scope.diffs.Between(ctx, state.Run.Base, i.scope.to)
	if err != nil && !errors.Is(err, diff.ErrGone) {
		return nil, err
	}
	waiting := slices.DeleteFunc(slices.Clone(state.Violations), func(v ledger.Violation) bool {
		return !v.Status.Open() && v.Status != ledger.StatusFixed
	})
	now, err := i.placesNow(ctx, waiting)
	if err != nil {
		return nil, err
	}
	for _, v := range waiting {
		places, known := now[v.ID]
		if !known || !news[places[0].File] {
			continue
		}
		place := places[0]
		n := ledger.Near{ID: v.ShortID, Place: place, Issue: v.Issue, New: v.First == i.number}
		if !i.Config.AsksModel(v.Adapter) {
			n.Tool = v.Job + " " + v.Adapter
		}
		if whole != nil {
			n.Hunk = whole.HunkAt(place.File, place.Start, place.End)
		}
		found = append(found, n)
	}
	return found, nil
}
