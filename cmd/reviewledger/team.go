package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/team"
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

// teamAnswer is what a command did or found. Its JSON is in docs/json.md.
type teamAnswer interface {
	Lines() []string
}

// teamCommand makes a command ask the team store: it adds the flag for its URL and the one for the format
// of the answer. The answer is printed unless there is an error other than an exit code.
func teamCommand(global *globalOptions, cmd *cobra.Command, urlFlag string, formats []format,
	do func(ctx context.Context, s *team.Store, args []string) (teamAnswer, error)) *cobra.Command {
	var url string
	var f format
	cmd.Flags().Var(filters.Text(&url), urlFlag, "`URL` of the team store (default: $REVIEWLEDGER_TEAM, or team.url in the configuration)")
	addFormats(global, cmd, &f, formats...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := teamAt(cmd.Context(), global, url)
		if err != nil {
			return err
		}
		defer s.Close()
		answer, err := do(cmd.Context(), s, args)
		if status := exitStatus(0); err != nil && !errors.As(err, &status) {
			return err
		}
		return errors.Join(err, printOne(global, f, answer, func(p *text.Page) error {
			for _, line := range answer.Lines() {
				p.Line("%s", text.EscapeLine(line))
			}
			return nil
		}))
	}
	return cmd
}

// leftOut returns the exit code 1 if there are runs that were refused or left out.
func leftOut(runs []team.Refusal) error {
	if len(runs) > 0 {
		return exitStatus(exitFailed)
	}
	return nil
}

// configuredTeam is the value of --team without a URL.
const configuredTeam = "configured"

// The environment variables with the URL of the team store, and with the folder of replicas.
const (
	teamVariable    = "REVIEWLEDGER_TEAM"
	replicaVariable = "REVIEWLEDGER_TEAM_DB"
)

// teamAt returns the team store at the URL, or else that of the environment or the configuration. It
// does not connect.
func teamAt(ctx context.Context, global *globalOptions, url string) (*team.Store, error) {
	if url == "" || url == configuredTeam {
		url = cmp.Or(global.getenv(teamVariable), configured(ctx, global).Team.URL)
	}
	if url == "" {
		return nil, usageError("no team store is named: set team.url in .gauntlet/config.yml, or %s, to postgres://USER@HOST/DATABASE", teamVariable)
	}
	return team.At(url, global.getenv(replicaVariable))
}
