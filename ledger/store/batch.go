package store

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/db"
)

// batches groups rows by the value that they get, so that one statement writes it to all of them. A
// verdict has ten thousand findings with two or three statuses.
type batches[K comparable] struct {
	keys []K // in the order in which they came
	rows map[K][]int64
}

func (b *batches[K]) add(key K, row int64) {
	if b.rows == nil {
		b.rows = map[K][]int64{}
	}
	if _, known := b.rows[key]; !known {
		b.keys = append(b.keys, key)
	}
	b.rows[key] = append(b.rows[key], row)
}

// each calls do for every batch, until one fails.
func (b *batches[K]) each(do func(key K, rows []int64) error) error {
	for _, key := range b.keys {
		if err := do(key, b.rows[key]); err != nil {
			return err
		}
	}
	return nil
}

// insertEvents adds the same event to many violations.
func (t *tx) insertEvents(ctx context.Context, violations []int64, e db.InsertEventsParams) error {
	return t.insertEventsWith(ctx, violations, nil, e)
}

// insertEventsWith does so with a result for each, by their rows. Results that JSON would
// change are added one by one.
//
// Rule: History is only added to.
func (t *tx) insertEventsWith(ctx context.Context, violations []int64, results map[int64]string, e db.InsertEventsParams) (err error) {
	together := make([][2]any, 0, len(violations))
	for _, row := range violations {
		result := optional(results[row])
		if result == nil || plainInJSON(*result) {
			together = append(together, [2]any{row, result})
			continue
		}
		if err := t.InsertEvent(ctx, db.InsertEventParams{
			ViolationID: row, IterationID: e.IterationID, Status: e.Status, Actor: e.Actor, Result: result, At: e.At,
		}); err != nil {
			return err
		}
	}
	if len(together) == 0 {
		return nil
	}
	if e.Violations, err = asJSON(together); err != nil {
		return err
	}
	t.answered = true
	return t.InsertEvents(ctx, e)
}

// insertReports adds the reports of a slot. Those with an excerpt, and those that JSON
// would change, are added one by one.
func (w *answerWriter) insertReports(ctx context.Context, reports []db.InsertReportParams) error {
	var together []db.InsertReportParams
	for _, r := range reports {
		if _, excerpt := w.excerpts[int(r.Position)]; !excerpt && sameInJSON(r) {
			together = append(together, r)
			continue
		}
		if _, err := w.insertReport(ctx, r); err != nil {
			return err
		}
	}
	if len(together) == 0 {
		return nil
	}
	list, err := asJSON(together)
	if err != nil {
		return err
	}
	newest, err := w.InsertReports(ctx, db.InsertReportsParams{SlotID: w.slot, Reports: list})
	w.reports(newest - int64(len(together)) + 1)
	return err
}

// sameInJSON reports whether the report is unchanged after a round trip through JSON: SQLite reads
// only text without NUL, and Go writes only UTF-8. SQLite reads 15 digits of a confidence exactly,
// and has to read fewer here.
func sameInJSON(r db.InsertReportParams) bool {
	exact := r.Confidence == nil || *r.Confidence == math.Trunc(*r.Confidence*1e9)/1e9
	return exact && !slices.ContainsFunc([]string{r.File, r.Issue, r.Fix, text(r.Title), r.Reason, text(r.LineHash)}, func(s string) bool {
		return !plainInJSON(s)
	})
}

// plainInJSON reports whether the text is unchanged after a round trip through JSON.
func plainInJSON(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
