package loop

import (
	"context"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// silent are the adapters of the configuration that cannot answer a dispute.
//
// Rule: Only its reporter withdraws a finding.
func (r *Runner) silent() (adapters []string, err error) {
	return r.Adapters.Silent(slices.Collect(maps.Keys(r.Config.Adapters)))
}

// fillers returns the adapters that would fill the slots of a review job with disputes now,
// in the order of the slots; none if no adapter can be asked or nothing is disputed.
func (i *iteration) fillers(ctx context.Context, job config.Job) ([]string, error) {
	disputed := false
	for _, v := range i.state.Violations {
		disputed = disputed || v.Job == job.ID() && v.Fate() == ledger.StatusDisputed
	}
	if !disputed {
		return nil, nil
	}
	health, err := i.health(ctx)
	if err != nil {
		return nil, err
	}
	filled := slots.Job{Job: job, ID: job.ID()}
	for index := 1; index <= job.Review.NumReviews; index++ {
		filled.Slots = append(filled.Slots, slots.Slot{SlotPlan: ledger.SlotPlan{Index: index}})
	}
	if err := health.Fill(&filled); err != nil || filled.Unfillable != "" {
		return nil, err
	}
	return filled.Adapters(), nil
}

// plannedWith returns the jobs as they are planned, with the adapters of those that have
// disputes.
func (i *iteration) plannedWith(ctx context.Context, jobs []config.Job) (planned []ledger.Planned, err error) {
	planned = make([]ledger.Planned, 0, len(jobs))
	for _, job := range jobs {
		p := i.planned(job)
		if p.Adapters, err = i.fillers(ctx, job); err != nil {
			return nil, err
		}
		planned = append(planned, p)
	}
	return planned, nil
}

// warnWaiting says which disputes wait for a reviewer that is not asked now. Those of gates that
// are not executed at all wait for the gates.
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
