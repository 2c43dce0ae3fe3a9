package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// Dump passes everything in the ledger to put, from one state of it, and a row "end" last. The order is always the same, and no
// record refers to a later one. At most one run is in memory. Totals are left out, because they
// follow from the rows.
func (l *Store) Dump(ctx context.Context, put func(exchange.Record) error) error {
	return l.read(ctx, "dump the ledger", func(t *tx) error {
		d := &dumper{tx: t, put: func(record exchange.Record) error {
			if err := ctx.Err(); err != nil { // it may be a while until the next query
				return err
			}
			return put(record)
		}}
		meta, err := t.readRows(ctx, exchange.TableOf("meta"), "all rows", nil)
		if err != nil {
			return err
		}
		if err := d.row("header", int64(exchange.Format), metaOf(meta, databaseID), int64(db.Latest)); err != nil {
			return err
		}
		for _, kind := range []string{"meta", "job", "cooldown", "forgotten_skip"} {
			list, err := t.readRows(ctx, exchange.TableOf(kind), "all rows", nil)
			if err != nil {
				return err
			}
			for _, row := range list {
				if err := d.put(exchange.Record{Row: row}); err != nil {
					return err
				}
			}
		}
		if err := d.blobs(ctx); err != nil {
			return err
		}
		if err := d.runs(ctx); err != nil {
			return err
		}
		return d.row("end", int64(0))
	})
}

// metaOf returns the value of a key of the rows "meta", or "".
func metaOf(meta []exchange.Row, key string) string {
	for _, row := range meta {
		if row.Text("key") == key {
			return row.Text("value")
		}
	}
	return ""
}

// A dumper writes one dump.
type dumper struct {
	*tx
	put func(exchange.Record) error
}

func (d *dumper) row(kind string, values ...any) error {
	return d.put(exchange.Record{Row: exchange.NewRow(kind, values...)})
}

func (d *dumper) blobs(ctx context.Context) error {
	for after := []byte{}; ; {
		blob, err := d.NextBlob(ctx, after)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := unpack(blob.Data, blob.Size)
		if err != nil {
			return fmt.Errorf("blob %x: %w", blob.Sha256, err)
		}
		if err := d.row("blob", hex.EncodeToString(blob.Sha256), text); err != nil {
			return err
		}
		after = blob.Sha256
	}
}

func (d *dumper) runs(ctx context.Context) error {
	ids, err := d.RunIDs(ctx)
	for _, id := range ids {
		record, _, err := d.recordOf(ctx, id)
		if err != nil {
			return fmt.Errorf("the run in row %d: %w", id, err)
		}
		if err := d.put(exchange.Record{Run: record}); err != nil {
			return err
		}
	}
	return err
}
