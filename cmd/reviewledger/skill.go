package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

func agentNames() (names []string) {
	for _, a := range agent.Agents() {
		names = append(names, a.Name)
	}
	return names
}

const skillDescription = "Run the reviewledger quality loop over the current changes. It runs the gates; read the review files, fix or skip what they report, and run again until it passes. Use when asked to review, verify or finish changes, and before handing work over."

// skillFile returns the instructions for an agent, with the frontmatter that it expects.
func skillFile(a agent.Agent) string {
	head := "name: reviewledger\ndescription: " + skillDescription + "\n"
	if a.Rule {
		head = "description: " + skillDescription + "\nalwaysApply: false\n"
	}
	return "---\n" + head + "---\n\n" + skillText
}

// filesForAgents returns the instruction files of the named agents, and the files that register the
// MCP server.
func filesForAgents(names []string) (files []setup.File, err error) {
	for _, name := range names {
		name = strings.TrimSpace(name)
		a, known := agent.AgentNamed(name)
		if !known {
			return nil, unknownAgent(name, agentNames())
		}
		file := setup.File{Name: a.Skill, Text: skillFile(a)}
		if !slices.Contains(files, file) {
			files = append(files, file)
			if a.MCP.File != "" {
				files = append(files, setup.File{Name: a.MCP.File, Text: a.MCP.Text})
			}
		}
	}
	return files, nil
}
