package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// finish assesses the run, closes the iteration, and on a pass the run.
func (i *iteration) finish(ctx context.Context) (Outcome, error) {
	if ctx.Err() != nil {
		i.Console.Line("Interrupted; the next `reviewledger run` goes on from here")
		return Outcome{Status: ledger.StatusInterrupted}, i.recorder.Finish(ctx, ledger.StatusInterrupted, "interrupted")
	}
	state, err := i.Ledger.State(ctx, i.state.Run.ID)
	if err != nil {
		return Outcome{}, err
	}
	if err := i.keepSessionRef(ctx, state); err != nil {
		return Outcome{}, errors.Join(err, i.recorder.Finish(ctx, ledger.StatusError, err.Error()))
	}
	assessment := ledger.Assess(state)
	if assessment.Status.Passes() {
		unseen, err := i.unseen(ctx, state)
		if err != nil {
			return Outcome{}, errors.Join(err, i.recorder.Finish(ctx, ledger.StatusError, err.Error()))
		}
		i.withhold(state, &assessment, unseen)
	}
	assessment.Status = ledger.AfterIteration(state, assessment.Status, i.Config.MaxRetries)
	if err := i.recorder.Finish(ctx, assessment.Status, ""); err != nil {
		return Outcome{}, err
	}
	if assessment.Status.Passes() {
		return i.pass(ctx, state, assessment)
	}
	i.summarize(state, assessment)
	i.explain(assessment)
	return Outcome{Status: assessment.Status}, nil
}

// explain says what to do where the rows alone do not.
func (i *iteration) explain(a ledger.Assessment) {
	if a.Status == ledger.StatusRetryLimitExceeded {
		i.Console.Line("`reviewledger clean` archives this run, so that the next one starts afresh.")
	}
	gone := map[string]bool{}
	for _, g := range append(a.Failing, a.Erred...) {
		if _, ok := i.Config.JobByID(g.Job); !ok && !gone[g.Job] {
			gone[g.Job] = true
			i.Console.Warn(fmt.Sprintf("%s did not pass in iteration %d and is no longer configured; configure it again, or abandon the run with `reviewledger clean`", g.Job, g.Iteration))
		}
	}
	for _, v := range append(a.Open, a.Claims...) {
		if _, ok := i.Config.JobByID(v.Job); !ok && !gone[v.Job] {
			gone[v.Job] = true
			i.Console.Warn(fmt.Sprintf("%s is no longer configured; to leave its violations, set their status to \"skipped\" in the review files in %s", v.Job, i.LogDir.Path()))
		}
	}
}

// keepSessionRef keeps the tree that was reviewed in the first iteration with
// review violations.
//
// Requirement: Session Reference for Re-run Diff Scoping.
func (i *iteration) keepSessionRef(ctx context.Context, state *ledger.State) error {
	if state.Run.SessionRef != "" || i.scope.to == "" {
		return nil
	}
	for _, gate := range state.Gates {
		if gate.Iteration != i.number {
			continue
		}
		for _, slot := range gate.Slots {
			if slot.Status == ledger.SlotFail {
				if err := i.Ledger.SetSessionRef(ctx, state.Run.ID, i.scope.to); err != nil {
					return err
				}
				return i.LogDir.WriteSessionRef(i.scope.to)
			}
		}
	}
	return nil
}

// pass closes the run in the ledger first and archives its logs after: a crash
// between the two heals, the other way round would lose the logs' owner.
func (i *iteration) pass(ctx context.Context, state *ledger.State, a ledger.Assessment) (Outcome, error) {
	if err := i.Ledger.CloseRun(ctx, state.Run.ID, a.Status); err != nil {
		return Outcome{}, err
	}
	i.summarize(state, a)
	return Outcome{Status: a.Status}, errors.Join(i.LogDir.Archive(), i.dropSnapshots(ctx, state.Run.ID))
}

func (i *iteration) summarize(state *ledger.State, a ledger.Assessment) {
	i.Console.Summary(ledger.Summarize(state, a))
}

// snapshotRef keeps an iteration's snapshot while its run is open.
func snapshotRef(run string, iteration int) string {
	return fmt.Sprintf("%s%s/%d", diff.RefPrefix, strings.ToLower(run), iteration)
}

func (r *Runner) dropSnapshots(ctx context.Context, runs ...string) error {
	var refs []string
	for _, run := range runs {
		refs = append(refs, diff.RefPrefix+strings.ToLower(run)+"/")
	}
	return r.Repo.DropRefs(context.WithoutCancel(ctx), refs...)
}
