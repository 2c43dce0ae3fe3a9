package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/internal/testing/ledgertest"
	"github.com/reviewledger/reviewledger/ledger"
)

// documented finds the command lines in a document: whole lines of an indented or fenced block, and
// code between backticks.
func documented(text string) (lines []string) {
	block := regexp.MustCompile(`(?m)^(?:    |  |\$ )(?:.*<\()?((?:go run \./cmd/)?reviewledger [a-z][^\n]*)$`)
	inline := regexp.MustCompile("`(reviewledger [a-z][^`\n]*)`")
	for _, found := range append(block.FindAllStringSubmatch(text, -1), inline.FindAllStringSubmatch(text, -1)...) {
		line, _, _ := strings.Cut(found[1], "#")
		line, _, _ = strings.Cut(line, "|")
		line, _, _ = strings.Cut(line, ")")
		line, _, _ = strings.Cut(line, " >")
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(line, "go run ./cmd/")))
	}
	return lines
}

func readAll(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file matches %q (error %v)", pattern, err)
	}
	texts := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	return texts
}

// Every command line in the README, in docs/, in the agents' instructions and in the examples of
// the help is run by a script, so that documents do not become outdated.
func TestDocumentedCommandsAreRun(t *testing.T) {
	t.Parallel()
	run := map[string]bool{}
	exec := regexp.MustCompile(`(?m)^(?:! )?exec (reviewledger [^\n]*)$`)
	for _, script := range readAll(t, "testdata/script/*.txtar") {
		for _, found := range exec.FindAllStringSubmatch(script, -1) {
			run[strings.TrimSpace(found[1])] = true
		}
	}
	texts := readAll(t, "../../docs/*.md")
	delete(texts, "../../docs/tutorial.md") // TestTutorial runs it
	for name, text := range readAll(t, "../../README.md") {
		texts[name] = text
	}
	texts["skill"] = skillText
	for name, text := range readAll(t, "../../CONTRIBUTING.md") {
		texts[name] = text
	}
	for _, cmd := range allCommands(testRoot()) {
		if !cmd.Hidden {
			texts["help of "+cmd.CommandPath()] = cmd.Example
		}
	}
	seen := 0
	for name, text := range texts {
		for _, line := range documented(text) {
			seen++
			if !run[line] {
				t.Errorf("%s: no script runs %q", name, line)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d command lines were found in the documents", seen)
	}
}

var (
	testCommand   = regexp.MustCompile(`(?m)(?:cd (\w+) && )?go test (\S[^\n\x60]*)`)
	chosenTests   = regexp.MustCompile(`-(?:run|bench|fuzz) '?([^' ]+)`)
	ownFlag       = regexp.MustCompile(` -([a-z]+\.[a-z]+|update|release|screenshots|pictures)\b`)
	folderOfTests = regexp.MustCompile(`^\.(?:/[\w/]+)?$`)
	declared      = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(|flag\.\w+\(("[^"]+")`)
)

// The tests, benchmarks and flags that CI and documents name exist: go test passes if there is no test of
// a name.
func TestDocumentedTestsExist(t *testing.T) {
	t.Parallel()
	texts := readAll(t, "../../docs/*.md")
	maps.Copy(texts, readAll(t, "../../*.md"))
	maps.Copy(texts, readAll(t, "../../.ci/*"))
	seen := 0
	for name, text := range texts {
		for _, command := range testCommand.FindAllStringSubmatch(text, -1) {
			code := readAll(t, "../../internal/testing/*/*.go") // flags that packages share
			for word := range strings.FieldsSeq(chosenTests.ReplaceAllString(command[2], "")) {
				if folderOfTests.MatchString(word) {
					maps.Copy(code, readAll(t, filepath.Join("../..", command[1], word, "*_test.go")))
				}
			}
			var known []string
			for _, text := range code {
				for _, found := range declared.FindAllStringSubmatch(text, -1) {
					known = append(known, found[1]+found[2])
				}
			}
			for _, flag := range ownFlag.FindAllStringSubmatch(command[2], -1) {
				if seen++; !slices.Contains(known, `"`+flag[1]+`"`) {
					t.Errorf("%s: %q: there is no flag %s", name, command[0], flag[1])
				}
			}
			for _, chosen := range chosenTests.FindAllStringSubmatch(command[2], -1) {
				for choice := range strings.SplitSeq(chosen[1], "|") {
					function, _, _ := strings.Cut(choice, "/")
					pattern := regexp.MustCompile(function)
					if seen++; choice != "^$" && !slices.ContainsFunc(known, pattern.MatchString) {
						t.Errorf("%s: %q: there is no test %s", name, command[0], choice)
					}
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d tests and flags were found", seen)
	}
}

// The README is short.
func TestREADME(t *testing.T) {
	t.Parallel()
	for _, text := range readAll(t, "../../README.md") {
		if lines := strings.Count(text, "\n"); lines > 160 {
			t.Errorf("it has %d lines", lines)
		}
	}
}

// No link of a document is dead, its pictures are there, and the index of the documents leads to each of them.
func TestLinksOfDocuments(t *testing.T) {
	t.Parallel()
	const index = "../../docs/README.md"
	texts := readAll(t, "../../docs/*.md")
	maps.Copy(texts, readAll(t, "../../*.md"))
	link := regexp.MustCompile(`(?:\]\(|(?:src|srcset|href)=")([^)"\s]+)[)"]`)
	for name, text := range texts {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path := name
			if target != "" {
				path = filepath.Join(filepath.Dir(name), target)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: link %q: %v", name, found[1], err)
			} else if to, is := texts[path]; heading != "" && is && !slices.Contains(headings(to), heading) {
				t.Errorf("%s: link %q: there is no such heading", name, found[1])
			}
		}
		if base := filepath.Base(name); filepath.Dir(name) == filepath.Dir(index) && name != index && !strings.Contains(texts[index], "]("+base+")") {
			t.Errorf("docs/README.md does not lead to %s", base)
		}
	}
}

// headings returns the headings of a document as GitHub names them in links.
func headings(text string) (names []string) {
	for _, found := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := strings.ReplaceAll(strings.ToLower(found[1]), " ", "-")
		names = append(names, regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(name, ""))
	}
	return names
}

// docs/troubleshooting.md quotes the program: what it says that was printed is a text of the code.
func TestTroubleshootingQuotesTheProgram(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		code.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range readAll(t, "../../docs/troubleshooting.md") {
		rows := regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(text, -1)
		if len(rows) < 10 {
			t.Errorf("only %d rows were found", len(rows))
		}
		for _, row := range rows {
			if !strings.Contains(code.String(), row[1]) {
				t.Errorf("the program does not print %q", row[1])
			}
		}
	}
}

// docs/agents.md names the file for each agent.
func TestAgentsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, text := range readAll(t, "../../docs/agents.md") {
		for _, a := range agent.Agents() {
			if !strings.Contains(text, "| `"+a.Name+"` | `"+a.Skill+"` |") {
				t.Errorf("%s with %s is not in it", a.Name, a.Skill)
			}
		}
	}
}

// docs/json.md lists the words of `status`, by which agents and CI decide.
func TestStatusWordsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, text := range readAll(t, "../../docs/json.md") {
		_, table, _ := strings.Cut(text, "`status`")
		for _, state := range ledgertest.Words[ledger.ProgressState](t, "../../ledger") {
			if !strings.Contains(table, string(state)) {
				t.Errorf("the state %q is not in it", state)
			}
		}
		for _, reason := range ledgertest.Words[ledger.ProgressReason](t, "../../ledger") {
			if !strings.Contains(table, string(reason)) {
				t.Errorf("the reason %q is not in it", reason)
			}
		}
	}
}

// The instructions for an agent are small, because they are read in every session.
func TestSkillIsSmall(t *testing.T) {
	t.Parallel()
	for _, a := range agent.Agents() {
		if strings.Contains(skillFile(a), "\n   - ") {
			t.Errorf("the skill for %s has a list within a list, which each formatter indents in its own way", a.Name)
		}
		if n := len(skillFile(a)); n > 3000 {
			t.Errorf("%s: %d bytes", a.Name, n)
		}
	}
}
