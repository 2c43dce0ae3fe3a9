package team

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Status is what the team store has. docs/json.md describes its keys.
type Status struct {
	Store   string         `json:"store"`
	Ledgers []LedgerStatus `json:"ledgers"`
	// DeletedBefore is the time before which everything was deleted, or nil.
	DeletedBefore *exchange.Time `json:"deleted_before"`
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

// Status returns what the team store has.
func (s *Store) Status(ctx context.Context) (o Status, err error) {
	defer func() { err = s.explain(ctx, "read the status", err) }()
	format := pgx.NamedArgs{"format": `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`} // of exchange.Time
	err = s.conn.QueryRow(ctx, statement("status"), format).Scan(&o)
	o.Store = s.Place()
	return o, err
}

// Waiting is what was not pushed yet.
type Waiting struct {
	Runs int
	// Oldest is when the first of these runs started.
	Oldest time.Time
}

// Pending returns which runs of a ledger have a state that the team store does not have, as far as
// their revisions show.
func (s *Store) Pending(ctx context.Context, l *store.Store) (w Waiting, err error) {
	defer func() { err = s.explain(ctx, "read the status", err) }()
	p, err := s.pusher(ctx, l, Sending{Content: exchange.ContentWords})
	if err != nil {
		return w, err
	}
	there, err := p.known(ctx, p.outline.Runs)
	for i, k := range there {
		r := p.outline.Runs[i]
		if k.Buried || k.Ledger != "" && k.Revision >= r.Revision {
			continue
		}
		if at := r.StartedAt.Moment(); w.Runs == 0 || at.Before(w.Oldest) {
			w.Oldest = at
		}
		w.Runs++
	}
	return w, err
}
