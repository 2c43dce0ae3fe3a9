package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// recall finds out whether this is a first run or a rerun, and how the run
// stands: from the ledger, or from the files where the ledger does not know
// them. Then it records what the agent wrote into the files.
//
// Requirement: Automatic Rerun Detection.
func (i *iteration) recall(ctx context.Context) error {
	run, rebuilt, err := i.openRun(ctx)
	if err != nil {
		return err
	}
	i.rerun = run != nil
	if !i.rerun {
		id, err := i.Ledger.NewID()
		if err != nil {
			return err
		}
		i.state = &ledger.State{Run: ledger.Run{ID: id}}
		i.number = 1
		return nil
	}
	if !rebuilt {
		if err := i.importEdits(ctx, run.ID); err != nil {
			return err
		}
	}
	if i.state, err = i.Ledger.State(ctx, run.ID); err != nil {
		return err
	}
	highest, err := i.LogDir.HighestIteration()
	i.number = 1 + max(highest, i.state.LastIteration())
	return err
}

func (r *Runner) ledgerScope() ledger.Scope {
	return ledger.Scope{Kind: ledger.KindGates, Worktree: r.Repo.Root, LogDir: r.Config.LogDir}
}

// openRun is the run that the log directory's files belong to, or nil for a
// first run. Files of a closed run, which a crash left there, are archived. A run
// that the ledger does not know is rebuilt from its files.
func (r *Runner) openRun(ctx context.Context) (run *ledger.Run, rebuilt bool, err error) {
	logs, err := r.LogDir.HasLogs()
	if err != nil || !logs {
		return nil, false, err
	}
	open, err := r.Ledger.OpenRun(ctx, r.ledgerScope())
	known := err == nil
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return nil, false, err
	}
	owner, iteration, err := r.LogDir.Owner()
	if err != nil {
		return nil, false, err
	}
	var lost []string // runs whose snapshots nobody needs after a rebuild
	if owner != "" && !(known && owner == open.ID) {
		run, err := r.Ledger.FindRun(ctx, owner)
		switch {
		case errors.Is(err, ledger.ErrNotFound):
			lost = append(lost, owner)
		case err != nil:
			return nil, false, err
		case run.Closed():
			if err := r.LogDir.Archive(); err != nil {
				return nil, false, err
			}
			return nil, false, r.dropSnapshots(ctx, run.ID)
		}
	}
	if !known {
		run, err = r.rebuild(ctx, lost)
		return run, true, err
	}
	if err := r.Ledger.Recover(ctx, open.ID); err != nil {
		return nil, false, err
	}
	state, err := r.Ledger.State(ctx, open.ID)
	if err != nil {
		return nil, false, err
	}
	ours, err := r.ours(state, owner, iteration)
	if err != nil {
		return nil, false, err
	}
	if !ours {
		run, err = r.rebuild(ctx, append(lost, open.ID))
		return run, true, err
	}
	adopted, err := r.adopt(ctx, state)
	return &open, adopted, err
}

// ours reports whether the ledger's open run wrote the files in the log
// directory: their newest console log names it and an iteration that it has. If
// there is none, it must know every file; and so if the run was rebuilt from files
// that another run or tool wrote, and has executed nothing since.
func (r *Runner) ours(state *ledger.State, owner string, iteration int) (bool, error) {
	switch {
	case owner == state.Run.ID:
		return state.Iteration(iteration) != nil, nil
	case iteration > 0 && !onlyRebuilt(state):
		return false, nil
	}
	slots, checks, err := r.LogDir.ReadAll(r.jobIDs())
	if err != nil {
		return false, err
	}
	known := knownFiles(state)
	for _, file := range slots {
		if !known[fileKey{file.FileID, file.Slot, file.Iteration}] {
			return false, nil
		}
	}
	for _, file := range checks {
		if !known[fileKey{file.FileID, 0, file.Iteration}] {
			return false, nil
		}
	}
	return true, nil
}

func onlyRebuilt(state *ledger.State) bool {
	return len(state.Iterations) > 0 && state.Iterations[len(state.Iterations)-1].Mode == ledger.ModeRebuilt
}

// fileKey names a gate's log, or with a slot that slot's files.
type fileKey struct {
	fileID          string
	slot, iteration int
}

func knownFiles(state *ledger.State) map[fileKey]bool {
	known := map[fileKey]bool{}
	for _, gate := range state.Gates {
		id := ledger.Sanitize(gate.Job)
		known[fileKey{id, 0, gate.Iteration}] = true
		for _, slot := range gate.Slots {
			known[fileKey{id, slot.Index, slot.Iteration}] = true
		}
	}
	return known
}

// importEdits records what the agent wrote into the files that the ledger last
// exported, and warns of what it must not change.
//
// Requirement: JSON-Based Previous Failure Parsing.
func (r *Runner) importEdits(ctx context.Context, run string) error {
	state, err := r.Ledger.State(ctx, run)
	if err != nil {
		return err
	}
	edits, err := r.findEdits(ctx, state)
	if err != nil {
		return err
	}
	refused, err := r.Ledger.ImportEdits(ctx, run, ledger.ActorAgent, edits)
	for _, warning := range refused {
		r.Console.Warn(warning)
	}
	return err
}

// findEdits finds what the agent wrote into the run's files and the ledger does
// not know yet, one edit for each violation.
func (r *Runner) findEdits(ctx context.Context, state *ledger.State) ([]ledger.FileEdit, error) {
	var edits []ledger.FileEdit
	for _, slot := range latestDocuments(state) {
		found, err := r.readEdits(ctx, state.Run.ID, slot)
		if err != nil {
			return nil, err
		}
		edits = append(edits, found...)
	}
	merged, warnings := ledger.MergeEdits(edits)
	for _, warning := range warnings {
		r.Console.Warn(warning)
	}
	return merged, nil
}

// latestDocuments lists, for every slot of the run, the latest row that has a
// JSON file.
func latestDocuments(state *ledger.State) []ledger.Slot {
	type key struct {
		job   string
		index int
	}
	seen := map[key]bool{}
	var latest []ledger.Slot
	for n := len(state.Gates) - 1; n >= 0; n-- {
		for _, slot := range state.Gates[n].Slots {
			k := key{slot.Job, slot.Index}
			if seen[k] || !slot.Status.Answered() && slot.Status != ledger.SlotSkipped {
				continue
			}
			seen[k] = true
			latest = append(latest, slot)
		}
	}
	return latest
}

// readEdits compares a slot's file with what the ledger put there.
func (r *Runner) readEdits(ctx context.Context, run string, slot ledger.Slot) ([]ledger.FileEdit, error) {
	ref := ledger.SlotRef{Job: slot.Job, Slot: slot.Index, Iteration: slot.Iteration}
	exported, err := r.Ledger.Exported(ctx, run, ref)
	if err != nil {
		return nil, err
	}
	file, err := r.LogDir.ReadSlot(slot.Job, slot.Adapter, slot.Index, slot.Iteration)
	if errors.Is(err, fs.ErrNotExist) {
		if len(exported.ULIDs) > 0 {
			r.Console.Warn(fmt.Sprintf("%s was deleted; its %s keep the status that the ledger has", file.Path, count(len(exported.ULIDs), "violation")))
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if file.Err != nil {
		r.Console.Warn(fmt.Sprintf("%s cannot be read, so its violations keep the status that the ledger has: %v", file.Path, file.Err))
		return nil, nil
	}
	edits, warnings := ledger.CompareEdits(exported, file.Document)
	for _, warning := range warnings {
		r.Console.Warn(file.Path + ": " + warning)
	}
	var found []ledger.FileEdit
	for _, edit := range edits {
		shown := exported.Document.Violations[slices.Index(exported.ULIDs, edit.Violation)].ID
		found = append(found, ledger.FileEdit{
			Edit: edit, Job: slot.Job, Slot: slot.Index, Iteration: slot.Iteration, Path: file.Path, ShortID: shown,
		})
	}
	return found, nil
}

// warnUnaddressed says how many open violations nobody addressed.
//
// Requirement: JSON-Based Previous Failure Parsing, "Unaddressed violations
// remain as failures".
func (i *iteration) warnUnaddressed() {
	open := map[string]int{}
	for _, v := range i.state.Violations {
		if v.Status.Open() {
			open[v.Job]++
		}
	}
	for _, job := range i.state.Jobs() {
		if n := open[job]; n > 0 {
			i.Console.Warn(fmt.Sprintf("%s: %s unaddressed: set the status to \"fixed\" or \"skipped\" in its review file", job, count(n, "violation")))
		}
	}
}
