package main

import (
	"context"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// teamShown returns the replica of the team store for a dashboard, which follows the store while a
// page is open.
func teamShown(ctx context.Context, global *globalOptions) (shown, error) {
	r, err := pulledReplica(ctx, global, nil)
	if err != nil {
		return shown{}, err
	}
	f := &follower{state: r.state, asked: time.Now()}
	if !global.noPull {
		url, err := teamURL(ctx, global, global.team.url)
		if err != nil {
			return shown{}, err
		}
		if f.folder, err = replicaFolder(global); err != nil {
			return shown{}, err
		}
		if f.store, err = team.Open(ctx, team.Options{URL: url}); err != nil {
			return shown{}, err
		}
	}
	f.watchedLedger = watchedLedger{store.Watch(r.path, store.Options{})}
	closeAll := func() error {
		f.pulling.Wait()
		if f.store != nil {
			f.store.Close()
		}
		return f.Close()
	}
	none := func(context.Context) error { return nil }
	return shown{Ledger: f, name: "team", check: none, close: closeAll, pulled: f.pulledAt}, nil
}

// followEvery is how often an open page looks whether the team store has changed.
const followEvery = 15 * time.Second

// A follower pulls when the team store has changed.
type follower struct {
	watchedLedger
	store   *team.Store // nil: it does not pull
	folder  string
	pulling sync.WaitGroup

	mutex sync.Mutex
	state store.ReplicaState
	asked time.Time
	busy  bool
}

func (f *follower) pulledAt() time.Time {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.state.PulledAt
}

// Version implements [dashboard.Ledger]. Open pages ask for it all the time, so it also looks after
// the team store, without waiting for it.
func (f *follower) Version(ctx context.Context) (string, error) {
	f.mutex.Lock()
	if f.store != nil && !f.busy && time.Since(f.asked) > followEvery {
		f.busy = true
		f.pulling.Go(func() { f.follow(context.WithoutCancel(ctx)) })
	}
	f.mutex.Unlock()
	return f.watchedLedger.Version(ctx)
}

// follow pulls if the team store has changed. If its server does not answer, the pages go on showing
// what was pulled, and as of when.
func (f *follower) follow(ctx context.Context) {
	now := time.Now()
	state, err := f.store.Changed(ctx)
	f.mutex.Lock()
	was := f.state
	f.mutex.Unlock()
	switch {
	case err != nil:
	case state == was.State:
		was.PulledAt = now
	default:
		if pulled, err := f.store.Pull(ctx, team.Pulling{Folder: f.folder, Now: now}); err == nil {
			was = pulled.State
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.state, f.asked, f.busy = was, time.Now(), false
}

var _ dashboard.Ledger = (*follower)(nil)
