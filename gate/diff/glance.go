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
	// Tree is the id that the tree of [Repo.Snapshot] would have.
	Tree string
	// Unchanged reports whether the working tree equals the index.
	Unchanged bool
	// Warnings are the same as those of a [Snapshot].
	Warnings []string
}

// Glance computes the tree that a snapshot of the working tree would have. It leaves nothing in the
// repository: what git has to write goes into a temporary folder.
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
	if st.tree, err = st.writeTree(ctx, "--missing-ok"); err == nil {
		r.shared.keep(st)
	}
	w.Tree = st.tree
	return w, err
}

// ChangedSince returns the paths that differ between a commit or tree and the latest [Repo.Glance]
// or [Repo.Snapshot] of this Repo, without those in exclude, in git's order. A moved file is listed
// with both paths. known is false if git no longer has an object that it would have to compare.
func (r *Repo) ChangedSince(ctx context.Context, from string, now WorkingTree, exclude []string) (paths []string, known bool, err error) {
	if from == now.Tree {
		return nil, true, nil
	}
	st := r.shared.kept()
	if !r.isObjectID(from) || st == nil || st.tree != now.Tree {
		return nil, false, fmt.Errorf("list what changed since %q: not a full object id, or %q is not the latest tree", from, now.Tree)
	}
	args := slices.Concat([]string{"diff-index", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", from, "--", topPathspec}, excludePathspecs(exclude))
	out, err := st.git.run(ctx, call{args: args, env: []string{"GIT_NO_LAZY_FETCH=1"}})
	if gitFailed(err) {
		return nil, false, nil
	}
	return out.list(), err == nil, err
}

// alternate returns the path of an object folder, quoted as git needs it in a list of them.
func alternate(path string) string {
	if !strings.ContainsAny(path, "\"\n"+string(os.PathListSeparator)) {
		return path
	}
	return quoted(path)
}
