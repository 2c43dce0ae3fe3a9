package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Sources of a reviewers' diff, as rows name them.
const (
	sourceBase        = "base"
	sourceUncommitted = "uncommitted"
	// Where the user asked for no more on a rerun, what is committed stays unseen.
	sourceUncommittedOnly = "uncommitted_only"
	sourceCommit          = "commit"
	sourceSession         = "session"
)

// scope is what an iteration reviews.
type scope struct {
	source string
	// from and to are what reviewers compare, if a slot has no other base.
	from, to string
	// whole is the run's whole diff, from its first base to now.
	whole *diff.Diff
	// narrowed is what this iteration compares, over the whole worktree.
	narrowed *diff.Diff
	// sessionIteration is the iteration whose tree the session ref holds, if
	// the iteration compares with it, else 0.
	sessionIteration int
	diffs            *diffCache
}

// explicit reports whether the user chose what is reviewed.
func (o Options) explicit() bool { return o.Commit != "" || o.Uncommitted }

// survey takes the snapshot and finds out what changed.
func (i *iteration) survey(ctx context.Context) error {
	exclude := excluded(i.Config.LogDir)
	snapshot, err := i.Repo.Snapshot(ctx, diff.SnapshotOptions{Exclude: exclude, Ref: snapshotRef(i.state.Run.ID, i.number)})
	if err != nil {
		return err
	}
	i.snapshot = snapshot
	for _, warning := range snapshot.Warnings {
		i.Console.Warn(warning)
	}
	return i.findScope(ctx, exclude)
}

func (i *iteration) findScope(ctx context.Context, exclude []string) error {
	i.scope.diffs = &diffCache{repo: i.Repo, exclude: exclude}
	if !i.rerun {
		if err := i.firstScope(ctx); err != nil {
			return err
		}
	} else if err := i.rerunScope(ctx); err != nil {
		return err
	}
	return i.compare(ctx)
}

// compare makes the two diffs of every iteration side by side; often they are
// one.
func (i *iteration) compare(ctx context.Context) error {
	var wait sync.WaitGroup
	var wholeErr, narrowedErr error
	wait.Go(func() { i.scope.whole, wholeErr = i.scope.diffs.get(ctx, i.state.Run.Base, i.snapshot.Commit) })
	wait.Go(func() { i.scope.narrowed, narrowedErr = i.scope.diffs.get(ctx, i.scope.from, i.scope.to) })
	wait.Wait()
	if wholeErr != nil || narrowedErr == nil {
		return wholeErr
	}
	if i.scope.source != sourceSession {
		return narrowedErr
	}
	// Only now is it worth a look whether the session ref is still there.
	if there, err := i.Repo.HasCommit(ctx, i.scope.from); err != nil || there {
		return errors.Join(narrowedErr, err)
	}
	i.warnSessionRef(i.scope.from)
	i.uncommittedScope()
	i.scope.narrowed, narrowedErr = i.scope.diffs.get(ctx, i.scope.from, i.scope.to)
	return narrowedErr
}

// firstScope is the scope of a run's first iteration.
//
// Requirement: Automatic Rerun Detection, "First run (empty log directory)".
func (i *iteration) firstScope(ctx context.Context) error {
	base, ref, err := i.firstBase(ctx, i.options)
	if err != nil {
		return err
	}
	scope := i.ledgerScope()
	i.state.Run = ledger.Run{
		ID: i.state.Run.ID, Kind: scope.Kind, Worktree: scope.Worktree, LogDir: scope.LogDir,
		Branch: i.Repo.Branch, BaseRef: ref, Base: base, Head: i.Repo.Head,
	}
	i.scope.source, i.scope.from, i.scope.to = sourceBase, base, i.snapshot.Commit
	switch {
	case i.options.Uncommitted:
		i.scope.source = sourceUncommitted
	case i.options.Commit != "":
		return i.commitScope(ctx)
	}
	return nil
}

// firstBase is what a run's whole diff begins at, and how it is named.
func (r *Runner) firstBase(ctx context.Context, o Options) (base, ref string, err error) {
	switch {
	case o.Uncommitted:
		return r.headTree(), "HEAD", nil
	case o.Commit != "":
		base, err = r.Repo.FirstParent(ctx, o.Commit)
		return base, o.Commit, err
	}
	ref = o.BaseBranch
	if ref == "" {
		ref = r.Config.BaseBranch
	}
	if r.Repo.Head == "" {
		// Nothing is committed yet: all of it is new.
		return r.Repo.EmptyTree(), ref, nil
	}
	base, err = r.Repo.MergeBase(ctx, ref, "HEAD")
	return base, ref, err
}

// headTree is what uncommitted changes are counted from.
func (r *Runner) headTree() string {
	if r.Repo.Head == "" {
		return r.Repo.EmptyTree()
	}
	return r.Repo.Head
}

// commitScope compares a commit with its first parent.
//
// Requirement: Automatic Rerun Detection, "Explicit --commit overrides diff
// source".
func (i *iteration) commitScope(ctx context.Context) error {
	commit, err := i.Repo.ResolveCommit(ctx, i.options.Commit)
	if err != nil {
		return err
	}
	parent, err := i.Repo.FirstParent(ctx, commit)
	i.scope.source, i.scope.from, i.scope.to = sourceCommit, parent, commit
	return err
}

// rerunScope is the scope of a later iteration: what changed since the session
// ref, else what is uncommitted; explicit flags override it.
//
// Requirement: Session Reference for Re-run Diff Scoping, "Re-run uses session
// ref for diff" and "Session ref fallback on invalid SHA".
func (i *iteration) rerunScope(ctx context.Context) error {
	switch {
	case i.options.Commit != "":
		return i.commitScope(ctx)
	case i.options.Uncommitted:
		i.uncommittedScope()
		i.scope.source = sourceUncommittedOnly
		return nil
	default:
		session, err := i.sessionRef()
		if err != nil {
			return err
		}
		if session != "" {
			i.scope.source, i.scope.from, i.scope.to = sourceSession, session, i.snapshot.Commit
			i.scope.sessionIteration = i.iterationOf(session)
			return nil
		}
	}
	i.uncommittedScope()
	return nil
}

func (i *iteration) uncommittedScope() {
	i.scope.source, i.scope.from, i.scope.to = sourceUncommitted, i.headTree(), i.snapshot.Commit
	i.scope.sessionIteration = 0
}

// sessionRef is the session reference that the ledger wrote, or "".
func (i *iteration) sessionRef() (string, error) {
	commit, ok, err := i.LogDir.ReadSessionRef()
	if err != nil { // in its place is something that is not a file
		i.Console.Warn(err.Error() + "; uncommitted changes are reviewed instead")
		return "", nil
	}
	if !ok {
		return "", nil
	}
	if commit == i.state.Run.SessionRef {
		return commit, nil
	}
	i.warnSessionRef(commit)
	return "", nil
}

func (i *iteration) warnSessionRef(commit string) {
	i.Console.Warn(fmt.Sprintf("the session reference %q in %s is invalid; uncommitted changes are reviewed instead", commit, i.LogDir.Path()))
}

func (i *iteration) iterationOf(commit string) int {
	for _, it := range i.state.Iterations {
		if it.To == commit {
			return it.Number
		}
	}
	return 0
}

// slotDiff is what a slot is shown of its job, and the tree in which it ends. What
// went back to how the session ref has it is no change since then, though the slot,
// or another one that is skipped now, has seen it otherwise: a fix that was confirmed
// may be undone that way.
func (i *iteration) slotDiff(ctx context.Context, job config.Job, index int) (shown *diff.Diff, to string, err error) {
	from, to, err := i.slotScope(ctx, job, index)
	if err != nil {
		return nil, "", err
	}
	whole, err := i.scope.diffs.get(ctx, from, to)
	if err != nil {
		return nil, "", err
	}
	shown = whole.Filter(job.Covers)
	own := i.lastSeen(job.ID(), index)
	if !i.rerun || i.options.Commit != "" || own == nil {
		return shown, to, nil
	}
	// What was committed since is not asked for; what went back to the commit is a
	// change that is uncommitted.
	if at := i.state.Iteration(own.Iteration); i.options.Uncommitted && (at == nil || at.Head != i.Repo.Head) {
		return shown, to, nil
	}
	newest := own
	for other := 1; other <= job.Review.NumReviews; other++ {
		if seen := i.lastSeen(job.ID(), other); seen != nil && seen.Iteration > newest.Iteration {
			newest = seen
		}
	}
	for _, seen := range []*ledger.Slot{own, newest} {
		if seen.Reviewed == "" || seen.Reviewed == from {
			continue // nobody knows, or it is what the slot is shown already
		}
		since, err := i.scope.diffs.get(ctx, seen.Reviewed, to)
		if err != nil {
			return nil, "", err
		}
		shown = shown.With(since.Filter(job.Covers))
	}
	return shown, to, nil
}

// slotScope is what a slot compares: all that the run changed until the slot has
// answered, whatever the user chose for this iteration; then what the iteration
// compares; but never from later than the tree that the slot last reviewed, for
// what changed in between it has not seen.
func (i *iteration) slotScope(ctx context.Context, job config.Job, index int) (from, to string, err error) {
	if !i.rerun || i.options.explicit() && i.state.LatestAnswer(job.ID(), index) != nil {
		return i.scope.from, i.scope.to, nil
	}
	seen := i.lastSeen(job.ID(), index)
	if seen == nil {
		return i.state.Run.Base, i.snapshot.Commit, nil
	}
	if seen.Reviewed == "" { // restored from a file, which does not say what it saw
		if i.scope.source == sourceUncommitted {
			return i.state.Run.Base, i.snapshot.Commit, nil
		}
		return i.scope.from, i.scope.to, nil
	}
	unseen := false
	switch i.scope.source {
	case sourceSession:
		unseen = i.scope.sessionIteration > seen.Iteration
	case sourceUncommitted:
		unseen, err = i.committedUnseen(ctx, job, seen)
	}
	if unseen {
		return seen.Reviewed, i.scope.to, err
	}
	return i.scope.from, i.scope.to, err
}

// lastSeen is the slot's latest answer after which it has seen all that the run
// changed until then, or nil. On a rerun --commit shows it one commit alone, and
// --uncommitted nothing that was committed since its answer before.
func (i *iteration) lastSeen(job string, index int) (seen *ledger.Slot) {
	var head string
	for _, gate := range i.state.Gates {
		at := i.state.Iteration(gate.Iteration)
		if gate.Job != job || at == nil {
			continue
		}
		rerun := at.Mode == ledger.ModeRerun
		if rerun && (at.Source == sourceCommit || at.Source == sourceUncommittedOnly && seen != nil && at.Head != head) {
			continue
		}
		for n := range gate.Slots {
			if slot := &gate.Slots[n]; slot.Index == index && slot.Status.Answered() {
				seen, head = slot, at.Head
			}
		}
	}
	return seen
}

// committedUnseen reports whether something in the job that the slot has not seen
// is not among the uncommitted changes: HEAD moved, or a file went back to what
// HEAD has.
func (i *iteration) committedUnseen(ctx context.Context, job config.Job, seen *ledger.Slot) (bool, error) {
	if at := i.state.Iteration(seen.Iteration); at != nil && at.Head != i.Repo.Head {
		return true, nil
	}
	since, err := i.scope.diffs.get(ctx, seen.Reviewed, i.scope.to)
	if err != nil {
		return false, err
	}
	return !i.scope.narrowed.Covers(since.Filter(job.Covers)), nil
}

// diffCache makes each diff of an iteration once.
type diffCache struct {
	repo    *diff.Repo
	exclude []string

	mu    sync.Mutex
	diffs map[[2]string]*lazyDiff
}

type lazyDiff struct {
	once sync.Once
	diff *diff.Diff
	err  error
}

func (c *diffCache) get(ctx context.Context, from, to string) (*diff.Diff, error) {
	c.mu.Lock()
	if c.diffs == nil {
		c.diffs = map[[2]string]*lazyDiff{}
	}
	key := [2]string{from, to}
	lazy := c.diffs[key]
	if lazy == nil {
		lazy = &lazyDiff{}
		c.diffs[key] = lazy
	}
	c.mu.Unlock()
	lazy.once.Do(func() {
		if from == to {
			lazy.diff = &diff.Diff{}
			return
		}
		lazy.diff, lazy.err = c.repo.Diff(ctx, from, to, c.exclude)
	})
	return lazy.diff, lazy.err
}
