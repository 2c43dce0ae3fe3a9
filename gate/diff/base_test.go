package diff

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestChooseBase(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, refs, branch, want string }{
		{"nothing", "", "", ""},
		{"only the branch", "refs/heads/topic \n", "topic", "topic"},
		{"local main", "refs/heads/main \nrefs/heads/topic \n", "topic", "main"},
		{"local master", "refs/heads/master \nrefs/heads/topic \n", "topic", "master"},
		{"remote before local", "refs/heads/main \nrefs/remotes/origin/master \n", "main", "origin/master"},
		{"the remote's own default", "refs/heads/main \nrefs/remotes/origin/HEAD refs/remotes/origin/next\nrefs/remotes/origin/main \n", "main", "origin/next"},
		{"another name for a branch of the remote", "refs/heads/main \nrefs/remotes/origin/latest refs/remotes/origin/next\n", "main", "main"},
		{"a name that only looks so", "refs/heads/main-2 \n", "main-2", "main-2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := chooseBase(test.refs, test.branch); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A default branch of the remote that is not among its refs is no base.
func TestFindBaseWithoutTheDefault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Create(t.Context(), dir, "topic"); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	refs := filepath.Join(r.GitDir, "refs", "remotes", "origin")
	if err := errors.Join(os.MkdirAll(refs, 0o755), os.WriteFile(filepath.Join(refs, "HEAD"), []byte("ref: refs/remotes/origin/next\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if base, err := r.FindBase(t.Context()); base != "main" || err != nil {
		t.Errorf("base %q, error %v", base, err)
	}
	if err := os.WriteFile(filepath.Join(refs, "next"), []byte(r.Head+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if base, err := r.FindBase(t.Context()); base != "origin/next" || err != nil {
		t.Errorf("base %q, error %v", base, err)
	}
}

func TestIsSupported(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"2.25.0": true, "2.39.5": true, "3.0": true, "2.24.9": false, "1.99": false, "odd": false, "2.47.1.windows.1": true,
	} {
		if got := IsSupported(version); got != want {
			t.Errorf("IsSupported(%q) = %v", version, got)
		}
	}
}

// Create works without an identity, whatever git's configuration.
func TestCreate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "a\n", ".gitignore": "/logs/\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Create(t.Context(), dir, "topic"); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Branch != "topic" || r.Head == "" {
		t.Errorf("branch %q, head %q", r.Branch, r.Head)
	}
	if base, err := r.FindBase(t.Context()); base != "main" || err != nil {
		t.Errorf("base %q, error %v", base, err)
	}
	branches, err := r.Branches(t.Context())
	if slices.Sort(branches); !slices.Equal(branches, []string{"main", "topic"}) || err != nil {
		t.Errorf("branches %q, error %v", branches, err)
	}
	files, err := r.Files(t.Context())
	if !slices.Equal(files, []string{".gitignore", "a.txt"}) || err != nil {
		t.Errorf("files %q, error %v", files, err)
	}
	for folder, want := range map[string]bool{"logs": true, "a": false} {
		if got, err := r.Ignores(t.Context(), folder); got != want || err != nil {
			t.Errorf("Ignores(%q) = %v, error %v", folder, got, err)
		}
	}
}
