package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/db"
)

type violationID struct{ ulid, short string }

// newViolationIDs draws n ULIDs whose last characters, the short IDs, are not in use.
func (t *tx) newViolationIDs(ctx context.Context, n int) ([]violationID, error) {
	ids := make([]violationID, 0, n)
	drawn := map[string]bool{} // or in use
	for len(ids) < n {
		var batch []string
		for len(ids)+len(batch) < n {
			id, err := t.newULID()
			if err != nil {
				return nil, err
			}
			batch = append(batch, id)
		}
		shorts := make([]string, len(batch))
		for i, id := range batch {
			shorts[i] = shortIDOf(id)
		}
		taken, err := t.ShortIDsTaken(ctx, asJSON(shorts))
		if err != nil {
			return nil, err
		}
		for _, short := range taken {
			drawn[short] = true
		}
		for i, id := range batch {
			if short := shorts[i]; !drawn[short] {
				drawn[short] = true
				ids = append(ids, violationID{id, short})
			}
		}
	}
	// ULIDs of the same moment differ only in their random part. If they are sorted, SQLite adds
	// each at the end of its index.
	slices.SortFunc(ids, func(a, b violationID) int { return cmp.Compare(a.ulid, b.ulid) })
	return ids, nil
}

// insertEvents adds the same event to several violations.
func (t *tx) insertEvents(ctx context.Context, violations []int64, e db.InsertEventParams) error {
	for _, row := range violations {
		e.ViolationID = row
		if err := t.InsertEvent(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// InsertEvent adds an event, which changes the counts of its run.
//
// Rule: History is only added to.
func (t *tx) InsertEvent(ctx context.Context, e db.InsertEventParams) error {
	t.answered = true
	return t.Queries.InsertEvent(ctx, e)
}

// insertReport adds a report of a slot. Its violation shows it after [tx.showReports].
func (t *tx) insertReport(ctx context.Context, slot int64, row *reportRow) (err error) {
	r := row.report
	var repeated *int64
	if row.fingerprint != "" {
		repeated = new(boolean(r.Line.Repeated))
	}
	row.row, err = t.InsertReport(ctx, db.InsertReportParams{
		SlotID: slot, Position: int64(r.Position), File: r.Place.File, LineStart: int64(r.Place.Start), LineEnd: int64(max(r.Place.Start, r.Place.End)),
		Issue: r.Issue, Fix: r.Fix, Title: optional(r.Title), Confidence: r.Confidence, SystemBreaking: boolean(r.SystemBreaking),
		Priority: string(r.Priority), Disposition: string(r.Disposition), Reason: r.Reason, InFixLines: boolean(r.InFixLines),
		LineHash: optional(r.Line.Hash), ViolationID: row.of, Fingerprint: optional(row.fingerprint), LineRepeated: repeated,
		SameAs: optional(r.SameAs), ShortID: optional(row.shortID),
	})
	t.noteReport(row.row)
	return err
}
