package slots

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
)

// TestClaimWords lets an unreadable word count against every claim without an answer of
// its own.
//
// Rule: An unreadable word on a claim counts as not fixed.
func TestClaimWords(t *testing.T) {
	t.Parallel()
	shown := []ledger.Violation{{ID: "01AAA", ShortID: "aaa"}, {ID: "01BBB", ShortID: "bbb"}}
	tests := []struct {
		name string
		said []review.ClaimWord
		want []ledger.ClaimWord
	}{
		{"none", nil, nil},
		{"words", []review.ClaimWord{{ID: "aaa", Fixed: true, Evidence: "e"}, {ID: "zzz"}}, []ledger.ClaimWord{{ID: "aaa", Fixed: true, Evidence: "e"}, {ID: "zzz"}}},
		{"unreadable", []review.ClaimWord{{Evidence: "?"}}, []ledger.ClaimWord{{ID: "aaa", Evidence: "?"}, {ID: "bbb", Evidence: "?"}}},
		{"unreadable beside a word", []review.ClaimWord{{Evidence: "?"}, {ID: "01aaa", Fixed: true}},
			[]ledger.ClaimWord{{ID: "01aaa", Fixed: true}, {ID: "bbb", Evidence: "?"}}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, claimWords(test.said, shown)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
