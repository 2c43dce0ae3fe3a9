package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	verdictfile "github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// newExportCommand returns a command with one subcommand for each format.
func newExportCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write recorded runs in a format for other tools",
		Long: `Write the state of a recorded run in the given format, to stdout or to a file. It
is the latest run of this worktree, unless --run names another.`,
		Example: "  reviewledger export sarif -o reviewledger.sarif\n  reviewledger export verdict\n  reviewledger export ndjson",
		Args:    unknownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newExportSARIFCommand(global),
		newExportSlotCommand(global),
		newExportNDJSONCommand(global),
		newExportVerdictCommand(global),
	)
	cmd.AddCommand(newExportToolCommands(global)...)
	return cmd
}

// addOutput adds the flag --output, which every export has.
func addOutput(cmd *cobra.Command, output *string) {
	cmd.Flags().VarP(filters.Text(output), "output", "o", "write to this file, whole or not at all (default: stdout)")
}

func newExportVerdictCommand(global *globalOptions) *cobra.Command {
	run, output := "", ""
	cmd := &cobra.Command{
		Use:   "verdict",
		Short: "Write a recorded run as a verdict",
		Long: `Write a recorded run in the format of .code-review/review-latest.json: a code
review as it is in the ledger, or a run of gates in the words of a verdict (its
review ID is derived from the run ID; new is open, skipped is wont_fix).

Exit codes: 0 done, whatever the verdict; 2 error.`,
		Example: `  reviewledger export verdict
  reviewledger export verdict --run 01KB3`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExportVerdict(cmd.Context(), global, run, output)
		},
	}
	addOutput(cmd, &output)
	cmd.Flags().StringVar(&run, "run", "", "run ID or prefix, or a review ID of this worktree (default: the latest code review of this worktree)")
	return cmd
}

func runExportVerdict(ctx context.Context, global *globalOptions, run, output string) error {
	return withWorkspace(ctx, global, openForQuestion, (*workspace).openToRead, func(w *workspace) error {
		if w.ledger == nil {
			return fmt.Errorf("nothing is recorded yet: no ledger at %q", w.databasePath())
		}
		v, err := w.findVerdict(ctx, run)
		if err != nil {
			return err
		}
		data, err := verdictfile.MarshalVerdict(v.Document())
		if err != nil {
			return err
		}
		return global.writeTo(output, data)
	})
}

// findVerdict returns the verdict of a run ID, of a review ID, or for "" of the latest code review.
func (w *workspace) findVerdict(ctx context.Context, given string) (verdict.Verdict, error) {
	if given == "" || verdict.IsReviewID(given) {
		v, err := w.ledger.Review(ctx, w.worktree().Place(ledger.KindCodeReview, verdict.Dir), given)
		switch {
		case !errors.Is(err, ledger.ErrNotFound):
			return v, err
		case given == "":
			return v, fmt.Errorf("no code review of this worktree is recorded; use --run to export another run")
		}
		return v, fmt.Errorf("no code review %q of this worktree is recorded", given)
	}
	run, err := filters.FindRun(ctx, w.ledger, given)
	if err != nil {
		return verdict.Verdict{}, err
	}
	v, err := w.ledger.Verdict(ctx, run.ID)
	if errors.Is(err, ledger.ErrNotFound) {
		return v, fmt.Errorf("run %q does not have a verdict: its review did not finish", run.ID)
	}
	return v, err
}
