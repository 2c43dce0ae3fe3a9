package main

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// searchOptions are the flags and arguments of search.
type searchOptions struct {
	filters.Violations
	format  format
	words   string
	without []string
	best    cut
}

// searchCounted is up to how many results are counted if the best are shown.
const searchCounted = 1000

func newSearchCommand(global *globalOptions) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Search the words of all reports",
		Long: `Search the issue, fix, title and result of every report, filtered ones
included, and the notes of reviewers. All arguments together are the query:

  word        must occur, in any letter case and with or without accents
  "a phrase"  these words in this order
  prefix*     words that begin with this
  -word       must not occur

Put a query with quotes or a minus into one shell argument, or a minus after --;
--without WORD does the same as -WORD. Everything else is plain text.

A violation is listed once, with its report that matches best. Flags about what
only violations have, such as --status, exclude filtered reports and notes;
--priority and --file exclude notes. The best
come first: a match in the title counts more than one in the issue, and that
more than one in the fix or the result. If very many reports match, only the
newest are ranked: at least ` + strconv.Itoa(ledger.Ranked) + `, and as many as --limit asks for.

` + queryExitCodes,
		Example: `  reviewledger search timeout
  reviewledger search '"nil pointer" parse* -test' --open
  reviewledger search retry --without test --file 'src/**' --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.words = strings.Join(args, " ")
			return runSearch(cmd.Context(), global, o)
		},
	}
	o.Add(cmd.Flags())
	completeFilters(global, cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.without, "without", nil, "a word that must not occur (repeatable)")
	filters.AddLimit(flags, &o.Filter.Limit, tableRows)
	addFormat(global, cmd, &o.format)
	addTeam(global, cmd)
	return cmd
}

func runSearch(ctx context.Context, global *globalOptions, o searchOptions) error {
	if err := filters.Positive("limit", o.Filter.Limit); err != nil {
		return err
	}
	query, err := ledger.ParseSearch(o.words, o.without)
	if err != nil {
		return usageError("%v", err)
	}
	empty := func() error { return printHits(global, o, text.All[ledger.SearchHit](nil)) }
	return withQuestions(ctx, global, empty, func(l *store.Store) error {
		if err := knownFilters(ctx, global, l, &o.Violations); err != nil {
			return err
		}
		f, err := o.Resolve(ctx, l)
		if err != nil {
			return err
		}
		o.best = cut{rows: f.Limit, which: "best", all: func() (string, error) {
			f.Limit = max(f.Limit, searchCounted) + 1
			all, err := l.CountHits(ctx, query, f)
			if all == f.Limit {
				return fmt.Sprintf("more than %d", f.Limit-1), err
			}
			return strconv.Itoa(all), err
		}}
		if f.Limit > 0 && o.format == formatTable {
			f.Limit++ // one more, to find out whether there are more
		}
		return printHits(global, o, l.EachHit(ctx, query, f))
	})
}

func printHits(global *globalOptions, o searchOptions, hits iter.Seq2[ledger.SearchHit, error]) error {
	return printListing(global, o.format, listing[ledger.SearchHit]{
		rows: hits, columns: listings.Hits, table: listings.SearchTable, cut: o.best, nothing: "Nothing matches.",
	})
}
