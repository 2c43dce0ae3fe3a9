package codereview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// verify checks the fixes that the team claims, against the present working tree, and updates the
// verdict in place.
//
// Rule: The verdict counts what is open.
func (c *codeReview) verify(ctx context.Context) (v Result, err error) {
	_, before, _ := c.Verdicts.Read() // recallVerdict says what is wrong with it
	if c.previous, err = c.recallVerdict(ctx, true); err != nil {
		return v, err
	}
	if c.previous == nil {
		return v, fmt.Errorf("no verdict to verify: %s does not exist; create one with `reviewledger code-review`", verdict.Path)
	}
	if err := c.Verdicts.CheckPlaces(c.previous.verdict.ReviewDocument); err != nil {
		return v, err
	}
	run := c.previous.verdict.Run
	if c.state, err = c.Ledger.State(ctx, run); err != nil {
		return v, err
	}
	c.number = c.state.LastIteration() + 1
	if err := c.prepareVerification(ctx); err != nil {
		return v, err
	}
	if err := c.warnUnseen(ctx, c.state.Iterations[0].To); err != nil {
		return v, err
	}
	if err := c.Ledger.ReopenReview(ctx, run); err != nil {
		return v, err
	}
	from := c.state.Iterations[0].To
	headline := fmt.Sprintf("Code review %s (verify): %s to verify", c.previous.verdict.ReviewID, ledger.Plural(c.previous.verdict.Count(ledger.StatusFixed), "fixed finding"))
	if err := c.beginReview(ctx, ledger.ModeRerun, ledger.SourceVerify, from, headline); err != nil {
		return v, err
	}
	if err := c.answer(ctx); err != nil {
		return v, err
	}
	if err := c.recordLate(ctx, before); err != nil {
		return v, err
	}
	c.previous.archived = nil // the verdict is updated, not replaced
	if v, err = c.conclude(ctx); err == nil {
		c.sayUnverified(v.Verdict)
	}
	return v, err
}

// recordLate records the statuses that the team set in the verdict file while reviewers answered,
// before the file is written anew.
//
// Rule: A file settles no finding.
func (c *codeReview) recordLate(ctx context.Context, before []byte) error {
	d, now, err := c.Verdicts.Read()
	if err != nil || bytes.Equal(now, before) {
		return nil //nolint:nilerr // a file that is gone or broken is restored, as at the beginning
	}
	run, err := c.runBehind(ctx, d, nil)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && run != c.previous.verdict.Run { // it is of another review
		return nil
	}
	if err != nil {
		return err
	}
	_, _, err = c.importVerdict(ctx, run, d)
	return err
}

// sayUnverified says how many claims nobody has confirmed or contradicted.
//
// Rule: The verdict counts what is open.
func (c *codeReview) sayUnverified(v verdict.Verdict) {
	if n := v.Count(ledger.StatusFixed); n > 0 {
		c.Console.Warn(ledger.PluralVerb(n, "fixed finding", "was not verified, so it counts as open", "were not verified, so they count as open"))
	}
}

// prepareVerification plans the slots whose findings are to be verified.
func (c *codeReview) prepareVerification(ctx context.Context) error {
	if err := c.takeSnapshot(ctx); err != nil {
		return err
	}
	c.to = c.snapshot.Tree
	if c.options.HandedIn {
		return c.planHandedIn(ctx)
	}
	var jobs []string // with claims
	for _, v := range c.state.Violations {
		if v.Claim() && !slices.Contains(jobs, v.Job) {
			jobs = append(jobs, v.Job)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	health, err := c.health(ctx)
	if err != nil {
		return err
	}
	if err := c.forgetLostTrees(ctx); err != nil {
		return err
	}
	for _, job := range jobs {
		p, err := c.planVerification(ctx, job, health)
		if err != nil {
			return err
		}
		if len(p.Slots) > 0 {
			c.jobs = append(c.jobs, p)
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
	if own, ok := c.Config.JobByID(job); ok && c.Applies(own) {
		return []config.Job{own}
	}
	gate := c.state.LatestGate(job)
	if gate == nil {
		return nil
	}
	wanted := func(j config.Job) bool {
		return j.Kind == config.KindReview && j.Name == gate.Name && c.Applies(j)
	}
	var found []config.Job
	if jobs, err := c.Config.Jobs(files); err == nil {
		for _, j := range jobs {
			if wanted(j) {
				found = append(found, j)
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, j := range c.Config.AllJobs() {
		if wanted(j) {
			found = append(found, j)
		}
	}
	return found
}

// planVerification plans the slots of a job that have claims. If its domain has no gate, its claims
// stay unverified.
func (c *codeReview) planVerification(ctx context.Context, job string, health *slots.Health) (slots.Job, error) {
	violations := c.state.ViolationsOf(job)
	var files []string
	claimed := 0
	for _, v := range violations {
		files = append(files, v.Place.File)
		if v.Claim() {
			claimed++
		}
	}
	slices.Sort(files)
	gates := c.gatesFor(job, slices.Compact(files))
	if len(gates) == 0 {
		c.Console.Warn(fmt.Sprintf("the review gate %q is not configured: %s", c.state.LatestGate(job).Name, ledger.PluralVerb(claimed, "fixed finding", "stays unverified", "stay unverified")))
		return slots.Job{}, nil
	}
	p := slots.Job{Job: gates[0], ID: job}
	covered := func(file string) bool {
		return slices.ContainsFunc(gates, func(j config.Job) bool { return j.Covers(file) })
	}
	if err := health.Fill(&p, p.Review.NumReviews); err != nil {
		return p, err
	}
	all := p.Slots
	p.Slots = nil
	for _, slot := range all {
		slot.To, slot.Answered = c.to, true
		if err := slot.Show(ctx, c.diffs, c.state, p, nil, false); err != nil {
			return p, err
		}
		if len(slot.Claims) == 0 {
			continue
		}
		said, err := c.Ledger.WordsOnClaims(ctx, c.state.Run.ID)
		if err == nil {
			err = slot.PutAgain(ctx, c.diffs, c.state, said)
		}
		if err != nil {
			return p, err
		}
		c.tellRecommended(slot.Claims)
		since, err := c.sinceReview(ctx, slot.Claims)
		if err != nil {
			return p, err
		}
		slot.Diff = since.Filter(covered)
		p.Slots = append(p.Slots, slot)
	}
	return p, nil
}

// tellRecommended adds to each claim the recommendations of its finding that are not in its own
// report: another reviewer reported the same lines, and what it asked for must be fixed, too.
func (c *codeReview) tellRecommended(claims []ledger.Violation) {
	recommended := make(map[string]string, len(c.previous.verdict.Findings))
	for _, f := range c.previous.verdict.Findings {
		recommended[f.Violation] = f.Recommendation
	}
	for i, claim := range claims {
		if more := verdict.BeyondReport(recommended[claim.ID], claim.Fix, claim.Issue); more != "" {
			claims[i].Issue += "\n" + more
		}
	}
}

// sinceReview returns the diff since the claims were reported.
func (c *codeReview) sinceReview(ctx context.Context, claims []ledger.Violation) (*diff.Diff, error) {
	for _, v := range claims {
		if v.Reviewed != "" {
			return c.diffs.Between(ctx, v.Reviewed, c.to)
		}
	}
	return c.diffs.Between(ctx, c.HeadTree(), c.to)
}
