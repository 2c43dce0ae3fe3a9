package setup_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

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

// schemaOf returns the schema of a generated file.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	kind := map[string]string{".gauntlet": "config", ".gauntlet/checks": "check", ".gauntlet/reviews": "review"}[path.Dir(name)]
	data, err := config.Schema(kind)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	compiler := jsonschema.NewCompiler()
	if err := errors.Join(err, compiler.AddResource(kind, document)); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile(kind)
}

// fits checks a generated file against its schema.
func fits(t *testing.T, file setup.File) {
	t.Helper()
	text := file.Text
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		text, _, _ = strings.Cut(rest, "\n---\n")
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err == nil {
		err = schemaOf(t, file.Name).Validate(document)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", file.Name, err, file.Text)
	}
}

// Each generated file fits its schema, has its optional keys as comments, and each of them can be used
// as it stands there.
func TestOptionalKeysInComments(t *testing.T) {
	t.Parallel()
	bare := setup.Propose(setup.Facts{Files: []string{"go.mod", "a.sh"}, Read: func(string) string { return "" },
		Exists: func(string) bool { return false }, Installed: func(string) bool { return true }, BaseBranch: "main"})
	own := setup.Propose(setup.Facts{Files: []string{".golangci.yml"}, Read: func(string) string { return "" },
		Exists: func(name string) bool { return strings.HasSuffix(name, ".schema.json") }, Installed: func(string) bool { return true }, BaseBranch: "main",
		Reviewers: []string{"mine"}, Commands: []setup.Command{{Name: "mine", Command: "x"}}, Reviews: []string{"security"}})
	optional := regexp.MustCompile(`(?m)^( *)# ([a-z_]+: .*)$`)
	for _, p := range []setup.Proposal{bare, own, propose([]string{"package.json"}, "main", "claude", "codex")} {
		for n, file := range p.Files {
			fits(t, file)
			found := optional.FindAllStringSubmatchIndex(file.Text, -1)
			if len(found) < 5 {
				t.Errorf("%s has %d optional keys in comments:\n%s", file.Name, len(found), file.Text)
			}
			for _, at := range found {
				if line := file.Text[at[0]:at[1]]; strings.HasSuffix(line, "adapters:") {
					continue
				}
				with := p
				with.Files = slices.Clone(p.Files)
				with.Files[n].Text = file.Text[:at[3]] + file.Text[at[4]:]
				fits(t, with.Files[n])
				load(t, with)
			}
		}
	}
	for name, want := range map[string]string{"config.yml": "config", "checks/": "../check"} {
		for _, file := range own.Files {
			has := strings.HasPrefix(file.Text, "# yaml-language-server: $schema="+want+".schema.json\n")
			if strings.HasPrefix(file.Name, ".gauntlet/"+name) && !has {
				t.Errorf("%s does not name its schema:\n%s", file.Name, file.Text)
			}
		}
	}
	if strings.Contains(bare.Files[0].Text, "yaml-language-server") {
		t.Error("a schema is named that is not there")
	}
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
