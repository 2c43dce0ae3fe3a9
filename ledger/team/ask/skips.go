package ask

import (
	"context"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
)

// RememberedSkips lists the skips that are remembered beyond their runs, the latest first:
// those of the repository, or of all where it is nil.
func (s *Store) RememberedSkips(ctx context.Context, repository *ledger.Repository) (skips []ledger.Skip, err error) {
	err = s.read(ctx, "list remembered skips", func(t *tx) error {
		p := postgres.RememberedSkipsParams{}
		if repository != nil {
			p.Kind, p.Key = orNil(string(repository.Kind)), repository.Key
		}
		ids, err := t.RememberedSkips(ctx, p)
		if err != nil {
			return err
		}
		found, err := t.violations(ctx, ids)
		if err != nil {
			return err
		}
		skips, err = t.skipsOf(ctx, found)
		return err
	})
	return skips, err
}

// SkipsOf answers as the ledger does.
func (s *Store) SkipsOf(ctx context.Context, found []ledger.ListedViolation) (skips []ledger.Skip, err error) {
	err = s.read(ctx, "read what is remembered", func(t *tx) error {
		skips, err = t.skipsOf(ctx, found)
		return err
	})
	return skips, err
}

func (t *tx) skipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error) {
	ids := make([]string, 0, len(found))
	byID := make(map[string]ledger.ListedViolation, len(found))
	for _, v := range found {
		ids, byID[v.ID] = append(ids, v.ID), v
	}
	memory, err := t.MemoryOfViolations(ctx, ids)
	skips := make([]ledger.Skip, 0, len(memory))
	for _, r := range memory {
		skips = append(skips, ledger.Skip{
			ListedViolation: byID[r.ID], Remembered: r.Fingerprint != nil && r.ForgottenAt == nil,
			Event: int(r.Number), Line: rows.Value(r.Fingerprint), Met: int(r.Met), LastMet: moment(r.LastMet),
			ForgottenAt: moment(r.ForgottenAt), ForgottenBy: ledger.Actor(rows.Value(r.ForgottenBy)),
		})
	}
	return skips, err
}
