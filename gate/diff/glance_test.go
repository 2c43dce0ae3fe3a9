package diff

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// objects lists the files of the repository's object store.
func (s *sandbox) objects() (files []string) {
	s.t.Helper()
	err := filepath.WalkDir(s.path(".git/objects"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return files
}

// change makes a working tree with every kind of difference.
func (s *sandbox) change() {
	for name, text := range map[string]string{
		"a-b": "1\n", "a/b": "2\n", "a/deep/er/file": "3\n", "a.txt": "4\n", "gone": "5\n", "gone-folder/x": "6\n", "program": "7\n", "logs/kept": "8\n",
	} {
		s.write(name, text)
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "first")
	s.write("a/b", "changed\n")
	s.write("new/untracked file", "new\n")
	s.write("intended", "text\n")
	s.write(".env", "SECRET=1\n")
	s.write("logs/kept", "another\n")
	s.git("add", "-N", "intended")
	s.remove("gone")
	s.remove("gone-folder")
	if err := os.Chmod(s.path("program"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink("a/b", s.path("link")); err != nil {
		s.t.Fatal(err)
	}
}

func TestGlanceFindsTheTreeOfTheSnapshot(t *testing.T) {
	t.Parallel()
	opts := SnapshotOptions{Exclude: []string{"logs"}}
	for name, test := range map[string]struct {
		init    []string
		prepare func(*sandbox)
	}{
		"unborn":    {nil, func(s *sandbox) { s.write("x/y", "1\n") }},
		"nothing":   {nil, func(*sandbox) {}},
		"unchanged": {nil, func(s *sandbox) { s.write("x/y", "1\n"); s.git("add", "-A"); s.git("commit", "-qm", "x") }},
		"changed":   {nil, (*sandbox).change},
		"sha256":    {[]string{"--object-format=sha256"}, (*sandbox).change},
		"version 4": {nil, func(s *sandbox) { s.change(); s.git("update-index", "--index-version", "4") }},
		"split":     {nil, func(s *sandbox) { s.change(); s.git("update-index", "--split-index") }},
		"marked":    {nil, func(s *sandbox) { s.change(); s.git("update-index", "--assume-unchanged", "a/b") }},
		"staged log": {nil, func(s *sandbox) {
			s.change()
			s.git("add", "logs")
		}},
		"conflict": {nil, func(s *sandbox) {
			s.write("f", "1\n")
			s.git("add", "-A")
			s.git("commit", "-qm", "one")
			s.git("checkout", "-qb", "other")
			s.write("f", "2\n")
			s.git("commit", "-qam", "two")
			s.git("checkout", "-q", "main")
			s.write("f", "3\n")
			s.git("commit", "-qam", "three")
			if err := s.command("merge", "-q", "other").Run(); err == nil {
				s.t.Fatal("there is no conflict")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, test.init...)
			test.prepare(s)
			before := s.objects()
			r, err := Open(t.Context(), s.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			w, err := r.Glance(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			apart, err := Open(t.Context(), s.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer apart.Close()
			if err := apart.WriteApart(); err != nil {
				t.Fatal(err)
			}
			besides, err := apart.Snapshot(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			there, err := apart.DiffUnrenamed(t.Context(), apart.EmptyTree(), besides.Tree, opts.Exclude)
			if err != nil {
				t.Fatal(err)
			}
			if after := s.objects(); !slices.Equal(before, after) {
				t.Errorf("objects were written: %q", after)
			}
			seen, known, err := r.ChangedSince(t.Context(), r.EmptyTree(), w, opts.Exclude)
			if err != nil || !known {
				t.Fatalf("changed since nothing: known %t, %v", known, err)
			}
			snapshot, err := r.Snapshot(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			if w.Tree != snapshot.Tree {
				t.Errorf("the tree is %s, that of the snapshot %s", w.Tree, snapshot.Tree)
			}
			whole, err := r.DiffUnrenamed(t.Context(), r.EmptyTree(), snapshot.Tree, opts.Exclude)
			if err != nil {
				t.Fatal(err)
			}
			if besides.Tree != snapshot.Tree || !slices.Equal(there.Paths(), whole.Paths()) {
				t.Errorf("written apart, the tree is %s with the files %q; %s with %q in the repository", besides.Tree, there.Paths(), snapshot.Tree, whole.Paths())
			}
			changed, known, err := r.ChangedSince(t.Context(), r.EmptyTree(), w, opts.Exclude)
			if err != nil || !known || !slices.Equal(changed, whole.Paths()) || !slices.Equal(seen, changed) {
				t.Errorf("changed since nothing: %q, before the snapshot %q, known %t, %v; the diff has %q", changed, seen, known, err, whole.Paths())
			}
			for from, now := range map[string]Snapshot{r.EmptyTree(): {Tree: "another"}, "main": w} {
				if changed, known, err := r.ChangedSince(t.Context(), from, now, nil); known || err == nil {
					t.Errorf("changed from %s to %s: %q", from, now.Tree, changed)
				}
			}
			if want := name == "unchanged" || name == "nothing"; w.Unchanged != want {
				t.Errorf("unchanged: %v", w.Unchanged)
			}
			if !slices.Equal(w.Warnings, snapshot.Warnings) {
				t.Errorf("warnings %q, and %q of the snapshot", w.Warnings, snapshot.Warnings)
			}
		})
	}
}

// The ancestor is the merge base with its tree, wherever it is and however refs are stored.
func TestAncestor(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "one")
	s.git("checkout", "-qb", "feature")
	s.write("f", "2\n")
	s.git("commit", "-qam", "two")
	s.git("tag", "-am", "x", "annotated", "main")
	s.git("update-ref", "refs/remotes/origin/main", "main")
	s.git("checkout", "-q", "--orphan", "alone")
	s.git("commit", "-qm", "alone")
	s.git("tag", "twice", "alone")
	s.git("branch", "twice", "main")
	s.git("checkout", "-q", "main")
	s.write("g", "1\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "three")
	s.git("checkout", "-q", "feature")
	linked := filepath.Join(filepath.Dir(s.dir), "linked")
	s.git("worktree", "add", "-q", "--detach", linked, "feature")
	s.write("sub/x", "1\n")
	one := s.git("rev-parse", "feature~1")
	for _, packed := range []bool{false, true} {
		if packed {
			s.git("pack-refs", "--all")
		}
		for _, test := range []struct {
			dir, rev, want string
		}{
			{s.dir, "main", one},
			{s.path("sub"), "origin/main", one},
			{linked, "main", one},
			{linked, "origin/main", one},
			{s.dir, "annotated", one},
			{s.dir, "feature", s.git("rev-parse", "feature")},
			{s.dir, "feature~1", one},
			{s.dir, one, one},
			{s.dir, "nowhere", ""},
			{s.dir, "alone", ""},
			{s.dir, "twice", ""},
		} {
			repo, err := Open(t.Context(), test.dir)
			if err != nil {
				t.Fatal(err)
			}
			a := repo.Ancestor(t.Context(), test.rev)
			if a.Commit != test.want || (a.Err == nil) != (test.want != "") {
				t.Errorf("%s in %s, packed %v: %+v, not %s", test.rev, test.dir, packed, a, test.want)
			}
			if a.Err == nil && a.Tree != s.git("rev-parse", a.Commit+"^{tree}") {
				t.Errorf("%s: the tree is %s", test.rev, a.Tree)
			}
		}
	}
	fresh := newSandbox(t).open()
	if a := fresh.Ancestor(t.Context(), "main"); a.Commit != fresh.EmptyTree() || a.Tree != fresh.EmptyTree() || a.Err != nil {
		t.Errorf("without a commit: %+v", a)
	}
}
