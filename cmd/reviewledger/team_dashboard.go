package main

import (
	"context"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// teamShown returns the replica of the team store for a dashboard, which follows the store while a
// page is open.
func teamShown(ctx context.Context, global *globalOptions) (shown, error) {
	s, err := teamAsked(ctx, global)
	if err != nil {
		return shown{}, err
	}
	r, err := pulledReplica(ctx, global, nil)
	if err != nil {
		return shown{}, err
	}
	f := &follower{watchedLedger: watchedLedger{store.Watch(r.Path, store.Options{})}, pulledAt: r.PulledAt, asked: time.Now()}
	f.pull = func(ctx context.Context) (team.Pulled, error) { return pull(ctx, global, s, team.Pulling{}) }
	f.busy = global.noPull // then it never pulls
	closeAll := func() error {
		f.pulling.Wait()
		return f.Close()
	}
	none := func(context.Context) error { return nil }
	return shown{Ledger: f, name: "team", check: none, close: closeAll, pulled: f.asOf}, nil
}

// followEvery is how often an open page looks whether the team store has changed.
const followEvery = 15 * time.Second

// A follower pulls what is new in the team store.
type follower struct {
	watchedLedger
	pull    func(context.Context) (team.Pulled, error)
	pulling sync.WaitGroup

	mutex           sync.Mutex
	pulledAt, asked time.Time
	busy            bool
}

func (f *follower) asOf() time.Time {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.pulledAt
}

// Version implements [dashboard.Ledger]. Open pages ask for it all the time, so it also looks after
// the team store, without waiting for it.
func (f *follower) Version(ctx context.Context) (string, error) {
	f.mutex.Lock()
	if !f.busy && time.Since(f.asked) > followEvery {
		f.busy = true
		f.pulling.Go(func() { f.follow(context.WithoutCancel(ctx)) })
	}
	f.mutex.Unlock()
	return f.watchedLedger.Version(ctx)
}

// follow pulls. If the server does not answer, the pages go on showing what was pulled, and as of
// when.
func (f *follower) follow(ctx context.Context) {
	pulled, err := f.pull(ctx)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.asked, f.busy = time.Now(), false; err == nil {
		f.pulledAt = pulled.PulledAt
	}
}
