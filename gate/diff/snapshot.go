package diff

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// SnapshotOptions are the options for taking a snapshot.
type SnapshotOptions struct {
	// Exclude are files and folders, relative to the root, for which the snapshot has what HEAD
	// has.
	Exclude []string
	// IncludeSecrets includes untracked files that are named like a secret.
	IncludeSecrets bool
}

// Snapshot is a tree with the content of the whole working tree.
type Snapshot struct {
	// Tree is its id. Nothing refers to it: git keeps such objects for two weeks, unless it is told
	// to prune them earlier.
	Tree string
	// Unchanged reports whether the working tree equals the index.
	Unchanged bool
	// Unreviewed are the tracked files in excluded folders, whether or not they changed.
	Unreviewed []string
	// Beside are the untracked files in excluded folders that are not ignored.
	Beside []string
	// Warnings say what had to be left out, one sentence each.
	Warnings []string
}

// Snapshot records the working tree as it is now: tracked and untracked files, staged or not,
// conflicts with their markers, and files that are marked assume-unchanged or skip-worktree if they
// exist. Ignored files are left out without a warning. Left out with a warning are untracked files
// larger than [maxUntracked], untracked files that cannot be read or are named like a secret, and
// untracked repositories. For a submodule it records, like git, the commit that is checked out; a
// warning says if anything in it is not committed.
//
// Files are converted as by `git add`: line ends, and filters, whose programs the user's or the
// repository's configuration names (Git LFS is one). No file of the change can name a program.
//
// The index, the working tree, the stash and a merge in progress do not change.
//
// Rule: A snapshot holds the whole working tree.
// Rule: The repository stays as it is.
func (r *Repo) Snapshot(ctx context.Context, opts SnapshotOptions) (Snapshot, error) {
	s, err := r.take(ctx, opts, func(*stage) error { return nil })
	if err != nil {
		return Snapshot{}, fmt.Errorf("snapshot the working tree: %w", err)
	}
	return s, nil
}

// take takes a snapshot, after prepare has changed how it is staged.
func (r *Repo) take(ctx context.Context, opts SnapshotOptions, prepare func(*stage) error) (Snapshot, error) {
	r.shared.keep(nil) // its index is about to be replaced
	st, err := r.newStage(opts)
	if err == nil {
		err = prepare(st)
	}
	if err != nil {
		return Snapshot{}, err
	}
	s, err := st.record(ctx)
	if err == nil {
		r.shared.keep(st)
	}
	return s, err
}

// Hidden reports whether the latest snapshot of this Repo has the file, or a file in the folder,
// and the working tree does not, because a sparse checkout leaves it out.
func (r *Repo) Hidden(path string) bool {
	st, folder := r.shared.kept(), path+"/" // a variable, as there may be a million absent files
	return st != nil && slices.ContainsFunc(st.absent, func(absent string) bool {
		return absent == path || strings.HasPrefix(absent, folder)
	})
}

// Missing reports whether the file or folder is [Gone], and not [Repo.Hidden].
func (r *Repo) Missing(path string) bool { return Gone(r.Root, path) && !r.Hidden(path) }

// Change is the difference between the working tree and a snapshot of it.
type Change struct {
	// Files are the paths that differ, sorted, and New those of them that neither the snapshot nor
	// git's index has.
	Files, New []string
	// Head and Branch are what is checked out now if that has changed since the repository was
	// opened; else both are empty. For a detached HEAD only Head is set, for a branch without a
	// commit only Branch.
	Head, Branch string
}

// Empty reports whether nothing changed.
func (c Change) Empty() bool { return len(c.Files) == 0 && c.Head == "" && c.Branch == "" }

// Changed returns how the working tree differs now from the latest snapshot of this Repo, whose
// tree must be given; it uses the same options. It takes one git call. Files that the snapshot left
// out do not count as changed, unless they are new.
func (r *Repo) Changed(ctx context.Context, tree string) (Change, error) {
	st := r.shared.kept()
	if st == nil || st.tree != tree {
		return Change{}, fmt.Errorf("compare the working tree with %q: not the latest snapshot", tree)
	}
	status, err := st.statusNow(ctx)
	if err != nil {
		return Change{}, fmt.Errorf("compare the working tree with its snapshot: %w", err)
	}
	var c Change
	for _, path := range status.untracked {
		if !st.stillLeftOut(path) {
			c.New = append(c.New, strings.TrimSuffix(path, "/"))
		}
	}
	c.Files = slices.Concat(status.removed, status.changed, c.New)
	for _, path := range status.edited {
		if !slices.Contains(st.dirty, path) { // else a warning has named it already
			c.Files = append(c.Files, path)
		}
	}
	slices.Sort(c.Files)
	c.Files = slices.Compact(c.Files)
	slices.Sort(c.New)
	if status.head != r.Head || status.branch != r.Branch {
		c.Head, c.Branch = status.head, status.branch
	}
	return c, nil
}

// statusNow returns the status of the working tree after the snapshot. Files that git was told not
// to look for and that were absent may exist by now.
func (st *stage) statusNow(ctx context.Context) (*worktreeStatus, error) {
	if err := st.unmark(ctx, nil, st.takeFound()); err != nil {
		return nil, err
	}
	return st.status(ctx)
}

// identity is the author and committer of commits made here, instead of the user.
const identity = "reviewledger <reviewledger@localhost> 0 +0000"

// CommitID returns the id of the commit that [Repo.MakeCommit] makes of a tree while head is
// checked out; head may be empty. It depends on nothing else.
func (r *Repo) CommitID(tree, head string) string {
	text := commitText(tree, head)
	object := fmt.Appendf(nil, "commit %d\x00%s", len(text), text)
	if r.objectFormat == "sha256" {
		return fmt.Sprintf("%x", sha256.Sum256(object))
	}
	return fmt.Sprintf("%x", sha1.Sum(object))
}

func commitText(tree, head string) string {
	text := "tree " + tree + "\n"
	if head != "" {
		text += "parent " + head + "\n"
	}
	return text + "author " + identity + "\ncommitter " + identity + "\n\nreviewledger snapshot\n"
}

// MakeCommit makes a commit of a tree and returns its id. Its only parent is HEAD, and no ref
// points to it.
func (r *Repo) MakeCommit(ctx context.Context, tree string) (string, error) {
	if !r.isObjectID(tree) {
		return "", fmt.Errorf("make a commit: %q is not a full object id", tree)
	}
	out, err := r.git.run(ctx, call{
		args: []string{"hash-object", "-t", "commit", "-w", "--stdin"}, stdin: commitText(tree, r.Head),
	})
	if err != nil {
		return "", fmt.Errorf("make a commit of %q: %w", tree, err)
	}
	return out.line(), nil
}
