// Package worktree has what runs of gates and code reviews share: the worktree with its
// configuration, its snapshot, the diffs between its trees, and the scope in which its runs are
// recorded. It uses git through package diff; it does not write anything or touch the ledger.
package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Worktree is one worktree with its configuration.
type Worktree struct {
	Repo   *diff.Repo
	Config *config.Config
	// Repository identifies the repository in the ledger; empty if no ledger is used.
	Repository ledger.Repository
	// Begun is the run that this checkout has begun and not ended, or "".
	Begun string
	// CI reports that this is continuous integration.
	CI bool
	// Own are files that the program itself writes in the worktree, relative to its root: a ledger
	// that the user put there.
	Own []string
	// Written reports whether a file of the worktree is byte for byte what this program writes for
	// coding agents: a skill, hooks, a registration. If it is nil, no file is.
	Written func(path string) bool
}

// UsageError is a mistake in how a command was called.
type UsageError struct{ Message string }

// Error returns the message.
func (e *UsageError) Error() string { return e.Message }

// Usage returns a [UsageError].
func Usage(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// Exclude returns the files and folders that are not in any diff: those that the program itself
// writes, and the reports of analysis tools.
func (w *Worktree) Exclude() []string {
	exclude := append([]string{w.Config.LogDir, verdict.Dir, verdict.ReviewDocumentFolder}, w.Own...)
	for _, adapter := range w.Config.Adapters {
		if adapter.File != "" {
			exclude = append(exclude, adapter.File)
		}
	}
	return exclude
}

// HeadTree returns the commit, or the empty tree, with which the working tree is compared to find
// uncommitted changes.
func (w *Worktree) HeadTree() string {
	if w.Repo.Head == "" {
		return w.Repo.EmptyTree()
	}
	return w.Repo.Head
}

// Place returns the scope of the runs of a kind that keep their files in the folder, which is
// relative to the worktree's root.
func (w *Worktree) Place(kind ledger.RunKind, folder string) ledger.Scope {
	return ledger.Scope{
		Kind: kind, Worktree: w.Repo.Root, LogDir: folder, Repository: w.Repository, WorktreeName: w.Repo.WorktreeName,
		Begun: w.Begun,
	}
}

// NewRun returns a run of the kind that begins now, in its [Worktree.Place].
func (w *Worktree) NewRun(kind ledger.RunKind, folder, baseRef, base string) ledger.Run {
	place := w.Place(kind, folder)
	return ledger.Run{
		Kind: kind, Worktree: place.Worktree, LogDir: place.LogDir, Repository: place.Repository, WorktreeName: place.WorktreeName,
		Branch: w.Repo.Branch, BaseRef: baseRef, Base: base, Head: w.Repo.Head,
	}
}

// maxSubject is how many characters of a subject are kept.
const maxSubject = 300

// FirstSubject returns the first line of the message of the first commit that HEAD has and the base
// does not, or "" if there is none or git does not know it, as in a shallow clone.
func (w *Worktree) FirstSubject(ctx context.Context, base string) string {
	if base == "" || base == w.Repo.Head || w.Repo.Head == "" {
		return ""
	}
	subjects, err := w.Repo.Subjects(ctx, w.Repo.Head, -1, base)
	if err != nil || len(subjects) == 0 {
		return ""
	}
	return text.Truncate(strings.ToValidUTF8(subjects[len(subjects)-1], "\uFFFD"), maxSubject)
}

// Applies reports whether the job runs here.
func (w *Worktree) Applies(job config.Job) bool { return w.Config.Applies(job, w.CI) }

// ConfigHash returns the [config.Config.Hash] of all gates that run here.
func (w *Worktree) ConfigHash() string {
	return w.Config.Hash(slices.DeleteFunc(w.Config.AllJobs(), func(job config.Job) bool { return !w.Applies(job) }))
}

// BudgetWarning returns a warning that names the adapters whose calls did not state a cost, so that
// the budget cannot count them, or "".
func (w *Worktree) BudgetWarning(spent ledger.Spent) string {
	if w.Config.Budget.CostUSD == 0 || len(spent.Silent) == 0 {
		return ""
	}
	return fmt.Sprintf("the budget of %s does not count calls of %s, which did not say what they cost",
		ledger.Dollars(w.Config.Budget.CostUSD), strings.Join(spent.Silent, ", "))
}

// Changed returns how the working tree now differs from the latest snapshot, which means that it is
// no longer what was reviewed. Committing what was reviewed is not a change; checking out another
// branch is, whatever it contains.
//
// Rule: A run passes only over code that its gates have seen.
func (w *Worktree) Changed(ctx context.Context, snapshot diff.Snapshot) (diff.Change, error) {
	change, err := w.Repo.Changed(ctx, snapshot.Tree)
	if len(change.Files) == 0 && change.Branch == w.Repo.Branch && change.Branch != "" {
		return diff.Change{}, err
	}
	return change, err
}

// NotReviewed returns words about what changed while something was reviewed.
func NotReviewed(c diff.Change, while string) string {
	var parts []string
	if len(c.Files) > 0 {
		parts = append(parts, fmt.Sprintf("changed while %s, and not reviewed: %s", while, Named(c.Files)))
	}
	switch {
	case c.Branch != "":
		parts = append(parts, fmt.Sprintf("the branch %q was checked out while %s", c.Branch, while))
	case c.Head != "":
		parts = append(parts, fmt.Sprintf("the commit %s was checked out while %s", c.Head, while))
	}
	if len(c.New) > 0 {
		parts = append(parts, fmt.Sprintf("add build artifacts to .gitignore (untracked: %s)", Named(c.New)))
	}
	return strings.Join(parts, "; ")
}

// Named returns a list of files, at most [maxNamed] of them.
func Named(files []string) string {
	if len(files) > maxNamed {
		files = append(slices.Clone(files[:maxNamed]), fmt.Sprintf("and %d more", len(files)-maxNamed))
	}
	return strings.Join(files, ", ")
}

// FindRepository returns the identity of the worktree's repository: the name in the configuration,
// else its origin. Without either it does not matter if the ledger belongs to the repository alone
// (own). In a ledger that several repositories may share, it is the first commit, and without a
// commit the path.
func FindRepository(ctx context.Context, repo *diff.Repo, conf *config.Config, own bool) (ledger.Repository, error) {
	if conf.Repository != "" {
		return ledger.Repository{Kind: ledger.RepositoryConfigured, Key: conf.Repository, Sole: own}, nil
	}
	origin, err := repo.OriginURL(ctx)
	switch {
	case err != nil:
		return ledger.Repository{}, err
	case origin != "":
		return ledger.Repository{Kind: ledger.RepositoryOrigin, Key: origin, Sole: own}, nil
	case own:
		return ledger.Repository{Kind: ledger.RepositoryUnknown}, nil
	}
	root, err := repo.RootCommit(ctx)
	switch {
	case err != nil:
		return ledger.Repository{}, err
	case root != "":
		return ledger.Repository{Kind: ledger.RepositoryRootCommit, Key: root}, nil
	}
	return ledger.Repository{Kind: ledger.RepositoryPath, Key: repo.CommonDir}, nil
}
