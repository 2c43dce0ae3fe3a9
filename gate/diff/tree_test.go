package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only regular files have a content to look at, and what is excluded is not listed.
func TestTreeFiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a b", "1\n")
	s.write("run", "2\n")
	s.write("logs/x", "3\n")
	s.write("logs.txt", "4\n")
	s.symlink("a b", "link")
	first := s.commit()
	s.git("update-index", "--chmod=+x", "run")
	s.git("update-index", "--add", "--cacheinfo", "160000,"+first+",sub")
	tree, r := s.git("write-tree"), s.open()
	files, err := r.TreeFiles(t.Context(), tree, []string{"logs"})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := r.Contents(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range whole.Files {
		got[f.New] = string(f.Text)
	}
	if d := cmp.Diff(map[string]string{"a b": "1\n", "run": "2\n", "logs.txt": "4\n"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if files, err := r.TreeFiles(t.Context(), "main", nil); err == nil {
		t.Errorf("what is not a full id has the files %v", files)
	}
	if none, err := r.Contents(t.Context(), nil); err != nil || len(none.Files) > 0 {
		t.Errorf("no files: %v, %v", none, err)
	}
}
