package codereview

import (
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// beginReview begins a full or quick review.
func (c *codeReview) beginReview(ctx context.Context) (err error) {
	if c.scope, err = c.findTarget(c.options); err != nil {
		return err
	}
	if c.previous, err = c.recallVerdict(ctx, false); err != nil {
		return err
	}
	if err := c.takeSnapshot(ctx); err != nil {
		return err
	}
	if err := c.resolve(ctx); err != nil {
		return err
	}
	c.to = c.scope.to
	if err := c.planReviews(ctx); err != nil {
		return err
	}
	if err := c.openRun(ctx); err != nil {
		return err
	}
	return c.begin(ctx, ledger.ModeFirst, c.scope.scope.Source(), c.scope.from, c.headlineOfReview())
}

// openRun opens the run of a review, and archives the logs of the previous one.
func (c *codeReview) openRun(ctx context.Context) error {
	reviewID, err := c.Ledger.NewReviewID(ctx)
	if err != nil {
		return err
	}
	c.info = verdict.CodeReview{ReviewID: reviewID, Scope: c.scope.scope, Target: c.scope.target}
	if c.options.Mode == verdict.Full {
		c.info.ReviewDocument = verdict.ReviewDocumentPath(c.Now(), c.scope.scope, reviewID)
	}
	if err := c.Verdicts.CheckPlaces(c.info.ReviewDocument, c.previous.archive); err != nil {
		return err
	}
	run := c.newRun(c.scope.target, c.scope.from)
	if !c.scope.wholeFiles() {
		run.Subject = c.FirstSubject(ctx, run.Base)
	}
	if c.state.Run, err = c.Ledger.StartReview(ctx, run, c.info); err != nil {
		return err
	}
	return c.Logs.Archive()
}

// beginVerification begins the verification of the fixes that the team claims, in the present
// working tree.
//
// Rule: The verdict counts what is open.
func (c *codeReview) beginVerification(ctx context.Context) (err error) {
	if c.previous, err = c.recallVerdict(ctx, true); err != nil {
		return err
	}
	if c.previous.Run == "" {
		return fmt.Errorf("no verdict to verify: %s does not exist; create one with `reviewledger code-review`", verdict.Path)
	}
	if err := c.Verdicts.CheckPlaces(c.previous.ReviewDocument, nil); err != nil {
		return err
	}
	if c.state, err = c.Ledger.State(ctx, c.previous.Run); err != nil {
		return err
	}
	c.number = c.state.LastIteration() + 1
	if err := c.takeSnapshot(ctx); err != nil {
		return err
	}
	c.to = c.snapshot.Tree
	if err := c.planVerification(ctx); err != nil {
		return err
	}
	from := c.state.Iterations[0].To
	if err := c.warnUnseen(ctx, from); err != nil {
		return err
	}
	headline := fmt.Sprintf("Code review %s (verify): %s to verify", c.previous.ReviewID, ledger.Plural(c.previous.Count(ledger.StatusFixed), "fixed finding"))
	return c.begin(ctx, ledger.ModeRerun, ledger.SourceVerify, from, headline)
}

func (c *codeReview) takeSnapshot(ctx context.Context) (err error) {
	c.snapshot, err = c.Snapshot(ctx)
	c.Console.Warn(c.snapshot.Warnings...)
	return err
}

func (r *Runner) newRun(baseRef, base string) ledger.Run {
	return r.NewRun(ledger.KindCodeReview, verdict.Dir, baseRef, base)
}

func (c *codeReview) headlineOfReview() string {
	what := ledger.Plural(len(c.scope.diff.Files), "changed file")
	if c.scope.wholeFiles() {
		what = ledger.Plural(len(c.scope.diff.Files), "file")
	}
	if c.options.HandedIn {
		what = ledger.Plural(len(c.options.Findings), "finding") + " handed in"
	}
	return fmt.Sprintf("Code review %s (%s) of %s %s: %s", c.info.ReviewID, c.options.Mode, c.scope.scope, c.scope.target, what)
}

// begin records the iteration with everything that it plans, and opens its log.
func (c *codeReview) begin(ctx context.Context, mode ledger.Mode, source ledger.Source, from, headline string) (err error) {
	base := from
	if c.scope.wholeFiles() {
		base = "" // whole files are not reviewed as a change
	}
	change := slots.ChangeSince(ctx, c.Worktree, base, c.jobs)
	c.recorder, err = c.Ledger.BeginIteration(ctx, c.state.Run.ID, ledger.Iteration{
		Number: c.number, Mode: mode, Source: source, From: from, To: c.to,
		Tree: c.snapshot.Tree, Head: c.Repo.Head,
	}, c.gatePlans())
	if err != nil {
		return err
	}
	altered, err := c.findAltered(ctx)
	if err != nil {
		return err
	}
	c.asker = &slots.Asker{Now: c.Now, Spent: ledger.SpentIn(c.state), Progress: c.Console,
		Worktree: c.Worktree, Logs: c.Logs, Rows: c.recorder, Cool: c.Ledger.SetCooldown, Iteration: c.number, Base: c.state.Run.BaseRef,
		CodeReview: true, WholeFiles: !c.verifies() && c.scope.wholeFiles(), Verify: c.verifies(),
		Change: change, Altered: altered,
	}
	return c.asker.Start(headline)
}

// findAltered warns about the files under review that git stores with other bytes than they have on disk,
// and returns what does that, by path.
func (c *codeReview) findAltered(ctx context.Context) (map[string]string, error) {
	var paths []string
	for _, job := range c.jobs {
		for _, slot := range job.Slots {
			if slot.Diff != nil {
				paths = append(paths, slot.Diff.Paths()...)
			}
		}
	}
	slices.Sort(paths)
	altered, warnings, err := c.Altered(ctx, slices.Compact(paths))
	c.Console.Warn(warnings...)
	return altered, err
}
