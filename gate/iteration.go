package gate

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// iteration is one invocation.
type iteration struct {
	*Runner
	options Options

	// rerun reports whether the log directory held the logs of this run.
	rerun bool
	// state is how the run stood before anything was executed. Its run has
	// only an id on a first run.
	state    *ledger.State
	snapshot diff.Snapshot
	scope    scope
	jobs     []plannedJob
	recorder *store.Recorder
	number   int
	// collected takes the answers of a code review, which are recorded together;
	// nil in a run of gates.
	collected *collection
	// wholeFiles means that slots are shown files instead of a diff.
	wholeFiles bool
}

func (i *iteration) run(ctx context.Context) (Outcome, error) {
	if err := i.recall(ctx); err != nil {
		return Outcome{}, err
	}
	if i.rerun && i.options.BaseBranch != "" {
		return Outcome{}, usage("--base-branch belongs to the first iteration; this run compares with %q since then. `reviewledger clean` starts over", i.state.Run.BaseRef)
	}
	if i.rerun && ledger.RetryLimitReached(i.state, i.Config.MaxRetries) {
		return i.retryLimit(ctx)
	}
	if err := i.survey(ctx); err != nil {
		return Outcome{}, errors.Join(err, i.forget(ctx))
	}
	outcome, execute, err := i.plan(ctx)
	if err != nil || !execute {
		return outcome, errors.Join(err, i.forget(ctx))
	}
	if err := i.begin(ctx); err != nil {
		return Outcome{}, err
	}
	i.warnUnaddressed()
	if err := i.execute(ctx); err != nil {
		// What is recorded stays; the iteration did not do its work.
		return Outcome{}, errors.Join(err, i.recorder.Finish(ctx, ledger.StatusError, err.Error()))
	}
	return i.finish(ctx)
}

// retryLimit ends an invocation of a run that has used up its iterations: the
// agent's last skips may let it pass, else nothing runs.
func (i *iteration) retryLimit(ctx context.Context) (Outcome, error) {
	assessment := ledger.Assess(i.state)
	if assessment.Status.Passes() {
		var err error
		if i.snapshot, err = i.Repo.Snapshot(ctx, diff.SnapshotOptions{Exclude: excluded(i.Config.LogDir)}); err != nil {
			return Outcome{}, err
		}
		i.scope.diffs = &diffCache{repo: i.Repo, exclude: excluded(i.Config.LogDir)}
		behind, err := i.behind(ctx)
		if err != nil {
			return Outcome{}, err
		}
		if behind == "" {
			return i.pass(ctx, i.state, assessment)
		}
		i.Console.Line(behind + notBySkips)
	}
	assessment.Status = ledger.StatusRetryLimitExceeded
	i.summarize(i.state, assessment)
	i.Console.Line("Nothing was run. `reviewledger clean` archives this run, so that the next one starts afresh.")
	return Outcome{Status: ledger.StatusRetryLimitExceeded}, nil
}

// plan makes the jobs of the iteration. It reports false when there is nothing
// to execute.
//
// Requirement: Automatic Rerun Detection, "Rerun with no changes since session
// ref" and "Rerun with no uncommitted changes and no session ref".
func (i *iteration) plan(ctx context.Context) (outcome Outcome, execute bool, err error) {
	jobs, err := i.findJobs()
	if err != nil {
		return Outcome{}, false, err
	}
	owed, err := i.owed(ctx, jobs)
	if err != nil {
		return Outcome{}, false, err
	}
	if i.scope.narrowed.Empty() && len(owed) == 0 {
		outcome, err := i.nothing(ctx, "No changes detected")
		return outcome, false, err
	}
	if i.jobs, err = i.planJobs(ctx, jobs); err != nil {
		return Outcome{}, false, err
	}
	if len(i.jobs) > 0 {
		return Outcome{}, true, nil
	}
	outcome, err = i.nothing(ctx, "No gate applies to these changes")
	// Nothing applies, but the run is known to fail: that is no success.
	if assessment := ledger.Assess(i.state); err == nil && i.rerun && !assessment.Status.Passes() {
		outcome = Outcome{Status: assessment.Status}
	}
	return outcome, false, err
}

// owed says what a rerun owes although nothing that it compares has changed.
func (i *iteration) owed(ctx context.Context, jobs []config.Job) ([]string, error) {
	if !i.rerun {
		return nil, nil
	}
	owed := ledger.Owed(i.state, plannedForOwed(jobs), i.snapshot.Tree)
	// The user's own choice of a diff says nothing of the rest.
	if i.options.explicit() || !ledger.Assess(i.state).Status.Passes() {
		return owed, nil
	}
	behind, err := i.behind(ctx)
	if behind != "" {
		owed = append(owed, behind)
	}
	return owed, err
}

// ranOnThisTree reports whether the last iteration ran on the working tree as it
// is now.
func (i *iteration) ranOnThisTree() bool {
	last := i.state.Iteration(i.state.LastIteration())
	return last != nil && last.Tree == i.snapshot.Tree
}

// notBySkips ends what behind says.
const notBySkips = ", so the run does not pass by what was skipped alone"

// behind says why the run does not pass by its rows, or "" if nothing stands against
// it: every gate must have seen the working tree as it is now, and the last iteration
// may have run only some of them.
func (i *iteration) behind(ctx context.Context) (string, error) {
	if !i.ranOnThisTree() {
		return fmt.Sprintf("The working tree has changed since iteration %d", i.state.LastIteration()), nil
	}
	gate, err := i.laggard(ctx)
	if gate == "" || err != nil {
		return "", err
	}
	return fmt.Sprintf("%s has not seen all that has changed by iteration %d", gate, i.state.LastIteration()), nil
}

// nothing ends an invocation without an iteration. A run that passes by its rows
// all the same, because the agent only skipped, is closed.
func (i *iteration) nothing(ctx context.Context, reason string) (Outcome, error) {
	i.Console.Line(reason)
	if !i.rerun {
		return Outcome{NothingToDo: true}, nil
	}
	assessment := ledger.Assess(i.state)
	if assessment.Status.Passes() && len(i.state.Gates) > 0 {
		behind, err := i.behind(ctx)
		if err != nil {
			return Outcome{}, err
		}
		if behind == "" {
			return i.pass(ctx, i.state, assessment)
		}
		i.Console.Line(behind + notBySkips + "; `reviewledger run` runs its gates")
	}
	for _, line := range outstanding(assessment) {
		i.Console.Line(line)
	}
	return Outcome{NothingToDo: true}, nil
}

func outstanding(a ledger.Assessment) []string {
	var lines []string
	if n := a.Outstanding(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s still outstanding", count(n, "violation")))
	}
	if n := len(a.Failing); n > 0 {
		lines = append(lines, fmt.Sprintf("%s still outstanding", count(n, "failing check")))
	}
	if n := len(a.Erred); n > 0 {
		lines = append(lines, fmt.Sprintf("%s in error still outstanding", count(n, "gate")))
	}
	return lines
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// findJobs lists the jobs of this invocation: those of the entry points that the
// run's whole diff touches, and those that the run has executed before.
func (i *iteration) findJobs() ([]config.Job, error) {
	touched, err := i.Config.Jobs(i.scope.whole.Paths())
	if err != nil {
		return nil, err
	}
	var jobs []config.Job
	seen := map[string]bool{}
	add := func(job config.Job) {
		wanted := i.options.Command.runs(job.Kind) && (i.options.Gate == "" || i.options.Gate == job.Name)
		if !seen[job.ID()] && wanted && i.Config.Applies(job, i.CI) {
			seen[job.ID()] = true
			jobs = append(jobs, job)
		}
	}
	for _, job := range touched {
		add(job)
	}
	for _, id := range i.state.Jobs() {
		if job, ok := i.Config.JobByID(id); ok {
			add(job)
		}
	}
	return jobs, nil
}

func plannedForOwed(jobs []config.Job) []ledger.Planned {
	planned := make([]ledger.Planned, 0, len(jobs))
	for _, job := range jobs {
		p := ledger.Planned{Job: job.ID(), Kind: ledger.GateKind(job.Kind)}
		if job.Review != nil {
			p.NumReviews = job.Review.NumReviews
		}
		planned = append(planned, p)
	}
	return planned
}

// begin records the iteration and opens its console log.
func (i *iteration) begin(ctx context.Context) error {
	if !i.rerun {
		// Completes an archiving that a crash interrupted.
		if err := i.LogDir.Archive(); err != nil {
			return err
		}
		if err := i.startRun(ctx); err != nil {
			return err
		}
	}
	mode := ledger.ModeFirst
	if i.rerun {
		mode = ledger.ModeRerun
	}
	plans := make([]store.GatePlan, 0, len(i.jobs))
	for _, job := range i.jobs {
		plans = append(plans, job.gatePlan())
	}
	recorder, err := i.Ledger.BeginIteration(ctx, i.state.Run.ID, ledger.Iteration{
		Number: i.number, Mode: mode, Source: i.scope.source,
		From: i.scope.from, To: i.scope.to,
		Snapshot: i.snapshot.Commit, Tree: i.snapshot.Tree, Head: i.Repo.Head,
	}, plans)
	if err != nil {
		return err
	}
	i.recorder = recorder
	log, err := i.LogDir.CreateConsoleLog(i.number)
	if err != nil {
		return errors.Join(err, recorder.Finish(ctx, ledger.StatusError, err.Error()))
	}
	i.Console.AttachLog(log)
	i.Console.Line(i.headline())
	return nil
}

// startRun opens the run of a first iteration. A run whose logs are gone is
// abandoned by it.
func (i *iteration) startRun(ctx context.Context) error {
	former, err := i.Ledger.OpenRun(ctx, i.ledgerScope())
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	if i.state.Run, err = i.Ledger.StartRun(ctx, i.state.Run); err != nil || former.ID == "" {
		return err
	}
	i.Console.Warn(fmt.Sprintf("run %s is abandoned: its logs in %s are gone", former.ID, i.LogDir.Path()))
	return i.dropSnapshots(ctx, former.ID)
}

// headline says which run and iteration this is, and what it reviews. The log
// directory's owner is read from it.
func (i *iteration) headline() string {
	return fmt.Sprintf("Run %s, iteration %d: %s", i.state.Run.ID, i.number, i.changes())
}

// changes says how much the iteration compares, and with what.
func (i *iteration) changes() string {
	files := count(len(i.scope.narrowed.Files), "changed file")
	what := map[string]string{
		sourceBase:            "since " + i.state.Run.BaseRef,
		sourceUncommitted:     "uncommitted",
		sourceUncommittedOnly: "uncommitted",
		sourceCommit:          "in commit " + i.options.Commit,
		sourceSession:         "since the reviewed snapshot",
	}[i.scope.source]
	return files + " " + what
}

// forget drops the snapshot of an invocation that executed nothing.
func (i *iteration) forget(ctx context.Context) error {
	if i.snapshot.Commit == "" || i.state == nil {
		return nil
	}
	return i.Repo.DropRefs(context.WithoutCancel(ctx), snapshotRef(i.state.Run.ID, i.number))
}
