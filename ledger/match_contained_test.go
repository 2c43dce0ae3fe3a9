package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: Equal words contradict a claim anywhere in its file.
func TestClaimSaidWithOtherWordsAround(t *testing.T) {
	t.Parallel()
	const short, long = "No check of `index`", "The handle of the log is never closed on errors"
	for _, tt := range []struct {
		claim, issue, file string
		reopened           bool
	}{
		{short, "Still not fixed: no check of index", "a.go", true},
		{short, "[HIGH] No check of \"index\"", "a.go", true},
		{short, "No <code>check</code> of **index** (previously reported)", "a.go", true},
		{short, "No check of index and of size", "a.go", false},
		{short, "No check", "a.go", false},
		{short, "Still not fixed: no check of index", "b.go", false},
		{long, "As the handle of the log is never closed on errors, files leak", "a.go", true},
		{long, "The handle of the log is never closed", "a.go", true},
		{long, "The handle of the log", "a.go", true},
		{long, "The handle of", "a.go", false},
		{long, "The handle of the log is opened twice", "a.go", false},
		{"Two words", "Still: two words", "a.go", false},
		{long, strings.Repeat("more ", 594) + long, "a.go", false}, // its last word is beyond the bound
		{long, strings.Repeat("more ", 590) + long, "a.go", true},
		{strings.Repeat("word ", 99) + "last of many", "Again: " + strings.Repeat("word ", 99) + "last of others", "a.go", true},
	} {
		reported := entry(at(tt.file, 80), tt.issue, ledger.Low)
		reported.Position = 1
		e := ledger.Evaluate(ledger.Answer{Entries: []ledger.Entry{reported}}, []ledger.Known{claim("A", at("a.go", 10), tt.claim)},
			factsOf([]ledger.Entry{reported}), ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High})
		if slices.Contains(e.Reopened, "A") != tt.reopened || slices.Contains(e.Verified, "A") == tt.reopened {
			t.Errorf("%q after %q: reopened %q, verified %q", tt.issue, tt.claim, e.Reopened, e.Verified)
		}
	}
}

// Rule: An ambiguous report verifies no claim.
func TestOneReportInTheWordsOfTwoClaims(t *testing.T) {
	t.Parallel()
	reported := entry(at("a.go", 80), "Still: the first thing in here is wrong, and the second thing in here is wrong", ledger.Low)
	reported.Position = 1
	known := []ledger.Known{claim("A", at("a.go", 10), "The first thing in here is wrong"), claim("B", at("a.go", 60), "The second thing in here is wrong")}
	for _, verify := range []bool{false, true} {
		e := ledger.Evaluate(ledger.Answer{Entries: []ledger.Entry{reported}}, known, factsOf([]ledger.Entry{reported}),
			ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High, Verify: verify, WholeFiles: verify})
		if len(e.Verified) > 0 || len(e.Reopened) == 0 {
			t.Errorf("verified %q, reopened %q", e.Verified, e.Reopened)
		}
	}
}
