package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// databaseID is the key of the ledger's id in the table meta.
const databaseID = "database_id"

// Loaded is the result of an import.
type Loaded struct {
	// Added is how many runs were added, Forwarded how many were known and were brought forward to
	// a later state in the dump, and Known how many were known and stayed as they are.
	Added, Forwarded, Known int
	// Different has the ids of the known runs whose state in the dump is neither equal nor older.
	Different []string
	// LeftOut are the runs that could not be added.
	LeftOut []LeftOut
}

// A LeftOut is a run that is open in the dump and could not be added, because another run in the
// same place is already open in the ledger: there is at most one.
type LeftOut struct {
	Run string
	ledger.Scope
	// Open is the id of the run that is open in the ledger.
	Open string
}

// Import loads a dump, as [Store.Load] does, into the ledger in the SQLite file at path. If there
// is no file, it is created with the whole dump, or not at all if there is an error.
func Import(ctx context.Context, path string, o Options, next func() (exchange.Record, error)) (loaded Loaded, err error) {
	// Until the first line has arrived, nothing is created and no lock is held: a pipe may be slow,
	// or may end without a line.
	first, err := nextRecord(ctx, next)
	if err != nil {
		return Loaded{}, fmt.Errorf("import: ledger %q: %w; nothing was imported", path, err)
	}
	next = preceded(first, next)
	if !db.Missing(path) {
		return importInto(ctx, path, o, next)
	}
	var refused error
	err = db.Make(ctx, path, func(handle *sql.DB) error {
		loaded, refused = newLedger(path, handle, o).Load(ctx, next)
		return refused
	})
	switch {
	case err == nil, refused != nil:
		return loaded, err
	case errors.Is(err, db.ErrExists):
		return Loaded{}, fmt.Errorf("import: ledger %q: another process created it meanwhile; nothing was imported: import again", path)
	}
	return Loaded{}, &OpenError{path, err}
}

// importInto loads a dump into the ledger at path.
func importInto(ctx context.Context, path string, o Options, next func() (exchange.Record, error)) (_ Loaded, err error) {
	l, err := Open(ctx, path, o)
	if err != nil {
		return Loaded{}, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.Load(ctx, next)
}

// preceded returns a function that returns the record first, and then what next returns.
func preceded(record exchange.Record, next func() (exchange.Record, error)) func() (exchange.Record, error) {
	given := false
	return func() (exchange.Record, error) {
		if given {
			return next()
		}
		given = true
		return record, nil
	}
}

// Load adds what a dump has and the ledger does not, in one transaction: runs, compared by their
// ids, and missing long texts, files, jobs and cooldowns. An open run or a code review of which the
// dump has a later state is brought forward; any other known run stays as it is. An empty ledger
// takes over everything, including the id of the dumped ledger. next is [exchange.Reader.Next]. If
// there is any error, nothing is added. Events and reports go through the rules of the ledger
// again, and the result must be what was dumped. No text is kept of a run that is not added.
func (l *Store) Load(ctx context.Context, next func() (exchange.Record, error)) (Loaded, error) {
	o := &loader{jobs: map[exchange.Place]int64{}}
	err := l.write(ctx, "import", func(t *tx) error {
		o.tx = t
		filled, err := t.LedgerFilled(ctx)
		if err != nil {
			return err
		}
		o.empty = !filled
		for {
			record, err := nextRecord(ctx, next)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := o.load(ctx, record.Row); err != nil {
				return fmt.Errorf("line %d: %w", record.Line, notFound(err))
			}
		}
	})
	if err != nil {
		return Loaded{}, fmt.Errorf("%w; nothing was imported", err)
	}
	if o.texts > 0 && o.loaded.Known+len(o.loaded.LeftOut) > 0 { // they may be of runs that were not added
		_, err = l.removeUnnamed(ctx)
	}
	return o.loaded, err
}

func nextRecord(ctx context.Context, next func() (exchange.Record, error)) (exchange.Record, error) {
	if err := ctx.Err(); err != nil { // the transaction itself does not end when it is canceled
		return exchange.Record{}, err
	}
	return next()
}

// A loader is one import.
type loader struct {
	*tx
	empty  bool
	loaded Loaded
	// jobs are the rows of jobs, by the places by which the rows of runs refer to them.
	jobs map[exchange.Place]int64
}

func (o *loader) load(ctx context.Context, record any) error {
	switch r := record.(type) {
	case exchange.Header:
		if r.Schema > db.Latest {
			return fmt.Errorf("the dump is of a ledger with schema %d, this program knows %d: update reviewledger", r.Schema, db.Latest)
		}
	case exchange.Meta:
		return o.meta(ctx, r)
	case exchange.Job:
		row, err := o.jobRow(ctx, r.Job, ledger.GateKind(r.Kind), r.EntryPoint, r.Name)
		o.jobs[r.At()] = row
		return named("job", err)
	case exchange.Cooldown:
		_, err := o.WriteRecord(ctx, "ensure cooldown", r, nil)
		return named("cooldown", err)
	case exchange.File:
		repository, err := o.repositoryOf(ctx, r.RepositoryKind, r.Repository)
		if err == nil {
			_, err = o.WriteRecord(ctx, "ensure file", r, map[string]int64{"repository": repository})
		}
		return named("file", err)
	case exchange.ForgottenSkip:
		return named("forgotten_skip", o.forgottenSkip(ctx, r))
	case exchange.Blob:
		_, err := o.putBlob(ctx, r.Data)
		return named("blob", err)
	case *exchange.Run:
		if err := o.run(ctx, r); err != nil {
			return fmt.Errorf("run %s: %w", r.Head.Run, err)
		}
	}
	return nil
}

// forgottenSkip adds a skip that was forgotten, which is a change of its run if the ledger has it.
func (o *loader) forgottenSkip(ctx context.Context, r exchange.ForgottenSkip) error {
	added, err := o.WriteRecord(ctx, "ensure forgotten_skip", r, nil)
	if err != nil {
		return err
	}
	n, err := added.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	var of []struct {
		Run int64 `json:"run_id"`
	}
	if err := o.ReadRecord(ctx, "read run of violation", &of, r.Violation); err != nil {
		return err
	}
	for _, v := range of {
		o.touch(v.Run)
	}
	return nil
}

func named(kind string, err error) error {
	if err != nil {
		return fmt.Errorf("record %s: %w", kind, err)
	}
	return nil
}

// meta takes over the meta row of the dump into an empty ledger. Any other ledger keeps its own.
func (o *loader) meta(ctx context.Context, r exchange.Meta) error {
	if !o.empty {
		return nil
	}
	_, err := o.WriteRecord(ctx, "add meta", r, nil)
	return named("meta", err)
}

// run adds the run, or brings it forward if it is known.
func (o *loader) run(ctx context.Context, r *exchange.Run) error {
	known, err := o.RunByULID(ctx, r.Head.Run)
	if errors.Is(err, sql.ErrNoRows) {
		return o.newRun(ctx, r)
	}
	if err != nil {
		return err
	}
	row := known.ID
	head, err := o.headOf(ctx, row)
	if err != nil {
		return err
	}
	// The rows of a closed run of gates no longer change, so if its head is equal they need not be
	// compared. The rows of other runs may change while the head stays the same.
	if closed := head.FinishedAt != nil && ledger.RunKind(head.Kind) == ledger.KindGates; closed && reflect.DeepEqual(head, r.Head) {
		o.loaded.Known++
		return nil
	}
	here, err := o.recordOf(ctx, row)
	if err != nil {
		return err
	}
	relation := exchange.Compare(here, r)
	if relation == exchange.Later && (head.FinishedAt == nil || ledger.RunKind(head.Kind) == ledger.KindCodeReview) {
		forwarded, err := o.forwardRun(ctx, row, here, r)
		if err != nil {
			return err
		}
		if forwarded {
			o.loaded.Forwarded++
			return nil
		}
	}
	o.loaded.Known++
	if relation == exchange.Later || relation == exchange.Diverged {
		o.loaded.Different = append(o.loaded.Different, r.Head.Run)
	}
	return nil
}

// newRun adds the run, unless it is open and another run is open in its place, which may be from
// another machine whose worktree has the same path. Once either has ended, another import adds what
// was left out, so nothing is lost.
func (o *loader) newRun(ctx context.Context, r *exchange.Run) error {
	if r.Head.FinishedAt == nil {
		scope := ledger.Scope{Kind: ledger.RunKind(r.Head.Kind), Worktree: r.Head.Worktree, LogDir: r.Head.LogDir}
		open, err := o.openInPlaceOf(ctx, r.Head)
		if err == nil {
			o.loaded.LeftOut = append(o.loaded.LeftOut, LeftOut{Run: r.Head.Run, Open: open.Ulid, Scope: scope})
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	o.loaded.Added++
	return o.addRun(ctx, r)
}

// openInPlaceOf returns the open run in the place of the run: of the same repository at the same path,
// or in a worktree with the same name, which another clone may have too.
func (o *loader) openInPlaceOf(ctx context.Context, head exchange.Head) (db.Run, error) {
	repository, err := o.repositoryOf(ctx, head.RepositoryKind, head.Repository)
	if err != nil {
		return db.Run{}, err
	}
	open, err := o.OpenRunByPath(ctx, db.OpenRunByPathParams{
		Worktree: head.Worktree, LogDir: head.LogDir, Kind: head.Kind, Anywhere: 1,
		RepositoryID: repository, Sole: boolean(repository == unknownRepository),
	})
	if !errors.Is(err, sql.ErrNoRows) || head.WorktreeName == nil {
		return open, err
	}
	return o.OpenRun(ctx, db.OpenRunParams{RepositoryID: repository, WorktreeName: *head.WorktreeName, LogDir: head.LogDir, Kind: head.Kind})
}

// forwardRun updates the run to its state in the dump. The result is compared with the dump as a
// whole: if it differs, or if the rules of the ledger do not allow the change, the run stays
// exactly as it was.
func (o *loader) forwardRun(ctx context.Context, row int64, here, later *exchange.Run) (forwarded bool, err error) {
	if later.Sound() != nil {
		return false, nil
	}
	if err := o.Savepoint(ctx); err != nil {
		return false, err
	}
	err = o.bringForward(ctx, row, here, later)
	switch {
	case err == nil:
		return true, o.KeepSavepoint(ctx)
	case db.IsConstraint(err), errors.Is(err, errNotSo), errors.Is(err, ErrConflict):
		return false, o.UndoSavepoint(ctx) // the rows are at fault, not the database
	}
	return false, err
}
