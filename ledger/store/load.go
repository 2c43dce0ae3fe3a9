package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

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
// ids, and missing long texts, jobs and cooldowns. An open run or a code review of which the
// dump has a later state is brought forward; any other known run stays as it is. An empty ledger
// takes over everything, including the id of the dumped ledger. next is [exchange.Reader.Next]. If
// there is any error, nothing is added. Events and reports go through the rules of the ledger
// again, and the result must be what was dumped. No text is kept of a run that is not added.
func (l *Store) Load(ctx context.Context, next func() (exchange.Record, error)) (Loaded, error) {
	o := &loader{}
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
			if err := o.load(ctx, record); err != nil {
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
}

func (o *loader) load(ctx context.Context, record exchange.Record) error {
	if r := record.Run; r != nil {
		if err := o.run(ctx, r); err != nil {
			return fmt.Errorf("run %s: %w", r.ID(), err)
		}
		return nil
	}
	if schema := record.Row; schema.Kind == "header" && schema.Number("schema") > db.Latest {
		return fmt.Errorf("the dump is of a ledger with schema %d, this program knows %d: update reviewledger", schema.Number("schema"), db.Latest)
	}
	return named(record.Row.Kind, o.loadRow(ctx, record.Row))
}

// loadRow adds a row that does not belong to a run.
func (o *loader) loadRow(ctx context.Context, row exchange.Row) (err error) {
	switch row.Kind {
	case "meta":
		if o.empty { // any other ledger keeps its own
			err = o.ExecRecord(ctx, "put meta", row.Values...)
		}
	case "job", "cooldown":
		_, err = o.ensureRow(ctx, row)
	case "forgotten_skip":
		err = o.forgottenSkip(ctx, row)
	case "blob":
		_, err = o.putBlob(ctx, []byte(row.Text("data")))
	}
	return err
}

// forgottenSkip adds a skip that was forgotten, which is a change of its run if the ledger has it.
func (o *loader) forgottenSkip(ctx context.Context, row exchange.Row) error {
	added, err := o.ensureRow(ctx, row)
	if err != nil {
		return err
	}
	n, err := added.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	of, err := db.ReadRecord[int64](ctx, o.Queries, "run of violation", row.Text("violation"))
	for _, run := range of {
		o.touch(run)
	}
	return err
}

func named(kind string, err error) error {
	if err != nil {
		return fmt.Errorf("record %s: %w", kind, err)
	}
	return nil
}

// run adds the run, or brings it forward if it is known.
func (o *loader) run(ctx context.Context, r *exchange.Run) error {
	known, err := o.runByULID(ctx, r.ID())
	if errors.Is(err, sql.ErrNoRows) {
		return o.newRun(ctx, r)
	}
	if err != nil {
		return err
	}
	head, err := o.headOf(ctx, known.Row)
	if err != nil {
		return err
	}
	// The rows of a closed run of gates no longer change, so if its head is equal they need not be
	// compared. The rows of other runs may change while the head stays the same.
	grows := known.FinishedAt.IsZero() || known.Kind == ledger.KindCodeReview
	if !grows && head.Equal(r.Head) {
		o.loaded.Known++
		return nil
	}
	here, rows, err := o.recordOf(ctx, known.Row)
	if err != nil {
		return err
	}
	relation := exchange.Compare(here, r)
	if relation == exchange.Later && grows {
		forwarded, err := o.forwardRun(ctx, here, r, rows)
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
		o.loaded.Different = append(o.loaded.Different, r.ID())
	}
	return nil
}

// newRun adds the run, unless it is open and another run is open in its place, which may be from
// another machine whose worktree has the same path. Once either has ended, another import adds what
// was left out, so nothing is lost.
func (o *loader) newRun(ctx context.Context, r *exchange.Run) error {
	if r.Head.Value("finished_at") == nil {
		open, err := o.openInPlaceOf(ctx, r.Head)
		if err != nil {
			return err
		}
		if open != nil {
			scope := ledger.Scope{Kind: ledger.RunKind(r.Head.Text("kind")), Worktree: r.Head.Text("worktree"), LogDir: r.Head.Text("log_dir")}
			o.loaded.LeftOut = append(o.loaded.LeftOut, LeftOut{Run: r.ID(), Open: open.ID, Scope: scope})
			return nil
		}
	}
	o.loaded.Added++
	return o.addRun(ctx, r)
}

// openInPlaceOf returns the open run in the place of the run, or nil: of the same repository at the same path,
// or in a worktree with the same name, which another clone may have too.
func (o *loader) openInPlaceOf(ctx context.Context, head exchange.Row) (*runRow, error) {
	repository, err := o.repositoryOf(ctx, head)
	if err != nil {
		return nil, err
	}
	open, err := openRuns.All(ctx, o.Queries)
	place := ledger.Scope{Kind: ledger.RunKind(head.Text("kind")), Worktree: head.Text("worktree"), LogDir: head.Text("log_dir")}
	run, _ := openIn(place, repository, repository == unknownRepository, open)
	if name, named := head.Value("worktree_name").(string); run == nil && named {
		place.Worktree, place.WorktreeName, place.Repository.Kind = "", name, ledger.RepositoryKind(head.Text("repository_kind"))
		run, _ = openIn(place, repository, false, open)
	}
	return run, err
}

// forwardRun updates the run to its state in the dump. The result is compared with the dump as a
// whole: if it differs, or if the rules of the ledger do not allow the change, the run stays
// exactly as it was.
func (o *loader) forwardRun(ctx context.Context, here, later *exchange.Run, rows *runRows) (forwarded bool, err error) {
	if later.Sound() != nil {
		return false, nil
	}
	if err := o.Savepoint(ctx); err != nil {
		return false, err
	}
	err = o.bringForward(ctx, here, later, rows)
	switch {
	case err == nil:
		return true, o.KeepSavepoint(ctx)
	case db.IsConstraint(err), errors.Is(err, errNotSo), errors.Is(err, ErrConflict):
		return false, o.UndoSavepoint(ctx) // the rows are at fault, not the database
	}
	return false, err
}
