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

func newCompareCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare the violations of two runs",
		Long: `Show which violations only one of two runs has, and which both have, worst
first. A run is its ID or a prefix of it, last, last~1 and so on, or a branch,
whose newest run it is; code reviews can be compared, too. Two violations are
the same if they are about the same line (same fingerprint), or in the same file
and in the same words, apart from letter case, blanks and the full stop.

` + queryExitCodes,
		Example: `  reviewledger compare last~1 last
  reviewledger compare main feature --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError("`%s` takes two arguments, the runs to compare, not %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
		ValidArgsFunction: completeArgs(global, completeRunNames(global), 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCompare(cmd.Context(), global, f, args[0], args[1])
		},
	}
	addFormat(global, cmd, &f)
	addTeam(global, cmd)
	return cmd
}

func runCompare(ctx context.Context, global *globalOptions, f format, nameA, nameB string) error {
	return withQuestions(ctx, global, nil, func(l *store.Store) error {
		a, ofA, err := runWithViolations(ctx, l, nameA)
		if err != nil {
			return err
		}
		b, ofB, err := runWithViolations(ctx, l, nameB)
		if err != nil {
			return err
		}
		c := ledger.CompareViolations(ofA, ofB)
		return printOne(global, f, listings.Comparison(a, b, c), func(p *text.Page) error {
			listings.WriteComparison(p, a, b, c)
			return nil
		})
	})
}

func runWithViolations(ctx context.Context, l *store.Store, name string) (ledger.Run, []ledger.ListedViolation, error) {
	run, err := filters.FindRun(ctx, l, name)
	if err != nil {
		return run, nil, err
	}
	violations, err := l.Violations(ctx, ledger.ViolationFilter{Run: run.ID})
	return run, violations, err
}
