package diff

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestResolveCommit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.write("f", "1\n")
	first := s.commit()
	s.write("f", "2\n")
	second := s.commit()
	s.git("tag", "-a", "-m", "tag", "v1", first)
	r := s.open()
	for rev, want := range map[string]string{"HEAD": second, "main": second, "HEAD~1": first, "v1": first, first[:10]: first, first: first} {
		if got, err := r.ResolveCommit(ctx, rev); err != nil || got != want {
			t.Errorf("ResolveCommit(%q) = %q, %v, want %q", rev, got, err, want)
		}
	}
	for _, rev := range []string{"", "origin/main", "--all", "-h", "--help", "^main", "main..HEAD", "HEAD:f", "HEAD^{tree}", "a\nb", "HEAD@{5}", strings.Repeat("0", 40)} {
		got, err := r.ResolveCommit(ctx, rev)
		if err == nil || err.Error() != unknownRevision(rev).Error() {
			t.Errorf("ResolveCommit(%q) = %q, %v, want %v", rev, got, err, unknownRevision(rev))
		}
	}
	s.git("update-ref", "refs/remotes/origin/base", first)
	const says = `revision "base" does not name a commit in this repository, but "origin/base" does: give that, or create the branch`
	if got, err := r.ResolveCommit(ctx, "base"); err == nil || err.Error() != says {
		t.Errorf("a branch that only the remote has: %q, %v", got, err)
	}
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	fork := s.commit()
	s.git("checkout", "-q", "-b", "topic")
	s.write("topic", "1\n")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("main", "1\n")
	s.commit()
	s.git("checkout", "-q", "--orphan", "alone")
	s.write("alone", "1\n")
	s.commit()
	r := s.open()
	if got, err := r.MergeBase(ctx, "main", "topic"); err != nil || got != fork {
		t.Errorf("MergeBase = %q, %v, want %q", got, err, fork)
	}
	_, err := r.MergeBase(ctx, "main", "alone")
	if err == nil || errors.Is(err, ErrCutOff) || !strings.HasPrefix(err.Error(), `no merge base of "main" and "alone"`) {
		t.Errorf("MergeBase of unrelated branches: %v", err)
	}
	for _, rev := range []string{"origin/main", "--fork-point", "", "main..topic"} {
		_, err := r.MergeBase(ctx, rev, "HEAD")
		if err == nil || err.Error() != unknownRevision(rev).Error() {
			t.Errorf("MergeBase(%q): %v", rev, err)
		}
	}
}

// Rule: The base moves forward with the branch.
func TestShallowClone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	origin := newSandbox(t)
	origin.commit()
	origin.git("branch", "base")
	for _, content := range []string{"1\n", "2\n", "3\n"} {
		origin.write("f", content)
		origin.commit()
	}
	origin.git("checkout", "-q", "base")
	origin.write("base", "1\n")
	origin.commit()

	clone := origin.in(filepath.Join(filepath.Dir(origin.dir), "clone"))
	origin.git("clone", "-q", "--depth=1", "--no-single-branch", "--branch=main", "file://"+origin.dir, clone.dir)
	r := clone.open()
	_, err := r.MergeBase(ctx, "origin/base", r.Head)
	if !errors.Is(err, ErrCutOff) {
		t.Fatalf("MergeBase in a shallow clone: %v", err)
	}
	for _, want := range []string{"origin/base", r.Head, "git fetch --unshallow"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
	_, err = r.FirstParent(ctx, "HEAD")
	parent := origin.git("rev-parse", "main~1")
	if !errors.Is(err, ErrCutOff) || !strings.HasPrefix(err.Error(), "the parent "+parent+" of commit HEAD") {
		t.Errorf("FirstParent in a shallow clone: %v", err)
	}

	clone.git("fetch", "-q", "--unshallow")
	if got, err := r.MergeBase(ctx, "origin/base", r.Head); err != nil || got != origin.git("rev-parse", "main~3") {
		t.Errorf("MergeBase after fetch --unshallow = %q, %v", got, err)
	}
	if got, err := r.FirstParent(ctx, "HEAD"); err != nil || got != parent {
		t.Errorf("FirstParent after fetch --unshallow = %q, %v", got, err)
	}
}

func TestFirstParent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, format := range []string{"sha1", "sha256"} {
		s := newSandbox(t, "--object-format="+format)
		s.write("f", "parent 1\n")
		root := s.commit()
		s.git("checkout", "-q", "-b", "topic")
		s.write("g", "1\n")
		s.commit()
		s.git("checkout", "-q", "main")
		s.write("f", "2\n")
		second := s.commit()
		s.git("merge", "-q", "--no-edit", "topic")
		r := s.open()
		if r.EmptyTree() != s.git("hash-object", "-t", "tree", "/dev/null") {
			t.Errorf("%s: EmptyTree() = %q", format, r.EmptyTree())
		}
		for rev, want := range map[string]string{"HEAD": second, second: root, root: r.EmptyTree(), "topic": root} {
			if got, err := r.FirstParent(ctx, rev); err != nil || got != want {
				t.Errorf("%s: FirstParent(%q) = %q, %v, want %q", format, rev, got, err, want)
			}
		}
		if d := s.diff(r.EmptyTree(), root); len(d.Files) != 1 || d.Files[0].Kind != Added || d.Files[0].New != "f" {
			t.Errorf("%s: diff of the root commit: %+v", format, d.Files)
		}
		_, err := r.FirstParent(ctx, "absent")
		if err == nil || err.Error() != unknownRevision("absent").Error() {
			t.Errorf("%s: FirstParent of an unknown revision: %v", format, err)
		}
		if got := s.snapshot(); got.Tree != s.git("rev-parse", "HEAD^{tree}") {
			t.Errorf("%s: the snapshot of a clean tree has another tree", format)
		}
	}
}

func TestHasCommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1\n")
	id := s.commit()
	r := s.open()
	for sha, want := range map[string]bool{
		id: true, id[:20]: false, "HEAD": false, "": false, strings.Repeat("1", 40): false,
		s.git("rev-parse", "HEAD^{tree}"): false, "--" + id[2:]: false, id + "\n": false,
	} {
		if got, err := r.HasCommit(context.Background(), sha); err != nil || got != want {
			t.Errorf("HasCommit(%q) = %t, %v, want %t", sha, got, err, want)
		}
	}
}
