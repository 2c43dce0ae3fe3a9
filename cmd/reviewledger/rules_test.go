package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const rulesFile = "docs/rules.md"

var (
	ruleNamed = regexp.MustCompile(`(?m)^\*\*([^*]+)\.\*\*`)
	ruleCited = regexp.MustCompile(`(?m)(?://|#|--)[ \t].*?\bRule: (.*)$`)
)

// citation is a comment of a file that cites a rule.
type citation struct{ file, rule string }

// citations finds what the comments of the repository's files cite. A name ends
// with a full stop on the line on which it begins.
func citations(t *testing.T, root string) (found []citation) {
	t.Helper()
	kinds := []string{".go", ".sql", ".txtar"}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != root && strings.HasPrefix(name, ".") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !slices.Contains(kinds, filepath.Ext(name)) || name == "rules_test.go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, line := range ruleCited.FindAllStringSubmatch(string(data), -1) {
			rule, _, _ := strings.Cut(line[1], ".")
			found = append(found, citation{path, rule})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Every rule that a comment cites is in docs/rules.md, and every rule there is named
// by a test: by a comment in a Go test or in a script.
func TestRules(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, rulesFile))
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, named := range ruleNamed.FindAllStringSubmatch(string(text), -1) {
		if _, twice := tested[named[1]]; twice {
			t.Errorf("%s names %q twice", rulesFile, named[1])
		}
		tested[named[1]] = false
	}
	if len(tested) < 100 {
		t.Errorf("only %d rules were found in %s", len(tested), rulesFile)
	}
	for _, c := range citations(t, root) {
		if _, known := tested[c.rule]; !known {
			t.Errorf("%s cites %q, which is not in %s", c.file, c.rule, rulesFile)
		} else if strings.HasSuffix(c.file, "_test.go") || strings.HasSuffix(c.file, ".txtar") {
			tested[c.rule] = true
		}
	}
	for rule, ok := range tested {
		if !ok {
			t.Errorf("no test names %q: add a comment \"Rule: %s.\" to the one that holds it", rule, rule)
		}
	}
}
