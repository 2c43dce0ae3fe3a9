package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// teamVariable is the environment variable with the URL of the team store.
const teamVariable = "REVIEWLEDGER_TEAM"

// teamFlag is --team with a URL, or without one for the configured store.
type teamFlag struct {
	given bool
	url   string
}

// configuredTeam is the value that pflag sets if the flag has none.
const configuredTeam = "configured"

// addTeam adds the flags to query a replica of the team store instead of the ledger.
func addTeam(global *globalOptions, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&global.team, "team", "ask the team store, at this `URL` or at the configured one (default: $REVIEWLEDGER_TEAM, or team.url)")
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

// Set implements [pflag.Value].
func (f *teamFlag) Set(value string) error {
	f.given = true
	if f.url = value; value == configuredTeam {
		f.url = ""
	}
	return nil
}

// String implements [pflag.Value]. The URL may have a password, so it is not shown.
func (f *teamFlag) String() string { return "" }

// Type implements [pflag.Value]. It is the placeholder of the value in the help.
func (f *teamFlag) Type() string { return "URL" }

// joinTeamURL joins --team and a URL that follows it with an equals sign, because a flag whose
// value is optional accepts only that form.
func joinTeamURL(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return append(joined, args[i:]...)
		case args[i] == "--team" && i+1 < len(args) && isTeamURL(args[i+1]):
			joined = append(joined, args[i]+"="+args[i+1])
			i++
		default:
			joined = append(joined, args[i])
		}
	}
	return joined
}

func isTeamURL(word string) bool {
	return strings.HasPrefix(word, "postgres://") || strings.HasPrefix(word, "postgresql://")
}

// teamURL returns the URL of the team store: the given one, or else that of the environment or the
// configuration.
func teamURL(ctx context.Context, global *globalOptions, given string) (string, error) {
	url := cmp.Or(given, global.getenv(teamVariable))
	if url == "" {
		url = configured(ctx, global).Team.URL
	}
	if url == "" {
		return "", usageError("no team store is named: set team.url in .gauntlet/config.yml, or %s, to postgres://USER@HOST/DATABASE", teamVariable)
	}
	return url, nil
}

// replicaVariable is the environment variable with the folder of replicas.
const replicaVariable = "REVIEWLEDGER_TEAM_DB"

// replicaFolder returns the folder of replicas.
func replicaFolder(global *globalOptions) (string, error) {
	if folder := global.getenv(replicaVariable); folder != "" {
		return folder, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the folder of replicas: %w; name one in %s", err, replicaVariable)
	}
	return filepath.Join(cache, "reviewledger"), nil
}

// freshFor is for how long a question does not pull again.
const freshFor = 10 * time.Second

// A replica is what was pulled from a team store, for commands that ask.
type replica struct {
	path  string
	state store.ReplicaState
}

// pulledReplica returns the replica of the team store that --team names, after pulling what is new
// and what started since the time, if it is not nil. If the server does not answer, it is the replica
// as it is, with a warning.
func pulledReplica(ctx context.Context, global *globalOptions, since *time.Time) (replica, error) {
	if global.database != "" {
		return replica{}, usageError("--team and --db cannot be used together: the one is a team store, the other a ledger")
	}
	url, err := teamURL(ctx, global, global.team.url)
	if err != nil {
		return replica{}, err
	}
	folder, err := replicaFolder(global)
	if err != nil {
		return replica{}, err
	}
	s, err := team.Open(ctx, team.Options{URL: url})
	if err != nil {
		return replica{}, err
	}
	defer s.Close()
	last, missing := lastReplica(ctx, s, folder)
	if missing == nil && time.Since(last.state.PulledAt) < freshFor && last.holds(since) {
		return last, nil
	}
	if global.noPull {
		return last, missing
	}
	pulled, err := pullReplica(ctx, global, s, team.Pulling{Folder: folder, Since: since}, last)
	if errors.Is(err, team.ErrUnreachable) && missing == nil && ctx.Err() == nil {
		console.NewConsole(global.stdout, global.stderr, global.style()).Warn(fmt.Sprintf("%v; the answer is from what was pulled %s", err, ledger.Ago(time.Since(last.state.PulledAt))))
		return last, nil
	}
	return pulled, err
}

// pullReplica pulls into a replica. last is what it was before.
func pullReplica(ctx context.Context, global *globalOptions, s *team.Store, o team.Pulling, last replica) (replica, error) {
	if last.path != "" && !last.holds(o.Since) {
		_, _ = fmt.Fprintf(global.stderr, "Pulling %s.\n", team.Held(store.ReplicaState{Scopes: map[string]time.Time{"": *o.Since}}))
	}
	line := newLiveLine(global)
	o.Now, o.Done = time.Now(), func(done, all int) { line.show("Pulling run %d of %d", done, all) }
	pulled, err := s.Pull(ctx, o)
	line.clear()
	if err == nil && len(pulled.LeftOut) > 0 {
		console.NewConsole(global.stdout, global.stderr, global.style()).Warn(ledger.PluralVerb(len(pulled.LeftOut), "run", "was", "were") + " left out: `reviewledger team pull` says why")
	}
	return replica{pulled.Path, pulled.State}, err
}

// lastReplica returns the replica as it is. The error is [team.ErrNoReplica] if no pull was completed.
func lastReplica(ctx context.Context, s *team.Store, folder string) (r replica, err error) {
	if r.path, err = s.LocalReplica(folder); err != nil {
		return replica{}, err
	}
	l, err := store.OpenReadOnly(ctx, r.path, store.Options{})
	if err != nil {
		return replica{}, fmt.Errorf("%w (%w)", team.ErrNoReplica, err)
	}
	defer func() { _ = l.Close() }() // only read
	state, err := l.Replica(ctx)
	if err != nil || state == nil || state.PulledAt.IsZero() {
		return replica{}, team.ErrNoReplica
	}
	r.state = *state
	return r, nil
}

// holds reports whether the replica has all runs that started since the time.
func (r replica) holds(since *time.Time) bool {
	for _, held := range r.state.Scopes {
		if since != nil && since.Before(held) {
			return false
		}
	}
	return true
}

// withQuestions calls ask with the ledger, or with the replica of the team store that --team names.
// An answer without a period ends with what the replica has.
func withQuestions(ctx context.Context, global *globalOptions, ask func(*store.Store) error) error {
	if !global.team.given {
		return withLedger(ctx, global, ask)
	}
	since := global.since()
	r, err := pulledReplica(ctx, global, since)
	if err != nil {
		return err
	}
	global.database = r.path
	defer func() { global.database = "" }()
	err = withLedger(ctx, global, ask)
	if store.IsDamaged(err) || errors.Is(err, store.ErrUnusable) {
		return errors.Join(err, store.RemoveReplica(r.path), errors.New("the replica was removed: run the command again to pull it anew"))
	}
	if held := team.Held(r.state); since == nil && held != "everything" {
		_, _ = fmt.Fprintln(global.stderr, text.EscapeLine(sinceLine(r.state)))
	}
	return err
}

// sinceLine says which runs the answer is about.
func sinceLine(s store.ReplicaState) string {
	var parts []string
	for _, repository := range slices.Sorted(maps.Keys(s.Scopes)) {
		part := "since " + text.LocalDay(s.Scopes[repository])
		if repository != "" {
			part += " in " + repository
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ") + "; `--since all` for everything"
}

// withQuestionsIfAny is withQuestions for listings, which are empty before the first run.
func withQuestionsIfAny(ctx context.Context, global *globalOptions, empty func() error, ask func(*store.Store) error) error {
	err := withQuestions(ctx, global, ask)
	if noLedgerYet(global, err) {
		return empty()
	}
	return err
}

// asking adds --team to a suggested command if this one has it, so that both ask the same. A URL is
// not repeated, because it may contain a password; the suggested command then asks the configured
// store.
func (g *globalOptions) asking(command string) string {
	if g.team.given && command != "" {
		command += " --team"
	}
	return command
}
