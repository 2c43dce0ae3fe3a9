package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// aboutDeleting is the end of the help of commands that delete from the team store.
const aboutDeleting = ` from the team store, and keep them from
coming back: later pushes skip them. The ledgers that they came from stay as
they are. Only the owner of the schema can do this. Without --yes, you are asked
first.

Exit codes: 0 done, 2 error, or not confirmed.`

func newTeamForgetCommand(global *globalOptions) *cobra.Command {
	var repository string
	cmd := &cobra.Command{
		Use:   "forget RUN | --repository REPOSITORY",
		Short: "Delete a run or a repository from the team store",
		Long:  "Delete a run, or all runs of a repository," + aboutDeleting,
		Example: `  reviewledger team forget 01KB3
  reviewledger team forget --repository github.com/acme/app --yes`,
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (repository != "") || len(args) > 1 {
				return usageError("give a run, or --repository")
			}
			return nil
		},
	}
	cmd.Flags().Var(filters.Text(&repository), "repository", "all runs of the repository with this key")
	return deletes(global, cmd, func(args []string) team.Deletion {
		if repository != "" {
			return team.Deletion{Repository: &repository}
		}
		return team.Deletion{Run: &args[0]}
	})
}

func newTeamPruneCommand(global *globalOptions) *cobra.Command {
	before := filters.When{At: new(time.Time)}
	cmd := &cobra.Command{
		Use:     "prune --before TIME",
		Short:   "Delete old runs from the team store",
		Long:    "Delete all runs that started before a time" + aboutDeleting,
		Example: "  reviewledger team prune --before 730d --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if before.Text == "" {
				return usageError("missing --before")
			}
			return noArgs(cmd, args)
		},
	}
	cmd.Flags().Var(&before, "before", "runs that started before this time: 730d (ago), 2026-01-31, or RFC 3339")
	return deletes(global, cmd, func([]string) team.Deletion { return team.Deletion{Before: before.At} })
}

// deletes makes a command delete what its arguments and flags say, if the user confirms it.
func deletes(global *globalOptions, cmd *cobra.Command, what func(args []string) team.Deletion) *cobra.Command {
	to, yes := "", false
	var f format
	addTo(cmd, "to", &to)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	addAnswer(global, cmd, &f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withTeam(cmd.Context(), global, to, true, func(s *team.Store) error {
			return deleteFromTeam(cmd.Context(), global, f, s, what(args), yes)
		})
	}
	return cmd
}

// deletedJSON says how many runs were deleted from which team store.
type deletedJSON struct {
	Store   string `json:"store"`
	Deleted int    `json:"deleted"`
}

func deleteFromTeam(ctx context.Context, global *globalOptions, f format, s *team.Store, what team.Deletion, withoutAsking bool) error {
	runs, err := s.Select(ctx, &what)
	if err != nil {
		return err
	}
	if !withoutAsking && !confirmed(global.stderr, bufio.NewReader(global.stdin), fmt.Sprintf("Delete %s from the team store %s for good?", ledger.Plural(runs, "run"), s.Place())) {
		return errors.New("not confirmed: nothing was deleted (--yes deletes without asking)")
	}
	deleted, err := s.Delete(ctx, what)
	if err != nil {
		return err
	}
	return printOne(global, f, deletedJSON{s.Place(), deleted}, func(p *text.Page) error {
		p.Line("Deleted: %s. Pushes skip what was deleted, and replicas lose it at their next pull.", ledger.Plural(deleted, "run"))
		return nil
	})
}
