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
	// Runs are in the order in which they were recorded.
	Runs []exchange.Revision
}

// Outline returns the outline of the ledger, with those of its runs that started at or after since.
func (l *Store) Outline(ctx context.Context, since time.Time) (o Outline, err error) {
	return o, l.read(ctx, "read the runs", func(t *tx) error {
		meta, err := t.readRows(ctx, exchange.TableOf("meta"), "all rows", nil)
		if err != nil {
			return err
		}
		o.Content, o.Database = exchange.ContentOf(meta), metaOf(meta, databaseID)
		o.Runs, err = db.ReadRecord[exchange.Revision](ctx, t.Queries, "revisions", db.Time(since))
		return err
	})
}

// Document returns the record of a run with what it refers to, from one state of the ledger: its long
// texts only at [exchange.ContentFull].
func (l *Store) Document(ctx context.Context, run string, content exchange.Content) (exchange.Document, error) {
	return ofRun(ctx, l, "read the run", run, func(t *tx, row runRow) (d exchange.Document, err error) {
		if d.Run, _, err = t.recordOf(ctx, row.Row); err != nil {
			return d, err
		}
		if d.Jobs, err = t.readRows(ctx, exchange.TableOf("job"), "jobs of run", nil, row.Row); err != nil {
			return d, err
		}
		d.Forgotten, err = t.readRows(ctx, exchange.TableOf("forgotten_skip"), "forgotten skips of run", nil, row.Row)
		if err != nil || content != exchange.ContentFull {
			return d, err
		}
		for _, hash := range d.Run.Texts() {
			blob, err := t.BlobByHash(ctx, hash)
			if err != nil {
				return d, fmt.Errorf("text %s: %w", hash, err)
			}
			text, err := unpack(blob.Data, blob.Size)
			if err != nil {
				return d, fmt.Errorf("text %s: %w", hash, err)
			}
			d.Texts = append(d.Texts, exchange.NewRow("blob", hash, text))
		}
		return d, nil
	})
}
