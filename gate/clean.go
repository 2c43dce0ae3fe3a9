package gate

import (
	"context"
	"errors"

	"github.com/reviewledger/reviewledger/ledger"
)

// Cleaned says what [Runner.Clean] did.
type Cleaned struct {
	// Run is the id of the run that was abandoned, or empty.
	Run string
	// Archived reports whether there were files to archive.
	Archived bool
}

// Clean records what the agent wrote into the files, abandons the open run and
// archives its files.
//
// Requirement: Session Reference for Re-run Diff Scoping, "Session ref cleaned
// with logs".
func (r *Runner) Clean(ctx context.Context) (Cleaned, error) {
	var done Cleaned
	logs, err := r.LogDir.HasLogs()
	if err != nil {
		return done, err
	}
	done.Archived = logs
	run, err := r.Ledger.OpenRun(ctx, r.ledgerScope())
	if errors.Is(err, ledger.ErrNotFound) {
		return done, r.LogDir.Archive()
	}
	if err != nil {
		return done, err
	}
	owner, iteration, err := r.LogDir.Owner()
	if err != nil {
		return done, err
	}
	state, err := r.Ledger.State(ctx, run.ID)
	if err != nil {
		return done, err
	}
	if ours, err := r.ours(state, owner, iteration); err != nil {
		return done, err
	} else if ours {
		if err := r.importEdits(ctx, run.ID); err != nil {
			return done, err
		}
	}
	if err := r.Ledger.CloseRun(ctx, run.ID, ledger.StatusAbandoned); err != nil {
		return done, err
	}
	done.Run = run.ID
	return done, errors.Join(r.LogDir.Archive(), r.dropSnapshots(ctx, run.ID))
}
