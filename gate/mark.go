package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// MarkRequest says which violations to mark, and as what.
type MarkRequest struct {
	ledger.Mark
	// IDs are short ids, ULIDs or unique prefixes of violations.
	IDs []string
	// Filter finds the violations where there are no IDs. Without statuses it
	// finds the open ones.
	Filter *ledger.ViolationFilter
}

// Marked says what [Runner.Mark] or [Runner.MarkFindings] did.
type Marked struct {
	Violations []ledger.ListedViolation // as they were before
	Files      []string                 // the files that say so now
	// Verdict is what the marked code review comes to, as it did before; empty for
	// a run of gates.
	Verdict ledger.VerdictWord
}

// Mark records what was edited in the review files by hand, marks the
// violations, and writes the mark into the latest files that list them. It marks
// all of them or none. The caller holds the run's lock.
//
// Findings of a code review are marked by [Runner.MarkFindings].
func (r *Runner) Mark(ctx context.Context, request MarkRequest) (done Marked, err error) {
	run, err := r.Ledger.OpenRun(ctx, r.ledgerScope())
	if errors.Is(err, ledger.ErrNotFound) {
		run, err = ledger.Run{}, nil // an id may still be worth a better answer
	}
	if err != nil {
		return done, err
	}
	if run.ID != "" {
		if err := r.importOwn(ctx, run.ID); err != nil {
			return done, err
		}
	}
	if done.Violations, err = r.markable(ctx, run, request); err != nil || len(done.Violations) == 0 {
		return done, err
	}
	ids := make([]string, len(done.Violations))
	for i, v := range done.Violations {
		ids[i] = v.ID
	}
	listed, err := r.Ledger.MarkViolations(ctx, run.ID, ids, request.Mark)
	if err != nil {
		return done, err
	}
	done.Files, err = r.exportMarks(ctx, run.ID, listed)
	return done, err
}

// importOwn records the edits in the run's files, if they are its own.
func (r *Runner) importOwn(ctx context.Context, run string) error {
	owner, _, err := r.LogDir.Owner()
	if err != nil || owner != "" && owner != run {
		return err
	}
	return r.importEdits(ctx, run)
}

// markable finds the violations that are asked for, and makes sure that each can
// be marked.
func (r *Runner) markable(ctx context.Context, run ledger.Run, request MarkRequest) ([]ledger.ListedViolation, error) {
	if request.Filter != nil {
		return r.markableByFilter(ctx, run, *request.Filter)
	}
	found, err := r.Ledger.FindViolations(ctx, request.IDs)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, fmt.Errorf("%w; list what can be marked with `reviewledger violations --open`", err)
	}
	if err != nil {
		return nil, err
	}
	if err := request.Check(found); err != nil {
		return nil, err
	}
	for _, v := range found {
		if v.Run != run.ID {
			return nil, r.elsewhere(ctx, v)
		}
	}
	return found, nil
}

func (r *Runner) markableByFilter(ctx context.Context, run ledger.Run, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	if run.ID == "" {
		return nil, errors.New("no run is open here, so there is nothing to mark: `reviewledger run` opens one")
	}
	if f.Run != "" && f.Run != run.ID {
		return nil, fmt.Errorf("run %s is not the one that is open here, which is %s", f.Run, run.ID)
	}
	f.Run = run.ID
	if len(f.Statuses) == 0 {
		f.Statuses = []ledger.Status{ledger.StatusNew, ledger.StatusReopened}
	}
	return r.Ledger.Violations(ctx, f)
}

// elsewhere says where a violation of another open run can be marked.
func (r *Runner) elsewhere(ctx context.Context, v ledger.ListedViolation) error {
	run, err := r.Ledger.FindRun(ctx, v.Run)
	if err != nil {
		return err
	}
	return fmt.Errorf("violation %s belongs to run %s, which is open in %q: mark it there", v.ShortID, v.Run, run.Worktree)
}

// exportMarks writes the files of the slots anew, where they are the latest of
// their slot.
func (r *Runner) exportMarks(ctx context.Context, run string, listed []ledger.SlotRef) (files []string, err error) {
	state, err := r.Ledger.State(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, slot := range latestDocuments(state) {
		ref := ledger.SlotRef{Job: slot.Job, Slot: slot.Index, Iteration: slot.Iteration}
		if !slices.Contains(listed, ref) {
			continue
		}
		document, err := r.Ledger.Current(ctx, run, ref)
		if err != nil {
			return files, err
		}
		path, err := r.LogDir.WriteSlot(document)
		if err != nil {
			return files, fmt.Errorf("the ledger has the mark, but its file has not: %w", err)
		}
		files = append(files, path)
		if err := r.Ledger.NoteExported(ctx, run, document); err != nil {
			return files, err
		}
	}
	return files, nil
}
