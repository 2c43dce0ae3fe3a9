package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// assess writes into the files which violations are connected, and returns the run's state after the iteration.
func (i *iteration) assess(ctx context.Context) (*ledger.State, ledger.Assessment, error) {
	var a ledger.Assessment
	state, err := i.recordLate(ctx)
	if err != nil {
		return nil, a, err
	}
	state.Fork = i.state.Fork
	connected := func(v *ledger.Violation) bool {
		return v.First == i.number || v.JoinedAsReported() && !v.StatusAt.Before(i.recorder.Began())
	}
	if err := i.listConnected(ctx, state, connected); err != nil {
		return nil, a, err
	}
	if err := i.keepSessionRef(ctx, state); err != nil {
		return nil, a, err
	}
	if a = ledger.Assess(state); a.Status.Passes() {
		stale, err := i.staleAfter(ctx, state)
		if err != nil {
			return nil, a, err
		}
		if len(stale) > 0 {
			a.Status = ledger.StatusFailed
			i.explainStale(state, stale)
		}
		if i.changed, err = i.Changed(ctx, i.snapshot); err != nil {
			return nil, a, err
		}
		if !i.changed.Empty() {
			a.Status = ledger.StatusFailed
			if err := i.recorder.ForgetTree(ctx); err != nil {
				return nil, a, err
			}
		}
	}
	a.Status = ledger.AfterIteration(state, a.Status, i.Config.MaxRetries)
	return state, a, nil
}

// finish closes the iteration and, if it passed, the run.
func (i *iteration) finish(ctx context.Context, state *ledger.State, a ledger.Assessment) (Outcome, error) {
	state.Iteration(i.number).Status = a.Status
	if err := i.recorder.Finish(ctx, a.Status, ""); err != nil {
		return Outcome{}, err
	}
	if a.Status.Passes() {
		return i.pass(ctx, state, a)
	}
	if err := i.Files.WriteRun(runFile(state, *state.Iteration(i.number))); err != nil {
		return Outcome{}, err
	}
	gone := i.gone(state)
	outcome := Outcome{Status: a.Status, Summary: i.summarize(state, a, nil), OnlyGone: a.OnlyGone(gone)}
	if a.Status == ledger.StatusRetryLimitExceeded {
		tree := i.snapshot.Tree
		if !i.changed.Empty() {
			tree = "" // the working tree is another one, whichever
		}
		outcome.AtLimit = ledger.StepAtLimit(state, tree)
	}
	if !i.changed.Empty() {
		i.Console.Conclude(notReviewed(i.changed))
	}
	if a.Stuck(gone) {
		outcome.Next = ledger.CommandClean
	}
	_, unexplained := state.AskAgain(a.Claims)
	outcome.Unasked = !unexplained && (i.view().Restricted || i.options.Commit != "")
	i.explain(a, state.Violations, gone)
	var err error
	outcome.FailsOnBase, err = i.baseline(ctx, a.Failing)
	return outcome, err
}

// explain prints what to do about whatever keeps the run from passing, as far as the summary does
// not say it.
func (i *iteration) explain(a ledger.Assessment, violations []ledger.Violation, gone []string) {
	told := map[string]bool{}
	for _, g := range append(a.Failing, a.Erred...) {
		if slices.Contains(gone, g.Job) && !told[g.Job] {
			told[g.Job] = true
			why, remedy := i.whyGone(g.Job)
			i.Console.Warn(fmt.Sprintf("%s did not pass in iteration %d and %s: %s, or abandon the run with `reviewledger clean`", g.Job, g.Iteration, why, remedy))
		}
	}
	for _, v := range append(a.Open, a.Claims...) {
		if slices.Contains(gone, v.Job) && !told[v.Job] {
			told[v.Job] = true
			why, _ := i.whyGone(v.Job)
			i.Console.Warn(fmt.Sprintf("%s %s: to let the run pass without it, set the status of its violations to \"skipped\" in the review files in %s", v.Job, why, i.Config.LogDir))
		}
	}
	for _, v := range violations {
		if v.Original != nil && v.Claim() && slices.Contains(gone, v.Job) {
			why, remedy := i.whyGone(v.Job)
			i.Console.Warn(fmt.Sprintf("claim %s stays unverified: %s is joined to it, and %s %s: %s, or end the join with `reviewledger mark %s new` and skip that one",
				v.DuplicateOf, v.ShortID, v.Job, why, remedy, v.ShortID))
		}
	}
}

// explainStale names the gates that have not seen the latest changes and, if another iteration is
// left, says that it runs them.
func (i *iteration) explainStale(state *ledger.State, stale []ledger.Owed) {
	more := ledger.AfterIteration(state, ledger.StatusFailed, i.Config.MaxRetries) == ledger.StatusFailed
	for _, owed := range stale {
		why, then := staleness(owed), "runs it again"
		if owed.Reason == ledger.NotShown {
			then = "shows it the rest"
		}
		if more {
			why += ": `reviewledger run` " + then
		}
		i.Console.Conclude(owed.Job + " " + why)
	}
}

// keepSessionRef sets the run's session reference to the tree of the first iteration in which a
// review failed.
//
// Rule: A rerun shows what changed since the session reference.
func (i *iteration) keepSessionRef(ctx context.Context, state *ledger.State) error {
	if state.Run.SessionRef != "" || !state.ReviewFailed(i.number) {
		return nil
	}
	return i.writeSessionRef(ctx, state.Run.ID)
}

// writeSessionRef writes a commit of what was reviewed: the commit that the user chose, or one made
// of the snapshot.
func (i *iteration) writeSessionRef(ctx context.Context, run string) (err error) {
	commit := i.scope.to
	if commit == i.snapshot.Tree {
		if commit, err = i.Repo.MakeCommit(ctx, commit); err != nil {
			return err
		}
	}
	if err := i.Ledger.SetSessionRef(ctx, run, commit); err != nil {
		return err
	}
	return i.Files.WriteSessionRef(commit)
}

// passUnchanged passes a run for which nothing was executed, unless the working tree has changed
// since the snapshot.
func (i *iteration) passUnchanged(ctx context.Context, a ledger.Assessment) (Outcome, error) {
	changed, err := i.Changed(ctx, i.snapshot)
	if err != nil {
		return Outcome{}, err
	}
	if changed.Empty() {
		return i.pass(ctx, i.state, a)
	}
	reason := notReviewed(changed)
	i.Console.Conclude(reason)
	return Outcome{Status: ledger.StatusFailed, Reason: reason}, nil
}

// notReviewed returns a sentence about what changed while the gates ran.
func notReviewed(c diff.Change) string {
	text := worktree.NotReviewed(c, "the gates ran")
	return strings.ToUpper(text[:1]) + text[1:] + ". Run again"
}

// pass closes the run in the ledger before it archives the logs. After a crash between the two, the
// next command archives them; in the other order the logs would lose their owner.
//
// Rule: The log directory decides between first run and rerun.
func (i *iteration) pass(ctx context.Context, state *ledger.State, a ledger.Assessment) (Outcome, error) {
	applying, err := i.applying(ctx)
	if err != nil {
		return Outcome{}, err
	}
	end, whole := i.Ledger.CloseRun, ledger.PassedWhole(state, applying, i.ConfigHash())
	if whole {
		end = i.Ledger.PassRun
	}
	if err := end(ctx, state.Run.ID, a.Status); err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Status: a.Status, Summary: i.summarize(state, a, new(state.Looked(applying, i.isBuiltin)))}
	var moved error
	if !whole {
		moved = i.sayConfigMoved(ctx, state)
	}
	said := errors.Join(moved, i.sayRestEnded(ctx, state), i.sayLeftBehind(ctx))
	i.removeOldContent(ctx)
	return outcome, errors.Join(said, i.Files.Archive())
}

// applying returns the jobs for everything that the run changed.
func (i *iteration) applying(ctx context.Context) ([]ledger.Planned, error) {
	whole, err := i.scope.diffs.ListOver(ctx, i.wholeSpan())
	if err != nil {
		return nil, err
	}
	touched, err := i.Config.Jobs(whole.Paths())
	if err != nil {
		return nil, err
	}
	jobs := make([]ledger.Planned, 0, len(touched))
	for _, job := range touched {
		jobs = append(jobs, i.planned(job))
	}
	return jobs, nil
}

// summarize prints the summary. If diffs were made, it names the changed files that no gate of this
// invocation looks at, and those of the configuration. looked is nil unless the run has passed.
func (i *iteration) summarize(state *ledger.State, a ledger.Assessment, looked *ledger.LookedAt) ledger.Summary {
	s := ledger.Summarize(state, a)
	s.LookedAt = looked
	if !a.Status.Passes() {
		s.Left = new(ledger.IterationsLeft(state, i.Config.MaxRetries))
	}
	if i.scope.whole != nil {
		for _, path := range i.scope.whole.Paths() {
			covered := func(job config.Job) bool { return i.Applies(job) && job.Covers(path) }
			if strings.HasPrefix(path, config.Dir+"/") {
				s.Config = append(s.Config, path)
			} else if !slices.ContainsFunc(i.scope.touched, covered) {
				s.Uncovered = append(s.Uncovered, path)
			}
		}
	}
	if warning := i.BudgetWarning(s.Spent); i.asker != nil && warning != "" {
		i.Console.Warn(warning)
	}
	i.Console.Summary(s)
	return s
}
