package codereview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// answer asks the reviewers, or takes the findings that were handed in, and records the answers,
// with their gates. A verification in which a reviewer gave no answer uses none of the others.
func (c *codeReview) answer(ctx context.Context) error {
	give := c.ask
	if c.options.HandedIn {
		give = c.takeHandedIn
	}
	c.asked = make(map[string]*asked, len(c.jobs))
	for _, job := range c.jobs {
		c.asked[job.ID] = &asked{answers: make([]*slots.Answer, len(job.Slots))}
	}
	if err := give(ctx); err != nil {
		return err
	}
	answers := c.given()
	if err := c.unchanged(ctx); err != nil {
		return errors.Join(c.setAside(ctx, answers, "not used: the working tree changed"), err)
	}
	results := make([]store.SlotResult, len(answers)) // empty: not used
	var err error
	if !c.verifies() || c.erred == 0 && ctx.Err() == nil {
		results, err = c.recordAnswers(ctx, answers)
	}
	if err != nil {
		for _, a := range answers {
			err = errors.Join(err, a.Unrecorded(err))
		}
		return err
	}
	for n, a := range answers {
		if err := c.report(ctx, a, results[n]); err != nil {
			return err
		}
	}
	if outside := c.outside(results); outside > 0 && c.erred == 0 {
		c.Console.Warn(fmt.Sprintf("the reviewers also reported %s; to add new findings to the verdict, run a full review: `reviewledger code-review`", ledger.Plural(outside, "problem")))
	}
	if warning := c.BudgetWarning(c.asker.Spent); warning != "" {
		c.Console.Warn(warning)
	}
	c.Console.Spent(c.asker.Spent)
	return errors.Join(c.finishGates(ctx), c.errored(ctx))
}

// asked has the answers of a job's slots, and how long they took. An answer is nil if its slot was
// not asked; its status becomes that of the slot.
type asked struct {
	answers []*slots.Answer
	took    time.Duration
}

// ask puts the prompts to the reviewers of all jobs. It keeps their answers, to be recorded
// together.
func (c *codeReview) ask(ctx context.Context) error {
	return c.asker.Spread(c.jobs, func(job slots.Job) error {
		if ctx.Err() != nil || !c.asker.Begin(job) {
			return nil
		}
		start, asked := c.Now(), c.asked[job.ID]
		defer func() { asked.took = c.Now().Sub(start) }()
		return c.asker.Each(job, func(n int) (err error) {
			if asked.answers[n], err = c.asker.Ask(ctx, job, job.Slots[n]); err != nil || asked.answers[n].Status == "" {
				return err
			}
			return asked.answers[n].Unanswered(ctx)
		})
	}, nil)
}

// given returns the answers that reviewers gave, in the order of the jobs and slots, whichever came
// first. It counts the slots without an answer and the gates without a reviewer.
func (c *codeReview) given() (answers []*slots.Answer) {
	for _, job := range c.jobs {
		if job.Unfillable != "" {
			c.erred++
		}
		for _, a := range c.asked[job.ID].answers {
			switch {
			case a == nil:
			case a.Status != "":
				c.erred++
			default:
				answers = append(answers, a)
			}
		}
	}
	return answers
}

// slotAnswer returns what is recorded of an answer. In a verification, claims that it reports again
// are reopened, its other claims are verified, and new findings are not added to the verdict.
func (c *codeReview) slotAnswer(a *slots.Answer) store.SlotAnswer {
	asked, listed := a.Asked()
	rules := ledger.Rules{Slot: a.Slot.Index, WholeFiles: c.verifies(), Verify: c.verifies(), ByAbsence: true}
	if !c.options.HandedIn {
		rules.ByAbsence, rules.Adapter = a.Slot.Reviewer.ByAbsence(), a.Slot.Adapter
	}
	return store.SlotAnswer{
		SlotCall: a.Call, Domain: a.Job.Name, Answer: a.Given, Rules: rules, Facts: a.Facts, Content: a.Content,
		Fillers: slots.FillersOf(c.jobs), Before: c.state, Asked: asked, Listed: listed,
	}
}

// recordAnswers records the answers together: several may report one finding of a review, and a
// verification decides nothing if one of them is in error.
func (c *codeReview) recordAnswers(ctx context.Context, answers []*slots.Answer) ([]store.SlotResult, error) {
	given := make([]store.SlotAnswer, 0, len(answers))
	for _, a := range answers {
		given = append(given, c.slotAnswer(a))
	}
	if c.verifies() {
		return c.recorder.RecordVerification(ctx, given)
	}
	return c.recorder.RecordReview(ctx, given)
}

// setAside records answers that are not used, with the reason.
func (c *codeReview) setAside(ctx context.Context, answers []*slots.Answer, reason string) error {
	for _, a := range answers {
		a.Status = ledger.SlotInterrupted
		if err := a.SetAside(ctx, reason); err != nil {
			return err
		}
	}
	return nil
}

// unchanged returns an error that says what changed while the reviewers were asked.
//
// Rule: A run passes only over code that its gates have seen.
func (c *codeReview) unchanged(ctx context.Context) error {
	if ctx.Err() != nil || c.erred > 0 {
		return nil // there is no verdict anyway
	}
	changed, err := c.Changed(ctx, c.snapshot)
	if err != nil {
		return err
	}
	if !changed.Empty() {
		return fmt.Errorf("%s; %s. Run again", worktree.NotReviewed(changed, "the reviewers were asked"), c.consequence())
	}
	return c.sameRange(ctx)
}

// sameRange returns an error if the end of a changeset's range now has other files than the commit
// that was reviewed. The working tree may still be the same: what was in it and in no commit was
// not reviewed.
func (c *codeReview) sameRange(ctx context.Context) error {
	end := c.scope.revisions[1]
	if end == "" {
		return nil
	}
	commit, err := c.Repo.ResolveCommit(ctx, end)
	if err != nil || commit == c.scope.to {
		return err
	}
	between, err := c.Repo.Diff(ctx, c.scope.to, commit, c.Exclude())
	if err != nil || between.Empty() {
		return err
	}
	return fmt.Errorf("%q is the commit %.12s now, which was not reviewed: it was %.12s when the reviewers were asked; %s. Run again", end, commit, c.scope.to, c.consequence())
}

// consequence returns what happens to the verdict file if there is no verdict, in words.
func (c *codeReview) consequence() string {
	if c.previous.file == nil {
		return "no verdict was written"
	}
	return verdict.Path + " is unchanged"
}

// errored returns the error of a review in which a reviewer gave no answer, or nil.
func (c *codeReview) errored(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.erred == 0:
		return nil
	}
	return fmt.Errorf("%s in error, so %s; see the logs in %s", ledger.PluralVerb(c.erred, "reviewer", "is", "are"), c.consequence(), verdict.Dir)
}

// ending closes the run after an error, if it was begun, and returns the error.
func (c *codeReview) ending(ctx context.Context, err error) error {
	if c.recorder == nil {
		return err
	}
	status := ledger.StatusError
	if ctx.Err() != nil {
		status = ledger.StatusInterrupted
	}
	return errors.Join(err, c.recorder.Finish(ctx, status, err.Error()))
}

// report shows what became of the slot's answer, on the console and in its log.
//
// Rule: In range is what a diff of this run showed.
func (c *codeReview) report(ctx context.Context, a *slots.Answer, result store.SlotResult) error {
	switch a.Status = result.Status; a.Status {
	case "":
		return c.setAside(ctx, []*slots.Answer{a}, "not used: another reviewer gave no answer")
	case ledger.SlotError:
		c.erred++
	}
	warnings := append(a.Warnings, result.Warnings...)
	for _, r := range result.Reports {
		if left := (ledger.Report{Disposition: r.Disposition, Priority: r.Priority}); left.Warns() {
			warnings = append(warnings, fmt.Sprintf("outside what is reviewed, and not in the verdict: %s [%s] %s", r.Place, r.Priority, r.Issue))
		}
	}
	a.Warn(warnings)
	return a.Settle(slots.Settled{
		Status: result.Status, Reason: result.Reason, Document: result.Document, InFile: result.Status != ledger.SlotError,
		LeftOut: leftOut(result.Evaluation), Warnings: warnings,
	})
}

// leftOut returns notes about how many reports are not in the verdict, for the log and the console.
func leftOut(e ledger.Evaluation) (notes []string) {
	for _, n := range []struct {
		d     ledger.Disposition
		words string
	}{
		{ledger.OutOfDiff, "outside what is reviewed, left out"}, {ledger.Malformed, "malformed, left out"},
		{ledger.Merged, "reported more than once"}, {ledger.PreviouslySkipped, "at a finding that is wont_fix"},
		{ledger.OutsideVerify, "not in the verdict, left out"},
	} {
		if k := e.Count(n.d); k > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", k, n.words))
		}
	}
	return notes
}

// finishGates records how the gates ended that were begun.
func (c *codeReview) finishGates(ctx context.Context) error {
	for _, job := range c.jobs {
		var ended []ledger.Slot
		for _, a := range c.asked[job.ID].answers {
			if a != nil {
				ended = append(ended, ledger.Slot{Status: a.Status})
			}
		}
		if len(ended) == 0 {
			continue
		}
		if err := c.recorder.FinishReview(ctx, job.ID, ledger.GateResult(ended), slots.Reviews(ended), c.asked[job.ID].took); err != nil {
			return err
		}
	}
	return nil
}
