package loop

// This file finds the facts from which [ledger.AssessProgress] decides how the loop stands.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Progress returns what is left to do. It executes and records nothing: marks in the slot files
// that are not recorded yet count as if they were. base is where the change begins, glance waits
// for [diff.Repo.Glance], and running reports whether a process holds the loop's lock. The Runner's
// ledger may be nil if there is none.
//
// Rule: Nothing is left out without a word.
func (r *Runner) Progress(ctx context.Context, base diff.Ancestor, glance func() (diff.Snapshot, error), running bool) (ledger.Progress, error) {
	facts := ledger.ProgressFacts{
		Running: running, Base: base.Commit, ConfigHash: r.ConfigHash(), MaxRetries: r.Config.MaxRetries,
	}
	if _, _, err := r.findPosition(ctx, &facts); err != nil {
		return ledger.Progress{}, err
	}
	now, err := glance()
	if err != nil {
		return ledger.Progress{}, err
	}
	r.Console.Warn(now.Warnings...)
	if facts.Tree, facts.Passed = now.Tree, facts.PassedAs(now.Tree); facts.Passed == nil && !facts.Owner.GoesOn() {
		if facts.Passed, err = r.passedBefore(ctx, base, now.Tree, facts.Last); err != nil {
			return ledger.Progress{}, err
		}
	}
	if err := r.compareWithBase(ctx, base, now, &facts); err != nil {
		return ledger.Progress{}, err
	}
	p := ledger.AssessProgress(facts)
	if base.Err != nil && !facts.Owner.GoesOn() && p.State == ledger.ProgressUnreviewed {
		return ledger.Progress{}, base.Err
	}
	p.Tree = facts.Tree
	if p.Lacks, err = r.lacks(ctx, p, now, facts.Last); err != nil {
		return ledger.Progress{}, err
	}
	r.findLogs(p.Failing)
	r.findLogs(p.Errors)
	if p.State == ledger.ProgressPassed {
		p.LookedAt, err = r.looked(ctx, p.Run, now)
	}
	return p, err
}

// passedBefore returns the run that passed on exactly this tree, compared with another base, or nil if
// that pass does not count.
func (r *Runner) passedBefore(ctx context.Context, base diff.Ancestor, tree string, last *ledger.State) (*ledger.State, error) {
	if last == nil || !last.Run.Status.Passes() || last.Run.Base == base.Commit {
		return nil, nil
	}
	then, err := r.Ledger.Position(ctx, ledger.PositionQuery{Scope: r.place(), Base: last.Run.Base, ConfigHash: r.ConfigHash()})
	if err != nil {
		return nil, err
	}
	passed := then.PassedAs(tree)
	if passed == nil {
		return nil, nil
	}
	counts, err := r.passCounts(ctx, passed.Run, base, tree)
	if err != nil || !counts {
		return nil, err
	}
	if base.Err != nil {
		r.warnOnce(fmt.Sprintf("the change is compared with %s, as in run %s: %v", short(last.Run.Base), passed.Run.ID, base.Err))
	}
	return passed, nil
}

// passCounts reports whether the pass of a run on the tree counts, compared with the base.
func (r *Runner) passCounts(ctx context.Context, run ledger.Run, base diff.Ancestor, tree string) (bool, error) {
	facts := ledger.PassFacts{Ref: run.BaseRef, Branch: base.Of, Gone: base.Err != nil}
	if facts.Gone || run.Base == base.Commit {
		return facts.Counts(), nil
	}
	diffs := r.Diffs()
	theirs, err := diffs.List(ctx, run.Base, base.Commit)
	if err != nil {
		return false, ignoreGone(err)
	}
	own, err := diffs.List(ctx, base.Commit, tree)
	if err != nil {
		return false, ignoreGone(err)
	}
	facts.Theirs, facts.Own = theirs.Paths(), own.Paths()
	return facts.Counts(), nil
}

// ignoreGone returns nil for trees that git no longer has.
func ignoreGone(err error) error {
	if errors.Is(err, diff.ErrGone) {
		return nil
	}
	return err
}

// looked returns who looked at the change of a run that passed. What changed is asked only if some
// gates do not run here: all others did, or it would not count as passed.
func (r *Runner) looked(ctx context.Context, run ledger.Run, now diff.Snapshot) (*ledger.LookedAt, error) {
	gates, err := r.Ledger.Gates(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	var touched []ledger.Planned
	if slices.ContainsFunc(r.Config.AllJobs(), func(job config.Job) bool { return !r.Applies(job) }) {
		changed, _, err := r.Repo.ChangedSince(ctx, run.Base, now, r.Exclude())
		if err != nil {
			return nil, err
		}
		jobs, err := r.Config.Jobs(changed)
		if err != nil {
			return nil, err
		}
		for _, job := range jobs {
			touched = append(touched, ledger.Planned{Job: job.ID(), Name: job.Name})
		}
	}
	state := &ledger.State{Gates: gates}
	return new(state.Looked(touched, r.isBuiltin)), nil
}

// isBuiltin reports whether the adapter is the built-in reviewer.
func (r *Runner) isBuiltin(adapter string) bool {
	return adapter == clients.BuiltinName && len(r.Config.Adapters[adapter].Command) == 0
}

// gone returns the jobs of a run that no iteration executes here: they are no longer configured, or
// they do not apply in this environment.
func (r *Runner) gone(state *ledger.State) []string {
	return slices.DeleteFunc(state.Jobs(), func(id string) bool {
		job, configured := r.Config.JobByID(id)
		return configured && r.Applies(job)
	})
}

// whyGone says why a job is among those that [Runner.gone] returns, and what would let it run.
func (r *Runner) whyGone(id string) (why, remedy string) {
	if _, configured := r.Config.JobByID(id); !configured {
		return "is no longer configured", "configure it again"
	}
	if r.CI {
		return "does not run in CI", "set its run_in_ci to true"
	}
	return "runs only in CI", "set its run_locally to true"
}

// findPosition adds what the log directory and the ledger say to the facts, and counts the
// unrecorded marks in files.
func (r *Runner) findPosition(ctx context.Context, facts *ledger.ProgressFacts) (loop ledger.LoopFacts, marks int, err error) {
	if loop.LoopFiles, err = r.Files.ReadLoop(); err != nil {
		return loop, 0, err
	}
	if r.Ledger != nil {
		query := ledger.PositionQuery{Scope: r.place(), Base: facts.Base, ConfigHash: facts.ConfigHash}
		if loop.Run != nil {
			query.Named = loop.Run.Run
		}
		if facts.Position, err = r.Ledger.Position(ctx, query); err != nil {
			return loop, 0, err
		}
	}
	if facts.Open != nil {
		facts.Open.Hand(r.handOn(facts.Open))
		ledger.AsInSummaries(facts.Listed)
		facts.Gone = r.gone(facts.Open)
	}
	loop.Open, loop.Named = facts.Open, facts.Named
	if err := r.findFiles(&loop); err != nil {
		return loop, 0, err
	}
	switch facts.Owner = loop.Owner(); facts.Owner {
	case ledger.OtherLoop:
		return loop, 0, r.otherLoop(facts.Open)
	case ledger.OwnLoop, ledger.EmptiedLoop:
		if facts.Left, err = r.leftBranch(ctx, facts.Open); err != nil {
			return loop, 0, err
		}
		if loop.Highest > facts.Open.LastIteration() {
			r.Console.Warn(fmt.Sprintf("%s has files of iteration %d, and the ledger knows of %d: the next run adds what they report", r.Config.LogDir, loop.Highest, facts.Open.LastIteration()))
		}
		edits, err := r.editsSince(facts.Open, r.documents(facts.Open, facts.Owner), facts.Exported, warnOf)
		return loop, ledger.ApplyEdits(facts.Open, ledger.ActorAgent, edits), err
	}
	return loop, 0, nil
}

// compareWithBase finds out whether the working tree differs from the base in files that a gate
// looks at, and whether it differs from the tree that passed last only in files that nobody
// reviews. It asks git only if comparing the ids of the trees does not decide it.
func (r *Runner) compareWithBase(ctx context.Context, base diff.Ancestor, now diff.Snapshot, facts *ledger.ProgressFacts) (err error) {
	facts.Differs = base.Tree != now.Tree
	if facts.Passed != nil || !facts.Differs || base.Err != nil {
		return nil
	}
	if tree, passed := facts.PassedOn(); passed && now.Unchanged {
		since, known, err := r.Repo.ChangedSince(ctx, tree, now, r.Exclude())
		if err != nil {
			return err
		}
		if known && len(since) == 0 {
			facts.Passed = facts.Last
			return nil
		}
	}
	if facts.Owner.GoesOn() && len(facts.Gone) < len(facts.Open.Jobs()) {
		return nil
	}
	changed, known, err := r.Repo.ChangedSince(ctx, base.Commit, now, r.Exclude())
	if err != nil || !known {
		return err
	}
	if facts.Owner.GoesOn() {
		jobs, err := r.Config.Jobs(changed)
		facts.Gateless = err == nil && !slices.ContainsFunc(jobs, r.Applies)
		return err
	}
	facts.Differs = len(changed) > 0
	ungated, former, err := r.ungated(ctx, base.Commit, changed)
	if ungated && former == "" {
		facts.Ungated = changed
	}
	return err
}

// findLogs adds the paths of the logs that exist.
func (r *Runner) findLogs(list []ledger.Unresolved) {
	for n := range list {
		u := &list[n]
		if u.Slot > 0 {
			u.Log = present(r.Files.SlotLog(u.Job, u.Adapter, u.Slot, u.Iteration))
		} else {
			u.Log = present(r.Files.CheckLog(u.Job, u.Iteration))
		}
	}
}
