package team

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Replica is a ledger file that has what was pulled from a team store. docs/json.md has its keys.
type Replica struct {
	Path  string         `json:"path"`
	Runs  int            `json:"runs"`
	Since *exchange.Time `json:"since"` // nil: everything
	// PulledAt is when the last complete pull from this address began.
	PulledAt exchange.Time        `json:"pulled_at"`
	Content  exchange.Content     `json:"content"`
	scopes   map[string]time.Time // of [store.ReplicaState]
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
	summary := "Pulled: " + ledger.Plural(o.Added, "run") + also(o.Removed, "removed") + also(len(o.LeftOut), "left out")
	return append(lines, summary+". In the replica: "+o.Replica.Held()+".")
}

// ErrNoReplica means that nothing was pulled completely yet.
var ErrNoReplica = errors.New("nothing was pulled from this team store yet: `reviewledger team pull`")

// places opens the folder of replicas, which is made if there is none, and returns the name of a file there.
// It says which store was at this address, for when its server is gone, and when the last complete pull from
// there began.
func (s *Store) places() (folder *os.Root, last string, err error) {
	path := s.replicas
	if path == "" {
		if path, err = os.UserCacheDir(); err != nil {
			return nil, "", fmt.Errorf("find the folder of replicas: %w; name one in REVIEWLEDGER_TEAM_DB", err)
		}
		path = filepath.Join(path, "reviewledger")
	}
	if err = os.MkdirAll(path, 0o700); err == nil {
		folder, err = os.OpenRoot(path)
	}
	sum := sha256.Sum256([]byte(s.Place()))
	return folder, fmt.Sprintf("team-%x", sum[:8]), err
}

// Replica returns what was pulled last, without asking the server. The error is [ErrNoReplica] if no
// pull was completed.
func (s *Store) Replica(ctx context.Context) (Replica, error) {
	folder, last, err := s.places()
	if err != nil {
		return Replica{}, err
	}
	defer folder.Close()
	data, err := folder.ReadFile(last)
	if err != nil {
		return Replica{}, ErrNoReplica
	}
	id, at, _ := strings.Cut(string(data), " ")
	l, err := store.OpenReadOnly(ctx, filepath.Join(folder.Name(), id+".db"), store.Options{})
	if err != nil {
		return Replica{}, fmt.Errorf("%w (%w)", ErrNoReplica, err)
	}
	defer func() { _ = l.Close() }() // only read
	state, err := l.Replica(ctx)
	if err != nil || state == nil || len(state.Scopes) == 0 {
		return Replica{}, ErrNoReplica
	}
	return newReplica(l.Path(), *state, exchange.Time(at)), nil
}

// Pull brings the replica of the store up to date: it imports the runs that are missing or older
// there, and removes those that the store does not have any more. A pull that is interrupted goes on
// where it was. Pulls of several processes wait for each other.
func (s *Store) Pull(ctx context.Context, o Pulling) (Pulled, error) {
	folder, last, err := s.places()
	if err != nil {
		return Pulled{}, fmt.Errorf("pull: %w", err)
	}
	defer folder.Close()
	p := puller{Pulling: o}
	err = s.with(ctx, "pull", false, func(conn *pgx.Conn, id string) error {
		p.conn = conn
		err := store.UpdateReplica(ctx, filepath.Join(folder.Name(), id+".db"), id, func(r *store.Replica) error { return p.pull(ctx, r) })
		if err != nil {
			return err
		}
		// As a whole, because other commands read it meanwhile.
		return files.WriteAtomicMode(folder, last, []byte(id+" "+string(p.out.Replica.PulledAt)), 0o600)
	})
	return p.out, err
}

// A puller brings one replica up to date.
type puller struct {
	Pulling
	conn    *pgx.Conn
	replica *store.Replica
	next    store.ReplicaState // what it has after the pull
	out     Pulled
}

func (p *puller) pull(ctx context.Context, r *store.Replica) error {
	p.replica, p.next = r, r.Held
	if p.next.Scopes = p.scopes(r.Held.Scopes); r.Held.Content.Less(p.Content) {
		p.next.Content = p.Content
	}
	if err := p.conn.QueryRow(ctx, statement("state")).Scan(&p.next.State); err != nil {
		return err
	}
	p.out = Pulled{Path: r.Path(), Replica: newReplica(r.Path(), p.next, exchange.Time(*text.Timestamp(p.Now))), LeftOut: []Refusal{}}
	if reflect.DeepEqual(p.next, r.Held) {
		return nil
	}
	if err := p.update(ctx); err != nil {
		return err
	}
	if len(p.out.LeftOut) > 0 {
		p.next.State = "" // so that the next pull tries them again
	}
	return r.Complete(ctx, p.next)
}

// scopes returns what the replica holds after the pull. A shorter period removes nothing.
func (o Pulling) scopes(held map[string]time.Time) map[string]time.Time {
	wanted := maps.Clone(held)
	names := slices.Collect(maps.Keys(held))
	if o.Repository != "" || len(held) == 0 {
		names = []string{o.Repository}
	}
	since := o.Now.AddDate(0, 0, -12*7)
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
	for part := range slices.Chunk(missing, 32) { // few, so that questions meanwhile miss few
		if err := p.replace(ctx, part); err != nil {
			return err
		}
		if done += len(part); p.Done != nil {
			p.Done(done, len(missing))
		}
	}
	return nil
}

// record is a run as the store has it.
type record struct {
	store.ReplicaRun
	Record, Texts []byte
}

// replace pulls runs, in place of what the replica has of them. One that cannot be read or imported is
// left out.
func (p *puller) replace(ctx context.Context, ids []string) error {
	rows, _ := p.conn.Query(ctx, statement("runs"), pgx.NamedArgs{"ids": ids, "content": p.next.Content})
	runs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[record])
	if err == nil {
		err = p.replica.Remove(ctx, ids)
	}
	for _, run := range runs {
		if err != nil {
			return err
		}
		document, refused := exchange.Decode(run.Record, run.Texts)
		if refused != nil {
			refused = fmt.Errorf("%w: if a newer reviewledger pushed it, update this one", refused)
		} else {
			refused, err = p.replica.Put(ctx, run.ReplicaRun, document)
		}
		if refused != nil {
			p.out.LeftOut = append(p.out.LeftOut, Refusal{run.Run, refused.Error()})
		} else {
			p.out.Added++
		}
	}
	return err
}
