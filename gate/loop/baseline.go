package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/ledger"
)

// baseline runs the checks that failed in this iteration once on the run's base, in a temporary
// working tree, and returns which of them fail there, too. The result is neither recorded nor used
// in a decision.
//
// Rule: A run passes only if nothing is outstanding.
func (i *iteration) baseline(ctx context.Context, failing []ledger.Gate) (fails map[string]bool, err error) {
	var jobs []config.Job
	for _, gate := range failing {
		if job, ok := i.Config.JobByID(gate.Job); ok && gate.Iteration == i.number {
			jobs = append(jobs, job)
		}
	}
	if !i.options.Baseline || len(jobs) == 0 {
		return nil, nil
	}
	if there, err := i.Repo.HasCommit(ctx, i.state.Run.Base); err != nil || !there {
		i.Console.Conclude("There is no commit to compare the failing checks with")
		return nil, err
	}
	base, err := i.Repo.CheckOut(ctx, i.state.Run.Base)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, base.Remove()) }()
	fails = map[string]bool{}
	for n, job := range jobs {
		dir := filepath.Join(base.Root, filepath.FromSlash(job.WorkingDirectory()))
		if _, err := os.Stat(dir); err != nil {
			i.Console.Conclude(fmt.Sprintf("%s cannot be run on %s, which does not have its folder", job.ID(), i.state.Run.BaseRef))
			continue
		}
		result, err := check.Run(ctx, check.Request{
			JobID: job.ID(), Command: job.Check.Command, Dir: dir, Timeout: job.Check.Timeout, BaseBranch: i.baseBranch(),
			LogPath: filepath.Join(base.Beside, fmt.Sprintf("%d.log", n)),
		})
		if err != nil || ctx.Err() != nil {
			return fails, errors.Join(err, ctx.Err())
		}
		words := "passes on %s"
		switch failed := (ledger.Gate{ExitCode: result.ExitCode}); {
		case result.Status == ledger.GateError, failed.CouldNotStart():
			i.Console.Conclude(fmt.Sprintf("%s could not be started on %s", job.ID(), i.state.Run.BaseRef))
			continue
		case result.Status == ledger.GateFailed:
			words = "fails on %s too"
			fails[job.ID()] = true
		default:
			fails[job.ID()] = false
		}
		i.Console.Conclude(job.ID() + " " + fmt.Sprintf(words, i.state.Run.BaseRef))
	}
	return fails, nil
}
