package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/reviewledger/reviewledger/ledger"
)

// importEdits records what the agent wrote into the files that the ledger last
// exported, and warns of what it must not change. It reports whether there was
// anything to record, so that the state is out of date.
//
// Rule: The ledger is the only truth.
func (r *Runner) importEdits(ctx context.Context, state *ledger.State) (imported bool, err error) {
	edits, err := r.findEdits(ctx, state)
	if err != nil {
		return false, err
	}
	refused, err := r.Ledger.ImportEdits(ctx, state.Run.ID, ledger.ActorAgent, edits)
	for _, warning := range refused {
		r.Console.Warn(warning)
	}
	return len(edits) > 0, err
}

// importOwn records the edits in the run's files, if they are its own.
func (r *Runner) importOwn(ctx context.Context, run string) error {
	state, err := r.Ledger.State(ctx, run)
	if err != nil {
		return err
	}
	facts, err := r.loopFacts(ctx, state)
	if err != nil || facts.Owner() != ledger.OwnLoop {
		return err
	}
	_, err = r.importEdits(ctx, state)
	return err
}

// findEdits finds what the agent wrote into the run's files and the ledger does
// not know yet, one edit for each violation.
func (r *Runner) findEdits(ctx context.Context, state *ledger.State) ([]ledger.FileEdit, error) {
	exported := map[ledger.SlotRef]ledger.Exported{}
	for _, slot := range state.LatestDocuments() {
		var err error
		if exported[slot.Ref()], err = r.Ledger.Exported(ctx, state.Run.ID, slot.Ref()); err != nil {
			return nil, err
		}
	}
	return r.editsSince(state, exported)
}

// editsSince finds what the agent wrote into the run's files since they were exported.
func (r *Runner) editsSince(state *ledger.State, exported map[ledger.SlotRef]ledger.Exported) ([]ledger.FileEdit, error) {
	var edits []ledger.FileEdit
	for _, slot := range state.LatestDocuments() {
		found, err := r.readEdits(exported[slot.Ref()], slot)
		if err != nil {
			return nil, err
		}
		edits = append(edits, found...)
	}
	settled, warnings := ledger.SettleEdits(state, ledger.ActorAgent, edits)
	merged, differ := ledger.MergeEdits(settled)
	for _, warning := range append(warnings, differ...) {
		r.Console.Warn(warning)
	}
	return merged, nil
}

// readEdits compares a slot's file with what the ledger put there.
func (r *Runner) readEdits(exported ledger.Exported, slot ledger.Slot) ([]ledger.FileEdit, error) {
	file, err := r.Files.ReadSlot(slot.Job, slot.Adapter, slot.Index, slot.Iteration)
	if errors.Is(err, fs.ErrNotExist) {
		if len(exported.ULIDs) > 0 {
			r.Console.Warn(fmt.Sprintf("%s was deleted; its %s keep their status in the ledger", file.Path, ledger.Plural(len(exported.ULIDs), "violation")))
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if file.Err != nil {
		r.Console.Warn(fmt.Sprintf("%s cannot be read; its violations keep their status in the ledger: %v", file.Path, file.Err))
		return nil, nil
	}
	edits, warnings := ledger.CompareEdits(exported, file.Document)
	for _, warning := range warnings {
		r.Console.Warn(file.Path + ": " + warning)
	}
	shown := make(map[string]string, len(exported.ULIDs))
	for i, id := range exported.ULIDs {
		shown[id] = exported.Document.Violations[i].ID
	}
	var found []ledger.FileEdit
	for _, edit := range edits {
		found = append(found, ledger.FileEdit{
			Edit: edit, Job: slot.Job, Slot: slot.Index, Iteration: slot.Iteration, Path: file.Path, ShortID: shown[edit.Violation],
		})
	}
	return found, nil
}

// warnUnaddressed says how many open violations nobody addressed.
//
// Rule: A run passes only if nothing is outstanding.
func (i *iteration) warnUnaddressed() {
	open := map[string]int{}
	for _, v := range i.state.Violations {
		if v.Status.Open() {
			open[v.Job]++
		}
	}
	for _, job := range i.state.Jobs() {
		if n := open[job]; n > 0 {
			i.Console.Warn(fmt.Sprintf("%s: %s unaddressed: set the status to \"fixed\" or \"skipped\" in its review file", job, ledger.Plural(n, "violation")))
		}
	}
}
