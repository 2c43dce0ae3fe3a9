package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
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
	path, err := withFakes()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	w := &scratchRepository{T: t, dir: filepath.Join(home, "repo"), program: program}
	w.env = append(os.Environ(), "PATH="+path, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+home, "FAKE_DIR="+filepath.Join(home, "fake"), "CI=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	for name, text := range files {
		w.write(filepath.Join("repo", name), text)
	}
	err = makeRepository(w.dir, "", func(args ...string) error {
		out, err := w.command("git", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %q: %w\n%s", args, err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// makeRepository commits the files of the folder on main and checks out the branch feature. The git
// folder is a copy of an empty one, and the branch is written, because each execution of git takes
// as long as an execution of the program on a server.
func makeRepository(dir, exclude string, git func(args ...string) error) error {
	empty, err := emptyGitFolder()
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, ".git")
	if err := os.CopyFS(folder, os.DirFS(empty)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "info", "exclude"), []byte(exclude), 0o644); err != nil {
		return err
	}
	if err := errors.Join(git("add", "--all"), git("commit", "--quiet", "--allow-empty", "--message=start")); err != nil {
		return err
	}
	branches := filepath.Join(folder, "refs", "heads")
	start, err := os.ReadFile(filepath.Join(branches, "main"))
	return errors.Join(err,
		os.WriteFile(filepath.Join(branches, "feature"), start, 0o644),
		os.WriteFile(filepath.Join(folder, "HEAD"), []byte("ref: refs/heads/feature\n"), 0o644))
}

// emptyGitFolder returns what git makes of an empty folder, without the examples of hooks.
var emptyGitFolder = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(prepared, "repository")
	cmd := exec.Command("git", "init", "--quiet", "--initial-branch=main", dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git init %q: %w\n%s", dir, err, out)
	}
	folder := filepath.Join(dir, ".git")
	hooks := filepath.Join(folder, "hooks")
	return folder, errors.Join(os.RemoveAll(hooks), os.Mkdir(hooks, 0o755), os.MkdirAll(filepath.Join(folder, "info"), 0o755))
})

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

// execute executes the program on a server. It returns its exit code and what it printed.
func (w *scratchRepository) execute(args ...string) (code int, out string) {
	w.Helper()
	o, err := executeProgram(execution{Args: args, Env: w.env, Dir: w.dir})
	if err != nil {
		w.Fatal(err)
	}
	return o.Code, string(o.Stdout) + string(o.Stderr)
}

// command is a process in the repository.
func (w *scratchRepository) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}
