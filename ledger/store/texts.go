package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// CheckLog returns the log of a check, or the end of it. The error is [ledger.ErrNotFound] if the
// ledger has none.
func (l *Store) CheckLog(ctx context.Context, run string, iteration int, job string) (string, error) {
	return ofRun(ctx, l, "read the log of "+job, run, func(t *tx, row runRow) (string, error) {
		blob, err := t.GateLog(ctx, db.GateLogParams{RunID: row.Row, Iteration: int64(iteration), Job: job})
		if err != nil {
			return "", err
		}
		return unpack(blob.Data, blob.Size)
	})
}

// SlotTexts returns the texts of this kind of a slot, in the order of its calls; none if the ledger
// has none. The error is [ledger.ErrNotFound] if the run has no such slot.
func (l *Store) SlotTexts(ctx context.Context, run string, ref ledger.SlotRef, kind ledger.TextKind) ([]ledger.SlotText, error) {
	return ofSlot(ctx, l, "read the texts of a slot", run, ref, func(t *tx, _ runRow, slot slot) (texts []ledger.SlotText, err error) {
		rows, err := t.Queries.SlotTexts(ctx, db.SlotTextsParams{SlotID: slot.Row, Kind: string(kind)})
		for _, blob := range rows {
			text, err := unpack(blob.Data, blob.Size)
			if err != nil {
				return nil, err
			}
			texts = append(texts, ledger.SlotText{Call: int(blob.Call), Text: text})
		}
		return texts, err
	})
}
