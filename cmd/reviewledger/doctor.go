package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
)

func newDoctorCommand(global *globalOptions) *cobra.Command {
	ask, reset := false, ""
	var f format
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps the loop from working, and how to fix it",
		Long: `Check git, the repository, the configuration, the base branch, each adapter in
the configuration, and the ledger, and show how to fix each problem. Nothing is
changed. For each adapter, show its model and whether its client has credentials.
Each tool is run on one file, and pytest lists its tests, for at most 30 seconds
each. To test the credentials, use --ask: it sends a one-line prompt to each
adapter, which may cost as much as any request.

An adapter that reached a limit is not asked for a while. With --reset ADAPTER
it is asked again at once.

Exit codes: 0 the loop can work, 2 it cannot.`,
		Example: `  reviewledger doctor
  reviewledger doctor --ask
  reviewledger doctor --reset claude
  reviewledger doctor --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("reset") {
				return resetAdapter(cmd.Context(), global, reset)
			}
			return runDoctor(cmd.Context(), global, ask, f)
		},
	}
	cmd.Flags().Var(filters.Text(&reset), "reset", "ask this `ADAPTER` again although it reached a limit")
	cmd.Flags().BoolVar(&ask, "ask", false, "send a one-line prompt to each adapter")
	addFormat(global, cmd, &f)
	cmd.MarkFlagsMutuallyExclusive("reset", "ask")
	complete(global, cmd, "reset", completeAdapters())
	return cmd
}

// health is how bad a finding of doctor is.
type health string

const (
	healthOK      health = "ok"
	healthWarning health = "warning" // the loop works, but the user should know about it
	healthProblem health = "problem" // the loop does not work
)

// finding is the result of one examination.
type finding struct {
	Name   string `json:"name"`
	Health health `json:"status"`
	Detail string `json:"detail"`
	// Fix is the command or change that fixes the problem, or empty.
	Fix string `json:"fix"`
}

func runDoctor(ctx context.Context, global *globalOptions, ask bool, f format) error {
	d := &doctor{global: global, ask: ask}
	d.examine(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.print(f); err != nil {
		return err
	}
	problems := 0
	for _, found := range d.findings {
		if found.Health == healthProblem {
			problems++
		}
	}
	if problems > 0 {
		return exitStatus(exitError)
	}
	return nil
}

func (d *doctor) print(f format) error {
	if f != formatTable {
		return printItems(d.global.stdout, f, d.findings)
	}
	for _, found := range d.findings {
		if _, err := fmt.Fprintln(d.global.stdout, found.line()); err != nil {
			return err
		}
	}
	return nil
}

// line formats the finding for people, with the fix below it.
func (f finding) line() string {
	line := fmt.Sprintf("[%s]%s%s: %s", strings.ToUpper(string(f.Health)), strings.Repeat(" ", len(healthProblem)+1-len(f.Health)),
		text.EscapeLine(f.Name), text.EscapeLine(f.Detail))
	if f.Fix != "" {
		line += "\n            fix: " + text.EscapeLine(f.Fix)
	}
	return line
}
