package loop

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// executeCheck runs a check and records how it ended.
func (i *iteration) executeCheck(ctx context.Context, job slots.Job) (ledger.GateStatus, error) {
	if i.folderDeleted(job) {
		reason := "nothing to check: the change deletes its folder"
		i.Console.CheckDone(ledger.CheckOutcome{Job: job.ID, Status: ledger.GatePassed, Reason: reason})
		return ledger.GatePassed, i.recorder.FinishCheck(ctx, job.ID, store.CheckResult{
			Status: ledger.GatePassed, Reason: reason, ExitCode: -1,
		})
	}
	started := i.Now()
	path, shown := i.Files.CheckLog(job.ID, i.number)
	i.Console.Running(ledger.Running{Job: job.ID, Log: shown})
	result, err := check.Run(ctx, check.Request{
		JobID: job.ID, Command: job.Check.Command,
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
	err = i.recorder.FinishCheck(ctx, job.ID, store.CheckResult{
		Status: status, Reason: result.Reason, ExitCode: result.ExitCode,
		Problems: result.Problems, Excerpt: result.Excerpt, Duration: result.Duration, Started: started, Log: tail,
	})
	if err != nil {
		return "", err
	}
	i.ended.add(prompt.Check{Name: job.Name, Passed: status == ledger.GatePassed})
	i.Console.CheckDone(ledger.CheckOutcome{Job: job.ID, Status: status, Reason: result.Reason, Log: shown, Excerpt: result.Excerpt, Duration: result.Duration})
	return status, nil
}

// endedChecks collects the results of checks that reviewers are told. It is safe for concurrent
// use.
type endedChecks struct {
	mu   sync.Mutex
	list []prompt.Check
}

func (e *endedChecks) add(check prompt.Check) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, check)
}

func (e *endedChecks) soFar() []prompt.Check {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// folderDeleted reports whether the check would run in its entry point's folder, and that folder no
// longer exists.
//
// Rule: A snapshot holds the whole working tree.
func (i *iteration) folderDeleted(job slots.Job) bool {
	return job.Check.WorkingDirectory == "" && i.Repo.Missing(job.WorkingDirectory())
}

// baseBranch returns the value of BASE_BRANCH in the environment of checks.
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

// maxKeptLog is how many bytes from the end of a check's log the ledger keeps.
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
