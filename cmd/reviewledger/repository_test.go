package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// scratchRepository is a repository in a home folder of its own, in which tests run the program.
type scratchRepository struct {
	*testing.T
	dir, program string
	env          []string
}

// newScratchRepository commits the files on main and checks out the branch feature.
func newScratchRepository(t *testing.T, files map[string]string) *scratchRepository {
	t.Helper()
	program, err := exec.LookPath("reviewledger") // this test binary, see TestMain
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	w := &scratchRepository{T: t, dir: filepath.Join(home, "repo"), program: program}
	w.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+home, "FAKE_DIR="+filepath.Join(home, "fake"), "CI=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	for name, text := range files {
		w.write(filepath.Join("repo", name), text)
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"}, {"add", "--all"},
		{"commit", "--quiet", "--message=start"}, {"checkout", "--quiet", "-b", "feature"},
	} {
		if out, err := w.command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return w
}

// write writes a file. The name is relative to the home folder.
func (w *scratchRepository) write(name, text string) {
	w.Helper()
	path := filepath.Join(filepath.Dir(w.dir), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w *scratchRepository) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}
