package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamMigrateCommand(global *globalOptions) *cobra.Command {
	var roles team.Roles
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create or upgrade the tables of the team store",
		Long: `Create the tables of the team store, or upgrade them to the version of this
program, and give roles their rights. Only the owner of the schema can do this. If
the schema does not exist, it is created. The URL can name another one with
?search_path=SCHEMA. Without role names, the GRANT statements are printed for you
to run.

Exit codes: 0 done, or nothing to do; 2 error.`,
		Example: `  reviewledger team migrate --to postgres://owner@db.example/reviews
  reviewledger team migrate --push-role ci --read-role viewers`,
		Args: noArgs,
	}
	cmd.Flags().Var(filters.Text(&roles.Push), "push-role", "role that may push")
	cmd.Flags().Var(filters.Text(&roles.Read), "read-role", "role that may read")
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store, _ []string) (teamAnswer, error) {
		return s.Migrate(ctx, roles)
	})
}
