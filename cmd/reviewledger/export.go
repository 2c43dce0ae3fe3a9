package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// newExportCommand holds one command for each format.
func newExportCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write recorded runs in a format for other tools",
		Long: `Export writes what is recorded to stdout, in the format that is named.

Exit codes: 0 written, 2 error.`,
		Example: "  reviewledger export verdict\n  reviewledger export ndjson",
		Args:    unknownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newExportNDJSONCommand(global),
		newExportVerdictCommand(global),
	)
	return cmd
}

func newExportVerdictCommand(global *globalOptions) *cobra.Command {
	run := ""
	cmd := &cobra.Command{
		Use:   "verdict",
		Short: "Write a recorded run as a verdict to stdout",
		Long: `Verdict writes a recorded run in the form of .code-review/review-latest.json: a
code review as it stands in the ledger, or a run of gates in the verdict's words
(its review id is made from the run's; new is open, skipped is wont_fix).

Exit codes: 0 written, whatever the verdict; 2 error.`,
		Example: `  reviewledger export verdict
  reviewledger export verdict --run 01KB3X9ZT5M8W0S4Q2V7C1N6RD`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExportVerdict(cmd.Context(), global, run)
		},
	}
	cmd.Flags().StringVar(&run, "run", "", "the run's id or a prefix of it, or a review id of this worktree (default: the latest code review of this worktree)")
	return cmd
}

func runExportVerdict(ctx context.Context, global *globalOptions, run string) (err error) {
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return err
	}
	w := &workspace{global: global, repo: repo}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.openExistingLedger(ctx); err != nil {
		return err
	}
	if w.ledger == nil {
		return fmt.Errorf("nothing is recorded yet: there is no ledger at %q", w.databasePath())
	}
	id, err := w.findVerdict(ctx, run)
	if err != nil {
		return err
	}
	v, err := w.ledger.Verdict(ctx, id)
	if errors.Is(err, ledger.ErrNotFound) {
		return fmt.Errorf("run %q has no verdict: its review did not come to an end", id)
	}
	if err != nil {
		return err
	}
	data, err := verdict.MarshalVerdict(v.Document())
	if err != nil {
		return err
	}
	_, err = global.stdout.Write(data)
	return err
}

// findVerdict is the run that is meant by a run's id, a review id, or nothing.
func (w *workspace) findVerdict(ctx context.Context, given string) (string, error) {
	switch {
	case given == "":
		run, err := w.ledger.LatestReview(ctx, ledger.Scope{Kind: ledger.KindCodeReview, Worktree: w.repo.Root, LogDir: ledger.VerdictDir})
		if errors.Is(err, ledger.ErrNotFound) {
			return "", fmt.Errorf("no code review of this worktree is recorded; --run names any other run")
		}
		return run, err
	case ledger.IsReviewID(given):
		run, err := w.ledger.FindReview(ctx, ledger.Scope{Kind: ledger.KindCodeReview, Worktree: w.repo.Root, LogDir: ledger.VerdictDir}, given)
		if errors.Is(err, ledger.ErrNotFound) {
			return "", fmt.Errorf("no code review %q of this worktree is recorded", given)
		}
		return run, err
	}
	run, err := findRun(ctx, w.ledger, given)
	return run.ID, err
}
