package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
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
	var what team.Deletion
	cmd := &cobra.Command{
		Use:   "forget RUN | --repository REPOSITORY",
		Short: "Delete a run or a repository from the team store",
		Long:  "Delete a run, or all runs of a repository," + aboutDeleting,
		Example: `  reviewledger team forget 01KB3
  reviewledger team forget --repository github.com/acme/app --yes`,
		Args: func(_ *cobra.Command, args []string) error {
			if what.Run = strings.Join(args, ""); (what.Run == "") == (what.Repository == "") || len(args) > 1 {
				return usageError("give a run, or --repository")
			}
			return nil
		},
	}
	cmd.Flags().Var(filters.Text(&what.Repository), "repository", "all runs of the repository with this key")
	return deletes(global, cmd, &what)
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
	return deletes(global, cmd, &team.Deletion{Before: before.At})
}

// deletedJSON says how many runs were deleted from which team store.
type deletedJSON struct {
	Store   string `json:"store"`
	Deleted int    `json:"deleted"`
}

// Lines implements [teamAnswer].
func (d deletedJSON) Lines() []string {
	return []string{fmt.Sprintf("Deleted: %s. Pushes skip what was deleted, and replicas lose it at their next pull.", ledger.Plural(d.Deleted, "run"))}
}

// deletes makes a command delete something, if the user confirms it.
func deletes(global *globalOptions, cmd *cobra.Command, what *team.Deletion) *cobra.Command {
	yes := cmd.Flags().Bool("yes", false, "do not ask")
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store, _ []string) (teamAnswer, error) {
		if err := s.Connect(ctx, true); err != nil {
			return nil, err
		}
		deleted, err := s.Delete(ctx, *what, func(runs int) error {
			if *yes {
				return nil
			}
			return confirm(global, "delete", fmt.Sprintf("%s from the team store %s", ledger.Plural(runs, "run"), s.Place()), "", "; nothing was deleted")
		})
		return deletedJSON{s.Place(), deleted}, err
	})
}
