package diff

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestResolveNamesakes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	first := s.commit()
	second := s.commit()
	third := s.commit()
	refs := s.command("update-ref", "--stdin")
	var updates strings.Builder
	for ref, commit := range map[string]string{
		"refs/heads/same": first, "refs/tags/same": first,
		"refs/heads/clash": first, "refs/tags/clash": second,
		"refs/remotes/origin/main": first, "refs/heads/origin/main": first,
		"refs/remotes/origin/clash": second, "refs/heads/origin/clash": first,
		"refs/remotes/fork/tagged": first, "refs/tags/fork/tagged": second,
		"refs/tags/only": second, "refs/odd": second, "refs/heads/odd": first,
		"refs/remotes/up/HEAD": first, "refs/tags/refs/heads/clash": third,
		"refs/heads/file": first, "refs/heads/HEAD": first,
		"refs/tags/part": second, "refs/heads/part/next": first,
	} {
		fmt.Fprintf(&updates, "update %s %s\n", ref, commit)
	}
	refs.Stdin = strings.NewReader(updates.String())
	if out, err := refs.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.git("tag", "-a", "-m", "annotated", "release", second)
	s.git("update-ref", "refs/heads/release", second)
	if err := os.WriteFile(s.path(".git/file"), []byte(third+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.git("update-ref", "refs/heads/"+third, first)
	r := s.open()
	if r.Head != third || r.Branch != "main" {
		t.Errorf("%q is checked out, at %s", r.Branch, r.Head)
	}
	for rev, want := range map[string]string{
		third: third, third + "~1": second,
		"same": first, "origin/main": first, "only": second, "up": first, "release": second, "release~1": first,
		"part": second, "part/next": first,
		"refs/heads/clash": first, "refs/tags/clash": second, "refs/tags/clash~1": first, "heads/same": first,
		"HEAD": third, "HEAD~1": second, "main^": second, "only^{commit}": second, "@": third, "@~2": first,
	} {
		if got, err := r.ResolveCommit(ctx, rev); err != nil || got != want {
			t.Errorf("ResolveCommit(%q) = %q, %v, want %q", rev, got, err, want)
		}
		if got, err := r.MergeBase(ctx, rev, "HEAD"); err != nil || got != want { // all are its ancestors
			t.Errorf("MergeBase(%q) = %q, %v, want %q", rev, got, err, want)
		}
	}
	for rev, want := range map[string][4]string{
		"clash":        {"refs/heads/clash", first, "refs/tags/clash", second},
		"clash~0":      {"refs/heads/clash", first, "refs/tags/clash", second},
		"origin/clash": {"refs/heads/origin/clash", first, "refs/remotes/origin/clash", second},
		"fork/tagged":  {"refs/remotes/fork/tagged", first, "refs/tags/fork/tagged", second},
		"odd":          {"refs/heads/odd", first, "refs/odd", second},
		"file":         {"refs/heads/file", first, "file as git reads it", third},
	} {
		words := fmt.Sprintf("revision %q is ambiguous: %s is at %.12s, and %s at %.12s;", rev, want[0], want[1], want[2], want[3])
		_, err := r.ResolveCommit(ctx, rev)
		_, errOfBase := r.MergeBase(ctx, rev, "HEAD")
		_, errOfParent := r.FirstParent(ctx, rev)
		for _, err := range []error{err, errOfBase, errOfParent} {
			if err == nil || !strings.HasPrefix(err.Error(), words) {
				t.Errorf("%q: %v, want %s", rev, err, words)
			}
		}
	}
}

// TestGraftsChangeNothing checks that grafted parents, or a replacement of a commit, do not move
// the merge base.
func TestGraftsChangeNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	fork := s.commit()
	s.git("checkout", "-q", "-b", "topic")
	s.write("a", "1")
	middle := s.commit()
	s.write("b", "1")
	head := s.commit()
	s.git("checkout", "-q", "main")
	s.write("c", "1")
	base := s.commit()
	s.write(".git/info/grafts", base+" "+middle+"\n")
	s.git("update-ref", "refs/replace/"+fork, middle)
	r := s.open()
	if got, err := r.MergeBase(ctx, base, head); err != nil || got != fork {
		t.Errorf("MergeBase = %q, %v, want %q", got, err, fork)
	}
	if got, err := r.FirstParent(ctx, head); err != nil || got != middle {
		t.Errorf("FirstParent = %q, %v, want %q", got, err, middle)
	}
	if d := s.diff(fork, head); len(d.Files) != 2 {
		t.Errorf("files of the diff: %q", d.Paths())
	}
	if got := s.git("-c", "advice.graftFileDeprecated=false", "--no-replace-objects", "merge-base", base, head); got == fork {
		t.Error("the graft moves nothing: the test proves nothing")
	}
}
