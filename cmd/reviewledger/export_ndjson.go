package main

import (
	"bufio"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newExportNDJSONCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "ndjson",
		Short: "Write the whole ledger to stdout, for import",
		Long: `Ndjson writes everything that the ledger holds to stdout, one JSON object a
line: what is kept of runs, iterations, gates, slots, reports, violations, events
and verdicts, prompts and answers included. Nothing is lost: "reviewledger import"
makes the same ledger of it. docs/json.md describes the records. Others may go on
writing to the ledger meanwhile.

The output holds the reviewed code in prompts. The last line is a record "end":
without it the output was cut short.

Exit codes: 0 written, 2 error.`,
		Example: "  reviewledger export ndjson >ledger.ndjson\n  reviewledger --db copy.db export ndjson | gzip >ledger.ndjson.gz",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runExportNDJSON(cmd.Context(), global) },
	}
}

func runExportNDJSON(ctx context.Context, global *globalOptions) error {
	return withLedger(ctx, global, func(l *store.Store) error {
		out := bufio.NewWriterSize(global.stdout, 1<<16)
		err := l.Dump(ctx, exchange.DumpWriter(out))
		return errors.Join(err, out.Flush())
	})
}
