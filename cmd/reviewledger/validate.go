package main

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/spf13/cobra"
)

func newValidateCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration",
		Long: `Validate reads the whole configuration and reports everything that is wrong with
it, each with file and line.

Exit codes: 0 sound, 2 not.`,
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
	w.console.Line(fmt.Sprintf("The configuration is sound: %s, %s, %s.",
		ledger.Plural(len(c.EntryPoints), "entry point"), ledger.Plural(len(c.Checks), "check"), ledger.Plural(len(c.Reviews), "review")))
	return w.console.Err()
}
