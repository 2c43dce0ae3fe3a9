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
	addTo(cmd, &o.to)
	addFormat(global, cmd, &o.format)
	return cmd
}

// teamStatusJSON describes the content of the team store. docs/json.md describes its keys.
type teamStatusJSON struct {
	Store           string           `json:"store"`
	Ledgers         []teamLedgerJSON `json:"ledgers"`
	DeletedBefore   *string          `json:"deleted_before"`
	NotPushed       *int             `json:"not_pushed"` // null if there is no ledger here
	OldestNotPushed *string          `json:"oldest_not_pushed"`
	Replica         *teamReplicaJSON `json:"replica"` // null if nothing was pulled here
}

type teamReplicaJSON struct {
	Path     string  `json:"path"`
	Runs     int     `json:"runs"`
	Since    *string `json:"since"` // null: everything
	PulledAt *string `json:"pulled_at"`
	Content  string  `json:"content"`
}

type teamLedgerJSON struct {
	Ledger     string  `json:"ledger"`
	Name       string  `json:"name"`
	Program    string  `json:"program"`
	LastPushed *string `json:"last_pushed"`
	Runs       int     `json:"runs"`
	Open       int     `json:"open"`
	ClockAhead int     `json:"clock_ahead"`
	NewestRun  *string `json:"newest_run"`
}

func runTeamStatus(ctx context.Context, global *globalOptions, o teamStatus) error {
	url, err := teamURL(ctx, global, o.to)
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
	shown := newTeamStatusJSON(status)
	lines := statusLines(status, time.Now())
	if shown.Replica, err = replicaStatus(ctx, global, s); err != nil {
		return err
	}
	if r := shown.Replica; r != nil {
		lines = append(lines, replicaLine(*r))
	}
	err = withLedger(ctx, global, func(l *store.Store) error {
		p, err := s.Pending(ctx, l)
		if err == nil {
			shown.NotPushed, shown.OldestNotPushed = &p.Runs, text.Timestamp(p.Oldest)
			lines = append(lines, pendingLine(p, time.Now()))
		}
		return err
	})
	// Outside of a repository, or without a ledger, there is nothing to team.
	if errors.Is(err, diff.ErrNotRepository) || errors.Is(err, store.ErrMissing) {
		err = nil
	}
	return errors.Join(err, printOne(global, o.format, shown, func(p *text.Page) error { return printLines(p, lines) }))
}

// replicaStatus describes the replica on this machine, if there is one.
func replicaStatus(ctx context.Context, global *globalOptions, s *team.Store) (*teamReplicaJSON, error) {
	folder, err := replicaFolder(global)
	if err != nil {
		return nil, err
	}
	r, err := lastReplica(ctx, s, folder)
	if err != nil {
		return nil, nil //nolint:nilerr // nothing that could be asked was pulled
	}
	shown := &teamReplicaJSON{Path: r.path, PulledAt: text.Timestamp(r.state.PulledAt), Content: string(r.state.Content)}
	for _, since := range r.state.Scopes {
		if at := text.Timestamp(since); shown.Since == nil || at != nil && *at < *shown.Since {
			shown.Since = at
		}
	}
	l, err := store.OpenReadOnly(ctx, r.path, store.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }() // only read
	byStatus, err := l.RunsByStatus(ctx)
	for _, runs := range byStatus {
		shown.Runs += runs.Runs
	}
	return shown, err
}

func replicaLine(r teamReplicaJSON) string {
	line := fmt.Sprintf("Replica %q: %s", r.Path, ledger.Plural(r.Runs, "run"))
	if r.Since != nil {
		line += " since " + *r.Since
	}
	return line + fmt.Sprintf(", %s, pulled at %s", r.Content, *r.PulledAt)
}

func newTeamStatusJSON(s team.Status) teamStatusJSON {
	shown := teamStatusJSON{Store: s.Place, Ledgers: []teamLedgerJSON{}}
	if s.Horizon != nil {
		shown.DeletedBefore = text.Timestamp(*s.Horizon)
	}
	for _, l := range s.Ledgers {
		item := teamLedgerJSON{
			Ledger: l.ID, Name: l.Name, Program: l.Program, LastPushed: text.Timestamp(l.LastPushed),
			Runs: l.Runs, Open: l.Open, ClockAhead: l.Ahead, NewestRun: text.Timestamp(l.Newest),
		}
		shown.Ledgers = append(shown.Ledgers, item)
	}
	return shown
}

func statusLines(status team.Status, now time.Time) []string {
	lines := []string{"Team store: " + status.Place}
	for _, l := range status.Ledgers {
		lines = append(lines, ledgerLine(l, now))
	}
	if len(status.Ledgers) == 0 {
		lines = append(lines, "Nothing was pushed yet.")
	}
	if status.Horizon != nil {
		lines = append(lines, "Deleted: all runs that started before "+text.LocalTime(*status.Horizon))
	}
	return lines
}

func ledgerLine(l team.LedgerStatus, now time.Time) string {
	line := fmt.Sprintf("Ledger %s: %s, pushed %s", l.Name, ledger.Plural(l.Runs, "run"), ledger.Ago(now.Sub(l.LastPushed)))
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
	return fmt.Sprintf("This ledger: %s not pushed yet; the oldest started %s.", ledger.PluralVerb(p.Runs, "run", "is", "are"), ledger.Ago(now.Sub(p.Oldest)))
}
