package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

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
	events, err := t.EventsOfViolation(ctx, row)
	if err != nil {
		return h, err
	}
	for _, e := range events {
		h.Events = append(h.Events, eventFrom(e.Event, found[0].ID, e.Iteration))
	}
	if err := t.addHunks(ctx, row, h.Events); err != nil {
		return h, err
	}
	if h.Words, err = t.wordsOn(ctx, row, joined); err != nil {
		return h, err
	}
	excerpts, err := t.excerpts(ctx, row)
	if err != nil {
		return h, err
	}
	var ids []int64
	reports, err := t.ReportsOfViolation(ctx, &row)
	if err != nil {
		return h, err
	}
	for _, r := range reports {
		v := h.Violation
		report := reportFrom(r.Report)
		report.Run, report.Job, report.EntryPoint, report.Gate, report.At = v.Run, v.ReporterJob(), v.EntryPoint, v.Gate, moment(r.FinishedAt)
		report.Iteration, report.Slot, report.Adapter = int(r.Iteration), int(r.ReviewIndex), r.Adapter
		report.Violation, report.ShortID = v.ID, v.ShortID
		if x := excerpts[r.Report.ID]; x.First > 0 {
			report.Excerpt = x
		}
		h.Reports = append(h.Reports, report)
		ids = append(ids, r.Report.ID)
	}
	return h, t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &h.Reports[i].Also })
}

// wordsOn returns what reporters said of the violation and of the duplicates that are joined to it,
// by iteration and slot.
func (t *tx) wordsOn(ctx context.Context, row int64, joined []db.JoinedToRow) (words []ledger.ReviewerWord, err error) {
	for _, of := range append([]db.JoinedToRow{{ID: row}}, joined...) {
		said, err := t.WordsOfViolation(ctx, of.ID)
		if err != nil {
			return nil, err
		}
		for _, w := range said {
			words = append(words, ledger.ReviewerWord{
				Iteration: int(w.Iteration), Slot: int(w.ReviewIndex), Of: of.ShortID, Adapter: w.Adapter, Verdict: ledger.ClaimVerdict(w.Verdict), Evidence: w.Evidence, Confirmed: ledger.Confirmation(text(w.Confirmed)),
			})
		}
	}
	slices.SortStableFunc(words, func(a, b ledger.ReviewerWord) int {
		return cmp.Or(cmp.Compare(a.Iteration, b.Iteration), cmp.Compare(a.Slot, b.Slot))
	})
	return words, nil
}

func eventFrom(e db.Event, violation string, iteration int64) ledger.Event {
	return ledger.Event{
		Violation: violation, Iteration: int(iteration), Number: int(e.Number), Status: ledger.Status(e.Status),
		Actor: ledger.Actor(e.Actor), Result: text(e.Result), Reason: text(e.Reason), Confirmed: ledger.Confirmation(text(e.Confirmed)), At: time.Time(e.At),
	}
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
