// Package gate executes iterations: it finds out what changed, plans jobs and
// slots from the ledger's rows, runs checks and reviewers, records what they
// said, and decides whether the run has passed.
//
// # An iteration, in order
//
// Configuration and lock; first run or rerun, by the log directory; the ledger,
// rebuilt from files if it does not know them; what the agent wrote into the
// files; snapshot and diffs; jobs; slots; execution; summary. No transaction of
// the ledger is open while a command or a reviewer runs, and each slot's rows
// are written before its files, so that a kill at any instant loses nothing
// that was reported.
//
// The decisions are pure functions of package ledger. This package finds the
// facts that they need and does what they say.
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// LogDir is the log directory of a worktree: the files that agents read and
// edit.
type LogDir interface {
	// Path is the directory as it is shown to the user, relative to the
	// worktree's root.
	Path() string
	// HasLogs reports whether there are logs of a loop.
	//
	// Requirement: Automatic Rerun Detection.
	HasLogs() (bool, error)
	// HighestIteration is the highest numeric suffix of a log's name.
	HighestIteration() (int, error)
	// Owner is the run that the newest console log names, and its iteration. If
	// none names a run, the run is empty and the iteration that of the newest
	// console log, which another tool wrote; 0 if there is none at all.
	Owner() (run string, iteration int, err error)
	// ReadSlot reads a slot's JSON file. It returns fs.ErrNotExist if there is
	// none; [ledger.SlotFile.Err] says why one that is there cannot be read.
	ReadSlot(job, adapter string, slot, iteration int) (ledger.SlotFile, error)
	// ReadAll reads everything that a run can be restored from. The jobs are
	// the ids of the known jobs.
	ReadAll(jobs []string) (slots []ledger.SlotFile, checks []ledger.CheckLog, err error)
	// WriteSlot writes a slot's JSON file and returns its path.
	WriteSlot(ledger.SlotDocument) (path string, err error)
	// CreateSlotLog creates a slot's log, with its header.
	CreateSlotLog(ledger.SlotLogHeader) (SlotLog, error)
	// ledger.CheckLog is the path of a check's log, for [check.Run], and as it is shown.
	CheckLog(job string, iteration int) (absolute, shown string)
	// CreateConsoleLog creates the log of what the iteration prints.
	CreateConsoleLog(iteration int) (io.Writer, error)
	ReadSessionRef() (commit string, ok bool, err error)
	WriteSessionRef(commit string) error
	// Archive moves the loop's files to previous/.
	Archive() error
}

// SlotLog is a slot's markdown log. It grows while the slot is reviewed; Close
// returns the first error of writing it.
type SlotLog interface {
	// Path is the log as it is shown to the user.
	Path() string
	// Plan adds what was decided about the slot.
	Plan(ledger.SlotPlan)
	// Note adds a line of the gate's own.
	Note(text string)
	// Output adds the reviewer's raw answer.
	Output(adapter, raw string)
	// Parsed adds what became of the answer.
	Parsed(document ledger.SlotDocument)
	// Result adds the last line: how the slot ended, and why.
	Result(status ledger.SlotStatus, reason string)
	Close() error
}

// Console is what an iteration prints. It is safe for concurrent use.
type Console interface {
	GateStarted(job string)
	CheckDone(ledger.CheckOutcome)
	SlotDone(ledger.SlotOutcome)
	Line(text string)
	Warn(text string)
	Summary(ledger.Summary)
	// AttachLog writes what was and will be printed to the log too.
	AttachLog(io.Writer)
}

// Command is which kinds of gates an invocation runs.
type Command string

// The commands.
const (
	CommandRun    Command = "run"
	CommandCheck  Command = "check"
	CommandReview Command = "review"
)

// Options are what the user asks of an invocation.
type Options struct {
	Command     Command
	BaseBranch  string // empty: the configured one
	Gate        string // empty: all gates
	Commit      string // empty: not limited to a commit
	Uncommitted bool
}

// Runner executes iterations in one worktree.
type Runner struct {
	Repo    *diff.Repo
	Config  *config.Config
	Ledger  *store.Store
	LogDir  LogDir
	Console Console
	// Verdicts are the files of code reviews; nil where there are none.
	Verdicts VerdictFiles
	// Reviewers makes an adapter by its name in the configuration.
	Reviewers func(adapter string) (review.Reviewer, error)
	// LookPath reports whether the adapter's program can be started.
	LookPath func(adapter string) error
	// CI reports whether this is continuous integration.
	CI bool
	// Now is the clock.
	Now func() time.Time
}

// Outcome is how an invocation ended.
type Outcome struct {
	// Status is the run's status; empty when nothing was executed.
	Status ledger.RunStatus
	// NothingToDo reports that there were no changes, or no gate for them.
	NothingToDo bool
}

// ExitCode is the process's exit code: 0 passed or nothing to do, 1 failed, 2
// error, 130 interrupted.
func (o Outcome) ExitCode() int {
	switch {
	case o.NothingToDo, o.Status.Passes():
		return 0
	case o.Status == ledger.StatusError:
		return 2
	case o.Status == ledger.StatusInterrupted:
		return 130
	}
	return 1
}

// UsageError is a mistake in how the command was called.
type UsageError struct{ Message string }

// Error is the message.
func (e *UsageError) Error() string { return e.Message }

func usage(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// excluded are the folders that are in no diff: what the tool itself writes.
func excluded(logDir string) []string {
	return []string{logDir, ".code-review", "docs/code-reviews"}
}

// cooldown is how long an adapter that reached its usage limit is left alone.
const cooldown = time.Hour

// maxReviewers is how many reviewers are asked at once.
const maxReviewers = 8

// Run executes one iteration, or says why there is none to execute.
func (r *Runner) Run(ctx context.Context, o Options) (Outcome, error) {
	if err := r.validate(o); err != nil {
		return Outcome{}, err
	}
	i := &iteration{Runner: r, options: o}
	outcome, err := i.run(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		outcome.Status, err = ledger.StatusInterrupted, nil
	}
	return outcome, err
}

func (r *Runner) validate(o Options) error {
	if o.Commit != "" && o.Uncommitted {
		return usage("--commit and --uncommitted exclude each other")
	}
	if o.Gate == "" {
		return nil
	}
	for _, job := range r.Config.AllJobs() {
		if job.Name == o.Gate && o.Command.runs(job.Kind) {
			return nil
		}
	}
	return usage("no %s named %q is configured; `reviewledger list` shows the gates", o.Command.gates(), o.Gate)
}

func (c Command) runs(kind config.Kind) bool {
	switch c {
	case CommandCheck:
		return kind == config.KindCheck
	case CommandReview:
		return kind == config.KindReview
	}
	return true
}

func (c Command) gates() string {
	if c == CommandRun {
		return "gate"
	}
	return string(c) + " gate"
}
