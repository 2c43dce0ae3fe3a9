package loop

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// executeCheck runs a check and records how it ended.
func (i *iteration) executeCheck(ctx context.Context, job slots.Job) (ledger.GateStatus, error) {
	if i.folderDeleted(job) {
		reason := "nothing to check: the change deletes its folder"
		result := ledger.CheckResult{Status: ledger.GatePassed, Reason: reason, ExitCode: -1}
		i.Console.CheckDone(job.ID, result, "")
		return result.Status, i.recorder.FinishCheck(ctx, job.ID, result, time.Time{}, nil)
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
	tail, err := logTail(path)
	if err != nil {
		return "", err
	}
	if err := i.recorder.FinishCheck(ctx, job.ID, result, started, tail); err != nil {
		return "", err
	}
	i.ended.add(prompt.Check{Name: job.Name, Passed: result.Status == ledger.GatePassed})
	i.Console.CheckDone(job.ID, result, shown)
	return result.Status, nil
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
