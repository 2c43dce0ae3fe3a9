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
		getenv: func(string) string { return "" }, dir: ".",
	})
}

// allCommands lists a command and all below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, allCommands(below)...)
	}
	return all
}

// Every command's help has examples of its own and its exit codes, on lines that
// fit into 80 columns.
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
