package store

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// RunFindings returns what exports of a run to other tools need.
func (l *Store) RunFindings(ctx context.Context, id string) (*ledger.RunFindings, error) {
	return ofRun(ctx, l, "read the run", id, func(t *tx, row runRow) (_ *ledger.RunFindings, err error) {
		f := &ledger.RunFindings{LineHashes: map[string]string{}, Reworded: map[string]bool{}}
		if f.State, err = t.detail(ctx, row); err != nil {
			return nil, err
		}
		if f.Violations, err = t.listed(ctx, ledger.ViolationFilter{Run: id}); err != nil {
			return nil, err
		}
		ledger.SortWorstFirst(f.Violations)
		wordings, err := t.WordingsOfRun(ctx, row.Row)
		for _, w := range wordings {
			if w.LineHash != nil {
				f.LineHashes[w.Ulid] = *w.LineHash
			}
			if w.Reworded != 0 {
				f.Reworded[w.Ulid] = true
			}
		}
		return f, err
	})
}

// Written returns the document of the slot's JSON file as its iteration wrote it, without later
// marks. If the run was restored from its files, it is the document as it was read. The error is
// [ledger.ErrNotFound] if the run has no such slot.
func (l *Store) Written(ctx context.Context, state *ledger.State, ref ledger.SlotRef) (ledger.SlotDocument, error) {
	return ofSlot(ctx, l, "read what was written", state.Run.ID, ref, func(t *tx, row runRow, slot slot) (ledger.SlotDocument, error) {
		exported, rows, err := t.exported(ctx, row.Row, slot, ref, until(ledger.Period{Until: slot.FinishedAt}))
		document := exported.Document
		if i := state.Iteration(ref.Iteration); i == nil || i.Mode != ledger.ModeRebuilt {
			for i, row := range rows {
				entry := &document.Violations[i]
				entry.Status, entry.Result = string(ledger.StatusNew), nil
				if then := row.StatusThen; then == ledger.StatusDuplicate || then == ledger.StatusDisputed {
					entry.Status, entry.Result = string(then), &row.ResultThen
				}
			}
		}
		return document, err
	})
}
