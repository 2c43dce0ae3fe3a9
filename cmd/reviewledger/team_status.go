package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamStatusCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what the team store has, and what is not pushed yet",
		Long: `Show the ledgers that push to the team store, how many runs each has there, when
it was pushed last, and how many runs of this ledger are not pushed yet. The role
for reading is enough.

Exit codes: 0 done, 2 error.`,
		Example: "  reviewledger team status",
		Args:    noArgs,
	}
	formats := []format{formatTable, formatJSON, formatNDJSON}
	return teamCommand(global, cmd, "to", formats, func(ctx context.Context, s *team.Store, _ []string) (teamAnswer, error) {
		if err := s.Connect(ctx, false); err != nil {
			return nil, err
		}
		var status team.Status
		ask := func(l *store.Store) (err error) {
			status, err = s.Status(ctx, l)
			return err
		}
		err := withLedger(ctx, global, ask)
		if errors.Is(err, diff.ErrNotRepository) || errors.Is(err, store.ErrMissing) {
			err = ask(nil) // there is nothing to push
		}
		return status, err
	})
}
