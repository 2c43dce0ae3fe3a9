package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

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
