package main

import (
	"context"
	"fmt"
	"strings"

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

// migratedJSON is the version of the tables of a team store, and the statements that give roles their
// rights, which were run if Given is set.
type migratedJSON struct {
	Store   string   `json:"store"`
	Version int64    `json:"version"`
	Rights  []string `json:"rights"`
	Given   bool     `json:"given"`
}

func runTeamMigrate(ctx context.Context, global *globalOptions, f format, to string, roles team.Roles) error {
	s, err := teamAt(ctx, global, to)
	if err != nil {
		return err
	}
	defer s.Close()
	version, rights, err := s.Migrate(ctx, roles)
	if err != nil {
		return err
	}
	heading := "Rights that were given:"
	if roles == (team.Roles{}) {
		heading = "Give the roles their rights, as the owner (or run this again with --push-role and --read-role):"
	}
	answer := migratedJSON{s.Place(), version, strings.Split(strings.TrimSpace(rights), "\n"), roles != (team.Roles{})}
	return printOne(global, f, answer, func(p *text.Page) error {
		lines := []string{fmt.Sprintf("The team store %s has version %d of its tables.", answer.Store, answer.Version), "", heading}
		return printLines(p, append(lines, answer.Rights...)...)
	})
}
