package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newListCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the configured gates and entry points",
		Long:  `Show every job in the configuration: each gate on each entry point.`,
		Example: `  reviewledger list
  reviewledger list --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runList(cmd.Context(), global, f)
		},
	}
	addFormat(global, cmd, &f)
	return cmd
}

// jobColumns describe the list of jobs.
var jobColumns = listings.Columns[config.Job]{
	{Key: "job", Value: func(j *config.Job) any { return j.ID() }, Column: text.Column{Title: "JOB", Cut: true, Late: true, Whole: true}},
	{Key: "kind", Value: func(j *config.Job) any { return j.Kind }},
	{Key: "entry_point", Value: func(j *config.Job) any { return j.Entry }, Column: text.Column{Title: "ENTRY POINT", Cut: true, End: true, Spare: true}},
	{Key: "gate", Value: func(j *config.Job) any { return j.Name }},
	{Key: "command", Optional: true, Value: func(j *config.Job) any {
		if j.Check == nil {
			return nil
		}
		return j.Check.Command
	}},
	{Key: "num_reviews", Optional: true, Value: func(j *config.Job) any {
		if j.Review == nil {
			return nil
		}
		return j.Review.NumReviews
	}},
	{Key: "adapters", Value: func(j *config.Job) any { return adaptersOf(j) }, Column: text.Column{Title: "WHAT IT RUNS", Cut: true},
		Cell: func(j *config.Job) text.Cell {
			if j.Check != nil {
				return text.Cell{Text: j.Check.Command}
			}
			return text.Cell{Text: ledger.Plural(j.Review.NumReviews, "slot") + ": " + strings.Join(adaptersOf(j), ", ")}
		}},
}

func adaptersOf(j *config.Job) []string {
	if j.Review == nil {
		return nil
	}
	return j.Review.CLIPreference
}

func runList(ctx context.Context, global *globalOptions, f format) error {
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	return printListing(global, f, listing[config.Job]{
		rows: text.All(w.config.AllJobs()), columns: jobColumns, nothing: "No gates.",
		table: func(jobs []config.Job) text.Table { return jobColumns.Table(jobs, "job", "entry_point", "adapters") },
	})
}
