package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WorkingTree identifies the content of the working tree.
type WorkingTree struct {
	// Tree is the id of the tree that [Repo.Snapshot] would make.
	Tree string
	// Unchanged reports whether the working tree equals the index.
	Unchanged bool
	// Warnings are those of a [Snapshot].
	Warnings []string

	git git // with the index that has the tree
}

// Glance finds out which tree a snapshot of the working tree would have, and leaves
// nothing in the repository: what git has to write goes into a temporary folder.
func (r *Repo) Glance(ctx context.Context, opts SnapshotOptions) (WorkingTree, error) {
	w, err := r.glance(ctx, opts)
	if err != nil {
		return WorkingTree{}, fmt.Errorf("look at the working tree: %w", err)
	}
	return w, nil
}

func (r *Repo) glance(ctx context.Context, opts SnapshotOptions) (w WorkingTree, err error) {
	r.shared.keep(nil) // its index is about to be replaced
	st, err := r.newStage(opts)
	if err != nil {
		return WorkingTree{}, err
	}
	objects := filepath.Join(filepath.Dir(st.index), "objects")
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return WorkingTree{}, err
	}
	st.infoOnly = true
	st.git.env = slices.Concat(st.git.env, []string{
		"GIT_OBJECT_DIRECTORY=" + objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + alternate(filepath.Join(r.CommonDir, "objects")),
	})
	if _, w.Warnings, w.Unchanged, err = st.bringUp(ctx); err != nil {
		return WorkingTree{}, err
	}
	w.git = st.git
	w.Tree, err = st.writeTree(ctx, "--missing-ok")
	return w, err
}

// ChangedSince returns the paths that differ between a commit or tree and the latest
// [Repo.Glance], but for those in exclude, in git's order: of a file that moved, both.
// known is false if git no longer has what it would have to compare.
func (r *Repo) ChangedSince(ctx context.Context, from string, now WorkingTree, exclude []string) (paths []string, known bool, err error) {
	if from == now.Tree {
		return nil, true, nil
	}
	if !r.isObjectID(from) {
		return nil, false, fmt.Errorf("list what changed since %q: not a full object id", from)
	}
	args := slices.Concat([]string{"diff-index", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", from, "--", topPathspec}, excludePathspecs(exclude))
	out, err := now.git.run(ctx, call{args: args, env: []string{"GIT_NO_LAZY_FETCH=1"}})
	if gitFailed(err) {
		return nil, false, nil
	}
	return out.list(), err == nil, err
}

// alternate is the path of an object folder as git reads it from a list of them.
func alternate(path string) string {
	if !strings.ContainsAny(path, "\"\n"+string(os.PathListSeparator)) {
		return path
	}
	return quoted(path)
}

// Same reports whether two commits or trees have the same files, but for those in exclude.
// If git no longer has one of them, the result is false.
func (r *Repo) Same(ctx context.Context, from, to string, exclude []string) (bool, error) {
	if from == to {
		return true, nil
	}
	if !r.isObjectID(from) || !r.isObjectID(to) {
		return false, fmt.Errorf("compare %q and %q: not full object ids", from, to)
	}
	args := slices.Concat([]string{"diff-tree", "-r", "--quiet", "--no-ext-diff", from, to, "--", topPathspec}, excludePathspecs(exclude))
	_, err := r.git.run(ctx, call{args: args, env: []string{"GIT_NO_LAZY_FETCH=1"}})
	if gitFailed(err) {
		return false, nil
	}
	return err == nil, err
}
