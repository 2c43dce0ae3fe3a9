package team

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/oklog/ulid/v2"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// DefaultPeriod is how much a first pull brings: twelve weeks.
const DefaultPeriod = 12 * 7 * 24 * time.Hour

// Pulling describes what is pulled.
type Pulling struct {
	// Folder has the replicas.
	Folder string
	// Since is the start of the first runs to pull. The zero time means all; nil means what the
	// replica holds, or the last twelve weeks if it holds nothing.
	Since *time.Time
	// Repository limits the pull to one; "" means all, or what the replica holds.
	Repository string
	// Full also brings prompts, answers, logs and excerpts, now and from then on.
	Full bool
	Now  time.Time
	// Done is called with the number of runs done and the total. It may be nil.
	Done func(done, all int)
	// Options are those of the replica.
	Options store.Options
}

// Pulled is the result of a pull.
type Pulled struct {
	// Path is the replica, and State what it has.
	Path  string
	State store.ReplicaState
	// Added and Removed are numbers of runs.
	Added, Removed int
	// LeftOut are the runs whose records could not be imported, by ID, with the reasons.
	LeftOut map[string]string
}

// ErrNoReplica means that nothing was pulled completely yet.
var ErrNoReplica = errors.New("nothing was pulled from this team store yet: `reviewledger team pull`")

// LocalReplica returns the path of the replica that was pulled last from the store, without asking
// the server. The error is [ErrNoReplica] if there is none.
func (s *Store) LocalReplica(folder string) (string, error) {
	id, err := os.ReadFile(s.pointer(folder))
	if errors.Is(err, os.ErrNotExist) {
		return "", ErrNoReplica
	}
	if err != nil {
		return "", err
	}
	if _, err := ulid.ParseStrict(string(id)); err != nil {
		return "", ErrNoReplica
	}
	path := replicaPath(folder, string(id))
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "", ErrNoReplica
	}
	return path, nil
}

// pointer is the file with the ID of the store at this address, for when its server is gone.
func (s *Store) pointer(folder string) string {
	sum := sha256.Sum256([]byte(s.Place()))
	return filepath.Join(folder, fmt.Sprintf("team-%x", sum[:8]))
}

func replicaPath(folder, id string) string { return filepath.Join(folder, id+".db") }

// A puller brings one replica up to date.
type puller struct {
	*Store
	Pulling
	replica *store.Replica
	out     Pulled
}

// Pull brings the replica of the store up to date: it imports the runs that are missing or older
// there, and removes those that the store does not have any more. A pull that is interrupted goes on
// where it was. Pulls of several processes wait for each other.
func (s *Store) Pull(ctx context.Context, o Pulling) (out Pulled, err error) {
	checking, cancel := s.briefly(ctx)
	id, err := s.Check(checking)
	cancel()
	if err != nil {
		return out, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	p := &puller{Store: s, Pulling: o, out: Pulled{Path: replicaPath(o.Folder, id), LeftOut: map[string]string{}}}
	unlock, err := lockReplica(ctx, p.out.Path)
	if err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	err = p.pull(ctx, id)
	if errors.Is(err, store.ErrUnusable) || store.IsDamaged(err) { // it is disposable
		if err = store.RemoveReplica(p.out.Path); err == nil {
			err = p.pull(ctx, id)
		}
	}
	if err == nil {
		err = os.WriteFile(s.pointer(o.Folder), []byte(id), 0o600)
	}
	return p.out, err
}

// briefly limits a question that the server answers at once, so that one that is silent does not
// hold up the command.
func (s *Store) briefly(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.pool.Config().ConnConfig.ConnectTimeout, ErrUnreachable)
}

const lockPause = 50 * time.Millisecond

func lockReplica(ctx context.Context, path string) (unlock func() error, err error) {
	lock := flock.New(path+".pull", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock.Close, nil
}

func (p *puller) pull(ctx context.Context, id string) (err error) {
	content := exchange.ContentWords
	if p.Full {
		content = exchange.ContentFull
	}
	if p.replica, err = store.OpenReplica(ctx, p.out.Path, id, content, p.Options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.replica.Close()) }()
	held, err := p.replica.Replica(ctx)
	if err != nil {
		return err
	}
	if held.Content.Less(content) {
		if err := p.replica.MoreContent(ctx, content); err != nil {
			return err
		}
		held.Content, held.State = content, ""
	}
	scopes := p.scopes(held.Scopes)
	state, err := p.state(ctx)
	if err != nil {
		return err
	}
	next := store.ReplicaState{Store: id, Content: held.Content, State: state, PulledAt: p.Now, Scopes: scopes}
	if p.out.State = next; state != held.State || !maps.EqualFunc(scopes, held.Scopes, time.Time.Equal) {
		if err := p.compare(ctx, scopes, held.Content); err != nil {
			return err
		}
	} else if err := p.named(ctx); err != nil {
		return err
	}
	return p.replica.Complete(ctx, next)
}

// scopes returns what the replica holds after the pull. A shorter period removes nothing.
func (p *puller) scopes(held map[string]time.Time) map[string]time.Time {
	wanted := maps.Clone(held)
	names := slices.Collect(maps.Keys(held))
	if p.Repository != "" || len(held) == 0 {
		names = []string{p.Repository}
	}
	since := p.Now.Add(-DefaultPeriod)
	if p.Since != nil {
		since = *p.Since
	}
	since = since.UTC().Truncate(time.Millisecond)
	all, has := held[""]
	for _, name := range names {
		if has && !all.After(since) {
			continue // it is held with all other repositories
		}
		if was, there := held[name]; !there || p.Since != nil && since.Before(was) {
			wanted[name] = since
		}
	}
	return wanted
}

// state returns a text that changes with every change of the store.
func (s *Store) state(ctx context.Context) (state string, err error) {
	asking, cancel := s.briefly(ctx)
	defer cancel()
	err = s.pool.QueryRow(asking, statement("state")).Scan(&state)
	return state, s.explain(ctx, "pull", err)
}

// Changed returns a text that changes with every change of the store.
func (s *Store) Changed(ctx context.Context) (string, error) { return s.state(ctx) }

// named adds the records that could not be imported before.
func (p *puller) named(ctx context.Context) error {
	have, err := p.replica.Runs(ctx)
	for id, run := range have {
		if run.Problem != "" {
			p.out.LeftOut[id] = run.Problem
		}
	}
	return err
}

// compare removes what the store does not have any more, and pulls what is missing or older.
func (p *puller) compare(ctx context.Context, scopes map[string]time.Time, content exchange.Content) error {
	have, err := p.replica.Runs(ctx)
	if err != nil {
		return err
	}
	states, err := p.states(ctx, scopes)
	if err != nil {
		return p.explain(ctx, "pull", err)
	}
	var missing []string
	for _, state := range states {
		if content == exchange.ContentWords {
			state.Content = string(content)
		}
		was, there := have[state.Run]
		delete(have, state.Run)
		problem := was.Problem
		was.Problem = ""
		if !there || was != state {
			missing = append(missing, state.Run)
		} else if problem != "" {
			p.out.LeftOut[state.Run] = problem
		}
	}
	gone := slices.Sorted(maps.Keys(have))
	for part := range slices.Chunk(gone, batchRuns) {
		if err := p.replica.Remove(ctx, part); err != nil {
			return err
		}
	}
	p.out.Removed = len(gone)
	return p.fetchAll(ctx, missing, content)
}

// states returns the states of the store's runs in these scopes.
func (p *puller) states(ctx context.Context, scopes map[string]time.Time) (list []store.ReplicaRun, err error) {
	var repositories []string
	var since []time.Time
	for name, at := range scopes {
		repositories, since = append(repositories, name), append(since, at)
	}
	rows, err := p.pool.Query(ctx, statement("states"), pgx.NamedArgs{"repositories": repositories, "since": since})
	if err != nil {
		return nil, err
	}
	s := store.ReplicaRun{}
	_, err = pgx.ForEachRow(rows, []any{&s.Run, &s.Revision, &s.Digest, &s.Content}, func() error {
		list = append(list, s)
		return nil
	})
	return list, err
}

// pullRuns is how many runs are pulled at once.
const pullRuns = 32

// fetched has runs of the store, or the error of reading them.
type fetched struct {
	runs []store.PulledRun
	err  error
}

// fetchAll pulls runs. It reads the next ones while it imports the previous ones.
func (p *puller) fetchAll(ctx context.Context, ids []string, content exchange.Content) error {
	reading, stop := context.WithCancel(ctx)
	batches := make(chan fetched)
	defer func() {
		stop()
		for range batches { // wait for the reader to end
		}
	}()
	go func() {
		defer close(batches)
		for part := range slices.Chunk(ids, pullRuns) {
			runs, err := p.fetch(reading, part, content)
			select {
			case batches <- fetched{runs, err}:
			case <-reading.Done():
				return
			}
		}
	}()
	done := 0
	for b := range batches {
		if b.err != nil {
			return p.explain(ctx, "pull", b.err)
		}
		if err := p.replica.Put(ctx, b.runs); err != nil {
			return err
		}
		for _, run := range b.runs {
			if run.Problem != "" {
				p.out.LeftOut[run.ReplicaRun.Run] = run.Problem
			} else {
				p.out.Added++
			}
		}
		if done += len(b.runs); p.Done != nil {
			p.Done(done, len(ids))
		}
	}
	return ctx.Err()
}

// fetch reads the records of runs. One that cannot be read has the reason as its problem.
func (p *puller) fetch(ctx context.Context, ids []string, content exchange.Content) (list []store.PulledRun, err error) {
	name := "words of runs"
	if content == exchange.ContentFull {
		name = "all of runs"
	}
	rows, err := p.pool.Query(ctx, statement(name), pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, err
	}
	var run store.ReplicaRun
	var record, texts []byte
	_, err = pgx.ForEachRow(rows, []any{&run.Run, &run.Revision, &run.Digest, &run.Content, &record, &texts}, func() error {
		pulled := store.PulledRun{ReplicaRun: run}
		document, err := exchange.Decode(record, texts)
		switch {
		case err != nil:
			pulled.Problem = err.Error() + ": if a newer reviewledger pushed it, update this one"
		case document.Run.Head.Run != run.Run:
			pulled.Problem = fmt.Sprintf("its record is of run %q", document.Run.Head.Run)
		default:
			pulled.Document = document
		}
		list = append(list, pulled)
		return nil
	})
	return list, err
}

// Lines returns one line for each record that could not be imported, and a summary.
func (o Pulled) Lines() (lines []string) {
	for _, run := range slices.Sorted(maps.Keys(o.LeftOut)) {
		lines = append(lines, fmt.Sprintf("Run %s was left out: %s", run, o.LeftOut[run]))
	}
	summary := "Pulled: " + ledger.Plural(o.Added, "run")
	if o.Removed > 0 {
		summary += fmt.Sprintf("; %d removed", o.Removed)
	}
	if len(o.LeftOut) > 0 {
		summary += fmt.Sprintf("; %d left out", len(o.LeftOut))
	}
	return append(lines, summary+". The replica has "+Held(o.State)+".")
}

// Held says which runs a replica has.
func Held(s store.ReplicaState) string {
	var parts []string
	for _, repository := range slices.Sorted(maps.Keys(s.Scopes)) {
		part := "everything"
		if since := s.Scopes[repository]; !since.IsZero() {
			part = "what started since " + since.Local().Format(time.DateOnly)
		}
		if repository != "" {
			part += " in " + repository
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
