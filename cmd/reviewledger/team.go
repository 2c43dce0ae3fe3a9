package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
)

func newTeamCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "team",
		Short: "Share the ledger with a team in PostgreSQL",
		Long: `Keep the history of a team in one PostgreSQL database, to which ledgers push. To ask
it, pull it into a replica on this machine: commands with --team do so. The ledger of
each clone stays the only truth for decisions. See docs/team.md.

The store is the one at --to, or $REVIEWLEDGER_TEAM, or team.url in the
configuration. The password comes from ~/.pgpass, PGPASSWORD or a service file,
as for psql.

Exit codes: 0 done, 2 error.`,
		Example: `  reviewledger team migrate --push-role ci --read-role viewers
  reviewledger team push
  reviewledger team pull
  reviewledger team status`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTeamMigrateCommand(global), newTeamPushCommand(global), newTeamPullCommand(global), newTeamStatusCommand(global),
		newTeamForgetCommand(global), newTeamPruneCommand(global))
	return cmd
}

// addTo adds the flag for the team store.
func addTo(cmd *cobra.Command, to *string) {
	cmd.Flags().Var(filters.Text(to), "to", "`URL` of the team store (default: $REVIEWLEDGER_TEAM, or team.url in the configuration)")
}

func printLines(w io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, text.EscapeLine(line)); err != nil {
			return err
		}
	}
	return nil
}
