package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
			s.write("kept", "a\nB\nc\n"+first+"\n")
			s.write("hidden", "other\x00more\n")
			s.write("gauntlet_logs/x", "a log\n")
			s.commit()
			secondTree := s.git("rev-parse", "HEAD^{tree}")
			s.write("new", "\n\n"+first+"\n")
			s.commit()
			thirdTree := s.git("rev-parse", "HEAD^{tree}")
			r := s.open()
			pairs := []Pair{
				{From: first, To: thirdTree, Commit: true},
				{From: secondTree, To: secondTree},
				{From: firstTree, To: secondTree},
				{From: secondTree, To: thirdTree},
				{From: r.EmptyTree(), To: thirdTree},
				{From: first, To: firstTree, Commit: true},
				{From: first, To: r.EmptyTree(), Commit: true},
				{From: firstTree, To: thirdTree, Commit: true}, // a tree is none, and does no harm
				{From: secondTree, To: secondTree},
				{From: thirdTree, To: firstTree},
			}
			exclude := []string{"gauntlet_logs"}
			got, err := r.DiffAll(context.Background(), pairs, exclude)
			if err != nil {
				t.Fatal(err)
			}
			for n, pair := range pairs {
				want, err := r.Diff(context.Background(), pair.From, pair.To, exclude)
				if err != nil {
					t.Fatal(err)
				}
				if difference := cmp.Diff(want, got[n]); difference != "" {
					t.Errorf("pair %d: -one by one +together\n%s", n, difference)
				}
			}
		})
	}
}

// TestDiffAllInAFolderWithAnyName has separators and quotes in the folder's name, of
// which git makes lists.
func TestDiffAllInAFolderWithAnyName(t *testing.T) {
	t.Parallel()
	name := `a "b":c;d\e`
	if runtime.GOOS == "windows" {
		name = "c;d"
	}
	s := newSandbox(t)
	folder := filepath.Join(filepath.Dir(s.dir), name)
	if err := os.Rename(s.dir, folder); err != nil {
		t.Fatal(err)
	}
	s = s.in(folder)
	s.write("file", "a\n")
	commit := s.commit()
	s.write("file", "b\n")
	s.commit()
	r := s.open()
	diffs, err := r.DiffAll(context.Background(), []Pair{{From: commit, To: s.git("rev-parse", "HEAD^{tree}"), Commit: true}}, nil)
	if err != nil || len(diffs[0].Files) != 1 {
		t.Errorf("got %v, %v", diffs, err)
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
	for name, pair := range map[string]Pair{
		"tree":                  {From: gone, To: tree},
		"blob":                  {From: s.git("rev-parse", "HEAD:file"), To: tree},
		"commit":                {From: gone, To: tree, Commit: true},
		"commit called a tree":  {From: commit, To: tree},
		"tree after a commit":   {From: tree, To: commit},
		"target":                {From: tree, To: gone},
		"abbreviated":           {From: commit[:8], To: tree},
		"something like a line": {From: commit + "\n", To: tree},
	} {
		t.Run(name, func(t *testing.T) {
			sound := Pair{From: r.EmptyTree(), To: tree}
			if _, err := r.DiffAll(context.Background(), []Pair{sound, pair}, nil); err == nil {
				t.Error("no error")
			}
		})
	}
}
