package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	gitDir := s.path(".git")
	check := func(dir string, want Repo) {
		t.Helper()
		got, err := Open(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(Repo{})); diff != "" {
			t.Errorf("Open(%q) (-want +got):\n%s", dir, diff)
		}
	}
	check(s.dir, Repo{Root: s.dir, GitDir: gitDir, CommonDir: gitDir, Branch: "main"})

	s.write("sub/dir/HEAD", "a file that git must not take for the revision\n")
	head := s.commit()
	check(s.path("sub/dir"), Repo{Root: s.dir, GitDir: gitDir, CommonDir: gitDir, Head: head, Branch: "main"})

	link := filepath.Join(filepath.Dir(s.dir), "link")
	if err := os.Symlink(s.path("sub"), link); err != nil {
		t.Fatal(err)
	}
	check(link, Repo{Root: s.dir, GitDir: gitDir, CommonDir: gitDir, Head: head, Branch: "main"})

	linked := filepath.Join(filepath.Dir(s.dir), "linked worktree")
	s.git("worktree", "add", "-q", "-b", "topic/x", linked)
	check(linked, Repo{Root: linked, GitDir: filepath.Join(gitDir, "worktrees", "linked-worktree"), CommonDir: gitDir, WorktreeName: "linked-worktree", Head: head, Branch: "topic/x"})

	s.git("checkout", "-q", "--detach")
	check(s.dir, Repo{Root: s.dir, GitDir: gitDir, CommonDir: gitDir, Head: head})
}

func TestOpenOutsideWorkTree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	bare := filepath.Join(filepath.Dir(s.dir), "bare.git")
	s.git("init", "-q", "--bare", bare)
	for _, dir := range []string{bare, s.path(".git"), filepath.Dir(s.dir)} {
		if _, err := Open(context.Background(), dir); !errors.Is(err, ErrNotRepository) {
			t.Errorf("Open(%q): %v, want ErrNotRepository", dir, err)
		}
	}
	_, err := Open(context.Background(), filepath.Join(bare, "absent"))
	if err == nil || errors.Is(err, ErrNotRepository) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("Open of a folder that does not exist: %v", err)
	}
	if _, err := Open(context.Background(), newlineRepository(t)); err == nil || !strings.Contains(err.Error(), "line breaks") {
		t.Errorf("Open of a root with a line break: %v", err)
	}
}

func newlineRepository(t *testing.T) string {
	t.Helper()
	s := newSandbox(t)
	dir := filepath.Join(filepath.Dir(s.dir), "two\nlines")
	if err := os.Rename(s.dir, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpenKeepsGitsWords(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".git/config", "[core\n")
	_, err := Open(context.Background(), s.dir)
	var failed *gitError
	if !errors.As(err, &failed) || failed.ExitCode != 128 || !strings.Contains(err.Error(), "git rev-parse exited with code 128: fatal: bad config line 1") {
		t.Errorf("Open with a broken configuration: %v", err)
	}
	failed = &gitError{Args: []string{"log", "-1"}, ExitCode: -1, Signal: "killed"}
	if got := failed.Error(); got != `git log was ended by the signal "killed"` {
		t.Error(got)
	}
}

// A stray core.worktree makes git speak of another checkout than the one of the current folder.
func TestOpenStrayWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1\n")
	s.commit()
	linked := filepath.Join(filepath.Dir(s.dir), "linked")
	s.git("worktree", "add", "-q", "-b", "b", linked)
	s.git("config", "core.worktree", s.dir)
	s.git("config", "core.repositoryFormatVersion", "1")
	s.git("config", "extensions.worktreeConfig", "true")
	_, err := Open(t.Context(), linked)
	if err == nil || !strings.Contains(err.Error(), strconv.Quote(linked)) || !strings.Contains(err.Error(), strconv.Quote(s.dir)) {
		t.Errorf("the error does not name both folders: %v", err)
	}
	if _, err := Open(t.Context(), s.dir); err != nil {
		t.Error(err)
	}
}

// Variables that name another repository are ignored, and named. A hook of git names the own one.
//
// Rule: Nothing is left out without a word.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	s, other := newSandbox(t), newSandbox(t)
	for variable, named := range map[string]bool{
		"GIT_DIR=.git": false, "GIT_DIR=" + s.path(".git"): false, "GIT_DIR=": false, "GIT_WORK_TREE=" + s.dir: false, "GIT_INDEX_FILE=x": false,
		"GIT_DIR=" + other.path(".git"): true, "GIT_WORK_TREE=" + other.dir: true, "GIT_DIR=nosuch": true, "GIT_COMMON_DIR=" + other.path(".git"): true,
	} {
		r, err := open(t.Context(), s.dir, append(os.Environ(), variable), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Elsewhere(); (len(got) == 1) != named || len(got) > 1 || named && !strings.Contains(got[0], strconv.Quote(s.dir)) {
			t.Errorf("%q: %q", variable, got)
		}
	}
}

// What a sparse checkout leaves out is an error that says how to get it.
func TestNotCheckedOut(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("conf/sub/f", "1\n")
	s.write("src/f", "1\n")
	s.commit()
	if err := s.open().NotCheckedOut(t.Context(), "conf"); err != nil {
		t.Error(err)
	}
	s.git("sparse-checkout", "set", "--cone", "src")
	if err := s.open().NotCheckedOut(t.Context(), "conf"); err == nil || !strings.Contains(err.Error(), "git sparse-checkout add conf") {
		t.Error(err)
	}
	if err := s.open().NotCheckedOut(t.Context(), "src"); err != nil {
		t.Error(err)
	}
}

// A file that is called like a revision changes nothing.
func TestFilesCalledLikeRevisions(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1\n")
	first := s.commit()
	for _, name := range []string{"HEAD", "main", "@", first} {
		s.write(name, "x\n")
	}
	second := s.commit()
	r := s.open()
	if texts, err := r.FormerTexts(t.Context(), "f"); err != nil || len(texts) != 1 {
		t.Errorf("%q, %v", texts, err)
	}
	if base, err := r.MergeBase(t.Context(), "main", "HEAD"); err != nil || base != second {
		t.Errorf("%q, %v", base, err)
	}
	if subjects, err := r.Subjects(t.Context(), r.Head, 9, first); err != nil || len(subjects) != 1 {
		t.Errorf("%q, %v", subjects, err)
	}
	if root, err := r.RootCommit(t.Context()); err != nil || root != first {
		t.Errorf("%q, %v", root, err)
	}
	snapshot, err := r.Snapshot(t.Context(), SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := r.Diff(t.Context(), first, snapshot.Tree, nil); err != nil || len(d.Files) != 4 {
		t.Errorf("%v, %v", d, err)
	}
}

// TestOpenCoreWorktree has the working tree where git would not find it, because it does not
// contain the git folder.
func TestOpenCoreWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	root := filepath.Dir(s.dir)
	s.write("sub/f", "1\n")
	s.git("config", "core.worktree", root)
	r, err := Open(context.Background(), s.path("sub"))
	if err != nil || r.Root != root || r.GitDir != s.path(".git") {
		t.Fatalf("Open = %+v, %v", r, err)
	}
	snapshot, err := r.Snapshot(context.Background(), SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.git("ls-tree", "-r", "--name-only", "--full-tree", snapshot.Tree); got != "repo/sub/f" {
		t.Errorf("the snapshot holds %q, warnings %q", got, snapshot.Warnings)
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, s.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v, want context.Canceled", err)
	}
	r := s.open()
	if _, err := r.Snapshot(ctx, SnapshotOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Snapshot: %v, want context.Canceled", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(s.path(".git/reviewledger-*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

// OpenWithBase finds the same as Open, and where HEAD left the branch, as git would say it now.
func TestOpenWithBase(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(*sandbox)
		base    string
		asked   bool // in the same call
	}{
		"a branch":              {func(*sandbox) {}, "main", true},
		"that went on":          {func(s *sandbox) { s.git("checkout", "-q", "main"); s.commit(); s.git("checkout", "-q", "feature") }, "main", true},
		"a commit before":       {func(*sandbox) {}, "feature~1", true},
		"checked out as commit": {func(s *sandbox) { s.git("checkout", "-q", "--detach") }, "main", true},
		"another history":       {func(s *sandbox) { s.git("checkout", "-q", "--orphan", "new"); s.commit() }, "main", true},
		"no such branch":        {func(*sandbox) {}, "nosuch", false},
		"no commit yet":         {func(s *sandbox) { s.git("checkout", "-q", "--orphan", "new") }, "main", false},
		"two of the name":       {func(s *sandbox) { s.git("tag", "main", "feature") }, "main", false},
		"a branch HEAD":         {func(s *sandbox) { s.git("update-ref", "refs/heads/HEAD", "main") }, "main", false},
		"an option":             {func(*sandbox) {}, "--all", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("sub/f", "1")
			s.commit()
			s.git("checkout", "-q", "-b", "feature")
			s.write("sub/f", "2")
			s.commit()
			test.prepare(s)
			seen := ""
			r, err := OpenWithBase(t.Context(), s.path("sub"), func(root string) string { seen = root; return test.base })
			plain := s.in(s.path("sub")).open()
			if err != nil || seen != s.dir || r.Root != plain.Root || r.GitDir != plain.GitDir || r.CommonDir != plain.CommonDir || r.Head != plain.Head || r.Branch != plain.Branch {
				t.Fatalf("%+v, %v; asked for %q; plainly %+v", r, err, seen, plain)
			}
			if _, asked := r.shared.forks[test.base]; asked != test.asked {
				t.Errorf("asked for the branch: %t", asked)
			}
			want, got := plain.Ancestor(t.Context(), test.base), r.Ancestor(t.Context(), test.base)
			if got.Commit != want.Commit || got.Tree != want.Tree || fmt.Sprint(got.Err) != fmt.Sprint(want.Err) {
				t.Errorf("the ancestor is %+v, not %+v", got, want)
			}
		})
	}
}

// An answer about a branch is kept until the caller says that time has passed.
func TestLookAgain(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first := s.commit()
	s.git("branch", "base")
	second := s.commit()
	r := s.open()
	for _, want := range []string{first, first, second} {
		if got, err := r.MergeBase(t.Context(), "base", "HEAD"); err != nil || got != want {
			t.Errorf("%q, %v, not %q", got, err, want)
		}
		if s.git("rev-parse", "base") == second {
			r.LookAgain()
		}
		s.git("branch", "--force", "base", second)
	}
}
