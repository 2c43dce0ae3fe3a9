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

// relate records which new violations may be the same as others, and writes that into the files
// that list them, together with what reviewers say is gone: each slot wrote its file before it
// could know the reports of the other slots. isNew accepts what the latest iteration found, or what
// was taken up after it.
func (r *Runner) relate(ctx context.Context, diffs *worktree.Diffs, state *ledger.State, isNew func(ledger.Violation) bool) error {
	found, err := r.nearNewOnes(ctx, diffs, state, isNew)
	if err != nil {
		return err
	}
	lines := slots.NewLines(r.Repo.Root)
	pairs := ledger.Related(found, lines.Names)
	if len(pairs) == 0 && !slices.ContainsFunc(state.Violations, ledger.Violation.SaidGone) {
		return nil
	}
	listed, err := r.Ledger.Relate(ctx, state, pairs)
	if err != nil {
		return err
	}
	if listed, err = r.unedited(ctx, state.Run.ID, listed); err != nil { // an agent may have marked already
		return err
	}
	return r.exportMarks(ctx, state.Run.ID, listed)
}

// nearNewOnes returns the open and claimed violations in files with new ones, each at its place in
// the tree of the latest iteration. It leaves out violations that were reported in a tree that git
// no longer has.
func (r *Runner) nearNewOnes(ctx context.Context, diffs *worktree.Diffs, state *ledger.State, isNew func(ledger.Violation) bool) (found []ledger.Near, err error) {
	to := state.Iterations[len(state.Iterations)-1].To
	if to == "" || !slices.ContainsFunc(state.Violations, isNew) || r.ofOneTool(state.Violations) {
		return nil, nil
	}
	whole, err := diffs.Between(ctx, state.Run.Base, to)
	if err != nil && !errors.Is(err, diff.ErrGone) {
		return nil, err
	}
	waiting := slices.DeleteFunc(slices.Clone(state.Violations), func(v ledger.Violation) bool {
		return !v.Status.Open() && v.Status != ledger.StatusFixed
	})
	now, err := placesIn(ctx, diffs, to, waiting)
	if err != nil {
		return nil, err
	}
	news := map[string]bool{}
	for _, v := range waiting {
		if places, known := now[v.ID]; known && isNew(v) {
			news[places[0].File] = true
		}
	}
	for _, v := range waiting {
		places, known := now[v.ID]
		if !known || !news[places[0].File] {
			continue
		}
		place := places[0]
		n := ledger.Near{ID: v.ShortID, Place: place, Issue: v.Issue, New: isNew(v), Tool: r.toolOf(&v)}
		if whole != nil {
			n.Hunk = whole.HunkAt(place.File, place.Start, place.End)
		}
		found = append(found, n)
	}
	return found, nil
}

// toolOf returns the gate and the tool that reported the violation, or "" if a reviewer did.
func (r *Runner) toolOf(v *ledger.Violation) string {
	if r.Config.AsksModel(v.Adapter) {
		return ""
	}
	return v.Job + " " + v.Adapter
}

// ofOneTool reports whether one tool reported all violations. Then none is a duplicate of another,
// and there may be a hundred thousand of them.
func (r *Runner) ofOneTool(violations []ledger.Violation) bool {
	tool := r.toolOf(&violations[0])
	for i := range violations {
		if tool == "" || r.toolOf(&violations[i]) != tool {
			return false
		}
	}
	return true
}
