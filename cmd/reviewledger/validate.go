package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newValidateCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration",
		Long: `Read the whole configuration and report every problem with its file and line.

Exit codes: 0 valid, 2 not valid.`,
		Example: "  reviewledger validate",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runValidate(cmd.Context(), global, f)
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// validateJSON says what is configured, or what is wrong with it.
type validateJSON struct {
	Valid       bool          `json:"valid"`
	EntryPoints int           `json:"entry_points"`
	Checks      int           `json:"checks"`
	Reviews     int           `json:"reviews"`
	Problems    []problemJSON `json:"problems"`
}

// problemJSON is a mistake in a file of the configuration.
type problemJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func runValidate(ctx context.Context, global *globalOptions, f format) error {
	w, err := openWorkspace(ctx, global)
	if wrong := (*config.Error)(nil); f == formatJSON && errors.As(err, &wrong) {
		answer := validateJSON{Problems: []problemJSON{}}
		for _, p := range wrong.Problems {
			answer.Problems = append(answer.Problems, problemJSON(p))
		}
		return cmp.Or(printJSON(global.stdout, answer), error(exitStatus(exitError)))
	}
	if err != nil {
		return err
	}
	c := w.config
	answer := validateJSON{Valid: true, EntryPoints: len(c.EntryPoints), Checks: len(c.Checks), Reviews: len(c.Reviews), Problems: []problemJSON{}}
	return printOne(global, f, answer, func(p *text.Page) error {
		p.Words("The configuration is valid: %s, %s, %s.",
			ledger.Plural(answer.EntryPoints, "entry point"), ledger.Plural(answer.Checks, "check"), ledger.Plural(answer.Reviews, "review"))
		return nil
	})
}
