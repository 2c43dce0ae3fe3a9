package diff

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// CommonDir says what Open says, whether or not git has to be asked.
func TestCommonDir(t *testing.T) {
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
	separate := filepath.Join(base, "separate")
	if err := os.Mkdir(separate, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(s.dir, ".git"), filepath.Join(separate, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, found := plainCommonDir(separate, isOwn); found {
		t.Error("of a folder .git that is a link, git is not asked")
	}
	outside := filepath.Join(base, "outside")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	plain := 0
	for _, dir := range []string{
		s.dir, filepath.Join(s.dir, "src"), filepath.Join(s.dir, "src/deep"), link,
		linked, bare, filepath.Join(s.dir, ".git"), filepath.Join(s.dir, ".git/refs"), outside, filepath.Join(base, "nosuch"),
	} {
		if _, found := plainCommonDir(dir, isOwn); found {
			plain++
		}
		got, err := CommonDir(t.Context(), dir)
		want, wantErr := "", error(nil)
		if repo, err := Open(t.Context(), dir); err == nil {
			want = repo.CommonDir
		} else {
			wantErr = err
		}
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %q, %v, but Open says %q, %v", dir, got, err, want, wantErr)
		}
	}
	for _, foreign := range []string{"repo", ".git"} {
		if _, found := plainCommonDir(s.dir, func(info fs.FileInfo) bool { return info.Name() != foreign }); found {
			t.Errorf("with %s of another user, git is not asked", foreign)
		}
	}
	if plain != 4 {
		t.Errorf("%d of the folders need no git, not 4", plain)
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
