package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// History returns the history of the violation with this id, or unique prefix of one. The error is
// [ledger.ErrNotFound] or [ledger.ErrAmbiguous].
func (l *Store) History(ctx context.Context, id string) (ledger.History, error) {
	return answer(ctx, l, fmt.Sprintf("read the history of violation %q", id), func(t *tx) (ledger.History, error) {
		row, err := t.violationByPrefix(ctx, id)
		if err != nil {
			return ledger.History{}, err
		}
		return t.history(ctx, row)
	})
}

func (t *tx) history(ctx context.Context, row int64) (h ledger.History, err error) {
	found, err := t.details(ctx, []int64{row})
	if err != nil {
		return h, err
	}
	h.Violation = found[0]
	joined, err := t.joinedTo(ctx, found[0])
	if err != nil {
		return h, err
	}
	if len(joined) > 0 {
		var duplicates []int64
		for _, d := range joined {
			duplicates = append(duplicates, d.ID)
		}
		if h.Violation.Duplicates, err = t.details(ctx, duplicates); err != nil {
			return h, err
		}
	}
	skips, err := t.skipsOf(ctx, found)
	if err != nil {
		return h, err
	}
	if len(skips) > 0 {
		h.Skip = &skips[0]
	}
	if h.Events, err = eventsOfViolation.All(ctx, t.Queries, sql.Named("violation", row)); err != nil {
		return h, err
	}
	if err := t.addHunks(ctx, row, h.Events); err != nil {
		return h, err
	}
	err = wordsOfViolation.Each(ctx, t.Queries, func(w *ledger.ReviewerWord) {
		if w.Violation == h.Violation.ID {
			w.Of = ""
		}
		h.Words = append(h.Words, *w)
	}, sql.Named("violation", row))
	if err != nil {
		return h, err
	}
	excerpts := map[int64]ledger.Excerpt{}
	err = t.excerpts(ctx, []string{h.Violation.ID}, func(row db.ExcerptsRow, x ledger.Excerpt) { excerpts[row.ReportID] = x })
	if err != nil {
		return h, err
	}
	err = reportsOfViolation.Each(ctx, t.Queries, func(r *report) {
		if x := excerpts[r.Row]; x.First > 0 {
			r.Excerpt = x
		}
		h.Reports = append(h.Reports, r.Report)
	}, sql.Named("violation", row))
	return h, err
}

// addHunks adds to the events the changes around the places of their claims.
func (t *tx) addHunks(ctx context.Context, violation int64, events []ledger.Event) error {
	rows, err := t.HunksOfViolation(ctx, violation)
	if err != nil {
		return err
	}
	for _, row := range rows {
		hunks, err := unpack(row.Data, row.Size)
		if err != nil {
			return err
		}
		for i := range events {
			if events[i].Number == int(row.Number) {
				events[i].Hunks = hunks
			}
		}
	}
	return nil
}
