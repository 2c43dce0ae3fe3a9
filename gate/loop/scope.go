package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// scope holds the diffs of an iteration and the trees that they compare.
type scope struct {
	source ledger.Source
	// from and to are what reviewers compare, unless a slot has another base. fromBase is the base
	// that the run had when from was reviewed, if it is a tree that was.
	from, fromBase, to string
	// whole lists the files of the run's whole diff, from its base to now.
	whole diff.Listing
	// narrowed is what this iteration compares, in the whole worktree.
	narrowed *diff.Diff
	// sessionIteration is the iteration whose tree the session reference holds, if the iteration
	// compares with it, else 0.
	sessionIteration int
	// altered says what makes git store changed files with other bytes than they have on disk, by path.
	altered map[string]string
	// touched are the jobs of the entry points with changes in the run's whole diff.
	touched []config.Job
	// outside are the untracked files that only settings outside of the tree ignore; they are named
	// in a run's first iteration, and in one that compares as that does.
	outside []string
	diffs   *worktree.Diffs
}

// explicit reports whether the user chose what is reviewed.
func (o Options) explicit() bool { return o.Commit != "" || o.Uncommitted }

// survey takes the snapshot and finds out what changed.
func (i *iteration) survey(ctx context.Context) error {
	if err := i.takeSnapshot(); err != nil {
		return err
	}
	return i.findScope(ctx)
}

// takeSnapshot takes the snapshot, and warns about what it lacks.
func (i *iteration) takeSnapshot() (err error) {
	i.snapshot, err = i.Ahead.Take()
	i.Console.Warn(i.snapshot.Warnings...)
	return err
}

func (i *iteration) findScope(ctx context.Context) (err error) {
	i.scope.diffs = i.Diffs()
	scope := i.rerunScope
	if !i.rerun {
		scope = i.firstScope
	}
	if err := scope(ctx); err != nil {
		return err
	}
	if err := i.compare(ctx); err != nil {
		return err
	}
	var warnings []string
	i.scope.altered, warnings, err = i.Altered(ctx, i.scope.whole.Paths())
	i.Console.Warn(warnings...)
	if err == nil && (!i.rerun || i.emptied) {
		i.scope.outside, err = i.Repo.IgnoredOutside(ctx)
	}
	if err == nil {
		i.scope.touched, err = i.Config.Jobs(i.scope.whole.Paths())
	}
	return err
}

// compare computes the diff of the iteration, and lists the files of the run's whole diff; often the
// two are the same.
func (i *iteration) compare(ctx context.Context) error {
	i.scope.diffs.Prefetch(ctx, i.bases(), i.state.Run.Base, i.snapshot.Tree)
	narrowed := i.span(ledger.Seen{Tree: i.scope.from, Base: i.scope.fromBase}, i.scope.to)
	var wholeErr, narrowedErr error
	i.scope.whole, wholeErr = i.scope.diffs.ListOver(ctx, i.wholeSpan())
	i.scope.narrowed, narrowedErr = i.scope.diffs.Over(ctx, narrowed)
	if wholeErr != nil || narrowedErr == nil {
		return wholeErr
	}
	if i.scope.source != ledger.SourceSession {
		return narrowedErr
	}
	// The extra question, whether git still has the session reference, is asked only after a failed
	// diff.
	if there, err := i.Repo.HasTree(ctx, i.scope.from); err != nil || there {
		return errors.Join(narrowedErr, err)
	}
	i.Console.Warn(fmt.Sprintf("git no longer has the snapshot of the session reference %q: all changes of the run are reviewed again", i.state.Run.SessionRef))
	i.wholeScope()
	i.scope.narrowed, narrowedErr = i.scope.diffs.Between(ctx, i.scope.from, i.scope.to)
	return narrowedErr
}

// bases returns what slots are shown the working tree compared with, without duplicates: the base of
// the iteration's diff, the trees that they answered about last, and the base of the run if one of
// them has not answered. The lines of the run's whole diff are rarely needed otherwise.
func (i *iteration) bases() (bases []worktree.Span) {
	add := func(base ledger.Seen) {
		if span := i.span(base, i.snapshot.Tree); base.Tree != "" && !slices.Contains(bases, span) {
			bases = append(bases, span)
		}
	}
	if i.scope.to != i.snapshot.Tree {
		return bases
	}
	add(ledger.Seen{Tree: i.scope.from, Base: i.scope.fromBase})
	for _, gate := range i.state.Gates {
		for _, slot := range gate.Slots {
			if answered := i.state.LatestAnswer(gate.Job, slot.Index); answered != nil {
				add(i.state.SeenBy(answered))
			} else {
				add(i.state.Whole())
			}
		}
	}
	return bases
}

// firstScope sets the scope of a run's first iteration.
//
// Rule: The base moves forward with the branch.
func (i *iteration) firstScope(ctx context.Context) error {
	base, ref, err := i.firstBase(ctx, i.options)
	if err != nil {
		return err
	}
	i.state.Run = i.NewRun(ledger.KindGates, i.Config.LogDir, ref, base)
	i.scope.source, i.scope.from, i.scope.to = ledger.SourceBase, base, i.snapshot.Tree
	switch {
	case i.options.Uncommitted:
		i.scope.source = ledger.SourceUncommitted
	case i.options.Commit != "":
		return i.commitScope(ctx)
	case i.options.BaseBranch == "" && i.Repo.Head != "":
		return i.warnNarrowBase(ctx, base)
	}
	return nil
}

// warnNarrowBase warns if the diff would be larger with a base branch that the configuration named
// before: a change that makes its own branch the base has an empty diff.
//
// Rule: The base moves forward with the branch.
func (i *iteration) warnNarrowBase(ctx context.Context, base string) error {
	texts, err := i.Repo.FormerTexts(ctx, config.File)
	if err != nil {
		return err
	}
	for _, formerly := range texts {
		former, ok := config.BaseBranchOf(formerly)
		if !ok || former == i.Config.BaseBranch {
			continue
		}
		before, err := i.Repo.MergeBase(ctx, former, "HEAD")
		if err != nil || before == base {
			continue // it does not exist, or is the same commit
		}
		if shared, _ := i.Repo.MergeBase(ctx, before, base); shared == before {
			i.Console.Warn(fmt.Sprintf("base_branch is %q, and %s named %q before: some of the changes since %q are not reviewed; `reviewledger run --base-branch %s` reviews all of them",
				i.Config.BaseBranch, config.File, former, former, text.ShellWord(former)))
			return nil
		}
	}
	return nil
}

// firstBase returns where a run's whole diff begins, and the name of that base.
func (r *Runner) firstBase(ctx context.Context, o Options) (base, ref string, err error) {
	switch {
	case o.Uncommitted:
		return r.HeadTree(), "HEAD", nil
	case o.Commit != "":
		base, err = r.Repo.FirstParent(ctx, o.Commit)
		return base, o.Commit, err
	}
	ref = o.BaseBranch
	if ref == "" {
		ref = r.Config.BaseBranch
	}
	if r.Repo.Head == "" {
		// Nothing is committed yet, so everything is new.
		return r.Repo.EmptyTree(), ref, nil
	}
	base, err = r.Repo.MergeBase(ctx, ref, "HEAD")
	return base, ref, err
}

// commitScope sets the scope to a commit and its first parent.
//
// Rule: Flags restrict what runs, never what is outstanding.
func (i *iteration) commitScope(ctx context.Context) error {
	commit, err := i.Repo.ResolveCommit(ctx, i.options.Commit)
	if err != nil {
		return err
	}
	parent, err := i.Repo.FirstParent(ctx, commit)
	i.scope.source, i.scope.from, i.scope.to = ledger.SourceCommit, parent, commit
	return err
}

// rerunScope sets the scope of a later iteration: what changed since the session reference, else
// what is uncommitted, unless a flag chooses something else.
//
// Rule: A rerun shows what changed since the session reference.
// Rule: A file does not prove a pass.
func (i *iteration) rerunScope(ctx context.Context) error {
	if i.options.Commit != "" {
		return i.commitScope(ctx)
	}
	i.scope.source, i.scope.from, i.scope.to = ledger.SourceUncommitted, i.HeadTree(), i.snapshot.Tree
	if i.options.Uncommitted {
		i.scope.source = ledger.SourceUncommittedOnly
	} else if i.emptied || i.anew() || i.state.NeverEnded() {
		i.wholeScope()
	} else if session := i.sessionRef(); session != "" {
		i.scope.source, i.scope.from, i.scope.fromBase = ledger.SourceSession, session, i.state.BaseAt(&i.state.Iterations[0])
		// The slots have reviewed the tree of which the commit was made: comparing with the tree
		// gives one diff instead of two.
		if at := i.iterationOf(session); at != nil {
			i.scope.sessionIteration, i.scope.from, i.scope.fromBase = at.Number, at.To, i.state.BaseAt(at)
		}
	}
	return nil
}

// sessionRef returns the session reference that the ledger wrote, or "".
func (i *iteration) sessionRef() string {
	commit, ok, err := i.Files.ReadSessionRef()
	switch {
	case err != nil: // it exists, but is not a file
		i.Console.Warn(err.Error() + "; uncommitted changes are reviewed instead")
	case ok && commit == i.state.Run.SessionRef:
		return commit
	case ok:
		i.Console.Warn(fmt.Sprintf("the session reference %q in %s is invalid; uncommitted changes are reviewed instead", commit, i.Config.LogDir))
	}
	return ""
}

// iterationOf returns the iteration that reviewed what the commit holds, or nil.
func (i *iteration) iterationOf(commit string) *ledger.Iteration {
	for n := range i.state.Iterations {
		it := &i.state.Iterations[n]
		if it.To == commit || i.Repo.CommitID(it.To, it.Head) == commit {
			return it
		}
	}
	return nil
}

// forgetLostTrees treats a reviewed tree that git no longer has as unknown: its slots are shown the
// run's whole diff again, because it is not known what they have not seen.
func (i *iteration) forgetLostTrees(ctx context.Context) error {
	there := map[string]bool{"": true}
	for g := range i.state.Gates {
		for n := range i.state.Gates[g].Slots {
			slot := &i.state.Gates[g].Slots[n]
			if _, known := there[slot.Reviewed]; !known {
				ok, err := i.Repo.HasTree(ctx, slot.Reviewed)
				if err != nil {
					return err
				}
				if there[slot.Reviewed] = ok; !ok {
					i.Console.Warn(fmt.Sprintf("git no longer has the reviewed tree %s: all changes of the run are reviewed again", slot.Reviewed))
				}
			}
			if !there[slot.Reviewed] {
				slot.Reviewed = ""
			}
		}
	}
	for job, rest := range i.state.Rests {
		if ok, err := i.Repo.HasTree(ctx, rest.Tree); err != nil {
			return err
		} else if !ok {
			i.Console.Warn(fmt.Sprintf("git no longer has the tree %s, on which run %s passed", rest.Tree, rest.Run))
			i.state.Rests[job] = ledger.Rest{Run: rest.Run, Base: rest.Base}
		}
	}
	i.wholeScope()
	i.parts = nil // these facts belong to another diff
	return i.compare(ctx)
}

// wholeScope sets the scope to everything that the run changed.
func (i *iteration) wholeScope() {
	if i.options.explicit() {
		return // the user's choice
	}
	i.scope.source, i.scope.from, i.scope.to = ledger.SourceBase, i.state.Run.Base, i.snapshot.Tree
	i.scope.fromBase, i.scope.sessionIteration = i.state.Whole().Base, 0
}

// moveLines records where the lines of earlier violations are in the tree that is reviewed now, and
// writes that into the files that list them, because their readers look at the present code.
//
// Rule: A place moves with its lines.
func (i *iteration) moveLines(ctx context.Context) error {
	now, err := placesIn(ctx, i.scope.diffs, i.scope.to, i.state.Violations)
	if err != nil {
		return err
	}
	i.places = now
	moved := map[string][]ledger.Place{}
	for n := range i.state.Violations {
		v := &i.state.Violations[n]
		if places, known := now[v.ID]; known && !slices.Equal(places, v.Places()) {
			moved[v.ID] = places
		}
	}
	if len(moved) == 0 {
		return nil
	}
	listed, err := i.recorder.Move(ctx, moved)
	if err != nil {
		return err
	}
	return i.exportMarks(ctx, i.state.Run.ID, listed)
}

// placesIn returns the places of the violations in the tree, by ULID, the further places of each
// after its first. It leaves out violations that were reported in a tree that is not known.
func placesIn(ctx context.Context, diffs *worktree.Diffs, to string, violations []ledger.Violation) (map[string][]ledger.Place, error) {
	now := map[string][]ledger.Place{}
	return now, diffs.Follow(ctx, to, violations, func(v *ledger.Violation, _ *diff.Diff, places []ledger.Whereabouts) {
		for _, place := range places { // none if its tree no longer exists
			now[v.ID] = append(now[v.ID], place.Here)
		}
	})
}
