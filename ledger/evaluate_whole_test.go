package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// TestEvaluateWholeChange holds what becomes of entries that name no file of the repository.
//
// Rule: A name that fits no file is about the whole change.
func TestEvaluateWholeChange(t *testing.T) {
	t.Parallel()
	nowhere := func(issue string, priority ledger.Priority) ledger.Entry {
		e := entry(at("the project"), issue, priority)
		e.WholeChange = true
		return e
	}
	claim := earlier("claim", ledger.StatusFixed, at("a.go", 5), "nil map")
	other := ofSlot(2, earlier("other", ledger.StatusFixed, at("b.go", 5), "nil map"))
	skipped := earlier("skipped", ledger.StatusSkipped, at("a.go", 9), "leak")
	tests := []struct {
		name    string
		entries []ledger.Entry
		known   []ledger.Known
		want    outcome
	}{
		{"new", []ledger.Entry{nowhere("no tests", ledger.High)}, nil, outcome{Status: ledger.SlotFail, Reports: []string{"accepted"}}},
		{"below the threshold", []ledger.Entry{nowhere("no tests", ledger.Low)}, nil,
			outcome{Status: ledger.SlotPass, Reports: []string{"below_threshold"}}},
		{"a claim's words at any priority", []ledger.Entry{nowhere("Nil map.", ledger.Low)}, []ledger.Known{claim},
			outcome{Status: ledger.SlotFail, Reports: []string{"accepted claim"}, Reopened: []string{"claim"}}},
		{"the own slot's claim first", []ledger.Entry{nowhere("nil map", ledger.Low)}, []ledger.Known{other, claim},
			outcome{Status: ledger.SlotFail, Reports: []string{"accepted claim"}, Reopened: []string{"claim"}}},
		{"one report, one claim", []ledger.Entry{nowhere("nil map", ledger.Low), nowhere("nil map", ledger.Low)}, []ledger.Known{claim},
			outcome{Status: ledger.SlotFail, Reports: []string{"accepted claim", "below_threshold"}, Reopened: []string{"claim"}}},
		{"a report that knows the place first", []ledger.Entry{nowhere("nil map", ledger.Low), entry(at("a.go", 5), "nil map", ledger.Low)}, []ledger.Known{claim},
			outcome{Status: ledger.SlotFail, Reports: []string{"below_threshold", "accepted claim"}, Reopened: []string{"claim"}}},
		{"a skip's words elsewhere", []ledger.Entry{nowhere("leak", ledger.High)}, []ledger.Known{skipped},
			outcome{Status: ledger.SlotFail, Reports: []string{"accepted"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			facts := ledger.Facts{}
			for _, e := range test.entries {
				facts.Entries = append(facts.Entries, ledger.EntryFacts{InDiff: e.WholeChange})
			}
			got := ledger.Evaluate(ledger.Answer{Fail: true, Entries: test.entries}, test.known, facts,
				ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High})
			if diff := cmp.Diff(test.want, outcomeOf(got)); diff != "" {
				t.Errorf("evaluation (-want +got):\n%s", diff)
			}
			for _, r := range got.Reports {
				if r.Match == "claim" && r.Place != at("a.go", 5) {
					t.Errorf("the claim is shown at %+v, which does not exist", r.Place)
				}
			}
		})
	}
}

// Where a violation lies in a tree that is not known, any place in its file may be it; but
// a skip covers only where it was.
func TestCarriedFrom(t *testing.T) {
	t.Parallel()
	moved := ledger.Carried{Here: at("b.go", 9)}
	facts := ledger.Facts{Carried: map[string]ledger.Carried{"A": moved}}
	for _, test := range []struct {
		id, reviewed string
		status       ledger.Status
		want         ledger.Carried
	}{
		{"A", "tree", ledger.StatusFixed, moved}, {"A", "tree", ledger.StatusSkipped, moved}, {"A", "", ledger.StatusFixed, ledger.Carried{Here: at("a.go")}},
		{"B", "tree", ledger.StatusFixed, ledger.Carried{Here: at("a.go")}}, {"B", "tree", ledger.StatusSkipped, ledger.Carried{Here: at("a.go")}},
		{"B", "", ledger.StatusSkipped, ledger.Carried{Here: at("a.go", 3)}}, {"A", "", ledger.StatusSkipped, ledger.Carried{Here: at("a.go", 3)}}, {"B", "", ledger.StatusNew, ledger.Carried{Here: at("a.go")}},
	} {
		was := ledger.Violation{ID: test.id, Place: at("a.go", 3), Reviewed: test.reviewed}
		if d := cmp.Diff(test.want, facts.CarriedFrom(ledger.Violation{ID: test.id, Status: test.status}, was)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", test, d)
		}
	}
}
