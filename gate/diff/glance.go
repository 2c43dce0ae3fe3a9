package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ancestor is where the change of a working tree begins: the merge base of a base
// branch and HEAD.
type Ancestor struct {
	// Commit is its full id, or the empty tree while there is no commit.
	Commit string
	// Tree is the tree of Commit, or empty where finding it takes a git call of its own.
	Tree string
	// Err says why there is none; the errors are those of [Repo.MergeBase].
	Err error
}

// OpenWithBase is [Open], and finds the merge base of HEAD and the revision that baseOf
// returns for the root of the working tree. In an ordinary repository both take one git
// call together.
func OpenWithBase(ctx context.Context, dir string, baseOf func(root string) (string, error)) (*Repo, Ancestor, error) {
	root, common, found := plainRoot(dir)
	if found {
		rev, err := baseOf(root)
		if plain, ok := plainRevision(common, rev); err == nil && ok {
			if repo, ancestor, ok := openWithAncestor(ctx, dir, plain); ok && repo.Root == root {
				if ancestor.Commit == "" {
					ancestor.Err = &NoMergeBaseError{Base: rev, Head: "HEAD", Shallow: repo.isShallow()}
				}
				return repo, ancestor, nil
			}
		}
	}
	repo, err := Open(ctx, dir)
	if err != nil {
		return nil, Ancestor{}, err
	}
	rev, err := baseOf(repo.Root)
	if err != nil {
		return nil, Ancestor{}, err
	}
	if repo.Head == "" {
		return repo, Ancestor{Commit: repo.EmptyTree(), Tree: repo.EmptyTree()}, nil
	}
	commit, err := repo.MergeBase(ctx, rev, "HEAD")
	return repo, Ancestor{Commit: commit, Err: err}, nil
}

// openWithAncestor is Open with what git says of the revision in the same call. It
// reports false if anything is not as expected, and then Open says why.
func openWithAncestor(ctx context.Context, dir, rev string) (*Repo, Ancestor, bool) {
	more := []string{"HEAD^{tree}", rev + "^{tree}", rev + "...HEAD"}
	repo, lines, err := openAsking(ctx, dir, os.Environ(), more)
	if err != nil || len(lines) < 4 {
		return nil, Ancestor{}, false
	}
	// The two trees, the two commits, and the merge bases, each after a "^".
	headTree, baseTree := lines[0], lines[1]
	head, base := lines[2], lines[3]
	if head != repo.Head {
		head, base = base, head
	}
	for _, id := range []string{headTree, baseTree, head, base} {
		if !repo.isObjectID(id) {
			return nil, Ancestor{}, false
		}
	}
	if len(lines) == 4 {
		return repo, Ancestor{}, true
	}
	a := Ancestor{Commit: strings.TrimPrefix(lines[4], "^")}
	switch a.Commit {
	case repo.Head:
		a.Tree = headTree
	case base:
		a.Tree = baseTree
	}
	return repo, a, repo.isObjectID(a.Commit)
}

// plainRoot finds the folder that holds dir and has an entry .git, and git's common
// folder of it. It reports false where only git knows.
func plainRoot(dir string) (root, common string, found bool) {
	if root, err := filepath.Abs(dir); err == nil {
		if common, ok := plainCommonDir(root, isOwn); ok {
			return filepath.Dir(common), common, true
		}
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, ".git"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		gitDir, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\n"), "gitdir: ")
		if err != nil || !ok {
			return "", "", false
		}
		// A linked working tree names the common folder; a submodule has none.
		text, err = os.ReadFile(filepath.Join(gitDir, "commondir"))
		if err != nil || !filepath.IsAbs(gitDir) {
			return "", "", false
		}
		common := strings.TrimSpace(string(text))
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
		return dir, common, true
	}
	return "", "", false
}

// plainRevision is what git is to be asked for to get the commit that
// [Repo.ResolveCommit] finds for rev. It reports false where that takes more than to
// know which refs there are.
func plainRevision(common, rev string) (plain string, ok bool) {
	if !isRevision(rev) || strings.Contains(rev, "..") || strings.HasPrefix(rev, "^") {
		return "", false
	}
	name, suffix := cutRevision(rev)
	if !isRefName(name) || strings.HasPrefix(name, "refs/") || strings.ContainsAny(suffix, ":@{") {
		return "", false
	}
	if _, err := os.Lstat(filepath.Join(common, "reftable")); err == nil {
		return "", false
	}
	// Git would take a file in its folder for a ref.
	if _, err := os.Lstat(filepath.Join(common, filepath.FromSlash(name))); err == nil {
		return "", false
	}
	packed, err := os.ReadFile(filepath.Join(common, "packed-refs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", false
	}
	var found []string
	for _, ref := range namesakesOf(name) {
		info, err := os.Lstat(filepath.Join(common, filepath.FromSlash(ref)))
		if err == nil && info.Mode().IsRegular() || strings.Contains(string(packed), " "+ref+"\n") {
			found = append(found, ref)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0] + suffix, true
}

// WorkingTree is what is in the working tree.
type WorkingTree struct {
	// Tree is the id of the tree that [Repo.Snapshot] would make.
	Tree string
	// Unchanged reports whether it is what the index has.
	Unchanged bool
	// Warnings are those of a [Snapshot].
	Warnings []string
}

// Glance finds out which tree a snapshot of the working tree would have, and leaves
// nothing in the repository: what git has to write goes into a temporary folder. It
// takes one git call, and another one if something differs from the index.
func (r *Repo) Glance(ctx context.Context, opts SnapshotOptions) (WorkingTree, error) {
	w, err := r.glance(ctx, opts)
	if err != nil {
		return WorkingTree{}, fmt.Errorf("look at the working tree: %w", r.git.ifOld(ctx, err))
	}
	return w, nil
}

func (r *Repo) glance(ctx context.Context, opts SnapshotOptions) (WorkingTree, error) {
	if err := checkExclude(opts.Exclude); err != nil {
		return WorkingTree{}, err
	}
	r.shared.keep(nil) // its index is about to be replaced
	st, err := r.newStage(opts)
	if err != nil {
		return WorkingTree{}, err
	}
	objects := filepath.Join(filepath.Dir(st.index), "objects")
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return WorkingTree{}, err
	}
	st.git.env = slices.Concat(st.git.env, []string{
		"GIT_OBJECT_DIRECTORY=" + objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + alternate(filepath.Join(r.CommonDir, "objects")),
	})
	st.git.config = slices.Concat(st.git.config, []string{"core.looseCompression=0"})
	facts, err := st.readIndex(ctx, st.exclude)
	if err != nil {
		return WorkingTree{}, err
	}
	w := WorkingTree{}
	if w.Warnings, w.Unchanged, err = st.bringUp(ctx, facts); err != nil {
		return WorkingTree{}, err
	}
	w.Tree, err = st.treeOfIndex(ctx)
	return w, err
}

// alternate is the path of an object folder as git reads it from a list of them.
func alternate(path string) string {
	if !strings.ContainsAny(path, "\"\n"+string(os.PathListSeparator)) {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// treeOfIndex is the id of the tree that git makes of the stage's index.
func (st *stage) treeOfIndex(ctx context.Context) (string, error) {
	data, err := os.ReadFile(st.index)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if len(data) == 0 {
		return st.repo.EmptyTree(), nil
	}
	if tree, ok := st.repo.indexTree(data, func(madeTree) {}); ok {
		return tree, nil
	}
	out, err := st.git.run(ctx, call{args: []string{"write-tree"}})
	return out.line(), err
}

// IsTreeOf reports whether the tree is that of the commit.
func (r *Repo) IsTreeOf(ctx context.Context, tree, commit string) (bool, error) {
	if !r.mayHave(tree) {
		return false, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"rev-parse", "--verify", "--quiet", commit + "^{tree}"}})
	if err != nil {
		return false, fmt.Errorf("find the tree of %q: %w", commit, err)
	}
	return out.line() == tree, nil
}

// Same reports whether two commits or trees have the same files, but for those in
// exclude. Where one of them is gone they have not.
func (r *Repo) Same(ctx context.Context, from, to string, exclude []string) (bool, error) {
	if from == to {
		return true, nil
	}
	if !r.isObjectID(from) || !r.isObjectID(to) {
		return false, fmt.Errorf("compare %q and %q: not full object ids", from, to)
	}
	args := slices.Concat([]string{"diff-tree", "-r", "--quiet", "--no-ext-diff", from, to, "--", topPathspec}, excludePathspecs(exclude))
	_, err := r.git.run(ctx, call{args: args, env: []string{"GIT_NO_LAZY_FETCH=1"}})
	if _, failed := exitCode(err); failed {
		return false, nil
	}
	return err == nil, err
}
