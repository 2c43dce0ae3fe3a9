package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// A list shows a block where it has the first of it, and the others under that.
func TestTogether(t *testing.T) {
	t.Parallel()
	v := func(id, block string) ledger.ListedViolation {
		return ledger.ListedViolation{Violation: ledger.Violation{ShortID: id, Block: block, Status: ledger.StatusNew}}
	}
	list := []ledger.ListedViolation{v("a", ""), v("b", "d"), v("c", ""), v("d", "d"), v("e", "gone"), v("f", "gone"), v("g", "d")}
	sorted, under := ledger.Together(list)
	var got []string
	for i, v := range sorted {
		if under[i] != nil {
			got = append(got, v.ShortID+"<"+under[i].ShortID)
		} else {
			got = append(got, v.ShortID)
		}
	}
	if d := cmp.Diff([]string{"a", "d", "b<d", "g<d", "c", "e", "f<e"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := ledger.CountOpen(list); got != "4 open problems (7 violations)" {
		t.Error(got)
	}
	if got := ledger.CountOpen(list[:3]); got != "3 open violations" {
		t.Error(got)
	}
}

// Rule: A duplicate has the fate of what it was joined to.
func TestBlocks(t *testing.T) {
	t.Parallel()
	v := func(id string, priority ledger.Priority, related ...string) ledger.Paired {
		return ledger.Paired{ID: id, Status: ledger.StatusNew, Priority: priority, Related: related}
	}
	joined := func(p ledger.Paired) ledger.Paired { p.Status = ledger.StatusDuplicate; return p }
	for name, test := range map[string]struct {
		found []ledger.Paired
		want  map[string]string
	}{
		"alone":                    {[]ledger.Paired{v("a", ledger.High), v("b", ledger.High)}, map[string]string{}},
		"with one that is gone":    {[]ledger.Paired{v("a", ledger.High, "z")}, map[string]string{}},
		"the worst is first":       {[]ledger.Paired{v("a", ledger.Low, "b"), v("b", ledger.High, "a")}, map[string]string{"a": "b", "b": "b"}},
		"then the earliest":        {[]ledger.Paired{v("a", ledger.High, "b"), v("b", ledger.High, "a")}, map[string]string{"a": "a", "b": "a"}},
		"but for duplicates":       {[]ledger.Paired{joined(v("a", ledger.High, "b")), v("b", ledger.Low, "a")}, map[string]string{"a": "b", "b": "b"}},
		"connected by others":      {[]ledger.Paired{v("a", ledger.High, "c"), v("b", ledger.High), v("c", ledger.Low, "a", "d"), v("d", ledger.Low, "c")}, map[string]string{"a": "a", "c": "a", "d": "a"}},
		"two blocks":               {[]ledger.Paired{v("a", ledger.High, "c"), v("b", ledger.High, "d"), v("c", ledger.Low, "a"), v("d", ledger.Critical, "b")}, map[string]string{"a": "a", "c": "a", "b": "d", "d": "d"}},
		"said of one of the sides": {[]ledger.Paired{v("a", ledger.High), v("b", ledger.High, "a")}, map[string]string{"a": "a", "b": "a"}},
	} {
		if d := cmp.Diff(test.want, ledger.Blocks(test.found)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
