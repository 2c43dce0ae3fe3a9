package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// statisticsOptions are the flags of report.
type statisticsOptions struct {
	filters.Statistics
	format format
	output string
}

func newReportCommand(global *globalOptions) *cobra.Command {
	var o statisticsOptions
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Show statistics across iterations and runs",
		Long: `Count what happened across iterations and runs: violations by status, iterations
until a run passes, claims that were confirmed, what recurs, and what each
reviewer found, skipped and cost. A slot counts in the period in which it
answered, a violation when it was first reported, and a run when it started. In
JSON and CSV, each count of violations comes with the command that lists exactly
those.

With --format html, write the overview, the reviewers, the files and what is
open as one self-contained file without scripts, which can be mailed.

` + queryExitCodes,
		Example: `  reviewledger report --since 30d
  reviewledger report --adapter claude --format csv
  reviewledger report --run 01KB3 --format json
  reviewledger report --since 30d --format html -o report.html`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runStatistics(cmd.Context(), global, o)
		},
	}
	o.Add(cmd.Flags())
	completeFilters(global, cmd)
	flags := cmd.Flags()
	addFormat(global, cmd, &o.format, formatCSV, formatHTML)
	addTeam(global, cmd)
	flags.VarP(filters.Text(&o.output), "output", "o", "with --format html: write to this file (default: stdout)")
	return cmd
}

func runStatistics(ctx context.Context, global *globalOptions, o statisticsOptions) error {
	if o.output != "" && o.format != formatHTML {
		return usageError("--output needs --format html: other formats go to stdout")
	}
	empty := func() error {
		f := figures.Filter{Period: o.Period, Top: o.Top}
		if o.format == formatHTML {
			return renderReport(global, pages.Report{Overview: pages.Overview{Scope: pages.Scope{Filter: f}, Empty: true}}, "", o.output)
		}
		return printStatistics(global, o, figures.New(f))
	}
	return withQuestions(ctx, global, empty, func(l *store.Store) error {
		if err := known(ctx, global, l, &o.Scope); err != nil {
			return err
		}
		f, err := o.Resolve(ctx, l)
		if err != nil {
			return err
		}
		if o.format == formatHTML {
			return writeReport(ctx, global, l, f, o.output)
		}
		s, err := l.Statistics(ctx, f)
		if err != nil {
			return err
		}
		return printStatistics(global, o, s)
	})
}

func printStatistics(global *globalOptions, o statisticsOptions, s figures.Statistics) error {
	if o.format == formatCSV {
		return listings.WriteFiguresCSV(global.stdout, listings.Statistics(s))
	}
	err := printOne(global, o.format, listings.Statistics(s), func(p *text.Page) error {
		listings.WriteStatistics(p, s)
		return nil
	})
	if err != nil || s.Open.Violations == 0 {
		return err
	}
	return printNext(global, o.format, global.asking("reviewledger violations --open --sort priority"))
}
