package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamForgetCommand(global *globalOptions) *cobra.Command {
	var to, repository string
	yes := false
	cmd := &cobra.Command{
		Use:   "forget RUN | --repository REPOSITORY",
		Short: "Delete a run or a repository from the team store",
		Long: `Delete a run, or all runs of a repository, from the team store, and keep them
from coming back: later pushes skip them. The ledgers that they came from stay
as they are. Only the owner of the schema can do this. Without --yes, you are asked
first.

Exit codes: 0 done, 2 error, or not confirmed.`,
		Example: `  reviewledger team forget 01KB3
  reviewledger team forget --repository github.com/acme/app --yes`,
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (repository != "") || len(args) > 1 {
				return usageError("give a run, or --repository")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return removeFromTeam(cmd.Context(), global, to, yes, func(ctx context.Context, s *team.Store) (team.Removal, error) {
				if repository != "" {
					return s.RemovalOfRepository(ctx, repository)
				}
				return s.RemovalOfRun(ctx, args[0])
			})
		},
	}
	addTo(cmd, &to)
	cmd.Flags().Var(filters.Text(&repository), "repository", "all runs of the repository with this key")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func newTeamPruneCommand(global *globalOptions) *cobra.Command {
	to, yes := "", false
	before := filters.When{At: new(time.Time)}
	cmd := &cobra.Command{
		Use:   "prune --before TIME",
		Short: "Delete old runs from the team store",
		Long: `Delete all runs that started before a time from the team store, and keep them from
coming back: later pushes skip them. The ledgers that they came from stay as
they are. Only the owner of the schema can do this. Without --yes, you are asked
first.

Exit codes: 0 done, 2 error, or not confirmed.`,
		Example: "  reviewledger team prune --before 730d --yes",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if before.Text == "" {
				return usageError("missing --before")
			}
			return removeFromTeam(cmd.Context(), global, to, yes, func(ctx context.Context, s *team.Store) (team.Removal, error) {
				return s.RemovalBefore(ctx, *before.At)
			})
		},
	}
	addTo(cmd, &to)
	cmd.Flags().Var(&before, "before", "runs that started before this time: 730d (ago), 2026-01-31, or RFC 3339")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// removeFromTeam deletes what find returns, if the user confirms it or with withoutAsking (--yes).
func removeFromTeam(ctx context.Context, global *globalOptions, to string, withoutAsking bool, find func(context.Context, *team.Store) (team.Removal, error)) error {
	url, err := teamURL(ctx, global, to)
	if err != nil {
		return err
	}
	s, err := team.Open(ctx, team.Options{URL: url, Write: true})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Check(ctx); err != nil {
		return err
	}
	removal, err := find(ctx, s)
	if err != nil {
		return err
	}
	if !withoutAsking && !confirmed(global.stderr, bufio.NewReader(global.stdin), fmt.Sprintf("Delete %s from the team store %s for good?", ledger.Plural(removal.Runs, "run"), s.Place())) {
		return errors.New("not confirmed: nothing was deleted (--yes deletes without asking)")
	}
	removed, err := s.Remove(ctx, removal)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(global.stdout, "Deleted: %s. Pushes skip what was deleted, and replicas lose it at their next pull.\n", ledger.Plural(removed, "run"))
	return err
}

// confirmed asks the question and reports whether the answer is yes. No answer means no.
func confirmed(w io.Writer, answers *bufio.Reader, question string) bool {
	_, _ = fmt.Fprintf(w, "%s [y/N] ", text.EscapeLine(question))
	answer, err := answers.ReadString('\n')
	if err != nil {
		_, _ = fmt.Fprintln(w)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
