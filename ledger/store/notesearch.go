package store

import (
	"context"
	"math"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// notesBatch is how many notes that match are looked at first; after that twice as many each
// time.
const notesBatch = 500

// notes are the newest notes of slots that match, and that the filter keeps: as many as a
// list of this length ranks. A limit of 0 is all.
func (w *wordSearch) notes(ctx context.Context, limit int) (found []foundReport, err error) {
	if w.filter.OnlyReports() {
		return nil, nil
	}
	target := max(limit, lists.Ranked)
	if limit == 0 {
		target = math.MaxInt
	}
	before := int64(math.MaxInt64)
	for batch := int64(notesBatch); len(found) < target; batch *= 2 {
		rows, err := w.MatchingNotes(ctx, db.MatchingNotesParams{Query: w.match, Before: before, AtMost: batch})
		if err != nil || len(rows) == 0 {
			return found, err
		}
		before = rows[len(rows)-1].SlotID
		kept, err := w.keptNotes(ctx, rows)
		found = append(found, kept...)
		if err != nil || int64(len(rows)) < batch {
			return found, err
		}
	}
	return found, nil
}

// keptNotes are those of the notes that the filter keeps.
func (w *wordSearch) keptNotes(ctx context.Context, rows []db.MatchingNotesRow) (kept []foundReport, err error) {
	words, ids := make(map[int64]string, len(rows)), make([]int64, 0, len(rows))
	for _, row := range rows {
		words[row.SlotID] = row.Notes
		ids = append(ids, row.SlotID)
	}
	slots, err := w.SlotsWithNotes(ctx, db.SlotsWithNotesParams{
		Ids: jsonList(ids), Model: w.filter.Model, Repositories: w.repositories,
	})
	for _, s := range slots {
		n := ledger.SlotNotes{
			Run: s.Run, Ref: ledger.SlotRef{Job: s.Job, Slot: int(s.ReviewIndex), Iteration: int(s.Iteration)},
			EntryPoint: s.EntryPoint, Gate: s.Name, Adapter: s.Adapter, At: moment(s.EndedAt),
		}
		if !lists.OneOf(w.filter.Branch, text(s.Branch)) || !lists.OneOf(w.filter.Worktree, s.Worktree) || !lists.KeepsNotes(w.filter, n) {
			continue
		}
		texts := ledger.SearchTexts{Notes: marked(words[s.ID])}
		kept = append(kept, foundReport{id: -s.ID, at: db.Time(n.At).Text(), notes: &n, snippet: texts.Snippet(), score: texts.Relevance()})
	}
	return kept, err
}
