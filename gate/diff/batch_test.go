package diff

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDiffAll compares with the diffs that are made one by one.
func TestDiffAll(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, "--object-format="+format)
			s.write("kept", "a\nb\nc\n")
			s.write("hidden", "text\x00more\n")
			first := s.commit()
			firstTree := s.git("rev-parse", "HEAD^{tree}")
			s.write("kept", "a\nB\nc\n"+first+"\n"+firstTree+" "+firstTree+"\n")
			s.write("hidden", "other\x00more\n")
			s.write("gauntlet_logs/x", "a log\n")
			s.commit()
			secondTree := s.git("rev-parse", "HEAD^{tree}")
			s.write("new", "\n\n"+first+"\n")
			s.commit()
			thirdTree := s.git("rev-parse", "HEAD^{tree}")
			r := s.open()
			exclude := []string{"gauntlet_logs"}
			from := []string{secondTree, firstTree, thirdTree, r.EmptyTree(), secondTree}
			for _, to := range []string{thirdTree, firstTree, r.EmptyTree()} {
				got, err := r.DiffAll(context.Background(), from, to, exclude)
				if err != nil {
					t.Fatal(err)
				}
				for n, tree := range from {
					want, err := r.Diff(context.Background(), tree, to, exclude)
					if err != nil {
						t.Fatal(err)
					}
					if difference := cmp.Diff(want, got[n]); difference != "" {
						t.Errorf("from %s to %s: -one by one +together\n%s", tree, to, difference)
					}
				}
			}
		})
	}
}

// TestDiffAllOfWhatIsGone says so instead of giving a shorter diff.
func TestDiffAllOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("file", "a\n")
	commit := s.commit()
	tree := s.git("rev-parse", "HEAD^{tree}")
	r := s.open()
	gone := fmt.Sprintf("%040d", 1)
	for name, pair := range map[string][2]string{
		"tree":                  {gone, tree},
		"blob":                  {s.git("rev-parse", "HEAD:file"), tree},
		"commit":                {commit, tree},
		"to a commit":           {tree, commit},
		"target":                {tree, gone},
		"abbreviated":           {tree[:8], tree},
		"something like a line": {tree + "\n", tree},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := r.DiffAll(context.Background(), []string{r.EmptyTree(), pair[0]}, pair[1], nil); err == nil {
				t.Error("no error")
			}
		})
	}
}
