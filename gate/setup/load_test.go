package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/setup"
)

// load writes a proposal to a folder and loads it like every command does.
func load(t *testing.T, p setup.Proposal) *config.Config {
	t.Helper()
	dir := t.TempDir()
	for _, file := range p.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(dir)
	if err != nil {
		t.Fatalf("the proposal does not load: %v", err)
	}
	if len(c.Warnings) > 0 {
		t.Errorf("the proposal has warnings: %q", c.Warnings)
	}
	return c
}

func propose(files []string, base string, reviewers ...string) setup.Proposal {
	return setup.Propose(setup.Facts{
		Files: files, Read: func(string) string { return `{"scripts":{"test":"x","lint":"y"}}` },
		Exists: func(string) bool { return false },
		// Without a reviewer no tool is installed either.
		Installed: func(string) bool { return len(reviewers) > 0 }, BaseBranch: base, Reviewers: reviewers,
	})
}

// Whatever the names of a repository's folders and branches, the proposal can be loaded.
func TestProposalsLoad(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]string{
		"empty":     nil,
		"usual":     {"go.mod", "package.json", "a/Cargo.toml", "b/pyproject.toml", "Makefile", ".golangci.yml"},
		"collision": {"a/b/go.mod", "a_b/go.mod", "a-b/go.mod"},
		"hostile":   {"[id]/go.mod", "a\nb/go.mod", "$(x)/go.mod", "\xff/go.mod", `a"b/go.mod`, "..a/go.mod", "-x/go.mod", "a b/package.json", "go.mod\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			load(t, propose(files, "main"))
			c := load(t, propose(files, "feature/#1: \"x\"", "claude", "codex"))
			if c.BaseBranch != "feature/#1: \"x\"" {
				t.Errorf("base branch %q", c.BaseBranch)
			}
			if len(c.DefaultPreference) != 2 || len(c.Reviews) != 1 {
				t.Errorf("%d adapters, %d reviews", len(c.DefaultPreference), len(c.Reviews))
			}
		})
	}
}

// Each prompt says what to look for, and leaves the form of the answer to the program.
func TestPromptsLeaveTheFormAlone(t *testing.T) {
	t.Parallel()
	for name, review := range load(t, propose(nil, "main", "claude")).Reviews {
		if len(review.Prompt) < 300 || strings.Contains(review.Prompt, "JSON") || strings.Contains(review.Prompt, "priority") {
			t.Errorf("the prompt of %s:\n%s", name, review.Prompt)
		}
	}
}
