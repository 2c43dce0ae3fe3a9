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

// skillText tells an agent how to work in the loop. With its frontmatter it has at most 3,000
// bytes, because it takes up space in the agent's context.
const skillText = `# The reviewledger loop

` + "`reviewledger`" + ` runs checks and reviewers over what changed here and remembers every finding.
Fix, skip or dispute what they find, and run it again until it passes.

## The loop

1. Run ` + "`reviewledger run`" + ` and wait: reviews take minutes. Edit nothing meanwhile.
2. Read the end of its output. Stop and report at ` + "`Passed`" + `, ` + "`Passed with warnings`" + `,
   ` + "`Passed already`" + ` and ` + "`Retry limit exceeded`" + `. At ` + "`No changes detected`" + ` see
   ` + "`reviewledger status`" + `. Go on with 3 at ` + "`Failed`" + `. At ` + "`Error`" + `
   read the ` + "`[ERROR]`" + ` lines and their logs, run ` + "`reviewledger doctor`" + `, and leave the rest to
   your user.
3. A failed check shows what failed and names its log: fix it;
   there is nothing to mark. For each finding read the code, and its entry in the ` + "`Review:`" + ` file.
4. Fix, skip or dispute each finding, mark it, and go to 1. Reviewers check each claim: what is
   not fixed comes back under its ID, with ` + "`again`" + ` and what they saw.

## Marks

    reviewledger mark a5ntf7t8 fixed --result 'checks the length first'
    reviewledger mark a5ntf7t8 skipped --reason style --result 'house style'
    reviewledger mark a5ntf7t8 disputed --result 'the caller holds the lock, see store.go:40'
    reviewledger mark 9a1bcd duplicate 8f3kq2

- Without a mark a finding stays open even if you fixed it. Give words that a reviewer can check.
- Reasons: false_positive, accepted_risk (your user wants it so), out_of_scope,
  deferred, style. Your user's words win over a finding.
- Dispute what is wrong, once: a finding, or the word that a right fix is none. Its reviewer
  withdraws it, or it stands: then fix it, or stop and ask your user.
- ` + "`also:`" + ` (JSON: equal ` + "`group`" + `) is perhaps the same: ` + "`mark ID --group fixed`" + ` answers the whole block, each
  reviewer confirms; ` + "`duplicate`" + ` makes two one.
- ` + "`not counted:`" + ` is what a filter left out: ` + "`mark ID new`" + ` takes up a defect of this change.
- In the newest ` + "`Review:`" + ` file you may edit ` + "`status`" + ` and ` + "`result`" + `, nothing else.
- If a finding was skipped before and the reason holds, run the command that is printed.

## The trust level

Your user may name one; else it is medium.

- high: fix all; skip only what is plainly wrong.
- medium: fix what you agree with; skip taste and what is out of scope.
- low: fix only what is surely a defect of this change.

Never skip a ` + "`critical`" + ` finding without telling your user. Never weaken a test, a check or
` + "`.gauntlet/`" + ` to pass. Never use ` + "`--remember`" + `, ` + "`--as human`" + `, ` + "`--extend`" + ` or ` + "`clean`" + `: a person decides that.

## Report

Status, iterations; of all runs of this change what was fixed, and what was skipped or
disputed and why (` + "`reviewledger why RUN`" + `); what is open or left for later; errors; what ` + "`passed without a word`" + `.
`
