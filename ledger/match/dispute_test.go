package match_test

import (
	"cmp"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

const (
	withdrawn = ledger.DisputeWithdrawn
	stands    = ledger.DisputeStands
)

// dispute returns a dispute that was put to slot 1.
func dispute(id string, status ledger.Status, options ...func(*ledger.Known)) ledger.Known {
	was := func(k *ledger.Known) { k.WasDisputed, k.Asked, k.Listed = true, true, false }
	return earlier(id, status, at("a.go", 5), append([]func(*ledger.Known){was}, options...)...)
}

func notAsked(k *ledger.Known) { k.Asked, k.Listed = false, true }

func on(id string, verdict ledger.ClaimVerdict) ledger.Answer {
	return ledger.Answer{Disputes: []ledger.ClaimWord{claimWord(id, verdict)}}
}

// Rule: Only its reporter withdraws a finding.
func TestWordsOnDisputes(t *testing.T) {
	t.Parallel()
	a := dispute("A", ledger.StatusDisputed)
	failed := on("a", withdrawn)
	failed.Error = "it broke"
	stood := on("a", stands)
	stood.Error = "it broke"
	both := on("a", withdrawn)
	both.Disputes = append(both.Disputes, claimWord("a", stands))
	run(t, []evaluation{
		{name: "withdrawn", known: []ledger.Known{a}, answer: on("a", withdrawn), want: outcome{Status: pass, Words: []string{"A withdrawn"}}},
		{name: "stands", known: []ledger.Known{a}, answer: on("A", stands), want: outcome{Status: fail, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "both", known: []ledger.Known{a}, answer: both, want: outcome{Status: fail, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "no word", known: []ledger.Known{a}, want: outcome{Status: fail, Warnings: []string{"no word on 1 dispute, not settled: a"}}},
		{name: "withdrawn, and reported by its name", known: []ledger.Known{a}, answer: on("a", withdrawn), entries: []ledger.Entry{says(at("b.go", 9), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "withdrawn, and reported in its words", known: []ledger.Known{a}, answer: on("a", withdrawn), entries: []ledger.Entry{says(at("a.go", 5), "words of A")},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "withdrawn in an error", known: []ledger.Known{a}, answer: failed, want: outcome{Status: erred}},
		{name: "stands in an error", known: []ledger.Known{a}, answer: stood, want: outcome{Status: erred, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "fixed meanwhile", known: []ledger.Known{dispute("A", ledger.StatusFixed)}, answer: on("a", stands), want: outcome{Status: pass, Words: []string{"A stands"}}},
		{name: "open meanwhile", known: []ledger.Known{dispute("A", ledger.StatusNew)}, answer: on("a", withdrawn), want: outcome{Status: pass, Words: []string{"A withdrawn"}}},
		{name: "another slot said so before", known: []ledger.Known{dispute("A", ledger.StatusReopened)}, answer: on("a", stands), want: outcome{Status: fail, Words: []string{"A stands"}}},
		{name: "skipped meanwhile", known: []ledger.Known{dispute("A", ledger.StatusSkipped)}, answer: on("a", stands), want: outcome{Status: pass, Words: []string{"A stands"}}},
		{name: "of another slot", known: []ledger.Known{earlier("A", ledger.StatusDisputed, at("a.go", 5), ofSlot2)}, answer: on("a", withdrawn), want: outcome{Status: pass}},
		{name: "of another slot, reported", known: []ledger.Known{dispute("A", ledger.StatusDisputed, ofSlot2, notAsked)}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
		{name: "of another slot, open again, reported", known: []ledger.Known{dispute("A", ledger.StatusReopened, ofSlot2, notAsked)}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "disputed since the slot was asked, and reported", known: []ledger.Known{earlier("A", ledger.StatusDisputed, at("a.go", 5))}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "withdrawn before, and reported", known: []ledger.Known{earlier("A", ledger.StatusWithdrawn, at("a.go", 5))}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
	})
}

// A dispute is put to the reporters of the finding and of its duplicates, and the finding is
// withdrawn when all of them have withdrawn it.
//
// Rule: Only its reporter withdraws a finding.
// Rule: A duplicate has the fate of what it was joined to.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	one, other, joined := match.Asked{Violation: "A", Slot: 1}, match.Asked{Violation: "A", Slot: 2}, match.Asked{Violation: "B", Slot: 1}
	for name, test := range map[string]struct {
		status ledger.Status // [ledger.StatusDisputed] if empty
		asked  []match.Asked
		said   map[match.Asked]ledger.ClaimVerdict
		want   []string
	}{
		"by its reporter":                       {"", []match.Asked{one}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn}, []string{"A"}},
		"by both":                               {"", []match.Asked{one, other}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, other: withdrawn}, []string{"A"}},
		"the other has not answered":            {"", []match.Asked{one, other}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn}, nil},
		"for the other it stands":               {"", []match.Asked{one, other}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, other: stands}, nil},
		"the other has reopened it":             {ledger.StatusReopened, []match.Asked{one, other}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, other: stands}, nil},
		"the other calls a claim fixed":         {"", []match.Asked{one, other}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, other: fixed}, nil},
		"claimed meanwhile":                     {ledger.StatusFixed, []match.Asked{one}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn}, nil},
		"it stands":                             {"", []match.Asked{one}, map[match.Asked]ledger.ClaimVerdict{one: stands}, nil},
		"nobody was asked":                      {"", nil, map[match.Asked]ledger.ClaimVerdict{one: withdrawn}, nil},
		"by who reported what was joined to it": {"", []match.Asked{one, joined}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, joined: withdrawn}, []string{"A"}},
		"what was joined to it has no answer":   {"", []match.Asked{one, joined}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn}, nil},
		"what was joined to it stands":          {"", []match.Asked{one, joined}, map[match.Asked]ledger.ClaimVerdict{one: withdrawn, joined: stands}, nil},
	} {
		known := dispute("A", cmp.Or(test.status, ledger.StatusDisputed))
		e := ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"A": test.said[one]}}
		_, got := match.Confirmed(e, []ledger.Known{known}, map[string][]match.Asked{"A": test.asked}, test.said)
		if d := gocmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// What the slot says of a dispute is kept with its word, also if it reports the finding besides; what
// it said for another word is not.
func TestEvidenceOnDisputes(t *testing.T) {
	t.Parallel()
	for word, want := range map[ledger.ClaimVerdict]string{stands: "because a", withdrawn: ""} {
		answer := on("a", word)
		tt := evaluation{known: []ledger.Known{dispute("A", ledger.StatusDisputed)}, answer: answer, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))}}
		if e := tt.evaluate(); e.Words["A"] != stands || e.Evidence["A"] != want {
			t.Errorf("%s, and reported: %q because %q, want %q", word, e.Words["A"], e.Evidence["A"], want)
		}
	}
}
