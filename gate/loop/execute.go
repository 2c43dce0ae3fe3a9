package loop

import (
	"context"
	"fmt"
	"runtime"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// execute runs the iteration's gates: those that may run in parallel at the same time, the others
// one after another in a separate lane.
func (i *iteration) execute(ctx context.Context) error {
	for _, job := range i.coveredJobs {
		i.Console.CheckDone(job.ID(), ledger.CheckResult{Status: ledger.GateNotRun, Reason: job.reason()}, "")
	}
	checks := make(chan struct{}, max(2, runtime.NumCPU()))
	return i.asker.Spread(i.jobs, func(job slots.Job) error {
		if job.Check != nil {
			checks <- struct{}{}
			defer func() { <-checks }()
		}
		_, err := i.executeJob(ctx, job)
		return err
	}, func(jobs []slots.Job) error { return i.executeLane(ctx, jobs) })
}

// executeLane runs jobs one after another. After a failed check with fail_fast it runs no more
// checks.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (i *iteration) executeLane(ctx context.Context, jobs []slots.Job) error {
	stopped := ""
	for _, job := range jobs {
		if stopped != "" && job.Check != nil {
			reason := fmt.Sprintf("not run: %s failed and has fail_fast", stopped)
			i.Console.CheckDone(job.ID, ledger.CheckResult{Status: ledger.GateNotRun, Reason: reason}, "")
			if err := i.recorder.NotRun(ctx, job.ID, reason); err != nil {
				return err
			}
			continue
		}
		status, err := i.executeJob(ctx, job)
		if err != nil {
			return err
		}
		if status == ledger.GateFailed && job.Check != nil && job.Check.FailFast {
			stopped = job.ID
		}
	}
	return nil
}

func (i *iteration) executeJob(ctx context.Context, job slots.Job) (ledger.GateStatus, error) {
	if ctx.Err() != nil {
		return ledger.GateInterrupted, nil
	}
	if !i.asker.Begin(job) {
		return ledger.GateError, nil
	}
	if job.Kind == config.KindCheck {
		return i.executeCheck(ctx, job)
	}
	return i.executeReview(ctx, job)
}
