// Package check runs the command of a check gate and keeps its log.
//
// The command is the user's own, and the only thing in the program that a shell runs. It gets its
// variables through the environment, never by replacing text in it, so that the name of a branch is
// data and not code. The log keeps the beginning and the end of its output, [maxOutput] bytes in
// all; [ParseResult] describes the layout of the log. The package starts processes and writes logs;
// it does not touch git or the rows of the ledger.
package check

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
	"github.com/reviewledger/reviewledger/ledger"
)

// Request describes one execution of a check.
type Request struct {
	// JobID is for the log's first line.
	JobID string
	// Command is given to `sh -c`.
	Command string
	// Dir is the absolute path of the working directory.
	Dir string
	// Timeout stops the command and everything that it started; 0 means no limit.
	Timeout time.Duration
	// BaseBranch is the value of the variable BASE_BRANCH for the command. If it is empty, the
	// variable keeps its value in the program's own environment.
	BaseBranch string
	// FixInstructions are appended to the log unless the check passes.
	FixInstructions string
	// LogPath is the path of the log. The file must not exist, but its folder must.
	LogPath string
}

// Run executes the check and writes its log. An exit code of 0 is a pass; any other, a signal or a
// timeout is a failure. The check is in error if the command could not be run at all, and
// interrupted if the context was done first. The error is only about the log: everything that can go
// wrong with the command is in the result. If the log could not be completed, the result is returned
// together with the error.
func Run(ctx context.Context, r Request) (ledger.CheckResult, error) {
	log, err := createLog(r.LogPath)
	if err != nil {
		return ledger.CheckResult{}, err
	}
	result, err := run(ctx, r, log)
	if err = errors.Join(err, log.Close()); err != nil {
		err = fmt.Errorf("write log %q: %w", r.LogPath, err)
	}
	return result, err
}

// createLog returns an error if the file exists: logs are numbered by iteration and never written
// twice, and a repository could have a symbolic link in the log's place. The command itself does
// not get the file, so it cannot overwrite what the runner writes.
func createLog(path string) (*os.File, error) {
	log, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create log: %w", err)
	}
	return log, nil
}

func run(ctx context.Context, r Request, log *os.File) (ledger.CheckResult, error) {
	boundary := rand.Text()
	if _, err := log.WriteString(header(r, boundary)); err != nil {
		return ledger.CheckResult{}, err
	}
	start, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return ledger.CheckResult{}, err
	}
	result, err := execute(ctx, r, log)
	if err != nil {
		return result, err
	}
	end, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return result, err
	}
	if result.Status == ledger.GateFailed {
		result.Problems = countProblems(io.NewSectionReader(log, start, end-start))
		result.Excerpt = Excerpt(io.NewSectionReader(log, start, end-start))
	}
	text := trailer(result, r.FixInstructions, boundary)
	if !endsLine(log, start, end) {
		text = "\n" + text
	}
	_, err = log.WriteString(text)
	return result, err
}

// execute runs the command. The error is only about the log.
func execute(ctx context.Context, r Request, log *os.File) (ledger.CheckResult, error) {
	start := time.Now()
	if problem := checkDir(r.Dir); problem != "" {
		return ledger.CheckResult{Status: ledger.GateError, ExitCode: -1, Reason: problem, Duration: time.Since(start)}, nil
	}
	output, err := collect(log)
	if err != nil {
		return ledger.CheckResult{Status: ledger.GateError, ExitCode: -1, Reason: err.Error(), Duration: time.Since(start)}, nil
	}
	ended, err := process.Run(ctx, process.Command{
		Args:    []string{"sh", "-c", r.Command},
		Dir:     r.Dir,
		Env:     environment(r),
		Stdout:  output.pipe,
		Stderr:  output.pipe,
		Timeout: r.Timeout,
		Guarded: true,
	})
	result := ledger.CheckResult{ExitCode: ended.ExitCode, Duration: time.Since(start)}
	result.Status, result.Reason = outcome(ended, r.Timeout)
	if err != nil {
		result.Status, result.Reason = ledger.GateError, err.Error()
	}
	return result, output.finish()
}

func outcome(ended process.Result, timeout time.Duration) (ledger.GateStatus, string) {
	switch {
	case ended.OK():
		return ledger.GatePassed, ""
	case ended.Interrupted:
		return ledger.GateInterrupted, "interrupted"
	case ended.TimedOut:
		return ledger.GateFailed, "timed out after " + strconv.FormatFloat(timeout.Seconds(), 'f', -1, 64) + "s"
	case ended.Signal == "" && ended.ExitCode == 126:
		return ledger.GateFailed, "exited with code 126 (command cannot be executed)"
	case ended.Signal == "" && ended.ExitCode == 127:
		return ledger.GateFailed, "exited with code 127 (command not found)"
	}
	return ledger.GateFailed, ended.Describe()
}

// checkDir returns what is wrong with the working directory, or "". Otherwise the shell would be
// blamed for the failed start.
func checkDir(dir string) string {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Sprintf("the working directory %q does not exist", dir)
	case err != nil:
		return fmt.Sprintf("working directory: %v", err)
	case !info.IsDir():
		return fmt.Sprintf("the working directory %q is not a folder", dir)
	}
	return ""
}

// environment returns the program's own environment and BASE_BRANCH, which comes last and so takes
// precedence.
func environment(r Request) []string {
	env := append(os.Environ(), "PWD="+r.Dir)
	if r.BaseBranch != "" {
		env = append(env, "BASE_BRANCH="+strings.ReplaceAll(r.BaseBranch, "\x00", ""))
	}
	return env
}
