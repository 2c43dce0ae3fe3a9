package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newImportCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Import the output of `export ndjson` into the ledger",
		Long: `Read the output of "reviewledger export ndjson" from a file, or from stdin for
"-". If there is no ledger, one is created as an exact copy, with the same ID.
Otherwise, the runs that the ledger does not have are added. An open run or a
code review is updated if the file has a later state of it. All other runs stay
as they are; a warning names those that differ from the file. Importing the same
or an older dump again changes nothing.

An open run is not imported, with an error that names it, while another run of the
same worktree and log directory is open in the ledger: only one can be open, and
worktrees on two machines may have the same path. When one of them has ended,
export that ledger again and import it.

If the file has an error, nothing is imported and no ledger is created. Other
writers wait until the import ends.

Exit codes: 0 imported, or nothing to add; 2 error, or a run was left out.`,
		Example: `  reviewledger import ledger.ndjson
  reviewledger --db all.db import ledger-of-ci.ndjson
  gunzip -c ledger.ndjson.gz | reviewledger --db all.db import -`,
		Args: oneArg("the file to read, or -"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd.Context(), global, f, args[0]) },
	}
	addAnswer(global, cmd, &f)
	return cmd
}

func runImport(ctx context.Context, global *globalOptions, f format, path string) error {
	database, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	if err := sweepBeside(database, time.Now()); err != nil {
		console.NewConsole(global.stdout, global.stderr, global.style()).Warn(leftBehind(err))
	}
	loaded, err := importDump(ctx, global, path, database)
	if err != nil {
		return err
	}
	return reportImported(global, f, loaded)
}

// importDump imports a dump into the ledger in the SQLite file database. It shows the progress.
func importDump(ctx context.Context, global *globalOptions, path, database string) (store.Loaded, error) {
	from, size, err := openDump(global, path)
	if err != nil {
		return store.Loaded{}, fmt.Errorf("import: %w", err)
	}
	defer func() { _ = from.Close() }() // only read
	line, counted := newLiveLine(global), &countingReader{Reader: from}
	defer line.clear()
	reader := exchange.NewReader(counted)
	next := func() (exchange.Record, error) {
		if size > 0 {
			line.show("%s of %s", text.Bytes(counted.read), text.Bytes(size))
		} else {
			line.show("%s", text.Bytes(counted.read))
		}
		return reader.Next()
	}
	loaded, err := store.Import(ctx, database, ledgerOptions(global, database), next)
	if err != nil {
		return loaded, fmt.Errorf("read %q: %w", path, err)
	}
	return loaded, nil
}

// openDump opens a dump; "-" is stdin. The size is 0 if it is not known.
func openDump(global *globalOptions, path string) (from io.ReadCloser, size int64, err error) {
	if path == "-" {
		return io.NopCloser(global.stdin), 0, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return file, size, nil
}

// importedJSON says what an import did. Added, Updated and Unchanged are numbers of runs.
type importedJSON struct {
	Added     int           `json:"added"`
	Updated   int           `json:"updated"`
	Unchanged int           `json:"unchanged"`
	Different []string      `json:"different"`
	LeftOut   []leftOutJSON `json:"left_out"`
}

// leftOutJSON is an open run that was not imported, because Open is open in the same place.
type leftOutJSON struct {
	Run      string `json:"run"`
	Open     string `json:"open"`
	Worktree string `json:"worktree"`
	LogDir   string `json:"log_dir"`
}

// reportImported prints what an import did. It returns an error if a run was left out, so that the
// ledger is not believed to be complete.
func reportImported(global *globalOptions, f format, loaded store.Loaded) error {
	var said strings.Builder
	for _, run := range loaded.Different {
		fmt.Fprintf(&said, "warning: run %s differs from the ledger and was not changed (to see the exported one, import the file into another ledger with --db)\n", text.EscapeLine(run))
	}
	for _, left := range loaded.LeftOut {
		fmt.Fprintf(&said, "error: run %s was not imported: it is open, and run %s of the same worktree %q and log directory %q is also open in the ledger; when one of them has ended (passed, or `reviewledger clean`), export that ledger again and import it\n",
			text.EscapeLine(left.Run), left.Open, left.Worktree, left.LogDir)
	}
	if _, err := io.WriteString(global.stderr, said.String()); err != nil {
		return err
	}
	answer := importedJSON{Added: loaded.Added, Updated: loaded.Forwarded, Unchanged: loaded.Known, Different: append([]string{}, loaded.Different...), LeftOut: []leftOutJSON{}}
	for _, left := range loaded.LeftOut {
		answer.LeftOut = append(answer.LeftOut, leftOutJSON{left.Run, left.Open, left.Worktree, left.LogDir})
	}
	line := fmt.Sprintf("Imported: %s; %d updated; %d unchanged", ledger.Plural(loaded.Added, "run"), loaded.Forwarded, loaded.Known)
	if len(loaded.LeftOut) > 0 {
		line += fmt.Sprintf("; %d not imported", len(loaded.LeftOut))
	}
	err := printOne(global, f, answer, func(p *text.Page) error {
		p.Line("%s.", line)
		return nil
	})
	if err != nil || len(loaded.LeftOut) == 0 {
		return err
	}
	return exitStatus(exitError)
}
