package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/gate/scratch"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newDBCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Locate, check, measure and back up the ledger database",
		Long: `Locate, check, measure and back up the ledger database.

Exit codes: 0 done, 2 error or damage.`,
		Example: `  reviewledger db path
  reviewledger db check
  reviewledger db backup copy.db`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDBPathCommand(global), newDBCheckCommand(global), newDBBackupCommand(global), newDBStatsCommand(global), newDBPruneCommand(global))
	return cmd
}

func newDBPathCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:     "path",
		Short:   "Print the path of the ledger database",
		Long:    `Print the absolute path of the ledger database, whether or not it exists.`,
		Example: "  reviewledger db path",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := ledgerPath(cmd.Context(), global)
			if err == nil {
				path, err = filepath.Abs(path)
			}
			if err != nil {
				return err
			}
			answer := pathJSON{Path: path, Exists: expectLedger(path) == nil}
			return printOne(global, f, answer, func(p *text.Page) error {
				p.Line("%s", path)
				return nil
			})
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// pathJSON is the path of a ledger.
type pathJSON struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

func newDBCheckCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the ledger for damage",
		Long: `Look for damage in the database file, for references to missing rows, and for
rows that contradict each other, and list every problem.

Exit codes: 0 no problems, 2 problems or error.`,
		Example: "  reviewledger db check",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDBCheck(cmd.Context(), global, f) },
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// checkJSON says what is wrong with a ledger: what it means, what to do, and each problem.
type checkJSON struct {
	Path     string   `json:"path"`
	Means    *string  `json:"means"`
	Fix      *string  `json:"fix"`
	Problems []string `json:"problems"`
}

func runDBCheck(ctx context.Context, global *globalOptions, f format) error {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	var problems []string
	failed := withLedgerAt(ctx, global, path, func(l *store.Store) (err error) {
		line := newLiveLine(global)
		defer line.clear()
		problems, err = l.Problems(ctx, func(done, all int) { line.show("Check %d of %d", done+1, all) })
		return err
	})
	answer := checkJSON{Path: path, Problems: append([]string{}, problems...)}
	damage := store.DamageOf(problems)
	if failed != nil {
		if damage = store.DamageIn(failed); damage == (store.Damage{}) {
			return failed
		}
		answer.Problems = append(answer.Problems, failed.Error())
	}
	if len(answer.Problems) > 0 {
		answer.Means, answer.Fix = &damage.Means, &damage.Fix
	}
	err = printOne(global, f, answer, func(p *text.Page) error {
		if answer.Means == nil {
			p.Line("The ledger %s has no problems.", text.EscapeLine(path))
			return nil
		}
		p.Words("%s %s.\nWhat to do: %s.", text.EscapeLine(path), damage.Means, damage.Fix)
		for _, problem := range problems { // an error follows on stderr
			p.Line("  %s", text.EscapeLine(problem))
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case failed == nil && len(problems) > 0:
		return fmt.Errorf("the ledger %q has problems (%d found)", path, len(problems))
	}
	return failed
}

func newDBBackupCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger, even while it is in use",
		Long: `Write a copy of the current ledger to a new file. Other processes can keep
writing to the ledger. To query the copy, use --db.`,
		Example: "  reviewledger db backup copy.db",
		Args:    oneArg("the file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Remove files that a killed backup left there.
			if err := scratch.Sweep(filepath.Dir(args[0]), time.Now()); err != nil {
				console.NewConsole(global.stdout, global.stderr, global.style()).Warn(leftBehind(err))
			}
			return withLedger(cmd.Context(), global, func(l *store.Store) error {
				if err := l.Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				return printOne(global, f, pathJSON{Path: args[0], Exists: true}, func(p *text.Page) error {
					p.Line("Written: %s", text.EscapeLine(args[0]))
					return nil
				})
			})
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

func newDBStatsCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show what takes up space in the ledger, and how it grows",
		Long: `Show how much space each part of the ledger takes up, the prompts, answers and logs
by kind, and how much each month added. It reads the whole database.

To remove old prompts, answers and logs, use "db prune".

` + queryExitCodes,
		Example: `  reviewledger db stats
  reviewledger db stats --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDBStats(cmd.Context(), global, f) },
	}
	addFormat(global, cmd, &f)
	return cmd
}

func runDBStats(ctx context.Context, global *globalOptions, f format) error {
	return withLedger(ctx, global, func(l *store.Store) error {
		sizes, err := l.Sizes(ctx)
		if err != nil {
			return err
		}
		return printOne(global, f, listings.SizesJSON{Path: l.Path(), Sizes: sizes}, func(p *text.Page) error {
			p.Line("%s: %s, %s of it free", text.EscapeLine(l.Path()), text.Bytes(sizes.Bytes), text.Bytes(sizes.Free))
			p.Below(listings.SizesTables(sizes))
			return nil
		})
	})
}
