package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// plannedJob is a job that the iteration executes.
type plannedJob struct {
	config.Job
	id string
	// broken says why a review cannot be executed; empty otherwise.
	broken string
	slots  []plannedSlot
}

// plannedSlot is a slot with the reviewer that fills it and what it is shown.
type plannedSlot struct {
	ledger.SlotPlan
	adapter  string
	reviewer review.Reviewer
	// diff is the job's part of what the slot is shown, and to the commit or
	// tree that it ends at.
	diff *diff.Diff
	to   string
	// answered reports whether the slot has answered before in this run.
	answered bool
	// since is what changed since the slot's last answer; nil before its first.
	since *diff.Diff
	// claims are put to verification, context are claims whose place is not
	// under review, and open is what is known and not to be reported anew.
	claims, context, open []ledger.Violation
}

func (j plannedJob) gatePlan() store.GatePlan {
	plan := store.GatePlan{Job: j.id, Kind: ledger.GateKind(j.Kind), EntryPoint: j.Entry, Name: j.Name, Error: j.broken}
	if j.Check != nil {
		plan.Command = j.Check.Command
		return plan
	}
	plan.NumReviews = j.Review.NumReviews
	for _, slot := range j.slots {
		plan.Slots = append(plan.Slots, store.PlannedSlot{SlotPlan: slot.SlotPlan, Adapter: slot.adapter, Reviewed: slot.reviewed()})
	}
	return plan
}

func (s plannedSlot) reviewed() string {
	if s.Skip {
		return ""
	}
	return s.to
}

// planJobs turns the jobs into what the iteration executes. A review job that
// has passed and has nothing new to show is left out: there would be nothing
// for a reviewer to look at.
func (i *iteration) planJobs(ctx context.Context, jobs []config.Job) ([]plannedJob, error) {
	var planned []plannedJob
	var health *health
	for _, job := range jobs {
		if job.Kind == config.KindCheck {
			planned = append(planned, plannedJob{Job: job, id: job.ID()})
			continue
		}
		alone, err := i.leftAlone(ctx, job)
		if err != nil {
			return nil, err
		}
		if alone {
			continue
		}
		if health == nil {
			if health, err = i.checkHealth(ctx); err != nil {
				return nil, err
			}
		}
		p, err := i.planReview(ctx, job, health)
		if err != nil {
			return nil, err
		}
		planned = append(planned, p)
	}
	return planned, nil
}

// leftAlone reports whether the review job has passed and none of its slots has
// anything new to see. What a slot has seen is its own matter: a commit may have
// emptied the iteration's diff, or the session ref be younger than its answer.
func (i *iteration) leftAlone(ctx context.Context, job config.Job) (bool, error) {
	id := job.ID()
	gate := i.state.LatestGate(id)
	if gate == nil || gate.Status != ledger.GatePassed {
		return false, nil
	}
	for _, v := range i.state.ViolationsOf(id) {
		if v.Status.Open() || v.Claim() {
			return false, nil
		}
	}
	for index := 1; index <= job.Review.NumReviews; index++ {
		if i.state.LatestSlot(id, index) == nil {
			return false, nil
		}
		unseen, _, err := i.slotDiff(ctx, job, index)
		if err != nil || !unseen.Empty() {
			return false, err
		}
	}
	return true, nil
}

func (i *iteration) planReview(ctx context.Context, job config.Job, health *health) (plannedJob, error) {
	p := plannedJob{Job: job, id: job.ID()}
	adapters, sick := health.of(job.Review.CLIPreference)
	if len(adapters) == 0 {
		p.broken = "no healthy adapters: " + strings.Join(sick, ", ")
		return p, nil
	}
	for _, plan := range ledger.PlanSlots(i.state, p.id, job.Review.NumReviews) {
		slot := plannedSlot{SlotPlan: plan, adapter: adapters[(plan.Index-1)%len(adapters)]}
		if !plan.Skip {
			if err := i.planSlot(ctx, &p, &slot); err != nil {
				return p, err
			}
		}
		p.slots = append(p.slots, slot)
	}
	return p, nil
}

// planSlot finds what the slot is shown: its part of the diff, the claims that
// it is to verify, and what is open.
func (i *iteration) planSlot(ctx context.Context, job *plannedJob, slot *plannedSlot) (err error) {
	if slot.reviewer, err = i.Reviewers(slot.adapter); err != nil {
		return err
	}
	if slot.diff, slot.to, err = i.slotDiff(ctx, job.Job, slot.Index); err != nil {
		return err
	}
	if answered := i.state.LatestAnswer(job.id, slot.Index); answered != nil {
		slot.answered = true
		slot.since = slot.diff
		if answered.Reviewed != "" {
			if slot.since, err = i.scope.diffs.get(ctx, answered.Reviewed, slot.to); err != nil {
				return err
			}
		}
	}
	return i.planViolations(ctx, job, slot)
}

// planViolations sorts the job's violations into what the slot is shown. Skipped
// ones are never shown.
//
// Requirement: JSON-Based Previous Failure Parsing, "Status filtering for rerun".
func (i *iteration) planViolations(ctx context.Context, job *plannedJob, slot *plannedSlot) error {
	for _, v := range i.state.ViolationsOf(job.id) {
		here, err := i.carry(ctx, v.Tree, slot.to, v.Place)
		if err != nil {
			return err
		}
		switch {
		case v.Status.Open():
			v.Place = here
			slot.open = append(slot.open, v)
		case v.Claim() && ledger.ResponsibleSlot(v.Slot, job.Review.NumReviews) == slot.Index:
			v.Place = here
			if i.options.Commit != "" && !slot.diff.Contains(here.File, here.Start, here.End) {
				slot.context = append(slot.context, v)
			} else {
				slot.claims = append(slot.claims, v)
			}
		}
	}
	return nil
}

// carry takes a place in a tree to the tree that is reviewed now. A tree that is
// not known leaves it as it is.
func (i *iteration) carry(ctx context.Context, tree, to string, place ledger.Place) (ledger.Place, error) {
	if tree == "" {
		return place, nil
	}
	d, err := i.scope.diffs.get(ctx, tree, to)
	if err != nil {
		return place, err
	}
	place.File, place.Start, place.End = d.Carry(place.File, place.Start, place.End)
	return place, nil
}

// health tells which adapters can be asked.
type health struct {
	runner   *Runner
	cooling  map[string]time.Time
	verdicts map[string]string
}

func (r *Runner) checkHealth(ctx context.Context) (*health, error) {
	cooling, err := r.Ledger.Cooldowns(ctx)
	return &health{runner: r, cooling: cooling, verdicts: map[string]string{}}, err
}

// of splits the preference into adapters that can be asked, and reasons why the
// others cannot.
func (h *health) of(preference []string) (healthy, sick []string) {
	for _, adapter := range preference {
		if reason := h.verdict(adapter); reason != "" {
			sick = append(sick, fmt.Sprintf("%s (%s)", adapter, reason))
		} else {
			healthy = append(healthy, adapter)
		}
	}
	return healthy, sick
}

func (h *health) verdict(adapter string) string {
	if verdict, ok := h.verdicts[adapter]; ok {
		return verdict
	}
	verdict := ""
	if until, cooling := h.cooling[adapter]; cooling {
		verdict = "usage limit, left alone until " + until.Local().Format("15:04")
	} else if err := h.runner.LookPath(adapter); err != nil {
		verdict = "not on PATH"
	}
	h.verdicts[adapter] = verdict
	return verdict
}

// callError is the review package's error, if err is one.
func callError(err error) (*review.CallError, bool) {
	var e *review.CallError
	return e, errors.As(err, &e)
}
