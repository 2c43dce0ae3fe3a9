package diff

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestDiffOfGoneTree(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.write("f", "1")
	head := s.commit()
	r := s.open()
	s.write("f", "2")
	gone := s.snapshot()
	commit, err := r.MakeCommit(ctx, gone.Tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.CommitID(gone.Tree, head); got != commit || s.git("rev-parse", commit+"^{tree}") != gone.Tree || s.git("rev-parse", commit+"^@") != head {
		t.Errorf("CommitID = %s, MakeCommit made %s", got, commit)
	}
	if refs := s.git("for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("refs: %s", refs)
	}
	s.git("gc", "-q", "--prune=now")
	for id, want := range map[string]bool{head: true, r.EmptyTree(): true, gone.Tree: false, commit: false, "main": false} {
		if got, err := r.HasTree(ctx, id); err != nil || got != want {
			t.Errorf("HasTree(%s) = %t, %v, want %t", id, got, err, want)
		}
	}
	for _, id := range []string{gone.Tree, commit} {
		if _, err := r.Diff(ctx, id, head, nil); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), ErrGone.Error()+": "+id) {
			t.Errorf("Diff from a tree that is gone: %v", err)
		}
		if _, err := r.Diff(ctx, head, id, nil); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), ErrGone.Error()+": "+id) {
			t.Errorf("Diff to a tree that is gone: %v", err)
		}
	}
}
