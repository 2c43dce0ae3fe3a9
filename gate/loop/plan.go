package loop

// This file plans the jobs and slots of an iteration: it finds the facts that [ledger.PlanSlots]
// needs, and turns its plan into jobs that can be executed.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// plan plans the jobs of the iteration. execute is false if there is nothing to execute.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (i *iteration) plan(ctx context.Context) (outcome Outcome, execute bool, err error) {
	jobs, owed, err := i.findOwed(ctx)
	if err != nil {
		return Outcome{}, false, err
	}
	if i.scope.narrowed.Empty() && len(owed) == 0 && !i.options.Force && !i.options.Whole {
		outcome, err := i.nothing(ctx, "No changes detected")
		return outcome, false, err
	}
	if i.plannedJobs, err = i.planJobs(ctx, jobs); err != nil {
		return Outcome{}, false, err
	}
	// If the run passes by its rows, only files that no gate looks at have changed: an iteration
	// without a gate passes over them.
	all := i.options.Command == CommandRun && len(i.options.Gates) == 0
	status := ledger.Assess(i.state).Status
	if len(i.jobs) > 0 || len(i.coveredJobs) > 0 && (!i.rerun || all && status.Passes()) {
		return Outcome{}, true, nil
	}
	if i.passed != nil {
		outcome = *i.passed
		outcome.Reason = fmt.Sprintf("There is no check to run, and run %s has passed on exactly this code. To review it again: `reviewledger run --again`", outcome.Run)
		i.Console.Conclude(outcome.Reason)
		return outcome, false, nil
	}
	i.gateless = all
	reason := i.noneApplies()
	_, former, err := i.ungated(ctx, i.state.Run.Base, i.scope.whole.Paths())
	if err != nil {
		return Outcome{}, false, err
	}
	if former != "" && former != config.File { // in a configuration that cannot be read, no gate is known
		reason += fmt.Sprintf(", but %s did by the configuration that they change", former)
	}
	outcome, err = i.nothing(ctx, reason)
	// No gate applies, but the run is known to fail, so this is not a success.
	if err == nil && i.rerun && !status.Passes() {
		outcome.Status, outcome.NothingToDo = status, false
		if outcome.Next != ledger.CommandClean {
			outcome.Next = ""
		}
	}
	return outcome, false, err
}

// noneApplies says that none of the gates that the command runs applies.
func (i *iteration) noneApplies() string {
	kind := "gate"
	if len(i.options.Gates) == 0 && slices.ContainsFunc(i.scope.touched, i.Applies) { // one of the other kind does
		kind = string(i.options.Command)
	}
	return fmt.Sprintf("No %s applies to these changes", kind)
}

// findOwed returns the jobs of this invocation, and the gates that it owes whatever has changed.
func (i *iteration) findOwed(ctx context.Context) (jobs []config.Job, owed []ledger.Owed, err error) {
	jobs = i.findJobs()
	if err = i.findRests(ctx, jobs); err == nil {
		i.since, err = i.compareWithRest(ctx, jobs)
	}
	if err != nil {
		return nil, nil, err
	}
	owed, err = i.owed(ctx, jobs)
	return jobs, owed, err
}

// findJobs returns the jobs of this invocation: those of the entry points with changes in the run's
// whole diff, those that the run has executed before, and those that answer for what a gate left that
// is gone.
//
// Rule: Flags restrict what runs, never what is outstanding.
// Rule: Checks always run again.
func (i *iteration) findJobs() (jobs []config.Job) {
	seen := map[string]bool{}
	add := func(job config.Job) {
		wanted := i.options.Command.runs(job.Kind) && i.options.wants(job.Name)
		if !seen[job.ID()] && wanted && i.Applies(job) {
			seen[job.ID()] = true
			jobs = append(jobs, job)
		}
	}
	for _, job := range i.scope.touched {
		add(job)
	}
	for _, id := range slices.Concat(i.state.Jobs(), i.state.Heirs()) {
		if job, ok := i.Config.JobByID(id); ok {
			add(job)
		}
	}
	return jobs
}

// gatePlan returns the job as the ledger records it, with the pass that a review rests on.
func (i *iteration) gatePlan(job slots.Job) ledger.GatePlan {
	plan := job.Plan()
	plan.ConfigHash = i.gateHash(job.Job)
	if job.Review != nil {
		plan.RestsOn = i.restOf(job.Job).Run
	}
	return plan
}

// coveredJob is a review job that is not executed, because nothing in its part has changed since an
// iteration or since an earlier run that passed.
type coveredJob struct {
	config.Job
	since int
	// passed is the earlier run whose pass it rests on, if since is 0.
	passed string
}

func (c coveredJob) reason() string {
	if c.since == 0 {
		return fmt.Sprintf("nothing in its part changed since run %s passed", c.passed)
	}
	return fmt.Sprintf("nothing in its part changed since iteration %d", c.since)
}

// plannedJobs are the jobs that the iteration executes.
type plannedJobs struct {
	jobs []slots.Job
	// coveredJobs are the review jobs that are not executed, because their reviewers have seen
	// everything already.
	coveredJobs []coveredJob
}

// planJobs turns the jobs into what the iteration executes.
func (i *iteration) planJobs(ctx context.Context, jobs []config.Job) (planned plannedJobs, err error) {
	with, err := i.plannedWith(ctx, jobs)
	if err != nil {
		return planned, err
	}
	absent := ledger.Absent(i.state.Violations, with)
	for _, job := range jobs {
		if job.Kind == config.KindCheck {
			planned.jobs = append(planned.jobs, slots.Job{Job: job, ID: job.ID()})
			continue
		}
		since, covered, err := i.covered(ctx, job)
		if err != nil {
			return planned, err
		}
		if covered && !i.options.Force {
			planned.coveredJobs = append(planned.coveredJobs, coveredJob{job, since, i.restOf(job).Run})
			continue
		}
		p, err := i.planReview(ctx, job, absent)
		if err != nil {
			return planned, err
		}
		planned.jobs = append(planned.jobs, p)
	}
	i.sayReconfigured(planned.jobs)
	return planned, nil
}

// sayReconfigured notes the reviews that are shown everything again because their configuration has changed
// since they answered.
//
// Rule: No slot passes what it was not shown.
func (i *iteration) sayReconfigured(jobs []slots.Job) {
	var changed []string
	for _, job := range jobs {
		again := func(slot slots.Slot) bool {
			answered := i.state.LatestAnswer(job.ID, slot.Index)
			return !slot.Skip && slot.Everything && answered != nil && i.state.Reconfigured(i.planned(job.Job), answered)
		}
		if slices.ContainsFunc(job.Slots, again) {
			changed = append(changed, job.ID)
		}
	}
	if len(changed) > 0 && !i.whole() {
		i.everything = fmt.Sprintf("reviewing everything since %s: the configuration of %s has changed", i.state.Run.BaseRef, strings.Join(changed, ", "))
	}
}

// filled returns the review job with the adapters that fill its slots now.
func (i *iteration) filled(ctx context.Context, job config.Job) (slots.Job, error) {
	if i.health == nil { // only once, because it looks for programs
		var cooling map[string]time.Time
		if i.Ledger != nil {
			var err error
			if cooling, err = i.Ledger.Cooldowns(ctx); err != nil {
				return slots.Job{}, err
			}
		}
		i.health = i.Adapters.Health(cooling)
	}
	filled := slots.Job{Job: job, ID: job.ID()}
	err := i.health.Fill(&filled, job.Review.NumReviews)
	return filled, err
}

// planReview plans a review's slots: which of them are asked, by which adapter, and about what.
func (i *iteration) planReview(ctx context.Context, job config.Job, absent map[string][]ledger.Reporter) (slots.Job, error) {
	p, err := i.filled(ctx, job)
	if err != nil || p.Unfillable != "" {
		p.Slots = nil
		return p, err
	}
	if !i.options.Force && !i.options.Whole && !i.emptied {
		for n, plan := range ledger.PlanSlots(i.state, p.ID, p.Fillers) {
			p.Slots[n].SlotPlan = plan
		}
	}
	for n := range p.Slots {
		if slot := &p.Slots[n]; !slot.Skip {
			if err := i.planSlot(ctx, p, slot, absent); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// planSlot determines what the slot is shown: its part of the diff, the claims to verify, and the
// open violations.
func (i *iteration) planSlot(ctx context.Context, job slots.Job, slot *slots.Slot, absent map[string][]ledger.Reporter) (err error) {
	if err = i.show(ctx, job.Job, slot); err != nil {
		return err
	}
	if i.options.Force && slot.Diff.Empty() { // else it would have nothing to look at
		if slot.Diff, err = i.part(ctx, i.state.Whole(), i.snapshot.Tree, job.Job); err != nil {
			return err
		}
		slot.To, slot.New = i.snapshot.Tree, nil
	}
	if answered := i.state.LatestAnswer(job.ID, slot.Index); answered != nil && !i.emptied {
		slot.Answered = true
		slot.Since = slot.Diff
		if answered.Reviewed != "" {
			if slot.Since, err = i.scope.diffs.Over(ctx, i.span(i.state.SeenBy(answered), slot.To)); err != nil {
				return err
			}
		}
	}
	if i.restOf(job.Job).Run != "" {
		if slot.Whole, err = i.part(ctx, i.state.Whole(), i.snapshot.Tree, job.Job); err != nil {
			return err
		}
	}
	slot.InRange = func(place ledger.Place) (bool, error) { return i.inRange(ctx, slot.To, place) }
	if err := slot.Show(ctx, i.scope.diffs, i.state, job, absent, i.options.Commit != "", i.Ledger.WordsOnClaims); err != nil {
		return err
	}
	return slot.ShowOthers(ctx, i.scope.diffs, i.state, job.ID)
}

// silent returns the configured adapters that cannot answer a dispute.
//
// Rule: Only its reporter withdraws a finding.
func (r *Runner) silent() (adapters []string, err error) {
	return r.Adapters.Silent(slices.Collect(maps.Keys(r.Config.Adapters)))
}

// plannedWith returns the jobs as they are planned. Those with claims or disputes name who fills
// their slots.
func (i *iteration) plannedWith(ctx context.Context, jobs []config.Job) ([]ledger.Planned, error) {
	planned := make([]ledger.Planned, 0, len(jobs))
	for _, job := range jobs {
		p := i.planned(job)
		asked := slices.ContainsFunc(i.state.Violations, func(v ledger.Violation) bool {
			return v.Job == p.Job && (v.Claim() || v.Fate() == ledger.StatusDisputed)
		})
		if asked {
			filled, err := i.filled(ctx, job)
			if err != nil {
				return nil, err
			}
			p.Fillers = filled.Fillers
		}
		planned = append(planned, p)
	}
	return planned, nil
}

// warnWaiting names the disputes that wait for a reviewer that is not asked now. Disputes of gates
// that are not executed wait for their gate, and are not named.
//
// Rule: Only its reporter withdraws a finding.
func (i *iteration) warnWaiting(planned []ledger.Planned) {
	absent := ledger.Absent(i.state.Violations, planned)
	for _, v := range i.state.Violations {
		executed := slices.ContainsFunc(planned, func(p ledger.Planned) bool { return p.Job == v.Job })
		if len(absent[v.ID]) > 0 && executed {
			i.Console.Warn(ledger.Waiting(v, absent[v.ID]))
		}
	}
}
