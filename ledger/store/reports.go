package store

import (
	"context"
	"math"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// InsertReport adds a report. Its violation shows it after [tx.showReports].
func (t *tx) InsertReport(ctx context.Context, r db.Report) (int64, error) {
	return t.insertReports(ctx, []*db.Report{&r}, false)
}

// reports notes that this report and all later ones are new, and whether their violations already
// show them.
func (t *tx) reports(row int64, shown bool) {
	if t.reported == 0 {
		t.reported = row
	}
	t.unshown = t.unshown || !shown
}

// showReports makes violations show their new reports. It handles all of them at once, because
// there may be a hundred thousand. The result depends on what is open now, so showReports comes
// before the events that answer the reports.
func (t *tx) showReports(ctx context.Context) error {
	first := t.reported
	if first == 0 {
		return nil
	}
	unshown := t.unshown
	t.reported, t.unshown = 0, false
	if !unshown {
		return t.noteReported(ctx, first, math.MaxInt64)
	}
	return t.showReportsBetween(ctx, first, math.MaxInt64)
}

func (t *tx) showReportsBetween(ctx context.Context, first, last int64) error {
	if err := t.ShowReports(ctx, db.ShowReportsParams{First: first, Last: last}); err != nil {
		return err
	}
	if err := t.ShowWording(ctx, db.ShowWordingParams{First: first, Last: last}); err != nil {
		return err
	}
	return t.noteReported(ctx, first, last)
}

// noteReported notes which violations of these reports are shared between adapters, and which files
// they are in.
func (t *tx) noteReported(ctx context.Context, first, last int64) error {
	adapters, err := t.AdaptersBeside(ctx, first)
	if err == nil && adapters > 1 {
		err = t.ShareViolations(ctx, db.ShareViolationsParams{First: first, Last: last})
	}
	if err != nil {
		return err
	}
	return t.AddFiles(ctx, db.AddFilesParams{First: first, Last: last})
}

// SlotReports returns the reports of one slot, in the order of its answer, with the short ids of
// their violations.
func (l *Store) SlotReports(ctx context.Context, run string, ref ledger.SlotRef) ([]ledger.Report, error) {
	return ofSlot(ctx, l, "read the slot's reports", run, ref, func(t *tx, _ db.Run, slot db.Slot) (reports []ledger.Report, err error) {
		var ids []int64
		rows, err := t.ReportsOfSlot(ctx, slot.ID)
		for _, r := range rows {
			report := reportFrom(r.Report)
			report.Iteration, report.Slot, report.Adapter, report.ShortID = ref.Iteration, ref.Slot, slot.Adapter, text(r.ShortID)
			reports, ids = append(reports, report), append(ids, r.Report.ID)
		}
		if err != nil {
			return nil, err
		}
		return reports, t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &reports[i].Also })
	})
}

func reportFrom(r db.Report) ledger.Report {
	return ledger.Report{
		Position: int(r.Position), Place: ledger.Place{File: r.File, Start: int(r.LineStart), End: int(r.LineEnd)},
		Issue: r.Issue, Fix: r.Fix, Priority: ledger.Priority(r.Priority), Disposition: ledger.Disposition(r.Disposition),
		Reason: r.Reason, InFixLines: r.InFixLines != 0, ID: text(r.ShortID),
	}
}
