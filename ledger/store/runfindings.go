package store

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// RunFindings reads a run for export to other tools.
func (l *Store) RunFindings(ctx context.Context, id string) (*ledger.RunFindings, error) {
	f := &ledger.RunFindings{LineHashes: map[string]string{}, Reworded: map[string]bool{}}
	err := l.read(ctx, "read the run", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		if f.State, err = t.detail(ctx, row); err != nil {
			return err
		}
		if f.Violations, err = t.listed(ctx, ledger.ViolationFilter{Run: id}); err != nil {
			return err
		}
		ledger.SortWorstFirst(f.Violations)
		wordings, err := t.WordingsOfRun(ctx, row.ID)
		for _, w := range wordings {
			if w.LineHash != nil {
				f.LineHashes[w.Ulid] = *w.LineHash
			}
			if w.Reworded != 0 {
				f.Reworded[w.Ulid] = true
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Written is the document of the slot's JSON file as its iteration wrote it, whatever was
// marked in the file since. That of a run which was restored from its files is as they
// were read. It returns ledger.ErrNotFound if the run has no such slot.
func (l *Store) Written(ctx context.Context, state *ledger.State, ref ledger.SlotRef) (document ledger.SlotDocument, err error) {
	var exported ledger.Exported
	err = l.read(ctx, "read what was written", func(t *tx) error {
		row, err := t.RunByULID(ctx, state.Run.ID)
		if err != nil {
			return err
		}
		slot, err := t.slotRow(ctx, row.ID, ref)
		if err != nil {
			return err
		}
		exported, _, err = t.exported(ctx, row.ID, slot, ref, until(ledger.Period{Until: moment(slot.FinishedAt)}))
		return err
	})
	if err != nil {
		return document, err
	}
	document = exported.Document
	if i := state.Iteration(ref.Iteration); i != nil && i.Mode == ledger.ModeRebuilt {
		return document, nil
	}
	for i := range document.Violations {
		document.Violations[i].Status, document.Violations[i].Result = string(ledger.StatusNew), nil
	}
	return document, nil
}
