package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// ErrReplica means that a command other than a pull wants to write to a replica.
var ErrReplica = errors.New("this is a replica of a team's history, which only `reviewledger team pull` writes: use the ledger of the repository")

// A Replica is a ledger that has what was pulled from a team store. It is an ordinary ledger for
// whoever asks, and anybody may delete it: the next pull makes it anew.
type Replica struct {
	*Store
	// Held is what it had when it was opened.
	Held ReplicaState
}

// ReplicaState says what a replica has.
type ReplicaState struct {
	// Store is the ID of the team store.
	Store string
	// Content is how much of each run is pulled.
	Content exchange.Content
	// State is that of the store at the last complete pull, or "" if that left out a record.
	State string
	// Runs is how many runs were imported.
	Runs int
	// Scopes are what complete pulls have brought: the time since which runs started, by repository.
	// The repository "" stands for all. The zero time means that all runs are there.
	Scopes map[string]time.Time
}

// ReplicaRun is the state of a run as the team store describes it.
type ReplicaRun struct {
	Run      string
	Revision int64
	Digest   string
	Content  string
}

// UpdateReplica calls update with the replica of the team store with this ID. It is made if there is
// none, and made anew if it is damaged, of another store or of another version: then update may be called
// again. Updates by several processes wait for each other.
func UpdateReplica(ctx context.Context, path, of string, update func(*Replica) error) (err error) {
	lock := flock.New(path+".pull", flock.SetPermissions(0o600))
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return fmt.Errorf("lock the replica %q: %w", path, err)
	}
	if err = updateReplica(ctx, path, of, update); RemoveDamagedReplica(path, err) {
		err = updateReplica(ctx, path, of, update)
	}
	return err
}

func updateReplica(ctx context.Context, path, of string, update func(*Replica) error) (err error) {
	r, err := openReplica(ctx, path, of)
	if err != nil && ctx.Err() == nil && !IsBusy(err) {
		r, err = makeReplica(ctx, path, of)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return update(r)
}

// makeReplica makes an empty replica in place of what is there.
func makeReplica(ctx context.Context, path, of string) (*Replica, error) {
	if err := removeReplica(path); err != nil {
		return nil, err
	}
	l, err := Open(ctx, path, Options{})
	if err != nil {
		return nil, err
	}
	err = l.write(ctx, "make the replica", func(t *tx) error {
		if err := t.ExecRecord(ctx, "make replica"); err != nil {
			return err
		}
		return t.ExecRecord(ctx, "begin replica", of, string(exchange.ContentWords))
	})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &Replica{l, ReplicaState{Store: of, Content: exchange.ContentWords, Scopes: map[string]time.Time{}}}, nil
}

// errOther means that a file is not a replica of the store.
var errOther = errors.New("not a replica of this team store")

func openReplica(ctx context.Context, path, of string) (*Replica, error) {
	if db.Missing(path) {
		return nil, ErrMissing
	}
	l, err := OpenReadOnly(ctx, path, Options{}) // writes to nothing that is not a replica
	if err != nil {
		return nil, err
	}
	state, err := l.Replica(ctx)
	if err := errors.Join(err, l.Close()); err != nil {
		return nil, err
	}
	if state == nil || state.Store != of {
		return nil, errOther
	}
	handle, err := db.Open(ctx, path, nil)
	if err != nil {
		return nil, notOpened(path, err)
	}
	return &Replica{newLedger(path, handle, Options{}), *state}, nil
}

// RemoveDamagedReplica removes a replica if the error means that it is damaged, and reports whether it
// did: the next update makes it anew.
func RemoveDamagedReplica(path string, err error) bool {
	return DamageIn(err) != (Damage{}) && removeReplica(path) == nil
}

// removeReplica removes a replica and what SQLite keeps beside it.
func removeReplica(path string) (err error) {
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if removed := os.Remove(path + suffix); !errors.Is(removed, os.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// Replica returns what the ledger has if it is a replica, or else nil.
func (l *Store) Replica(ctx context.Context) (*ReplicaState, error) {
	return answer(ctx, l, "read what the replica has", func(t *tx) (*ReplicaState, error) {
		if is, err := t.isReplica(ctx); !is {
			return nil, err
		}
		rows, err := db.ReadRecord[struct {
			Store   string
			Content exchange.Content
			State   string
			Runs    int
		}](ctx, t.Queries, "read replica")
		if err == nil && len(rows) != 1 {
			err = errOther
		}
		if err != nil {
			return nil, err
		}
		r := &ReplicaState{rows[0].Store, rows[0].Content, rows[0].State, rows[0].Runs, map[string]time.Time{}}
		scopes, err := db.ReadRecord[struct {
			Repository string
			Since      exchange.Time
		}](ctx, t.Queries, "read replica_scope")
		for _, scope := range scopes {
			r.Scopes[scope.Repository] = scope.Since.Moment()
		}
		return r, err
	})
}

func (t *tx) isReplica(ctx context.Context) (bool, error) {
	found, err := db.ReadRecord[string](ctx, t.Queries, "is replica")
	return len(found) > 0, err
}

// Runs returns the states of the runs that were pulled, by ID.
func (r *Replica) Runs(ctx context.Context) (map[string]ReplicaRun, error) {
	return answer(ctx, r.Store, "read what the replica has", func(t *tx) (map[string]ReplicaRun, error) {
		rows, err := db.ReadRecord[ReplicaRun](ctx, t.Queries, "read replica_run")
		all := make(map[string]ReplicaRun, len(rows))
		for _, row := range rows {
			all[row.Run] = row
		}
		return all, err
	})
}

// Put adds a run that the replica does not have. If its record cannot be imported, refused says why.
func (r *Replica) Put(ctx context.Context, run ReplicaRun, d exchange.Document) (refused, err error) {
	if d.Run.ID() != run.Run {
		return fmt.Errorf("its record is of run %q", d.Run.ID()), nil
	}
	err = r.write(ctx, "pull a run", func(t *tx) error {
		if refused = t.addPulled(ctx, d); refused != nil {
			return refused
		}
		return t.ExecRecord(ctx, "add replica_run", run.Run, run.Revision, run.Digest, run.Content)
	})
	if refused == nil || ctx.Err() != nil || db.IsFull(err) || db.IsBusy(err) || db.IsCorrupt(err) { // not the record's fault
		return nil, err
	}
	return err, nil
}

func (t *tx) addPulled(ctx context.Context, d exchange.Document) error {
	o := &loader{tx: t}
	for _, row := range slices.Concat(d.Jobs, d.Texts, d.Forgotten) {
		if err := o.load(ctx, exchange.Record{Row: row}); err != nil {
			return err
		}
	}
	return o.addRun(ctx, d.Run)
}

// Remove removes runs.
func (r *Replica) Remove(ctx context.Context, ids []string) error {
	removed := false
	// As for RemoveRuns, rows of a run refer only to each other and to rows that stay.
	err := db.WithoutForeignKeys(ctx, r.handle, func() error {
		return r.write(ctx, "remove runs", func(t *tx) error {
			for _, id := range ids {
				row, err := t.runByULID(ctx, id)
				if err == nil {
					removed, err = true, t.deleteRun(ctx, row.Row)
				}
				if err != nil && !errors.Is(err, sql.ErrNoRows) {
					return err
				}
				if err := t.ExecRecord(ctx, "drop replica_run", id); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err == nil && removed {
		_, err = r.removeUnnamed(ctx)
	}
	return err
}

// Complete records a complete pull: the state of the store, and what it has brought.
func (r *Replica) Complete(ctx context.Context, s ReplicaState) error {
	return r.write(ctx, "end the pull", func(t *tx) error {
		for repository, since := range s.Scopes {
			text := ""
			if !since.IsZero() {
				text = db.Time(since).Text()
			}
			if err := t.ExecRecord(ctx, "put replica_scope", repository, text); err != nil {
				return err
			}
		}
		return t.ExecRecord(ctx, "end pull", s.State, string(s.Content))
	})
}
