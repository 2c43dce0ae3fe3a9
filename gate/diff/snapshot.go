package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SnapshotOptions say what a snapshot leaves out and what keeps it.
type SnapshotOptions struct {
	// Exclude are files and folders, relative to the root, that stay in the
	// snapshot as they are in HEAD.
	Exclude []string
	// Ref, which starts with [RefPrefix], is made to point to the snapshot, so
	// that it lives until [Repo.DropRefs]. If it is empty, git may delete the
	// snapshot when it next collects garbage.
	Ref string
}

// Snapshot is a commit that holds the whole working tree.
type Snapshot struct {
	// Commit is the id of the commit, whose only parent is HEAD, and Tree that
	// of its tree. They are in no branch.
	Commit, Tree string
	// Warnings name what had to be left out, one sentence each.
	Warnings []string
}

// Snapshot records the working tree as it is now: tracked and untracked files,
// staged or not, conflicts with their markers, and files that are marked
// assume-unchanged or skip-worktree if they are there. Ignored files are left out.
// Left out with a warning are untracked files larger than [MaxUntracked],
// untracked files that cannot be read, and untracked repositories of their own.
// Of a submodule it holds the commit that is checked out, as git does; of what is not
// committed there a warning says that it is left out.
//
// The index, the working tree, the stash and a merge in progress stay as they
// are.
//
// Rule: A snapshot holds the whole working tree.
// Rule: The repository stays as it is.
func (r *Repo) Snapshot(ctx context.Context, opts SnapshotOptions) (Snapshot, error) {
	s, err := r.snapshot(ctx, opts)
	if err != nil {
		return Snapshot{}, fmt.Errorf("snapshot the working tree: %w", err)
	}
	return s, nil
}

func (r *Repo) snapshot(ctx context.Context, opts SnapshotOptions) (Snapshot, error) {
	if err := checkExclude(opts.Exclude); err != nil {
		return Snapshot{}, err
	}
	if opts.Ref != "" && !isOwnRef(opts.Ref) {
		return Snapshot{}, fmt.Errorf("cannot use the ref %q: not a name under %s", opts.Ref, RefPrefix)
	}
	st, err := r.newStage()
	if err != nil {
		return Snapshot{}, err
	}
	defer os.RemoveAll(st.dir)
	s, err := st.record(ctx, opts.Exclude)
	if err != nil {
		return Snapshot{}, err
	}
	if s.Commit, err = r.commitTree(ctx, s.Tree); err != nil || opts.Ref == "" {
		return s, err
	}
	_, err = r.git.run(ctx, call{args: []string{"update-ref", "--no-deref", opts.Ref, s.Commit}})
	return s, err
}

func (r *Repo) commitTree(ctx context.Context, tree string) (string, error) {
	args := []string{"commit-tree", "-m", "reviewledger snapshot"}
	if r.Head != "" {
		args = append(args, "-p", r.Head)
	}
	out, err := r.git.run(ctx, call{args: append(args, tree), env: []string{
		"GIT_AUTHOR_NAME=reviewledger", "GIT_AUTHOR_EMAIL=reviewledger@localhost",
		"GIT_COMMITTER_NAME=reviewledger", "GIT_COMMITTER_EMAIL=reviewledger@localhost",
	}})
	return out.line(), err
}

// stage is a copy of the index, in which a snapshot is put together.
type stage struct {
	repo *Repo
	dir  string
	git  git
}

// newStage copies the index. The caller removes the stage's folder, which is in
// the git folder since one for temporary files may lie in the working tree.
func (r *Repo) newStage() (*stage, error) {
	dir, err := os.MkdirTemp(r.GitDir, "reviewledger-index-")
	if err != nil {
		return nil, err
	}
	index := filepath.Join(dir, "index")
	if err := copyIndex(filepath.Join(r.GitDir, "index"), index); err != nil {
		return nil, errors.Join(fmt.Errorf("copy the index: %w", err), os.RemoveAll(dir))
	}
	env := slices.Concat(r.git.env, []string{"GIT_INDEX_FILE=" + index})
	return &stage{repo: r, dir: dir, git: git{dir: r.Root, env: env}}, nil
}

// copyIndex copies an index file. The copy gets the same time: git does not trust
// a file that is as young as the index to be unchanged, and with a younger index it
// would miss a change made right after the last git command. No index is the same as
// an empty one.
func copyIndex(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// record brings the stage up to the working tree and writes its tree.
func (st *stage) record(ctx context.Context, exclude []string) (Snapshot, error) {
	listed, err := st.list(ctx, exclude)
	if err != nil {
		return Snapshot{}, err
	}
	if err := st.unmark(ctx, listed); err != nil {
		return Snapshot{}, err
	}
	if listed.excludesTracked {
		// Also takes conflicts out of them, with which no tree can be written.
		args := slices.Concat([]string{"reset", "-q", "--"}, literalPathspecs(exclude))
		if _, err := st.git.run(ctx, call{args: args}); err != nil {
			return Snapshot{}, err
		}
	}
	warnings, err := st.addAll(ctx, slices.Concat(exclude, listed.leftOut))
	if err != nil {
		return Snapshot{}, err
	}
	dirty, err := st.dirtySubmodules(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	warnings = append(warnings, dirty...)
	out, err := st.git.run(ctx, call{args: []string{"write-tree"}})
	if err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{Tree: out.line(), Warnings: listed.warnings}
	for _, warning := range warnings {
		if !slices.Contains(s.Warnings, warning) {
			s.Warnings = append(s.Warnings, warning)
		}
	}
	return s, nil
}

// addAll stages all changes but those in exclude and returns git's warnings.
func (st *stage) addAll(ctx context.Context, exclude []string) ([]string, error) {
	args := []string{"add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"}
	if _, err := os.Stat(filepath.Join(st.repo.GitDir, "info", "sparse-checkout")); err == nil {
		args = append(args, "--sparse") // else untracked files outside its patterns are an error
	}
	pathspecs := append([]string{topPathspec}, excludePathspecs(exclude)...)
	out, err := st.git.run(ctx, call{args: args, stdin: strings.Join(pathspecs, "\x00")})
	return gitWarnings(out.stderr), err
}

// dirtySubmodules warns of submodules that hold changes of their own. All that is
// staged of a submodule is its commit, so that one which still differs is such.
func (st *stage) dirtySubmodules(ctx context.Context) ([]string, error) {
	if _, err := os.Lstat(filepath.Join(st.repo.Root, ".gitmodules")); err != nil {
		return nil, nil
	}
	out, err := st.git.run(ctx, call{args: []string{"diff-files", "--raw", "-z", "--ignore-submodules=none"}})
	if err != nil {
		return nil, err
	}
	var warnings []string
	about := ""
	for field := range strings.SplitSeq(string(out.stdout), "\x00") {
		// ":mode mode id id status", then the path.
		if strings.HasPrefix(about, ":160000 160000 ") {
			warnings = append(warnings, fmt.Sprintf("left out of the snapshot: what is not committed in the submodule %q", field))
			about = ""
			continue
		}
		about = field
	}
	return warnings, nil
}

// gitWarnings returns the warnings in what git wrote to stderr, such as
// "could not open directory".
func gitWarnings(stderr string) []string {
	var warnings []string
	for line := range strings.Lines(stderr) {
		if text, ok := strings.CutPrefix(line, "warning: "); ok {
			warnings = append(warnings, "git: "+strings.TrimSpace(text))
		}
	}
	return warnings
}

func literalPathspecs(paths []string) []string {
	specs := make([]string, len(paths))
	for i, path := range paths {
		specs[i] = ":(top,literal)" + path
	}
	return specs
}
