package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Glance computes the tree that [Repo.Snapshot] would make, and leaves nothing in the repository:
// what git has to write goes into a temporary folder. It does not warn of folders in which another
// repository hides files.
func (r *Repo) Glance(ctx context.Context, opts SnapshotOptions) (Snapshot, error) {
	s, err := r.take(ctx, opts, (*stage).writeNothing)
	if err != nil {
		return Snapshot{}, fmt.Errorf("look at the working tree: %w", err)
	}
	return s, nil
}

// writeNothing keeps the objects that are staged out of the repository.
func (st *stage) writeNothing() error {
	apart, err := st.repo.objectsApart()
	st.infoOnly = true
	st.git.env = slices.Concat(st.git.env, apart)
	return err
}

// objectsApart returns variables with which git writes objects to a temporary folder, and finds those
// of the repository as well.
func (r *Repo) objectsApart() ([]string, error) {
	folder, err := r.temporary()
	if err != nil {
		return nil, err
	}
	objects := filepath.Join(folder, "objects")
	return []string{
		"GIT_OBJECT_DIRECTORY=" + objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + alternate(filepath.Join(r.CommonDir, "objects")),
	}, os.MkdirAll(objects, 0o700)
}

// WriteApart makes all later calls leave nothing in the repository: snapshots are in a temporary
// folder, which [Repo.Close] removes. So questions are answered in a read-only checkout, too.
func (r *Repo) WriteApart() (err error) {
	if r.apart, err = r.objectsApart(); err != nil {
		return fmt.Errorf("make a folder for snapshots: %w", err)
	}
	r.git.env = slices.Concat(r.git.env, r.apart)
	return nil
}

// ChangedSince returns the paths that differ between a commit or tree and the latest [Repo.Glance]
// or [Repo.Snapshot] of this Repo, without those in exclude, in git's order. A moved file is listed
// with both paths. known is false if git no longer has an object that it would have to compare.
func (r *Repo) ChangedSince(ctx context.Context, from string, now Snapshot, exclude []string) (paths []string, known bool, err error) {
	if from == now.Tree {
		return nil, true, nil
	}
	st := r.shared.kept()
	if !r.isObjectID(from) || st == nil || st.tree != now.Tree {
		return nil, false, fmt.Errorf("list what changed since %q: not a full object id, or %q is not the latest tree", from, now.Tree)
	}
	question := strings.Join(append([]string{from}, exclude...), "\x00")
	if known, asked := st.since(question); asked {
		return slices.Clone(known), true, nil
	}
	args := slices.Concat([]string{"diff-index", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", from, "--", topPathspec}, excludePathspecs(exclude))
	out, err := st.git.run(ctx, call{args: args, env: []string{"GIT_NO_LAZY_FETCH=1"}})
	if gitFailed(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	paths = out.list()
	st.keepSince(question, paths)
	return slices.Clone(paths), true, nil
}

// since returns what is known of a question of [Repo.ChangedSince], and keepSince keeps it: status
// has the same one for the run and for the base branch.
func (st *stage) since(question string) (paths []string, known bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	paths, known = st.changed[question]
	return paths, known
}

func (st *stage) keepSince(question string, paths []string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.changed == nil {
		st.changed = map[string][]string{}
	}
	st.changed[question] = paths
}

// alternate returns the path of an object folder, quoted as git needs it in a list of them.
func alternate(path string) string {
	if !strings.ContainsAny(path, "\"\n"+string(os.PathListSeparator)) {
		return path
	}
	return quoted(path)
}
