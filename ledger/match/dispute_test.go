package match_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

const (
	withdrawn = ledger.DisputeWithdrawn
	stands    = ledger.DisputeStands
)

// dispute is one that was put to slot 1.
func dispute(id string, status ledger.Status, options ...func(*ledger.Known)) ledger.Known {
	k := earlier(id, status, at("a.go", 5), options...)
	k.WasDisputed, k.Asked, k.Listed = true, true, false
	return k
}

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
		{name: "no word", known: []ledger.Known{a}, want: outcome{Status: fail}},
		{name: "withdrawn, and reported by its name", known: []ledger.Known{a}, answer: on("a", withdrawn), entries: []ledger.Entry{says(at("b.go", 9), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "withdrawn, and reported in its words", known: []ledger.Known{a}, answer: on("a", withdrawn), entries: []ledger.Entry{says(at("a.go", 5), "words of A")},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "withdrawn in an error", known: []ledger.Known{a}, answer: failed, want: outcome{Status: erred}},
		{name: "stands in an error", known: []ledger.Known{a}, answer: stood, want: outcome{Status: erred, Words: []string{"A stands"}, Reopened: []string{"A"}}},
		{name: "fixed meanwhile", known: []ledger.Known{dispute("A", ledger.StatusFixed)}, answer: on("a", stands), want: outcome{Status: pass, Words: []string{"A stands"}}},
		{name: "open meanwhile", known: []ledger.Known{dispute("A", ledger.StatusNew)}, answer: on("a", withdrawn), want: outcome{Status: pass, Words: []string{"A withdrawn"}}},
		{name: "skipped meanwhile", known: []ledger.Known{dispute("A", ledger.StatusSkipped)}, answer: on("a", stands), want: outcome{Status: pass, Words: []string{"A stands"}}},
		{name: "of another slot", known: []ledger.Known{earlier("A", ledger.StatusDisputed, at("a.go", 5), ofSlot2)}, answer: on("a", withdrawn), want: outcome{Status: pass}},
		{name: "of another slot, reported", known: []ledger.Known{earlier("A", ledger.StatusDisputed, at("a.go", 5), ofSlot2)}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "withdrawn before, and reported", known: []ledger.Known{earlier("A", ledger.StatusWithdrawn, at("a.go", 5))}, entries: []ledger.Entry{says(at("a.go", 5), "x", same("a"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
	})
}

// Rule: Only its reporter withdraws a finding.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	two := func(k *ledger.Known) {
		k.ReportedBy = []ledger.Reporter{{Slot: 1, Adapter: "codex"}, {Slot: 2, Adapter: "claude"}}
	}
	for name, test := range map[string]struct {
		known ledger.Known
		said  map[int]ledger.ClaimVerdict
		want  []string
	}{
		"by its reporter":               {dispute("A", ledger.StatusDisputed), map[int]ledger.ClaimVerdict{1: withdrawn}, []string{"A"}},
		"by both":                       {dispute("A", ledger.StatusDisputed, two), map[int]ledger.ClaimVerdict{1: withdrawn, 2: withdrawn}, []string{"A"}},
		"the other has not answered":    {dispute("A", ledger.StatusDisputed, two), map[int]ledger.ClaimVerdict{1: withdrawn}, nil},
		"for the other it stands":       {dispute("A", ledger.StatusDisputed, two), map[int]ledger.ClaimVerdict{1: withdrawn, 2: stands}, nil},
		"the other has reopened it":     {dispute("A", ledger.StatusReopened, two), map[int]ledger.ClaimVerdict{1: withdrawn, 2: stands}, nil},
		"the other calls a claim fixed": {dispute("A", ledger.StatusDisputed, two), map[int]ledger.ClaimVerdict{1: withdrawn, 2: fixed}, nil},
		"claimed meanwhile":             {dispute("A", ledger.StatusFixed), map[int]ledger.ClaimVerdict{1: withdrawn}, nil},
		"it stands":                     {dispute("A", ledger.StatusDisputed), map[int]ledger.ClaimVerdict{1: stands}, nil},
	} {
		e := ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"A": test.said[1]}}
		got := match.Withdrawn(e, []ledger.Known{test.known}, 2, func(_ string, slot int) ledger.ClaimVerdict { return test.said[slot] })
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
