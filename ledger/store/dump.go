package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// Dump passes everything in the ledger to put, from one state of it: the records that
// [exchange.Writer.Put] takes, and an [exchange.End] last. The order is always the same, and no
// record refers to a later one. At most one run is in memory. Totals are left out, because they
// follow from the rows.
func (l *Store) Dump(ctx context.Context, put func(record any) error) error {
	return l.read(ctx, "dump the ledger", func(t *tx) error {
		d := &dumper{tx: t}
		d.put = func(record any) error {
			if err := ctx.Err(); err != nil { // it may be a while until the next query
				return err
			}
			return put(record)
		}
		for _, dump := range []func(context.Context) error{d.meta, d.jobs, d.files, d.blobs, d.runs} {
			if err := dump(ctx); err != nil {
				return err
			}
		}
		return d.put(exchange.End{})
	})
}

// A dumper writes one dump.
type dumper struct {
	*tx
	put func(record any) error
}

func (d *dumper) meta(ctx context.Context) error {
	var meta []exchange.Meta
	if err := d.ReadRecord(ctx, "read meta", &meta); err != nil {
		return err
	}
	header := exchange.Header{Format: exchange.Format, Schema: db.Latest}
	for _, row := range meta {
		if row.Key == databaseID {
			header.Database = row.Value
		}
	}
	if err := d.put(header); err != nil {
		return err
	}
	return putAll(d, meta)
}

func (d *dumper) jobs(ctx context.Context) error {
	var jobs []exchange.Job
	var cooldowns []exchange.Cooldown
	if err := errors.Join(d.ReadRecord(ctx, "read job", &jobs), d.ReadRecord(ctx, "read cooldown", &cooldowns)); err != nil {
		return err
	}
	if err := putAll(d, jobs); err != nil {
		return err
	}
	if err := putAll(d, cooldowns); err != nil {
		return err
	}
	var forgotten []exchange.ForgottenSkip
	if err := d.ReadRecord(ctx, "read forgotten_skip", &forgotten); err != nil {
		return err
	}
	return putAll(d, forgotten)
}

func (d *dumper) files(ctx context.Context) error {
	for last := (exchange.File{}); ; {
		var page []exchange.File
		if err := d.ReadRecord(ctx, "read file", &page, last.RepositoryKind, last.Repository, last.File); err != nil || len(page) == 0 {
			return err
		}
		if err := putAll(d, page); err != nil {
			return err
		}
		last = page[len(page)-1]
	}
}

func (d *dumper) blobs(ctx context.Context) error {
	for after := []byte{}; ; {
		row, err := d.NextBlob(ctx, after)
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
		if err := d.put(exchange.Blob{Sha256: row.Sha256, Data: []byte(text)}); err != nil {
			return err
		}
		after = row.Sha256
	}
}

func (d *dumper) runs(ctx context.Context) error {
	ids, err := d.RunIDs(ctx)
	for _, id := range ids {
		record, err := d.recordOf(ctx, id)
		if err != nil {
			return fmt.Errorf("the run in row %d: %w", id, err)
		}
		if err := d.put(record); err != nil {
			return err
		}
	}
	return err
}

func putAll[R any](d *dumper, list []R) error {
	for _, row := range list {
		if err := d.put(row); err != nil {
			return err
		}
	}
	return nil
}

// recordOf reads all rows of a run.
func (t *tx) recordOf(ctx context.Context, run int64) (*exchange.Run, error) {
	head, err := t.headOf(ctx, run)
	if err != nil {
		return nil, err
	}
	r := &exchange.Run{Head: head}
	for kind, list := range r.Lists() {
		if err := t.ReadRecord(ctx, "read "+kind, list, run); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (t *tx) headOf(ctx context.Context, run int64) (exchange.Head, error) {
	var heads []exchange.Head
	if err := t.ReadRecord(ctx, "read run", &heads, run); err != nil {
		return exchange.Head{}, err
	}
	return heads[0], nil
}
