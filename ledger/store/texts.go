package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// CheckLog is the log of a check, or the end of it. It returns ledger.ErrNotFound where
// the ledger has none.
func (l *Store) CheckLog(ctx context.Context, run string, iteration int, job string) (log string, err error) {
	err = l.read(ctx, "read the log of "+job, func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		blob, err := t.GateLog(ctx, db.GateLogParams{RunID: row.ID, Iteration: int64(iteration), Job: job})
		if err != nil {
			return err
		}
		log, err = unpack(blob.Data, blob.Size)
		return err
	})
	return log, err
}

// SlotTexts are the texts of a slot of that kind, in the order of its calls; none where
// the ledger has none. It returns ledger.ErrNotFound where the run has no such slot.
func (l *Store) SlotTexts(ctx context.Context, run string, ref ledger.SlotRef, kind ledger.TextKind) (texts []ledger.SlotText, err error) {
	err = l.read(ctx, "read the texts of a slot", func(t *tx) error {
		_, slot, err := t.slotOf(ctx, run, ref)
		if err != nil {
			return err
		}
		rows, err := t.Queries.SlotTexts(ctx, db.SlotTextsParams{SlotID: slot.ID, Kind: string(kind)})
		for _, blob := range rows {
			text, err := unpack(blob.Data, blob.Size)
			if err != nil {
				return err
			}
			texts = append(texts, ledger.SlotText{Call: int(blob.Call), Text: text})
		}
		return err
	})
	return texts, err
}
