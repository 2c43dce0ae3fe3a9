package loop

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/config"
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
	i.ended.add(job.ID, prompt.Check{Name: job.Name, Ended: checkEnded(result.Status, result.Reason), Excerpt: result.Excerpt, Tree: i.snapshot.Tree})
	i.Console.CheckDone(job.ID, result, shown)
	return result.Status, nil
}

// endedChecks collects the results of checks that reviewers are told, by job. It is safe for concurrent
// use.
type endedChecks struct {
	mu   sync.Mutex
	list map[string]prompt.Check
}

func (e *endedChecks) add(job string, check prompt.Check) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.list == nil {
		e.list = map[string]prompt.Check{}
	}
	e.list[job] = check
}

func (e *endedChecks) soFar() map[string]prompt.Check {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.list)
}

// checksSoFar returns how each check of the run, and of this iteration, ended when it ran last.
func (i *iteration) checksSoFar() []prompt.Check {
	ended := i.ended.soFar()
	var list []prompt.Check
	told := map[string]bool{}
	add := func(job, name, entry string, runsNow bool) {
		if told[job] {
			return
		}
		told[job] = true
		check, now := ended[job]
		if !now {
			check = i.checkBefore(job, name, runsNow)
		}
		if entry != "." && entry != "" {
			check.Name += " (" + entry + ")"
		}
		list = append(list, check)
	}
	for _, job := range i.jobs {
		if job.Kind == config.KindCheck {
			add(job.ID, job.Name, job.Entry, true)
		}
	}
	for _, gate := range i.state.LatestGates() {
		if gate.Kind == ledger.KindCheck {
			add(gate.Job, gate.Name, gate.EntryPoint, false)
		}
	}
	return list
}

// checkBefore returns how a check ended before this iteration.
func (i *iteration) checkBefore(job, name string, runsNow bool) prompt.Check {
	check := prompt.Check{Name: name, Pending: runsNow}
	gate := i.state.LatestGate(job)
	if gate == nil || gate.NotRun != "" || gate.Status != ledger.GatePassed && gate.Status != ledger.GateFailed && gate.Status != ledger.GateError {
		return check
	}
	check.Ended, check.Excerpt = checkEnded(gate.Status, gate.Reason), gate.Excerpt
	if at := i.state.Iteration(gate.Iteration); at != nil {
		check.Tree = at.Tree
	}
	return check
}

// checkEnded returns how a check ended, in words.
func checkEnded(status ledger.GateStatus, reason string) string {
	switch status {
	case ledger.GatePassed:
		return "passed"
	case ledger.GateFailed:
		return strings.TrimSuffix("failed, "+reason, ", ")
	}
	return strings.TrimSuffix("could not be run, "+reason, ", ")
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
