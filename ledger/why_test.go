package ledger_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// What is said of a slot is what its row and its reports say.
func TestExplainSlot(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status ledger.SlotStatus
		latch  bool
		reason string
		counts ledger.SlotCounts
		want   []string
	}{
		"passed":            {ledger.SlotPass, false, "", ledger.SlotCounts{}, []string{"The slot passed: claude answered, and it reported nothing."}},
		"passed, confirmed": {ledger.SlotPass, false, "", ledger.SlotCounts{Verified: 2}, []string{"The slot passed: claude answered, and it reported nothing new.", "It did not report them again, which verified 2 claims."}},
		"passed, filtered": {ledger.SlotPass, true, "", ledger.SlotCounts{OutOfDiff: 1, BelowThreshold: 2}, []string{
			"The slot passed: claude answered, and everything that it reported was filtered (1 out_of_diff, 2 below_threshold).",
			"It ran although every slot of its gate had passed: at least one reviewer of a gate always runs.",
		}},
		"failed": {ledger.SlotFail, false, "", ledger.SlotCounts{Accepted: 3, New: 1, Carried: 1, Reopened: 1, Malformed: 1}, []string{
			"The slot failed: claude reported 3 violations (1 of them new); 1 violation from before, which nobody addressed, is still open; filtered: 1 malformed.",
			"It reported it again, which reopened 1 claim.",
		}},
		"failed, all new":   {ledger.SlotFail, false, "", ledger.SlotCounts{Accepted: 1, New: 1}, []string{"The slot failed: claude reported 1 violation."}},
		"failed by a file":  {ledger.SlotFail, false, "", ledger.SlotCounts{}, []string{"The slot failed: its file lists violations."}},
		"failed, elsewhere": {ledger.SlotFail, false, "", ledger.SlotCounts{Carried: 2, Elsewhere: 4}, []string{"The slot failed: 2 violations from before, which nobody addressed, are still open; filtered: 4 in files that the change does not touch."}},
		"in error":          {ledger.SlotError, false, "timed out", ledger.SlotCounts{}, []string{"The slot is in error (timed out): without an answer it has neither passed nor failed, and will be asked again."}},
		"interrupted":       {ledger.SlotInterrupted, false, "", ledger.SlotCounts{}, []string{"The slot was interrupted and will be asked again."}},
		"running":           {ledger.SlotRunning, false, "", ledger.SlotCounts{}, []string{"The slot is running, or its process was killed."}},
	} {
		gate := reviewed(2, quality, skipped, test.status)
		slot := &gate.Slots[1]
		slot.Adapter, slot.Latch, slot.Reason, slot.Counts = "claude", test.latch, test.reason, test.counts
		s := state([]ledger.Gate{reviewed(1, quality, pass, fail), gate})
		e, err := ledger.ExplainSlot(s, ledger.SlotRef{Job: quality, Slot: 2, Iteration: 2}, nil)
		if d := cmp.Diff(test.want, e.Sentences); d != "" || err != nil || len(e.Rows) != 1 {
			t.Errorf("%s: %v, rows %v (-want +got):\n%s", name, err, e.Rows, d)
		}
	}
	s := state([]ledger.Gate{reviewed(1, quality, pass, fail), since(reviewed(2, quality, skipped, fail), 1)})
	reports := []ledger.Report{
		{Iteration: 2, Adapter: "claude", Slot: 1, Priority: ledger.High, Place: at("a.go", 3), Issue: "Bad\nthing", Disposition: ledger.Accepted, Violation: "01V"},
		{Iteration: 2, Adapter: "claude", Slot: 1, Priority: ledger.Low, Place: at("a.go"), Issue: "Odd", Disposition: ledger.BelowThreshold, Reason: "low"},
	}
	e, err := ledger.ExplainSlot(s, ledger.SlotRef{Job: quality, Slot: 1, Iteration: 2}, reports)
	if err != nil || len(e.Sentences) != 2 || len(e.Rows) != 4 {
		t.Fatalf("skipped: %+v, %v", e, err)
	}
	var rows []string
	for _, row := range e.Rows[2:] {
		rows = append(rows, row.Text)
	}
	want := []string{"iteration 2, claude@1: high a.go:3: Bad, accepted, violation 01V", "iteration 2, claude@1: low a.go: Odd, below_threshold (low)"}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("reports (-want +got):\n%s", d)
	}
	if _, err := ledger.ExplainSlot(s, ledger.SlotRef{Job: quality, Slot: 3, Iteration: 2}, nil); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("no such slot: %v", err)
	}
}

// A violation is told by its first report, the latest one where that says something else,
// and what became of it.
func TestExplainViolation(t *testing.T) {
	t.Parallel()
	report := func(iteration int, line int, issue string, d ledger.Disposition) ledger.ListedReport {
		return ledger.ListedReport{Report: ledger.Report{Iteration: iteration, Adapter: "claude", Place: at("a.go", line), Issue: issue, Disposition: d}}
	}
	const first = "claude reported it first, in iteration 1, in a.go:3: Bad."
	for name, test := range map[string]struct {
		reports []ledger.ListedReport
		status  ledger.Status
		last    ledger.Event
		change  func(*ledger.History)
		want    []string
	}{
		"new": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer}, nil,
			[]string{first, "It is new: nobody has marked it yet."}},
		"reported again": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted), report(2, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorHuman}, nil,
			[]string{first, "It is open: the human removed the mark."}},
		"in other words": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted), report(2, 3, "Worse", ledger.Accepted)}, ledger.StatusReopened, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 2}, nil,
			[]string{first, "claude reported it last, in iteration 2, in a.go:3: Worse.", "It is open again: it was marked fixed, and a reviewer reported it again in iteration 2."}},
		"elsewhere": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted), report(2, 9, "Bad", ledger.Accepted)}, ledger.StatusFixed, ledger.Event{Actor: ledger.ActorAgent, Result: "checked"}, nil,
			[]string{first, "claude reported it last, in iteration 2, in a.go:9: Bad.", "The agent marked it fixed (checked); no reviewer has confirmed that yet."}},
		"skipped, and seen": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted), report(2, 7, "Bad", ledger.PreviouslySkipped)}, ledger.StatusSkipped, ledger.Event{Actor: ledger.ActorAgent, Reason: "style"}, nil,
			[]string{first, "The agent skipped it as style. Reviewers are not shown it.", "After it was skipped, it was reported again once in the same words and with no higher priority, which does not fail the gate."}},
		"verified": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusVerified, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 3},
			func(h *ledger.History) {
				h.Violation.Result, h.Violation.Recurring, h.Violation.InFixLines = "checked", true, true
			},
			[]string{first, "It is verified: it was marked fixed (checked), and the reviewer that was asked about it in iteration 3 did not report it again.",
				"Other runs have a violation on the same line (same fingerprint).", "It is in lines that the previous fix changed."}},
		"waits": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) { h.Violation.RunOpen, h.Violation.RunStatus = true, ledger.StatusFailed },
			[]string{first, "It is new: nobody has marked it yet.", "The run cannot pass until it is marked fixed and a reviewer confirms it, or it is marked skipped."}},
		"left": {[]ledger.ListedReport{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) { h.Violation.RunStatus = ledger.StatusAbandoned },
			[]string{first, "It is new: nobody has marked it yet.", "Its run was abandoned, so nothing depends on it anymore."}},
	} {
		h := ledger.History{Violation: listed("a", test.status, at("a.go", 3)), Reports: test.reports, Events: []ledger.Event{{Actor: ledger.ActorReviewer, Status: ledger.StatusNew}, test.last}}
		h.Violation.RunOpen, h.Violation.RunStatus = false, ledger.StatusPassed
		if test.change != nil {
			test.change(&h)
		}
		if d := cmp.Diff(test.want, ledger.ExplainViolation(h).Sentences); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
