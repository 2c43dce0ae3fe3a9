package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: The ledger is the only truth.
func TestBaseline(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	found := ledger.RunFindings{
		State: &ledger.State{Iterations: []ledger.Iteration{
			{Number: 1, StartedAt: began}, {Number: 2, StartedAt: began.Add(time.Hour)},
		}},
		Reworded: map[string]bool{"reworded": true},
	}
	tests := []struct {
		name string
		v    ledger.Violation
		want ledger.Baseline
	}{
		{"first reported in the latest iteration", ledger.Violation{First: 2, Last: 2, Status: ledger.StatusNew}, ledger.BaselineNew},
		{"carried", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusNew}, ledger.BaselineUnchanged},
		{"reported again", ledger.Violation{First: 1, Last: 2, Status: ledger.StatusNew}, ledger.BaselineUnchanged},
		{"reported again in other words", ledger.Violation{ID: "reworded", First: 1, Last: 2, Status: ledger.StatusNew}, ledger.BaselineUpdated},
		{"reworded before", ledger.Violation{ID: "reworded", First: 1, Last: 1, Status: ledger.StatusNew}, ledger.BaselineUnchanged},
		{"reopened now", ledger.Violation{First: 1, Last: 2, Status: ledger.StatusReopened, StatusAt: began.Add(90 * time.Minute)}, ledger.BaselineUpdated},
		{"reopened before", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusReopened, StatusAt: began.Add(time.Minute)}, ledger.BaselineUnchanged},
		{"marked now", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusSkipped, StatusAt: began.Add(90 * time.Minute)}, ledger.BaselineUnchanged},
		{"claimed", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusFixed}, ledger.BaselineUnchanged},
		{"skipped", ledger.Violation{First: 2, Last: 2, Status: ledger.StatusSkipped}, ledger.BaselineNew},
		{"withdrawn", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusWithdrawn}, ledger.BaselineAbsent},
		{"verified", ledger.Violation{First: 1, Last: 1, Status: ledger.StatusVerified}, ledger.BaselineAbsent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := found.Baseline(ledger.ListedViolation{Violation: tt.v}); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestSortWorstFirst(t *testing.T) {
	t.Parallel()
	v := func(id string, p ledger.Priority, file string, line int) ledger.ListedViolation {
		return ledger.ListedViolation{Violation: ledger.Violation{ID: id, Priority: p, Status: ledger.StatusNew, Place: ledger.Place{File: file, Start: line}}}
	}
	list := []ledger.ListedViolation{
		v("e", ledger.Info, "a", 1), v("d", ledger.High, "b", 1), v("c", ledger.High, "a", 9), v("b", ledger.High, "a", 2), v("a", ledger.Critical, "z", 9),
		v("h", ledger.Info, "a", 2), v("g", ledger.Info, "a", 1), v("f", ledger.Info, "a", 1),
	}
	ledger.SortWorstFirst(list)
	var ids []string
	for _, v := range list {
		ids = append(ids, v.ID)
	}
	if d := cmp.Diff([]string{"a", "b", "c", "d", "e", "f", "g", "h"}, ids); d != "" {
		t.Error(d)
	}
}

// What is open, or claimed and not confirmed, keeps the run from passing. Duplicates are listed
// with their original, unless that is unknown.
func TestOutstandingFindings(t *testing.T) {
	t.Parallel()
	var found ledger.RunFindings
	for _, status := range ledger.Statuses() {
		v := ledger.Violation{ID: string(status), ShortID: string(status), Status: status}
		if status == ledger.StatusDuplicate {
			v.DuplicateOf = "fixed"
		}
		found.Violations = append(found.Violations, ledger.ListedViolation{Violation: v})
	}
	found.Violations = append(found.Violations, ledger.ListedViolation{Violation: ledger.Violation{ID: "lost", Status: ledger.StatusDuplicate, DuplicateOf: "unknown"}})
	var got []string
	for _, v := range found.Outstanding() {
		got = append(got, v.ID)
		for _, d := range v.Duplicates {
			got = append(got, "with "+d.ID)
		}
	}
	if d := cmp.Diff([]string{"new", "fixed", "with duplicate", "reopened", "disputed", "lost"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if skipped := found.Skipped(); len(skipped) != 1 || skipped[0].ID != "skipped" {
		t.Errorf("skipped: %+v", skipped)
	}
	found.State = &ledger.State{} // of an import: nothing was executed
	if got := found.Baseline(ledger.ListedViolation{Violation: ledger.Violation{First: 1, Last: 1, Status: ledger.StatusReopened}}); got != ledger.BaselineUnchanged {
		t.Errorf("without iterations: %s", got)
	}
}
