package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/slotfiles"
)

func newCleanCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "clean",
		Short: "Abandon the open run and archive its files",
		Long: `Record the marks in the review files, close the open run as abandoned, and move
its files to previous/ in the log directory, so that the next run starts over.
The ledger keeps the run.

Exit codes: 0 done, or nothing to clean; 2 error.`,
		Example: "  reviewledger clean",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runClean(cmd.Context(), global)
		},
	}
}

func runClean(ctx context.Context, global *globalOptions) error {
	return withWorkspace(ctx, global, openWorkspace, (*workspace).lockAndOpen, func(w *workspace) error {
		done, err := w.loop().Clean(ctx)
		if err != nil {
			return err
		}
		if done.Run != "" {
			w.console.Line(fmt.Sprintf("Run %s was abandoned%s.", done.Run, done.Left))
		}
		if done.Archived {
			w.console.Line("Its files are now in " + w.logs.Shown(slotfiles.PreviousName) + ".")
		}
		if done.Run == "" && !done.Archived {
			w.console.Line("Nothing to clean.")
		}
		return w.console.Err()
	})
}
