//go:build unix

package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a snapshot stores is what git would have stored, and nothing in it is missing.
func TestSnapshotStoresTrees(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*sandbox){
		"all kinds of changes": (*sandbox).change,
		"a large folder": func(s *sandbox) {
			for n := range 2500 {
				s.write(fmt.Sprintf("large/a name that is not short %d", n), "1\n")
			}
			s.commit()
			s.write("large/a name that is not short 7", "2\n")
		},
		"staged and not committed": func(s *sandbox) {
			s.write("a/staged/x", "1\n")
			s.commit()
			s.write("a/staged/x", "2\n")
			s.write("b/also/y", "2\n")
			s.git("add", "-A")
			s.write("c", "3\n")
		},
		"staged where nothing is reviewed": func(s *sandbox) {
			s.write("logs/deep/x", "1\n")
			s.commit()
			s.write("logs/deep/x", "2\n")
			s.write("logs/other/y", "2\n")
			s.git("add", "-A")
		},
		"a folder in place of a file": func(s *sandbox) {
			s.write("a/b", "1\n")
			s.commit()
			s.remove("a/b")
			s.write("a/b/c/d", "2\n")
		},
		"a conflict": func(s *sandbox) {
			s.write("a/b", "1\n")
			s.commit()
			s.git("checkout", "-q", "-b", "other")
			s.write("a/b", "2\n")
			s.commit()
			s.git("checkout", "-q", "main")
			s.write("a/b", "3\n")
			s.commit()
			_ = s.command("merge", "-q", "other").Run() // it stops at the conflict
		},
		"skip-worktree": func(s *sandbox) {
			s.write("a/b", "1\n")
			s.commit()
			s.git("update-index", "--skip-worktree", "a/b")
			s.write("a/b", "2\n")
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.commit()
			change(s)
			r := s.open()
			if !r.plain {
				t.Fatal("the repository was not opened without git")
			}
			got := s.snapshot("logs").Tree
			if missing := s.git("fsck", "--full", "--no-dangling"); strings.Contains(missing, "missing") || strings.Contains(missing, "broken") {
				t.Errorf("git fsck: %s", missing)
			}
			s.git("config", "core.sharedRepository", "true") // then git stores it
			if s.open().plain {
				t.Fatal("a repository that is shared was opened without git")
			}
			if want := s.snapshot("logs").Tree; got != want {
				t.Errorf("the tree is %s, git's is %s", got, want)
			}
		})
	}
}

// Git prunes what nothing refers to when it is old: what a snapshot needs is young again.
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

// What a killed process left behind is not in the way.
func TestSnapshotBesideALeftover(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "1\n")
	s.commit()
	s.write("a", "2\n")
	tree := s.snapshot().Tree
	path := s.path(filepath.Join(".git/objects", tree[:2], tree[2:]))
	if err := os.Rename(path, filepath.Join(filepath.Dir(path), "tmp_obj_"+tree[2:])); err != nil {
		t.Fatal(err)
	}
	if again := s.snapshot().Tree; again != tree || s.git("cat-file", "-t", tree) != "tree" {
		t.Errorf("the tree is %s, then %s", tree, again)
	}
}
