package clients

import (
	"os"
	"path/filepath"
	"testing"
)

// Not parallel, because it sets the variables that locate scratch folders.
func TestScratchLiesOutsideOfTheRepository(t *testing.T) {
	top := t.TempDir()
	repo, inside, cache := filepath.Join(top, "repo"), filepath.Join(top, "repo", "tmp"), filepath.Join(top, "cache")
	link := filepath.Join(top, "link")
	for _, dir := range []string{inside, cache} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	for _, temporary := range []string{inside, link} {
		t.Setenv("TMPDIR", temporary)
		s, err := NewScratch(repo)
		if err != nil {
			t.Fatal(err)
		}
		if !within(s.Path, cache) {
			t.Errorf("with TMPDIR=%s a client starts in %s", temporary, s.Path)
		}
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(cache, "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	t.Setenv("HOME", inside)
	t.Setenv("XDG_CACHE_HOME", inside)
	if s, err := NewScratch(repo); err == nil {
		t.Errorf("a client starts in %s", s.Path)
	}
}
