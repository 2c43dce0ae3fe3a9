package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// recalled is what an invocation knows of its run before it looks at the changes.
type recalled struct {
	// rerun reports that the log directory held the logs of this run. emptied reports that it has
	// been emptied since: a rerun, but it compares as a first iteration does.
	rerun, emptied bool
	// state is the run's state before anything was executed. In a first run it is still empty.
	state  *ledger.State
	number int
}

// recall finds out whether this is a first run or a rerun, and the state of the run: from the
// ledger, or from the files if the ledger does not know them. Then it records what the agent wrote
// into the files.
//
// Rule: The log directory decides between first run and rerun.
func (r *Runner) recall(ctx context.Context) (recalled, error) {
	first := recalled{state: &ledger.State{}, number: 1}
	run, state, owner, err := r.openRun(ctx)
	if err != nil || run == nil {
		return first, err
	}
	if state != nil {
		if err := r.warnOlder(ctx, state); err != nil {
			return first, err
		}
		recorded, err := r.recordEdits(ctx, state, state.LatestDocuments(), stopAt)
		if err != nil {
			return first, err
		}
		if recorded {
			state = nil
		}
	}
	if state == nil {
		if state, err = r.Ledger.State(ctx, run.ID); err != nil {
			return first, err
		}
	}
	files, err := r.Files.ReadLoop()
	return recalled{rerun: true, emptied: owner == ledger.EmptiedLoop, state: state, number: 1 + max(files.Highest, state.LastIteration())}, err
}

// openRun returns the run that the log directory's files belong to, or nil for a first run. It
// archives files of a closed run that a crash left behind, also if some are archived already. It
// rebuilds a run that the ledger does not know from its files. state is the run's state before the
// edits in its files; it is nil if it must be read again. owner is whose the files were.
func (r *Runner) openRun(ctx context.Context) (run *ledger.Run, state *ledger.State, owner ledger.LoopOwner, err error) {
	state, err = r.openState(ctx)
	if err != nil {
		return nil, nil, "", err
	}
	facts, err := r.loopFacts(ctx, state)
	if err != nil {
		return nil, nil, "", err
	}
	if facts.RunErr != nil {
		r.Console.Warn(fmt.Sprintf("%s/.run was ignored because it cannot be read: %v", r.Config.LogDir, facts.RunErr))
	}
	switch owner = facts.Owner(); owner {
	case ledger.NoLoop, ledger.EndedLoop: // without a log, too, because archiving may have been interrupted
		return nil, nil, owner, r.Files.Archive()
	case ledger.OtherLoop:
		return nil, nil, owner, r.otherLoop(state)
	case ledger.LostLoop:
		if err := r.checkBranch(ctx, filesOf(facts.Run)); err != nil {
			return nil, nil, owner, err
		}
		run, err := r.rebuild(ctx, facts)
		return run, nil, owner, err
	}
	if err := r.checkBranch(ctx, state); err != nil {
		return nil, nil, owner, err
	}
	if state, err = r.markInterrupted(ctx, state); err != nil {
		return nil, nil, owner, err
	}
	own := state.Run
	if owner == ledger.EmptiedLoop {
		return &own, nil, owner, r.writeAnew(ctx, state)
	}
	adopted, err := r.adopt(ctx, state, facts.Highest)
	if adopted {
		state = nil
	}
	return &own, state, owner, err
}

// writeAnew writes the files of an open run whose log directory was emptied. Marks in those that are
// left are recorded first.
//
// Rule: The log directory decides between first run and rerun.
func (r *Runner) writeAnew(ctx context.Context, state *ledger.State) error {
	if _, err := r.recordEdits(ctx, state, r.documents(state, ledger.EmptiedLoop), stopAt); err != nil {
		return err
	}
	var listed []ledger.SlotRef
	for _, slot := range state.LatestDocuments() {
		listed = append(listed, slot.Ref())
	}
	if err := r.exportMarks(ctx, state.Run.ID, listed); err != nil {
		return err
	}
	if state.Run.SessionRef != "" {
		if err := r.Files.WriteSessionRef(state.Run.SessionRef); err != nil {
			return err
		}
	}
	if state.LastIteration() == 0 {
		return nil
	}
	return r.Files.WriteRun(runFile(state, *state.Iteration(state.LastIteration())))
}

// documents returns the slots of the open run whose files are read: of a log directory that was
// emptied, only those that are left.
func (r *Runner) documents(state *ledger.State, owner ledger.LoopOwner) []ledger.Slot {
	latest := state.LatestDocuments()
	if owner != ledger.EmptiedLoop {
		return latest
	}
	return slices.DeleteFunc(latest, func(slot ledger.Slot) bool {
		absolute, _ := r.Files.SlotJSON(slot.Job, slot.Adapter, slot.Index, slot.Iteration)
		_, err := os.Lstat(absolute)
		return errors.Is(err, fs.ErrNotExist)
	})
}

// markInterrupted marks what a killed process left running as interrupted.
func (r *Runner) markInterrupted(ctx context.Context, state *ledger.State) (*ledger.State, error) {
	running := func(it ledger.Iteration) bool { return it.Status == ledger.StatusRunning }
	if !slices.ContainsFunc(state.Iterations, running) {
		return state, nil
	}
	if err := r.Ledger.Recover(ctx, state.Run.ID); err != nil {
		return nil, err
	}
	return r.Ledger.State(ctx, state.Run.ID)
}

// openState returns the state of the open run of this log directory, or nil.
func (r *Runner) openState(ctx context.Context) (*ledger.State, error) {
	open, err := r.Ledger.OpenRun(ctx, r.place())
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Ledger.State(ctx, open.ID)
}

// loopFacts returns the facts that decide to which run the files in the log directory belong. open
// is the state of the open run, or nil.
func (r *Runner) loopFacts(ctx context.Context, open *ledger.State) (ledger.LoopFacts, error) {
	facts := ledger.LoopFacts{Open: open}
	var err error
	if facts.LoopFiles, err = r.Files.ReadLoop(); err != nil {
		return facts, err
	}
	if facts.Run != nil && r.Ledger != nil {
		if facts.Named, err = r.runKnown(ctx, facts.Run.Run); err != nil {
			return facts, err
		}
	}
	return facts, r.findFiles(&facts)
}

// findFiles adds the list of the files to the facts, if it matters.
func (r *Runner) findFiles(facts *ledger.LoopFacts) error {
	if !facts.ByFiles() {
		return nil
	}
	slots, checks, err := r.Files.ReadAll(r.jobIDs())
	for _, file := range slots {
		facts.Found = append(facts.Found, ledger.LoopFile{FileID: file.FileID, Slot: file.Slot, Iteration: file.Iteration})
	}
	for _, file := range checks {
		facts.Found = append(facts.Found, ledger.LoopFile{FileID: file.FileID, Iteration: file.Iteration})
	}
	return err
}

// runKnown returns whether the ledger knows the run, and whether the run is still open.
func (r *Runner) runKnown(ctx context.Context, id string) (ledger.Standing, error) {
	run, err := r.Ledger.FindRun(ctx, id)
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return ledger.RunUnknown, nil
	case err != nil:
		return "", err
	case run.Closed():
		return ledger.RunClosed, nil
	}
	return ledger.RunOpen, nil
}

// otherLoop returns the error about files of an unknown loop while a run with findings is open
// here.
func (r *Runner) otherLoop(open *ledger.State) error {
	return fmt.Errorf("the files in %q are of a loop that the ledger does not know, and run %s is open here with %s, which would be forgotten: move the files away to go on with that run, or abandon it with `reviewledger clean`, which archives the files",
		r.Config.LogDir, open.Run.ID, ledger.Plural(len(open.Violations), "violation"))
}
