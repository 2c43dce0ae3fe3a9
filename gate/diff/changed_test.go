package diff

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChanged(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(s *sandbox)
		want   Change
	}{
		"nothing":     {func(*sandbox) {}, Change{}},
		"an edit":     {func(s *sandbox) { s.write("f", "9") }, Change{Files: []string{"f"}}},
		"edit undone": {func(s *sandbox) { s.write("edited", "1") }, Change{Files: []string{"edited"}}},
		"same size and time": {func(s *sandbox) {
			info, err := os.Stat(s.path("f"))
			if err != nil {
				s.t.Fatal(err)
			}
			s.write("f", "2")
			if err := os.Chtimes(s.path("f"), info.ModTime(), info.ModTime()); err != nil {
				s.t.Fatal(err)
			}
		}, Change{Files: []string{"f"}}},
		"mode": {func(s *sandbox) {
			if err := os.Chmod(s.path("f"), 0o755); err != nil {
				s.t.Fatal(err)
			}
		}, Change{Files: []string{"f"}}},
		"deleted":          {func(s *sandbox) { s.remove("f") }, Change{Files: []string{"f"}}},
		"new":              {func(s *sandbox) { s.write("ü\n[x]/new", "1"); s.write("b", "1") }, Change{Files: []string{"b", "ü\n[x]/new"}, New: []string{"b", "ü\n[x]/new"}}},
		"replaced":         {func(s *sandbox) { s.remove("f"); s.write("f/g", "1") }, Change{Files: []string{"f", "f/g"}, New: []string{"f/g"}}},
		"untracked before": {func(s *sandbox) { s.write("untracked", "2") }, Change{Files: []string{"untracked"}}},
		"hidden":           {func(s *sandbox) { s.write("assumed", "3"); s.write("skipped", "3") }, Change{Files: []string{"assumed", "skipped"}}},
		"a secret":         {func(s *sandbox) { s.write(".env.local", "1") }, Change{Files: []string{".env.local"}, New: []string{".env.local"}}},
		"left out before":  {func(s *sandbox) { s.write(".env", "2") }, Change{}},
		"ignored":          {func(s *sandbox) { s.write("ignored", "2") }, Change{}},
		"excluded":         {func(s *sandbox) { s.write("logs/tracked", "3"); s.write("logs/new", "3"); s.git("add", "-f", "logs") }, Change{}},
		"touched":          {func(s *sandbox) { s.write("f", "1") }, Change{}},
		"staged only":      {func(s *sandbox) { s.git("add", "edited", "untracked") }, Change{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			for _, file := range []string{"f", "edited", "assumed", "skipped", "logs/tracked"} {
				s.write(file, "1")
			}
			s.write(".gitignore", "ignored\n")
			s.commit()
			s.git("update-index", "--assume-unchanged", "assumed")
			s.git("update-index", "--skip-worktree", "skipped")
			for _, file := range []string{"edited", "assumed", "skipped", "logs/tracked"} {
				s.write(file, "2")
			}
			s.write("untracked", "1")
			s.write(".env", "1")
			got := s.changed(test.change)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Changed (-want +got):\n%s", diff)
			}
			if got.Empty() != test.want.Empty() {
				t.Errorf("Empty = %t", got.Empty())
			}
		})
	}
}

// changed takes a snapshot, makes a change, and says how it is seen.
func (s *sandbox) changed(change func(*sandbox)) Change {
	s.t.Helper()
	ctx := context.Background()
	r := s.open()
	snapshot, err := r.Snapshot(ctx, SnapshotOptions{Exclude: []string{"logs"}})
	if err != nil {
		s.t.Fatal(err)
	}
	if !isEmptyChange(s, r, snapshot.Tree) {
		s.t.Error("the working tree is called changed at once")
	}
	change(s)
	before := s.state()
	got, err := r.Changed(ctx, snapshot.Tree)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(before, s.state()); diff != "" {
		s.t.Errorf("Changed changed the repository (-before +after):\n%s", diff)
	}
	return got
}

func isEmptyChange(s *sandbox, r *Repo, tree string) bool {
	s.t.Helper()
	got, err := r.Changed(context.Background(), tree)
	if err != nil {
		s.t.Fatal(err)
	}
	return got.Empty()
}

func TestChangedHead(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(s *sandbox)
		want   func(s *sandbox) Change
	}{
		"another branch at the same commit": {
			func(s *sandbox) { s.git("checkout", "-q", "-b", "other") },
			func(s *sandbox) Change { return Change{Head: s.git("rev-parse", "HEAD"), Branch: "other"} },
		},
		"detached": {
			func(s *sandbox) { s.git("checkout", "-q", "--detach") },
			func(s *sandbox) Change { return Change{Head: s.git("rev-parse", "HEAD")} },
		},
		"committed": {
			func(s *sandbox) { s.commit() },
			func(s *sandbox) Change { return Change{Head: s.git("rev-parse", "HEAD"), Branch: "main"} },
		},
		"unborn": {
			func(s *sandbox) { s.git("symbolic-ref", "HEAD", "refs/heads/none") },
			func(*sandbox) Change { return Change{Branch: "none"} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("f", "1")
			s.commit()
			got := s.changed(test.change)
			if diff := cmp.Diff(test.want(s), got); diff != "" {
				t.Errorf("Changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangedSubmodule(t *testing.T) {
	t.Parallel()
	library := newSandbox(t)
	library.write("f", "1")
	library.commit()
	s := newSandbox(t)
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.dir, "lib")
	s.commit()
	lib := s.in(s.path("lib"))
	lib.write("f", "2")
	if got := s.changed(func(*sandbox) { lib.write("f", "3") }); !got.Empty() {
		t.Errorf("what is not committed in a submodule is in no snapshot, and no change: %+v", got)
	}
	got := s.changed(func(*sandbox) { lib.commit() })
	if diff := cmp.Diff(Change{Files: []string{"lib"}}, got); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
}

func TestChangedNeedsTheSnapshot(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.write("f", "1")
	r := s.open()
	first, err := r.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.write("f", "2")
	if _, err := r.Snapshot(ctx, SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Changed(ctx, first.Tree); err == nil {
		t.Errorf("Changed since an earlier snapshot: %+v", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Changed(ctx, first.Tree); err == nil {
		t.Errorf("Changed after Close: %+v", got)
	}
}
