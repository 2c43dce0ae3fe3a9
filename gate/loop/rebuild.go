package loop

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// rebuild opens a run from files in the log directory that the ledger does not know: the ledger was
// deleted, or another tool wrote them. The run's base is the one that it started with, if the
// directory names it.
//
// Rule: Deleting the database loses history, never the loop.
func (r *Runner) rebuild(ctx context.Context, facts ledger.LoopFacts) (*ledger.Run, error) {
	base, baseRef, err := r.rebuiltBase(ctx, facts.Run)
	if err != nil {
		return nil, err
	}
	restoration, err := r.readFiles(ctx, base, 0)
	if err != nil {
		return nil, err
	}
	restoration.Run = r.NewRun(ledger.KindGates, r.Config.LogDir, baseRef, base)
	restoration.Run.ConfigHash = r.ConfigHash() // by which all gates have to answer again
	if facts.Named == ledger.RunUnknown {
		// The restored run keeps the id that the files name.
		restoration.Run.ID = facts.Run.Run
	}
	if facts.Run == nil || facts.Run.Source == "" || facts.Run.Source == ledger.SourceBase || facts.Run.Source == ledger.SourceFiles {
		restoration.Base = base // it is a merge base, which may move
	}
	if named := facts.Run; named != nil {
		restoration.Failed, restoration.Last, restoration.Extended = named.Failed, named.Iteration, max(0, named.Extended)
	}
	// A run that rested on an earlier pass, or whose base moved, is restored without a session
	// reference: its reviewers were not shown everything, and no file proves what they saw. The file
	// is removed, too: from now on .run no longer tells that.
	if facts.Run != nil && (facts.Run.Rests || facts.Run.Moved) {
		err = r.Files.RemoveSessionRef()
	} else {
		restoration.Run.SessionRef, err = r.trustedSessionRef(ctx)
	}
	if err != nil {
		return nil, err
	}
	run, err := r.Ledger.RestoreRun(ctx, restoration)
	if err != nil {
		return nil, err
	}
	r.Console.Warn(fmt.Sprintf("the loop in %s was not in the ledger and was restored from %s", r.Config.LogDir, ledger.Plural(filesIn(restoration), "file")))
	return &run, r.exportRestored(ctx, run.ID)
}

// rebuiltBase returns where the whole diff of a restored run begins: at the base that its files
// name, if git has it, else where that of a new run would begin.
func (r *Runner) rebuiltBase(ctx context.Context, named *ledger.RunFile) (base, ref string, err error) {
	if named == nil || named.Base == "" {
		return r.firstBase(ctx, Options{})
	}
	there, err := r.Repo.HasTree(ctx, named.Base)
	if err != nil {
		return "", "", err
	}
	if there {
		return named.Base, named.BaseRef, nil
	}
	base, ref, err = r.firstBase(ctx, Options{})
	if err == nil {
		r.Console.Warn(fmt.Sprintf("git no longer has %q, the base of the loop in %s: comparing with %q instead", named.Base, r.Config.LogDir, ref))
	}
	return base, ref, err
}

// adopt adds to the open run the files of later iterations, with which another tool continued the
// loop. It reports whether there were any; what the agent wrote into the run's own files has then
// been recorded. Such files may add findings and failures, but never a pass: only the ledger proves
// one.
//
// Rule: Deleting the database loses history, never the loop.
func (r *Runner) adopt(ctx context.Context, state *ledger.State, highest int) (adopted bool, err error) {
	if highest <= state.LastIteration() {
		return false, nil
	}
	files, err := r.readFiles(ctx, state.Run.Base, state.LastIteration())
	if err != nil {
		return false, err
	}
	found := filesIn(files)
	files.Checks = slices.DeleteFunc(files.Checks, func(check ledger.Gate) bool { return check.Status == ledger.GatePassed })
	files.Slots = slices.DeleteFunc(files.Slots, func(slot store.SlotRecord) bool {
		return slot.Document.Status == ledger.SlotPass || slot.Document.Status == ledger.SlotSkipped
	})
	if left := found - filesIn(files); left > 0 {
		r.Console.Warn(fmt.Sprintf("ignored %s in %s of iterations that are not in the ledger, in which gates passed", ledger.Plural(left, "file"), r.Config.LogDir))
	}
	if filesIn(files) == 0 {
		return false, nil
	}
	if _, err := r.recordEdits(ctx, state, state.LatestDocuments(), warnOf); err != nil {
		return false, err
	}
	if err := r.Ledger.AdoptFiles(ctx, state.Run.ID, files); err != nil {
		return false, err
	}
	r.Console.Warn(fmt.Sprintf("the ledger did not have %s in %s; the reports were added to the run", ledger.Plural(filesIn(files), "file"), r.Config.LogDir))
	return true, r.exportRestored(ctx, state.Run.ID)
}

func filesIn(r store.Restoration) int { return len(r.Slots) + len(r.Checks) }

// readFiles reads the files of the iterations after the given one. base is where the run's whole
// diff begins.
func (r *Runner) readFiles(ctx context.Context, base string, after int) (store.Restoration, error) {
	var found store.Restoration
	if err := r.refuseCommitted(ctx, base); err != nil {
		return found, err
	}
	slots, checks, err := r.Files.ReadAll(r.jobIDs())
	for _, check := range checks {
		if check.Iteration > after {
			found.Checks = append(found.Checks, r.restoredCheck(check))
		}
	}
	for _, file := range slots {
		if file.Iteration <= after {
			continue
		}
		found.Slots = append(found.Slots, r.restoredSlot(file))
		newer := func(other ledger.SlotFile) bool {
			return other.FileID == file.FileID && other.Slot == file.Slot && other.Iteration > file.Iteration
		}
		if file.Err == nil && !slices.ContainsFunc(slots, newer) { // else the marks are history
			r.keepUnread(file.Document)
			for _, warning := range ledger.RestoredWarnings(file.Document) {
				r.warnOnce(fmt.Sprintf("%s: %s", file.Path, warning))
			}
		}
	}
	return found, err
}

// refuseCommitted returns an error if files of a loop are part of the change under review: its
// author could otherwise claim in them that reviewers have passed it.
func (r *Runner) refuseCommitted(ctx context.Context, base string) error {
	tracked, err := r.Repo.Staged(ctx, base, r.Config.LogDir)
	if err != nil {
		return err
	}
	for _, file := range tracked {
		if isLoopFile(strings.TrimPrefix(file, r.Config.LogDir+"/")) {
			return fmt.Errorf("restore the loop in %q: git tracks %q as part of the change under review, which cannot say how it was reviewed; remove it with `git rm -r %[1]s`, or keep a loop of your own with `git rm -r --cached %[1]s`, and let git ignore the folder", r.Config.LogDir, file)
		}
	}
	return nil
}

// isLoopFile reports whether a loop can be restored from a file with that name in the log
// directory. The files of ended loops are in folders.
func isLoopFile(name string) bool {
	return name == ".session_ref" || name == ".run" || !strings.Contains(name, "/") && slices.Contains([]string{".json", ".log"}, path.Ext(name))
}

// exportRestored rewrites the latest files of the restored slots with the IDs of their violations,
// so that the agent can mark each in one place.
func (r *Runner) exportRestored(ctx context.Context, run string) error {
	state, err := r.Ledger.State(ctx, run)
	if err != nil {
		return err
	}
	for _, slot := range state.LatestDocuments() {
		ref := ledger.SlotRef{Job: slot.Job, Slot: slot.Index, Iteration: slot.Iteration}
		exported, err := r.Ledger.Exported(ctx, run, ref)
		if err != nil {
			return err
		}
		if len(exported.ULIDs) == 0 {
			continue
		}
		if _, err := r.Files.WriteSlot(exported.Document.Keep(r.unread)); err != nil {
			return err
		}
	}
	return nil
}

// trustedSessionRef returns the session reference of the files, if it names a commit that exists,
// or "". Only a rebuild trusts the file.
func (r *Runner) trustedSessionRef(ctx context.Context) (string, error) {
	commit, ok, err := r.Files.ReadSessionRef()
	if err != nil || !ok {
		return "", nil // the next rerun warns about it
	}
	if ok, err := r.Repo.HasCommit(ctx, commit); err != nil || !ok {
		return "", err // the next rerun warns about it
	}
	return commit, nil
}

func (r *Runner) jobIDs() []string {
	var ids []string
	for _, job := range r.knownJobs() {
		ids = append(ids, job.ID())
	}
	return ids
}

// knownJobs returns the configured jobs. An entry point with a pattern adds its jobs for every
// folder that the pattern matches now.
func (r *Runner) knownJobs() []config.Job {
	var jobs []config.Job
	for _, job := range r.Config.AllJobs() {
		jobs = append(jobs, job)
		folders, _ := doublestar.Glob(os.DirFS(r.Repo.Root), job.Entry) // none for an entry without a pattern
		for _, folder := range folders {
			if expanded, ok := r.Config.JobByID(fmt.Sprintf("%s:%s:%s", job.Kind, folder, job.Name)); ok && folder != job.Entry {
				jobs = append(jobs, expanded)
			}
		}
	}
	return jobs
}

// jobOfFile returns the configured job whose files have that ID in their names, or a placeholder
// for a job that is no longer configured.
func (r *Runner) jobOfFile(fileID string, kind config.Kind) (id, entry, name string, numReviews int) {
	for _, job := range r.knownJobs() {
		if job.FileID() == fileID && job.Kind == kind {
			if job.Review != nil {
				numReviews = job.Review.NumReviews
			}
			return job.ID(), job.Entry, job.Name, numReviews
		}
	}
	return fileID, "", fileID, 0
}

func (r *Runner) restoredCheck(check ledger.CheckLog) ledger.Gate {
	id, entry, name, _ := r.jobOfFile(check.FileID, config.KindCheck)
	gate := ledger.Gate{
		Iteration: check.Iteration, Job: id, Kind: ledger.KindCheck, EntryPoint: entry, Name: name,
		Status: ledger.GateInterrupted, Reason: "restored from its log",
	}
	if check.Status != "" {
		gate.Status = check.Status
	}
	if gate.Status == ledger.GateFailed {
		gate.Problems = 1
	}
	return gate
}

// restoredSlot makes a slot's record from its file. A file that cannot be read puts the slot in
// error, because it must not pass. A slot whose file lists violations and is not in error has
// failed, whatever status the file names.
func (r *Runner) restoredSlot(file ledger.SlotFile) store.SlotRecord {
	id, entry, name, numReviews := r.jobOfFile(file.FileID, config.KindReview)
	document := file.Document
	document.Job, document.Slot, document.Iteration = id, file.Slot, file.Iteration
	if document.Adapter == "" {
		document.Adapter = file.Adapter
	}
	switch {
	case file.Err != nil:
		r.Console.Warn(fmt.Sprintf("%s cannot be read: %v", file.Path, file.Err))
		document.Status, document.Violations = ledger.SlotError, nil
	case file.Legacy:
		r.Console.Warn(fmt.Sprintf("%s was read instead of a JSON file; reading Markdown logs is deprecated", file.Path))
	}
	switch {
	case len(document.Violations) > 0 && document.Status != ledger.SlotError:
		document.Status = ledger.SlotFail
	case document.Status == ledger.SlotSkipped && document.PassIteration > 0, document.Status == ledger.SlotPass:
	default:
		document.Status = ledger.SlotError
	}
	if file.Short {
		r.Console.Warn(fmt.Sprintf("%s lists fewer violations than the log beside it; its reviewer is asked again", file.Path))
		document.Status = ledger.SlotError
	}
	if document.Status != ledger.SlotSkipped {
		document.PassIteration = 0
	}
	return store.SlotRecord{EntryPoint: entry, Gate: name, NumReviews: numReviews, Document: document}
}
