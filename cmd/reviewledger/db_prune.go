package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newDBPruneCommand(global *globalOptions) *cobra.Command {
	before := filters.When{At: new(time.Time)}
	contentOnly := false
	var o pruning
	cmd := &cobra.Command{
		Use:   "prune {--before TIME | --content-only [--before TIME]}",
		Short: "Remove old runs, or only their prompts, answers and logs",
		Long: `Remove runs that ended before a time, with their violations and history, and give
the space back to the file system. To be able to undo it, run "db backup" first.
Reports count only what is left. Without --yes, you are asked first; --dry-run only
says what would go.

These runs stay, however old they are:

  - those that are open
  - those with a skip that is remembered: see "skips" and "skips forget"
  - the latest of each worktree and log directory
  - those that failed on a tree on which an older run passed, if that one stays
  - those on whose pass a run rests that stays

With --content-only all runs and their history stay, and only the prompts, answers,
logs and code excerpts of runs that have ended go. To do this regularly, set
keep_content in the configuration.

To import a dump that holds a removed run brings the run back.

Exit codes: 0 done, 2 error, or not confirmed.`,
		Example: `  reviewledger db prune --before 365d --yes
  reviewledger db prune --content-only --yes
  reviewledger db prune --before 90d --dry-run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case before.Text == "" && !contentOnly:
				return usageError("missing --before or --content-only: --before TIME removes runs that ended before then, " +
					"and --content-only only their prompts, answers, logs and excerpts")
			case before.Text == "":
				*before.At = time.Now()
			}
			o.prune, o.removable = pruneRuns, removableRuns
			if contentOnly {
				o.prune, o.removable = pruneContent, removableContent
			}
			return runDBPrune(cmd.Context(), global, *before.At, o)
		},
	}
	cmd.Flags().BoolVar(&contentOnly, "content-only", false, "remove prompts, answers, logs and excerpts, and nothing else")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.MarkFlagsMutuallyExclusive("yes", "dry-run")
	cmd.Flags().Var(&before, "before", "only of runs that ended before this time: 90d (ago), 2026-01-31, or RFC 3339")
	return cmd
}

// pruning describes what db prune removes, and whether it asks before.
type pruning struct {
	yes, dryRun bool
	prune       pruner
	// removable says what prune would remove, and in further lines what it would keep.
	removable func(ctx context.Context, l *store.Store, before time.Time) (what, kept string, err error)
}

// pruner removes what is older than a time from a ledger. It says what it removed and, in further
// lines, what it kept.
type pruner func(ctx context.Context, l *store.Store, before time.Time, progress func(done, all int)) (removed, kept string, err error)

func pruneContent(ctx context.Context, l *store.Store, before time.Time, progress func(done, all int)) (string, string, error) {
	removed, err := l.RemoveContent(ctx, before, progress)
	return fmt.Sprintf("Removed %s of %s.", ledger.Plural(removed.Texts, "text"), ledger.Plural(removed.Runs, "run")), "", err
}

func pruneRuns(ctx context.Context, l *store.Store, before time.Time, progress func(done, all int)) (string, string, error) {
	removed, err := l.RemoveRuns(ctx, before, progress)
	kept := keptRuns(removed)
	for _, v := range removed.Skips {
		kept += fmt.Sprintf("Removed a skip: %s %s %s: %s\n", v.ShortID, text.EscapeLine(v.Place.String()), text.OnOneLine(v.Issue), text.OnOneLine(v.SkipInFull()))
	}
	return "Removed " + runsAndViolations(removed) + ".", kept, err
}

func runsAndViolations(r store.RemovedRuns) string {
	return ledger.Plural(r.Runs, "run") + " with " + ledger.Plural(r.Violations, "violation")
}

func removableRuns(ctx context.Context, l *store.Store, before time.Time) (string, string, error) {
	removable, err := l.RemovableRuns(ctx, before)
	return runsAndViolations(removable), keptRuns(removable), err
}

func removableContent(ctx context.Context, l *store.Store, before time.Time) (string, string, error) {
	runs, err := l.RunsWithContent(ctx, before)
	return "the prompts, answers, logs and excerpts of " + ledger.Plural(runs, "run"), "", err
}

// keptRuns has a line for each reason for which runs are kept.
func keptRuns(removed store.RemovedRuns) (kept string) {
	for _, reason := range []struct {
		runs         int
		one, several string
	}{
		{removed.Remembering, "has a skip that is remembered", "have skips that are remembered"},
		{removed.Latest, "is the latest of its worktree", "are the latest of their worktrees"},
		{removed.Contradicting, "failed on a tree that an older run passed", "failed on trees that older runs passed"},
		{removed.Rested, "passed, and a later run rests on that", "passed, and later runs rest on that"},
	} {
		if reason.runs > 0 {
			kept += "Kept: " + ledger.PluralVerb(reason.runs, "run", reason.one, reason.several) + ".\n"
		}
	}
	return kept
}

func runDBPrune(ctx context.Context, global *globalOptions, before time.Time, o pruning) (err error) {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	if err := expectLedger(path); err != nil {
		return err
	}
	l, err := openLedger(ctx, global, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if !o.yes {
		what, kept, err := o.removable(ctx, l, before)
		switch {
		case err != nil:
			return err
		case o.dryRun:
			_, err := fmt.Fprintf(global.stdout, "Would remove %s.\n%s", what, kept)
			return err
		case !isTerminal(global.stdin):
			return usageError("this would remove %s: --yes removes without asking, --dry-run removes nothing", what)
		case !confirmed(global.stderr, bufio.NewReader(global.stdin), "Remove "+what+" for good?"):
			return errors.New("not confirmed: nothing was removed (--yes removes without asking)")
		}
	}
	size := ledgerSize(path)
	line := newLiveLine(global)
	defer line.clear()
	removed, kept, err := o.prune(ctx, l, before, func(done, all int) { line.show("Run %d of %d", done, all) })
	if err != nil {
		return err
	}
	line.show("Giving the space back")
	if err := l.Compact(ctx); err != nil {
		return err
	}
	line.clear()
	_, err = fmt.Fprintf(global.stdout, "%s The ledger takes up %d bytes (before: %d).\n%s", removed, ledgerSize(path), size, kept)
	return err
}

// ledgerSize returns the size in bytes of the ledger and its -wal.
func ledgerSize(path string) int64 {
	size := int64(0)
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}
