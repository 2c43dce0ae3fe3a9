package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

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
	if !v.Status.Open() || v.Status == ledger.StatusDisputed || !v.RunOpen {
		return false, nil
	}
	_, err := r.Ledger.FindReport(ctx, v.ShortID)
	if errors.Is(err, ledger.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
