package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func high(line int, issue string) ledger.Entry { return entry(at("a.go", line), issue, ledger.High) }

// A whole loop: reported, claimed, contradicted, claimed again, confirmed.
func TestLoop(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	result := r.says(1, high(1, "leaks"), high(20, "races"), entry(at("old.go", 1), "elsewhere", ledger.High))
	if d := cmp.Diff([]string{"leaks new", "races new"}, listed(result.Document)); d != "" || result.Status != fail {
		t.Errorf("%s, document (-want +got):\n%s", result.Status, d)
	}
	if got := r.end(); got != ledger.StatusFailed {
		t.Errorf("iteration 1 ended as %s", got)
	}
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	x.edit(1, "races", ledger.StatusSkipped, "by design")

	r = x.begin(1)
	result = r.says(1, entry(at("a.go", 2), "still leaks", ledger.Low), entry(at("a.go", 1), "leaks", ledger.Low), high(20, "Races."))
	if d := cmp.Diff([]string{"still leaks", "leaks", "Races."}, issues(result.Reports)); d != "" {
		t.Errorf("reports (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"leaks new"}, listed(result.Document)); d != "" {
		t.Errorf("document (-want +got):\n%s", d)
	}
	r.end()
	x.want(map[string]ledger.Status{"leaks": ledger.StatusReopened, "races": ledger.StatusSkipped})
	if v := x.find("leaks"); v.Result != "" || v.Last != 2 || v.Reviewed != "tree2" || v.Answered != 1 {
		t.Errorf("reopened: %+v", v)
	}
	x.edit(1, "leaks", ledger.StatusFixed, "closed for good")

	r = x.begin(1)
	if result = r.says(1); result.Status != pass || len(result.Document.Violations) > 0 {
		t.Errorf("%s with %v", result.Status, listed(result.Document))
	}
	if got := r.end(); got != ledger.StatusPassedWithWarnings {
		t.Errorf("iteration 3 ended as %s", got)
	}
	x.want(map[string]ledger.Status{"leaks": ledger.StatusVerified, "races": ledger.StatusSkipped})
	if v := x.find("leaks"); v.Result != "closed for good" || v.Answered != 2 {
		t.Errorf("verified: %+v", v)
	}
	x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassedWithWarnings))
	run := x.state().Run
	if got := []int{run.Iterations, run.Verified, run.Skipped, run.Open}; !cmp.Equal(got, []int{3, 1, 1, 0}) {
		t.Errorf("the run's counts are %v", got)
	}
	events := column(t, rows(t, x.Path()), "SELECT i.number || ' ' || e.status || ' ' || e.actor FROM events AS e JOIN iterations AS i ON i.id = e.iteration_id WHERE violation_id = 1 ORDER BY e.id")
	if d := cmp.Diff([]string{"1 new reviewer", "1 fixed agent", "2 reopened reviewer", "2 fixed agent", "3 verified reviewer"}, events); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
}

func issues(reports []ledger.Evaluated) (list []string) {
	for _, r := range reports {
		list = append(list, r.Issue)
	}
	return list
}

// A claim that one slot confirms and another contradicts is open in the end, in whichever order
// they answer.
//
// Rule: Only an answer confirms.
func TestTwoSlotsInEitherOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{1, 2}, {2, 1}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			x := newLoop(t)
			r := x.begin(2)
			r.says(1, high(5, "leaks"))
			r.says(2, high(50, "races"))
			r.end()
			x.edit(1, "leaks", ledger.StatusFixed, "closed")
			r = x.begin(2)
			for _, slot := range order {
				if slot == 1 {
					r.says(1)
				} else {
					r.says(2, about(x.find("leaks"), entry(at("a.go", 5), "leaks, still", ledger.Info)))
				}
			}
			if got := x.state().LatestSlot(quality, 1).Status; got != pass {
				t.Errorf("slot 1 is %s: what slot 2 said is none of its own", got)
			}
			if got := r.end(); got != ledger.StatusFailed {
				t.Errorf("ended as %s", got)
			}
			x.want(map[string]ledger.Status{"leaks, still": ledger.StatusReopened, "races": ledger.StatusNew})
			if v := x.find("leaks, still"); v.Slot != 1 {
				t.Errorf("the violation went to slot %d", v.Slot)
			}
			for _, plan := range ledger.PlanSlots(x.state(), quality, make([]ledger.Filler, 2)) {
				if plan.Skip {
					t.Errorf("slot %d is skipped although a violation of each is open", plan.Index)
				}
			}
			e := must(x.Exported(x.Context(), x.run.ID, ledger.SlotRef{Job: quality, Slot: 2, Iteration: 2}))(t)
			if d := cmp.Diff([]string{"leaks, still new", "races new"}, listed(e.Document)); d != "" {
				t.Errorf("slot 2's file (-want +got):\n%s", d)
			}
		})
	}
}

// A line that moved by 25 is the same line. For every slot its place when the iteration began
// counts, whatever another slot has reported since.
//
// Rule: A place moves with its lines.
func TestPlacesAreCarried(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(5, "leaks"))
	r.says(2, high(60, "races"))
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "")
	r = x.begin(2)
	say := func(slot int, e ledger.Entry) store.SlotResult {
		a := r.answer(slot, e)
		for _, v := range r.before.Violations {
			a.Facts.Whereabouts[v.ID] = ledger.Whereabouts{Here: at(v.Place.File, v.Place.Start+25, v.Place.End+25)}
		}
		return must(r.RecordAnswer(x.Context(), a))(t)
	}
	if result := say(2, entry(at("a.go", 30, 33), "leaks", ledger.Low)); len(result.Reopened) != 1 {
		t.Errorf("slot 2 reopened %q", result.Reopened)
	}
	if result := say(1, entry(at("a.go", 33), "shadows", ledger.Low)); result.Count(ledger.BelowThreshold) != 1 {
		t.Errorf("slot 1's report is %s", result.Reports[0].Disposition)
	}
	if v := x.find("leaks"); v.Status != ledger.StatusReopened || v.Place != at("a.go", 30, 33) || v.Reviewed != "tree2" {
		t.Errorf("violation: %+v", v)
	}
}

// What two slots find independently in one iteration is two violations.
func TestSlotsOfOneIterationReviewApart(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(5, "leaks"))
	r.says(2, high(5, "leaks"))
	if got := len(x.state().Violations); got != 2 {
		t.Errorf("%d violations", got)
	}
}

// Rule: A run passes only if nothing is outstanding.
func TestUnaddressedViolationsAreCarried(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(3)
	r.says(1, high(1, "one"), high(2, "two"))
	r.says(2)
	r.says(3, high(3, "three"))
	r.end()
	x.edit(1, "two", ledger.StatusFixed, "")

	r = x.begin(2) // slot 3 no longer exists: slot 1 replaces it
	result := r.says(1)
	if result.Status != fail || result.Carried != 2 {
		t.Errorf("%s with %d carried", result.Status, result.Carried)
	}
	if d := cmp.Diff([]string{"one new", "three new"}, listed(result.Document)); d != "" {
		t.Errorf("document (-want +got):\n%s", d)
	}
	if got := r.end(); got != ledger.StatusFailed {
		t.Errorf("ended as %s", got)
	}
	x.want(map[string]ledger.Status{"one": ledger.StatusNew, "two": ledger.StatusVerified, "three": ledger.StatusNew})
}

// An open violation that is reported again is listed once, and not as carried. With other words it
// is another violation, and both are listed, because the first one is still not addressed.
func TestOpenViolationsReportedAgain(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "one"), high(20, "two"))
	r.end()
	r = x.begin(1)
	result := r.says(1, entry(at("a.go", 1), "One.", ledger.Low))
	if d := cmp.Diff([]string{"One. new", "two new"}, listed(result.Document)); d != "" || result.Carried != 1 {
		t.Errorf("%d carried, document (-want +got):\n%s", result.Carried, d)
	}
	r.end()
	r = x.begin(1)
	result = r.says(1, entry(at("a.go", 1), "another", ledger.Low))
	if d := cmp.Diff([]string{"another new", "One. new", "two new"}, listed(result.Document)); d != "" || result.Carried != 2 {
		t.Errorf("%d carried, document (-want +got):\n%s", result.Carried, d)
	}
}

func TestSlotErrorKeepsEverything(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "one"), high(2, "two"))
	r.end()
	x.edit(1, "two", ledger.StatusFixed, "")
	for name, record := range map[string]func(*round) ledger.SlotStatus{
		"no answer": func(r *round) ledger.SlotStatus {
			x.ok(r.RecordSlotError(x.Context(), ledger.SlotCall{Job: quality, Slot: 1, Adapter: "claude", Raw: "no JSON"}, erred, "JSON parsing failed"))
			return erred
		},
		"nothing usable": func(r *round) ledger.SlotStatus {
			result := r.says(1, malformed(at("b.go", 2), "", "issue"))
			if len(result.Document.Violations) > 0 || result.Document.Job != "" {
				t.Errorf("an error has the document %+v", result.Document)
			}
			return result.Status
		},
	} {
		r = x.begin(1)
		if got := record(r); got != erred {
			t.Errorf("%s: %s", name, got)
		}
		if got := r.end(); got != ledger.StatusFailed {
			t.Errorf("%s: the iteration ended as %s", name, got)
		}
		x.want(map[string]ledger.Status{"one": ledger.StatusNew, "two": ledger.StatusFixed})
		planned := []ledger.Planned{{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 1)}}
		owed := ledger.NewCoverage(x.state(), ledger.View{Number: 2, Rerun: true, Tree: x.tree()}, nil).Owed(planned, nil)
		if len(owed) != 1 || owed[0].Reason != ledger.WasInError {
			t.Errorf("%s: owed is %v", name, owed)
		}
	}
	if got := column(t, rows(t, x.Path()), "SELECT count(*) FROM reports WHERE disposition = 'malformed'"); got[0] != "1" {
		t.Errorf("%s malformed reports are kept", got[0])
	}
}

// Entries that the parser could not understand are recorded too.
func TestOddEntriesAreRecorded(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	hostile := "'); DROP TABLE reports; --\x00\n\u202e\"\\"
	result := r.says(1,
		ledger.Entry{Place: ledger.Place{File: hostile, Start: 9, End: 2}, Issue: hostile, Fix: hostile, Priority: "urgent", Title: hostile},
		ledger.Entry{Missing: []string{"file", "issue", "priority"}},
		ledger.Entry{Place: ledger.Place{File: "a.go", Start: -3, End: -9}, Issue: strings.Repeat("x", 1<<20), Priority: ledger.Low})
	if result.Status != fail || result.Count(ledger.Accepted) != 2 {
		t.Fatalf("%s with %d accepted: %s", result.Status, result.Count(ledger.Accepted), result.Reason)
	}
	v := x.state().Violations[0]
	if v.Issue != hostile || v.Place != (ledger.Place{File: hostile, Start: 9, End: 9}) || v.Priority != ledger.High || v.Fix != hostile {
		t.Errorf("read back as %+v", v)
	}
	if got := column(t, rows(t, x.Path()), "SELECT count(*) FROM reports"); got[0] != "3" {
		t.Errorf("%s reports", got[0])
	}
}

func TestSlotAnswersOnce(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "leaks"))
	if _, err := r.RecordAnswer(x.Context(), r.answer(1)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a second answer: %v", err)
	}
	if err := r.RecordSlotError(x.Context(), ledger.SlotCall{Job: quality, Slot: 1, Adapter: "claude"}, erred, "late"); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a late error: %v", err)
	}
	if _, err := r.RecordAnswer(x.Context(), r.answer(2, high(2, "more"))); err == nil {
		t.Error("a slot that was not planned answered")
	}
	x.want(map[string]ledger.Status{"leaks": ledger.StatusNew})
}

func TestSkippedSlotIsRecorded(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1)
	r.says(2, high(1, "leaks"))
	r.end()
	x.edit(2, "leaks", ledger.StatusFixed, "")
	for iteration := 2; iteration <= 3; iteration++ {
		r = x.begin(2)
		want := ledger.Slot{Iteration: iteration, Job: quality, Index: 1, Adapter: "claude", Status: skipped, PassIteration: 1,
			Reason: "Skipping @1: previously passed in iteration 1 (num_reviews > 1)", Reviewed: x.tree(), FinishedAt: r.Began()}
		if d := cmp.Diff(&want, x.state().LatestSlot(quality, 1)); d != "" {
			t.Errorf("Slot skipped across multiple consecutive iterations (-want +got):\n%s", d)
		}
		r.says(2, high(1, "leaks"))
		r.end()
		x.edit(2, "leaks", ledger.StatusFixed, "")
	}
}

func TestUsageIsRecorded(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	in, out, cost := int64(1000), int64(0), 0.25
	a := r.answer(1)
	a.Usage = ledger.Usage{Model: "model-1", InputTokens: &in, OutputTokens: &out, CostUSD: &cost}
	must(r.RecordAnswer(x.Context(), a))(t)
	want := &ledger.Slot{Iteration: 1, Job: quality, Index: 1, Adapter: "claude", Status: pass, Reviewed: "tree1", Usage: a.Usage, Calls: 1, Duration: 1500 * time.Millisecond}
	got := x.state().LatestSlot(quality, 1)
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(ledger.Slot{}, "StartedAt", "FinishedAt")); d != "" {
		t.Errorf("slot (-want +got):\n%s", d)
	}
	if took := got.FinishedAt.Sub(got.StartedAt); took != got.Duration {
		t.Errorf("it took %s, and not %s", took, got.Duration)
	}
}

// The counts of slots, iterations and runs are those of their rows.
func TestCountsAreTheRows(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(1, "one"), high(2, "two"), high(3, "three"), entry(at("old.go", 1), "off", ledger.High), malformed(at("b.go", 1), "", "issue"))
	r.says(2, high(4, "four"))
	r.end()
	x.edit(1, "one", ledger.StatusFixed, "")
	x.edit(1, "two", ledger.StatusSkipped, "")
	x.edit(2, "four", ledger.StatusFixed, "")
	r = x.begin(2)
	r.says(1, entry(at("a.go", 2), "two", ledger.High), entry(at("a.go", 9), "low", ledger.Low), high(7, "new"))
	r.says(2, about(x.find("four"), entry(at("a.go", 4), "four again", ledger.Low)))
	r.end()
	handle := rows(t, x.Path())
	for name, query := range map[string]string{
		"slots by disposition": `SELECT s.id FROM slots AS s WHERE
			accepted <> (SELECT count(*) FROM reports AS r WHERE r.slot_id = s.id AND disposition = 'accepted') OR
			out_of_diff <> (SELECT count(*) FROM reports AS r WHERE r.slot_id = s.id AND disposition = 'out_of_diff') OR
			below_threshold <> (SELECT count(*) FROM reports AS r WHERE r.slot_id = s.id AND disposition = 'below_threshold') OR
			previously_skipped <> (SELECT count(*) FROM reports AS r WHERE r.slot_id = s.id AND disposition = 'previously_skipped') OR
			malformed <> (SELECT count(*) FROM reports AS r WHERE r.slot_id = s.id AND disposition = 'malformed')`,
		"iterations by event": `SELECT i.id FROM iterations AS i WHERE
			new <> (SELECT count(*) FROM violations AS v WHERE v.run_id = i.run_id AND v.first_iteration = i.number) OR
			reopened <> (SELECT count(*) FROM events AS e WHERE e.iteration_id = i.id AND e.status = 'reopened') OR
			verified <> (SELECT count(*) FROM events AS e WHERE e.iteration_id = i.id AND e.status = 'verified') OR
			in_fix_lines <> (SELECT count(*) FROM reports AS r JOIN slots AS s ON s.id = r.slot_id
				WHERE s.iteration_id = i.id AND r.in_fix_lines = 1 AND r.disposition = 'accepted')`,
		"runs by status": `SELECT r.id FROM runs AS r WHERE
			iterations <> (SELECT count(*) FROM iterations AS i WHERE i.run_id = r.id) OR
			verified <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND status = 'verified') OR
			skipped <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND status = 'skipped') OR
			open <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND status IN ('new', 'reopened'))`,
		"violations by event": `SELECT v.id FROM violations AS v WHERE status <> (SELECT e.status FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1)`,
	} {
		if wrong := column(t, handle, query); len(wrong) > 0 {
			t.Errorf("%s: rows %q are miscounted", name, wrong)
		}
	}
	want := []string{"4 0 0 2 1 0 0", "1 1 1 0 0 1 1"}
	got := column(t, handle, "SELECT format('%d %d %d %d %d %d %d', new, reopened, verified, claimed, skipped, carried, in_fix_lines) FROM iterations ORDER BY number")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("iterations: new, reopened, verified, claimed, skipped, carried, in fix lines (-want +got):\n%s", d)
	}
	if got := []int{x.state().Run.Iterations, x.state().Run.Verified, x.state().Run.Skipped, x.state().Run.Open}; !cmp.Equal(got, []int{2, 1, 1, 3}) {
		t.Errorf("run: %v", got)
	}
}

// A fingerprint is the same in another run, whatever the line number and the wording.
//
// Rule: A place moves with its lines.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	lines := map[int]string{1: "return  f.Close()", 9: "return f.Close()", 2: "other"}
	record := func(line int, issue string) {
		r := x.begin(1)
		a := r.answer(1, high(line, issue))
		text, ok := lines[line]
		a.Facts.Entries[0].Line = ledger.LineFact{Known: ok, Text: text}
		must(r.RecordAnswer(x.Context(), a))(t)
		x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusAbandoned))
		x.run, x.number = must(x.StartRun(x.Context(), newRun()))(t), 0
	}
	record(1, "leaks")
	record(9, "in other words")
	record(2, "leaks")
	record(3, "on no line")
	got := column(t, rows(t, x.Path()), "SELECT coalesce(fingerprint, '') FROM violations ORDER BY id")
	if got[0] == "" || got[0] != got[1] || got[0] == got[2] || got[3] != "" {
		t.Errorf("fingerprints %q", got)
	}
}
