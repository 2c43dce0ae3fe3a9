package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// The numbers of a kind ignore the filter of that kind, so that another value can be chosen; every
// other filter applies.
func TestFacetsOf(t *testing.T) {
	t.Parallel()
	total := func(n int, change func(*ledger.FacetTotals)) ledger.FacetTotals {
		of := ledger.FacetTotals{
			Folder: "src", EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Priority: ledger.High, Status: ledger.StatusNew, Shared: true, Violations: n,
		}
		change(&of)
		return of
	}
	totals := []ledger.FacetTotals{
		total(1, func(*ledger.FacetTotals) {}),
		total(2, func(o *ledger.FacetTotals) { o.Status, o.Reason = ledger.StatusSkipped, "style" }),
		total(4, func(o *ledger.FacetTotals) { o.Status = ledger.StatusSkipped }),
		total(8, func(o *ledger.FacetTotals) { o.Priority, o.Gate = ledger.Low, "security" }),
		total(16, func(o *ledger.FacetTotals) { o.Adapter, o.Iteration, o.Shared = "codex", 2, false }),
		total(32, func(o *ledger.FacetTotals) { o.EntryPoint, o.InFixLines, o.Recurring = "lib", true, true }),
		total(64, func(o *ledger.FacetTotals) { o.Folder = "" }),
	}
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		all    int
		// By status, priority, gate and adapter; then recurring, alone and in fix lines.
		want string
	}{
		"none": {ledger.ViolationFilter{}, 127,
			"[new 121 skipped 6] [high 119 low 8] [quality 119 security 8] [claude 111 codex 16] 32 16 32"},
		"status": {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusSkipped}}, 6,
			"[new 121 skipped 6] [high 6] [quality 6] [claude 6] 0 0 0"},
		"priority": {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.Low}}, 8,
			"[new 8] [high 119 low 8] [security 8] [claude 8] 0 0 0"},
		"reason":    {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.StyleOnly}}, 2, "[skipped 2] [high 2] [quality 2] [claude 2] 0 0 0"},
		"no reason": {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.NoReason}}, 4, "[skipped 4] [high 4] [quality 4] [claude 4] 0 0 0"},
		"gate": {ledger.ViolationFilter{Gate: "security"}, 8,
			"[new 8] [low 8] [quality 119 security 8] [claude 8] 0 0 0"},
		"entry point": {ledger.ViolationFilter{EntryPoint: "lib"}, 32, "[new 32] [high 32] [quality 32] [claude 32] 32 0 32"},
		"adapter": {ledger.ViolationFilter{Adapter: "codex"}, 16,
			"[new 16] [high 16] [quality 16] [claude 111 codex 16] 0 16 0"},
		"iteration": {ledger.ViolationFilter{Iteration: 2}, 16, "[new 16] [high 16] [quality 16] [codex 16] 0 16 0"},
		"alone":     {ledger.ViolationFilter{Alone: true}, 16, "[new 16] [high 16] [quality 16] [codex 16] 0 16 0"},
		"fix lines": {ledger.ViolationFilter{InFixLines: true}, 32, "[new 32] [high 32] [quality 32] [claude 32] 32 0 32"},
		"recurring": {ledger.ViolationFilter{Recurring: true}, 32, "[new 32] [high 32] [quality 32] [claude 32] 32 0 32"},
	} {
		f := ledger.FacetsOf(test.filter, totals)
		text := func(list []ledger.Facet) (words []string) {
			for _, facet := range list {
				words = append(words, fmt.Sprint(facet.Value, " ", facet.Violations))
			}
			return words
		}
		got := fmt.Sprint(text(f.Statuses), " ", text(f.Priorities), " ", text(f.Gates), " ", text(f.Adapters), " ", f.Recurring.Violations, " ", f.Alone.Violations, " ", f.InFixLines.Violations)
		if got != test.want || f.Violations.Violations != test.all || !f.FoldersUnknown {
			t.Errorf("%s: %d: %s", name, f.Violations.Violations, got)
		}
	}
	joined := append(slices.Clone(totals), total(128, func(o *ledger.FacetTotals) { o.Status = ledger.StatusDuplicate }))
	once := ledger.ViolationFilter{NoDuplicates: true}
	if of, of2 := ledger.FacetsOf(ledger.ViolationFilter{}, joined), ledger.FacetsOf(once, joined); of.Violations.Violations != 255 ||
		of2.Violations.Violations != 127 || of2.Adapters[0].Violations != 111 || cmp.Diff(&ledger.Count{Violations: 127, Filter: once}, of.NoDuplicates) != "" {
		t.Errorf("each problem once: %d of %d, and as a facet %+v", of2.Violations.Violations, of.Violations.Violations, of.NoDuplicates)
	}
	f := ledger.FacetsOf(ledger.ViolationFilter{Gate: "quality"}, totals)
	f.SetFolders(ledger.FoldersOf(ledger.ViolationFilter{Gate: "quality"}, totals))
	want := []ledger.Facet{
		{Value: "", Count: ledger.Count{Violations: 64, Filter: ledger.ViolationFilter{Gate: "quality", File: "*"}}},
		{Value: "src", Count: ledger.Count{Violations: 55, Filter: ledger.ViolationFilter{Gate: "quality", File: "src/**"}}},
	}
	if d := cmp.Diff(want, f.Folders); d != "" || f.FoldersUnknown {
		t.Errorf("folders (-want +got):\n%s", d)
	}
}

// If there are many values, the most frequent are listed and the others counted.
func TestManyFacets(t *testing.T) {
	t.Parallel()
	folders := map[string]int{"[a]": 99}
	for n := range 10 {
		folders[fmt.Sprint("f", n)] = 1
	}
	var f ledger.Facets
	f.SetFolders(folders)
	if len(f.Folders) != 8 || f.Others.Folders != 3 || f.Folders[0].Filter.File != `\[a]/**` || f.Folders[7].Value != "f6" {
		t.Errorf("%+v, and %d more", f.Folders, f.Others.Folders)
	}
}
