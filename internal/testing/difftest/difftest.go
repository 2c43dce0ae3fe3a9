// Package difftest makes git repositories, for tests.
package difftest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// Repository is a git repository in a folder of a test.
type Repository struct {
	Dir string
	t   testing.TB
}

// New makes a repository without a commit.
func New(t testing.TB) Repository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := Repository{dir, t}
	r.Git("init", "-q", "-b", "main")
	return r
}

// Git runs git without the machine's configuration, and returns what it printed.
func (r Repository) Git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir, cmd.Env = r.Dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Write writes a file, in folders that it makes.
func (r Repository) Write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// Commit commits everything, and returns the commit's id.
func (r Repository) Commit() string {
	r.t.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", "m")
	return r.Git("rev-parse", "HEAD")
}

// Open opens the repository until the end of the test.
func (r Repository) Open() *diff.Repo {
	r.t.Helper()
	repo, err := diff.Open(r.t.Context(), r.Dir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = repo.Close() })
	return repo
}
