package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger"
)

func newValidateCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration",
		Long: `Read the whole configuration and report every problem with its file and line.

Exit codes: 0 valid, 2 not valid.`,
		Example: "  reviewledger validate",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runValidate(cmd.Context(), global)
		},
	}
}

func runValidate(ctx context.Context, global *globalOptions) error {
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	c := w.config
	w.console.Line(fmt.Sprintf("The configuration is valid: %s, %s, %s.",
		ledger.Plural(len(c.EntryPoints), "entry point"), ledger.Plural(len(c.Checks), "check"), ledger.Plural(len(c.Reviews), "review")))
	return w.console.Err()
}
