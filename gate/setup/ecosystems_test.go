package setup

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is proposed for the repositories in testdata")

// Each archive in testdata is a repository. Its comment says what is proposed for it, and what its
// checks need on a machine without any tool.
func TestEcosystems(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < len(ecosystems()) {
		t.Fatalf("%d repositories for %d ecosystems, error %v", len(names), len(ecosystems()), err)
	}
	shown := map[string]bool{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, file := range archive.Files {
			files[file.Name] = string(file.Data)
		}
		p := Propose(facts(files))
		for _, found := range p.Found {
			shown[found] = true
		}
		got := describe(p) + withoutTools(files)
		if *update {
			archive.Comment = []byte(got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(string(archive.Comment), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, e := range ecosystems() {
		if !shown[e.name] {
			t.Errorf("no repository in testdata shows %s", e.name)
		}
	}
}

// describe returns what is proposed.
func describe(p Proposal) string {
	lines := append([]string{"found: " + strings.Join(p.Found, ", ")}, checksOf(p)...)
	for _, note := range p.Notes {
		lines = append(lines, "note: "+note)
	}
	for _, created := range p.Ignore {
		lines = append(lines, "ignore: "+created)
	}
	for _, lack := range p.Lacking {
		lines = append(lines, "missing: "+lack.Path+", "+lack.Fix)
	}
	return strings.Join(lines, "\n") + "\n"
}

// withoutTools returns the programs that the checks need and that doctor names where nothing is installed.
func withoutTools(files map[string]string) string {
	bare := facts(files)
	bare.Installed = func(string) bool { return false }
	var text strings.Builder
	for _, entry := range Propose(bare).Entries {
		for _, check := range entry.Checks {
			if check.Missing != "" {
				text.WriteString("needs " + check.Missing + ": " + check.Name + "\n")
			}
		}
	}
	return text.String()
}
