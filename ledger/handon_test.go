package ledger_test

import (
	"maps"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// What a gate left that is gone goes to the first gate of its entry point, else to one that covers the
// file; disputes, and what tools reported, stay.
//
// Rule: Flags restrict what runs, never what is outstanding.
func TestHandOn(t *testing.T) {
	t.Parallel()
	none := func(string) bool { return false }
	all := func(string) bool { return true }
	here := ledger.Heir{Job: "review:src:new", EntryPoint: "src", Covers: all}
	second := ledger.Heir{Job: "review:src:other", EntryPoint: "src", Covers: all}
	root := ledger.Heir{Job: "review:.:all", EntryPoint: ".", Covers: all}
	other := ledger.Heir{Job: "review:docs:new", EntryPoint: "docs", Covers: none}
	of := func(status ledger.Status) ledger.Violation {
		return ledger.Violation{ID: "A", Job: "review:src:old", Adapter: "claude", Status: status, Place: ledger.Place{File: "src/a.go", Start: 3}}
	}
	lint, kept, joined := of(ledger.StatusFixed), of(ledger.StatusFixed), of(ledger.StatusDuplicate)
	lint.Adapter, kept.Job = "lint", "review:src:new"
	joined.Original = &ledger.Original{ID: "B", Status: ledger.StatusFixed}
	for name, test := range map[string]struct {
		v     ledger.Violation
		heirs []ledger.Heir
		want  string
	}{
		"a claim":                   {of(ledger.StatusFixed), []ledger.Heir{other, root, here, second}, here.Job},
		"an open finding":           {of(ledger.StatusReopened), []ledger.Heir{here}, here.Job},
		"to one that covers it":     {of(ledger.StatusNew), []ledger.Heir{other, root}, root.Job},
		"nobody is left":            {of(ledger.StatusFixed), []ledger.Heir{other}, ""},
		"a dispute":                 {of(ledger.StatusDisputed), []ledger.Heir{here}, ""},
		"verified":                  {of(ledger.StatusVerified), []ledger.Heir{here}, ""},
		"skipped":                   {of(ledger.StatusSkipped), []ledger.Heir{here}, ""},
		"of a tool":                 {lint, []ledger.Heir{here}, ""},
		"of a gate that is left":    {kept, []ledger.Heir{root}, ""},
		"a duplicate of a claim":    {joined, []ledger.Heir{here}, here.Job},
		"a duplicate that is alone": {of(ledger.StatusDuplicate), []ledger.Heir{here}, ""},
	} {
		state := &ledger.State{
			Gates:      []ledger.Gate{{Iteration: 1, Job: "review:src:old", EntryPoint: "src", Kind: ledger.KindReview}},
			Violations: []ledger.Violation{test.v},
		}
		to := state.HandOn(func(job string) bool { return job == "review:src:old" }, func(v *ledger.Violation) bool { return v.Adapter == "lint" }, test.heirs)
		want := map[string]string{}
		if test.want != "" {
			want["A"] = test.want
		}
		if !maps.Equal(to, want) {
			t.Errorf("%s: %v", name, to)
		}
		if state.Hand(to); test.want != "" && (state.Violations[0].Job != test.want || state.Violations[0].HandedFrom != "review:src:old") {
			t.Errorf("%s: %+v", name, state.Violations[0])
		}
	}
	passed := of(ledger.StatusVerified)
	passed.HandedFrom = "review:src:old"
	state := &ledger.State{Violations: []ledger.Violation{passed}, Gates: []ledger.Gate{{Job: passed.Job, Kind: ledger.KindReview, Status: ledger.GatePassed}}}
	if status := ledger.Assess(state).Status; status != ledger.StatusPassedWithWarnings {
		t.Errorf("confirmed by another gate: %s", status)
	}
}

// Whoever answers for what is outstanding runs, although nothing that it looks at has changed.
func TestHeirs(t *testing.T) {
	t.Parallel()
	for status, want := range map[ledger.Status]bool{
		ledger.StatusNew: true, ledger.StatusReopened: true, ledger.StatusDisputed: true, ledger.StatusFixed: true,
		ledger.StatusSkipped: false, ledger.StatusVerified: false, ledger.StatusWithdrawn: false,
	} {
		for _, from := range []string{"", "review:src:gone"} {
			s := &ledger.State{Violations: []ledger.Violation{{Job: quality, HandedFrom: from, Status: status}}}
			if got := len(s.Heirs()) == 1; got != (want && from != "") {
				t.Errorf("%s of %q: %t", status, from, got)
			}
		}
	}
}
