package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// A mark returns every file that lists one of its violations, each once. Violations of a closed run
// cannot be marked.
func TestMarkViolations(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(1, "one"), high(50, "two"))
	r.says(2, high(90, "three"))
	r.end()
	ids := []string{x.find("one").ID, x.find("two").ID, x.find("three").ID}
	mark := ledger.Mark{Status: ledger.StatusSkipped, Result: "so it is", Reason: ledger.StyleOnly, Actor: ledger.ActorAgent}
	done := must(x.MarkViolations(t.Context(), x.run.ID, ids, nil, mark))(t)
	if d := cmp.Diff([]ledger.SlotRef{x.ref(1), x.ref(2)}, done.Listed); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]bool{ids[0]: false, ids[1]: false, ids[2]: false}, done.Remembered); d != "" {
		t.Errorf("an agent's skips are remembered (-want +got):\n%s", d)
	}
	if v := x.find("two"); v.Status != ledger.StatusSkipped || v.Result != "so it is" || v.Reason != string(ledger.StyleOnly) || v.Answered != 1 {
		t.Errorf("marked: %+v", v)
	}
	document := must(x.Current(t.Context(), x.run.ID, x.ref(1)))(t)
	if d := cmp.Diff([]string{"one skipped", "two skipped"}, listed(document)); d != "" || *document.Violations[1].Result != "so it is" {
		t.Errorf("its file is to say (-want +got):\n%s", d)
	}
	must(x.MarkViolations(t.Context(), x.run.ID, ids[:1], nil, ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorHuman}))(t)
	if v := x.find("one"); v.Status != ledger.StatusNew || v.Result != "" || v.Reason != "" {
		t.Errorf("opened again: %+v", v)
	}
	if document = must(x.Current(t.Context(), x.run.ID, x.ref(1)))(t); document.Violations[0].Result != nil || document.Violations[0].Status != "new" {
		t.Errorf("its file is to say %+v", document.Violations[0])
	}
	if _, err := x.MarkViolations(t.Context(), x.run.ID, []string{ids[1], ids[0]}, nil, ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorAgent}); err == nil {
		t.Error("what is open already is opened")
	}
	x.want(map[string]ledger.Status{"one": "new", "two": "skipped", "three": "skipped"}) // all or none
	x.ok(x.CloseRun(t.Context(), x.run.ID, ledger.StatusAbandoned))
	if _, err := x.MarkViolations(t.Context(), x.run.ID, ids[:1], nil, ledger.Mark{Status: ledger.StatusFixed, Actor: ledger.ActorAgent}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("in a closed run: %v", err)
	}
	must(x.MarkViolations(t.Context(), x.run.ID, ids[:1], nil, mark))(t) // what an abandoned run left can be skipped
	if v := x.find("one"); v.Status != ledger.StatusSkipped {
		t.Errorf("skipped in an abandoned run: %+v", v)
	}
}

// If several slots list a violation in several iterations, it is written to the newest file of
// each, and the mark answers the newest of all these files, or the iteration in which it was last
// reported.
func TestMarkOfWhatSeveralSlotsList(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(3)
	r.says(1, high(1, "one"))
	r.says(2, high(50, "two"))
	r.says(3, high(90, "three"), high(95, "four")) // four is not reported again, and stays in the file
	r.end()
	r = x.begin(3)
	r.says(1, high(1, "one"))
	r.says(2, high(1, "one"), high(50, "two"))
	r.says(3, high(90, "three"))
	r.end()
	mark := ledger.Mark{Status: ledger.StatusFixed, Result: "done", Actor: ledger.ActorAgent}
	for _, tt := range []struct {
		issue string
		want  []ledger.SlotRef
	}{
		{"two", []ledger.SlotRef{x.ref(2)}},
		{"one", []ledger.SlotRef{x.ref(1), x.ref(2)}},
		{"three", []ledger.SlotRef{x.ref(3)}},
		{"four", []ledger.SlotRef{x.ref(3)}},
	} {
		done := must(x.MarkViolations(t.Context(), x.run.ID, []string{x.find(tt.issue).ID}, nil, mark))(t)
		if d := cmp.Diff(tt.want, done.Listed); d != "" {
			t.Errorf("files of %q (-want +got):\n%s", tt.issue, d)
		}
		if v := x.find(tt.issue); v.Answered != 2 {
			t.Errorf("%q answers iteration %d", tt.issue, v.Answered)
		}
	}
}

// Each code review in a list has its own verdict, and a run of gates has none.
func TestVerdictsOfListedRuns(t *testing.T) {
	t.Parallel()
	x, _ := handedIn(t)
	gates := must(x.StartRun(t.Context(), newRun()))(t)
	other := newRun()
	other.Worktree = "/another"
	later := must(x.StartReview(t.Context(), other, verdict.CodeReview{ReviewID: "0123abcd", Scope: ledger.ScopeFile, Target: "."}))(t)
	findings := []verdict.FindingEntry{{Domain: "api", Severity: "Low", Confidence: 0.9, File: "a.go", Title: "T", Recommendation: "R"}}
	r, record := review(t, x.Store, later.ID, "file", findings)
	record()
	must(r.Conclude(t.Context(), verdict.Quick))(t)
	got := map[string]string{}
	for _, run := range must(x.Runs(t.Context(), ledger.RunFilter{}))(t) {
		got[run.ID] = run.ReviewID + " " + string(run.Verdict)
	}
	if d := cmp.Diff(map[string]string{x.run.ID: "a3f8c12b WARN", gates.ID: " ", later.ID: "0123abcd PASS"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for id, want := range map[string]string{x.run.ID: "full WARN 4", later.ID: "quick PASS 0"} {
		v := must(x.Verdict(t.Context(), id))(t)
		if got := fmt.Sprint(v.Mode, " ", v.Word, " ", v.Summary().High); got != want || len(v.Earlier) > 0 {
			t.Errorf("the verdict of %s is %s, after %v", id, got, v.Earlier)
		}
	}
}
