package codereview

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// planReviews plans the review gates that cover what is reviewed: all their slots, or in a quick
// review the first. If findings were handed in, it plans their domains instead.
//
// Rule: A code review is apart from the loop.
func (c *codeReview) planReviews(ctx context.Context) error {
	if c.options.HandedIn {
		c.planFindings()
		return nil
	}
	if c.scope.diff.Empty() {
		return fmt.Errorf("nothing to review in %s %q", c.scope.scope, c.scope.target)
	}
	jobs, err := c.Config.Jobs(c.scope.diff.Paths())
	if err != nil {
		return err
	}
	health, err := c.health(ctx)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if job.Kind != config.KindReview || !c.Applies(job) {
			continue
		}
		p := slots.Job{Job: job, ID: job.ID()}
		part, err := c.part(ctx, job)
		if err != nil {
			return err
		}
		n := job.Review.NumReviews
		if c.options.Mode == verdict.Quick {
			n = 1
		}
		if err := health.Fill(&p, n); err != nil {
			return err
		}
		for n := range p.Slots {
			p.Slots[n].Diff, p.Slots[n].To = part, c.to
		}
		c.jobs = append(c.jobs, p)
	}
	if len(c.jobs) == 0 {
		return fmt.Errorf("no review gate covers %s %q (see: reviewledger list)", c.scope.scope, c.scope.target)
	}
	return nil
}

// part returns the part of the scope's diff that a job is shown.
func (c *codeReview) part(ctx context.Context, job config.Job) (*diff.Diff, error) {
	if c.scope.wholeFiles() {
		return c.scope.diff.Filter(job.Covers), nil
	}
	return c.diffs.Part(ctx, worktree.Span{From: c.scope.from, To: c.scope.to}, job.Covers, func(file string) bool { return c.Config.Looks(job, file) })
}

func (c *codeReview) health(ctx context.Context) (*slots.Health, error) {
	cooling, err := c.Ledger.Cooldowns(ctx)
	return c.Adapters.Health(cooling), err
}

// gatePlans returns the rows of the jobs that are recorded before any reviewer is asked.
func (c *codeReview) gatePlans() (plans []ledger.GatePlan) {
	for _, job := range c.jobs {
		plans = append(plans, job.Plan())
	}
	return plans
}
