package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// queryExitCodes is part of the help of every command that only queries.
const queryExitCodes = `Exit codes: 0 done, even if nothing was found; 2 error.`

// ledgerPath returns the path of the ledger: that of --db or REVIEWLEDGER_DB, or else the one in
// the repository.
func ledgerPath(ctx context.Context, global *globalOptions) (string, error) {
	if path := namedDatabase(global); path != "" {
		return path, nil
	}
	common, err := diff.CommonDir(ctx, global.dir)
	if err != nil {
		return "", err
	}
	return databaseIn(common), nil
}

// expectLedger returns an error if there is no file with the name of the ledger.
func expectLedger(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open ledger %q: %w", path, store.ErrMissing)
	}
	return nil
}

// expectNamedLedger returns an error if a command that only reads has been given a ledger that is not
// there.
func expectNamedLedger(global *globalOptions) error {
	if path := namedDatabase(global); path != "" {
		return expectLedger(path)
	}
	return nil
}

// noLedgerYet reports whether there is no ledger because nothing has run. If a database was named, it
// should be there.
func noLedgerYet(global *globalOptions, err error) bool {
	return errors.Is(err, store.ErrMissing) && namedDatabase(global) == ""
}

// withLedgerIfAny is withLedger for listings, which are empty before the first run.
func withLedgerIfAny(ctx context.Context, global *globalOptions, ask func(*store.Store) error) error {
	err := withLedger(ctx, global, ask)
	if errors.Is(err, store.ErrMissing) {
		return nil
	}
	return err
}

// withLedger opens the ledger for reading and calls ask.
func withLedger(ctx context.Context, global *globalOptions, ask func(*store.Store) error) error {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	return withLedgerAt(ctx, global, path, ask)
}

// withLedgerAt opens the ledger at a path for reading and calls ask.
func withLedgerAt(ctx context.Context, global *globalOptions, path string, ask func(*store.Store) error) (err error) {
	l, err := store.OpenReadOnly(ctx, path, ledgerOptions(global, path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return ask(l)
}

// addFormat adds the flag for the format of a listing.
func addFormat(global *globalOptions, cmd *cobra.Command, f *format, more ...format) {
	addFormats(global, cmd, f, append([]format{formatTable, formatJSON, formatNDJSON}, more...)...)
}

// addFormats adds the flag with these formats. The first one is the default.
func addFormats(global *globalOptions, cmd *cobra.Command, f *format, allowed ...format) {
	*f = allowed[0]
	addChoice(global, cmd, f, "format", "output format", allowed)
}

// addAnswer adds the flag for the format in which a command says what it did or found.
func addAnswer(global *globalOptions, cmd *cobra.Command, f *format) {
	addFormats(global, cmd, f, textOrJSON...)
}

// textOrJSON are the formats of [addAnswer].
var textOrJSON = []format{formatText, formatJSON}

// addChoice adds a flag that is one of a few words.
func addChoice[T ~string](global *globalOptions, cmd *cobra.Command, value *T, name, usage string, allowed []T) {
	cmd.Flags().Var(filters.Choice(value, allowed), name, usage)
	complete(global, cmd, name, completeWords(allowed))
}

// completeFilters completes the flags that are filters, according to their words or names.
func completeFilters(global *globalOptions, cmd *cobra.Command) {
	named := map[filters.Names]completer{
		filters.RunNames: completeRuns(global), filters.BranchNames: completeBranches(global), filters.FileNames: completeFiles(),
		filters.GateNames:       completeJobs(func(g ledger.Gate) string { return g.Name }),
		filters.EntryPointNames: completeJobs(func(g ledger.Gate) string { return g.EntryPoint }),
		filters.AdapterNames:    completeAdapters(),
		filters.ModelNames:      completeNames(func(names ledger.Names) []string { return names.Models }),
		filters.RepositoryNames: completeNames(func(names ledger.Names) []string { return names.Repositories }),
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		f, is := filters.FilterOf(flag)
		switch {
		case !is:
		case len(f.Words) > 0:
			complete(global, cmd, f.Name, completeWords(f.Words))
		case f.Names != "":
			complete(global, cmd, f.Name, named[f.Names])
		}
	})
}
