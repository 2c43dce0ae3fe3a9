package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// BrokenFileError means that the marks in a review file cannot be read. A command that continued
// without them, or rewrote the file, would lose them.
type BrokenFileError struct {
	// Path is the file's path as it is shown, Slot the address of the slot that the file was
	// written for.
	Path, Slot string
	Err        error
}

func (e *BrokenFileError) Error() string {
	return fmt.Sprintf("read the marks in %q: %v: correct the file, or write it as it was before it was edited: reviewledger export slot %s --marked -o %s", e.Path, e.Err, text.ShellWord(e.Slot), text.ShellWord(e.Path))
}

// Unwrap returns what is wrong with the file.
func (e *BrokenFileError) Unwrap() error { return e.Err }

// onBroken handles a review file whose marks cannot be read. An error that it returns ends the
// command.
type onBroken func(*Runner, *BrokenFileError) error

// stopAt returns the error, so that the command stops before it asks, records or writes anything.
func stopAt(_ *Runner, broken *BrokenFileError) error { return broken }

// warnOf only warns. It is for commands that only show something, and for clean, which abandons the
// loop.
func warnOf(r *Runner, broken *BrokenFileError) error {
	r.Console.Warn(Unread(broken.Path, broken.Err))
	return nil
}

// Unread returns the warning of a command that only shows something about a review file whose marks
// cannot be read.
func Unread(path string, err error) string {
	return fmt.Sprintf("%s cannot be read; its violations keep their status in the ledger: %v", path, err)
}

// recordEdits records what the agent wrote into the files of these slots since the ledger exported
// them, and warns about changes that it must not make. It reports whether it recorded anything: then
// the state is out of date.
//
// Rule: The ledger is the only truth.
func (r *Runner) recordEdits(ctx context.Context, state *ledger.State, documents []ledger.Slot, broken onBroken) (recorded bool, err error) {
	edits, err := r.findEdits(ctx, state, documents, broken)
	if err != nil {
		return false, err
	}
	silent, err := r.silent()
	if err != nil {
		return false, err
	}
	refused, err := r.Ledger.RecordEdits(ctx, state.Run.ID, ledger.ActorAgent, edits, silent)
	r.Console.Warn(refused...)
	return len(edits) > 0, err
}

// recordOwn records the edits in the log directory's files, if they belong to the open run.
func (r *Runner) recordOwn(ctx context.Context, state *ledger.State, broken onBroken) error {
	facts, err := r.loopFacts(ctx, state)
	if err != nil || !facts.Owner().GoesOn() {
		return err
	}
	if err := r.warnOlder(ctx, state); err != nil {
		return err
	}
	_, err = r.recordEdits(ctx, state, r.documents(state, facts.Owner()), broken)
	return err
}

// recordLate records what the agent wrote, while the gates ran, into files that later ones have
// replaced: nothing reads them after this iteration. It returns the state of the run with that.
//
// Rule: The ledger is the only truth.
func (i *iteration) recordLate(ctx context.Context) (*ledger.State, error) {
	now, err := i.Ledger.State(ctx, i.state.Run.ID)
	if err != nil {
		return nil, err
	}
	latest := now.LatestDocuments()
	var late []ledger.Slot
	for _, slot := range i.state.LatestDocuments() {
		if slices.ContainsFunc(latest, func(l ledger.Slot) bool { return l.Ref() == slot.Ref() }) {
			continue
		}
		absolute, _ := i.Files.SlotJSON(slot.Job, slot.Adapter, slot.Index, slot.Iteration)
		if file, err := os.Lstat(absolute); err == nil && file.ModTime().After(i.began) {
			late = append(late, slot)
		}
	}
	if len(late) == 0 {
		return now, nil
	}
	recorded, err := i.recordEdits(ctx, now, late, warnOf)
	if err != nil || !recorded {
		return now, err
	}
	i.Console.Warn("marks that were written into the files of an earlier iteration while the gates ran are recorded; the files of this iteration do not show them")
	return i.Ledger.State(ctx, i.state.Run.ID)
}

// unedited returns those of the slots whose files have no marks that the ledger does not know.
func (r *Runner) unedited(ctx context.Context, run string, listed []ledger.SlotRef) (same []ledger.SlotRef, err error) {
	for _, ref := range listed {
		last, err := r.Ledger.Exported(ctx, run, ref)
		if err != nil {
			return nil, err
		}
		file, err := r.Files.ReadSlot(ref.Job, last.Document.Adapter, ref.Slot, ref.Iteration)
		edits, _ := ledger.CompareEdits(last, file.Document)
		if err != nil || file.Err == nil && len(edits) == 0 {
			same = append(same, ref)
		}
	}
	return same, nil
}

// findEdits returns what the agent wrote into the files of these slots and the ledger does not know
// yet, one edit for each violation.
func (r *Runner) findEdits(ctx context.Context, state *ledger.State, documents []ledger.Slot, broken onBroken) ([]ledger.Edit, error) {
	exported := map[ledger.SlotRef]ledger.Exported{}
	for _, slot := range documents {
		var err error
		if exported[slot.Ref()], err = r.Ledger.Exported(ctx, state.Run.ID, slot.Ref()); err != nil {
			return nil, err
		}
	}
	return r.editsSince(state, documents, exported, broken)
}

// editsSince returns what the agent wrote into the files of these slots since they were exported.
func (r *Runner) editsSince(state *ledger.State, documents []ledger.Slot, exported map[ledger.SlotRef]ledger.Exported, broken onBroken) ([]ledger.Edit, error) {
	var edits []ledger.Edit
	for _, slot := range documents {
		at := state.Iteration(slot.Iteration)
		found, err := r.readEdits(exported[slot.Ref()], slot, at == nil || !at.CutOff())
		var unread *BrokenFileError
		if errors.As(err, &unread) {
			unread.Slot, err = ledger.SlotName(state.Run.ID, slot.Ref()), broken(r, unread)
		}
		if err != nil {
			return nil, err
		}
		edits = append(edits, found...)
	}
	settled, warnings := ledger.SettleEdits(state, ledger.ActorAgent, edits)
	merged, differ := ledger.MergeEdits(settled)
	r.Console.Warn(append(warnings, differ...)...)
	return merged, nil
}

// readEdits compares a slot's file with what the ledger exported to it. A file that is missing was
// deleted if it was written, which a killed process may not have come to.
func (r *Runner) readEdits(exported ledger.Exported, slot ledger.Slot, written bool) ([]ledger.Edit, error) {
	file, err := r.Files.ReadSlot(slot.Job, slot.Adapter, slot.Index, slot.Iteration)
	if errors.Is(err, fs.ErrNotExist) {
		if written && len(exported.ULIDs) > 0 {
			r.Console.Warn(fmt.Sprintf("%s was deleted; the ledger keeps the status of its %s", file.Path, ledger.Plural(len(exported.ULIDs), "violation")))
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if file.Err != nil {
		return nil, &BrokenFileError{Path: file.Path, Err: file.Err}
	}
	edits, warnings := ledger.CompareEdits(exported, file.Document)
	for _, warning := range warnings {
		r.warnOnce(file.Path + ": " + warning)
	}
	r.keepUnread(file.Document)
	for i := range edits {
		edits[i].Path = file.Path
	}
	return edits, nil
}

// warnOnce warns, unless the same was said before: a file may be read twice, and so may the state.
func (r *Runner) warnOnce(warning string) {
	if !slices.Contains(r.warned, warning) {
		r.warned = append(r.warned, warning)
		r.Console.Warn(warning)
	}
}

// keepUnread notes what a file says that is not a word. A file that lists the violation and says
// something else corrects it.
func (r *Runner) keepUnread(read ledger.SlotDocument) {
	if r.unread == nil {
		r.unread = map[string]ledger.Unread{}
	}
	for _, entry := range read.Violations {
		delete(r.unread, entry.ID)
	}
	maps.Copy(r.unread, ledger.UnreadIn(read))
}

// warnOlder warns of edits in files of slots that have a newer one: nobody reads them.
//
// Rule: The ledger is the only truth.
func (r *Runner) warnOlder(ctx context.Context, state *ledger.State) error {
	for _, newest := range state.LatestDocuments() {
		absolute, shown := r.Files.SlotJSON(newest.Job, newest.Adapter, newest.Index, newest.Iteration)
		at, err := os.Lstat(absolute)
		if err != nil {
			continue // it was deleted, or written by another tool under another name
		}
		for _, older := range state.OlderDocuments(newest) {
			absolute, _ := r.Files.SlotJSON(older.Job, older.Adapter, older.Index, older.Iteration)
			if file, err := os.Lstat(absolute); err != nil || file.ModTime().Before(at.ModTime()) {
				continue
			}
			exported, err := r.Ledger.Exported(ctx, state.Run.ID, older.Ref())
			if err != nil {
				return err
			}
			file, err := r.Files.ReadSlot(older.Job, older.Adapter, older.Index, older.Iteration)
			if err != nil || file.Err != nil {
				continue
			}
			edits, _ := ledger.CompareEdits(exported, file.Document)
			var ids []string
			for _, edit := range edits {
				ids = append(ids, edit.ShortID)
			}
			if len(ids) > 0 {
				r.Console.Warn(fmt.Sprintf("%s was edited (%s); this has no effect: the newest file of that reviewer is %s", file.Path, ledger.Some(ids), shown))
			}
		}
	}
	return nil
}

// warnUnaddressed names for each job the open violations that have not been addressed.
//
// Rule: A run passes only if nothing is outstanding.
func (i *iteration) warnUnaddressed() {
	open := map[string][]string{}
	for _, v := range i.state.Violations {
		if v.Status.ForAuthor() {
			open[v.Job] = append(open[v.Job], v.ShortID)
		}
	}
	for _, job := range i.state.Jobs() {
		if ids := open[job]; len(ids) > 0 {
			i.Console.Warn(fmt.Sprintf("%s: %s unaddressed: set the status to \"fixed\" or \"skipped\" in its review file, or with `reviewledger mark`: %s",
				job, ledger.Plural(len(ids), "violation"), ledger.Some(ids)))
		}
	}
}
