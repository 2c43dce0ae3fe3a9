package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
)

// repository makes a repository with one commit, and returns a function that runs git in it.
func repository(t *testing.T) (dir string, git func(args ...string)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git = func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "-q", "-b", "main")
	write(t, dir, "f", "1\n")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	return dir, git
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A commit of what was reviewed does not count as a change. A further edit does, and so does
// checking out another commit.
//
// Rule: A run passes only over code that its gates have seen.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		detached bool
		change   func(dir string, git func(...string))
		want     string // files, branch, and whether another commit is named
	}{
		"nothing":  {false, func(string, func(...string)) {}, " false"},
		"a commit": {false, func(_ string, git func(...string)) { git("commit", "-q", "-a", "-m", "second") }, " false"},
		"an edit":  {false, func(dir string, _ func(...string)) { write(t, dir, "f", "3\n") }, "f  false"},
		"a commit, and an edit": {false, func(dir string, git func(...string)) {
			git("commit", "-q", "-a", "-m", "second")
			write(t, dir, "f", "3\n")
		}, "f main true"},
		"an edit in a commit": {false, func(dir string, git func(...string)) {
			write(t, dir, "f", "3\n")
			git("commit", "-q", "-a", "-m", "second")
		}, "f main true"},
		"another branch":           {false, func(_ string, git func(...string)) { git("checkout", "-q", "-b", "other") }, " other true"},
		"a commit, while detached": {true, func(_ string, git func(...string)) { git("commit", "-q", "-a", "-m", "second") }, "  true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, git := repository(t)
			if test.detached {
				git("checkout", "-q", "--detach")
			}
			write(t, dir, "f", "2\n")
			repo, err := diff.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			w := &Worktree{Repo: repo, Config: &config.Config{LogDir: "logs"}}
			snapshot, err := w.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			test.change(dir, git)
			change, err := w.Changed(t.Context(), snapshot)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(change.Files, ",") + " " + change.Branch
			if change.Head != "" {
				got += " true"
			} else {
				got += " false"
			}
			want := test.want
			if want == " false" {
				want = "  false"
			}
			if got != want || change.Empty() != (want == "  false") {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A file that a tool would replace must not be tracked by git.
func TestSnapshotOfAToolsFile(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "out/report/a.sarif", "{}")
	git("add", ".")
	git("commit", "-q", "-m", "second")
	for file, refused := range map[string]bool{"out/report/a.sarif": true, "out/report": true, "out/rep": false, "out/b.sarif": false, "": false} {
		repo, err := diff.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		var lint config.Adapter
		lint.File = file
		w := &Worktree{Repo: repo, Config: &config.Config{LogDir: "logs", Adapters: map[string]config.Adapter{"lint": lint, "other": {}}}}
		if _, err := w.Snapshot(t.Context()); (err != nil) != refused || refused && !strings.Contains(err.Error(), `which cli.adapters.lint.file names`) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// A file is missing if nothing exists under its name, unless no file can have the name or a sparse
// checkout leaves the file out.
func TestMissing(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "folder/f", "")
	write(t, dir, "sparse/f", "")
	git("add", ".")
	git("update-index", "--skip-worktree", "sparse/f")
	if err := os.RemoveAll(filepath.Join(dir, "sparse")); err != nil {
		t.Fatal(err)
	}
	repo, err := diff.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Snapshot(t.Context(), diff.SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	d := &Diffs{repo: repo}
	if !d.Hidden("sparse") || !d.Hidden("sparse/f") || d.Hidden("sparse/g") || d.Hidden("folder/f") {
		t.Error("what a sparse checkout leaves out")
	}
	for file, want := range map[string]bool{"folder/f": false, "folder": false, "gone": true, "folder/gone": true, "folder/f/below": true, "sparse/f": false, "sparse/g": true, "../outside": false, "/etc/nosuch": false} {
		if got := d.Missing(file); got != want {
			t.Errorf("%q: %t", file, got)
		}
	}
}
