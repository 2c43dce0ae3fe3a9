package store

import (
	"context"
	"iter"
	"math"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// notesBatch is the size of the first batch of matching notes; each further batch is twice as
// large, up to [allBatch].
const notesBatch = 500

// notes returns the newest matching notes that the filter keeps: as many as a list of this length
// ranks.
func (w *wordSearch) notes(ctx context.Context, limit int) (found []foundReport, err error) {
	for kept, err := range w.matchingNotes(ctx) {
		if err != nil {
			return nil, err
		}
		if found = append(found, kept...); len(found) >= max(limit, lists.Ranked) {
			break
		}
	}
	return found, nil
}

// matchingNotes yields the matching notes that the filter keeps, newest first, in batches.
func (w *wordSearch) matchingNotes(ctx context.Context) iter.Seq2[[]foundReport, error] {
	return func(yield func([]foundReport, error) bool) {
		before := int64(math.MaxInt64)
		for batch := int64(notesBatch); !w.filter.OnlyReports(); batch = min(2*batch, allBatch) {
			rows, err := w.MatchingNotes(ctx, db.MatchingNotesParams{Query: w.match, Before: before, AtMost: batch})
			if err == nil && len(rows) == 0 {
				return
			}
			var kept []foundReport
			if err == nil {
				before = rows[len(rows)-1].SlotID
				kept, err = w.keptNotes(ctx, rows)
			}
			if !yield(kept, err) || err != nil || int64(len(rows)) < batch {
				return
			}
		}
	}
}

// keptNotes returns the notes that the filter keeps.
func (w *wordSearch) keptNotes(ctx context.Context, rows []db.MatchingNotesRow) (kept []foundReport, err error) {
	ids := make([]int64, 0, len(rows))
	for _, row := range rows {
		ids = append(ids, row.SlotID)
	}
	notes, err := w.notesOf(ctx, ids)
	for _, row := range rows {
		texts, matches := w.words.Notes(row.Notes)
		n := notes[row.SlotID]
		if n == nil || !matches {
			continue
		}
		kept = append(kept, foundReport{SearchHit: ledger.SearchHit{Notes: n, Snippet: texts.Snippet()}, id: -row.SlotID, at: db.Time(n.At).Text(), score: texts.Relevance()})
	}
	return kept, err
}

// notesOf returns the notes of the slots that the filter keeps, without their text.
func (w *wordSearch) notesOf(ctx context.Context, slots []int64) (map[int64]*ledger.SlotNotes, error) {
	found := map[int64]*ledger.SlotNotes{}
	if len(slots) == 0 {
		return found, nil
	}
	rows, err := w.SlotsWithNotes(ctx, db.SlotsWithNotesParams{
		Ids: asJSON(slots), Model: w.filter.Model, Repositories: w.repositories,
	})
	for _, s := range rows {
		n := ledger.SlotNotes{
			Run: s.Run, Ref: ledger.SlotRef{Job: s.Job, Slot: int(s.ReviewIndex), Iteration: int(s.Iteration)},
			EntryPoint: s.EntryPoint, Gate: s.Name, Adapter: s.Adapter, At: moment(s.EndedAt),
		}
		if lists.OneOf(w.filter.Branch, text(s.Branch)) && lists.OneOf(w.filter.Worktree, s.Worktree) && lists.KeepsNotes(w.filter, n) {
			found[s.ID] = &n
		}
	}
	return found, err
}
