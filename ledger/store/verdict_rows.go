package store

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Verdicts returns all verdicts that were computed for a code review, the oldest first.
func (l *Store) Verdicts(ctx context.Context, run string) ([]verdict.Computed, error) {
	return ofRun(ctx, l, "read the verdicts", run, func(t *tx, row db.Run) ([]verdict.Computed, error) { return t.computedVerdicts(ctx, row.ID) })
}

func (t *tx) computedVerdicts(ctx context.Context, run int64) (list []verdict.Computed, err error) {
	rows, err := t.VerdictsOfRun(ctx, run)
	for _, row := range rows {
		d := row.Verdict
		list = append(list, verdict.Computed{
			Iteration: int(row.Iteration), Mode: verdict.Mode(d.Mode), Word: ledger.VerdictWord(d.Verdict), At: time.Time(d.At),
			Summary: verdict.Summary{Blocker: int(d.Blocker), High: int(d.High), Medium: int(d.Medium), Low: int(d.Low), Info: int(d.Info)},
		})
	}
	return list, err
}

// addVerdicts adds to the runs of code reviews their review ids and verdicts. runs is in the order
// of rows.
func (t *tx) addVerdicts(ctx context.Context, rows []db.Run, runs []ledger.Run) error {
	at := map[int64]int{}
	var reviews []int64
	for i, row := range rows {
		if ledger.RunKind(row.Kind) == ledger.KindCodeReview {
			at[row.ID] = i
			reviews = append(reviews, row.ID)
		}
	}
	if len(reviews) == 0 {
		return nil
	}
	words, err := t.WordsOfReviews(ctx, asJSON(reviews))
	for _, word := range words {
		run := &runs[at[word.RunID]]
		run.ReviewID, run.Verdict = word.ReviewID, ledger.VerdictWord(word.Verdict)
	}
	return err
}

// addIterationVerdicts adds their verdicts to the iterations of a code review.
func (t *tx) addIterationVerdicts(ctx context.Context, row db.Run, iterations []ledger.Iteration) error {
	if ledger.RunKind(row.Kind) != ledger.KindCodeReview {
		return nil
	}
	list, err := t.computedVerdicts(ctx, row.ID)
	for _, v := range list {
		for i := range iterations {
			if iterations[i].Number == v.Iteration {
				iterations[i].Verdict = v.Word
			}
		}
	}
	return err
}
