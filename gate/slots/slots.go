// Package slots asks reviewers and returns their answers. A slot is planned by its caller,
// a run of gates or a code review: who fills it, which diff it is shown, which claims it
// verifies. Out of that come the prompts, the calls, the slot's log, and the answer's
// entries with their places. What an answer means is decided and recorded by the callers; how
// a slot then ends is the same for both. The package calls reviewers, reads files of the
// working tree, writes files through [Logs], and records through [Rows].
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
	// ID is the job id that rows and logs carry. It differs from that of the embedded Job
	// only in a code review's verification, when the job that reported a finding is no
	// longer configured and another gate of the finding's domain verifies it.
	ID string
	// Unfillable says why no reviewer can be asked for the slots; empty if one can.
	Unfillable string
	// Shortage says which adapters are missing, so that another one fills several slots;
	// empty if none is.
	Shortage string
	Slots    []Slot
	// Fillers are who fills the job's slots, those too that are not among Slots because they have
	// nothing to do.
	Fillers []ledger.Filler
}

// Slot is a slot with the reviewer that fills it and what it is shown.
type Slot struct {
	ledger.SlotPlan
	Adapter  string
	Reviewer clients.Reviewer
	// Diff is the job's part of what the slot is shown, and To the commit or tree that
	// it ends at.
	Diff *diff.Diff
	To   string
	// Whole is the job's part of all that the run changed, where the slot is shown only what
	// changed since an earlier pass; else nil.
	Whole *diff.Diff
	// Answered reports whether the slot has answered before in this run.
	Answered bool
	// Since is what changed since the slot's last answer; nil before its first.
	Since *diff.Diff
	// InRange reports whether a diff of this run showed one of the lines; nil: only this
	// slot's does.
	InRange func(place ledger.Place) (bool, error)
	// Claims are to be verified. Known are the gate's other violations in this run: open
	// ones, other slots' claims, verified and skipped ones.
	Claims, Known []ledger.Violation
	// Disputed are violations that the slot reported and whose author says that they are
	// not problems.
	Disputed []ledger.Violation
	// Earlier are the gate's violations in earlier runs.
	Earlier []ledger.EarlierViolation
	// carried holds where the lines of the job's violations are now, by ULID, and also those of
	// their further places; renamed maps old names of their files to present ones.
	carried map[string]ledger.Whereabouts
	also    map[string][]ledger.Place
	renamed map[string]string
	// hunks hold what was changed around the places of the job's claims since they were
	// reported, by ULID.
	hunks map[string]string
}

// reviewed is the commit or tree that the slot's reviewer is shown, or "" if it is not
// asked.
func (s *Slot) reviewed() string {
	if s.Skip {
		return ""
	}
	return s.To
}

// Plan is the job as it is recorded before it is executed.
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

// FillersOf returns who fills the slots of the jobs, by the id of the job.
func FillersOf(jobs []Job) map[string][]ledger.Filler {
	fillers := make(map[string][]ledger.Filler, len(jobs))
	for _, job := range jobs {
		fillers[job.ID] = job.Fillers
	}
	return fillers
}

// Show sorts the job's violations into what the slot is asked about and what it is told
// of, each at its place in the tree that is reviewed. A claim is put to all who reported
// it; one in a place that is not under review only where the user did not choose one commit.
// A dispute is put to the adapters that reported the finding, wherever it lies, if none of them
// is absent ([ledger.Absent]).
//
// Rule: A mark is not a fix.
// Rule: Only an answer confirms.
// Rule: Only its reporter withdraws a finding.
func (s *Slot) Show(ctx context.Context, diffs *worktree.Diffs, violations []ledger.Violation, fillers []ledger.Filler, absent map[string][]ledger.Reporter, oneCommit bool) error {
	if err := s.follow(ctx, diffs, violations); err != nil {
		return err
	}
	s.sortOut(violations, fillers, absent, oneCommit)
	return nil
}

// sortOut sorts the violations, of which it is known where they are now, into what the slot
// is shown.
func (s *Slot) sortOut(violations []ledger.Violation, fillers []ledger.Filler, absent map[string][]ledger.Reporter, oneCommit bool) {
	for _, v := range violations {
		if carried, ok := s.carried[v.ID]; ok {
			v.Place, v.Also = carried.Here, s.also[v.ID]
		}
		its := v.Claim() && slices.Contains(v.Reporters(fillers), s.Index)
		switch {
		case its && (!oneCommit || s.Diff.Shows(v.Place.File, v.Place.Start, v.Place.End)):
			s.Claims = append(s.Claims, v)
		case v.PutTo(s.Index, len(fillers), absent):
			s.Disputed = append(s.Disputed, v)
		default:
			s.Known = append(s.Known, v)
		}
	}
}

// Logs are the logs of slots.
type Logs interface {
	// StartSlotLog creates a slot's log and returns its path as it is shown.
	StartSlotLog(ledger.SlotLogHeader) (path string, err error)
	// EndSlotLog adds what became of the slot, and opens the whole log for reading.
	EndSlotLog(ledger.SlotLogHeader, ledger.SlotLogEnd) (log io.ReadCloser, err error)
	// WriteSlot writes a slot's JSON file and returns its path as it is shown.
	WriteSlot(ledger.SlotDocument) (path string, err error)
}

// Progress is told what is running, what it costs, and how it ends. It is safe for concurrent
// use.
type Progress interface {
	GateStarted(job string)
	// Running says that a slot is asked.
	Running(ledger.Running)
	// Cost says what the run has cost so far.
	Cost(ledger.Spent)
	CheckDone(ledger.CheckOutcome)
	SlotDone(ledger.SlotOutcome)
	Warn(warnings ...string)
}

// maxReviewers is how many reviewers are asked at once.
const maxReviewers = 8

// Asker asks the reviewers of one iteration.
type Asker struct {
	Worktree *worktree.Worktree
	Logs     Logs
	Rows     Rows
	// Cool has an adapter left alone for a time, because it reached a limit.
	Cool func(ctx context.Context, adapter, reason string, d time.Duration) error
	// Iteration is the iteration's number, and Base names what it compares with.
	Iteration int
	Base      string
	// CodeReview asks for what a verdict needs, and WholeFiles shows files instead of
	// a diff. Verify asks about the findings of a verdict.
	CodeReview, WholeFiles, Verify bool
	// Change is what a prompt says of the change as a whole; nil: nothing.
	Change func() prompt.Change
	// Finished lists the checks that have ended so far; it is asked once, before the first
	// reviewer. It may be nil.
	Finished func() []prompt.Check
	// Now is the clock.
	Now func() time.Time
	// Spent is what the run had cost before this iteration.
	Spent ledger.Spent
	// Progress is told what is running.
	Progress Progress

	mu     sync.Mutex // of Spent
	busy   chan struct{}
	once   sync.Once
	ended  []prompt.Check
	change prompt.Change
}

// Begin says that a gate begins. It reports false, and says why, if nobody can be asked.
func (a *Asker) Begin(job Job) bool {
	if job.Shortage != "" {
		a.Progress.Warn(job.Shortage)
	}
	if job.Unfillable != "" {
		a.Progress.CheckDone(ledger.CheckOutcome{Job: job.ID, Status: ledger.GateError, Reason: job.Unfillable})
		return false
	}
	a.Progress.GateStarted(job.ID)
	return true
}

// Each does something for each of the job's slots: side by side if the job and the
// configuration allow that, else one after another.
func (a *Asker) Each(job Job, do func(n int) error) error {
	errs := make([]error, len(job.Slots))
	var wait sync.WaitGroup
	for n := range job.Slots {
		if a.Worktree.Config.AllowParallel && job.Review.Parallel {
			wait.Go(func() { errs[n] = do(n) })
		} else {
			errs[n] = do(n)
		}
	}
	wait.Wait()
	return errors.Join(errs...)
}

// wait waits until one more reviewer may be asked, and returns what ends its turn.
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

// Spread splits jobs into those that may run side by side, each of which is given to
// one, and the others, which are given to lane together, beside them.
func Spread[J any](jobs []J, parallel func(J) bool, one func(J) error, lane func([]J) error) error {
	var (
		wait       sync.WaitGroup
		sequential []J
		errs       = make([]error, len(jobs)+1)
	)
	for n, job := range jobs {
		if parallel(job) {
			wait.Go(func() { errs[n] = one(job) })
		} else {
			sequential = append(sequential, job)
		}
	}
	wait.Go(func() { errs[len(jobs)] = lane(sequential) })
	wait.Wait()
	return errors.Join(errs...)
}
