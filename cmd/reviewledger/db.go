package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newDBCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Find, check and back up the ledger's database",
		Long: `DB finds, checks and backs up the ledger's database.

Exit codes: 0 done, 2 error, or not sound.`,
		Example: `  reviewledger db path
  reviewledger db check
  reviewledger db backup copy.db`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDBPathCommand(global), newDBCheckCommand(global), newDBBackupCommand(global))
	return cmd
}

func newDBPathCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the ledger's database is",
		Long:  "Path prints the absolute path of the ledger's database, whether or not it exists.\n\nExit codes: 0 printed, 2 error.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := ledgerPath(cmd.Context(), global)
			if err == nil {
				path, err = filepath.Abs(path)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(global.stdout, path)
			return err
		},
	}
}

func newDBCheckCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check that the ledger is sound",
		Long: `Check looks for damage in the database file, for rows that refer to none, and for
rows that contradict one another, and lists what it finds.

Exit codes: 0 sound, 2 not sound, or error.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDBCheck(cmd.Context(), global) },
	}
}

func runDBCheck(ctx context.Context, global *globalOptions) error {
	return withLedger(ctx, global, func(l *store.Store) error {
		problems, err := l.Problems(ctx)
		if err != nil {
			return err
		}
		for _, problem := range problems {
			if _, err := fmt.Fprintln(global.stdout, text.EscapeLine(problem)); err != nil {
				return err
			}
		}
		if len(problems) > 0 {
			return fmt.Errorf("the ledger %q is not sound: %d found; restore a backup, or ask for help with this list", l.Path(), len(problems))
		}
		_, err = fmt.Fprintf(global.stdout, "The ledger %s is sound.\n", text.EscapeLine(l.Path()))
		return err
	})
}

func newDBBackupCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger while others write to it",
		Long: `Backup writes the ledger as it is at this moment to a new file. Others may go on
writing to the ledger meanwhile. Name the copy with --db to ask it.

Exit codes: 0 written, 2 error.`,
		Example: "  reviewledger db backup copy.db",
		Args:    oneArg("the file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLedger(cmd.Context(), global, func(l *store.Store) error {
				if err := l.Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(global.stdout, "Written: %s\n", text.EscapeLine(args[0]))
				return err
			})
		},
	}
}
