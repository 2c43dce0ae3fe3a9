package codereview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxUnseen is how many files a warning names.
const maxUnseen = 5

// warnUnseen names the files that review gates look at, that changed since the review, and
// that no reviewer of this verification was shown: the verdict says nothing about their
// present content. If a skill handed in its findings, nobody knows which files it looked
// at.
func (c *codeReview) warnUnseen(ctx context.Context, reviewed string) error {
	if reviewed == "" || c.options.HandedIn {
		return nil
	}
	since, err := c.diffs.Between(ctx, reviewed, c.to)
	if errors.Is(err, diff.ErrGone) {
		return nil // a warning was printed already
	}
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, v := range c.state.Violations {
		if v.Status == ledger.StatusVerified { // an earlier verification showed the fix
			shown[v.Place.File] = true
		}
	}
	for _, job := range c.jobs {
		for _, slot := range job.Slots {
			for _, path := range slot.Diff.Paths() {
				shown[path] = true
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
	unseen := slices.DeleteFunc(since.Paths(), func(path string) bool { return shown[path] || !looked(path) })
	if len(unseen) == 0 {
		return nil
	}
	names := unseen[:min(len(unseen), maxUnseen)]
	more := ""
	if n := len(unseen) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	c.Console.Warn(ledger.PluralVerb(len(unseen), "file", "changed since the review and was not reviewed: ", "changed since the review and were not reviewed: ") +
		strings.Join(names, ", ") + more)
	return nil
}
