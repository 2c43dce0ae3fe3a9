package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/setup"
)

func newSkillCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print the instructions for coding agents",
		Long: `Print how an agent works through the loop: run, read, fix or skip, mark, run
again, and when to stop. "reviewledger init --agents" writes the same to where
each agent looks for it.

Exit codes: 0 printed.`,
		Example: `  reviewledger skill
  reviewledger init --agents claude`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(global.stdout, skillText)
			return err
		},
	}
}

// codingAgent is an agent that can be told how to play the loop.
type codingAgent struct {
	name string
	// file is where it looks for instructions: a file of its own for each
	// topic, so that no file of the user's has to be changed.
	file string
	rule bool // Cursor's rules have another head than skills
}

func agents() []codingAgent {
	return []codingAgent{
		{name: "claude", file: ".claude/skills/reviewledger/SKILL.md"},
		{name: "codex", file: ".agents/skills/reviewledger/SKILL.md"},
		{name: "cursor", file: ".cursor/rules/reviewledger.mdc", rule: true},
		{name: "gemini", file: ".gemini/skills/reviewledger/SKILL.md"},
		{name: "copilot", file: ".github/skills/reviewledger/SKILL.md"},
		{name: "opencode", file: ".opencode/skills/reviewledger/SKILL.md"},
	}
}

func agentNames() (names []string) {
	for _, a := range agents() {
		names = append(names, a.name)
	}
	return names
}

const skillDescription = "Run the reviewledger quality loop over the current changes. It runs the gates; read the review files, fix or skip what they report, and run again until it passes. Use when asked to review, verify or finish changes, and before handing work over."

func (a codingAgent) text() string {
	head := "name: reviewledger\ndescription: " + skillDescription + "\n"
	if a.rule {
		head = "description: " + skillDescription + "\nalwaysApply: false\n"
	}
	return "---\n" + head + "---\n\n" + skillText
}

// filesForAgents are the instruction files of the named agents, and those that register the
// MCP server.
func filesForAgents(names []string) (files []setup.File, err error) {
	for _, name := range names {
		at := slices.IndexFunc(agents(), func(a codingAgent) bool { return a.name == strings.TrimSpace(name) })
		if at < 0 {
			name = strings.TrimSpace(name)
			if similar := filters.Closest(name, agentNames()); len(similar) > 0 {
				return nil, usageError("unknown agent %q%s", name, filters.DidYouMean(similar, ""))
			}
			return nil, usageError("unknown agent %q: use %s", name, strings.Join(agentNames(), ", "))
		}
		file := setup.File{Name: agents()[at].file, Text: agents()[at].text()}
		if !slices.Contains(files, file) {
			files = append(files, file)
			if r, ok := agent.RegistrationFor(agents()[at].name); ok && r.File != "" {
				files = append(files, setup.File{Name: r.File, Text: r.Text})
			}
		}
	}
	return files, nil
}
