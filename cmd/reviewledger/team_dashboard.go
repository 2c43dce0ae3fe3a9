package main

import (
	"context"
	"errors"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
)

// teamConnections is the number of connections of a dashboard, so that a slow query does not hold
// up the others.
const teamConnections = 4

// teamPatience is how long a page waits for a server that may be gone.
const teamPatience = 3 * time.Second

// teamShown returns the team store for a dashboard. The store may go away and come back.
func teamShown(ctx context.Context, global *globalOptions) (shown, error) {
	s, err := openTeam(ctx, global, teamConnections)
	if err != nil {
		return shown{}, err
	}
	check := func(ctx context.Context) error {
		if err := s.Check(ctx); err != nil && !errors.Is(err, team.ErrUnreachable) {
			return err
		}
		return nil
	}
	return shown{watchedTeam{s}, "team", nil, check, func() error { s.Close(); return nil }}, nil
}

// watchedTeam adapts a team store to the dashboard.
type watchedTeam struct{ store *ask.Store }

// Ask implements [dashboard.Ledger].
func (w watchedTeam) Ask(ctx context.Context) (dashboard.Questions, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, teamPatience)
	defer cancel()
	if err := w.store.Check(ctx); err != nil {
		return nil, nil, err
	}
	return w.store, func() {}, nil
}

// Version implements [dashboard.Ledger].
func (w watchedTeam) Version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, teamPatience)
	defer cancel()
	return w.store.Version(ctx)
}
