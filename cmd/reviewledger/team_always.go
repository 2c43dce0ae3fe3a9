package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// pushTime is the time limit for a push at the end of a run. Together with the second for giving up
// the connection it is less than five seconds.
const pushTime = 3500 * time.Millisecond

// closeAndPush closes the workspace and then, if the configuration says so, pushes the run. Nobody
// has to wait for the worktree's lock meanwhile. A failed push is only a warning, because the next
// one makes up for it.
func (w *workspace) closeAndPush(ctx context.Context) error {
	recorded := w.ledger != nil
	err := w.close()
	if err != nil || !recorded || !w.config.Team.Push || ctx.Err() != nil {
		return err
	}
	said := console.NewConsole(w.global.stdout, w.global.stderr, w.global.style()) // not to the console log of the run, which is closed
	if err := w.pushNow(ctx); err != nil {
		said.Warn(fmt.Sprintf("the run was not pushed to the team store: %v; the next push makes up for it (`reviewledger team push`)", err))
	}
	return said.Err()
}

func (w *workspace) pushNow(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	url, err := teamURL(ctx, w.global, "")
	if err != nil {
		return err
	}
	l, err := store.OpenReadOnly(ctx, w.databasePath(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	s, err := team.Open(ctx, team.Options{URL: url, Write: true})
	if err != nil {
		return err
	}
	defer s.Close()
	sending := sendingOf(ctx, w.global, "")
	sending.NewestFirst = true
	done, err := s.PushLedger(ctx, l, sending)
	if err == nil && done.Refused() > 0 {
		return fmt.Errorf("%s refused, because the team store has another state of it: `reviewledger team push` says which", ledger.PluralVerb(done.Refused(), "run", "was", "were"))
	}
	return err
}
