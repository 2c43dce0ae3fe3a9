package codereview

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// recordLate records the statuses that the team set in the verdict file while reviewers answered,
// before the file is written anew.
//
// Rule: A file settles no finding.
func (c *codeReview) recordLate(ctx context.Context) error {
	if !c.verifies() {
		return nil // the file is archived as it was
	}
	d, now, err := c.Verdicts.Read()
	if err != nil || bytes.Equal(now, c.previous.file) {
		return nil //nolint:nilerr // a file that is gone or broken is restored, as at the beginning
	}
	owner, err := c.ownerOf(ctx, d, &c.previous.Verdict)
	if err != nil || owner == nil || owner.Run != c.previous.Run { // it is of another review
		return err
	}
	_, _, err = c.importVerdict(ctx, *owner, d)
	return err
}

// planVerification plans the slots whose findings are to be verified.
func (c *codeReview) planVerification(ctx context.Context) error {
	if err := c.forgetLostTrees(ctx); err != nil {
		return err
	}
	if c.options.HandedIn {
		return c.planHandedIn(ctx)
	}
	health, err := c.health(ctx)
	if err != nil {
		return err
	}
	for _, job := range c.state.Jobs() {
		if err := c.planClaims(ctx, job, health); err != nil {
			return err
		}
	}
	return nil
}

// forgetLostTrees treats a reviewed tree that git no longer has as unknown: a place in it counts as
// its whole file.
func (c *codeReview) forgetLostTrees(ctx context.Context) error {
	there := map[string]bool{"": true}
	for n := range c.state.Violations {
		tree := c.state.Violations[n].Reviewed
		if _, known := there[tree]; !known {
			ok, err := c.Repo.HasTree(ctx, tree)
			if err != nil {
				return err
			}
			if there[tree] = ok; !ok {
				c.Console.Warn(fmt.Sprintf("git no longer has the reviewed commit %s: findings are matched by file", tree))
			}
		}
		if !there[tree] {
			c.state.Violations[n].Reviewed = ""
		}
	}
	return nil
}

// gatesFor returns the configured gates that can verify a recorded job's findings: the job itself,
// else those of its domain that cover the files, else all those of its domain.
func (c *codeReview) gatesFor(job string, files []string) []config.Job {
	gate := c.state.LatestGate(job)
	if gate == nil {
		return nil
	}
	own, _ := c.Config.JobByID(job)
	covering, _ := c.Config.Jobs(files)
	for _, jobs := range [][]config.Job{{own}, covering, c.Config.AllJobs()} {
		found := slices.DeleteFunc(jobs, func(j config.Job) bool {
			return j.Kind != config.KindReview || j.Name != gate.Name || !c.Applies(j)
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// planClaims plans the slots of a job that have claims. If its domain has no gate, its claims
// stay unverified.
func (c *codeReview) planClaims(ctx context.Context, job string, health *slots.Health) error {
	var files []string
	claimed := 0
	for _, v := range c.state.ViolationsOf(job) {
		files = append(files, v.Place.File)
		if v.Claim() {
			claimed++
		}
	}
	if claimed == 0 {
		return nil
	}
	slices.Sort(files)
	gates := c.gatesFor(job, slices.Compact(files))
	if len(gates) == 0 {
		c.Console.Warn(fmt.Sprintf("the review gate %q is not configured: %s", c.state.LatestGate(job).Name, ledger.PluralVerb(claimed, "fixed finding", "stays unverified", "stay unverified")))
		return nil
	}
	p := slots.Job{Job: gates[0], ID: job}
	if err := health.Fill(&p, p.Review.NumReviews); err != nil {
		return err
	}
	all := p.Slots
	p.Slots = nil
	for _, slot := range all {
		slot.Answered = true
		since, err := c.show(ctx, p, &slot)
		if err != nil {
			return err
		}
		if len(slot.Claims) == 0 {
			continue
		}
		slot.Diff = since.Filter(func(file string) bool {
			return slices.ContainsFunc(gates, func(j config.Job) bool { return j.Covers(file) })
		})
		p.Slots = append(p.Slots, slot)
	}
	if len(p.Slots) > 0 {
		c.jobs = append(c.jobs, p)
	}
	return nil
}

// show shows the slot the claims of its job, and returns what changed since they were reported.
func (c *codeReview) show(ctx context.Context, job slots.Job, slot *slots.Slot) (*diff.Diff, error) {
	slot.To = c.to
	said := c.Ledger.WordsOnClaims
	if c.options.HandedIn {
		said = nil
	}
	if err := slot.Show(ctx, c.diffs, c.state, job, nil, false, said); err != nil {
		return nil, err
	}
	for _, v := range slot.Claims {
		if v.Reviewed != "" {
			return c.diffs.Between(ctx, v.Reviewed, c.to)
		}
	}
	return c.diffs.Between(ctx, c.HeadTree(), c.to)
}
