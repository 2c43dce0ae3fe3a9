package ledger_test

import (
	"errors"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// A reviewer that is asked about a claim again is told why.
//
// Rule: Only an answer confirms.
func TestPutAgain(t *testing.T) {
	t.Parallel()
	word := func(violation string, slot, iteration int, verdict ledger.ClaimVerdict) ledger.ReviewerWord {
		return ledger.ReviewerWord{Violation: violation, Job: quality, Slot: slot, Iteration: iteration, Verdict: verdict}
	}
	for name, test := range map[string]struct {
		said    []ledger.ReviewerWord
		last    int
		changed bool
		want    string
	}{
		"never":                           {nil, 1, true, ""},
		"another slot was asked":          {[]ledger.ReviewerWord{word("V", 2, 2, ledger.ClaimFixed)}, 1, true, ""},
		"it could not tell":               {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimCannotTell)}, 1, false, "in iteration 2 you could not tell"},
		"it could not tell, changed":      {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimCannotTell)}, 1, true, "in iteration 2 you could not tell, and its lines have changed since"},
		"no word":                         {[]ledger.ReviewerWord{word("V", 1, 2, ledger.NoWord)}, 1, true, "in iteration 2 you had no word on it"},
		"not fixed":                       {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimNotFixed)}, 2, true, "in iteration 2 you called it not fixed, and the author says that it is fixed now"},
		"fixed, and reported again":       {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimFixed)}, 3, true, "in iteration 2 you called it fixed, and it was reported again since"},
		"fixed, and changed":              {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimFixed)}, 1, true, "in iteration 2 you called it fixed, and its lines have changed since"},
		"fixed, and another is missing":   {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimFixed), word("V", 2, 1, ledger.ClaimCannotTell)}, 1, false, "in iteration 2 you called it fixed, and the answer of another reporter is missing"},
		"fixed, and another did not know": {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimFixed), word("D", 2, 2, ledger.ClaimCannotTell)}, 1, false, "in iteration 2 you called it fixed, and another reporter could not tell"},
		"the latest word counts":          {[]ledger.ReviewerWord{word("V", 1, 2, ledger.ClaimNotFixed), word("V", 1, 3, ledger.NoWord)}, 2, false, "in iteration 3 you had no word on it"},
	} {
		v := ledger.Violation{ID: "V", Job: quality, Last: test.last}
		got, err := v.PutAgain(1, test.said, func(int) (bool, error) { return test.changed, nil })
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	unknown := errors.New("unknown")
	if _, err := (ledger.Violation{ID: "V", Job: quality}).PutAgain(1, []ledger.ReviewerWord{word("V", 1, 1, ledger.ClaimFixed)}, func(int) (bool, error) { return false, unknown }); !errors.Is(err, unknown) {
		t.Error(err)
	}
}
