package diff

import (
	"context"
	"strings"
	"testing"
)

func TestDropRefs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.commit()
	r := s.open()
	for _, ref := range []string{"run1/1", "run1/2", "run10/1", "run2/1", "run2/2"} {
		if _, err := r.Snapshot(ctx, SnapshotOptions{Ref: RefPrefix + ref}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.DropRefs(ctx, RefPrefix+"run1/", RefPrefix+"run2/1", RefPrefix+"run2/1", RefPrefix+"absent", RefPrefix+"absent/"); err != nil {
		t.Fatal(err)
	}
	want := "refs/heads/main\nrefs/reviewledger/run10/1\nrefs/reviewledger/run2/2"
	if got := s.git("for-each-ref", "--format=%(refname)"); got != want {
		t.Errorf("refs:\n%s\nwant:\n%s", got, want)
	}
	if err := r.DropRefs(ctx); err != nil {
		t.Errorf("DropRefs of nothing: %v", err)
	}
	for _, ref := range []string{"refs/heads/main", "HEAD", "", "refs/reviewledger", RefPrefix + "../heads/main", RefPrefix + "x y", RefPrefix + "x\ny", RefPrefix + "x.lock", RefPrefix + "-x..y", "refs/heads/"} {
		if err := r.DropRefs(ctx, ref); err == nil || !strings.Contains(err.Error(), "not a name under refs/reviewledger/") {
			t.Errorf("DropRefs(%q): %v", ref, err)
		}
		if ref == "" {
			continue
		}
		if _, err := r.Snapshot(ctx, SnapshotOptions{Ref: ref}); err == nil {
			t.Errorf("Snapshot with the ref %q worked", ref)
		}
	}
	if err := r.DropRefs(ctx, RefPrefix); err != nil {
		t.Fatal(err)
	}
	if got := s.git("for-each-ref", "--format=%(refname)"); got != "refs/heads/main" {
		t.Errorf("refs after dropping all:\n%s", got)
	}
}

// TestSnapshotSurvivesGC checks what the ref is for.
func TestSnapshotSurvivesGC(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.commit()
	r := s.open()
	s.write("kept", "1")
	kept, err := r.Snapshot(ctx, SnapshotOptions{Ref: RefPrefix + "kept"})
	if err != nil {
		t.Fatal(err)
	}
	s.write("lost", "1")
	lost := s.snapshot()
	s.git("gc", "-q", "--prune=now")
	for id, want := range map[string]bool{kept.Commit: true, lost.Commit: false} {
		if got, err := r.HasCommit(ctx, id); err != nil || got != want {
			t.Errorf("HasCommit = %t, %v, want %t", got, err, want)
		}
	}
}
