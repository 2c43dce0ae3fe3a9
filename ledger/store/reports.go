package store

import (
	"context"
	"math"

	"github.com/reviewledger/reviewledger/db"
)

// InsertReport adds a report. Its violation shows it after [tx.showReports].
func (t *tx) InsertReport(ctx context.Context, params db.InsertReportParams) (int64, error) {
	row, err := t.Queries.InsertReport(ctx, params)
	if err == nil {
		t.reports(row)
	}
	return row, err
}

// reports notes that this report, and any after it, is new.
func (t *tx) reports(row int64) {
	if t.reported == 0 {
		t.reported = row
	}
}

// showReports makes of the new reports what their violations show: for all of them at once,
// because a report can be one of a hundred thousand. What is open is seen as it is now, so
// events that answer the reports come after it.
func (t *tx) showReports(ctx context.Context) error {
	first := t.reported
	if first == 0 {
		return nil
	}
	t.reported = 0
	return t.showReportsBetween(ctx, first, math.MaxInt64)
}

func (t *tx) showReportsBetween(ctx context.Context, first, last int64) error {
	if err := t.ShowReports(ctx, db.ShowReportsParams{First: first, Last: last}); err != nil {
		return err
	}
	if err := t.ShowWording(ctx, db.ShowWordingParams{First: first, Last: last}); err != nil {
		return err
	}
	adapters, err := t.AdaptersBeside(ctx, first)
	if err == nil && adapters > 1 {
		err = t.ShareViolations(ctx, db.ShareViolationsParams{First: first, Last: last})
	}
	if err != nil {
		return err
	}
	return t.AddFiles(ctx, db.AddFilesParams{First: first, Last: last})
}
