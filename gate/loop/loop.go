// Package loop executes iterations of a run: it finds out what changed, plans jobs and slots from
// the ledger's rows, runs checks and reviewers, records their results, and decides whether the run
// has passed.
//
// # An iteration, in order
//
//	iteration.go the steps, and what an iteration has found out so far
//	recall.go    first run or rerun, by the log directory; whose its files are
//	rebuild.go   a loop that the ledger does not know, from its files
//	edits.go     what the agent wrote into the files
//	scope.go     snapshot and diffs, and where the lines of violations are in them
//	coverage.go  what each gate and slot has not yet seen
//	part.go      which part of a diff a job is shown
//	rests.go     whether a pass covers this code already, or reviews rest on an earlier one
//	plan.go      jobs and slots, and which adapters can answer disputes
//	begin.go     the iteration's rows and files
//	execute.go   the gates, in parallel or one after another
//	check.go     a check
//	review.go    a review: its slots, and what became of their answers
//	range.go     which places a diff of this run showed
//	joins.go     violations that are perhaps the same, and duplicates
//	baseline.go  failed checks once more on the base (--baseline)
//	finish.go    the status of the run, the summary, and on a pass the end of the run
//
// # Other commands
//
//	detect.go    what the next iteration would do
//	progress.go  whether anything is left to do, for status and hooks
//	lacks.go     which gates keep a pass from covering the present code
//	mark.go      marking violations, and taking up filtered reports
//	clean.go     abandoning the run, and removing old content
//	result.go    the rows of an invocation, for --format json, and whether a strict one succeeds
//	say.go       sentences that several of these print
//
// No transaction of the ledger is open while a command or a reviewer runs, and each slot's rows are
// written before its files, so that a kill at any moment loses nothing that was reported.
//
// The decisions are pure functions of package ledger. This package finds the facts that they need,
// in git, the log directory and the ledger, and carries the decisions out: it runs commands and
// reviewers, and writes rows and files.
package loop

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Files reads and writes the log directory.
type Files interface {
	// ReadLoop reads the facts about the loop whose files the directory holds.
	ReadLoop() (ledger.LoopFiles, error)
	// WriteRun records which run the files belong to from now on.
	WriteRun(ledger.RunFile) error

	// ReadSlot reads a slot's JSON file, which agents read and edit. It returns
	// fs.ErrNotExist if there is none; [ledger.SlotFile.Err] says why an existing file
	// cannot be read.
	ReadSlot(job, adapter string, slot, iteration int) (ledger.SlotFile, error)
	// ReadAll reads everything that a run can be restored from. jobs are the ids of the known jobs.
	ReadAll(jobs []string) (slots []ledger.SlotFile, checks []ledger.CheckLog, err error)

	// The session reference names the tree that reruns compare with.
	ReadSessionRef() (commit string, ok bool, err error)
	WriteSessionRef(commit string) error
	RemoveSessionRef() error

	slots.Logs
	// CheckLog returns the path of a check's log, absolute and as it is shown.
	CheckLog(job string, iteration int) (absolute, shown string)
	// SlotLog does the same for a slot's log, and SlotJSON for its JSON file.
	SlotLog(job, adapter string, slot, iteration int) (absolute, shown string)
	SlotJSON(job, adapter string, slot, iteration int) (absolute, shown string)
}

// Console prints an iteration's output. It is safe for concurrent use.
type Console interface {
	slots.Progress
	// Conclude prints how the invocation ended, after a summary or without one.
	Conclude(text string)
	Next(step string)
	Summary(ledger.Summary)
}

// Command is the kind of an invocation: which gates it runs.
type Command string

// The commands.
const (
	CommandRun    Command = "run"
	CommandCheck  Command = "check"
	CommandReview Command = "review"
)

// Options are the options of the command line.
type Options struct {
	Command     Command
	BaseBranch  string   // empty: the configured one
	Gates       []string // their names; empty: all gates
	Commit      string   // empty: not limited to a commit
	Uncommitted bool
	// Force also runs gates that need not run again. If everything has passed, it runs only the
	// checks again.
	Force bool
	// Again asks reviewers although everything has passed, and Whole shows them everything that the
	// run changed.
	Again, Whole bool
	// Baseline runs each check that fails a second time, on the base.
	Baseline bool
	// Strict succeeds only if what it names has passed as it is now, even if nothing runs.
	Strict bool
	// Extend is how many more iterations of the open run a person allows, or 0.
	Extend int
}

// wants reports whether the gate with that name is to run.
func (o Options) wants(name string) bool { return len(o.Gates) == 0 || slices.Contains(o.Gates, name) }

// Runner executes iterations in one worktree.
type Runner struct {
	*worktree.Worktree
	Adapters slots.Adapters
	// Ahead takes the snapshot that iterations review; [Runner.Detect] takes its own.
	Ahead   *worktree.Ahead
	Ledger  *store.Store // nil if there is none, which only [Runner.Detect] and [Runner.Progress] allow
	Files   Files
	Console Console
	// Now is the clock.
	Now func() time.Time

	// unread is what review files say that is not a word, by short id, as they were read last.
	unread map[string]ledger.Unread
	// warned are the warnings that are not repeated.
	warned []string
}

// Outcome is how an invocation ended.
type Outcome struct {
	// Status is the run's status; empty if nothing was executed.
	Status ledger.RunStatus
	// NothingToDo reports that there were no changes, or no gate for them.
	NothingToDo bool
	// Run is the run that the invocation belongs to, or empty, and Iteration the iteration that it
	// executed, or 0.
	Run       string
	Iteration int
	// Reason says why nothing was executed.
	Reason string
	// Lacking says what keeps a strict invocation from succeeding although no gate failed in it.
	Lacking string
	// Changed is the number of files that were compared.
	Changed int
	// Summary is what was printed at the end; the zero value if nothing was.
	Summary ledger.Summary
	// FailsOnBase says for each job whether a failed check fails on the base, too. A check is
	// missing if that is not known.
	FailsOnBase map[string]bool
	// OnlyGone reports whether all that is left is of gates that no iteration executes here.
	OnlyGone bool
	// Unexplained reports whether nothing was executed, and the claims that are left have to be
	// explained in other words.
	Unexplained bool
	// Unasked reports that not every claim that is left was put to its reviewers, because of what the user
	// chose to run.
	Unasked bool
	// Next is the command to run next, or empty; [Outcome.step] adds what to do before it.
	Next string
	// AtLimit is the step if the run has used up its iterations.
	AtLimit string
	// LackStep is the step to take about what is lacking, as status says it.
	LackStep string
}

// ExitCode returns the process's exit code: 0 passed or nothing to do, 1 failed, 2 error, 130
// interrupted.
func (o Outcome) ExitCode() int {
	switch {
	case o.Lacking != "":
		return 1
	case o.NothingToDo, o.Status.Passes():
		return 0
	case o.Status == ledger.StatusError:
		return 2
	case o.Status == ledger.StatusInterrupted:
		return 130
	}
	return 1
}

// Run executes one iteration, or returns an Outcome that says why there is none to execute.
func (r *Runner) Run(ctx context.Context, o Options) (Outcome, error) {
	if err := r.validate(o); err != nil {
		return Outcome{}, err
	}
	i := &iteration{Runner: r, options: o}
	outcome, err := i.run(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		outcome.Status, err = ledger.StatusInterrupted, nil
	}
	if err == nil {
		outcome, err = i.strictly(ctx, outcome)
	}
	outcome = i.concluded(outcome)
	if err == nil {
		i.Console.Next(outcome.step())
	}
	return outcome, err
}

// validate checks that the options can be used together and that the gates exist.
func (r *Runner) validate(o Options) error {
	if o.Commit != "" && o.Uncommitted {
		return worktree.Usage("--commit and --uncommitted cannot be used together")
	}
	if o.Whole && o.explicit() {
		return worktree.Usage("--whole cannot be used together with --commit or --uncommitted")
	}
	var known []string
	for _, job := range r.Config.AllJobs() {
		if o.Command.runs(job.Kind) {
			known = append(known, job.Name)
		}
	}
	for _, gate := range o.Gates {
		if slices.Contains(known, gate) {
			continue
		}
		hint := ledger.DidYouMean(ledger.Closest(gate, known), "")
		return worktree.Usage("no %s named %q is configured%s; `reviewledger list` shows the gates", o.Command.gates(), gate, hint)
	}
	return nil
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

// place returns the scope in which the ledger records the runs of this log directory.
func (r *Runner) place() ledger.Scope { return r.Place(ledger.KindGates, r.Config.LogDir) }
