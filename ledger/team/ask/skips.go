package ask

import (
	"context"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
)

// SkipsOf answers as the ledger does.
func (s *Store) SkipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error) {
	ids := make([]string, 0, len(found))
	byID := make(map[string]ledger.ListedViolation, len(found))
	for _, v := range found {
		ids, byID[v.ID] = append(ids, v.ID), v
	}
	return answer(ctx, s, "read what is remembered", func(t *tx) (skips []ledger.Skip, err error) {
		memory, err := t.MemoryOfViolations(ctx, ids)
		for _, r := range memory {
			skips = append(skips, ledger.Skip{
				ListedViolation: byID[r.ID], Remembered: r.Fingerprint != nil && r.ForgottenAt == nil,
				Event: int(r.Number), Line: rows.Value(r.Fingerprint), Met: int(r.Met), LastMet: moment(r.LastMet),
				ForgottenAt: moment(r.ForgottenAt), ForgottenBy: ledger.Actor(rows.Value(r.ForgottenBy)),
			})
		}
		return skips, err
	})
}
