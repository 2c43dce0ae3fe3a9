package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// teamStatus has the flags of team status.
type teamStatus struct {
	to string
	format
}

func newTeamStatusCommand(global *globalOptions) *cobra.Command {
	var o teamStatus
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what the team store has, and what is not pushed yet",
		Long: `Show the ledgers that push to the team store, how many runs each has there, when
it was pushed last, and how many runs of this ledger are not pushed yet. The role
for reading is enough.

Exit codes: 0 done, 2 error.`,
		Example: "  reviewledger team status",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTeamStatus(cmd.Context(), global, o) },
	}
	addTo(cmd, "to", &o.to)
	addFormat(global, cmd, &o.format)
	return cmd
}

// teamStatusJSON is what the team store has, what it does not have yet, and what was pulled.
// docs/json.md describes its keys.
type teamStatusJSON struct {
	team.Status
	NotPushed       *int             `json:"not_pushed"` // null if there is no ledger here
	OldestNotPushed *string          `json:"oldest_not_pushed"`
	Replica         *teamReplicaJSON `json:"replica"` // null if nothing was pulled here
}

type teamReplicaJSON struct {
	Path     string           `json:"path"`
	Runs     int              `json:"runs"`
	Since    *string          `json:"since"` // null: everything
	PulledAt *string          `json:"pulled_at"`
	Content  exchange.Content `json:"content"`
}

func runTeamStatus(ctx context.Context, global *globalOptions, o teamStatus) error {
	return withTeam(ctx, global, o.to, false, func(s *team.Store) (err error) {
		var shown teamStatusJSON
		if shown.Status, err = s.Status(ctx); err != nil {
			return err
		}
		folder, err := replicaFolder(global)
		if err != nil {
			return err
		}
		if r, err := s.Replica(ctx, folder); err == nil {
			shown.Replica = newTeamReplicaJSON(r)
		}
		err = withLedger(ctx, global, func(l *store.Store) error {
			p, err := s.Pending(ctx, l)
			if err == nil {
				shown.NotPushed, shown.OldestNotPushed = &p.Runs, text.Timestamp(p.Oldest)
			}
			return err
		})
		if errors.Is(err, diff.ErrNotRepository) || errors.Is(err, store.ErrMissing) {
			err = nil // there is nothing to push
		}
		return errors.Join(err, printOne(global, o.format, shown, func(p *text.Page) error { return printLines(p, shown.lines(time.Now())...) }))
	})
}

func newTeamReplicaJSON(r team.Replica) *teamReplicaJSON {
	shown := &teamReplicaJSON{Path: r.Path, Runs: r.Runs, PulledAt: text.Timestamp(r.PulledAt), Content: r.Content}
	for _, since := range r.Scopes {
		if at := text.Timestamp(since); shown.Since == nil || at != nil && *at < *shown.Since {
			shown.Since = at
		}
	}
	return shown
}

func (s teamStatusJSON) lines(now time.Time) []string {
	ago := func(at exchange.Time) string { return ledger.Ago(now.Sub(at.Moment())) }
	lines := []string{"Team store: " + s.Store}
	for _, l := range s.Ledgers {
		line := fmt.Sprintf("Ledger %s: %s, pushed %s", l.Name, ledger.Plural(l.Runs, "run"), ago(l.LastPushed))
		if l.Open > 0 {
			line += fmt.Sprintf("; %d open", l.Open)
		}
		if l.ClockAhead > 0 {
			line += fmt.Sprintf("; %d from a clock that was more than 5 minutes ahead", l.ClockAhead)
		}
		lines = append(lines, line+fmt.Sprintf(" (reviewledger %s)", l.Program))
	}
	if len(s.Ledgers) == 0 {
		lines = append(lines, "Nothing was pushed yet.")
	}
	if s.DeletedBefore != nil {
		lines = append(lines, "Deleted: all runs that started before "+text.LocalTime(s.DeletedBefore.Moment()))
	}
	if r := s.Replica; r != nil {
		line := fmt.Sprintf("Replica %q: %s", r.Path, ledger.Plural(r.Runs, "run"))
		if r.Since != nil {
			line += " since " + *r.Since
		}
		lines = append(lines, line+fmt.Sprintf(", %s, pulled at %s", r.Content, *r.PulledAt))
	}
	if s.OldestNotPushed != nil {
		oldest := exchange.Time(*s.OldestNotPushed)
		lines = append(lines, fmt.Sprintf("This ledger: %s not pushed yet; the oldest started %s.", ledger.PluralVerb(*s.NotPushed, "run", "is", "are"), ago(oldest)))
	} else if s.NotPushed != nil {
		lines = append(lines, "This ledger: everything is pushed.")
	}
	return lines
}
