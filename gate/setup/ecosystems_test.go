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

// Each archive in testdata has the repositories of one family of ecosystems, each in a folder. Before the
// folder is a file with its name and ".proposed", which says what is proposed for it, and what its checks
// need on a machine without any tool.
func TestEcosystems(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%q, error %v", names, err)
	}
	shown, repositories := map[string]bool{}, 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := range archive.Files {
			want := &archive.Files[n]
			repository, ok := strings.CutSuffix(want.Name, ".proposed")
			if !ok || strings.Contains(repository, "/") {
				continue
			}
			repositories++
			files := filesIn(archive, repository)
			p := Propose(facts(files))
			for _, found := range p.Found {
				shown[found] = true
			}
			got := describe(p) + withoutTools(files)
			if *update {
				want.Data = []byte(got)
			} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, repository, diff)
			}
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if repositories < len(ecosystems()) {
		t.Errorf("%d repositories for %d ecosystems", repositories, len(ecosystems()))
	}
	for _, e := range ecosystems() {
		if !shown[e.name] {
			t.Errorf("no repository in testdata shows %s", e.name)
		}
	}
}

// filesIn returns the files in a folder of the archive.
func filesIn(archive *txtar.Archive, folder string) map[string]string {
	files := map[string]string{}
	for _, file := range archive.Files {
		if name, ok := strings.CutPrefix(file.Name, folder+"/"); ok {
			files[name] = string(file.Data)
		}
	}
	return files
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
