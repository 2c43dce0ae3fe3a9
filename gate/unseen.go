package gate

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// unseen lists the gates that the run has executed, but not in this iteration,
// and whose part of the tree has changed since they last were: what they said is
// of code that is no longer there. Only an invocation that restricts what runs
// leaves such gates.
func (i *iteration) unseen(ctx context.Context, state *ledger.State) ([]ledger.Gate, error) {
	if i.options.Command == CommandRun && i.options.Gate == "" {
		return nil, nil
	}
	var unseen []ledger.Gate
	for _, id := range state.Jobs() {
		gate := state.LatestGate(id)
		job, configured := i.Config.JobByID(id)
		if gate.Iteration == i.number || !configured || !i.Config.Applies(job, i.CI) {
			continue
		}
		at := state.Iteration(gate.Iteration)
		if at.Snapshot == "" { // restored from files: nobody knows what it ran on
			unseen = append(unseen, *gate)
			continue
		}
		since, err := i.scope.diffs.get(ctx, at.Snapshot, i.snapshot.Commit)
		if err != nil {
			return nil, err
		}
		if !since.Filter(job.Covers).Empty() {
			unseen = append(unseen, *gate)
		}
	}
	return unseen, nil
}

// withhold keeps a run from passing because of gates that have not seen the
// latest changes.
func (i *iteration) withhold(a *ledger.Assessment, unseen []ledger.Gate) {
	for _, gate := range unseen {
		a.Status = ledger.StatusFailed
		i.Console.Line(fmt.Sprintf("%s last ran in iteration %d, before the latest changes: `reviewledger run` runs it again", gate.Job, gate.Iteration))
	}
}
