package main

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// teamShown returns the replica of the team store for a dashboard, which follows the store while a
// page is open.
func teamShown(ctx context.Context, global *globalOptions) (shown, error) {
	s, err := teamAt(ctx, global, global.team)
	if err != nil {
		return shown{}, err
	}
	r, err := pulledReplica(ctx, global, nil)
	if err != nil {
		return shown{}, err
	}
	f := &follower{watchedLedger: watchedLedger{store.Watch(r.Path, store.Options{})}, every: followEvery, asked: time.Now()}
	if global.noPull {
		f.every = math.MaxInt64
	}
	f.replica.Store(&r)
	f.pull = func() (team.Pulled, error) { return pull(ctx, global, s, team.Pulling{}) }
	return shown{Ledger: f, name: "team", close: f.close, pulled: func() time.Time { return f.replica.Load().PulledAt.Moment() }}, nil
}

// followEvery is how often an open page looks whether the team store has changed.
const followEvery = 15 * time.Second

// A follower pulls what is new in the team store.
type follower struct {
	watchedLedger
	pull    func() (team.Pulled, error)
	every   time.Duration
	pulling sync.Mutex
	asked   time.Time                    // when the last pull ended; only who pulls reads it
	replica atomic.Pointer[team.Replica] // after the last pull that did not fail
}

// Version implements [dashboard.Ledger]. Open pages ask for it all the time, so it also looks after
// the team store, without waiting for it. If the server does not answer, the pages go on showing what was
// pulled, and as of when.
func (f *follower) Version(ctx context.Context) (string, error) {
	if f.pulling.TryLock() {
		go func() {
			defer f.pulling.Unlock()
			if time.Since(f.asked) < f.every {
				return
			}
			if pulled, err := f.pull(); err == nil {
				f.replica.Store(&pulled.Replica)
			}
			f.asked = time.Now()
		}()
	}
	return f.watchedLedger.Version(ctx)
}

// close waits for a pull, and there is no other.
func (f *follower) close() error {
	f.pulling.Lock()
	return f.Close()
}
