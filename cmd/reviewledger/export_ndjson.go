package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newExportNDJSONCommand(global *globalOptions) *cobra.Command {
	content, output := exchange.ContentFull, ""
	cmd := &cobra.Command{
		Use:   "ndjson",
		Short: "Write the whole ledger, for import",
		Long: `Write the whole ledger, one JSON object per line: runs, iterations,
gates, slots, reports, violations, events and verdicts, including prompts and
answers. Nothing is lost: "reviewledger import" recreates the same ledger. See
docs/json.md for the records. Other processes can keep writing to the ledger.

The prompts contain the reviewed code. With --content words, the output has only
what "team push" sends: no prompts, answers, logs, excerpts, commands or paths of
this machine. The last line is a record "end"; if it is missing, the output is
incomplete.`,
		Example: `  reviewledger export ndjson >ledger.ndjson
  reviewledger --db copy.db export ndjson | gzip >ledger.ndjson.gz
  reviewledger export ndjson --content words >dump.ndjson`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExportNDJSON(cmd.Context(), global, content, output)
		},
	}
	addOutput(cmd, &output)
	addTeam(global, cmd)
	addChoice(global, cmd, &content, "content", "how much is written: words, or full, which is everything", exchange.Contents())
	return cmd
}

func runExportNDJSON(ctx context.Context, global *globalOptions, content exchange.Content, output string) error {
	return withQuestions(ctx, global, nil, func(l *store.Store) error {
		return global.writeStream(output, func(w io.Writer) error {
			out := bufio.NewWriterSize(w, 1<<16)
			put := exchange.NewWriter(out).Put
			if content != exchange.ContentFull {
				outline, err := l.Outline(ctx, time.Now())
				if err != nil {
					return err
				}
				home, _ := os.UserHomeDir() // without one no text can name it
				put = exchange.NewCutter(content, outline.Database, home).Writer(put)
			}
			err := l.Dump(ctx, put)
			return errors.Join(err, out.Flush())
		})
	})
}
