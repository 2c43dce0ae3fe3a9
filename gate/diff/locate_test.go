package diff

import (
	"os"
	"path/filepath"
	"testing"
)

// CommonDir and Root return the same as Open.
func TestCommonDirAndRoot(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("src/deep/a", "1\n")
	s.commit()
	base := t.TempDir()
	linked, bare := filepath.Join(base, "linked"), filepath.Join(s.dir, "bare")
	s.git("worktree", "add", "--quiet", linked)
	s.git("init", "--quiet", "--bare", bare)
	link := filepath.Join(base, "link")
	if err := os.Symlink(filepath.Join(s.dir, "src"), link); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, dir := range []string{
		s.dir, filepath.Join(s.dir, "src"), filepath.Join(s.dir, "src/deep"), link,
		linked, bare, filepath.Join(s.dir, ".git"), filepath.Join(s.dir, ".git/refs"), base, filepath.Join(base, "nosuch"),
	} {
		common, err := CommonDir(t.Context(), dir)
		root, rootErr := Root(t.Context(), dir)
		repo, wantErr := Open(t.Context(), dir)
		if (err == nil) != (wantErr == nil) || (rootErr == nil) != (wantErr == nil) {
			t.Errorf("%s: %v, %v, but Open says %v", dir, err, rootErr, wantErr)
		} else if err == nil && (common != repo.CommonDir || root != repo.Root) {
			t.Errorf("%s: %q, %q, but Open says %+v", dir, common, root, repo)
		} else if err == nil {
			found++
		}
	}
	if found != 5 {
		t.Errorf("%d of the folders are in a working tree, not 5", found)
	}
}

func TestIsInside(t *testing.T) {
	t.Parallel()
	folder := filepath.FromSlash("/a/.git")
	for path, want := range map[string]bool{"/a/.git": true, "/a/.git/x": true, "/a/.gitx": false, "/a/.gitx/y": false, "/a": false, "/b/.git/x": false} {
		if got := isInside(filepath.FromSlash(path), folder); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
