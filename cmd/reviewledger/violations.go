package main

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
)

type violationsOptions struct {
	filters.ViolationList
	format format
	wide   bool
	// worktrees is set if the table has a column for them.
	worktrees bool
	// nothing is printed if there are no violations.
	nothing string
	cut     cut
}

func newViolationsCommand(global *globalOptions) *cobra.Command {
	var o violationsOptions
	cmd := &cobra.Command{
		Use:   "violations",
		Short: "List violations, or filtered reports",
		Long: `List what reviewers reported: the table worst first, and
on a terminal the first ` + strconv.Itoa(tableRows) + ` without --limit; JSON and CSV newest first.
--format unix writes FILE:LINE:COLUMN: MESSAGE [PRIORITY ID], worst first, for the
lists of editors (docs/editors.md); files are relative to the root of the repository.
--open lists those of this worktree; with --worktree all, those of all
worktrees, and the table says of which. With --discarded, list filtered reports
instead, with the reason.

` + queryExitCodes,
		Example: `  reviewledger violations --open
  reviewledger violations --open --wide
  reviewledger violations --open --format unix
  reviewledger violations --file 'src/**' --priority critical,high
  reviewledger violations --status skipped --since 7d --format csv
  reviewledger violations --discarded --disposition below_threshold`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("sort") && (o.format == formatTable || o.format == formatUnix) && !o.Discarded {
				o.Sort = ledger.SortPriority // people look for the worst, programs for what is new
			}
			if o.cut.rows = global.cutOnTerminal(cmd, o.format); o.cut.rows > 0 {
				o.Filter.Limit = o.cut.rows + 1 // one more, to find out whether there are more
			}
			return runViolations(cmd.Context(), global, o)
		},
	}
	o.Add(cmd.Flags())
	sort := cmd.Flags().Lookup("sort")
	sort.DefValue = ""
	sort.Usage += " (default: priority for table and unix, newest for other formats)"
	cmd.Flags().BoolVar(&o.wide, "wide", false, "show the proposed fix and the code of each violation")
	addFormat(global, cmd, &o.format, formatCSV, formatUnix)
	addTeam(global, cmd)
	completeFilters(global, cmd)
	complete(global, cmd, "sort", completeWords(ledger.Sorts()))
	return cmd
}

func runViolations(ctx context.Context, global *globalOptions, o violationsOptions) error {
	if o.wide && (o.format != formatTable || o.Discarded) {
		return usageError("--wide shows violations to people: omit it with --discarded and other formats")
	}
	if o.format == formatUnix && o.Discarded {
		return usageError("--format unix lists violations: omit it with --discarded")
	}
	empty := func() error {
		if o.Discarded {
			return printDiscards(global, o, text.All[ledger.Report](nil))
		}
		return printViolations(global, o, text.All[ledger.ListedViolation](nil))
	}
	return withQuestions(ctx, global, empty, func(l *store.Store) error {
		if err := knownFilters(ctx, global, l, &o.Violations); err != nil {
			return err
		}
		others, err := here(ctx, global, l, &o.Violations)
		if err != nil {
			return err
		}
		if others {
			o.nothing = "No violations are open in this worktree. In all worktrees: `reviewledger violations --open --worktree all`"
		}
		o.worktrees = o.Worktree == filters.AllWorktrees
		f, err := o.Resolve(ctx, l)
		if err != nil {
			return err
		}
		all := f
		all.Limit, o.cut.which = 0, "first"
		o.cut.all = func() (string, error) {
			facets, err := l.Facets(ctx, all)
			return strconv.Itoa(facets.Violations.Violations), err
		}
		switch {
		case o.Discarded:
			o.cut.all = func() (string, error) { return countRows(l.EachDiscarded(ctx, all, o.Dispositions)) }
			return printDiscards(global, o, l.EachDiscarded(ctx, f, o.Dispositions))
		case o.wide:
			return printWide(ctx, global, o, l, f)
		}
		return printViolations(global, o, l.EachViolation(ctx, f))
	})
}

func printViolations(global *globalOptions, o violationsOptions, found iter.Seq2[ledger.ListedViolation, error]) error {
	if o.format == formatUnix {
		return listings.WriteUnix(global.stdout, found)
	}
	next := "" // suggests the history of the first open violation
	return printListing(global, o.format, listing[ledger.ListedViolation]{
		rows: found, columns: listings.Violations, nothing: cmp.Or(o.nothing, "No violations."), cut: o.cut,
		table: func(found []ledger.ListedViolation) text.Table {
			open := max(0, slices.IndexFunc(found, func(v ledger.ListedViolation) bool { return v.Shown().Open() }))
			next = global.asking("reviewledger history " + found[open].ShortID)
			return listings.ViolationsTable(found, o.worktrees)
		},
		next: func() string { return next },
	})
}

// printWide prints violations with their fixes and code.
func printWide(ctx context.Context, global *globalOptions, o violationsOptions, l *store.Store, f ledger.ViolationFilter) error {
	found, err := lists.Collect(cutRows(&o.cut, l.EachViolation(ctx, f)))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return printViolations(global, o, text.All(found))
	}
	code, err := l.Excerpts(ctx, found)
	if err != nil {
		return err
	}
	page := global.newPage()
	found, _ = ledger.Together(found)
	listings.WriteWide(page, found, code)
	return errors.Join(global.print(page), o.cut.print(global))
}

func printDiscards(global *globalOptions, o violationsOptions, found iter.Seq2[ledger.Report, error]) error {
	return printListing(global, o.format, listing[ledger.Report]{
		rows: found, columns: listings.Reports, table: listings.DiscardedTable, nothing: "No discarded reports.", cut: o.cut,
	})
}
