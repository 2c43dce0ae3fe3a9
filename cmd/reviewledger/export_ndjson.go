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
		Long: `Write the whole ledger to stdout, one JSON object per line: runs, iterations,
gates, slots, reports, violations, events and verdicts, including prompts and
answers. Nothing is lost: "reviewledger import" recreates the same ledger. See
docs/json.md for the records. Other processes can keep writing to the ledger.

The prompts contain the reviewed code. The last line is a record "end": if it is
missing, the output is incomplete.

Exit codes: 0 done, 2 error.`,
		Example: "  reviewledger export ndjson >ledger.ndjson\n  reviewledger --db copy.db export ndjson | gzip >ledger.ndjson.gz",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runExportNDJSON(cmd.Context(), global) },
	}
}

func runExportNDJSON(ctx context.Context, global *globalOptions) error {
	return withLedger(ctx, global, func(l *store.Store) error {
		out := bufio.NewWriterSize(global.stdout, 1<<16)
		err := l.Dump(ctx, exchange.NewWriter(out).Put)
		return errors.Join(err, out.Flush())
	})
}
