package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/diff"
)

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
