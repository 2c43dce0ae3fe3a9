package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// databaseID and formatVersion are keys of meta.
const (
	databaseID    = "database_id"
	formatVersion = "format_version"
)

// DumpLine is one record of a dump that is read.
type DumpLine struct {
	// Number is the 1-based line that it stands on.
	Number int
	Kind   string
	// Decode fills a struct by its JSON tags. Where exact is set, a key that is
	// missing or unknown is an error. It works until the next line is read.
	Decode func(into any, exact bool) error
}

// Loaded is what an import did.
type Loaded struct {
	// Added is how many runs were added; Forwarded is how many were there, open,
	// and were brought to the later state that was dumped; Known is how many were
	// there and stayed as they are.
	Added, Forwarded, Known int
	// Different are the ids of those known runs of which the dump is neither an
	// equal nor an older state.
	Different []string
	// LeftOut are runs that could not be added.
	LeftOut []LeftOut
}

// LeftOut is a run that is open in the dump, and could not be added because there
// is an open run of the same place already: there is at most one.
type LeftOut struct {
	Run string
	ledger.Scope
	// Open is the run that is open here.
	Open string
}

// Import loads a dump, as [Ledger.Load] does, into the ledger in the SQLite file
// at path. Where there is none it is made, as a whole: with any error there is none
// afterwards either.
func Import(ctx context.Context, path string, o Options, next func() (DumpLine, error)) (loaded Loaded, err error) {
	// Until the first line has come nothing is made and nobody waits: a pipe may be
	// slow, or given up.
	first, err := nextLine(ctx, next)
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
		return Loaded{}, fmt.Errorf("import: ledger %q: it was made by somebody else meanwhile; nothing was imported: import again", path)
	}
	return Loaded{}, &OpenError{path, err}
}

// importInto loads a dump into the ledger at path.
func importInto(ctx context.Context, path string, o Options, next func() (DumpLine, error)) (_ Loaded, err error) {
	l, err := Open(ctx, path, o)
	if err != nil {
		return Loaded{}, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.Load(ctx, next)
}

// preceded returns the line before what next returns.
func preceded(line DumpLine, next func() (DumpLine, error)) func() (DumpLine, error) {
	given := false
	return func() (DumpLine, error) {
		if given {
			return next()
		}
		given = true
		return line, nil
	}
}

// Load adds what a dump holds and the ledger does not, in one transaction: runs
// by their ids, and the long texts, files, jobs and cooldowns that are not there.
// An open run of which the dump has a later state is brought forward, and any
// other that is there stays as it is. An empty ledger becomes the one that was
// dumped, its id included. next returns the lines, and io.EOF after the last; with
// any error nothing is added. Events and reports go through the rules of the
// ledger again, and what comes of them must be what was dumped.
func (l *Store) Load(ctx context.Context, next func() (DumpLine, error)) (Loaded, error) {
	o := &loader{jobs: map[string]int64{}}
	err := l.write(ctx, "import", func(t *tx) error {
		o.tx = t
		o.kinds = o.rowKinds()
		filled, err := t.LedgerFilled(ctx)
		if err != nil {
			return err
		}
		o.empty = !filled
		for !o.ended {
			line, err := nextLine(ctx, next)
			if err != nil {
				return err
			}
			if err := o.load(ctx, line); err != nil {
				return fmt.Errorf("line %d: %w", line.Number, notFound(err))
			}
			o.rows++
		}
		if line, err := next(); err == nil {
			return fmt.Errorf("line %d: nothing may follow the record end", line.Number)
		} else if !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	})
	if err != nil {
		return Loaded{}, fmt.Errorf("%w; nothing was imported", err)
	}
	return o.loaded, nil
}

func nextLine(ctx context.Context, next func() (DumpLine, error)) (DumpLine, error) {
	if err := ctx.Err(); err != nil { // the transaction itself does not heed it
		return DumpLine{}, err
	}
	line, err := next()
	if errors.Is(err, io.EOF) {
		return line, errors.New("the dump was cut short: its last record, end, is missing; make it anew with `reviewledger export ndjson`")
	}
	return line, err
}

// loader is one import.
type loader struct {
	*tx
	empty  bool
	rows   int
	ended  bool
	loaded Loaded

	kinds map[string]rowKind
	// jobs are rows by id, as far as they were looked for.
	jobs map[string]int64
	// run is the run that lines belong to now, with no id before the first.
	run loadedRun
}

func (o *loader) load(ctx context.Context, line DumpLine) error {
	if (o.rows == 0) != (line.Kind == "header") {
		return errors.New("a dump begins with one record header: is this the output of `reviewledger export ndjson`?")
	}
	switch line.Kind {
	case "header":
		return o.header(line)
	case "meta":
		return o.meta(ctx, line)
	case "job":
		return take(ctx, line, o.LoadJob)
	case "cooldown":
		return take(ctx, line, o.LoadCooldown)
	case "file":
		return take(ctx, line, func(ctx context.Context, file dumpFile) error { return o.LoadFile(ctx, file.File) })
	case "blob":
		return take(ctx, line, o.blob)
	case "run":
		return o.beginRun(ctx, line)
	case "end":
		return o.end(ctx, line)
	}
	return o.rowOfRun(ctx, line)
}

// take decodes a row and does something with it.
func take[P any](ctx context.Context, line DumpLine, do func(context.Context, P) error) error {
	var row P
	if err := line.Decode(&row, true); err != nil {
		return err
	}
	if err := do(ctx, row); err != nil {
		return fmt.Errorf("record %s: %w", line.Kind, err)
	}
	return nil
}

func (o *loader) header(line DumpLine) error {
	var header dumpHeader
	// Another format may have other keys: which it is comes first.
	if err := line.Decode(&header, false); err != nil {
		return err
	}
	if header.Format != DumpFormat {
		return fmt.Errorf("the dump has format %d, this program knows %d: use the reviewledger that wrote it, or a newer one", header.Format, DumpFormat)
	}
	if header.Schema > db.Latest {
		return fmt.Errorf("the dump is of a ledger with schema %d, this program knows %d: update reviewledger", header.Schema, db.Latest)
	}
	return line.Decode(&header, true)
}

// meta takes over what an empty ledger is; any other keeps what it is.
func (o *loader) meta(ctx context.Context, line DumpLine) error {
	return take(ctx, line, func(ctx context.Context, row db.LoadMetaParams) error {
		if row.Key == formatVersion && row.Value != currentFormat {
			return fmt.Errorf("the rows have format %q, this program knows %q", row.Value, currentFormat)
		}
		if !o.empty {
			return nil
		}
		return o.LoadMeta(ctx, row)
	})
}

// currentFormat is the version of the rows' meaning that this program knows.
const currentFormat = "1"

func (o *loader) blob(ctx context.Context, blob dumpBlob) error {
	if sum := sha256.Sum256(blob.Data); string(sum[:]) != string(blob.Sha256) {
		return fmt.Errorf("its data have the SHA-256 %x, not %x", sum, blob.Sha256)
	}
	_, err := o.putBlob(ctx, blob.Data)
	return err
}

func (o *loader) end(ctx context.Context, line DumpLine) error {
	if err := o.endRun(ctx); err != nil {
		return err
	}
	o.ended = true
	return take(ctx, line, func(_ context.Context, end dumpEnd) error {
		if end.Rows != o.rows {
			return fmt.Errorf("%d records should stand before it, and %d do", end.Rows, o.rows)
		}
		return nil
	})
}
