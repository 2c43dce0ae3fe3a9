package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func testRoot() *cobra.Command {
	return newRootCommand(environment{
		stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{},
		lookupenv: func(string) (string, bool) { return "", false }, dir: ".",
	})
}

// allCommands lists a command and all commands below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, allCommands(below)...)
	}
	return all
}

// The help of every command has examples of that command and its exit codes, on lines of at most 80
// columns.
func TestEveryCommandHasExamplesAndExitCodes(t *testing.T) {
	t.Parallel()
	root := testRoot()
	for _, cmd := range allCommands(root) {
		if !strings.Contains(cmd.Long, "Exit codes:") {
			t.Errorf("%s: its help does not list its exit codes", cmd.Name())
		}
		if !strings.Contains(cmd.Example, " "+cmd.Name()) && cmd != root {
			t.Errorf("%s: its help has no example of it", cmd.Name())
		}
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Errorf("%s: %v", cmd.Name(), err)
		}
		for line := range strings.Lines(help.String()) {
			if len([]rune(strings.TrimSuffix(line, "\n"))) > 80 {
				t.Errorf("%s: a line of its help is longer than 80 columns: %s", cmd.Name(), line)
			}
		}
	}
}

// Every command that the help lists is in a group, its usage comes before its exit codes, and its
// man page is the same each time.
func TestHelpAndManPages(t *testing.T) {
	t.Parallel()
	root := testRoot()
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && cmd.GroupID == "" {
			t.Errorf("%s: it is in no group of the help", cmd.Name())
		}
	}
	for _, cmd := range visible(root) {
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		usage, codes := strings.Index(help.String(), "Usage:"), strings.Index(help.String(), "Exit codes:")
		if usage < 0 || codes < usage {
			t.Errorf("%s: the exit codes do not follow the usage:\n%s", cmd.Name(), &help)
		}
		page := string(manPage(cmd))
		if !strings.Contains(page, "\n.SH EXIT STATUS\n") || strings.Contains(page, "\n'") {
			t.Errorf("%s: its man page:\n%s", cmd.Name(), page)
		}
	}
	if got := string(manPage(root)); !strings.HasPrefix(got, ".TH \"REVIEWLEDGER\" 1 \"\" \"reviewledger\"\n") {
		t.Errorf("the head of the page:\n%s", got)
	}
	if got, want := roff(".x\\y\n'z-"), "\\&.x\\ey\n\\&'z\\-"; got != want {
		t.Errorf("roff gives %q, want %q", got, want)
	}
}

// Every flag with a vocabulary has a completion.
func TestVocabulariesComplete(t *testing.T) {
	t.Parallel()
	vocabulary := []string{
		"adapter", "agents", "as", "base-branch", "branch", "disposition", "entry-point", "event", "file", "format", "gate", "kind",
		"like", "priority", "reason", "reset", "scope", "sort", "status",
	}
	for _, cmd := range allCommands(testRoot()) {
		for _, name := range vocabulary {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			if _, ok := cmd.GetFlagCompletionFunc(name); !ok {
				t.Errorf("%s --%s is not completed", cmd.CommandPath(), name)
			}
		}
	}
}

// A variable that is set to a word for no, as in CI=false, counts as not set.
func TestIsTrue(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "FALSE": false, "no": false, "1": true, "true": true, "yes": true, "github": true} {
		if got := isTrue(value); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}
