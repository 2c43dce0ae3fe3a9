package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// reportOptions are the flags of report.
type reportOptions struct {
	scopeFlags
	format format
	period ledger.Period
	top    int
	lists  bool
}

func newReportCommand(global *globalOptions) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Report across iterations and runs",
		Long: `Report counts what happened across iterations and runs: violations by what
became of them, iterations until a run passes, claims that were confirmed, what
keeps coming back, and what each reviewer found, skipped and cost. The period is
that of when slots answered, violations were first reported and runs began. Each
count of violations comes with the command that lists exactly those (--lists,
and in every other format).

` + queryExitCodes,
		Example: `  reviewledger report --since 30d
  reviewledger report --adapter claude --lists
  reviewledger report --run 01KB3 --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runReport(cmd.Context(), global, o)
		},
	}
	o.add(global, cmd)
	flags := cmd.Flags()
	addPeriod(flags, &o.period, "", "what happened")
	flags.IntVar(&o.top, "top", 10, "how many files, gates and recurring violations to list (0: all)")
	flags.BoolVar(&o.lists, "lists", false, "show the commands that list what was counted")
	addFormat(global, cmd, &o.format, formatCSV)
	return cmd
}

func runReport(ctx context.Context, global *globalOptions, o reportOptions) error {
	if err := positive("top", o.top); err != nil {
		return err
	}
	if err := inOrder("", o.period); err != nil {
		return err
	}
	return withLedger(ctx, global, func(l *store.Store) error {
		if err := o.resolve(ctx, l); err != nil {
			return err
		}
		s, err := l.Statistics(ctx, ledger.ReportFilter{
			Period: o.period, Run: o.run, Branch: o.branch, Worktree: o.worktree,
			Gate: o.gate, EntryPoint: o.entryPoint, Adapter: o.adapter, Top: o.top,
		})
		if err != nil {
			return err
		}
		if o.format == formatCSV {
			titles, rows := listings.FiguresCSV(listings.Figures(listings.NewReportJSON(s)))
			return text.WriteCSV(global.stdout, titles, rows)
		}
		return printOne(global, o.format, listings.NewReportJSON(s), func(w io.Writer) error {
			return listings.WriteStatistics(w, s, global.style(), global.width(), o.lists)
		})
	})
}
