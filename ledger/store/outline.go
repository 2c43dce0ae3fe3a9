package store

import (
	"context"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// An Outline is the content of a ledger without the records of its runs.
type Outline struct {
	// Database is the ledger's id.
	Database string
	// Content is how much of its runs the ledger has: less than all if it was loaded from a dump
	// that was cut.
	Content exchange.Content
	Jobs    []exchange.Job
	// Forgotten are the skips that were forgotten.
	Forgotten []exchange.ForgottenSkip
	// Runs are in the order in which they were recorded.
	Runs []exchange.Revision
}

// Outline returns the outline of the ledger, with those of its runs that started at or after since.
func (l *Store) Outline(ctx context.Context, since time.Time) (o Outline, err error) {
	return o, l.read(ctx, "read the runs", func(t *tx) error {
		var meta []exchange.Meta
		if err := t.ReadRecord(ctx, "read meta", &meta); err != nil {
			return err
		}
		o.Content = exchange.ContentOf(meta)
		for _, row := range meta {
			if row.Key == databaseID {
				o.Database = row.Value
			}
		}
		if err := t.ReadRecord(ctx, "read job", &o.Jobs); err != nil {
			return err
		}
		if err := t.ReadRecord(ctx, "read forgotten_skip", &o.Forgotten); err != nil {
			return err
		}
		return t.ReadRecord(ctx, "read revision", &o.Runs, db.Time(since))
	})
}

// Record returns the record of a run and the long texts that it refers to, from one state of the
// ledger.
func (l *Store) Record(ctx context.Context, id string) (record *exchange.Run, texts []exchange.Blob, err error) {
	return record, texts, l.read(ctx, "read the run", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		if record, err = t.recordOf(ctx, row.ID); err != nil {
			return err
		}
		for _, hash := range record.Texts() {
			blob, err := t.BlobByHash(ctx, hash)
			if err != nil {
				return fmt.Errorf("text %x: %w", hash, err)
			}
			text, err := unpack(blob.Data, blob.Size)
			if err != nil {
				return fmt.Errorf("text %x: %w", hash, err)
			}
			texts = append(texts, exchange.Blob{Sha256: hash, Data: []byte(text)})
		}
		return nil
	})
}
