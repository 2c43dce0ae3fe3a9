package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newRunsCommand(global *globalOptions) *cobra.Command {
	var f format
	var runs filters.Runs
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs, newest first",
		Long: `List the runs in the ledger, newest first. A table shows the newest ` + strconv.Itoa(tableRows) + ` unless
--limit is given; the other formats show all.

` + queryExitCodes,
		Example: `  reviewledger runs --limit 10
  reviewledger runs --status failed,error --since 7d --limit 0
  reviewledger runs --branch feature --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			newestOnly := f == formatTable && !cmd.Flags().Changed("limit")
			return runRuns(cmd.Context(), global, f, runs, newestOnly)
		},
	}
	runs.Add(cmd.Flags())
	addFormat(global, cmd, &f)
	addTeam(global, cmd)
	completeFilters(global, cmd)
	return cmd
}

func runRuns(ctx context.Context, global *globalOptions, f format, o filters.Runs, newestOnly bool) error {
	filter, err := o.Resolve()
	if err != nil {
		return err
	}
	var newest cut
	if newestOnly { // a ledger may have thousands of runs
		newest.rows, newest.which = tableRows, "newest"
		filter.Limit = tableRows + 1 // one more, to find out whether there are more
	}
	empty := func() error { return printRuns(global, f, nil, newest) }
	return withQuestions(ctx, global, empty, func(l *store.Store) error {
		if err := known(ctx, global, l, &o.Scope); err != nil {
			return err
		}
		runs, err := l.Runs(ctx, filter)
		if err != nil {
			return err
		}
		newest.all = func() (string, error) {
			filter.Limit = 0
			all, err := l.Runs(ctx, filter)
			return strconv.Itoa(len(all)), err
		}
		return errors.Join(warnOfKilled(ctx, global, runs), printRuns(global, f, runs, newest))
	})
}

func printRuns(global *globalOptions, f format, runs []ledger.Run, newest cut) error {
	return printListing(global, f, listing[ledger.Run]{
		rows: text.All(runs), columns: listings.Runs, table: listings.RunsTable, nothing: "No runs.", cut: newest,
	})
}

// optionalArg accepts at most one argument.
func optionalArg(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError("unexpected argument %q: `%s` takes one argument at most", args[1], cmd.CommandPath())
	}
	return nil
}

// oneArg requires exactly one argument.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError("`%s` takes one argument, %s, not %d", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// heading returns the first lines of the description of a run.
func heading(run ledger.Run) string {
	head := fmt.Sprintf("Run %s: %s\n", run.ID, console.StatusText(run.Status))
	if run.Verdict != "" && run.Status == run.Verdict.RunStatus() {
		head = fmt.Sprintf("Run %s: %s\n", run.ID, run.Verdict)
	}
	branch := run.Branch
	if branch == "" {
		branch = "a detached HEAD"
	}
	head += fmt.Sprintf("%s on %s", kindText(run), text.EscapeLine(branch))
	if place := cmp.Or(run.Worktree, run.Repository.Key); place != "" { // a team store may know neither
		head += " in " + text.EscapeLine(place)
	}
	head += fmt.Sprintf(", from %s (%.12s)\n", text.EscapeLine(run.BaseRef), run.Base)
	head += "Started " + text.LocalTime(run.StartedAt)
	if run.Closed() {
		head += ", closed " + text.LocalTime(run.FinishedAt)
	} else {
		head += ", still open"
	}
	head += fmt.Sprintf("; violations: %d verified, %d skipped, %d open", run.Verified, run.Skipped, run.StillOpen())
	for _, more := range []struct {
		n    int
		word string
	}{{run.Withdrawn, "withdrawn"}, {run.Abandoned(), "abandoned"}, {run.Claimed, "claimed"}} {
		if more.n > 0 {
			head += fmt.Sprintf(", %d %s", more.n, more.word)
		}
	}
	return head
}

func kindText(run ledger.Run) string {
	switch {
	case run.Kind != ledger.KindCodeReview:
		return "Gates"
	case run.ReviewID != "":
		return "Code review " + run.ReviewID
	}
	return "Code review"
}
