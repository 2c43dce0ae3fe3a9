package main

import (
	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/interop"
)

func newExportSARIFCommand(global *globalOptions) *cobra.Command {
	e := &runExport{global: global}
	consumer, category, withSkipped := "", "", false
	cmd := &cobra.Command{
		Use:   "sarif",
		Short: "Write a run as SARIF 2.1.0",
		Long: `Write the state of a run as SARIF 2.1.0: all violations, each compared with
the iteration before (baselineState), skipped ones and claims with suppressions, and
slots without an answer as notifications.

With --for github, write what GitHub code scanning accepts: open violations and
claims, the most important first, at most 5,000. It does not read suppressions, so
skipped violations are omitted; --with-skipped includes them.

` + exportExitCodes,
		Example: `  reviewledger export sarif -o reviewledger.sarif
  reviewledger export sarif --for github -o reviewledger.sarif
  reviewledger export sarif --for github --with-skipped`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.write(cmd.Context(), func(run interop.Run) ([]byte, error) {
				if consumer == "" {
					return run.SARIF(category)
				}
				data, warning, err := run.GitHubSARIF(category, withSkipped)
				if warning != "" {
					e.warn(warning)
				}
				return data, err
			})
		},
	}
	e.add(cmd)
	consumers := []string{"github"}
	cmd.Flags().Var(filters.Word(&consumer, consumers), "for", "who reads it: "+filters.OneOf(consumers))
	complete(global, cmd, "for", completeWords(consumers))
	cmd.Flags().Var(filters.Text(&category), "category", "distinguishes uploads of one commit (default: "+interop.DefaultCategory+")")
	cmd.Flags().BoolVar(&withSkipped, "with-skipped", false, "with --for github: include skipped violations")
	return cmd
}
