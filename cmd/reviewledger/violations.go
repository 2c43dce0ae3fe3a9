package main

import (
	"bufio"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// violationsOptions are the flags of violations.
type violationsOptions struct {
	violationFlags
	format       format
	discarded    bool
	dispositions []ledger.Disposition
	sort         string
	wide         bool
}

func newViolationsCommand(global *globalOptions) *cobra.Command {
	var o violationsOptions
	cmd := &cobra.Command{
		Use:   "violations",
		Short: "List violations, or the reports that filters removed",
		Long: `List what reviewers reported, newest first. Filters are combined with "and".
With --discarded, list the reports that did not become violations instead, with
the reason.

` + queryExitCodes,
		Example: `  reviewledger violations --open
  reviewledger violations --open --wide
  reviewledger violations --file 'src/**' --priority critical,high
  reviewledger violations --status skipped --since 7d --format csv
  reviewledger violations --discarded --disposition below_threshold`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runViolations(cmd.Context(), global, o)
		},
	}
	o.add(global, cmd)
	flags := cmd.Flags()
	var discards []ledger.Disposition
	for _, d := range ledger.Dispositions() {
		if d != ledger.Accepted {
			discards = append(discards, d)
		}
	}
	dispositions := &wordsFlag[ledger.Disposition]{&o.dispositions, discards}
	sorts := &wordsFlag[ledger.Sort]{allowed: ledger.Sorts()}
	flags.BoolVar(&o.discarded, "discarded", false, "list the reports that filters removed instead")
	flags.Var(dispositions, "disposition", "with --discarded: filter by disposition: "+dispositions.list())
	flags.IntVar(&o.filter.Limit, "limit", 0, "maximum number (0 = no limit)")
	flags.StringVar(&o.sort, "sort", string(ledger.SortNewest), "sort by "+sorts.list())
	flags.BoolVar(&o.wide, "wide", false, "show the proposed fix and the code of each violation")
	addFormat(global, cmd, &o.format, formatCSV)
	complete(global, cmd, "sort", completeWords(ledger.Sorts()))
	complete(global, cmd, "disposition", completeWords(discards))
	return cmd
}

func runViolations(ctx context.Context, global *globalOptions, o violationsOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	empty := func() error {
		if o.discarded {
			return printDiscards(global, o, nil)
		}
		return printViolations(global, o, nil)
	}
	return withLedgerIfAny(ctx, global, empty, func(l *store.Store) error {
		f, err := o.resolved(ctx, l)
		if err != nil {
			return err
		}
		if o.discarded {
			found, err := l.Discarded(ctx, f, o.dispositions)
			if err != nil {
				return err
			}
			return printDiscards(global, o, found)
		}
		f.Sort = ledger.Sort(o.sort)
		found, err := l.Violations(ctx, f)
		if err != nil {
			return err
		}
		if o.wide && len(found) > 0 {
			return printWide(ctx, global, l, found)
		}
		return printViolations(global, o, found)
	})
}

func printViolations(global *globalOptions, o violationsOptions, found []ledger.ListedViolation) error {
	if o.format == formatCSV {
		titles, rows := listings.ViolationsCSV(found)
		return text.WriteCSV(global.stdout, titles, rows)
	}
	byFile := o.sort == string(ledger.SortNewest) || o.sort == string(ledger.SortFile)
	err := printListing(global, o.format, listing[ledger.ListedViolation, listings.ViolationJSON]{
		rows: found, item: listings.NewViolationJSON, nothing: "No violations.",
		table: func(found []ledger.ListedViolation) text.Table { return listings.ViolationsTable(found, byFile) },
	})
	if err != nil || len(found) == 0 {
		return err
	}
	return printNext(global, o.format, "reviewledger history "+found[0].ShortID)
}

func (o *violationsOptions) check() error {
	if !slices.Contains(ledger.Sorts(), ledger.Sort(o.sort)) {
		sorts := &wordsFlag[ledger.Sort]{allowed: ledger.Sorts()}
		return usageError("invalid --sort %q: use %s", o.sort, sorts.list())
	}
	f := o.filter
	switch {
	case o.wide && (o.format != formatTable || o.discarded):
		return usageError("--wide shows violations to people: omit it with --discarded and other formats")
	case len(o.dispositions) > 0 && !o.discarded:
		return usageError("--disposition needs --discarded")
	case o.discarded && (o.open || f.OnlyViolations()):
		return usageError("--discarded lists reports, which have no status, events, reason or fingerprint: omit those filters")
	case o.discarded && o.sort != string(ledger.SortNewest):
		return usageError("--discarded and --sort cannot be used together: reports are listed newest first")
	}
	return positive("limit", f.Limit)
}

// printWide shows violations with their fixes and code.
func printWide(ctx context.Context, global *globalOptions, l *store.Store, found []ledger.ListedViolation) error {
	code, err := l.Excerpts(ctx, found)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(global.stdout)
	if err := listings.WriteWide(out, found, code, global.style(), global.width()); err != nil {
		return err
	}
	return out.Flush()
}

func printDiscards(global *globalOptions, o violationsOptions, found []ledger.ListedReport) error {
	if o.format == formatCSV {
		titles, rows := listings.DiscardedCSV(found)
		return text.WriteCSV(global.stdout, titles, rows)
	}
	return printListing(global, o.format, listing[ledger.ListedReport, listings.ReportJSON]{
		rows: found, item: listings.NewReportJSON, table: listings.DiscardedTable, nothing: "No discarded reports.",
	})
}
