package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Mark records the edits made in the review files, marks the violations, and writes the mark into
// the latest files that list them. It marks all of them or none. The caller holds the run's lock.
//
// Findings of a code review are marked by package codereview.
func (r *Runner) Mark(ctx context.Context, request ledger.MarkRequest) (done ledger.Marked, err error) {
	open, err := r.openState(ctx)
	if err != nil {
		return done, err
	}
	run := ledger.Run{} // empty without an open run: the ids may give a better error than that
	if open == nil {
		if err := r.CheckKnown(ctx); err != nil {
			return done, err
		}
	} else {
		if err := r.checkBranch(ctx, open); err != nil {
			return done, err
		}
		if err := r.recordOwn(ctx, open, stopAt); err != nil {
			return done, err
		}
		run = open.Run
	}
	if err := request.CheckIDs(); err != nil {
		return done, err
	}
	if err := r.resolveNames(ctx, run, &request); err != nil {
		return done, err
	}
	if request.Mark, err = r.copySkip(ctx, request); err != nil {
		return done, err
	}
	if marked, done, err := r.skipAbandoned(ctx, request); done || err != nil {
		return marked, err
	}
	original, err := r.findOriginal(ctx, &request)
	if err != nil {
		return done, err
	}
	if err := r.markable(ctx, run, request, &done); err != nil {
		return done, err
	}
	if request.Silent, err = r.silent(); err != nil {
		return done, err
	}
	if err := r.resolveJoins(ctx, &request, original, &done); err != nil || len(done.Violations)+len(done.TakenUp) == 0 {
		return done, err
	}
	var ids, reports []string
	for _, v := range done.Violations {
		ids = append(ids, v.ID)
	}
	for _, report := range done.TakenUp {
		reports = append(reports, report.ID)
	}
	marking, err := r.Ledger.MarkViolations(ctx, run.ID, ids, reports, request.Mark)
	if err != nil {
		return done, err
	}
	done.Mark, done.Remembered, done.Related = request.Mark, marking.Remembered, map[string][]string{}
	if err := r.exportMarks(ctx, run.ID, marking.Listed); err != nil || len(marking.TakenUp) == 0 {
		return done, err
	}
	done.Related, err = r.relateTaken(ctx, run.ID, marking.TakenUp)
	return done, err
}

// CheckKnown returns an error if the log directory has a loop that the ledger does not have, where no
// run is open: nothing in it can be marked. The Runner's ledger may be nil if there is none.
//
// Rule: Deleting the database loses history, never the loop.
func (r *Runner) CheckKnown(ctx context.Context) error {
	loop, err := r.loopFacts(ctx, nil)
	if err != nil || loop.Owner() != ledger.LostLoop {
		return err
	}
	return &ledger.MarkError{Lines: []string{fmt.Sprintf(
		"the ledger does not have the loop in %q: the next `reviewledger run` restores it from its files; mark after that, or in these files", r.Config.LogDir)}}
}

// resolveNames looks up the places and blocks that the request names.
func (r *Runner) resolveNames(ctx context.Context, run ledger.Run, request *ledger.MarkRequest) error {
	place := func(id string) bool { _, ok := ledger.ParsePlace(id); return ok }
	named := request.Group || slices.ContainsFunc(request.IDs, place)
	switch {
	case !named:
		return nil
	case run.ID == "":
		return errNothingOpen
	}
	state, err := r.Ledger.State(ctx, run.ID)
	if err != nil {
		return err
	}
	return request.ResolveNames(state)
}

// copySkip returns the mark with the reason and result of the skip that --like names.
func (r *Runner) copySkip(ctx context.Context, request ledger.MarkRequest) (ledger.Mark, error) {
	if request.Like == "" {
		return request.Mark, nil
	}
	found, err := r.Ledger.FindViolations(ctx, []string{request.Like})
	if errors.Is(err, ledger.ErrNotFound) {
		return request.Mark, fmt.Errorf("%w (see: reviewledger violations --status skipped)", err)
	}
	if err != nil {
		return request.Mark, err
	}
	return request.Likewise(found[0])
}

var errNothingOpen = &ledger.MarkError{Lines: []string{"no open run here, so there is nothing to mark; start one with `reviewledger run`"}}

// Open records the edits made in the review files, and returns the open violations of the open run,
// the most important first. The caller holds the run's lock.
func (r *Runner) Open(ctx context.Context) ([]ledger.ListedViolation, error) {
	open, err := r.openState(ctx)
	if err != nil {
		return nil, err
	}
	if open == nil {
		return nil, r.CheckKnown(ctx)
	}
	if err := r.checkBranch(ctx, open); err != nil {
		return nil, err
	}
	if err := r.recordOwn(ctx, open, stopAt); err != nil {
		return nil, err
	}
	return r.Ledger.Violations(ctx, ledger.ViolationFilter{
		Run: open.Run.ID, Statuses: ledger.OpenStatuses(), Sort: ledger.SortPriority,
	})
}

// markable finds the requested violations, and the reports to take up, and checks that each can be
// marked.
func (r *Runner) markable(ctx context.Context, run ledger.Run, request ledger.MarkRequest, done *ledger.Marked) (err error) {
	if request.Filter != nil {
		done.Violations, err = r.markableByFilter(ctx, run, request)
		return err
	}
	ids, takenUp, err := r.leftOut(ctx, request.IDs)
	if err != nil {
		return err
	}
	done.TakenUp = takenUp
	found, err := r.Ledger.FindViolations(ctx, ids)
	if err != nil {
		return err
	}
	for _, v := range found {
		if v.Run == run.ID && request.Done(v) {
			done.Unchanged = append(done.Unchanged, v)
		} else if takenUp, err := r.takenUp(ctx, v); takenUp && request.Status == ledger.StatusNew {
			done.Unchanged = append(done.Unchanged, v)
		} else if err == nil {
			done.Violations = append(done.Violations, v)
		} else {
			return err
		}
	}
	if err := errors.Join(request.Check(done.Violations), r.checkTakeUp(ctx, request.Mark, run, done.TakenUp)); err != nil {
		return err
	}
	for _, v := range done.Violations {
		if v.Run != run.ID {
			return r.elsewhere(ctx, v.ShortID, v.Run)
		}
	}
	return nil
}

func (r *Runner) markableByFilter(ctx context.Context, run ledger.Run, request ledger.MarkRequest) ([]ledger.ListedViolation, error) {
	if run.ID == "" {
		return nil, errNothingOpen
	}
	f := *request.Filter
	f.Run = run.ID
	switch {
	case len(f.Statuses) > 0:
	case request.Status == ledger.StatusDisputed:
		f.Statuses = []ledger.Status{ledger.StatusNew, ledger.StatusReopened}
	default:
		f.Statuses = ledger.OpenStatuses()
	}
	return r.Ledger.Violations(ctx, f)
}

// elsewhere returns the error for a violation of another run. It says where the violation can be
// marked.
func (r *Runner) elsewhere(ctx context.Context, id, runID string) error {
	run, err := r.Ledger.FindRun(ctx, runID)
	if err != nil {
		return err
	}
	return &ledger.MarkError{Lines: []string{fmt.Sprintf("violation %s belongs to run %s, which is open in %q: mark it there", id, runID, run.Worktree)}}
}

// exportMarks rewrites the files of these slots, the latest of each slot that list what was marked.
// It does not matter if a slot has a later file: a loop that is restored from its files reads the
// marks in older ones, too.
func (r *Runner) exportMarks(ctx context.Context, run string, listed []ledger.SlotRef) error {
	for _, ref := range listed {
		document, err := r.Ledger.Current(ctx, run, ref)
		if err != nil {
			return err
		}
		if _, err := r.Files.WriteSlot(document.Keep(r.unread)); err != nil {
			return fmt.Errorf("the mark is in the ledger, but not in the file: %w", err)
		}
		if err := r.Ledger.NoteExported(ctx, run, document); err != nil {
			return err
		}
	}
	return nil
}

// leftOut splits the ids. It returns the discarded reports that nobody has taken up, each once, and
// the ids of violations: those given, and those of reports that count.
//
// Rule: What is filtered is counted and kept.
func (r *Runner) leftOut(ctx context.Context, ids []string) (others []string, reports []ledger.Report, err error) {
	named := map[string]bool{}
	for _, id := range ids {
		_, unknown := r.Ledger.FindViolations(ctx, []string{id})
		if !errors.Is(unknown, ledger.ErrNotFound) { // it is one, or ambiguous
			others = append(others, id)
			continue
		}
		report, err := r.Ledger.FindReport(ctx, id)
		switch {
		case errors.Is(err, ledger.ErrNotFound):
			return nil, nil, fmt.Errorf("%w (see: reviewledger violations --open)", unknown)
		case err != nil:
			return nil, nil, err
		case report.Counts():
			others = append(others, report.Violation)
		case !named[report.ID]:
			named[report.ID] = true
			reports = append(reports, report)
		}
	}
	return others, reports, nil
}

// checkTakeUp returns an error if any of the reports cannot be taken up in the run.
func (r *Runner) checkTakeUp(ctx context.Context, mark ledger.Mark, here ledger.Run, reports []ledger.Report) error {
	var lines []string
	for _, report := range reports {
		run, err := r.Ledger.FindRun(ctx, report.Run)
		if err != nil {
			return err
		}
		if refused := mark.RefuseTakeUp(report, run); refused != "" {
			lines = append(lines, refused)
		} else if run.ID != here.ID {
			return r.elsewhere(ctx, report.ID, run.ID)
		}
	}
	if len(lines) > 0 {
		return &ledger.MarkError{Lines: lines}
	}
	return nil
}

// takenUp reports whether the violation is a report that somebody took up, and still open.
func (r *Runner) takenUp(ctx context.Context, v ledger.ListedViolation) (bool, error) {
	if !v.Status.ForAuthor() || !v.RunOpen {
		return false, nil
	}
	_, err := r.Ledger.FindReport(ctx, v.ShortID)
	if errors.Is(err, ledger.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
