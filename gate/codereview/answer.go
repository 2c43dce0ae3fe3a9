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

// answer asks the reviewers and records their answers.
func (c *codeReview) answer(ctx context.Context) error {
	if c.options.HandedIn {
		return c.ending(ctx, c.recorder.RecordFindings(ctx, c.options.Findings, slots.NewLines(c.Repo.Root).At))
	}
	if err := c.ask(ctx); err != nil {
		return c.ending(ctx, err)
	}
	if err := c.unchanged(ctx); err != nil {
		return c.ending(ctx, errors.Join(c.setAside(ctx, c.answers, "not used: the working tree changed"), err))
	}
	given := make([]store.SlotAnswer, 0, len(c.answers))
	for _, a := range c.answers {
		given = append(given, store.SlotAnswer{
			SlotCall: a.Call, Answer: a.Given, Facts: a.Facts, Content: a.Content,
			Rules:  ledger.Rules{Slot: a.Slot.Index, ByAbsence: a.Slot.Reviewer.ByAbsence()},
			Before: c.state,
		})
	}
	results, err := c.recorder.RecordReview(ctx, given, c.domainOf)
	if err != nil {
		for _, a := range c.answers {
			err = errors.Join(err, a.Unrecorded(err))
		}
		return c.ending(ctx, err)
	}
	for n, a := range c.answers {
		if err := c.report(a, results[n]); err != nil {
			return c.ending(ctx, err)
		}
		if results[n].Status == ledger.SlotError {
			c.erred++
		}
	}
	c.saySpent()
	if err := c.finishGates(ctx, c.answers, results); err != nil {
		return c.ending(ctx, err)
	}
	return c.ending(ctx, c.errored(ctx))
}

// saySpent says what the review has cost so far.
func (c *codeReview) saySpent() {
	if warning := c.BudgetWarning(c.asker.Spent); warning != "" {
		c.Console.Warn(warning)
	}
	c.Console.Spent(c.asker.Spent)
}

// ask puts the prompts to the reviewers of all jobs. It keeps their answers in the order of the
// jobs and slots, whichever comes first, to be recorded together.
func (c *codeReview) ask(ctx context.Context) error {
	answers := make([][]*slots.Answer, len(c.jobs))
	order := make([]int, len(c.jobs))
	for n := range c.jobs {
		order[n] = n
		answers[n] = make([]*slots.Answer, len(c.jobs[n].Slots))
	}
	one := func(n int) error { return c.askJob(ctx, c.jobs[n], answers[n]) }
	err := slots.Spread(order, c.parallel, one, func(lane []int) error {
		for _, n := range lane {
			if err := one(n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for n, job := range c.jobs {
		if job.Unfillable != "" {
			c.erred++
		}
		for _, a := range answers[n] {
			switch {
			case a == nil: // no reviewer was asked
			case a.Status != "":
				c.erred++
			default:
				c.answers = append(c.answers, a)
			}
		}
	}
	return nil
}

// parallel reports whether the job's reviewers may be asked beside those of other jobs.
func (c *codeReview) parallel(job int) bool {
	return c.Config.AllowParallel && c.jobs[job].Review.Parallel
}

func (c *codeReview) askJob(ctx context.Context, job slots.Job, answers []*slots.Answer) error {
	if ctx.Err() != nil || !c.asker.Begin(job) {
		return nil
	}
	return c.asker.Each(job, func(n int) (err error) {
		if answers[n], err = c.asker.Ask(ctx, job, job.Slots[n]); err != nil || answers[n].Status == "" {
			return err
		}
		return answers[n].Unanswered(ctx)
	})
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
	if c.previous == nil || c.previous.fileMissing {
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

// ending closes the run after an error, and returns the error.
func (c *codeReview) ending(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	status := ledger.StatusError
	if ctx.Err() != nil {
		status = ledger.StatusInterrupted
	}
	return errors.Join(err, c.recorder.Fail(ctx, status, err.Error()))
}

func (c *codeReview) domainOf(job string) string {
	for _, p := range c.jobs {
		if p.ID == job {
			return p.Name
		}
	}
	return job
}

// report shows what became of the slot's answer, on the console and in its log.
//
// Rule: In range is what a diff of this run showed.
func (c *codeReview) report(a *slots.Answer, result store.SlotResult) error {
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

// finishGates records how the gates ended. The results belong to the answers, in the same order.
func (c *codeReview) finishGates(ctx context.Context, answers []*slots.Answer, results []store.SlotResult) error {
	for _, job := range c.jobs {
		if job.Unfillable != "" {
			continue
		}
		var ended []ledger.Slot
		took := time.Duration(0)
		for n, a := range answers {
			if a.Job.ID == job.ID {
				ended = append(ended, ledger.Slot{Status: results[n].Status})
				took += a.Call.Duration
			}
		}
		for len(ended) < len(job.Slots) {
			ended = append(ended, ledger.Slot{Status: ledger.SlotError})
		}
		if err := c.recorder.FinishReview(ctx, job.ID, ledger.GateResult(ended), slots.Reviews(ended), took); err != nil {
			return err
		}
	}
	return nil
}
