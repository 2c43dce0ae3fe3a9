package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newRunsCommand(global *globalOptions) *cobra.Command {
	var f format
	var filter ledger.RunFilter
	var kind string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs, newest first",
		Long: `Runs lists the fix-verify loops that the ledger knows, newest first. A table has
the newest ` + strconv.Itoa(tableRuns) + ` unless --limit says otherwise, and says where there are more;
the other formats have all.

` + queryExitCodes,
		Example: `  reviewledger runs --limit 10
  reviewledger runs --status failed,error --since 7d --limit 0
  reviewledger runs --branch feature --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter.Kind = ledger.RunKind(kind)
			newestOnly := f == formatTable && !cmd.Flags().Changed("limit")
			return runRuns(cmd.Context(), global, f, filter, newestOnly)
		},
	}
	flags := cmd.Flags()
	statuses := &wordsFlag[ledger.RunStatus]{&filter.Statuses, ledger.RunStatuses()}
	flags.Var(statuses, "status", "with one of these statuses: "+statuses.list())
	flags.Var(textFlag{&filter.Branch}, "branch", "on this branch")
	flags.Var(folderFlag{textFlag{&filter.Worktree}}, "worktree", "in the worktree in this folder")
	flags.Var(textFlag{&kind}, "kind", "of this kind: gates or code_review")
	flags.IntVar(&filter.Limit, "limit", 0, "at most so many; 0: all")
	addPeriod(flags, &filter.Started, "", "begun")
	addFormat(global, cmd, &f)
	complete(global, cmd, "status", completeWords(ledger.RunStatuses()))
	complete(global, cmd, "branch", completeBranches)
	complete(global, cmd, "kind", completeWords([]ledger.RunKind{ledger.KindGates, ledger.KindCodeReview}))
	return cmd
}

// tableRuns is how many runs a table has where nobody said how many: a ledger has
// thousands of them in the end, and who looks at a table looks at the newest.
const tableRuns = 50

func runRuns(ctx context.Context, global *globalOptions, f format, filter ledger.RunFilter, newestOnly bool) error {
	if !slices.Contains([]ledger.RunKind{"", ledger.KindGates, ledger.KindCodeReview}, filter.Kind) {
		return usageError("--kind must be gates or code_review, and is %q", string(filter.Kind))
	}
	if err := positive("limit", filter.Limit); err != nil {
		return err
	}
	if err := inOrder("", filter.Started); err != nil {
		return err
	}
	if newestOnly {
		filter.Limit = tableRuns + 1 // one more tells whether there are more
	}
	return withLedger(ctx, global, func(l *store.Store) error {
		runs, err := l.Runs(ctx, filter)
		if err != nil {
			return err
		}
		more := newestOnly && len(runs) > tableRuns
		if more {
			runs = runs[:tableRuns]
		}
		if err := printListing(global, f, listing[ledger.Run, listings.RunJSON]{
			rows: runs, item: listings.NewRunJSON, table: listings.RunsTable, nothing: "No runs.",
		}); err != nil || !more {
			return err
		}
		_, err = fmt.Fprintf(global.stdout, "\nThese are the newest %d; --limit 0 lists the older ones, too.\n", tableRuns)
		return err
	})
}

// optionalArg allows one argument or none.
func optionalArg(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError("%s takes one argument at most, and got %q as well", cmd.CommandPath(), args[1])
	}
	return nil
}

// oneArg demands one argument.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError("%s takes one argument: %s; it got %d", cmd.CommandPath(), what, len(args))
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

// heading is the first lines of what is shown of a run with so many claims that
// nobody has confirmed.
func heading(run ledger.Run, claims int) string {
	head := fmt.Sprintf("Run %s: %s\n", run.ID, console.StatusText(run.Status))
	branch := run.Branch
	if branch == "" {
		branch = "a detached HEAD"
	}
	head += fmt.Sprintf("%s on %s in %s, from %s (%.12s)\n", kindText(run.Kind), text.EscapeLine(branch), text.EscapeLine(run.Worktree), text.EscapeLine(run.BaseRef), run.Base)
	head += "Started " + text.LocalTime(run.StartedAt)
	if run.Closed() {
		head += ", closed " + text.LocalTime(run.FinishedAt)
	} else {
		head += ", still open"
	}
	head += fmt.Sprintf("; violations: %d fixed, %d skipped, %d open", run.Verified, run.Skipped, run.Open)
	if claims > 0 {
		head += fmt.Sprintf(", %d claimed", claims)
	}
	return head + "\n"
}

func kindText(kind ledger.RunKind) string {
	if kind == ledger.KindCodeReview {
		return "Code review"
	}
	return "Gates"
}
