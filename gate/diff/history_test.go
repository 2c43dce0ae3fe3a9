package diff

import (
	"os"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first, second := s.commit(), s.commit()
	s.git("checkout", "-q", "-b", "side", first)
	s.write("f", "1\n")
	side := s.commit()
	r := s.open()
	gone := strings.Repeat("0", 39) + "1"
	for pair, want := range map[[2]string]bool{{second, first}: true, {first, first}: true, {first, second}: false, {side, second}: false, {side, gone}: false} {
		if got, err := r.Descends(t.Context(), pair[0], pair[1]); got != want || err != nil {
			t.Errorf("%q: %t, %v", pair, got, err)
		}
	}
	if _, err := r.Descends(t.Context(), gone, first); err == nil {
		t.Error("a commit that does not exist")
	}
	commits, err := r.CommitsSince(t.Context(), first, second, side, gone)
	if err != nil || len(commits) != 2 {
		t.Fatalf("%v, %v", commits, err)
	}
	for _, c := range commits {
		if want := s.git("rev-parse", c.ID+"^{tree}"); c.Tree != want || c.ID != second && c.ID != side {
			t.Errorf("%v, want the tree %s", c, want)
		}
	}
	if commits, err := r.CommitsSince(t.Context(), first); len(commits) > 0 || err != nil {
		t.Errorf("%v, %v", commits, err)
	}
	if _, err := r.CommitsSince(t.Context(), first, "side"); err == nil {
		t.Error("the name of a branch is taken")
	}
}

func TestUnderway(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.commit()
	r := s.open()
	for _, state := range [][2]string{{"", ""}, {"BISECT_LOG", "a bisection"}, {"rebase-apply", "a rebase"}} {
		if state[0] != "" {
			if err := os.Mkdir(s.path(".git/"+state[0]), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.Underway(); got != state[1] {
			t.Errorf("%q: %q", state[0], got)
		}
	}
}
