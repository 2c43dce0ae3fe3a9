package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// resolveJoins replaces duplicates among the violations of a mark by their originals. For a mark as
// duplicate it checks that each of them can be joined to the violation that the mark names.
//
// Rule: A duplicate has the fate of what it was joined to.
func (r *Runner) resolveJoins(ctx context.Context, request *ledger.MarkRequest, named ledger.ListedViolation, done *ledger.Marked) error {
	var marked []ledger.ListedViolation
	done.Instead = map[string][]string{}
	for _, v := range done.Violations {
		original, err := r.original(ctx, v)
		if err != nil {
			return err
		}
		switch {
		case request.Status == ledger.StatusNew: // this status ends the join
			request.Originals = append(request.Originals, original.ID)
			continue
		case original.ID != v.ID && request.Done(original):
			done.Unchanged = append(done.Unchanged, original)
			continue
		}
		if original.ID != v.ID {
			done.Instead[original.ID] = append(done.Instead[original.ID], v.ShortID)
		}
		if !slices.ContainsFunc(marked, func(m ledger.ListedViolation) bool { return m.ID == original.ID }) {
			marked = append(marked, original)
		}
	}
	switch request.Status {
	case ledger.StatusNew:
		return nil
	case ledger.StatusDuplicate:
		done.Violations = marked
		return refuseJoins(request, marked, named)
	}
	done.Violations = marked
	return request.Check(marked)
}

// original returns the violation that v was joined to, or v itself.
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

// findOriginal returns the violation that a mark as duplicate names, or what that was joined to, and
// makes its id the result of the mark.
func (r *Runner) findOriginal(ctx context.Context, request *ledger.MarkRequest) (original ledger.ListedViolation, err error) {
	if request.Status != ledger.StatusDuplicate {
		return original, nil
	}
	ids, reports, err := r.leftOut(ctx, []string{request.Result})
	if err != nil {
		return original, err
	}
	if len(reports) > 0 {
		return original, r.checkTakeUp(ctx, request.Mark, ledger.Run{}, reports)
	}
	named, err := r.Ledger.FindViolations(ctx, ids)
	if err != nil {
		return original, err
	}
	original, err = r.original(ctx, named[0])
	request.Result, request.Originals = original.ShortID, []string{original.ID}
	return original, err
}

// refuseJoins returns an error if one of the violations cannot be joined to the original.
func refuseJoins(request *ledger.MarkRequest, marked []ledger.ListedViolation, original ledger.ListedViolation) error {
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

// near returns what the ledger needs to know of the places in the tree, to compare violations of
// the run with each other. whole is the change, or nil if git no longer has it.
func (r *Runner) near(iteration int, places map[string][]ledger.Place, whole *diff.Diff) *ledger.Nearby {
	return &ledger.Nearby{
		Iteration: iteration, Places: places, Names: slots.NewLines(r.Repo.Root).Names,
		Hunk: func(place ledger.Place) string {
			if whole == nil {
				return ""
			}
			return whole.HunkAt(place.File, place.Start, place.End)
		},
		Tool: func(job, adapter string) string {
			if r.Config.AsksModel(adapter) {
				return ""
			}
			return job + " " + adapter
		},
	}
}

// wholeChange returns the change of the run up to the tree, or nil if git no longer has it.
func wholeChange(ctx context.Context, diffs *worktree.Diffs, base, to string) (*diff.Diff, error) {
	whole, err := diffs.Between(ctx, base, to)
	if errors.Is(err, diff.ErrGone) {
		return nil, nil
	}
	return whole, err
}

// relateTaken records which violations may be the same as those that were taken up, and returns
// their short ids, by the short ids of these.
func (r *Runner) relateTaken(ctx context.Context, run string, taken []ledger.ListedViolation) (map[string][]string, error) {
	state, err := r.Ledger.State(ctx, run)
	if err != nil {
		return nil, err
	}
	diffs, last := r.Diffs(), state.Iterations[len(state.Iterations)-1]
	if last.To == "" {
		return nil, nil
	}
	places, err := placesIn(ctx, diffs, last.To, state.Violations)
	if err != nil {
		return nil, err
	}
	whole, err := wholeChange(ctx, diffs, state.Run.Base, last.To)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, v := range taken {
		ids = append(ids, v.ID)
	}
	// No violation has its place from this iteration: it may be another tree for each slot.
	related, err := r.Ledger.Relate(ctx, run, ids, *r.near(0, places, whole))
	if err != nil {
		return nil, err
	}
	of := map[string][]string{}
	for _, v := range taken {
		of[v.ShortID] = related[v.ID]
	}
	if state, err = r.Ledger.State(ctx, run); err != nil {
		return nil, err
	}
	return of, r.listConnected(ctx, state, func(v *ledger.Violation) bool { return slices.Contains(ids, v.ID) })
}

// listConnected writes what is known of violations only after their slots wrote their files: that
// other slots reported the same or perhaps the same, and what reviewers say is gone. changed accepts
// the violations that are new to the others.
func (r *Runner) listConnected(ctx context.Context, state *ledger.State, changed func(*ledger.Violation) bool) error {
	is := map[string]bool{}
	for n := range state.Violations {
		v := &state.Violations[n]
		is[v.ShortID] = changed(v)
	}
	var ids []string
	for n := range state.Violations {
		v := &state.Violations[n]
		connected := len(v.Related) > 0 && is[v.ShortID] || slices.ContainsFunc(v.Related, func(id string) bool { return is[id] })
		if connected || v.SaidGone() {
			ids = append(ids, v.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	listed, err := r.Ledger.Listing(ctx, state.Run.ID, ids)
	if err != nil {
		return err
	}
	if listed, err = r.unedited(ctx, state.Run.ID, listed); err != nil { // an agent may have marked already
		return err
	}
	return r.exportMarks(ctx, state.Run.ID, listed)
}
