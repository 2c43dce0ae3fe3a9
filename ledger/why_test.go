package ledger_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// The explanation of a slot follows from its row and its reports.
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
		"passed, confirmed": {ledger.SlotPass, false, "", ledger.SlotCounts{Verified: 2}, []string{"The slot passed: claude answered, and it reported nothing new.", "Its answer verified 2 claims."}},
		"passed, filtered": {ledger.SlotPass, true, "", ledger.SlotCounts{OutOfDiff: 1, BelowThreshold: 2}, []string{
			"The slot passed: claude answered, and everything that it reported was filtered (1 out_of_diff, 2 below_threshold).",
			"It ran although every slot of its gate had passed: at least one reviewer of a gate always runs.",
		}},
		"failed": {ledger.SlotFail, false, "", ledger.SlotCounts{Accepted: 3, New: 1, Carried: 1, Reopened: 1, Malformed: 1}, []string{
			"The slot failed: claude reported 3 violations (1 of them new); 1 violation from before, which nobody addressed, is still open; filtered: 1 malformed.",
			"Its answer reopened 1 violation.",
		}},
		"passed, one confirmed": {ledger.SlotPass, false, "", ledger.SlotCounts{Verified: 1}, []string{"The slot passed: claude answered, and it reported nothing new.", "Its answer verified 1 claim."}},
		"passed, one filtered":  {ledger.SlotPass, false, "", ledger.SlotCounts{Malformed: 1, Elsewhere: 1}, []string{"The slot passed: claude answered, and everything that it reported was filtered (1 malformed, 1 in files that the change does not touch)."}},
		"failed, one elsewhere": {ledger.SlotFail, false, "", ledger.SlotCounts{Carried: 1, Elsewhere: 1}, []string{"The slot failed: 1 violation from before, which nobody addressed, is still open; filtered: 1 in files that the change does not touch."}},
		"failed, all new":       {ledger.SlotFail, false, "", ledger.SlotCounts{Accepted: 1, New: 1}, []string{"The slot failed: claude reported 1 violation."}},
		"failed by a file":      {ledger.SlotFail, false, "", ledger.SlotCounts{}, []string{"The slot failed: something that its file lists, or that it was asked about, is still open."}},
		"failed, elsewhere":     {ledger.SlotFail, false, "", ledger.SlotCounts{Carried: 2, Elsewhere: 4}, []string{"The slot failed: 2 violations from before, which nobody addressed, are still open; filtered: 4 in files that the change does not touch."}},
		"in error":              {ledger.SlotError, false, "timed out", ledger.SlotCounts{}, []string{"The slot is in error (timed out): without an answer it has neither passed nor failed, and will be asked again."}},
		"interrupted":           {ledger.SlotInterrupted, false, "", ledger.SlotCounts{}, []string{"The slot was interrupted and will be asked again."}},
		"running":               {ledger.SlotRunning, false, "", ledger.SlotCounts{}, []string{"The slot is running, or its process was killed."}},
	} {
		gate := reviewed(2, quality, skipped, test.status)
		slot := &gate.Slots[1]
		slot.Adapter, slot.Latch, slot.Reason, slot.Counts = "claude", test.latch, test.reason, test.counts
		s := state([]ledger.Gate{reviewed(1, quality, pass, fail), reviewed(2, security, pass, pass), gate})
		e, err := ledger.ExplainSlot(s, ledger.SlotRef{Job: quality, Slot: 2, Iteration: 2}, nil)
		if d := cmp.Diff(test.want, e.Sentences); d != "" || err != nil || len(e.Rows) != 1 {
			t.Errorf("%s: %v, rows %v (-want +got):\n%s", name, err, e.Rows, d)
		}
	}
	s := state([]ledger.Gate{reviewed(1, quality, pass, fail), since(reviewed(2, quality, skipped, fail), 1)})
	reports := []ledger.Report{
		{Iteration: 2, Adapter: "claude", Slot: 1, Priority: ledger.High, Place: at("a.go", 3), Issue: "Bad\nthing", Disposition: ledger.Accepted, ShortID: "01V"},
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

// leftBehind is what is said of what an abandoned run left.
const leftBehind = "Its run was abandoned, so nothing depends on it any longer; while its line stands, each pass of the branch names it, until it is marked skipped."

// A violation is explained by its first report, its latest report if that has other words, and what
// became of it.
func TestExplainViolation(t *testing.T) {
	t.Parallel()
	report := func(iteration int, line int, issue string, d ledger.Disposition) ledger.Report {
		return ledger.Report{Iteration: iteration, Adapter: "claude", Place: at("a.go", line), Issue: issue, Disposition: d}
	}
	const first = "claude reported it first, in iteration 1, in a.go:3: Bad."
	for name, test := range map[string]struct {
		reports []ledger.Report
		status  ledger.Status
		last    ledger.Event
		change  func(*ledger.History)
		want    []string
	}{
		"new": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer}, nil,
			[]string{first, "It is new: nobody has marked it yet."}},
		"reported again": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted), report(2, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorHuman}, nil,
			[]string{first, "It is open: the human removed the mark."}},
		"taken up": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorAgent, Reason: ledger.ReasonTakenUp}, nil,
			[]string{first, "It is new: it was left out at first, and the agent took it up."}},
		"joined": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusDuplicate, ledger.Event{Actor: ledger.ActorAgent},
			func(h *ledger.History) { h.Violation.DuplicateOf = "8f3kq2" },
			[]string{first, "The agent joined it to 8f3kq2: one problem, with one fate. To see how that stands: `reviewledger why 8f3kq2`."}},
		"withdrawn, and reported again": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusReopened, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 4},
			func(h *ledger.History) {
				h.Events = slices.Insert(h.Events, 1, ledger.Event{Actor: ledger.ActorReviewer, Status: ledger.StatusWithdrawn, Iteration: 3})
			},
			[]string{first, "It is open again: it was withdrawn, and a reviewer reported it again in iteration 4."}},
		"disputed": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusDisputed, ledger.Event{Actor: ledger.ActorAgent, Result: "intended"}, nil,
			[]string{first, "It is open: the agent disputes it (intended), and its reviewer has not answered yet."}},
		"withdrawn": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusWithdrawn, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 3, Result: "right"},
			func(h *ledger.History) { h.Violation.Result = "intended" },
			[]string{first, "It is withdrawn: it was disputed (intended), and in iteration 3 all who reported it took it back (right)."}},
		"disputed, and stands": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusReopened, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 3},
			func(h *ledger.History) {
				h.Events = slices.Insert(h.Events, 1, ledger.Event{Actor: ledger.ActorAgent, Status: ledger.StatusDisputed, Iteration: 2})
			},
			[]string{first, "It is open again: it was disputed, and its reviewer said in iteration 3 that it stands. A person may still decide otherwise."}},
		"joined to it": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) {
				h.Violation.Duplicates = []ledger.ListedViolation{{Violation: ledger.Violation{ShortID: "b", Adapter: "codex", Slot: 2, Place: at("f", 3)}}}
			},
			[]string{first, "It is new: nobody has marked it yet.", "Joined to it: b (codex@2, f:3). They are one problem: a claim is put to each reporter, and each has to confirm it."}},
		"joined, and contradicted": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusReopened, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 2, Result: "still there"},
			func(h *ledger.History) {
				h.Words = []ledger.ReviewerWord{
					{Iteration: 1, Slot: 3, Adapter: "gemini", Evidence: "still there"}, {Iteration: 2, Slot: 1, Adapter: "claude", Evidence: "it is fixed"},
					{Iteration: 2, Slot: 2, Of: "b", Adapter: "codex", Evidence: "still there"},
				}
			},
			[]string{first, "It is open again: it was marked fixed, and codex@2 said in iteration 2 that it is not (still there)."}},
		"named as an earlier one, and gone": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) {
				h.Violation.SeenBefore, h.Violation.Gone = "8f3kq2", ledger.Gone{By: "codex@2", Evidence: "removed."}
			},
			[]string{first, "It is new: nobody has marked it yet.", "Its reviewer said that it is 8f3kq2, which was known before: `reviewledger why 8f3kq2`.", "codex@2 says that it is gone (removed), but nobody has marked it fixed."}},
		"in other words": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted), report(2, 3, "Worse", ledger.Accepted)}, ledger.StatusReopened, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 2}, nil,
			[]string{first, "claude reported it last, in iteration 2, in a.go:3: Worse.", "It is open again: it was marked fixed, and a reviewer said in iteration 2 that it is not."}},
		"elsewhere": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted), report(2, 9, "Bad", ledger.Accepted)}, ledger.StatusFixed, ledger.Event{Actor: ledger.ActorAgent, Result: "checked"}, nil,
			[]string{first, "claude reported it last, in iteration 2, in a.go:9: Bad.", "The agent marked it fixed (checked); no reviewer has confirmed that yet."}},
		"skipped, and seen": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted), report(2, 7, "Bad", ledger.PreviouslySkipped)}, ledger.StatusSkipped, ledger.Event{Actor: ledger.ActorAgent, Reason: "style"}, nil,
			[]string{first, "The agent skipped it as style. Reviewers are not asked about it.", "After it was skipped, it was reported again once in the same words and with no higher priority, which does not fail the gate."}},
		"skipped, and remembered": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusSkipped, ledger.Event{Actor: ledger.ActorHuman},
			func(h *ledger.History) { h.Skip = &ledger.Skip{Remembered: true, Met: 2} },
			[]string{first, "The human skipped it. Reviewers are not asked about it.", "Later runs remember the skip: a report of the same gate that says the same of this line, with no higher priority, is left out (so far 2 times)."}},
		"skipped, and forgotten": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusSkipped, ledger.Event{Actor: ledger.ActorHuman},
			func(h *ledger.History) {
				h.Skip = &ledger.Skip{ForgottenAt: time.Unix(1, 0), ForgottenBy: ledger.ActorHuman}
			},
			[]string{first, "The human skipped it. Reviewers are not asked about it.", "The skip was remembered in later runs until the human ended that."}},
		"skipped, and never remembered": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusSkipped, ledger.Event{Actor: ledger.ActorHuman},
			func(h *ledger.History) { h.Skip = &ledger.Skip{} },
			[]string{first, "The human skipped it. Reviewers are not asked about it."}},
		"verified": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusVerified, ledger.Event{Actor: ledger.ActorReviewer, Iteration: 3},
			func(h *ledger.History) {
				h.Violation.Result, h.Violation.Recurring, h.Violation.InFixLines = "checked", true, true
			},
			[]string{first, "It is verified: it was marked fixed (checked), and in iteration 3 all who reported it confirmed that.",
				"Other runs have a violation on the same line (same fingerprint).", "It is in lines that the previous fix changed."}},
		"waits": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) { h.Violation.RunOpen, h.Violation.RunStatus = true, ledger.StatusFailed },
			[]string{first, "It is new: nobody has marked it yet.", "The run cannot pass until it is marked fixed and a reviewer confirms it, or it is marked skipped."}},
		"nobody said why": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{}, func(h *ledger.History) { h.Events = nil }, []string{first}},
		"of a run that is reviewing": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) { h.Violation.RunOpen, h.Violation.RunStatus = true, ledger.StatusRunning },
			[]string{first, "It is new: nobody has marked it yet."}},
		"fixed, and left": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusFixed, ledger.Event{Actor: ledger.ActorAgent},
			func(h *ledger.History) { h.Violation.RunStatus = ledger.StatusAbandoned },
			[]string{first, "The agent marked it fixed; no reviewer has confirmed that yet.", leftBehind}},
		"left": {[]ledger.Report{report(1, 3, "Bad", ledger.Accepted)}, ledger.StatusNew, ledger.Event{Actor: ledger.ActorReviewer},
			func(h *ledger.History) { h.Violation.RunStatus = ledger.StatusAbandoned },
			[]string{first, "It is new: nobody has marked it yet.", leftBehind}},
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

// Each status of a gate has its sentence, with its cause if that is known.
func TestExplainGate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		gate ledger.Gate
		want []string
	}{
		"passed":      {ledger.Gate{Kind: ledger.KindReview, Status: ledger.GatePassed, Reason: "2 passed"}, []string{"The review passed (2 passed)."}},
		"failed":      {ledger.Gate{Kind: ledger.KindReview, Status: ledger.GateFailed}, []string{"The review failed."}},
		"a check":     {ledger.Gate{Kind: ledger.KindCheck, Status: ledger.GateFailed, Reason: "exited with code 1"}, []string{"The check failed (exited with code 1).", "It reported 1 problem."}},
		"of 3":        {ledger.Gate{Kind: ledger.KindCheck, Status: ledger.GateFailed, Problems: 3}, []string{"The check failed.", "It reported 3 problems."}},
		"on a pass":   {ledger.Gate{Kind: ledger.KindReview, Status: ledger.GatePassed, RestsOn: "P"}, []string{"The review passed.", "It rests on run P, which passed before: reviewers are shown what changed since."}},
		"in error":    {ledger.Gate{Kind: ledger.KindCheck, Status: ledger.GateError, Reason: "timed out"}, []string{"The check is in error (timed out): it has neither passed nor failed, and will run again."}},
		"interrupted": {ledger.Gate{Kind: ledger.KindCheck, Status: ledger.GateInterrupted, Reason: "killed"}, []string{"The check was interrupted (killed), and will run again."}},
		"not run":     {ledger.Gate{Kind: ledger.KindCheck, Status: ledger.GateNotRun, Reason: "another failed"}, []string{"The check did not run (another failed)."}},
		"running":     {ledger.Gate{Kind: ledger.KindReview, Status: ledger.GateRunning}, []string{"The review is running, or its process was killed."}},
	} {
		test.gate.Job, test.gate.Iteration = "job", 2
		e := ledger.ExplainGate(&ledger.State{Run: ledger.Run{ID: "R"}}, &test.gate)
		if d := cmp.Diff(test.want, e.Sentences); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// The explanation of a review says how each of its slots ended, and what it did in other
// iterations.
func TestExplainReviewGate(t *testing.T) {
	t.Parallel()
	gate := reviewed(2, quality, pass, erred)
	gate.Slots[1].Reason = "timed out"
	v := violation("a", quality, 1, ledger.StatusSkipped)
	v.Result, v.Issue = "as intended", "Odd\nthing"
	s := state([]ledger.Gate{reviewed(1, quality, fail, fail), checked(1, ledger.GateFailed), gate}, v)
	s.Run.Status = ledger.StatusError
	s.Transitions = []ledger.Transition{{Status: ledger.StatusRunning, By: ledger.CauseStarted.By(), Cause: ledger.CauseStarted}}
	var ofRun []string
	for _, row := range ledger.ExplainRun(s).Rows {
		ofRun = append(ofRun, row.Table+": "+row.Text)
	}
	wantOfRun := []string{
		"transition: running by the user (started)", "iteration: iteration 1 (): failed", "iteration: iteration 2 (): failed",
		"gate: " + quality + ": error in iteration 2, its latest execution", "gate: " + lint + ": failed in iteration 1, its latest execution",
		"violation: shorta src/app.go:10 skipped: Odd (as intended)",
	}
	if d := cmp.Diff(wantOfRun, ofRun); d != "" {
		t.Errorf("rows of the run (-want +got):\n%s", d)
	}
	e := ledger.ExplainGate(s, &gate)
	want := []string{"The review is in error (timed out): it has neither passed nor failed, and will run again.", "Slot 1 (claude): pass.", "Slot 2 (claude): error (timed out)."}
	if d := cmp.Diff(want, e.Sentences); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var rows []string
	for _, row := range e.Rows {
		rows = append(rows, row.Table+": "+row.Text)
	}
	want = []string{
		"gate: " + quality + " in iteration 1: failed", "gate: " + quality + " in iteration 2: error",
		"slot: " + quality + "@1 in iteration 2: pass by claude", "slot: " + quality + "@2 in iteration 2: error by claude (timed out)",
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// The first sentence about a run, by its status.
func TestExplainRun(t *testing.T) {
	t.Parallel()
	one := []ledger.Iteration{{Number: 1, Status: ledger.StatusFailed}}
	gate := func(status ledger.GateStatus, reason string) []ledger.Gate {
		return []ledger.Gate{{Job: "check:src:a", Kind: ledger.KindCheck, Iteration: 1, Status: status, Reason: reason}}
	}
	const abandoned = "The run was abandoned before it passed: "
	const passed = "The run passed after 1 iteration: everything that reviewers reported was confirmed as fixed or skipped, every check passed in its latest execution, and no review is in error."
	by := func(cause ledger.Cause) []ledger.Transition {
		return []ledger.Transition{{Status: ledger.StatusRunning, Cause: ledger.CauseStarted}, {Status: ledger.StatusAbandoned, Cause: cause}}
	}
	skipped, joined := violation("a", quality, 1, ledger.StatusSkipped), violation("b", quality, 1, ledger.StatusDuplicate)
	skipped.Result, skipped.Reason = "by design", "style"
	joined.Result, joined.Original = skipped.ShortID, &ledger.Original{ID: skipped.ID, Status: skipped.Status, Result: skipped.Result, Reason: skipped.Reason}
	handed := violation("h", quality, 1, ledger.StatusVerified)
	handed.HandedFrom = "review:src:gone"
	for name, test := range map[string]struct {
		state ledger.State
		want  []string
	}{
		"passed":              {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GatePassed, "")}, []string{passed, "No reviewer reported a violation."}},
		"passed, and changed": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GateFailed, "")}, []string{passed, "No reviewer reported a violation.", "With its present rows it would be failed: something changed after it passed."}},
		"nothing is left":     {ledger.State{Run: ledger.Run{Status: ledger.StatusFailed}, Gates: gate(ledger.GatePassed, "")}, []string{"The run has not passed; its status is failed.", "Nothing is outstanding: the next `reviewledger run` closes the run."}},
		"skipped": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassedWithWarnings}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusSkipped)}},
			[]string{passed, "1 violation was skipped, so it passed with warnings.", "shorta was skipped, src/app.go:10: issue a."}},
		"skipped, with what was joined": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassedWithWarnings}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{skipped, joined}},
			[]string{passed, "1 violation was skipped, so it passed with warnings.", "shorta was skipped, src/app.go:10: issue a (style: by design).", "shortb, joined to shorta, was skipped, src/app.go:10: issue b (style: by design)."}},
		"verified": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusVerified)}},
			[]string{passed, "1 violation was fixed, and a reviewer confirmed it."}},
		"verified by another gate": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassedWithWarnings}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{handed}},
			[]string{passed, "shorth was confirmed by another gate, " + quality + ", because review:src:gone is gone.", "1 violation was fixed, and a reviewer confirmed it."}},
		"several verified": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusVerified), violation("b", quality, 1, ledger.StatusVerified)}},
			[]string{passed, "2 violations were fixed, and a reviewer confirmed each."}},
		"withdrawn": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusWithdrawn)}},
			[]string{strings.Replace(passed, "fixed or skipped", "fixed, skipped or withdrawn", 1), "One violation was disputed, and its reporter took it back."}},
		"several withdrawn": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusWithdrawn), violation("b", quality, 1, ledger.StatusWithdrawn)}},
			[]string{strings.Replace(passed, "fixed or skipped", "fixed, skipped or withdrawn", 1), "2 violations were disputed, and their reporters took them back."}},
		"on an earlier pass": {ledger.State{Run: ledger.Run{Status: ledger.StatusPassed}, Gates: []ledger.Gate{{Job: quality, Kind: ledger.KindReview, Iteration: 1, Status: ledger.GatePassed, RestsOn: "P"}}},
			[]string{passed, "It rests on run P, which passed before: reviewers were shown what changed since.", "No reviewer reported a violation."}},
		"open, and claimed": {ledger.State{Run: ledger.Run{Status: ledger.StatusFailed}, Gates: gate(ledger.GatePassed, ""), Violations: []ledger.Violation{violation("a", quality, 1, ledger.StatusReopened), violation("b", quality, 1, ledger.StatusFixed)}},
			[]string{"The run has not passed; its status is failed.", "shorta is open (reopened): src/app.go:10, issue a.", "shortb was marked fixed, and no reviewer has confirmed it yet: src/app.go:10, issue b."}},
		"its limit is reached": {ledger.State{Run: ledger.Run{Status: ledger.StatusRetryLimitExceeded}, Gates: gate(ledger.GateFailed, "")},
			[]string{"The run has not passed, and max_retries does not allow another iteration: 1 failing check left: a person allows more (`reviewledger run --extend N --as human`, or a higher max_retries), or gives up (`reviewledger clean`).", "The check check:src:a failed in iteration 1."}},
		"in error": {ledger.State{Run: ledger.Run{Status: ledger.StatusError}, Gates: gate(ledger.GateError, "no adapter")},
			[]string{"The run has not passed; its status is error: check:src:a is in error (no adapter).", "The latest execution of check:src:a, in iteration 1, is error (no adapter): it will run again."}},
		"failed, and another gate in error": {ledger.State{Run: ledger.Run{Status: ledger.StatusFailed}, Gates: gate(ledger.GateError, "no adapter")},
			[]string{"The run has not passed; its status is failed.", "The latest execution of check:src:a, in iteration 1, is error (no adapter): it will run again."}},
		"in error without a gate": {ledger.State{Run: ledger.Run{Status: ledger.StatusError}, Gates: gate(ledger.GateFailed, "")},
			[]string{"The run has not passed; its status is error.", "The check check:src:a failed in iteration 1."}},
		"a slot's reason": {ledger.State{Run: ledger.Run{Status: ledger.StatusError}, Gates: []ledger.Gate{{Job: "review:src:a", Kind: ledger.KindReview, Iteration: 1, Status: ledger.GateError, Reason: "1 of 3", Slots: []ledger.Slot{
			{Index: 1, Status: ledger.SlotInterrupted, Reason: "interrupted"}, {Index: 2, Status: ledger.SlotError}, {Index: 3, Status: ledger.SlotError, Reason: "timed out"}, {Index: 4, Status: ledger.SlotError, Reason: "crashed"},
		}}}}, []string{"The run has not passed; its status is error: review:src:a is in error (timed out).", "The latest execution of review:src:a, in iteration 1, is error (timed out): it will run again."}},
		"a review": {ledger.State{Run: ledger.Run{Kind: ledger.KindCodeReview, Status: ledger.StatusError}, Gates: gate(ledger.GateError, "no adapter")},
			[]string{"This code review has no verdict; its status is error: check:src:a is in error (no adapter)."}},
		"a review, interrupted": {ledger.State{Run: ledger.Run{Kind: ledger.KindCodeReview, Status: ledger.StatusInterrupted}, Gates: gate(ledger.GateInterrupted, "")},
			[]string{"This code review has no verdict; its status is interrupted."}},
		"abandoned":             {ledger.State{Run: ledger.Run{Status: ledger.StatusAbandoned}, Gates: gate(ledger.GateFailed, "")}, []string{abandoned + "by `reviewledger clean`, or because another run began in its place; that was not recorded then.", "The check check:src:a failed in iteration 1."}},
		"abandoned by clean":    {ledger.State{Run: ledger.Run{Status: ledger.StatusAbandoned}, Gates: gate(ledger.GateFailed, ""), Transitions: by(ledger.CauseClean)}, []string{abandoned + "somebody ran `reviewledger clean`.", "The check check:src:a failed in iteration 1."}},
		"abandoned by another":  {ledger.State{Run: ledger.Run{Status: ledger.StatusAbandoned}, Gates: gate(ledger.GateFailed, ""), Transitions: by(ledger.CauseNewerRun)}, []string{abandoned + "another run began in its place.", "The check check:src:a failed in iteration 1."}},
		"abandoned by its logs": {ledger.State{Run: ledger.Run{Status: ledger.StatusAbandoned}, Gates: gate(ledger.GateFailed, ""), Transitions: by(ledger.CauseLogsGone)}, []string{abandoned + "its logs were gone when the next run began.", "The check check:src:a failed in iteration 1."}},
	} {
		test.state.Iterations = one
		if d := cmp.Diff(test.want, ledger.ExplainRun(&test.state).Sentences); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// If there are several verdicts, the latest counts; if there is only one, nothing is said about
// others.
func TestExplainReview(t *testing.T) {
	t.Parallel()
	v := verdict.Verdict{CodeReview: verdict.CodeReview{ReviewID: "0123abcd", Scope: ledger.ScopeFile, Target: "a.go"}, Computed: verdict.Computed{Word: ledger.VerdictPass}}
	const is = "This is the code review 0123abcd of file a.go; its verdict is PASS: no Blocker and no High finding counts."
	fails := v
	fails.Word = ledger.VerdictFail
	if e := verdict.Explain(&ledger.State{}, fails); !strings.HasSuffix(e.Sentences[0], "its verdict is FAIL: at least one Blocker counts.") {
		t.Errorf("of a verdict that fails: %q", e.Sentences)
	}
	if e := verdict.Explain(&ledger.State{Iterations: []ledger.Iteration{{Number: 1}}}, v); len(e.Rows) != 2 || e.Rows[1].Table != "iteration" {
		t.Errorf("it rests on %+v", e.Rows)
	}
	for n, want := range map[int][]string{1: {is}, 2: {is, "It has 2 verdicts; the latest counts."}} {
		v.Earlier = make([]verdict.Computed, n-1)
		e := verdict.Explain(&ledger.State{}, v)
		if d := cmp.Diff(want, e.Sentences); d != "" || len(e.Rows) != n {
			t.Errorf("%d verdicts: %d rows (-want +got):\n%s", n, len(e.Rows), d)
		}
	}
}

// What became of a report is explained by its disposition and its run. A finding of high priority
// that no violation shows is mentioned for the run that passed with it.
//
// Rule: What is filtered is counted and kept.
func TestExplainReport(t *testing.T) {
	t.Parallel()
	r := ledger.Report{
		ID: "8f3kq2", Run: "R", Iteration: 2, Job: quality, Slot: 1, Position: 3, Adapter: "claude", Priority: ledger.High, Place: at("a.go", 3), Issue: "Bad.\nVery",
		Disposition: ledger.OutOfDiff, Reason: "not in the changes",
	}
	const first, why = "claude reported it in iteration 2, in a.go:3: Bad.", "It was not counted (out_of_diff): not in the changes."
	merged, low := r, r
	merged.Disposition, merged.Reason = ledger.Merged, "the same as 1"
	low.Priority = ledger.Low
	passed := ledger.Run{Status: ledger.StatusPassedWithWarnings, FinishedAt: time.Unix(9, 0)}
	for name, test := range map[string]struct {
		report ledger.Report
		run    ledger.Run
		want   []string
	}{
		"of an open run":         {r, ledger.Run{}, []string{first, why, "Nobody has taken it up; to do so: `reviewledger mark 8f3kq2 new`."}},
		"of a run that passed":   {r, passed, []string{first, why, "Nobody took it up before its run ended. It is high, so the run passed with warnings."}},
		"of low priority":        {low, passed, []string{first, why, "Nobody took it up before its run ended."}},
		"of a run that was left": {r, ledger.Run{Status: ledger.StatusAbandoned, FinishedAt: time.Unix(9, 0)}, []string{first, why, "Nobody took it up before its run ended."}},
		"merged":                 {merged, ledger.Run{}, []string{first, "It was not counted (merged): the same as 1."}},
	} {
		if d := cmp.Diff(test.want, ledger.ExplainReport(test.report, test.run).Sentences); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if rows := ledger.ExplainReport(r, passed).Rows; len(rows) != 1 || rows[0].Text != quality+"@1 in iteration 2, 3. of its answer: out_of_diff (not in the changes)" {
		t.Errorf("%+v", rows)
	}
	state := &ledger.State{Run: ledger.Run{ID: "R", Status: ledger.StatusPassedWithWarnings}, Iterations: []ledger.Iteration{{Number: 2}}, Gates: []ledger.Gate{reviewed(2, quality, pass)}, Filtered: []ledger.Report{r, low}}
	said := ledger.ExplainRun(state).Sentences
	want := []string{
		"Left for later: 2 outside the changes: `reviewledger violations --discarded --run R`.",
		"8f3kq2 was not counted, because it is not in the changes, and is high, so it passed with warnings: a.go:3, Bad.",
	}
	if d := cmp.Diff(want, said[len(said)-2:]); d != "" {
		t.Errorf("of the run (-want +got):\n%s", d)
	}
	for n := range 3 { // it must not say that all was settled if something was left out
		state.Filtered = []ledger.Report{r, low}[:n]
		if all := strings.Contains(ledger.ExplainRun(state).Sentences[0], "everything"); all != (n == 0) {
			t.Errorf("with %d left out: %q", n, ledger.ExplainRun(state).Sentences[0])
		}
	}
}

// The explanation of a violation rests on its events, on the words of its reviewers and on each
// report of it. The latest report is shown, if its place in an answer is known.
func TestRowsOfAViolation(t *testing.T) {
	t.Parallel()
	h := ledger.History{Violation: listed("a", ledger.StatusReopened, at("a.go", 3)), Events: []ledger.Event{
		{Actor: ledger.ActorReviewer, Status: ledger.StatusNew, Iteration: 1}, {Actor: ledger.ActorAgent, Status: ledger.StatusFixed}, {Actor: ledger.ActorReviewer, Status: ledger.StatusReopened, Iteration: 2},
	}}
	h.Reports = []ledger.Report{
		{Iteration: 1, Position: 1, Adapter: "claude", Slot: 1, Priority: ledger.High, Place: at("a.go", 3), Issue: "Bad", Disposition: ledger.Accepted, ShortID: "a"},
		{Iteration: 2, Position: 4, Adapter: "claude", Slot: 1, Priority: ledger.High, Place: at("a.go", 5), Issue: "Bad", Disposition: ledger.Accepted, ShortID: "a"},
	}
	h.Words = []ledger.ReviewerWord{{Iteration: 2, Adapter: "codex", Slot: 2, Verdict: ledger.ClaimNotFixed, Evidence: "line 5"}}
	e := ledger.ExplainViolation(h)
	var tables, texts []string
	for _, row := range e.Rows {
		tables, texts = append(tables, row.Table), append(texts, row.Text)
	}
	if d := cmp.Diff([]string{"event", "event", "event", "word", "report", "report"}, tables); d != "" {
		t.Fatalf("rows (-want +got):\n%s", d)
	}
	for n, has := range map[int]string{1: "fixed by agent", 3: "codex@2: not_fixed", 4: "a.go:3", 5: "a.go:5"} {
		if !strings.Contains(texts[n], has) || strings.Contains(texts[n], "violation a") {
			t.Errorf("row %d is %q, want %q, and nothing of the violation itself", n, texts[n], has)
		}
	}
	if e.Report == nil || e.Report.Iteration != 2 {
		t.Errorf("the report that is shown: %+v", e.Report)
	}
	for i := range h.Reports {
		h.Reports[i].Position = 0 // restored from files
	}
	if e := ledger.ExplainViolation(h); e.Report != nil {
		t.Errorf("a report whose place in its answer is not known is shown: %+v", e.Report)
	}
}
