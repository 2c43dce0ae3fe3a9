package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// execute runs the iteration's gates: those that may run in parallel side by
// side, the others one after another in a lane of their own.
func (i *iteration) execute(ctx context.Context) error {
	var parallel, sequential []plannedJob
	for _, job := range i.jobs {
		if i.Config.AllowParallel && job.mayRunInParallel() {
			parallel = append(parallel, job)
		} else {
			sequential = append(sequential, job)
		}
	}
	var (
		wait      sync.WaitGroup
		mu        sync.Mutex
		errs      []error
		checks    = make(chan struct{}, max(2, runtime.NumCPU()))
		reviewers = make(chan struct{}, maxReviewers)
	)
	failed := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			errs = append(errs, err)
		}
	}
	for _, job := range parallel {
		wait.Go(func() {
			if job.Kind == config.KindCheck {
				checks <- struct{}{}
				defer func() { <-checks }()
			}
			_, err := i.executeJob(ctx, job, reviewers)
			failed(err)
		})
	}
	wait.Go(func() { failed(i.executeLane(ctx, sequential, reviewers)) })
	wait.Wait()
	return errors.Join(errs...)
}

func (j plannedJob) mayRunInParallel() bool {
	if j.Check != nil {
		return j.Check.Parallel
	}
	return j.Review.Parallel
}

// executeLane runs jobs one after another. A failed check with fail_fast stops
// the checks behind it.
func (i *iteration) executeLane(ctx context.Context, jobs []plannedJob, reviewers chan struct{}) error {
	stopped := ""
	for _, job := range jobs {
		if stopped != "" && job.Check != nil {
			reason := fmt.Sprintf("not run: %s failed and has fail_fast", stopped)
			i.Console.CheckDone(ledger.CheckOutcome{Job: job.id, Status: ledger.GateNotRun, Reason: reason})
			if err := i.recorder.NotRun(ctx, job.id, reason); err != nil {
				return err
			}
			continue
		}
		status, err := i.executeJob(ctx, job, reviewers)
		if err != nil {
			return err
		}
		if status == ledger.GateFailed && job.Check != nil && job.Check.FailFast {
			stopped = job.id
		}
	}
	return nil
}

func (i *iteration) executeJob(ctx context.Context, job plannedJob, reviewers chan struct{}) (ledger.GateStatus, error) {
	if ctx.Err() != nil {
		return ledger.GateInterrupted, nil
	}
	switch {
	case job.broken != "":
		i.Console.CheckDone(ledger.CheckOutcome{Job: job.id, Status: ledger.GateError, Reason: job.broken})
		return ledger.GateError, nil
	case job.Kind == config.KindCheck:
		return i.executeCheck(ctx, job)
	}
	return i.executeReview(ctx, job, reviewers)
}

func (i *iteration) executeCheck(ctx context.Context, job plannedJob) (ledger.GateStatus, error) {
	i.Console.GateStarted(job.id)
	if i.folderDeleted(job) {
		reason := "nothing to check: the change deletes its folder"
		i.Console.CheckDone(ledger.CheckOutcome{Job: job.id, Status: ledger.GatePassed, Reason: reason})
		return ledger.GatePassed, i.recorder.FinishCheck(ctx, job.id, store.CheckResult{
			Status: ledger.GatePassed, Reason: reason, ExitCode: -1,
		})
	}
	path, shown := i.LogDir.CheckLog(job.id, i.number)
	result, err := check.Run(ctx, check.Request{
		JobID: job.id, Command: job.Check.Command,
		Dir:     filepath.Join(i.Repo.Root, filepath.FromSlash(job.WorkingDirectory())),
		Timeout: job.Check.Timeout, BaseBranch: i.baseBranch(),
		FixInstructions: job.Check.FixInstructions, LogPath: path,
	})
	if err != nil {
		return "", err
	}
	status := checkStatus(result.Status)
	tail, err := logTail(path)
	if err != nil {
		return "", err
	}
	err = i.recorder.FinishCheck(ctx, job.id, store.CheckResult{
		Status: status, Reason: result.Reason, ExitCode: result.ExitCode,
		Problems: result.Problems, Duration: result.Duration, Log: tail,
	})
	if err != nil {
		return "", err
	}
	i.Console.CheckDone(ledger.CheckOutcome{Job: job.id, Status: status, Reason: result.Reason, Log: shown, Duration: result.Duration})
	return status, nil
}

// folderDeleted reports whether the check would run in its entry point's folder,
// and the change deletes that.
func (i *iteration) folderDeleted(job plannedJob) bool {
	if job.Check.WorkingDirectory != "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(i.Repo.Root, filepath.FromSlash(job.WorkingDirectory())))
	return errors.Is(err, fs.ErrNotExist) && !i.scope.whole.Filter(job.Covers).Empty()
}

// baseBranch is what checks find in BASE_BRANCH.
func (i *iteration) baseBranch() string {
	if i.options.BaseBranch != "" {
		return i.options.BaseBranch
	}
	return i.Config.BaseBranch
}

func checkStatus(status check.Status) ledger.GateStatus {
	switch status {
	case check.StatusPass:
		return ledger.GatePassed
	case check.StatusFail:
		return ledger.GateFailed
	case check.StatusInterrupted:
		return ledger.GateInterrupted
	}
	return ledger.GateError
}

// maxKeptLog is how much of the end of a check's log the ledger keeps, in bytes.
const maxKeptLog = 256 << 10

func logTail(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(max(0, info.Size()-maxKeptLog), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, maxKeptLog))
}

// executeReview runs the slots of a review gate and records how it ended.
func (i *iteration) executeReview(ctx context.Context, job plannedJob, reviewers chan struct{}) (ledger.GateStatus, error) {
	i.Console.GateStarted(job.id)
	start := i.Now()
	slots := make([]ledger.Slot, len(job.slots))
	errs := make([]error, len(job.slots))
	run := func(n int) {
		slot := job.slots[n]
		if slot.Skip {
			slots[n].Status, errs[n] = ledger.SlotSkipped, i.skipSlot(job, slot)
			return
		}
		reviewers <- struct{}{}
		defer func() { <-reviewers }()
		slots[n].Status, errs[n] = i.executeSlot(ctx, job, slot)
	}
	var wait sync.WaitGroup
	for n := range job.slots {
		if i.Config.AllowParallel && job.Review.Parallel {
			wait.Go(func() { run(n) })
		} else {
			run(n)
		}
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil || i.collected != nil {
		return "", err
	}
	status := ledger.GateResult(slots)
	return status, i.recorder.FinishReview(ctx, job.id, status, reviewReason(slots), i.Now().Sub(start))
}

func reviewReason(slots []ledger.Slot) string {
	n := map[ledger.SlotStatus]int{}
	for _, slot := range slots {
		n[slot.Status]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d in error, %d skipped",
		n[ledger.SlotPass], n[ledger.SlotFail], n[ledger.SlotError]+n[ledger.SlotInterrupted], n[ledger.SlotSkipped])
}

// skipSlot writes the files of a slot that is not asked.
//
// Requirement: Skip Passed Review Slots in Multi-Adapter Rerun, "Skipped slot
// JSON log format".
func (i *iteration) skipSlot(job plannedJob, slot plannedSlot) error {
	log, err := i.createSlotLog(job, slot)
	if err != nil {
		return err
	}
	document := ledger.SlotDocument{
		Job: job.id, Slot: slot.Index, Adapter: slot.adapter, Iteration: i.number, At: i.recorder.Began(),
		Status: ledger.SlotSkipped, PassIteration: slot.PassIteration,
	}
	path, err := i.LogDir.WriteSlot(document)
	if err != nil {
		return err
	}
	i.Console.SlotDone(ledger.SlotOutcome{
		Job: job.id, Adapter: slot.adapter, Slot: slot.Index, Status: ledger.SlotSkipped,
		PassIteration: slot.PassIteration, Path: path,
	})
	log.Parsed(document)
	log.Result(document.Status, fmt.Sprintf("passed in iteration %d", slot.PassIteration))
	return log.Close()
}
