package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
)

// DumpFormat is the version of the records that [Ledger.Dump] gives and
// [Ledger.Load] takes. It changes when an older program would misread them.
const DumpFormat = 1

// dumpHeader is the first record of a dump.
type dumpHeader struct {
	Format   int    `json:"format"`
	Database string `json:"database"`
	Schema   int    `json:"schema"`
}

// dumpBlob is a long text, not compressed: what compression makes of it may
// change with the program.
type dumpBlob struct {
	Sha256 []byte `json:"sha256"`
	Data   []byte `json:"data"`
}

// dumpFile is a file that a violation was ever in.
type dumpFile struct {
	File string `json:"file"`
}

// dumpEnd is the last record, which a dump that was cut short does not have.
type dumpEnd struct {
	Rows int `json:"rows"`
}

// PutRow takes one record of a dump: its kind, and a struct whose JSON tags are
// its keys.
type PutRow func(kind string, row any) error

// Dump gives every row of the ledger to put, as one state of it, in an order
// that is always the same and in which nothing refers to what comes later. It
// holds no more than one run in memory. The counts of slot_violations are left
// out: they follow from the violations.
func (l *Store) Dump(ctx context.Context, put PutRow) error {
	return l.read(ctx, "dump the ledger", func(t *tx) error {
		d := &dumper{tx: t}
		d.put = func(kind string, row any) error {
			d.rows++
			if err := ctx.Err(); err != nil { // also where no query runs for a while
				return err
			}
			return put(kind, row)
		}
		for _, dump := range []func(context.Context) error{d.meta, d.jobs, d.files, d.blobs, d.runs} {
			if err := dump(ctx); err != nil {
				return err
			}
		}
		return put("end", dumpEnd{d.rows})
	})
}

// dumper is one dump.
type dumper struct {
	*tx
	put  PutRow
	rows int
}

func (d *dumper) meta(ctx context.Context) error {
	meta, err := d.DumpMeta(ctx)
	if err != nil {
		return err
	}
	header := dumpHeader{Format: DumpFormat, Schema: db.Latest}
	for _, row := range meta {
		if row.Key == databaseID {
			header.Database = row.Value
		}
	}
	if err := d.put("header", header); err != nil {
		return err
	}
	return putAll(d, "meta", meta)
}

func (d *dumper) jobs(ctx context.Context) error {
	jobs, err := d.DumpJobs(ctx)
	if err != nil {
		return err
	}
	if err := putAll(d, "job", jobs); err != nil {
		return err
	}
	cooldowns, err := d.DumpCooldowns(ctx)
	if err != nil {
		return err
	}
	return putAll(d, "cooldown", cooldowns)
}

func (d *dumper) files(ctx context.Context) error {
	for after := ""; ; {
		page, err := d.DumpFiles(ctx, after)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, file := range page {
			if err := d.put("file", dumpFile{file}); err != nil {
				return err
			}
		}
		after = page[len(page)-1]
	}
}

func (d *dumper) blobs(ctx context.Context) error {
	for after := []byte{}; ; {
		row, err := d.DumpBlob(ctx, after)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := unpack(row.Data, row.Size)
		if err != nil {
			return fmt.Errorf("blob %x: %w", row.Sha256, err)
		}
		if err := d.put("blob", dumpBlob{row.Sha256, []byte(text)}); err != nil {
			return err
		}
		after = row.Sha256
	}
}

func (d *dumper) runs(ctx context.Context) error {
	for after := int64(0); ; {
		run, err := d.NextRun(ctx, after)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := d.run(ctx, run.ID); err != nil {
			return fmt.Errorf("run %s: %w", run.Ulid, err)
		}
		after = run.ID
	}
}

func (d *dumper) run(ctx context.Context, id int64) error {
	row, err := d.DumpRun(ctx, id)
	if err != nil {
		return err
	}
	if err := d.put("run", row); err != nil {
		return err
	}
	for _, dump := range []func() error{
		rowsOf(ctx, d, "iteration", d.DumpIterations, id),
		rowsOf(ctx, d, "gate", d.DumpGates, id),
		rowsOf(ctx, d, "slot", d.DumpSlots, id),
		rowsOf(ctx, d, "violation", d.DumpViolations, id),
		rowsOf(ctx, d, "report", d.DumpReports, id),
		rowsOf(ctx, d, "event", d.DumpEvents, id),
		rowsOf(ctx, d, "slot_entry", d.DumpSlotEntries, id),
		rowsOf(ctx, d, "slot_blob", d.DumpSlotBlobs, id),
		rowsOf(ctx, d, "gate_blob", d.DumpGateBlobs, id),
		rowsOf(ctx, d, "code_review", d.DumpCodeReviews, id),
		rowsOf(ctx, d, "verdict", d.DumpVerdicts, id),
		rowsOf(ctx, d, "finding", d.DumpFindings, id),
	} {
		if err := dump(); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf dumps the rows of a run that a query returns.
func rowsOf[R any](ctx context.Context, d *dumper, kind string, query func(context.Context, int64) ([]R, error), run int64) func() error {
	return func() error {
		rows, err := query(ctx, run)
		if err != nil {
			return err
		}
		return putAll(d, kind, rows)
	}
}

func putAll[R any](d *dumper, kind string, rows []R) error {
	for _, row := range rows {
		if err := d.put(kind, row); err != nil {
			return err
		}
	}
	return nil
}
