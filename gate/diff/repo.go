package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/reviewledger/reviewledger/gate/scratch"
)

// ErrNotRepository is wrapped by the error of [Open] when the folder is not in the working tree of
// a git repository. A bare repository does not have one.
var ErrNotRepository = errors.New("not in the working tree of a git repository")

// Repo is one working tree of a git repository. Its fields describe it at the time when it was
// opened. Several goroutines may use its methods.
type Repo struct {
	// Root is the top folder of the working tree.
	Root string
	// GitDir holds what belongs to this working tree alone, CommonDir what all working trees of the
	// repository share. They differ only in a linked working tree. All three paths are absolute.
	GitDir, CommonDir string
	// WorktreeName is git's own name for a linked working tree, which does not change when it is
	// moved. It is empty for the main working tree.
	WorktreeName string
	// Head is the id of the commit that is checked out, or empty before the first commit.
	Head string
	// Branch is the branch that is checked out, without refs/heads/. It is empty if HEAD is
	// detached.
	Branch string

	objectFormat string
	environ      []string // for git, without the variables that name this repository
	dir          string   // the folder in which it was opened
	given        []string // the environment as it was
	git          git
	apart        []string // more variables if snapshots are not in the repository, see WriteApart
	shared       *shared
}

// shared is the state that all calls of a Repo share.
type shared struct {
	mu     sync.Mutex
	folder *scratch.Folder // for temporary files; nil until one is needed
	stage  *stage          // of the latest snapshot
	reader bool            // whether the folder is ready for comparing trees, see Repo.reader
	forks  map[string]fork // where HEAD left a branch, by its name, as far as git was asked
}

func (s *shared) keep(st *stage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage = st
}

func (s *shared) kept() *stage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stage
}

// Open opens the repository in whose working tree dir is.
func Open(ctx context.Context, dir string) (*Repo, error) {
	return open(ctx, dir, os.Environ(), nil)
}

// OpenWithBase is [Open] for who then asks for the [Repo.Ancestor]: git finds it in the same call.
// base returns the name of the branch for a root.
func OpenWithBase(ctx context.Context, dir string, base func(root string) string) (*Repo, error) {
	return open(ctx, dir, os.Environ(), base)
}

func open(ctx context.Context, dir string, environ []string, base func(root string) string) (r *Repo, err error) {
	g, err := gitIn(dir, environ)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if r, err = locate(ctx, g, base); err == nil {
		r.given, r.dir = environ, g.dir
	}
	return r, err
}

// gitIn returns git for a folder. Links in the path are resolved, since git gives the common folder
// relative to the resolved path.
func gitIn(dir string, environ []string) (git, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return git{dir: dir, env: gitEnvironment(environ)}, err
}

// CommonDir returns the [Repo.CommonDir] of the repository in whose working tree dir is.
func CommonDir(ctx context.Context, dir string) (string, error) {
	r, err := Open(ctx, dir)
	if err != nil {
		return "", err
	}
	return r.CommonDir, nil
}

// Root returns the [Repo.Root] of the repository in whose working tree dir is.
func Root(ctx context.Context, dir string) (string, error) {
	r, err := Open(ctx, dir)
	if err != nil {
		return "", err
	}
	return r.Root, nil
}

// locate asks git where the repository is and what is checked out, and where that left the base.
func locate(ctx context.Context, g git, base func(root string) string) (*Repo, error) {
	lines, ref, forked, ok := g.locateWithFork(ctx, base)
	if !ok {
		out, err := g.run(ctx, call{
			args:   slices.Concat(whereArgs, whatArgs),
			config: []string{"core.warnAmbiguousRefs=false"}, // or git does not name the branch where a branch or tag is called HEAD
		})
		if err != nil {
			return nil, fmt.Errorf("open repository %q: %w", g.dir, g.ifOld(ctx, openError(err)))
		}
		lines = strings.Split(out.line(), "\n")
	}
	// Before the first commit, git prints nothing about HEAD.
	if len(lines) != 4 && len(lines) != 6 || lines[3] != "sha1" && lines[3] != "sha256" {
		err := errors.New("line breaks in its path, or its object format, are not supported")
		return nil, fmt.Errorf("open repository %q: %w", g.dir, g.ifOld(ctx, err))
	}
	r, err := g.located(ctx, lines)
	if err == nil && ok {
		r.shared.forks[ref] = forked
	}
	return r, err
}

// whereArgs ask for the location of a repository in four lines, and whatArgs for what is checked out
// in two.
var (
	whereArgs = []string{"rev-parse", "--revs-only", "--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-object-format"}
	whatArgs  = []string{"HEAD", "--symbolic-full-name", "HEAD"}
)

// locateWithFork asks for the location and a fork at once. ok is false if one of them has to be asked
// for alone: if there is no commit or no such branch, or several refs have a name.
func (g git) locateWithFork(ctx context.Context, base func(root string) string) (lines []string, ref string, f fork, ok bool) {
	root := g.dir
	for base != nil && filepath.Dir(root) != root {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	if base == nil || filepath.Dir(root) == root {
		return nil, "", f, false
	}
	if ref = base(root); !isPlainRevision(ref) {
		return nil, "", f, false
	}
	out, err := g.run(ctx, call{args: slices.Concat(whereArgs, forkArgs(ref, "HEAD"), whatArgs), config: []string{"core.warnAmbiguousRefs=true"}})
	all := strings.Split(out.line(), "\n")
	where, what := len(whereArgs)-2, len(whatArgs)-1
	if err != nil || strings.Contains(out.stderr, "is ambiguous") || len(all) < where+forkLines+what {
		return nil, "", f, false
	}
	fork := all[where : len(all)-what]
	if f, ok = readFork(fork); !ok || fork[1] != all[len(all)-what] || f.commit != "" && len(f.commit) != len(fork[1]) {
		return nil, "", f, false
	}
	return slices.Concat(all[:where], all[len(all)-what:]), ref, f, true
}

// located is the repository of which git printed these lines.
func (g git) located(ctx context.Context, lines []string) (r *Repo, err error) {
	r = &Repo{Root: filepath.FromSlash(lines[0]), GitDir: filepath.FromSlash(lines[1]),
		CommonDir: filepath.FromSlash(lines[2]), objectFormat: lines[3], shared: &shared{forks: map[string]fork{}}}
	if !filepath.IsAbs(r.CommonDir) {
		r.CommonDir = filepath.Join(g.dir, r.CommonDir)
	}
	if filepath.Dir(r.GitDir) == filepath.Join(r.CommonDir, "worktrees") {
		r.WorktreeName = filepath.Base(r.GitDir)
	}
	if !isBelow(g.dir, r.Root) {
		return nil, fmt.Errorf("open repository %q: git takes %q for the working tree of %q, because core.worktree in the configuration names it: remove the setting with `git config --unset core.worktree`, or work in that folder",
			g.dir, r.Root, r.GitDir)
	}
	if isInside(g.dir, r.GitDir) {
		// Git treats every folder with the right files as a git folder, even one that is
		// part of somebody else's working tree.
		return nil, fmt.Errorf("open repository %q: %w", g.dir, ErrNotRepository)
	}
	ref := ""
	if len(lines) == 6 {
		r.Head, ref = lines[4], lines[5]
	} else if ref, err = g.unbornRef(ctx); err != nil {
		return nil, fmt.Errorf("open repository %q: %w", g.dir, err)
	}
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		r.Branch = branch
	}
	// From here on git is told where everything is: core.worktree may separate the root from the
	// folder that git would find by itself.
	r.environ = g.env
	r.git = git{dir: r.Root, env: slices.Concat(g.env, []string{"GIT_DIR=" + r.GitDir, "GIT_WORK_TREE=" + r.Root}), config: fileNames(r.GitDir)}
	return r, nil
}

// unbornRef returns the ref that the first commit will create, or "" if HEAD is detached.
func (g git) unbornRef(ctx context.Context) (string, error) {
	out, err := g.run(ctx, call{args: []string{"symbolic-ref", "--quiet", "HEAD"}})
	if exitedWith1(err) {
		return "", nil
	}
	return out.line(), err
}

// fileNames returns a setting that makes git compare names of files as the file system does. The
// repository's own setting could hide a file whose name differs from another's only in case.
func fileNames(gitDir string) []string {
	for _, other := range []string{"head", "Head"} {
		if _, err := os.Lstat(filepath.Join(gitDir, other)); err == nil {
			return nil // ignores case, most likely: there is one setting for all folders
		}
	}
	return []string{"core.ignoreCase=false"}
}

// isBelow reports whether path is the folder or lies in it, whatever links lead there.
func isBelow(path, folder string) bool {
	top, err := os.Stat(folder)
	for err == nil {
		if info, failed := os.Stat(path); failed == nil && os.SameFile(info, top) {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
	return false
}

// Elsewhere returns a warning for each variable of the environment that names another repository or
// working tree than the one of the current folder, and has no effect.
//
// Rule: Nothing is left out without a word.
func (r *Repo) Elsewhere() (warnings []string) {
	for _, named := range []struct{ variable, own string }{{"GIT_DIR", r.GitDir}, {"GIT_WORK_TREE", r.Root}, {"GIT_COMMON_DIR", r.CommonDir}} {
		value := ""
		for _, set := range r.given {
			if after, ok := strings.CutPrefix(set, named.variable+"="); ok {
				value = after
			}
		}
		if value == "" || isSame(r.dir, value, named.own) {
			continue
		}
		warnings = append(warnings, fmt.Sprintf("%s names %q and is ignored: what is looked at is the working tree of the current folder, %q", named.variable, value, r.Root))
	}
	return warnings
}

// isSame reports whether a path, relative to the folder dir, is the other one.
func isSame(dir, path, other string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	a, err := os.Stat(path)
	b, failed := os.Stat(other)
	return err == nil && failed == nil && os.SameFile(a, b)
}

// isInside reports whether path is folder or lies in it.
func isInside(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// ifOld replaces err by another error if git is too old for the options that it was given.
func (g git) ifOld(ctx context.Context, err error) error {
	if errors.Is(err, ErrNotRepository) {
		return err
	}
	if version, failed := g.version(ctx); failed == nil && !IsSupported(version) {
		return fmt.Errorf("git %s is too old: install git 2.25 or newer", version)
	}
	return err
}

// openError returns [ErrNotRepository] for a folder outside of any working tree. It keeps git's own
// message in other cases, such as a repository of another user.
func openError(err error) error {
	var failed *gitError
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "not a git repository") ||
		strings.Contains(failed.Stderr, "must be run in a work tree") || strings.Contains(failed.Stderr, "cannot use bare repository")) {
		return ErrNotRepository
	}
	return err
}

// isObjectID reports whether id is a full object id of the repository.
func (r *Repo) isObjectID(id string) bool {
	return len(id) == len(r.EmptyTree()) && strings.Trim(id, "0123456789abcdef") == ""
}

// EmptyTree returns the id of the tree without files.
func (r *Repo) EmptyTree() string {
	if r.objectFormat == "sha256" {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// CommitPaths commits these paths of the working tree to the branch that is checked out, and
// nothing else that is staged. As in every call of git, no hooks run.
func (r *Repo) CommitPaths(ctx context.Context, paths []string, message string) error {
	if _, err := r.git.run(ctx, call{args: append([]string{"add", "--"}, paths...)}); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	commit := call{
		args:   append([]string{"commit", "--quiet", "--message=" + message, "--"}, paths...),
		config: []string{"core.logAllRefUpdates=true", "advice.graftFileDeprecated=false"}, // as in a commit that the user makes
	}
	for _, variable := range os.Environ() { // the user is the author, too
		if strings.HasPrefix(variable, "GIT_AUTHOR_") || strings.HasPrefix(variable, "GIT_COMMITTER_") {
			commit.env = append(commit.env, variable)
		}
	}
	if _, err := r.git.run(ctx, commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Gone reports whether nothing exists under a name relative to the root. A sparse checkout may have
// left it out.
func Gone(root, name string) bool {
	name = filepath.FromSlash(name)
	_, err := os.Lstat(filepath.Join(root, name))
	return filepath.IsLocal(name) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR))
}

// isRepoPath reports whether name is a path as git stores it: relative, with slashes, and without a
// part that is empty, "." or "..".
func isRepoPath(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// quoted returns the path in double quotes, as git parses it in its configuration and in lists of
// folders.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}
