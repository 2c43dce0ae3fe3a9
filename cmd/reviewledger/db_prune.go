package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newDBPruneCommand(global *globalOptions) *cobra.Command {
	before := filters.When{At: new(time.Time)}
	contentOnly := false
	cmd := &cobra.Command{
		Use:   "prune --content-only",
		Short: "Remove prompts, answers and logs from the ledger",
		Long: `Remove the prompts, answers, logs and code excerpts of runs that have ended, and
give the space back to the file system. Runs, violations and their history stay,
and so does everything of a run that is open. There is no confirmation prompt.

To do this regularly, set keep_content in the configuration.

Exit codes: 0 done, 2 error.`,
		Example: `  reviewledger db prune --content-only
  reviewledger db prune --content-only --before 90d`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !contentOnly {
				return usageError("missing --content-only: only prompts, answers, logs and excerpts can be removed")
			}
			if before.Text == "" {
				*before.At = time.Now()
			}
			return runDBPrune(cmd.Context(), global, *before.At)
		},
	}
	cmd.Flags().BoolVar(&contentOnly, "content-only", false, "remove prompts, answers, logs and excerpts, and nothing else")
	cmd.Flags().Var(&before, "before", "only of runs that ended before this time: 90d (ago), 2026-01-31, or RFC 3339")
	return cmd
}

func runDBPrune(ctx context.Context, global *globalOptions, before time.Time) (err error) {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open ledger %q: %w", path, store.ErrMissing)
	}
	l, err := openLedger(ctx, global, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	size := ledgerSize(path)
	line := newLiveLine(global)
	defer line.clear()
	removed, err := l.RemoveContent(ctx, before, func(done, all int) { line.show("Run %d of %d", done, all) })
	if err != nil {
		return err
	}
	line.show("Giving the space back")
	if err := l.Compact(ctx); err != nil {
		return err
	}
	line.clear()
	_, err = fmt.Fprintf(global.stdout, "Removed %s of %s. The ledger takes up %d bytes (before: %d).\n",
		ledger.Plural(removed.Texts, "text"), ledger.Plural(removed.Runs, "run"), ledgerSize(path), size)
	return err
}

// ledgerSize is the size of the ledger with what is not yet merged into it, in bytes.
func ledgerSize(path string) int64 {
	size := int64(0)
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}
