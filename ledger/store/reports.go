package store

import (
	"context"
	"database/sql"
	"math"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// noteReport notes that this report and all later ones are new.
func (t *tx) noteReport(row int64) {
	if t.answered = true; t.reported == 0 {
		t.reported = row
	}
}

// showReports makes violations show their new reports, and a search find them. It handles all of them at once,
// because there may be a hundred thousand. The result depends on what is open now, so showReports comes
// before the events that answer the reports.
func (t *tx) showReports(ctx context.Context) error {
	first := t.reported
	if first == 0 {
		return nil
	}
	t.reported = 0
	if err := t.IndexReports(ctx, first); err != nil {
		return err
	}
	return t.showReportsBetween(ctx, first, math.MaxInt64)
}

func (t *tx) showReportsBetween(ctx context.Context, first, last int64) error {
	if err := t.ShowReports(ctx, db.ShowReportsParams{First: first, Last: last}); err != nil {
		return err
	}
	return t.ShowWording(ctx, db.ShowWordingParams{First: first, Last: last})
}

// SlotReports returns the reports of one slot, in the order of its answer.
func (l *Store) SlotReports(ctx context.Context, run string, ref ledger.SlotRef) ([]ledger.Report, error) {
	return ofSlot(ctx, l, "read the slot's reports", run, ref, func(t *tx, _ runRow, slot slot) ([]ledger.Report, error) {
		return listed(reportsOfSlot.All(ctx, t.Queries, sql.Named("slot", slot.Row)))
	})
}
