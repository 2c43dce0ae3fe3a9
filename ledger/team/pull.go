package team

import (
	"context"
	"crypto/sha256"
	"encoding/json"
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
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// firstPeriod is how much a first pull brings: twelve weeks.
const firstPeriod = 12 * 7 * 24 * time.Hour

// Replica is a ledger file that has what was pulled from a team store.
type Replica struct {
	store.ReplicaState `json:"-"`
	Path               string `json:"replica"`
	// PulledAt is when the last complete pull from this address began.
	PulledAt time.Time `json:"-"`
}

// Holds reports whether the replica has all runs that started since the time.
func (r Replica) Holds(since time.Time) bool {
	for _, held := range r.Scopes {
		if since.Before(held) {
			return false
		}
	}
	return len(r.Scopes) > 0
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
	for _, repository := range slices.Sorted(maps.Keys(r.Scopes)) {
		part := Since(r.Scopes[repository])
		if repository != "" {
			part += " in " + repository
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

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
}

// Pulled is the result of a pull. docs/json.md has its keys.
type Pulled struct {
	Replica
	Added   int `json:"added"`   // runs
	Removed int `json:"removed"` // runs
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
	return append(lines, summary+". In the replica: "+o.Held()+".")
}

// ErrNoReplica means that nothing was pulled completely yet.
var ErrNoReplica = errors.New("nothing was pulled from this team store yet: `reviewledger team pull`")

// pointer says which store was at an address, for when its server is gone, and when the last complete
// pull from there began.
type pointer struct {
	Store    string    `json:"store"`
	PulledAt time.Time `json:"pulled_at"`
}

// pointer returns the path of the pointer of this address.
func (s *Store) pointer(folder string) string {
	sum := sha256.Sum256([]byte(s.Place()))
	return filepath.Join(folder, fmt.Sprintf("team-%x", sum[:8]))
}

func replicaPath(folder, id string) string { return filepath.Join(folder, id+".db") }

// point writes the pointer after a complete pull. Other commands read it meanwhile.
func (s *Store) point(o Pulling) error {
	last, err := json.Marshal(pointer{s.id, o.Now})
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(o.Folder)
	if err != nil {
		return err
	}
	defer root.Close()
	return files.WriteAtomicMode(root, filepath.Base(s.pointer(o.Folder)), last, 0o600)
}

// Replica returns what was pulled last, without asking the server. The error is [ErrNoReplica] if no
// pull was completed.
func (s *Store) Replica(ctx context.Context, folder string) (Replica, error) {
	var last pointer
	data, err := os.ReadFile(s.pointer(folder))
	if err == nil {
		err = json.Unmarshal(data, &last)
	}
	if _, invalid := ulid.ParseStrict(last.Store); err != nil || invalid != nil {
		return Replica{}, ErrNoReplica
	}
	path := replicaPath(folder, last.Store)
	l, err := store.OpenReadOnly(ctx, path, store.Options{})
	if err != nil {
		return Replica{}, fmt.Errorf("%w (%w)", ErrNoReplica, err)
	}
	defer func() { _ = l.Close() }() // only read
	state, err := l.Replica(ctx)
	if err != nil || state == nil || len(state.Scopes) == 0 {
		return Replica{}, ErrNoReplica
	}
	return Replica{*state, path, last.PulledAt}, nil
}

// Pull brings the replica of the store up to date: it imports the runs that are missing or older
// there, and removes those that the store does not have any more. A pull that is interrupted goes on
// where it was. Pulls of several processes wait for each other.
func (s *Store) Pull(ctx context.Context, o Pulling) (out Pulled, err error) {
	defer func() { err = s.explain(ctx, "pull", err) }()
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	path := replicaPath(o.Folder, s.id)
	lock := flock.New(path+".pull", flock.SetPermissions(0o600))
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return out, fmt.Errorf("pull: %w", err)
	}
	out, err = s.pull(ctx, path, o)
	if errors.Is(err, store.ErrUnusable) || store.IsDamaged(err) { // it is disposable
		if err = store.RemoveReplica(path); err == nil {
			out, err = s.pull(ctx, path, o)
		}
	}
	if err != nil {
		return out, err
	}
	return out, s.point(o)
}

// A puller brings one replica up to date.
type puller struct {
	*Store
	Pulling
	replica *store.Replica
	full    bool
	out     Pulled
}

func (s *Store) pull(ctx context.Context, path string, o Pulling) (_ Pulled, err error) {
	content := exchange.ContentWords
	if o.Full {
		content = exchange.ContentFull
	}
	replica, err := store.OpenReplica(ctx, path, s.id, content)
	if err != nil {
		return Pulled{}, err
	}
	defer func() { err = errors.Join(err, replica.Close()) }()
	held := replica.Held
	next := held
	if next.Scopes = o.scopes(held.Scopes); held.Content.Less(content) {
		next.Content = content
	}
	if err := s.conn.QueryRow(ctx, statement("state")).Scan(&next.State); err != nil {
		return Pulled{}, err
	}
	p := &puller{s, o, replica, next.Content == exchange.ContentFull, Pulled{LeftOut: []Refusal{}}}
	if next.State != held.State || next.Content != held.Content || !maps.EqualFunc(next.Scopes, held.Scopes, time.Time.Equal) {
		if err := p.compare(ctx, next.Scopes); err != nil {
			return p.out, err
		}
		if len(p.out.LeftOut) > 0 {
			next.State = "" // so that the next pull tries them again
		}
		if err := replica.Complete(ctx, next); err != nil {
			return p.out, err
		}
	}
	p.out.Replica = Replica{next, path, o.Now}
	return p.out, nil
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

// compare removes what the store does not have any more, and pulls what is missing or older.
func (p *puller) compare(ctx context.Context, scopes map[string]time.Time) error {
	have, err := p.replica.Runs(ctx)
	if err != nil {
		return err
	}
	var repositories []string
	var since []time.Time
	for name, at := range scopes {
		repositories, since = append(repositories, name), append(since, at)
	}
	rows, err := p.conn.Query(ctx, statement("states"), pgx.NamedArgs{"repositories": repositories, "since": since, "full": p.full})
	if err != nil {
		return err
	}
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
	return p.pullAll(ctx, missing)
}

// pullRuns is how many runs are pulled at once.
const pullRuns = 32

// batch has runs of the store, or the error of reading them.
type batch struct {
	ids     []string
	runs    []store.PulledRun
	leftOut []Refusal
	err     error
}

// pullAll pulls runs, in place of what the replica has of them. It reads the next ones while it imports
// the previous ones: reading is a fifth of the work.
func (p *puller) pullAll(ctx context.Context, ids []string) error {
	reading, stop := context.WithCancel(ctx)
	batches := make(chan batch)
	go func() {
		defer close(batches)
		for part := range slices.Chunk(ids, pullRuns) {
			batches <- p.read(reading, part)
		}
	}()
	defer func() {
		stop()
		for range batches { // wait for the reader to end
		}
	}()
	done := 0
	for b := range batches {
		if b.err == nil {
			b.err = p.put(ctx, b)
		}
		if b.err != nil {
			return b.err
		}
		if done += len(b.ids); p.Done != nil {
			p.Done(done, len(ids))
		}
	}
	return nil
}

// read reads the records of runs. One that cannot be read is left out.
func (p *puller) read(ctx context.Context, ids []string) batch {
	b := batch{ids: ids}
	rows, err := p.conn.Query(ctx, statement("runs"), pgx.NamedArgs{"ids": ids, "full": p.full})
	if b.err = err; err != nil {
		return b
	}
	var run store.ReplicaRun
	var record, texts []byte
	_, b.err = pgx.ForEachRow(rows, []any{&run.Run, &run.Revision, &run.Digest, &run.Content, &record, &texts}, func() error {
		document, err := exchange.Decode(record, texts)
		switch {
		case err != nil:
			b.leftOut = append(b.leftOut, Refusal{run.Run, err.Error() + ": if a newer reviewledger pushed it, update this one"})
		case document.Run.Head.Run != run.Run:
			b.leftOut = append(b.leftOut, Refusal{run.Run, fmt.Sprintf("its record is of run %q", document.Run.Head.Run)})
		default:
			b.runs = append(b.runs, store.PulledRun{ReplicaRun: run, Document: document})
		}
		return nil
	})
	return b
}

// put imports runs. One that cannot be imported is left out.
func (p *puller) put(ctx context.Context, b batch) error {
	if err := p.replica.Remove(ctx, b.ids); err != nil {
		return err
	}
	leftOut, err := p.replica.Put(ctx, b.runs)
	p.out.LeftOut = append(p.out.LeftOut, b.leftOut...)
	for _, run := range slices.Sorted(maps.Keys(leftOut)) {
		p.out.LeftOut = append(p.out.LeftOut, Refusal{run, leftOut[run]})
	}
	p.out.Added += len(b.runs) - len(leftOut)
	return err
}
