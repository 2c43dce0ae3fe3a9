package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export"
	"github.com/reviewledger/reviewledger/ledger"
)

func newImportCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "import PATH",
		Short: "Add what `export ndjson` wrote to the ledger",
		Long: `Import reads what "reviewledger export ndjson" wrote, from a file or, for "-",
from stdin. Where there is no ledger one is made, and becomes the one that was
written, its id included. Any other ledger gets the runs that it does not have,
each as a whole; a run that is there already stays as it is, and is named if it
differs. Importing the same again changes nothing.

With any error nothing is imported. Other writers wait for as long as it takes.

Exit codes: 0 imported, or there was nothing to add; 2 error.`,
		Example: `  reviewledger import ledger.ndjson
  reviewledger --db copy.db import ledger.ndjson`,
		Args: oneArg("the file to read, or -"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), global, args[0]) },
	}
}

func runImport(ctx context.Context, global *globalOptions, path string) (err error) {
	database, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	from := global.stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer func() { _ = file.Close() }() // it was only read
		from = file
	}
	loaded, err := importFrom(ctx, global, database, from)
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	for _, run := range loaded.Different {
		if _, err := fmt.Fprintf(global.stderr, "warning: run %s is in the ledger already, and not as it was exported; it was left as it is\n", export.EscapeLine(run)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(global.stdout, "Imported: %s; %d were there already.\n", count(loaded.Added, "run"), loaded.Known)
	return err
}

func importFrom(ctx context.Context, global *globalOptions, database string, from io.Reader) (_ ledger.Loaded, err error) {
	l, err := openLedger(ctx, global, database)
	if err != nil {
		return ledger.Loaded{}, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.Load(ctx, export.DumpReader(from))
}
