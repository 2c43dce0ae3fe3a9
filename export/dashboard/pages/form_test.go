package pages

import (
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// The pages of runs, violations and searches show everything in a form apart from its reports, and
// never as markup.
func TestPagesShowWhatFormsSay(t *testing.T) {
	t.Parallel()
	const hostile = `<img src=x onerror=alert(1)>`
	run := exampleRunPage()
	state := *run.State
	state.Gates = append([]ledger.Gate{}, state.Gates...)
	last := &state.Gates[len(state.Gates)-1]
	last.Slots = append([]ledger.Slot{}, ledger.Slot{Iteration: last.Iteration, Job: last.Job, Index: 1, Adapter: "codex", Status: ledger.SlotPass, Notes: "Not sure of " + hostile})
	run.State = &state
	v := exampleViolation()
	v.History.Violation.Gone = ledger.Gone{By: "codex@2", Evidence: hostile}
	v.History.Violation.SeenBefore = "8c31gnxt"
	v.History.Violation.Also = []ledger.Place{{File: "docs/" + hostile, Start: 3, End: 5}, {File: "whole.md"}}
	search := exampleSearch()
	search.Notes = []ledger.SearchHit{{
		Notes:   &ledger.SlotNotes{Run: runID, Ref: ledger.SlotRef{Job: "review:api:security", Slot: 2, Iteration: 1}, EntryPoint: "api", Gate: "security", Adapter: "codex"},
		Snippet: ledger.MarkedText{{Text: "the "}, {Text: "token", Match: true}, {Text: " of " + hostile}},
	}}
	reviewers := exampleReviewers()
	reviewers.Figures.Value.Adapters[0].Repairs = 4321
	for name, test := range map[string]struct {
		page Page
		want []string
	}{
		"run":       {run, []string{"Notes of reviewers", "codex@1, iteration", "Not sure of &lt;img"}},
		"violation": {v, []string{"Perhaps gone", "codex@2: &lt;img", "mark it", ">8c31gnxt<", "/violations/8c31gnxt", ":3-5<", ">whole.md<"}},
		"search":    {search, []string{"Among the notes of reviewers", "<mark>token</mark>", "codex@2"}},
		"reviewers": {reviewers, []string{"Asked again", "4,321"}},
	} {
		document := rendered(t, test.page)
		for _, want := range test.want {
			if !strings.Contains(document, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if strings.Contains(document, "<img") {
			t.Errorf("%s has markup of a reviewer", name)
		}
	}
	if strings.Contains(rendered(t, exampleRunPage()), "Notes of reviewers") {
		t.Error("a run without notes has a panel for them")
	}
}
