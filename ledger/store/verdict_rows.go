package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

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
	list, err := t.verdicts(ctx, row.ID)
	for _, v := range list {
		for i := range iterations {
			if iterations[i].Number == v.Iteration {
				iterations[i].Verdict = v.Word
			}
		}
	}
	return err
}
