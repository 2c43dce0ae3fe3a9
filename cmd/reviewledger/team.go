package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

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

// addTo adds the flag for the team store.
func addTo(cmd *cobra.Command, name string, url *string) {
	cmd.Flags().Var(filters.Text(url), name, "`URL` of the team store (default: $REVIEWLEDGER_TEAM, or team.url in the configuration)")
}

// The environment variables with the URL of the team store, and with the folder of replicas.
const (
	teamVariable    = "REVIEWLEDGER_TEAM"
	replicaVariable = "REVIEWLEDGER_TEAM_DB"
)

// teamAt returns the team store at the URL, or else that of the environment or the configuration. It
// does not connect.
func teamAt(ctx context.Context, global *globalOptions, url string) (*team.Store, error) {
	if url = cmp.Or(url, global.getenv(teamVariable)); url == "" {
		url = configured(ctx, global).Team.URL
	}
	if url == "" {
		return nil, usageError("no team store is named: set team.url in .gauntlet/config.yml, or %s, to postgres://USER@HOST/DATABASE", teamVariable)
	}
	return team.At(url)
}

// withTeam calls do with the team store at the URL, or else with the configured one. It can only be
// read unless write is set.
func withTeam(ctx context.Context, global *globalOptions, url string, write bool, do func(*team.Store) error) error {
	s, err := teamAt(ctx, global, url)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Connect(ctx, write); err != nil {
		return err
	}
	return do(s)
}

// replicaFolder returns the folder of replicas.
func replicaFolder(global *globalOptions) (string, error) {
	if folder := global.getenv(replicaVariable); folder != "" {
		return folder, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the folder of replicas: %w; name one in %s", err, replicaVariable)
	}
	return filepath.Join(cache, "reviewledger"), nil
}

func printLines(w io.Writer, lines ...string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, text.EscapeLine(line)); err != nil {
			return err
		}
	}
	return nil
}
