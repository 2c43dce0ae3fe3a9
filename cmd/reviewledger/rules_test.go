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

// citation is the citation of a rule in a comment.
type citation struct{ file, rule string }

// citations finds the rules that comments in the repository's files cite. A name ends with a full
// stop on the line on which it begins.
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

// maxRules is how many rules a user can remember. Their cases are listed below them.
const maxRules = 50

// Every rule that a comment cites is in docs/rules.md, and every rule there is cited by the code
// that decides it and by a test, in Go or a script.
func TestRules(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, rulesFile))
	if err != nil {
		t.Fatal(err)
	}
	type use struct{ decided, tested bool }
	rules := map[string]*use{}
	for _, named := range ruleNamed.FindAllStringSubmatch(string(text), -1) {
		if rules[named[1]] != nil {
			t.Errorf("%s names %q twice", rulesFile, named[1])
		}
		rules[named[1]] = &use{}
	}
	if len(rules) < maxRules/2 || len(rules) > maxRules {
		t.Errorf("found %d rules in %s: at most %d, and a pattern that finds them", len(rules), rulesFile, maxRules)
	}
	for _, c := range citations(t, root) {
		switch rule := rules[c.rule]; {
		case rule == nil:
			t.Errorf("%s cites %q, which is not in %s", c.file, c.rule, rulesFile)
		case strings.HasSuffix(c.file, "_test.go") || strings.HasSuffix(c.file, ".txtar"):
			rule.tested = true
		default:
			rule.decided = true
		}
	}
	for name, rule := range rules {
		if !rule.tested {
			t.Errorf("no test names %q: add a comment \"Rule: %s.\" to the one that holds it", name, name)
		}
		if !rule.decided {
			t.Errorf("no code cites %q: add a comment \"Rule: %s.\" where it is decided", name, name)
		}
	}
}
