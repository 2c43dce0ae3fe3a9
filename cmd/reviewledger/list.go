package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newListCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the configured gates and entry points",
		Long: `Show every job in the configuration: each gate on each entry point.

Exit codes: 0 done, 2 error.`,
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

// listedJob is a job in JSON.
type listedJob struct {
	Job        string   `json:"job"`
	Kind       string   `json:"kind"`
	EntryPoint string   `json:"entry_point"`
	Gate       string   `json:"gate"`
	Command    string   `json:"command,omitempty"`
	NumReviews int      `json:"num_reviews,omitempty"`
	Adapters   []string `json:"adapters"`
}

func runList(ctx context.Context, global *globalOptions, f format) error {
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	var jobs []listedJob
	for _, job := range w.config.AllJobs() {
		jobs = append(jobs, listed(job))
	}
	return printListing(global, f, listing[listedJob, listedJob]{
		rows: text.All(jobs), item: func(job listedJob) listedJob { return job }, table: ofAll(jobsTable), nothing: "No gates.",
	})
}

func jobsTable(jobs []listedJob) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "JOB", Cut: true, Late: true, Whole: true}, {Title: "ENTRY POINT", Cut: true, End: true, Spare: true}, {Title: "WHAT IT RUNS", Cut: true}}}
	for _, job := range jobs {
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{{Text: job.Job}, {Text: job.EntryPoint}, {Text: job.what()}}})
	}
	return t
}

func listed(job config.Job) listedJob {
	l := listedJob{Job: job.ID(), Kind: string(job.Kind), EntryPoint: job.Entry, Gate: job.Name, Adapters: []string{}}
	if job.Check != nil {
		l.Command = job.Check.Command
		return l
	}
	l.NumReviews, l.Adapters = job.Review.NumReviews, append(l.Adapters, job.Review.CLIPreference...)
	return l
}

func (l listedJob) what() string {
	if l.Command != "" {
		return l.Command
	}
	return ledger.Plural(l.NumReviews, "slot") + ": " + strings.Join(l.Adapters, ", ")
}
