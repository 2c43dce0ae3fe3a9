package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
)

// repository makes a repository with one commit.
func repository(t *testing.T) difftest.Repository {
	r := difftest.New(t)
	r.Write("f", "1\n")
	r.Commit()
	return r
}

// A commit of what was reviewed does not count as a change. A further edit does, and so does
// checking out another commit.
//
// Rule: A run passes only over code that its gates have seen.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		detached bool
		change   func(r difftest.Repository)
		want     string // files, branch, and whether another commit is named
	}{
		"nothing":  {false, func(difftest.Repository) {}, " false"},
		"a commit": {false, func(r difftest.Repository) { r.Commit() }, " false"},
		"an edit":  {false, func(r difftest.Repository) { r.Write("f", "3\n") }, "f  false"},
		"a commit, and an edit": {false, func(r difftest.Repository) {
			r.Commit()
			r.Write("f", "3\n")
		}, "f main true"},
		"an edit in a commit": {false, func(r difftest.Repository) {
			r.Write("f", "3\n")
			r.Commit()
		}, "f main true"},
		"another branch":           {false, func(r difftest.Repository) { r.Git("checkout", "-q", "-b", "other") }, " other true"},
		"a commit, while detached": {true, func(r difftest.Repository) { r.Commit() }, "  true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repository(t)
			if test.detached {
				r.Git("checkout", "-q", "--detach")
			}
			r.Write("f", "2\n")
			w := &Worktree{Repo: r.Open(), Config: &config.Config{LogDir: "logs"}}
			snapshot, err := w.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			test.change(r)
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
	r := repository(t)
	r.Write("out/report/a.sarif", "{}")
	r.Commit()
	for file, refused := range map[string]bool{"out/report/a.sarif": true, "out/report": true, "out/rep": false, "out/b.sarif": false, "": false} {
		var lint config.Adapter
		lint.File = file
		w := &Worktree{Repo: r.Open(), Config: &config.Config{LogDir: "logs", Adapters: map[string]config.Adapter{"lint": lint, "other": {}}}}
		if _, err := w.Snapshot(t.Context()); (err != nil) != refused || refused && !strings.Contains(err.Error(), `which cli.adapters.lint.file names`) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// A file is missing if nothing exists under its name, unless no file can have the name or a sparse
// checkout leaves the file out.
func TestMissing(t *testing.T) {
	t.Parallel()
	r := repository(t)
	r.Write("folder/f", "")
	r.Write("sparse/f", "")
	r.Git("add", ".")
	r.Git("update-index", "--skip-worktree", "sparse/f")
	if err := os.RemoveAll(filepath.Join(r.Dir, "sparse")); err != nil {
		t.Fatal(err)
	}
	repo := r.Open()
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

// The first commit of a change is the oldest that the base does not have, whatever its message is.
func TestFirstSubject(t *testing.T) {
	t.Parallel()
	r := difftest.New(t)
	base := r.Commit()
	commit := func(message string) {
		r.Git("commit", "-q", "--allow-empty", "-m", message)
	}
	commit("Totals are rounded\n\nas the shop wants it")
	first := r.Git("rev-parse", "HEAD")
	commit(strings.Repeat("x", 5000))
	second := r.Git("rev-parse", "HEAD")
	commit("the last")
	w := &Worktree{Repo: r.Open()}
	for from, want := range map[string]string{
		base: "Totals are rounded", first: strings.Repeat("x", maxSubject), second: "the last", r.Git("rev-parse", "HEAD"): "", "": "", strings.Repeat("0", len(base)): "",
	} {
		if got := w.FirstSubject(t.Context(), from); got != want {
			t.Errorf("since %s: %q, want %q", from, got, want)
		}
	}
}
