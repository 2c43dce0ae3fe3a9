package store

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// FormWriter writes the parts of an answer other than its reports.
type FormWriter struct{ t *tx }

// WriteForm lets a test write such rows in one transaction.
func (l *Store) WriteForm(ctx context.Context, write func(FormWriter) error) error {
	return l.write(ctx, "write a form", func(t *tx) error { return write(FormWriter{t}) })
}

func (w FormWriter) Words(ctx context.Context, slot int64, words map[int64]ledger.ReviewerWord) error {
	return w.t.putWords(ctx, slot, words)
}

func (w FormWriter) Places(ctx context.Context, report int64, also []ledger.Place) error {
	return w.t.putPlaces(ctx, report, also)
}

// ShowReports makes violations show the reports with this row or a later one.
func (w FormWriter) ShowReports(ctx context.Context, first int64) error {
	w.t.noteReport(first)
	return w.t.showReports(ctx)
}
