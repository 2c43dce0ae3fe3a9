package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// Detection is what the next iteration would do.
type Detection struct {
	// Iteration is its number, and Rerun whether it verifies an open run.
	Iteration int
	Rerun     bool
	// Unknown reports that the log directory holds a loop that the ledger does not know. It would
	// be restored first; its slots are not known yet.
	Unknown bool
	// Passed says that a run has passed on exactly this code, so that nothing would run; it is
	// empty if none has.
	Passed string
	// LimitReached reports that the run has used up its iterations, so that nothing would run.
	// AtLimit is what to do then.
	LimitReached bool
	AtLimit      string
	// Closes is the status with which the run would be closed without an iteration, because
	// everything that was left is skipped; it is empty if the run would stay open.
	Closes ledger.RunStatus
	// Marks counts the marks in the review files that the next iteration would record first. The
	// other fields are computed as if they were recorded.
	Marks int
	// Changes says how much it would compare, and with what. Everything says why reviewers would be
	// shown the whole change although a run has passed before.
	Changes    string
	Everything []string
	// Changed are the paths that the iteration compares.
	Changed []string
	// Calls is the least number of calls of a model: one for each slot that is asked and not filled
	// by the built-in reviewer.
	Calls int
	// Owed has the gates that must run even if nothing has changed.
	Owed []ledger.Owed
	Jobs []DetectedJob
}

// DetectedJob says whether a job would run, and why.
type DetectedJob struct {
	ID   string `json:"job"`
	Runs bool   `json:"runs"`
	Why  string `json:"why"`
	// Slots says for each slot of a review which adapter fills it, or why none does.
	Slots []string `json:"slots"`
}

// Detect returns what Run would do with the same options. It does not do or record anything. The
// Runner's ledger may be nil if there is none.
func (r *Runner) Detect(ctx context.Context, o Options) (Detection, error) {
	if err := r.validate(o); err != nil {
		return Detection{}, err
	}
	i := &iteration{Runner: r, options: o}
	d := Detection{}
	if err := i.recallForDetection(ctx, &d); err != nil {
		return d, err
	}
	d.Iteration, d.Rerun = i.number, i.rerun
	if err := i.Repo.WriteApart(); err != nil {
		return d, err
	}
	err := i.followBase(ctx)
	if err != nil {
		return d, err
	}
	if i.snapshot, err = i.Snapshot(ctx); err != nil {
		return d, err
	}
	if i.Ledger != nil {
		_, already, err := i.passedAlready(ctx, func() (diff.Snapshot, error) { return i.snapshot, nil })
		if d.Passed = already.Reason; d.Passed != "" || err != nil {
			return d, err
		}
	}
	if err := i.findScope(ctx); err != nil {
		return d, err
	}
	err = i.detect(ctx, &d)
	if errors.Is(err, diff.ErrGone) {
		if err = i.forgetLostTrees(ctx); err == nil {
			d.Jobs, d.Calls = nil, 0
			err = i.detect(ctx, &d)
		}
	}
	return d, err
}

// detect finds out what the iteration would do with its scope.
func (i *iteration) detect(ctx context.Context, d *Detection) (err error) {
	if d.LimitReached = i.rerun && ledger.RetryLimitReached(i.state, i.Config.MaxRetries); d.LimitReached {
		d.AtLimit = ledger.StepAtLimit(i.state, i.snapshot.Tree)
		d.Closes, err = i.closes(ctx)
		return err
	}
	d.Changed = i.scope.narrowed.Paths()
	jobs, owed, err := i.findOwed(ctx)
	if err != nil {
		return err
	}
	d.Owed = owed
	if len(d.Changed) > 0 || len(d.Owed) > 0 {
		if err := i.detectJobs(ctx, jobs, d); err != nil {
			return err
		}
	}
	d.Everything = slices.DeleteFunc([]string{i.everything, i.baseLine}, func(line string) bool { return line == "" })
	d.Changes = i.changes()
	if !slices.ContainsFunc(d.Jobs, func(job DetectedJob) bool { return job.Runs }) {
		d.Closes, err = i.closes(ctx)
	}
	return err
}

// closes returns the status with which the run would pass by its rows as they are, or "".
func (i *iteration) closes(ctx context.Context) (ledger.RunStatus, error) {
	status := ledger.Assess(i.state).Status
	if !i.rerun || !status.Passes() {
		return "", nil
	}
	if stale, err := i.stale(ctx); len(stale) > 0 || err != nil {
		return "", err
	}
	return status, nil
}

// recallForDetection does the same as recall, without recording anything.
func (i *iteration) recallForDetection(ctx context.Context, d *Detection) error {
	i.state, i.number = &ledger.State{}, 1
	facts := ledger.ProgressFacts{}
	loop, marks, err := i.findPosition(ctx, &facts)
	if err != nil {
		return err
	}
	switch facts.Owner {
	case ledger.OwnLoop, ledger.EmptiedLoop:
		if facts.Left != nil {
			return facts.Left
		}
		i.rerun, i.state, d.Marks = true, facts.Open, marks
		i.emptied = facts.Owner == ledger.EmptiedLoop
		i.number = max(loop.Highest, i.state.LastIteration()) + 1
	case ledger.LostLoop:
		if err := i.checkBranch(ctx, filesOf(loop.Run)); err != nil {
			return err
		}
		i.rerun, d.Unknown = true, true
		i.number = loop.Highest + 1
		if i.state.Run.Base, i.state.Run.BaseRef, err = i.rebuiltBase(ctx, loop.Run); err != nil {
			return err
		}
		return i.refuseCommitted(ctx, i.state.Run.Base)
	}
	return nil
}

// detectJobs adds the jobs and what the iteration would do with them.
func (i *iteration) detectJobs(ctx context.Context, jobs []config.Job, d *Detection) error {
	var err error
	if i.plannedJobs, err = i.planJobs(ctx, jobs); err != nil {
		return err
	}
	since := ""
	if i.rerun { // which often compares with something else
		since = " since " + i.state.Run.BaseRef
	}
	why := map[string]string{}
	for _, job := range i.scope.touched {
		why[job.ID()] = fmt.Sprintf("%s in %s%s", ledger.Plural(len(i.scope.whole.Filter(job.Covers)), "changed file"), job.Entry, since)
	}
	planned, covered := i.jobs, i.coveredJobs
	for _, job := range jobs {
		detected := DetectedJob{ID: job.ID(), Runs: true, Why: cmp.Or(why[job.ID()], "executed earlier in this run")}
		if len(covered) > 0 && covered[0].ID() == detected.ID {
			detected.Runs, detected.Why, covered = false, covered[0].reason(), covered[1:]
		} else {
			i.detectReview(planned[0], d, &detected)
			planned = planned[1:]
		}
		d.Jobs = append(d.Jobs, detected)
	}
	return nil
}

// detectReview adds who would fill the slots of a review; a check has none.
func (i *iteration) detectReview(job slots.Job, d *Detection, detected *DetectedJob) {
	if job.Review != nil && i.since != nil && i.restOf(job.Job).Run != "" {
		detected.Why = fmt.Sprintf("%s in %s since the run that passed", ledger.Plural(len(i.since.diff.Filter(job.Covers).Files), "changed file"), job.Entry)
	}
	if job.Unfillable != "" {
		detected.Why = job.Unfillable
		return
	}
	if job.Shortage != "" {
		i.Console.Warn(job.Shortage)
	}
	for _, slot := range job.Slots {
		line := fmt.Sprintf("@%d %s", slot.Index, slot.Adapter)
		if !slot.Skip && i.Config.AsksModel(slot.Adapter) {
			d.Calls++
		}
		switch {
		case slot.Skip:
			line += fmt.Sprintf(": skipped, passed in iteration %d", slot.PassIteration)
		case slot.Latch:
			line += ": runs although every slot has passed"
		case len(slot.Claims) > 0:
			line += fmt.Sprintf(": %s to verify", ledger.Plural(len(slot.Claims), "claim"))
		}
		detected.Slots = append(detected.Slots, line)
	}
}
