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

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// firstPeriod is how much a first pull brings: twelve weeks.
const firstPeriod = 12 * 7 * 24 * time.Hour

// Replica is a ledger file that has what was pulled from a team store. docs/json.md has its keys.
type Replica struct {
	Path  string         `json:"path"`
	Runs  int            `json:"runs"`
	Since *exchange.Time `json:"since"` // nil: everything
	// PulledAt is when the last complete pull from this address began.
	PulledAt exchange.Time    `json:"pulled_at"`
	Content  exchange.Content `json:"content"`
	// scopes are those of [store.ReplicaState].
	scopes map[string]time.Time
}

func newReplica(path string, state store.ReplicaState, pulledAt exchange.Time) Replica {
	first := slices.MinFunc(slices.Collect(maps.Values(state.Scopes)), time.Time.Compare)
	return Replica{path, state.Runs, (*exchange.Time)(text.Timestamp(first)), pulledAt, state.Content, state.Scopes}
}

// Holds reports whether the replica has all runs that started since the time.
func (r Replica) Holds(since time.Time) bool {
	for _, held := range r.scopes {
		if since.Before(held) {
			return false
		}
	}
	return len(r.scopes) > 0
}

// Everything is what a replica of all runs has, see [Replica.Held].
const Everything = "everything"

// Since names the runs that started since a time. The zero time stands for all.
func Since(at time.Time) string {
	if at.IsZero() {
		return Everything
	}
	return "since " + at.Local().Format(time.DateOnly)
}

// Held says which runs the replica has.
func (r Replica) Held() string {
	var parts []string
	for _, repository := range slices.Sorted(maps.Keys(r.scopes)) {
		part := Since(r.scopes[repository])
		if repository != "" {
			part += " in " + repository
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Pulling describes what is pulled.
type Pulling struct {
	// Since is the start of the first runs to pull. The zero time means all; nil means what the
	// replica holds, or the last twelve weeks if it holds nothing.
	Since *time.Time
	// Repository limits the pull to one; "" means all, or what the replica holds.
	Repository string
	// Content is how much of each run is pulled, now and from then on, unless the replica has more.
	Content exchange.Content
	Now     time.Time
	// Done is called with the number of runs done and the total. It may be nil.
	Done func(done, all int)
}

// Pulled is the result of a pull. docs/json.md has its keys.
type Pulled struct {
	Replica Replica `json:"-"`
	Path    string  `json:"replica"` // of the replica
	Added   int     `json:"added"`   // runs
	Removed int     `json:"removed"` // runs
	// LeftOut are the runs whose records could not be imported.
	LeftOut []Refusal `json:"left_out"`
}

// Lines returns one line for each record that could not be imported, and a summary.
func (o Pulled) Lines() (lines []string) {
	for _, r := range o.LeftOut {
		lines = append(lines, fmt.Sprintf("Run %s was left out: %s", r.Run, r.Why))
	}
	summary := "Pulled: " + ledger.Plural(o.Added, "run")
	if o.Removed > 0 {
		summary += fmt.Sprintf("; %d removed", o.Removed)
	}
	if n := len(o.LeftOut); n > 0 {
		summary += fmt.Sprintf("; %d left out", n)
	}
	return append(lines, summary+". In the replica: "+o.Replica.Held()+".")
}

// ErrNoReplica means that nothing was pulled completely yet.
var ErrNoReplica = errors.New("nothing was pulled from this team store yet: `reviewledger team pull`")

// places returns the folder of replicas, and the name of a file there. It says which store was at this
// address, for when its server is gone, and when the last complete pull from there began.
func (s *Store) places() (folder, last string, err error) {
	if folder = s.replicas; folder == "" {
		if folder, err = os.UserCacheDir(); err != nil {
			return "", "", fmt.Errorf("find the folder of replicas: %w; name one in REVIEWLEDGER_TEAM_DB", err)
		}
		folder = filepath.Join(folder, "reviewledger")
	}
	sum := sha256.Sum256([]byte(s.Place()))
	return folder, fmt.Sprintf("team-%x", sum[:8]), nil
}

func replicaPath(folder, id string) string { return filepath.Join(folder, id+".db") }

// Replica returns what was pulled last, without asking the server. The error is [ErrNoReplica] if no
// pull was completed.
func (s *Store) Replica(ctx context.Context) (Replica, error) {
	folder, last, err := s.places()
	if err != nil {
		return Replica{}, err
	}
	data, err := os.ReadFile(filepath.Join(folder, last))
	id, at, _ := strings.Cut(string(data), " ")
	if _, invalid := ulid.ParseStrict(id); err != nil || invalid != nil {
		return Replica{}, ErrNoReplica
	}
	path := replicaPath(folder, id)
	l, err := store.OpenReadOnly(ctx, path, store.Options{})
	if err != nil {
		return Replica{}, fmt.Errorf("%w (%w)", ErrNoReplica, err)
	}
	defer func() { _ = l.Close() }() // only read
	state, err := l.Replica(ctx)
	if err != nil || state == nil || len(state.Scopes) == 0 {
		return Replica{}, ErrNoReplica
	}
	return newReplica(path, *state, exchange.Time(at)), nil
}

// Pull brings the replica of the store up to date: it imports the runs that are missing or older
// there, and removes those that the store does not have any more. A pull that is interrupted goes on
// where it was. Pulls of several processes wait for each other.
func (s *Store) Pull(ctx context.Context, o Pulling) (out Pulled, err error) {
	defer func() { err = s.explain(ctx, "pull", err) }()
	folder, last, err := s.places()
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	path := replicaPath(folder, s.id)
	lock := flock.New(path+".pull", flock.SetPermissions(0o600))
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	out, err = s.pull(ctx, path, o)
	if Disposed(path, err) {
		out, err = s.pull(ctx, path, o)
	}
	if err != nil {
		return out, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return out, err
	}
	defer root.Close()
	// As a whole, because other commands read it meanwhile.
	return out, files.WriteAtomicMode(root, last, []byte(s.id+" "+string(out.Replica.PulledAt)), 0o600)
}

// Disposed reports whether an error means that the replica is damaged, and then removes it: the next pull
// makes it anew.
func Disposed(path string, err error) bool {
	damaged := errors.Is(err, store.ErrUnusable) || store.IsDamaged(err)
	return damaged && store.RemoveReplica(path) == nil
}

// A puller brings one replica up to date.
type puller struct {
	*Store
	Pulling
	replica *store.Replica
	next    store.ReplicaState // what it has after the pull
	out     Pulled
}

func (s *Store) pull(ctx context.Context, path string, o Pulling) (_ Pulled, err error) {
	replica, err := store.OpenReplica(ctx, path, s.id, exchange.ContentWords)
	if err != nil {
		return Pulled{}, err
	}
	defer func() { err = errors.Join(err, replica.Close()) }()
	held := replica.Held
	next := held
	if next.Scopes = o.scopes(held.Scopes); held.Content.Less(o.Content) {
		next.Content = o.Content
	}
	if err := s.conn.QueryRow(ctx, statement("state")).Scan(&next.State); err != nil {
		return Pulled{}, err
	}
	p := &puller{s, o, replica, next, Pulled{Path: path, Replica: newReplica(path, next, exchange.Time(*text.Timestamp(o.Now))), LeftOut: []Refusal{}}}
	if next.State == held.State && next.Content == held.Content && maps.EqualFunc(next.Scopes, held.Scopes, time.Time.Equal) {
		return p.out, nil
	}
	if err := p.update(ctx); err != nil {
		return p.out, err
	}
	if len(p.out.LeftOut) > 0 {
		next.State = "" // so that the next pull tries them again
	}
	return p.out, replica.Complete(ctx, next)
}

// scopes returns what the replica holds after the pull. A shorter period removes nothing.
func (o Pulling) scopes(held map[string]time.Time) map[string]time.Time {
	wanted := maps.Clone(held)
	names := slices.Collect(maps.Keys(held))
	if o.Repository != "" || len(held) == 0 {
		names = []string{o.Repository}
	}
	since := o.Now.Add(-firstPeriod)
	if o.Since != nil {
		since = *o.Since
	}
	since = since.UTC().Truncate(time.Millisecond)
	all, has := held[""]
	for _, name := range names {
		if has && !all.After(since) {
			continue // it is held with all other repositories
		}
		if was, there := held[name]; !there || o.Since != nil && since.Before(was) {
			wanted[name] = since
		}
	}
	return wanted
}

// update removes what the store does not have any more, and pulls what is missing or older.
func (p *puller) update(ctx context.Context) error {
	have, err := p.replica.Runs(ctx)
	if err != nil {
		return err
	}
	rows, _ := p.conn.Query(ctx, statement("states"), pgx.NamedArgs{"scopes": p.next.Scopes, "content": p.next.Content})
	var missing []string
	var run store.ReplicaRun
	_, err = pgx.ForEachRow(rows, []any{&run.Run, &run.Revision, &run.Digest, &run.Content}, func() error {
		if have[run.Run] != run {
			missing = append(missing, run.Run)
		}
		delete(have, run.Run)
		return nil
	})
	if err != nil {
		return err
	}
	gone := slices.Sorted(maps.Keys(have))
	if err := p.replica.Remove(ctx, gone); err != nil {
		return err
	}
	p.out.Removed = len(gone)
	done := 0
	for part := range slices.Chunk(missing, pullRuns) {
		if err := p.replace(ctx, part); err != nil {
			return err
		}
		if done += len(part); p.Done != nil {
			p.Done(done, len(missing))
		}
	}
	return nil
}

// pullRuns is how many runs are pulled at once.
const pullRuns = 32

// replace pulls runs, in place of what the replica has of them. One that cannot be read or imported is
// left out.
func (p *puller) replace(ctx context.Context, ids []string) error {
	leaveOut := func(run, why string) { p.out.LeftOut = append(p.out.LeftOut, Refusal{run, why}) }
	rows, _ := p.conn.Query(ctx, statement("runs"), pgx.NamedArgs{"ids": ids, "content": p.next.Content})
	var runs []store.PulledRun
	var run store.ReplicaRun
	var record, texts []byte
	_, err := pgx.ForEachRow(rows, []any{&run.Run, &run.Revision, &run.Digest, &run.Content, &record, &texts}, func() error {
		document, err := exchange.Decode(record, texts)
		switch {
		case err != nil:
			leaveOut(run.Run, err.Error()+": if a newer reviewledger pushed it, update this one")
		case document.Run.ID() != run.Run:
			leaveOut(run.Run, fmt.Sprintf("its record is of run %q", document.Run.ID()))
		default:
			runs = append(runs, store.PulledRun{ReplicaRun: run, Document: document})
		}
		return nil
	})
	if err == nil {
		err = p.replica.Remove(ctx, ids)
	}
	if err != nil {
		return err
	}
	leftOut, err := p.replica.Put(ctx, runs)
	for _, run := range slices.Sorted(maps.Keys(leftOut)) {
		leaveOut(run, leftOut[run])
	}
	p.out.Added += len(runs) - len(leftOut)
	return err
}
