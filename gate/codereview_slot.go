package gate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// answers turns what the slots' reviewers said into what is recorded, with the
// warnings about it.
func (c *codeReview) answers(slots []*collectedSlot) (answers []store.SlotAnswer, warnings [][]string) {
	lines := newLines(c.Repo.Root)
	for _, s := range slots {
		entries, warned := s.entries(s.answer)
		warnings = append(warnings, warned)
		answers = append(answers, store.SlotAnswer{
			SlotCall:   s.call,
			Answer:     ledger.Answer{Fail: s.answer.Status == review.StatusFail, Entries: entries},
			Rules:      ledger.Rules{Slot: s.slot.Index},
			Facts:      ledger.Facts{InDiff: s.inDiff(s.slot.diff), InFixLines: s.inDiff(nil)},
			NumReviews: s.job.Review.NumReviews, Before: s.state, Line: lines.at,
		})
	}
	return answers, warnings
}

// report shows what became of the slot's answer, on the console and in its log.
func (s *collectedSlot) report(result store.SlotResult, warnings []string) error {
	for _, warning := range append(warnings, result.Warnings...) {
		s.Console.Warn(fmt.Sprintf("%s (%s@%d): %s", s.job.id, s.slot.adapter, s.slot.Index, warning))
	}
	var notes []string
	for _, n := range []struct {
		d     ledger.Disposition
		words string
	}{
		{ledger.OutOfDiff, "outside what is reviewed, left out"}, {ledger.Malformed, "malformed, left out"},
		{ledger.Merged, "reported by another reviewer, too"}, {ledger.PreviouslySkipped, "at a finding that is wont_fix"},
		{ledger.OutsideVerify, "not in the verdict, left out"},
	} {
		if k := result.Count(n.d); k > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", k, n.words))
		}
	}
	outcome := s.outcome(result.Status, strings.Join(append(nonEmpty(result.Reason), notes...), ", "))
	outcome.Violations = result.Count(ledger.Accepted)
	document := ledger.SlotDocument{Job: s.job.id, Slot: s.slot.Index, Adapter: s.slot.adapter, Iteration: s.number, Status: result.Status}
	for _, r := range result.Reports {
		if r.Disposition == ledger.Accepted || r.Disposition == ledger.Merged {
			document.Violations = append(document.Violations, ledger.SlotEntry{
				File: r.Place.File, Line: r.Place.Start, EndLine: r.Place.End, Issue: r.Issue, Fix: r.Fix,
				Priority: string(r.Priority), Status: string(ledger.StatusNew),
			})
		}
	}
	if err := s.finishLog(document, result.Status, result.Reason, append(warnings, append(result.Warnings, notes...)...)); err != nil {
		return err
	}
	if result.Status == ledger.SlotFail && outcome.Violations == 0 {
		outcome.Status = ledger.SlotPass // what it said again is another slot's, or still open
	}
	s.Console.SlotDone(outcome)
	return nil
}

func (c *codeReview) finishGate(ctx context.Context, job string, slots []ledger.Slot, took int64) error {
	return c.recorder.FinishReview(ctx, job, ledger.GateResult(slots), reviewReason(slots), time.Duration(took))
}
