package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/text"
)

func newCleanCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Abandon the open run and archive its files",
		Long: `Record the marks in the review files, close the open run as abandoned, and move
its files to previous/ in the log directory, so that the next run starts over.
The ledger keeps the run.

Exit codes: 0 done, or nothing to clean; 2 error.`,
		Example: "  reviewledger clean",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runClean(cmd.Context(), global, f)
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// cleanJSON says what was cleaned.
type cleanJSON struct {
	Run        *string `json:"run"`
	Open       int     `json:"open"`
	Unverified int     `json:"unverified"`
	Failing    int     `json:"failing"`
	Errors     int     `json:"errors"`
	Archived   *string `json:"archived"`
}

func runClean(ctx context.Context, global *globalOptions, f format) error {
	return withWorkspace(ctx, global, openWorkspace, (*workspace).lockAndOpen, func(w *workspace) error {
		done, err := w.loop().Clean(ctx)
		if err != nil {
			return err
		}
		answer := cleanJSON{Open: len(done.Left.Open), Unverified: len(done.Left.Claims), Failing: len(done.Left.Failing), Errors: len(done.Left.Erred)}
		if done.Run != "" {
			answer.Run = &done.Run
		}
		if done.Archived {
			answer.Archived = new(w.logs.Shown(slotfiles.PreviousName))
		}
		return printOne(global, f, answer, func(p *text.Page) error {
			if done.Run != "" {
				p.Words("Run %s was abandoned%s.", done.Run, done.Left.Abandoned())
			}
			if done.Archived {
				p.Words("Its files are now in %s.", text.OnOneLine(*answer.Archived))
			}
			if done.Run == "" && !done.Archived {
				p.Line("Nothing to clean.")
			}
			return nil
		})
	})
}
