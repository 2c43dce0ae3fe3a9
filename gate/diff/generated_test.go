package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// oddParts are names that git quotes, sorts in another order than a file system, or may take for
// something else.
var oddParts = []string{
	"a", "a-b", "a.b", "a0", "A b", "-dash", "ümlaut", "tab\tname", "line\nbreak", `quote"d`, `back\slash`, "*", "[x]", ":colon", "HEAD", "!bang", "#hash",
	"160000", "a b/c", "\xff\xfe",
}

// generate makes a repository of random files in random folders, changes some of them in every way,
// and stages some of the changes. The same seed gives the same repository.
func (s *sandbox) generate(seed uint64) {
	s.t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	pick := func() string {
		parts := make([]string, 1+random.IntN(3))
		for n := range parts {
			parts[n] = oddParts[random.IntN(len(oddParts))]
		}
		return strings.Join(parts, "/")
	}
	write := func(name string) {
		if info, err := os.Lstat(s.path(name)); err == nil && info.IsDir() {
			return
		}
		for folder := filepath.Dir(s.path(name)); folder != s.dir; folder = filepath.Dir(folder) {
			if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
				return // a file is in the way
			}
		}
		s.write(name, fmt.Sprintf("%d\n", random.IntN(1000)))
	}
	s.write("in/file", "1\n")
	for range 40 {
		write(pick())
	}
	base := s.commit()
	s.git("branch", "base")
	s.git("tag", "-a", "-m", "annotated", "tagged", base)
	for range 5 {
		write(pick())
	}
	s.commit()
	files := strings.Split(s.git("ls-files", "-z"), "\x00")
	for n, name := range files {
		switch {
		case name == "":
		case n%7 == 0:
			s.remove(name)
		case n%7 == 1:
			s.write(name, "changed\n")
		case n%7 == 2:
			if err := os.Chmod(s.path(name), 0o755); err != nil {
				s.t.Fatal(err)
			}
		case n%7 == 3:
			s.remove(name)
			s.symlink("target", name)
		case n%7 == 4:
			s.remove(name)
			s.write(name+"/inside", "a folder in place of a file\n")
		case n%7 == 5:
			s.write(name, "staged\n")
			s.git("add", "--", ":(literal)"+name)
			s.write(name, "changed after that\n")
		}
	}
	for range 10 {
		write(pick())
	}
}

// treeByGit returns the tree that git makes of all files, with a separate index.
func (s *sandbox) treeByGit(gitDir string) string {
	s.t.Helper()
	index := filepath.Join(s.t.TempDir(), "index")
	if err := copyIndex(filepath.Join(gitDir, "index"), index); err != nil {
		s.t.Fatal(err)
	}
	run := func(args ...string) string {
		s.t.Helper()
		cmd := s.command(append([]string{"-c", "core.splitIndex=false", "-c", "index.sparse=false"}, args...)...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
		out, err := cmd.CombinedOutput()
		if err != nil {
			s.t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("add", "--all", "--sparse")
	return run("write-tree")
}

// However a repository is made, the package finds the same as git.
func TestGeneratedRepositories(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the names are not possible here")
	}
	for name, test := range map[string]struct {
		seed    uint64
		init    []string
		prepare func(*sandbox) *sandbox
	}{
		"sha1":      {seed: 1},
		"sha256":    {seed: 2, init: []string{"--object-format=sha256"}},
		"reftable":  {seed: 3, init: []string{"--ref-format=reftable"}},
		"version 4": {seed: 4, prepare: func(s *sandbox) *sandbox { s.git("update-index", "--index-version", "4"); return s }},
		"split":     {seed: 5, prepare: func(s *sandbox) *sandbox { s.git("update-index", "--split-index"); return s }},
		"packed":    {seed: 6, prepare: func(s *sandbox) *sandbox { s.git("gc", "-q"); return s }},
		"detached":  {seed: 7, prepare: func(s *sandbox) *sandbox { s.git("checkout", "-q", "--detach"); return s }},
		"linked": {seed: 8, prepare: func(s *sandbox) *sandbox {
			linked := s.in(filepath.Join(filepath.Dir(s.dir), "linked"))
			s.git("worktree", "add", "-q", "-b", "topic", linked.dir)
			linked.write("in/new", "1\n")
			linked.remove("in/file")
			return linked
		}},
		"sparse": {seed: 9, prepare: func(s *sandbox) *sandbox {
			s.git("stash", "-q", "--include-untracked")
			s.git("sparse-checkout", "set", "--cone", "in")
			s.write("in/new", "1\n")
			s.write("outside/new", "1\n")
			return s
		}},
		"sparse index": {seed: 10, prepare: func(s *sandbox) *sandbox {
			s.git("stash", "-q", "--include-untracked")
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
			s.write("in/new", "1\n")
			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := (&sandbox{t: t, dir: t.TempDir()}).command(append([]string{"init", "-q"}, test.init...)...).Run(); err != nil {
				t.Skipf("this git does not know %q", test.init)
			}
			s := newSandbox(t, test.init...)
			s.generate(test.seed)
			if test.prepare != nil {
				s = test.prepare(s)
			}
			s.compareWithGit()
		})
	}
}

// compareWithGit compares everything that the package finds out about a repository with the output
// of single commands.
func (s *sandbox) compareWithGit() {
	t := s.t
	t.Helper()
	r := s.open()
	branch, _ := s.command("symbolic-ref", "-q", "--short", "HEAD").Output()
	for what, pair := range map[string][2]string{
		"root":          {r.Root, s.git("rev-parse", "--show-toplevel")},
		"git folder":    {r.GitDir, s.git("rev-parse", "--absolute-git-dir")},
		"common folder": {r.CommonDir, s.git("rev-parse", "--path-format=absolute", "--git-common-dir")},
		"commit":        {r.Head, s.git("rev-parse", "HEAD")},
		"branch":        {r.Branch, strings.TrimSpace(string(branch))},
	} {
		if pair[0] != pair[1] {
			t.Errorf("the %s is %q, and git's %q", what, pair[0], pair[1])
		}
	}
	for _, rev := range []string{"base", "tagged", "HEAD~1", "base~0", r.Head} {
		a := r.Ancestor(t.Context(), rev)
		if want := s.git("merge-base", rev, "HEAD"); a.Err != nil || a.Commit != want || a.Tree != s.git("rev-parse", want+"^{tree}") {
			t.Errorf("the ancestor of %q is %+v, and git's %s", rev, a, want)
		}
	}
	want, before := s.treeByGit(r.GitDir), s.git("status", "--porcelain=v2", "-z")
	objects := s.git("count-objects", "-v")
	glance, err := r.Glance(t.Context(), SnapshotOptions{})
	if err != nil || glance.Tree != want {
		t.Errorf("a glance says %+v, %v, and git %s", glance, err, want)
	}
	if after := s.git("count-objects", "-v"); after != objects {
		t.Errorf("a glance wrote objects: %s, before it %s", after, objects)
	}
	snapshot, err := r.Snapshot(t.Context(), SnapshotOptions{})
	if err != nil || snapshot.Tree != want {
		t.Errorf("the snapshot is %+v, %v, and git's %s", snapshot, err, want)
	}
	if change, err := r.Changed(t.Context(), snapshot.Tree); err != nil || !change.Empty() {
		t.Errorf("changed since: %+v, %v", change, err)
	}
	if after := s.git("status", "--porcelain=v2", "-z"); after != before {
		t.Errorf("git status was %q, and is %q", before, after)
	}
	if missing := s.git("fsck", "--full", "--no-dangling", "--connectivity-only", snapshot.Tree); strings.Contains(missing, "missing") {
		t.Errorf("git fsck: %s", missing)
	}
	d, err := r.Diff(t.Context(), s.git("merge-base", "base", "HEAD"), snapshot.Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	names := strings.Split(strings.TrimSuffix(s.git("diff-tree", "-r", "-z", "--name-only", "-M", "-l1000", "base", snapshot.Tree), "\x00"), "\x00")
	for _, f := range d.Files {
		paths = append(paths, f.Path())
	}
	slices.Sort(names)
	slices.Sort(paths)
	if !slices.Equal(names, paths) {
		t.Errorf("files of the diff: %q, and git's %q", paths, names)
	}
}

// Git prunes old objects to which nothing refers, so a snapshot renews the age of those that it
// needs.
func TestSnapshotMakesTreesYoung(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a/b", "1\n")
	s.commit()
	s.write("a/b", "2\n")
	tree := s.snapshot().Tree
	folder := s.git("rev-parse", tree+":a")
	old := time.Now().Add(-100 * 24 * time.Hour)
	for _, id := range []string{tree, folder} {
		if err := os.Chtimes(s.path(".git/objects/"+id[:2]+"/"+id[2:]), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if again := s.snapshot().Tree; again != tree {
		t.Fatalf("the tree is %s, then %s", tree, again)
	}
	s.git("prune", "--expire=1.day.ago")
	if got := s.git("ls-tree", "-r", "--name-only", tree); got != "a/b" {
		t.Errorf("after git prune the tree holds %q", got)
	}
}
