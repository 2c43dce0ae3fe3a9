package worktree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
	"github.com/reviewledger/reviewledger/ledger"
)

// A repository is identified by the first that is known of its configured name, its origin, and, in
// a ledger that others may share, its first commit and its path.
func TestFindRepository(t *testing.T) {
	t.Parallel()
	plain, cloned, empty := repository(t), repository(t), difftest.New(t)
	root := plain.Open().Head
	plain.Commit()
	cloned.Git("remote", "add", "origin", "https://example.org/a/b.git")
	for name, test := range map[string]struct {
		in         difftest.Repository
		configured string
		own        bool
		want       ledger.Repository
	}{
		"configured":                      {cloned, "ours", false, ledger.Repository{Kind: ledger.RepositoryConfigured, Key: "ours"}},
		"configured, in its own ledger":   {plain, "ours", true, ledger.Repository{Kind: ledger.RepositoryConfigured, Key: "ours", Sole: true}},
		"with an origin":                  {cloned, "", false, ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "example.org/a/b"}},
		"with an origin, own ledger":      {cloned, "", true, ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "example.org/a/b", Sole: true}},
		"without, in its own ledger":      {plain, "", true, ledger.Repository{Kind: ledger.RepositoryUnknown}},
		"without, in a ledger of several": {plain, "", false, ledger.Repository{Kind: ledger.RepositoryRootCommit, Key: root}},
		"without a commit":                {empty, "", false, ledger.Repository{Kind: ledger.RepositoryPath, Key: filepath.Join(empty.Dir, ".git")}},
	} {
		got, err := FindRepository(t.Context(), test.in.Open(), &config.Config{Repository: test.configured}, test.own)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, test.want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if got, err := FindRepository(stopped, plain.Open(), &config.Config{}, false); err == nil {
		t.Errorf("the first commit is not known: %+v", got)
	}
}

// A repository whose origin cannot be read is not one without an origin: it would have another
// identity, and its history would be another's.
func TestOriginUnreadable(t *testing.T) {
	r := repository(t)
	r.Git("config", "include.path", "more") // git is asked what that says
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *remote.origin.url*) exit 3;; esac\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, own := range []bool{true, false} {
		if got, err := FindRepository(t.Context(), r.Open(), &config.Config{}, own); err == nil {
			t.Errorf("%+v", got)
		}
	}
}

// Tracked files in the program's own folders are named, as are new ones in its folders other than
// the log directory, where new files are logs.
//
// Rule: Nothing is left out without a word.
func TestSnapshotWarnings(t *testing.T) {
	t.Parallel()
	r := repository(t)
	for _, file := range []string{"logs/tracked.sh", ".code-review/tracked.sh", "docs/code-reviews/tracked.sh"} {
		r.Write(file, "")
	}
	r.Commit()
	for _, file := range []string{"logs/new.sh", ".code-review/new.sh", "docs/code-reviews/new.sh"} {
		r.Write(file, "")
	}
	w := &Worktree{Repo: r.Open(), Config: &config.Config{LogDir: "logs"}}
	snapshot, err := w.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`git tracks files in the log directory "logs", which nobody reviews: "logs/tracked.sh"; move them elsewhere`,
		`git tracks files in the folder of code reviews ".code-review", which nobody reviews: ".code-review/tracked.sh"; move them elsewhere`,
		`there are new files in the folder of code reviews ".code-review", which nobody reviews: ".code-review/new.sh"; move them elsewhere`,
		`git tracks files in the folder of review documents "docs/code-reviews", which nobody reviews: "docs/code-reviews/tracked.sh"; move them elsewhere`,
		`there are new files in the folder of review documents "docs/code-reviews", which nobody reviews: "docs/code-reviews/new.sh"; move them elsewhere`,
	}
	if d := cmp.Diff(want, snapshot.Warnings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Each clean filter is named once, with its files.
//
// Rule: Nothing is left out without a word.
func TestAltered(t *testing.T) {
	t.Parallel()
	r := repository(t)
	r.Git("config", "filter.tidy.clean", "cat")
	r.Git("config", "filter.big.clean", "cat")
	r.Write(".gitattributes", "*.c filter=tidy\n*.big filter=big\n")
	paths := []string{"a.c", "a.big", "b.c", "f"}
	for _, file := range paths {
		r.Write(file, "1\n")
	}
	w := &Worktree{Repo: r.Open(), Config: &config.Config{}}
	by, got, err := w.Altered(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`reviewers are shown what the git clean filter "big" makes of files, not their text: "a.big"`,
		`reviewers are shown what the git clean filter "tidy" makes of files, not their text: "a.c", "b.c"`,
	}
	if d := cmp.Diff(want, got); d != "" || len(by) != 3 || by["b.c"] != `the git clean filter "tidy"` {
		t.Errorf("%q (-want +got):\n%s", by, d)
	}
}
