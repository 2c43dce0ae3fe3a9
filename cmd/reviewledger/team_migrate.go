package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamMigrateCommand(global *globalOptions) *cobra.Command {
	var to string
	var roles team.Roles
	var f format
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runTeamMigrate(cmd.Context(), global, f, to, roles) },
	}
	addTo(cmd, "to", &to)
	cmd.Flags().Var(filters.Text(&roles.Push), "push-role", "role that may push")
	cmd.Flags().Var(filters.Text(&roles.Read), "read-role", "role that may read")
	addAnswer(global, cmd, &f)
	return cmd
}

func runTeamMigrate(ctx context.Context, global *globalOptions, f format, to string, roles team.Roles) error {
	s, err := teamAt(ctx, global, to)
	if err != nil {
		return err
	}
	defer s.Close()
	m, err := s.Migrate(ctx, roles)
	if err != nil {
		return err
	}
	return printOne(global, f, m, func(p *text.Page) error {
		heading := "Rights that were given:"
		if !m.Given {
			heading = "Give the roles their rights, as the owner (or run this again with --push-role and --read-role):"
		}
		first := fmt.Sprintf("The team store %s has version %d of its tables.", m.Store, m.Version)
		return printLines(p, append([]string{first, "", heading}, m.Rights...)...)
	})
}
