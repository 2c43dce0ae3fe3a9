package match_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// The scenarios of the requirements that an answer decides have the same result with a reviewer that
// fills in the form, with a word on each claim, and with one that knows only pass, fail and
// violations.
//
// Rule: Only an answer confirms.
func TestScenariosWithBothKindsOfReviewers(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 5)), claim("B", at("b.go", 5))
	lowA := claim("A", at("a.go", 5), func(k *ledger.Known) { k.Priority = ledger.Low })
	threshold := func(p ledger.Priority) ledger.Rules {
		return ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: p}
	}
	for name, test := range map[string]struct {
		entries []ledger.Entry
		known   []ledger.Known
		rules   ledger.Rules
		words   []ledger.ClaimWord // of the form
		want    outcome            // without warnings
	}{
		"Invalid JSON output; Missing required fields": {entries: []ledger.Entry{says(at("a.go", 5), "x", lacks("priority")), says(at("a.go", 6), "y", high)}, rules: onFirst,
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}}},
		"Status filtering for rerun: a fix that is confirmed": {known: []ledger.Known{a, skip("S", at("a.go", 9))}, words: []ledger.ClaimWord{claimWord("a", fixed)},
			want: outcome{Status: pass, Words: []string{"A fixed"}}},
		"Unaddressed violations remain as failures": {entries: []ledger.Entry{says(at("a.go", 5), "words of A")}, known: []ledger.Known{open("A", at("a.go", 5))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		"Re-run uses session ref for diff: a fix that is none, in the same words": {entries: []ledger.Entry{says(at("a.go", 5), "words of A")}, known: []ledger.Known{a}, words: []ledger.ClaimWord{claimWord("a", notFixed)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		"Below-threshold new violation discarded on re-run": {entries: []ledger.Entry{says(at("c.go", 5), "x")}, known: []ledger.Known{a}, words: []ledger.ClaimWord{claimWord("a", fixed)},
			want: outcome{Status: pass, Reports: []string{"below_threshold"}, Words: []string{"A fixed"}}},
		"At-or-above-threshold new violation accepted on re-run": {entries: []ledger.Entry{says(at("c.go", 5), "x", high)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		"Threshold set to critical": {entries: []ledger.Entry{says(at("c.go", 5), "x", high)}, rules: threshold(ledger.Critical),
			want: outcome{Status: pass, Reports: []string{"below_threshold"}}},
		"Threshold set to low (accept all)": {entries: []ledger.Entry{says(at("c.go", 5), "x", low)}, rules: threshold(ledger.Low),
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		"Previously-reported violations bypass priority filter": {entries: []ledger.Entry{says(at("a.go", 5), "words of A", low)}, known: []ledger.Known{lowA}, words: []ledger.ClaimWord{claimWord("a", notFixed)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		"Filter ordering": {entries: []ledger.Entry{says(at("a.go", 500), "x", low), says(at("c.go", 5), "y", low), says(at("c.go", 9), "z", high)},
			want: outcome{Status: fail, Reports: []string{"out_of_diff", "below_threshold", "accepted"}}},
		"Passed with skipped items": {entries: []ledger.Entry{says(at("a.go", 9), "words of S")}, known: []ledger.Known{skip("S", at("a.go", 9)), b}, words: []ledger.ClaimWord{claimWord("b", fixed)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped S"}, Words: []string{"B fixed"}}},
		"Safety latch slot finds new issues": {entries: []ledger.Entry{says(at("c.go", 5), "x", high)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		"A verification that reports the finding again": {entries: []ledger.Entry{says(at("a.go", 5), "x")}, known: []ledger.Known{a}, rules: verification, words: []ledger.ClaimWord{claimWord("a", notFixed)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		"A verification that does not": {known: []ledger.Known{a, b}, rules: verification, words: []ledger.ClaimWord{claimWord("a", fixed), claimWord("b", fixed)},
			want: outcome{Status: pass, Words: []string{"A fixed", "B fixed"}}},
	} {
		form := evaluation{entries: test.entries, claims: test.words, known: test.known, rules: test.rules}
		plain := evaluation{entries: test.entries, known: test.known, rules: test.rules, answer: ledger.Answer{Passed: len(test.entries) == 0}}
		for kind, e := range map[string]ledger.Evaluation{"form": form.evaluate(), "plain": plain.evaluate()} {
			got := outcomeOf(e)
			got.Warnings = nil
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, kind, d)
			}
			how := map[string]ledger.Confirmation{"form": ledger.ConfirmedByWord, "plain": ledger.ConfirmedByPass}[kind]
			for id, confirmed := range e.Confirmed {
				if confirmed != how {
					t.Errorf("%s, %s: %s is confirmed by %q", name, kind, id, confirmed)
				}
			}
		}
	}
}
