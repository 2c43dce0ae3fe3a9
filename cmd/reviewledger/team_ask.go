package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// addTeam adds the flags to query a replica of the team store instead of the ledger.
func addTeam(global *globalOptions, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(filters.Text(&global.team), "team", "ask the team store, at this `URL` or at the configured one (default: $REVIEWLEDGER_TEAM, or team.url)")
	flags.Lookup("team").NoOptDefVal = configuredTeam
	global.since = func() (since *time.Time) {
		flags.VisitAll(func(flag *pflag.Flag) {
			when, is := flag.Value.(*filters.When)
			if is && flag.Changed && strings.HasSuffix(flag.Name, "since") && (since == nil || when.At.Before(*since)) {
				since = when.At
			}
		})
		return since
	}
	flags.BoolVar(&global.noPull, "no-pull", false, "with --team, ask what was pulled before")
}

// joinTeamURL joins --team and a URL that follows it with an equals sign, because a flag whose
// value is optional accepts only that form.
func joinTeamURL(args []string) []string {
	for i, url := range args[min(1, len(args)):] {
		if args[i] == "--team" && (strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")) {
			return slices.Replace(slices.Clone(args), i, i+2, "--team="+url)
		}
	}
	return args
}

// freshFor is for how long a question does not pull again.
const freshFor = 10 * time.Second

// pulledReplica returns the replica of the team store that --team names, after pulling what is new
// and what started since the time, if it is not nil. If the server does not answer, it is the replica
// as it is, with a warning.
func pulledReplica(ctx context.Context, global *globalOptions, since *time.Time) (team.Replica, error) {
	if global.database != "" {
		return team.Replica{}, usageError("--team and --db cannot be used together: the one is a team store, the other a ledger")
	}
	s, err := teamAt(ctx, global, global.team)
	if err != nil {
		return team.Replica{}, err
	}
	last, missing := s.Replica(ctx)
	enough := missing == nil && (since == nil || last.Holds(*since))
	if global.noPull || enough && time.Since(last.PulledAt.Moment()).Abs() < freshFor {
		return last, missing
	}
	if missing == nil && !enough {
		_, _ = fmt.Fprintf(global.stderr, "Pulling %s.\n", team.Since(*since))
	}
	warn := console.NewConsole(global.stdout, global.stderr, global.style()).Warn
	pulled, err := pull(ctx, global, s, team.Pulling{Since: since})
	if errors.Is(err, team.ErrUnreachable) && missing == nil && ctx.Err() == nil {
		warn(fmt.Sprintf("%v; the answer is from what was pulled %s", err, ledger.Ago(time.Since(last.PulledAt.Moment()))))
		return last, nil
	}
	if err == nil && len(pulled.LeftOut) > 0 {
		warn(ledger.PluralVerb(len(pulled.LeftOut), "run", "was", "were") + " left out: `reviewledger team pull` says why")
	}
	return pulled.Replica, err
}

// withQuestions calls ask with the ledger, or with the replica of the team store that --team names.
// An answer without a period ends with what the replica has. Before the first run it calls empty, if
// that is not nil.
func withQuestions(ctx context.Context, global *globalOptions, empty func() error, ask func(*store.Store) error) error {
	if global.team == "" {
		err := withLedger(ctx, global, ask)
		if empty != nil && noLedgerYet(global, err) {
			return empty()
		}
		return err
	}
	since := global.since()
	r, err := pulledReplica(ctx, global, since)
	if err != nil {
		return err
	}
	global.database = r.Path
	defer func() { global.database = "" }()
	err = withLedger(ctx, global, ask)
	if store.RemoveDamagedReplica(r.Path, err) {
		return errors.Join(err, errors.New("the replica was removed: run the command again to pull it anew"))
	}
	if held := r.Held(); since == nil && held != team.Everything {
		_, _ = fmt.Fprintln(global.stderr, text.EscapeLine(held+"; `--since all` for everything"))
	}
	return err
}

// asking adds --team to a suggested command if this one has it, so that both ask the same. A URL is
// not repeated, because it may contain a password; the suggested command then asks the configured
// store.
func (g *globalOptions) asking(command string) string {
	if g.team != "" && command != "" {
		command += " --team"
	}
	return command
}

// teamShown returns the replica of the team store for a dashboard, which follows the store while a
// page is open.
func teamShown(ctx context.Context, global *globalOptions) (shown, error) {
	r, err := pulledReplica(ctx, global, nil)
	if err != nil {
		return shown{}, err
	}
	quiet := *global
	quiet.stderr = io.Discard // if the server does not answer, the pages say as of when they are
	f := &follower{watchedLedger: watchedLedger{store.Watch(r.Path, store.Options{})}, asked: time.Now()}
	f.pulled.Store(&r)
	f.pull = func() (team.Replica, error) { return pulledReplica(ctx, &quiet, nil) }
	return shown{Ledger: f, name: "team", pulled: func() time.Time { return f.pulled.Load().PulledAt.Moment() }, close: func() error {
		f.turn.Lock() // waits for a pull, and there is no other
		return f.Close()
	}}, nil
}

// followEvery is how often an open page looks whether the team store has changed.
const followEvery = 15 * time.Second

// A follower pulls what is new in the team store.
type follower struct {
	watchedLedger
	pull   func() (team.Replica, error)
	pulled atomic.Pointer[team.Replica] // by the last pull that did not fail
	turn   sync.Mutex                   // to pull
	asked  time.Time                    // when the last pull ended; only read by who has the turn
}

// Version implements [dashboard.Ledger]. Open pages ask for it all the time, so it also looks after
// the team store, without waiting for it.
func (f *follower) Version(ctx context.Context) (string, error) {
	if f.turn.TryLock() {
		go func() {
			defer f.turn.Unlock()
			if time.Since(f.asked) < followEvery {
				return
			}
			if r, err := f.pull(); err == nil {
				f.pulled.Store(&r)
			}
			f.asked = time.Now()
		}()
	}
	return f.watchedLedger.Version(ctx)
}
