package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/process"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// iteration is one invocation of run, check or review, with what it has found out so far.
type iteration struct {
	*Runner
	options Options

	// began is when the invocation began, before it read the marks in files.
	began time.Time
	recalled
	snapshot diff.Snapshot
	scope    scope
	plannedJobs
	begun
	// passed is the outcome of a run that has passed on exactly this code, if only checks are to run
	// again; else it is nil.
	passed *Outcome
	// gateless reports whether no gate is left to run although the user restricted none.
	gateless bool
	health   *slots.Health // nil until it is needed
	// changed is how the working tree differs from the snapshot after the gates have run.
	changed diff.Change
	// baseLine says what became of the base of the run since the last iteration, and everything why
	// some reviews are shown everything: they do not rest on an earlier pass, or their configuration has
	// changed. Each is empty if there is nothing to say.
	baseLine, everything string
	// since is what changed since the run on which gates rest passed, if they are shown that; else it
	// is nil.
	since *sincePass
	// places are the places of the run's violations in the tree that is reviewed, by ULID, as far as
	// they are known.
	places map[string][]ledger.Place
	// parts are the facts about parts of diffs that are known so far.
	parts map[ledger.Part]ledger.PartFact
}

func (i *iteration) run(ctx context.Context) (Outcome, error) {
	i.began = i.Now()
	var err error
	if i.recalled, err = i.recall(ctx); err != nil {
		return Outcome{}, err
	}
	i.sayEmptied()
	if i.rerun && i.options.BaseBranch != "" && !(i.emptied && i.options.BaseBranch == i.state.Run.BaseRef) {
		return Outcome{}, worktree.Usage("--base-branch belongs to the first iteration; this run compares with %q since then. `reviewledger clean` starts over", i.state.Run.BaseRef)
	}
	if err := errors.Join(i.extend(ctx), i.handOn(ctx), i.followBase(ctx)); err != nil {
		return Outcome{}, err
	}
	if i.rerun && ledger.RetryLimitReached(i.state, i.Config.MaxRetries) {
		return i.retryLimit(ctx)
	}
	passed, already, err := i.passedAlready(ctx, i.Ahead.Take)
	if err != nil {
		return Outcome{}, err
	}
	switch {
	case passed && i.options.Force:
		i.options.Command, i.passed = CommandCheck, &already
	case passed:
		i.Console.Conclude(already.Reason)
		return already, i.takeSnapshot()
	}
	defer i.Ledger.PrepareRecording(ctx)() // while git makes the diffs
	if err := i.survey(ctx); err != nil {
		return Outcome{}, err
	}
	outcome, execute, err := i.plan(ctx)
	if errors.Is(err, diff.ErrGone) {
		if err = i.forgetLostTrees(ctx); err == nil {
			outcome, execute, err = i.plan(ctx)
		}
	}
	if err != nil || !execute {
		return outcome, err
	}
	process.Prepare()
	if err = i.begin(ctx); err == nil {
		i.warnUnaddressed()
		err = i.moveLines(ctx)
	}
	if err == nil || i.recorder != nil && ctx.Err() != nil { // an interruption is reported below
		err = i.execute(ctx)
	}
	if err == nil && ctx.Err() != nil {
		i.Console.Conclude("Interrupted")
		_, late := i.recordLate(ctx)
		return Outcome{Status: ledger.StatusInterrupted}, errors.Join(late, i.recorder.Finish(ctx, ledger.StatusInterrupted, "interrupted"))
	}
	var state *ledger.State
	var assessment ledger.Assessment
	if err == nil {
		state, assessment, err = i.assess(ctx)
	}
	switch {
	case err == nil:
		return i.finish(ctx, state, assessment)
	case i.recorder == nil: // nothing was recorded
		return Outcome{}, err
	}
	// What is recorded stays, but the iteration is in error.
	return Outcome{}, errors.Join(err, i.recorder.Finish(ctx, ledger.StatusError, err.Error()))
}

// sayEmptied warns if the run goes on without its logs.
//
// Rule: The log directory decides between first run and rerun.
func (i *iteration) sayEmptied() {
	if !i.emptied {
		return
	}
	shows := ", and shows reviewers everything since " + i.state.Run.BaseRef
	if i.options.explicit() {
		shows = "" // the user's choice
	}
	i.Console.Warn(fmt.Sprintf("the logs of run %s in %s are gone: the run goes on%s", i.state.Run.ID, i.Config.LogDir, shows))
}

// extend records that a person allows more iterations.
//
// Rule: After the retry limit nothing runs.
func (i *iteration) extend(ctx context.Context) error {
	more := i.options.Extend
	switch {
	case more == 0:
		return nil
	case !i.rerun:
		return worktree.Usage("--extend allows an open run more iterations, and no run is open here")
	}
	if err := i.Ledger.ExtendRun(ctx, i.state.Run.ID, more); err != nil {
		return err
	}
	i.state.Transitions = append(i.state.Transitions, ledger.Transition{Cause: ledger.CauseExtended, Iterations: more})
	i.Console.Line(fmt.Sprintf("A person allows %s that may fail: %d left", ledger.Plural(more, "more iteration"), ledger.IterationsLeft(i.state, i.Config.MaxRetries)))
	last := i.state.Iteration(i.state.LastIteration())
	if last == nil {
		return nil
	}
	return i.Files.WriteRun(runFile(i.state, *last))
}

// retryLimit ends an invocation of a run that has used up its iterations. The run passes if the
// agent's last skips allow it; else nothing runs.
func (i *iteration) retryLimit(ctx context.Context) (Outcome, error) {
	assessment := ledger.Assess(i.state)
	var err error
	if i.snapshot, err = i.Ahead.Take(); err != nil {
		return Outcome{}, err
	}
	if assessment.Status.Passes() {
		i.scope.diffs = i.Diffs()
		stale, err := i.stale(ctx)
		if err != nil {
			return Outcome{}, err
		}
		if len(stale) == 0 {
			return i.passUnchanged(ctx, assessment)
		}
		for _, owed := range stale {
			i.Console.Conclude(notBySkips(owed))
		}
	}
	assessment.Status = ledger.StatusRetryLimitExceeded
	const reason = "Nothing was run: the run has used up its iterations"
	outcome := Outcome{
		Status: ledger.StatusRetryLimitExceeded, Reason: reason, Summary: i.summarize(i.state, assessment, nil),
		AtLimit: ledger.StepAtLimit(i.state, i.snapshot.Tree),
	}
	i.Console.Conclude(reason)
	return outcome, nil
}

// concluded adds the run and the next step to the outcome.
func (i *iteration) concluded(o Outcome) Outcome {
	if i.state != nil && i.rerun || i.recorder != nil {
		o.Run = i.state.Run.ID
	}
	if i.recorder != nil {
		o.Iteration = i.number
	}
	if i.scope.narrowed != nil {
		o.Changed = len(i.scope.narrowed.Files)
	}
	if i.recorder != nil && i.comparesAll() {
		o.Changed = len(i.scope.whole)
	}
	if o.Status != "" && !o.Status.Passes() && o.Next == "" {
		o.Next = ledger.CommandRun
	}
	return o
}

// nothing ends an invocation without an iteration. A run that passes by its rows anyway, because
// the agent only skipped violations, is closed.
func (i *iteration) nothing(ctx context.Context, reason string) (Outcome, error) {
	i.Console.Conclude(reason)
	if !i.rerun {
		return Outcome{NothingToDo: true, Reason: reason, Next: "reviewledger detect"}, nil
	}
	assessment := ledger.Assess(i.state)
	if assessment.Status.Passes() {
		stale, err := i.stale(ctx)
		if err != nil {
			return Outcome{}, err
		}
		if len(stale) == 0 {
			return i.passUnchanged(ctx, assessment)
		}
		then := "; `reviewledger run` runs its gates"
		if i.gateless {
			then = ", and no gate is left to run: configure one again, or abandon the run with `reviewledger clean`"
		}
		for _, owed := range stale {
			i.Console.Conclude(notBySkips(owed) + then)
		}
	}
	for _, line := range outstanding(assessment) {
		i.Console.Conclude(line)
	}
	outcome := Outcome{NothingToDo: true, Reason: reason}
	gone := i.gone(i.state)
	i.explain(assessment, i.state.Violations, gone)
	outcome.OnlyGone = assessment.OnlyGone(gone)
	switch {
	case assessment.Stuck(gone), i.gateless && assessment.Status.Passes():
		outcome.Next = ledger.CommandClean
	case outcome.OnlyGone:
		outcome.Next = ledger.CommandRun
	case len(assessment.Open) > 0:
		outcome.Next = "reviewledger violations --open --run " + i.state.Run.ID
	case assessment.Failed() > 0:
		outcome.Next = ledger.CommandForce
	case len(assessment.Claims) > 0:
		outcome.Next, outcome.Unexplained = i.state.AskAgain(assessment.Claims)
	}
	return outcome, nil
}

func outstanding(a ledger.Assessment) []string {
	var lines []string
	if n := a.Outstanding(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s still outstanding", ledger.Plural(n, "violation")))
	}
	if n := len(a.Failing); n > 0 {
		lines = append(lines, fmt.Sprintf("%s still outstanding", ledger.Plural(n, "failing check")))
	}
	if n := len(a.Erred); n > 0 {
		lines = append(lines, fmt.Sprintf("%s in error still outstanding", ledger.Plural(n, "gate")))
	}
	return lines
}
