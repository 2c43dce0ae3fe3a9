package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/ledgertest"
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

// The README is short, and links only to documents that exist.
func TestREADME(t *testing.T) {
	t.Parallel()
	for _, text := range readAll(t, "../../README.md") {
		if lines := strings.Count(text, "\n"); lines >= 150 {
			t.Errorf("it has %d lines", lines)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", "..", link[1])); err != nil {
				t.Errorf("link %q: %v", link[1], err)
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
