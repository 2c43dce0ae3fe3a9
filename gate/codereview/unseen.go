package codereview

import (
	"context"
	"errors"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// warnUnseen names files that review gates look at, that changed since the review, and in which
// this verification verifies nothing. Its reviewers decide only about claims, so the verdict says
// nothing about other changes. If findings were handed in, it is not known which files were looked
// at, and nothing is said.
func (c *codeReview) warnUnseen(ctx context.Context, reviewed string) error {
	if reviewed == "" || c.options.HandedIn {
		return nil
	}
	since, err := c.diffs.Between(ctx, reviewed, c.to)
	if errors.Is(err, diff.ErrGone) {
		return nil // a warning was already printed
	}
	if err != nil {
		return err
	}
	settled := map[string]bool{}
	settle := func(v ledger.Violation) { settled[v.Place.File], settled[since.NewName(v.Place.File)] = true, true }
	for _, v := range c.state.Violations {
		if v.Status == ledger.StatusVerified { // by an earlier verification
			settle(v)
		}
	}
	for _, job := range c.jobs {
		for _, slot := range job.Slots {
			for _, claim := range slot.Claims {
				settle(claim)
			}
		}
	}
	jobs, err := c.Config.Jobs(since.Paths())
	if err != nil {
		return err
	}
	looked := func(path string) bool {
		return slices.ContainsFunc(jobs, func(j config.Job) bool { return j.Review != nil && c.Applies(j) && j.Covers(path) })
	}
	unseen := slices.DeleteFunc(since.Paths(), func(path string) bool { return settled[path] || !looked(path) })
	if len(unseen) == 0 {
		return nil
	}
	c.Console.Warn(ledger.PluralVerb(len(unseen), "file", "changed since the review and was not reviewed: ", "changed since the review and were not reviewed: ") +
		worktree.Named(unseen))
	return nil
}
