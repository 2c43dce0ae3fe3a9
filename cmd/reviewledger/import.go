package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newImportCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "import PATH",
		Short: "Add what `export ndjson` wrote to the ledger",
		Long: `Import reads what "reviewledger export ndjson" wrote, from a file or, for "-",
from stdin. Where there is no ledger one is made, and becomes the one that was
written, its id included. Any other ledger gets the runs that it does not have.
One that is open there, or a code review, of which the file has a later state
is brought forward to it. Every other run stays as it is; where the file has
more or other rows of it, it is named. Importing the same again changes nothing,
and what is older than the ledger, neither.

A run that is open is left out, and named, while another run of the same
worktree and log directory is open in the ledger, as there can be only one: runs
of two machines may have the same path. When either has ended, export its ledger
again, and import that.

With any error nothing is imported, and no ledger made. Other writers wait for
as long as it takes.

Exit codes: 0 imported, or there was nothing to add; 2 error, or a run was left
out.`,
		Example: `  reviewledger import ledger.ndjson
  reviewledger --db all.db import ledger-of-ci.ndjson
  gunzip -c ledger.ndjson.gz | reviewledger --db all.db import -`,
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
	collectRarely(global)
	loaded, err := store.Import(ctx, database, ledgerOptions(global, database), exchange.DumpReader(from))
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	return tellLoaded(global, loaded)
}

// tellLoaded says what an import did. Where a run was left out that is an error, so
// that nobody takes the ledger for complete.
func tellLoaded(global *globalOptions, loaded store.Loaded) error {
	var said strings.Builder
	for _, run := range loaded.Different {
		fmt.Fprintf(&said, "warning: run %s is in the ledger already, and not as it was exported; it was left as it is (to have the exported one, import into another ledger, with --db)\n", text.EscapeLine(run))
	}
	for _, left := range loaded.LeftOut {
		fmt.Fprintf(&said, "error: run %s was left out: it is open, and so is run %s of the same worktree %q and log directory %q in the ledger, where only one can be; when either has ended (it passed, or by `reviewledger clean`), export its ledger again, and import that\n",
			text.EscapeLine(left.Run), left.Open, left.Worktree, left.LogDir)
	}
	if _, err := io.WriteString(global.stderr, said.String()); err != nil {
		return err
	}
	line := fmt.Sprintf("Imported: %s; %d brought forward; %d were there already", ledger.Plural(loaded.Added, "run"), loaded.Forwarded, loaded.Known)
	if len(loaded.LeftOut) > 0 {
		line += fmt.Sprintf("; %d left out", len(loaded.LeftOut))
	}
	if _, err := fmt.Fprintln(global.stdout, line+"."); err != nil || len(loaded.LeftOut) == 0 {
		return err
	}
	return exitStatus(exitError)
}
