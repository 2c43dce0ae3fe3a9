package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamStatusCommand(global *globalOptions) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what the team store has, and what is not pushed yet",
		Long: `Show the ledgers that push to the team store, how many runs there are of each,
when it was pushed last, and how many runs of this ledger are not pushed yet. The
role for reading is enough.

Exit codes: 0 done, 2 error.`,
		Example: "  reviewledger team status",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTeamStatus(cmd.Context(), global, to) },
	}
	addTo(cmd, &to)
	return cmd
}

func runTeamStatus(ctx context.Context, global *globalOptions, to string) error {
	url, err := teamURL(ctx, global, to)
	if err != nil {
		return err
	}
	s, err := team.Open(ctx, team.Options{URL: url})
	if err != nil {
		return err
	}
	defer s.Close()
	status, err := s.Status(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	lines := []string{"Team store: " + status.Place}
	for _, l := range status.Ledgers {
		lines = append(lines, ledgerLine(l, now))
	}
	if len(status.Ledgers) == 0 {
		lines = append(lines, "Nothing was pushed yet.")
	}
	if status.Horizon != nil {
		lines = append(lines, "Deleted: all runs that started before "+status.Horizon.UTC().Format(time.RFC3339))
	}
	err = withLedger(ctx, global, func(l *store.Store) error {
		p, err := s.Pending(ctx, l)
		if err == nil {
			lines = append(lines, pendingLine(p, now))
		}
		return err
	})
	// Elsewhere than in a repository there is nothing to push.
	if err != nil && namedDatabase(global) == "" && !inRepository(ctx, global) || errors.Is(err, store.ErrMissing) {
		err = nil
	}
	return errors.Join(err, printLines(global.stdout, lines))
}

func ledgerLine(l team.LedgerStatus, now time.Time) string {
	line := fmt.Sprintf("Ledger %s: %s, pushed %s ago", l.Name, ledger.Plural(l.Runs, "run"), age(l.LastPushed, now))
	if l.Open > 0 {
		line += fmt.Sprintf("; %d open", l.Open)
	}
	if l.Ahead > 0 {
		line += fmt.Sprintf("; %d from a clock that was more than 5 minutes ahead", l.Ahead)
	}
	if l.Program != "" {
		line += fmt.Sprintf(" (reviewledger %s)", l.Program)
	}
	return line
}

func pendingLine(p team.Waiting, now time.Time) string {
	if p.Runs == 0 {
		return "This ledger: everything is pushed."
	}
	return fmt.Sprintf("This ledger: %s not pushed yet; the oldest started %s ago", ledger.PluralVerb(p.Runs, "run", "is", "are"), age(p.Oldest, now))
}

// age is how long ago a time was, in the largest unit that fits.
func age(at, now time.Time) string {
	d := max(now.Sub(at), 0)
	switch {
	case d < time.Minute:
		return ledger.Plural(int(d/time.Second), "second")
	case d < time.Hour:
		return ledger.Plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return ledger.Plural(int(d/time.Hour), "hour")
	}
	return ledger.Plural(int(d/(24*time.Hour)), "day")
}

// inRepository reports whether the command runs in a repository.
func inRepository(ctx context.Context, global *globalOptions) bool {
	_, err := diff.Root(ctx, global.dir)
	return err == nil
}
