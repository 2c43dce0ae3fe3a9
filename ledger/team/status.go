package team

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Status is what the team store has, what it does not have yet, and what was pulled. docs/json.md
// describes its keys.
type Status struct {
	Store   string         `json:"store"`
	Ledgers []LedgerStatus `json:"ledgers"`
	// DeletedBefore is the time before which everything was deleted, or nil.
	DeletedBefore *exchange.Time `json:"deleted_before"`
	// NotPushed is how many runs of the ledger have a state that the team store does not have, as far as
	// their revisions show. It is nil without a ledger.
	NotPushed *int `json:"not_pushed"`
	// OldestNotPushed is when the first of them started, or nil.
	OldestNotPushed *exchange.Time `json:"oldest_not_pushed"`
	// Replica is nil if nothing was pulled here.
	Replica *Replica `json:"replica"`
}

// LedgerStatus is what the team store has from one ledger.
type LedgerStatus struct {
	Ledger     string        `json:"ledger"` // its ID
	Name       string        `json:"name"`
	Program    string        `json:"program"`
	LastPushed exchange.Time `json:"last_pushed"`
	Runs       int           `json:"runs"`
	Open       int           `json:"open"`
	// ClockAhead is how many runs started more than five minutes after the server received them, by
	// its clock.
	ClockAhead int           `json:"clock_ahead"`
	NewestRun  exchange.Time `json:"newest_run"` // when it started
}

// Status returns what the team store has, and what it does not have yet of the ledger, which may be nil.
func (s *Store) Status(ctx context.Context, l *store.Store) (o Status, err error) {
	err = s.with(ctx, "read the status", false, func(conn *pgx.Conn, _ string) error {
		format := pgx.NamedArgs{"format": `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`} // of exchange.Time
		if err := conn.QueryRow(ctx, statement("status"), format).Scan(&o); err != nil || l == nil {
			return err
		}
		p, err := newPusher(ctx, l, Sending{Content: exchange.ContentWords})
		if err != nil {
			return err
		}
		p.conn, o.NotPushed = conn, new(int)
		rows, err := p.compare(ctx)
		for _, r := range rows {
			if p.decide(r) != missing {
				continue
			}
			*o.NotPushed++
			if o.OldestNotPushed == nil || r.StartedAt < *o.OldestNotPushed {
				o.OldestNotPushed = &r.StartedAt
			}
		}
		return err
	})
	o.Store = s.Place()
	if r, err := s.Replica(ctx); err == nil {
		o.Replica = &r
	}
	return o, err
}

// Lines returns the status for people.
func (o Status) Lines() []string {
	ago := func(at exchange.Time) string { return ledger.Ago(time.Since(at.Moment())) }
	lines := []string{"Team store: " + o.Store}
	for _, l := range o.Ledgers {
		lines = append(lines, fmt.Sprintf("Ledger %s: %s, pushed %s", l.Name, ledger.Plural(l.Runs, "run"), ago(l.LastPushed))+
			also(l.Open, "open")+also(l.ClockAhead, "from a clock that was more than 5 minutes ahead")+fmt.Sprintf(" (reviewledger %s)", l.Program))
	}
	if len(o.Ledgers) == 0 {
		lines = append(lines, "Nothing was pushed yet.")
	}
	if o.DeletedBefore != nil {
		lines = append(lines, "Deleted: all runs that started before "+text.LocalTime(o.DeletedBefore.Moment()))
	}
	if r := o.Replica; r != nil {
		lines = append(lines, fmt.Sprintf("Replica %q: %s, %s, %s, pulled at %s", r.Path, ledger.Plural(r.Runs, "run"), r.Held(), r.Content, r.PulledAt))
	}
	switch {
	case o.OldestNotPushed != nil:
		lines = append(lines, fmt.Sprintf("This ledger: %s not pushed yet; the oldest started %s.", ledger.PluralVerb(*o.NotPushed, "run", "is", "are"), ago(*o.OldestNotPushed)))
	case o.NotPushed != nil:
		lines = append(lines, "This ledger: everything is pushed.")
	}
	return lines
}
