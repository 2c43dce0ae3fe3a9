package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// unseen lists the gates that the run has executed, and that have not seen the
// latest changes to their part of the tree: what they said is of code that is no
// longer there. Only an invocation that restricts what runs, or what is reviewed,
// leaves such gates.
func (i *iteration) unseen(ctx context.Context, state *ledger.State) ([]ledger.Gate, error) {
	if i.options.Command == CommandRun && i.options.Gate == "" && !i.narrow() {
		return nil, nil
	}
	var unseen []ledger.Gate
	for _, id := range state.Jobs() {
		gate := *state.LatestGate(id)
		missed, err := i.missed(ctx, state, gate)
		if err != nil {
			return nil, err
		}
		if missed {
			unseen = append(unseen, gate)
		}
	}
	return unseen, nil
}

// narrow reports whether the user chose what is reviewed of a run that had begun.
func (i *iteration) narrow() bool { return i.rerun && i.options.explicit() }

// missed reports whether the gate has not seen all that changed.
func (i *iteration) missed(ctx context.Context, state *ledger.State, gate ledger.Gate) (bool, error) {
	job, configured := i.Config.JobByID(gate.Job)
	if !configured || !i.Config.Applies(job, i.CI) {
		return false, nil
	}
	if gate.Iteration == i.number {
		return i.hidden(ctx, gate.Job)
	}
	at := state.Iteration(gate.Iteration)
	if at.Snapshot == "" { // restored from files: nobody knows what it ran on
		return true, nil
	}
	since, err := i.scope.diffs.get(ctx, at.Snapshot, i.snapshot.Commit)
	return err == nil && !since.Filter(job.Covers).Empty(), err
}

// laggard is a gate that has not seen the working tree as it is now, or "". Of a
// review that was last shown what the user chose, nobody knows, unless that was all.
func (i *iteration) laggard(ctx context.Context) (job string, err error) {
	for _, id := range i.state.Jobs() {
		gate := *i.state.LatestGate(id)
		if _, configured := i.Config.JobByID(id); configured && !i.shownAll(gate) {
			return id, nil
		}
		if missed, err := i.missed(ctx, i.state, gate); missed || err != nil {
			return id, err
		}
	}
	return "", nil
}

// shownAll reports whether no slot that answered in the gate was kept from a change by
// the user's choice of a diff.
func (i *iteration) shownAll(gate ledger.Gate) bool {
	return !slices.ContainsFunc(gate.Slots, func(slot ledger.Slot) bool {
		if !slot.Status.Answered() {
			return false
		}
		seen := i.lastSeen(gate.Job, slot.Index)
		return seen == nil || seen.Iteration != gate.Iteration
	})
}

// hidden reports whether the user's choice of a diff kept a change from a slot that
// was asked in this iteration: another commit's, or one that is committed.
func (i *iteration) hidden(ctx context.Context, id string) (bool, error) {
	if !i.narrow() {
		return false, nil
	}
	for _, job := range i.jobs {
		for _, slot := range job.slots {
			if job.id != id || slot.Skip || i.state.LatestAnswer(id, slot.Index) == nil { // who never answered is shown all
				continue
			}
			if hidden, err := i.hiddenFrom(ctx, job, slot); hidden || err != nil {
				return hidden, err
			}
		}
	}
	return false, nil
}

func (i *iteration) hiddenFrom(ctx context.Context, job plannedJob, slot plannedSlot) (bool, error) {
	from := i.state.Run.Base
	if seen := i.lastSeen(job.id, slot.Index); seen != nil && seen.Reviewed != "" {
		at := i.state.Iteration(seen.Iteration)
		if i.options.Uncommitted && at != nil && at.Head == i.Repo.Head {
			return false, nil // all that changed since is uncommitted
		}
		from = seen.Reviewed
	}
	since, err := i.scope.diffs.get(ctx, from, i.snapshot.Commit)
	if err != nil {
		return false, err
	}
	after, err := i.scope.diffs.get(ctx, slot.to, i.snapshot.Commit)
	if err != nil {
		return false, err
	}
	return !after.Filter(job.Covers).Empty() || !slot.diff.Covers(since.Filter(job.Covers)), nil
}

// withhold keeps a run from passing because of gates that have not seen the
// latest changes.
func (i *iteration) withhold(state *ledger.State, a *ledger.Assessment, unseen []ledger.Gate) {
	more := ledger.AfterIteration(state, ledger.StatusFailed, i.Config.MaxRetries) == ledger.StatusFailed
	for _, gate := range unseen {
		a.Status = ledger.StatusFailed
		why, then := fmt.Sprintf("last ran in iteration %d, before the latest changes", gate.Iteration), "runs it again"
		if gate.Iteration == i.number {
			why, then = "was not shown all that has changed", "shows it the rest"
		}
		if more {
			why += ": `reviewledger run` " + then
		}
		i.Console.Line(gate.Job + " " + why)
	}
}
