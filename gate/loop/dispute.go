package loop

import (
	"context"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/ledger"
)

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
