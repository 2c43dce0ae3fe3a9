package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func configurationDoc(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The examples in docs/configuration.md are a configuration that can be loaded.
func TestDocumentedExamplesLoad(t *testing.T) {
	t.Parallel()
	example := files{}
	for _, block := range regexp.MustCompile("(?s)```(?:yaml|markdown)\n# (\\S+)\n(.*?)```").FindAllStringSubmatch(configurationDoc(t), -1) {
		example[block[1]] = block[2]
	}
	if len(example) != 3 {
		t.Fatalf("found %d examples, want 3", len(example))
	}
	c := example.load(t)
	if len(c.Warnings) > 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

// Every key that the program accepts is in docs/configuration.md.
func TestEveryKeyIsDocumented(t *testing.T) {
	t.Parallel()
	doc := configurationDoc(t)
	broken := minimal().
		with(".gauntlet/config.yml", "zzz: 1\nteam: {zzz: 1}\ncli: {default_preference: [claude], zzz: 1, adapters: {claude: {zzz: 1}}}\nentry_points: [{path: ., checks: [lint], reviews: [quality], zzz: 1}]\n").
		with(".gauntlet/checks/lint.yml", "command: make\nzzz: 1\n").
		with(".gauntlet/reviews/quality.md", "---\nzzz: 1\n---\nLook.\n")
	listed := 0
	for _, problem := range broken.problems(t) {
		_, allowed, found := strings.Cut(problem, "allowed: ")
		if !found {
			t.Errorf("no allowed keys in %q", problem)
			continue
		}
		for _, key := range strings.Split(allowed, ", ") {
			listed++
			if !regexp.MustCompile(`[\x60. ]`+regexp.QuoteMeta(key)+`[:\x60]`).MatchString(doc) && !strings.Contains(doc, "\n"+key+":") && !strings.Contains(doc, "."+key) {
				t.Errorf("key %q is not in docs/configuration.md", key)
			}
		}
	}
	if listed < 25 {
		t.Errorf("only %d keys were checked", listed)
	}
}
