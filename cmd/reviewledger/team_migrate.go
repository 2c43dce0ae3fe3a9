package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
)

func newTeamMigrateCommand(global *globalOptions) *cobra.Command {
	var to, schema string
	var roles push.Roles
	var totals bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create or upgrade the tables of the team store",
		Long: `Create the tables of the team store, or upgrade them to the version of this
program, and give roles their rights. Only the owner of the schema can do this. If
the schema does not exist, it is created. Each team can have a schema of its own in
the same database; the URL names it with ?search_path=SCHEMA.

The role for pushing may add and change rows, and cannot delete any. The role for
reading may only read. Without role names, the GRANT statements are printed for you
to run.

Totals, which pages show, are computed again from the runs if this program counts
differently from the one that wrote them, or with --totals. Readers and pushes wait.

Exit codes: 0 done, or nothing to do; 2 error.`,
		Example: `  reviewledger team migrate --to postgres://owner@db.example/reviews
  reviewledger team migrate --push-role ci --read-role viewers
  reviewledger team migrate --totals`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTeamMigrate(cmd.Context(), global, to, schema, roles, totals)
		},
	}
	addTo(cmd, &to)
	cmd.Flags().Var(filters.Text(&schema), "schema", "schema of the tables (default: search_path in the URL, or reviewledger)")
	cmd.Flags().Var(filters.Text(&roles.Push), "push-role", "role that may push")
	cmd.Flags().Var(filters.Text(&roles.Read), "read-role", "role that may read")
	cmd.Flags().BoolVar(&totals, "totals", false, "make all totals again from the runs")
	return cmd
}

func runTeamMigrate(ctx context.Context, global *globalOptions, to, schema string, roles push.Roles, totals bool) error {
	url, err := teamURL(ctx, global, to)
	if err != nil {
		return err
	}
	o := team.Options{URL: url, Schema: schema, Write: true}
	m, err := push.Migrate(ctx, o, roles)
	if err == nil && totals && !m.Counted {
		err = makeTotals(ctx, o)
		m.Counted = true
	}
	if err != nil {
		return err
	}
	line := fmt.Sprintf("The team store %s has version %d of its tables", m.Place, m.To)
	switch m.From {
	case m.To:
		line += " already"
	case 0:
		line += ", which were created"
	default:
		line += fmt.Sprintf(" (before: %d)", m.From)
	}
	lines := []string{line + "."}
	if m.Counted {
		lines = append(lines, "All totals were made again.")
	}
	if m.Given {
		lines = append(lines, "", "Rights that were given:")
	} else {
		lines = append(lines, "", "Give the roles their rights, as the owner (or run this again with --push-role and --read-role):")
	}
	for _, right := range m.Rights {
		lines = append(lines, "  "+right+";")
	}
	return printLines(global.stdout, lines)
}

// makeTotals computes all totals of the store again.
func makeTotals(ctx context.Context, o team.Options) error {
	s, err := push.Open(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.MakeFigures(ctx)
}
