package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// executeReview runs the slots of a review gate and records how it ended.
func (i *iteration) executeReview(ctx context.Context, job slots.Job) (ledger.GateStatus, error) {
	start := i.Now()
	ended := make([]ledger.Slot, len(job.Slots))
	err := i.asker.Each(job, func(n int) (err error) {
		if slot := job.Slots[n]; slot.Skip {
			ended[n].Status = ledger.SlotSkipped
			return i.asker.Skip(job, slot, i.recorder.Began())
		}
		ended[n].Status, err = i.executeSlot(ctx, job, job.Slots[n])
		return err
	})
	if err != nil {
		return "", err
	}
	status := ledger.GateResult(ended)
	return status, i.recorder.FinishReview(ctx, job.ID, status, slots.Reviews(ended), i.Now().Sub(start))
}

// executeSlot asks the slot's reviewer and records the answer: first the rows, then the files.
func (i *iteration) executeSlot(ctx context.Context, job slots.Job, slot slots.Slot) (ledger.SlotStatus, error) {
	var err error
	if slot.Earlier, err = i.Ledger.EarlierAt(ctx, i.state.Run.ID, job.ID, i.number, slot.Diff.Paths()); err != nil {
		return "", err
	}
	if files := slot.AbsentFiles(); len(files) > 0 {
		said, err := i.Ledger.SaidBefore(ctx, i.state.Run.ID, job.ID, slot.Adapter, files)
		if err == nil {
			err = slot.Recall(ctx, i.scope.diffs, said)
		}
		if err != nil {
			return "", err
		}
	}
	answer, err := i.asker.Ask(ctx, job, slot)
	switch {
	case err != nil:
		return "", err
	case answer.Status != "":
		return answer.Status, answer.Unanswered(ctx)
	}
	return i.settle(ctx, answer)
}

// settle records the answer and writes the slot's files.
func (i *iteration) settle(ctx context.Context, a *slots.Answer) (ledger.SlotStatus, error) {
	asked, listed := a.Asked()
	whole, err := wholeChange(ctx, i.scope.diffs, i.state.Run.Base, i.scope.to)
	if err != nil {
		return "", err
	}
	answer := store.SlotAnswer{
		SlotCall: a.Call, Answer: a.Given,
		Rules: ledger.Rules{
			Slot: a.Slot.Index, AnsweredBefore: a.Slot.Answered, Threshold: ledger.Priority(i.Config.NewIssueThreshold),
			ByAbsence: a.Slot.Reviewer.ByAbsence(), Adapter: a.Slot.Adapter,
		},
		Facts: a.Facts, Content: a.Content,
		Fillers: slots.FillersOf(i.jobs), Near: i.near(i.number, i.places, whole), Before: i.state, Asked: asked, Listed: listed,
	}
	a.Forget()
	result, err := i.recorder.RecordAnswer(ctx, answer)
	if err != nil {
		return "", errors.Join(err, a.Unrecorded(err))
	}
	warnings := append(a.Warnings, result.Warnings...)
	a.Warn(warnings)
	document := result.Document
	if document.Job == "" { // nothing of the answer counts; the log must say so, because files are read back
		document = ledger.SlotDocument{Adapter: a.Slot.Adapter, Status: result.Status}
	}
	return result.Status, a.Settle(slots.Settled{
		Status: result.Status, Reason: result.Reason, Document: document, InFile: document.Job != "",
		LeftOut: i.filtered(result.Evaluation), Warnings: warnings, Notes: notes(result, a.Facts.Earlier), Remarks: a.Remarks(),
		Filtered: result.Filtered, FilteredInAll: result.LeftOut,
	})
}

// notes names the skips of earlier runs that filtered a report, and those that are not remembered,
// with the command that repeats them. It also says what an earlier run did about a finding that the
// reviewer reports again.
//
// Rule: A human's skip is remembered.
// Rule: The reviewer names what it means.
func notes(result store.SlotResult, earlier []ledger.EarlierViolation) (lines []string) {
	before := map[string]ledger.EarlierViolation{}
	for _, e := range earlier {
		before[e.ShortID] = e
	}
	for _, r := range result.Reports {
		if r.SkippedBefore != nil { // see below
			delete(before, r.SkippedBefore.ShortID)
		}
	}
	for _, r := range result.Reports {
		switch then, known := before[r.SeenBefore]; {
		case r.Remembered != nil:
			lines = append(lines, "Skipped before: "+r.WithEarlier(*r.Remembered))
		case known && r.Disposition == ledger.Accepted:
			lines = append(lines, "Seen before: "+r.WithEarlier(then))
			if then.Status == ledger.StatusSkipped && r.ShortID != "" {
				lines = append(lines, fmt.Sprintf("To skip it again: reviewledger mark %s skipped --like %s", r.ShortID, r.SeenBefore))
			}
		}
	}
	for _, r := range result.Reports {
		if s := r.SkippedBefore; s != nil {
			lines = append(lines, fmt.Sprintf("%s was skipped before as %s, %s; to skip it again: reviewledger mark %s skipped --like %s", r.ShortID, s.ShortID, s.Said(), r.ShortID, s.ShortID))
		}
	}
	return lines
}

// filtered returns lines about how many reports were discarded, by reason, for the log and the
// console.
//
// Rule: What is filtered is counted and kept.
func (i *iteration) filtered(e ledger.Evaluation) []string {
	var lines []string
	note := func(d ledger.Disposition, words string) {
		if n := e.Count(d); n > 0 {
			lines = append(lines, fmt.Sprintf("%d %s filtered", n, words))
		}
	}
	note(ledger.OutOfDiff, "outside the changed lines")
	note(ledger.BelowThreshold, fmt.Sprintf("below the threshold (%s)", i.Config.NewIssueThreshold))
	note(ledger.PreviouslySkipped, "previously skipped")
	note(ledger.RememberedSkip, "skipped in an earlier run")
	note(ledger.Merged, "said twice")
	if e.Status != ledger.SlotError { // else it is the slot's reason
		note(ledger.Malformed, "malformed")
	}
	return lines
}
