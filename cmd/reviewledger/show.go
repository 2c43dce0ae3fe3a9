package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newShowCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "Show a run: iterations, gates and slots",
		Long: `Show the result of every check and slot in every iteration of a run, and what has
been fixed, skipped, withdrawn or joined in it. The default is the latest run of
this worktree, if it has one, which is also called last; name another by its ID,
a unique prefix, last~1 (the one before) or a branch.

` + queryExitCodes,
		Example: `  reviewledger show
  reviewledger show last
  reviewledger show 01KB3 --format json`,
		Args:              optionalArg,
		ValidArgsFunction: completeArgs(global, completeRuns(global), 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runShow(cmd.Context(), global, f, first(args))
		},
	}
	addFormat(global, cmd, &f)
	addTeam(global, cmd)
	return cmd
}

// settledStatuses are the statuses of violations that the summary of an open run counts but does
// not list. maxSettled is how many of these are shown.
var settledStatuses = []ledger.Status{ledger.StatusFixed, ledger.StatusVerified, ledger.StatusSkipped, ledger.StatusWithdrawn, ledger.StatusDuplicate}

const maxSettled = 20

func runShow(ctx context.Context, global *globalOptions, f format, id string) error {
	none := func() error { return filters.ErrNoRuns }
	return withQuestions(ctx, global, none, func(l *store.Store) error {
		run, err := filters.FindRun(ctx, l, id)
		if err != nil {
			return err
		}
		state, err := l.RunDetail(ctx, run.ID)
		if err != nil {
			return err
		}
		if err := warnOfKilled(ctx, global, []ledger.Run{run}); err != nil {
			return err
		}
		err = printOne(global, f, listings.Show(state), func(p *text.Page) error {
			settled, err := l.Violations(ctx, ledger.ViolationFilter{Run: run.ID, Statuses: settledStatuses, Limit: maxSettled})
			if err != nil {
				return err
			}
			p.Words("%s", heading(run))
			if looked := state.Passed(); looked != nil {
				p.Words("%s", text.EscapeLine(looked.Sentence()))
			}
			p.Line("")
			if len(state.Iterations) > 0 {
				p.Table(listings.ShowDetails(state))
				if run.Open > 0 && len(settled) > 0 {
					p.Line("\nBesides %s:", ledger.Plural(run.Open, "open violation"))
				}
				p.Below(listings.ViolationsTable(settled, false))
			}
			return nil
		})
		if err != nil {
			return err
		}
		return printNext(global, f, afterShow(global, run))
	})
}

// afterShow returns the command to run after show. It lists the run's violations, or explains its
// status if there are none.
func afterShow(global *globalOptions, run ledger.Run) string {
	if run.Open+run.Claimed+run.Skipped+run.Withdrawn+run.Verified > 0 {
		return global.asking("reviewledger violations --run " + run.ID)
	}
	return global.asking("reviewledger why " + run.ID)
}
