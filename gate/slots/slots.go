// Package slots asks reviewers and returns their answers. Its caller, a run of gates or a code
// review, plans each slot: who fills it, which diff it is shown, which claims it verifies. From
// that the package makes the prompts, the calls, the slot's log, and the answer's entries with
// their places. The callers decide and record what an answer means; how a slot then ends is the
// same for both. The package calls reviewers, reads files of the working tree, writes files through
// [Logs], and records through [Rows].
package slots

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// Job is a job with its slots; a check has none.
type Job struct {
	config.Job
	// ID is the job id in rows and logs. It differs from that of the embedded Job only in a code
	// review's verification: if the job that reported a finding is no longer configured, another
	// gate of the finding's domain verifies it.
	ID string
	// Unfillable says why no reviewer can be asked for the slots; it is empty if one can.
	Unfillable string
	// Shortage says which adapters are missing, so that another fills several slots; it is empty if
	// none is.
	Shortage string
	Slots    []Slot
	// Fillers are the fillers of all of the job's slots, including those that are not in Slots
	// because they have nothing to do.
	Fillers []ledger.Filler
}

// Slot is a slot with the reviewer that fills it and what it is shown.
type Slot struct {
	ledger.SlotPlan
	Adapter  string
	Reviewer clients.Reviewer
	// Diff is what the slot is shown: the job's part of a diff. To is the commit or tree that it
	// ends at.
	Diff *diff.Diff
	To   string
	// Whole is the job's part of everything that the run changed, if the slot is shown only what
	// changed since an earlier pass, else nil.
	Whole *diff.Diff
	// Answered reports that the slot has answered before in this run.
	Answered bool
	// Everything reports that the slot is shown everything that the run changed, and not because its latest
	// answer was restored.
	Everything bool
	// New is the job's part of what changed since the slot's last answer. It is nil if all of Diff is
	// under review anew: the slot has not answered yet, it is not known what it saw, or the user chose.
	New *diff.Diff
	// Undone is the job's part of what changed since another slot answered later, or nil: what of it is
	// not in New was undone after that one had seen it.
	Undone *diff.Diff
	// Since is what changed since the slot's last answer, in any part; nil before its first.
	Since *diff.Diff
	// InRange reports whether a diff of this run showed one of the lines; nil means that only this
	// slot's diff counts.
	InRange func(place ledger.Place) (bool, error)
	// Claims are to be verified. Known are the gate's other violations in this run: open
	// ones, other slots' claims, verified and skipped ones. Others are open violations of other gates.
	Claims, Known, Others []ledger.Violation
	// Disputed are violations that the slot reported and that their author says are not problems.
	Disputed []ledger.Violation
	// Earlier are the gate's violations in earlier runs.
	Earlier []ledger.EarlierViolation
	// carried has the present places of the job's violations, by ULID. renamed maps old names of
	// their files to present ones.
	carried map[string]ledger.Whereabouts
	renamed map[string]string
	// own has the violations that the slot reported, settled those that were verified or called gone by
	// their reporter before their lines, as they are now, were there, and again why a claim is put to the
	// slot a second time, all by ULID.
	own, settled map[string]bool
	again        map[string]string
	// said has what the slot's reviewer said before on lines that are as they were.
	said map[statement]bool
	// hunks has the changes around the places of the job's claims since they were reported, by
	// ULID.
	hunks map[string]string
}

// reviewed returns the commit or tree that the slot's reviewer is shown, or "" if the slot is
// skipped.
func (s *Slot) reviewed() string {
	if s.Skip {
		return ""
	}
	return s.To
}

// Plan returns the job as the ledger records it before it is executed.
func (j Job) Plan() ledger.GatePlan {
	plan := ledger.GatePlan{Job: j.ID, Kind: ledger.GateKind(j.Kind), EntryPoint: j.Entry, Name: j.Name, Error: j.Unfillable}
	if j.Check != nil {
		plan.Command = j.Check.Command
		return plan
	}
	plan.NumReviews = j.Review.NumReviews
	if j.Unfillable != "" { // nobody is asked
		return plan
	}
	for _, slot := range j.Slots {
		plan.Slots = append(plan.Slots, ledger.PlannedSlot{SlotPlan: slot.SlotPlan, Adapter: slot.Adapter, Reviewed: slot.reviewed()})
	}
	return plan
}

// FillersOf returns the fillers of the jobs' slots, by the id of the job.
func FillersOf(jobs []Job) map[string][]ledger.Filler {
	fillers := make(map[string][]ledger.Filler, len(jobs))
	for _, job := range jobs {
		fillers[job.ID] = job.Fillers
	}
	return fillers
}

// Show sorts the job's violations into those that the slot is asked about and those that it is told
// about, each at its place in the tree that is reviewed. A claim is put to everyone who reported
// it, except that a run over a single commit leaves out claims in places that the diff does not
// show. A dispute is put to the adapters that reported the finding, wherever it is, if none of them
// is absent ([ledger.Absent]). said finds the words on all claims of the run, which tell why a claim is put to
// the slot a second time; it is nil if nobody is asked.
//
// Rule: A mark is not a fix.
// Rule: Only an answer confirms.
// Rule: Only its reporter withdraws a finding.
func (s *Slot) Show(ctx context.Context, diffs *worktree.Diffs, state *ledger.State, job Job, absent map[string][]ledger.Reporter, oneCommit bool, said func(ctx context.Context, run string) ([]ledger.ReviewerWord, error)) error {
	violations := state.ViolationsOf(job.ID)
	if err := s.follow(ctx, diffs, violations); err != nil {
		return err
	}
	s.sortOut(violations, job.Fillers, absent, oneCommit)
	if err := s.findSettled(ctx, diffs, state); err != nil || len(s.Claims) == 0 || said == nil {
		return err
	}
	words, err := said(ctx, state.Run.ID)
	if err != nil {
		return err
	}
	return s.putAgain(ctx, diffs, state, words)
}

// sortOut sorts the violations after follow has found their present places.
func (s *Slot) sortOut(violations []ledger.Violation, fillers []ledger.Filler, absent map[string][]ledger.Reporter, oneCommit bool) {
	s.own = map[string]bool{}
	for _, v := range violations {
		if carried, ok := s.carried[v.ID]; ok {
			v.Place, v.Also = carried.Here, carried.Further
		}
		its := slices.Contains(v.Reporters(fillers), s.Index)
		s.own[v.ID] = its
		switch {
		case its && v.Claim() && (!oneCommit || s.Diff.Shows(v.Place.File, v.Place.Start, v.Place.End)):
			s.Claims = append(s.Claims, v)
		case v.PutTo(s.Index, len(fillers), absent):
			s.Disputed = append(s.Disputed, v)
		default:
			s.Known = append(s.Known, v)
		}
	}
}

// Logs writes the logs of an iteration and its slots.
type Logs interface {
	// CreateConsoleLog creates the log of the iteration's output.
	CreateConsoleLog(iteration int) (io.Writer, error)
	// Archive moves the files of the loop, or of the previous review, to previous/.
	Archive() error
	// StartSlotLog creates a slot's log and returns its path as it is shown.
	StartSlotLog(ledger.SlotLogHeader) (path string, err error)
	// EndSlotLog adds what became of the slot, and opens the whole log for reading.
	EndSlotLog(ledger.SlotLogHeader, ledger.SlotLogEnd) (log io.ReadCloser, err error)
	// WriteSlot writes a slot's JSON file and returns its path as it is shown.
	WriteSlot(ledger.SlotDocument) (path string, err error)
}

// Progress shows what is running, what it costs, and how it ends. It is safe for concurrent use.
type Progress interface {
	Line(text string)
	// AttachLog also writes the output so far, and all that follows, to the log.
	AttachLog(io.Writer)
	GateStarted(job string)
	// Planned says which checks and slots will run.
	Planned([]ledger.Running)
	// Running shows that a slot is asked, and Ended that it no longer is.
	Running(ledger.Running)
	Ended(job string, slot int)
	// Cost shows what the run has cost so far.
	Cost(ledger.Spent)
	// CheckDone shows how a check ended, or that a gate could not be run. log is the path of its log
	// as it is shown, or "".
	CheckDone(job string, result ledger.CheckResult, log string)
	SlotDone(ledger.SlotOutcome)
	Warn(warnings ...string)
}

// maxReviewers is how many reviewers are asked at the same time.
const maxReviewers = 8

// Asker asks the reviewers of one iteration.
type Asker struct {
	Worktree *worktree.Worktree
	Logs     Logs
	Rows     Rows
	// Cool keeps an adapter from being asked for a time, because it reached a limit.
	Cool func(ctx context.Context, adapter, reason string, d time.Duration) error
	// Iteration is the iteration's number, and Base the name of what it compares with.
	Iteration int
	Base      string
	// CodeReview asks for what a verdict needs, WholeFiles shows files instead of a diff, and
	// Verify asks about the findings of a verdict.
	CodeReview, WholeFiles, Verify bool
	// Change returns what a prompt says about the change as a whole; nil: nothing.
	Change func() prompt.Change
	// Finished returns the checks that have ended so far. It is called once, before the first
	// reviewer is asked, and may be nil.
	Finished func() []prompt.Check
	// Altered says for each changed file that git stores with other bytes than it has on disk, by more
	// than line endings, what does that.
	Altered map[string]string
	// Now is the clock.
	Now func() time.Time
	// Spent is what the run has cost: at first before this iteration; each call is added.
	Spent ledger.Spent
	// Progress shows what is running.
	Progress Progress

	mu     sync.Mutex // of Spent
	busy   chan struct{}
	once   sync.Once
	ended  []prompt.Check
	change prompt.Change
}

// plan shows which checks and slots of the jobs will run.
func (a *Asker) plan(jobs []Job) {
	var planned []ledger.Running
	for _, job := range jobs {
		if job.Check != nil || job.Unfillable != "" {
			planned = append(planned, ledger.Running{Job: job.ID})
			continue
		}
		for _, slot := range job.Slots {
			if !slot.Skip {
				planned = append(planned, slot.running(job))
			}
		}
	}
	a.Progress.Planned(planned)
}

func (s *Slot) running(job Job) ledger.Running {
	return ledger.Running{Job: job.ID, Slot: s.Index, Adapter: s.Adapter}
}

// Start opens the log of the iteration's output, and shows its headline.
func (a *Asker) Start(headline string) error {
	log, err := a.Logs.CreateConsoleLog(a.Iteration)
	if err != nil {
		return err
	}
	a.Progress.AttachLog(log)
	a.Progress.Line(headline)
	return nil
}

// Begin shows that a gate begins. It returns false, and shows the reason, if no reviewer can be
// asked.
func (a *Asker) Begin(job Job) bool {
	if job.Shortage != "" {
		a.Progress.Warn(job.Shortage)
	}
	if job.Unfillable != "" {
		a.Progress.CheckDone(job.ID, ledger.CheckResult{Status: ledger.GateError, Reason: job.Unfillable}, "")
		return false
	}
	a.Progress.GateStarted(job.ID)
	return true
}

// Each calls do for each of the job's slots, in parallel if the job may run in parallel, else one
// after another.
func (a *Asker) Each(job Job, do func(n int) error) error {
	errs := make([]error, len(job.Slots))
	var wait sync.WaitGroup
	for n := range job.Slots {
		if a.parallel(job) {
			wait.Go(func() { errs[n] = do(n) })
		} else {
			errs[n] = do(n)
		}
	}
	wait.Wait()
	return errors.Join(errs...)
}

// parallel reports whether the job may run in parallel: both it and the configuration allow that.
func (a *Asker) parallel(job Job) bool {
	return a.Worktree.Config.AllowParallel && job.Gate().Parallel
}

// wait waits until one more reviewer may be asked, and returns a function that ends its turn.
func (a *Asker) wait() (done func()) {
	a.once.Do(func() {
		a.busy = make(chan struct{}, maxReviewers)
		if a.Finished != nil {
			a.ended = a.Finished()
		}
		if a.Change != nil {
			a.change = a.Change()
		}
	})
	a.busy <- struct{}{}
	return func() { <-a.busy }
}

// Spread calls one for each of the jobs that may run in parallel, and lane with all others, all at
// the same time. Without a lane, it calls one for these, too, one after another.
func (a *Asker) Spread(jobs []Job, one func(Job) error, lane func([]Job) error) error {
	var (
		wait       sync.WaitGroup
		sequential []Job
		errs       = make([]error, len(jobs)+1)
	)
	a.plan(jobs)
	for n, job := range jobs {
		if a.parallel(job) {
			wait.Go(func() { errs[n] = one(job) })
		} else {
			sequential = append(sequential, job)
		}
	}
	if lane == nil {
		lane = func(jobs []Job) (err error) {
			for n := 0; n < len(jobs) && err == nil; n++ {
				err = one(jobs[n])
			}
			return err
		}
	}
	wait.Go(func() { errs[len(jobs)] = lane(sequential) })
	wait.Wait()
	return errors.Join(errs...)
}
