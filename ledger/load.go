package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/reviewledger/reviewledger/db"
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
	// missing or unknown is an error.
	Decode func(into any, exact bool) error
}

// Loaded is what an import did.
type Loaded struct {
	// Added is how many runs were added, Known how many were there already.
	Added, Known int
	// Different are the ids of those runs that were there and are not as they were
	// dumped. They were left as they are.
	Different []string
}

// Load adds what a dump holds and the ledger does not, in one transaction: runs
// as a whole, by their ids, and the long texts, files, jobs and cooldowns that
// are not there. An empty ledger becomes the one that was dumped, its id
// included. next returns the lines, and io.EOF after the last; with any error
// nothing is added. Events and reports go through the rules of the ledger again,
// and what comes of them must be what was dumped.
func (l *Ledger) Load(ctx context.Context, next func() (DumpLine, error)) (Loaded, error) {
	o := &loader{}
	err := l.write(ctx, "import", func(t *tx) error {
		o.tx = t
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

	// run is the run that lines belong to now; skip says that it was there.
	run  string
	skip bool
	// violations are those of the run, by id, as they were dumped.
	violations map[string]db.DumpViolationsRow
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

func (o *loader) beginRun(ctx context.Context, line DumpLine) error {
	if err := o.endRun(ctx); err != nil {
		return err
	}
	return take(ctx, line, func(ctx context.Context, row db.LoadRunParams) error {
		o.run, o.skip, o.violations = row.Run, false, map[string]db.DumpViolationsRow{}
		id, err := o.RunID(ctx, row.Run)
		if errors.Is(err, sql.ErrNoRows) {
			o.loaded.Added++
			if err = o.LoadRun(ctx, row); db.IsUnique(err) {
				return fmt.Errorf("a run of %q is open here, too: end it there with `reviewledger clean`, and import again (%w)", row.Worktree, err)
			}
			return err
		}
		if err != nil {
			return err
		}
		o.skip = true
		o.loaded.Known++
		there, err := o.DumpRun(ctx, id)
		if err == nil && !reflect.DeepEqual(db.LoadRunParams(there), row) {
			o.loaded.Different = append(o.loaded.Different, row.Run)
		}
		return err
	})
}

// rowOfRun adds a row of a run that was not there. What it refers to belongs to
// the same run, so that a dump cannot change what is there.
func (o *loader) rowOfRun(ctx context.Context, line DumpLine) error {
	load := o.loaders()[line.Kind]
	if load == nil {
		return fmt.Errorf("unknown record %q", line.Kind)
	}
	var of struct {
		Run       string  `json:"run"`
		Violation *string `json:"violation"`
	}
	if err := line.Decode(&of, false); err != nil {
		return err
	}
	if o.run == "" || of.Run != o.run {
		return fmt.Errorf("record %s: it is of run %q, and stands among the records of run %q", line.Kind, of.Run, o.run)
	}
	if o.skip {
		return nil
	}
	if of.Violation != nil && line.Kind != "violation" {
		if _, known := o.violations[*of.Violation]; !known {
			return fmt.Errorf("record %s: the run has no violation %q before this line", line.Kind, *of.Violation)
		}
	}
	return load(ctx, line)
}

// loaders says for each kind of row of a run how it is added.
func (o *loader) loaders() map[string]func(context.Context, DumpLine) error {
	return map[string]func(context.Context, DumpLine) error{
		"iteration":   taking(o.LoadIteration),
		"gate":        taking(o.LoadGate),
		"slot":        taking(o.LoadSlot),
		"violation":   o.violation,
		"report":      taking(o.LoadReport),
		"event":       taking(o.LoadEvent),
		"slot_entry":  taking(o.LoadSlotEntry),
		"slot_blob":   taking(o.LoadSlotBlob),
		"gate_blob":   taking(o.LoadGateBlob),
		"code_review": taking(o.LoadCodeReview),
		"verdict":     taking(o.LoadVerdict),
		"finding":     taking(o.LoadFinding),
	}
}

func taking[P any](do func(context.Context, P) error) func(context.Context, DumpLine) error {
	return func(ctx context.Context, line DumpLine) error { return take(ctx, line, do) }
}

// violation adds a violation as it began: its events and reports make the rest.
func (o *loader) violation(ctx context.Context, line DumpLine) error {
	var row db.DumpViolationsRow
	if err := line.Decode(&row, true); err != nil {
		return err
	}
	var begun db.LoadViolationParams
	if err := line.Decode(&begun, false); err != nil {
		return err
	}
	o.violations[row.Violation] = row
	if err := o.LoadViolation(ctx, begun); err != nil {
		return fmt.Errorf("record violation: %w", err)
	}
	return nil
}

// endRun holds what became of the run's violations against what was dumped.
func (o *loader) endRun(ctx context.Context) error {
	if o.run == "" || o.skip {
		return nil
	}
	id, err := o.RunID(ctx, o.run)
	if err != nil {
		return err
	}
	rows, err := o.DumpViolations(ctx, id)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if !reflect.DeepEqual(row, o.violations[row.Violation]) {
			return fmt.Errorf("the run before this line: the events and reports of violation %s do not lead to what the dump says of it", row.ShortID)
		}
	}
	return nil
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
