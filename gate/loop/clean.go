package loop

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// Cleaned is what [Runner.Clean] did.
type Cleaned struct {
	// Run is the id of the run that was abandoned, or empty, and Left what it left.
	Run  string
	Left ledger.Assessment
	// Archived reports whether there were files to archive.
	Archived bool
}

// Clean records the marks that the agent wrote into the files, abandons the open run and archives
// its files.
//
// Rule: The log directory decides between first run and rerun.
func (r *Runner) Clean(ctx context.Context) (Cleaned, error) {
	var done Cleaned
	files, err := r.Files.ReadLoop()
	if err != nil {
		return done, err
	}
	done.Archived = files.HasLogs
	state, err := r.openState(ctx)
	if err != nil {
		return done, err
	}
	if state != nil {
		done.Run = state.Run.ID
		if err := r.recordOwn(ctx, state, warnOf); err != nil {
			return done, err
		}
		if state, err = r.Ledger.State(ctx, done.Run); err != nil {
			return done, err
		}
		done.Left = ledger.Assess(state)
		if err := r.Ledger.CloseRun(ctx, done.Run, ledger.StatusAbandoned); err != nil {
			return done, err
		}
	}
	r.removeOldContent(ctx)
	return done, r.Files.Archive()
}

// removeOldContent removes prompts, answers and logs that are older than keep_content. If it fails,
// it only warns.
func (r *Runner) removeOldContent(ctx context.Context) {
	if r.Config.KeepContent == 0 {
		return
	}
	if _, err := r.Ledger.RemoveContent(ctx, r.Now().Add(-r.Config.KeepContent), nil); err != nil {
		r.Console.Warn(fmt.Sprintf("the prompts, answers and logs that are older than keep_content are still there: %v", err))
	}
}
