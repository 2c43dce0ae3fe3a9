package ledger

import (
	"cmp"
	"slices"
	"strings"
)

// ProgressState is what is left to do in a worktree, in one word.
type ProgressState string

// The states, in the order in which they are checked.
const (
	// ProgressRunning: a run is in progress.
	ProgressRunning ProgressState = "running"
	// ProgressOtherBranch: the open run is about another branch than the one that is checked out.
	ProgressOtherBranch ProgressState = "other_branch"
	// ProgressRetryLimit: the open run may have no further iteration.
	ProgressRetryLimit ProgressState = "retry_limit_exceeded"
	// ProgressOpen: the open run has findings, claims, failing gates or gates in error.
	ProgressOpen ProgressState = "open"
	// ProgressUnreviewed: there are changes that no run that passed covers.
	ProgressUnreviewed ProgressState = "unreviewed"
	// ProgressPassed: every gate that applies passed over the whole change, as it is.
	ProgressPassed ProgressState = "passed"
	// ProgressNoChanges: nothing differs from the base.
	ProgressNoChanges ProgressState = "no_changes"
	// ProgressNoGate: no gate applies to the changes, neither in the current configuration nor in
	// that of the base.
	ProgressNoGate ProgressState = "no_gate"
)

// ProgressReason is why changes are unreviewed, or a loop is open.
type ProgressReason string

// The reasons.
const (
	// NoRun: no run has ended here.
	NoRun ProgressReason = "no_run"
	// RunNotPassed: the latest run here was abandoned.
	RunNotPassed ProgressReason = "run_not_passed"
	// RunNotClosed: everything in the open run is confirmed or skipped; the next run closes it. If the
	// state is [ProgressOpen], it has nothing else to do.
	RunNotClosed ProgressReason = "run_not_closed"
	// TreeChangedSincePass: the working tree is not the one that the latest run passed on.
	TreeChangedSincePass ProgressReason = "tree_changed"
	// BaseMoved: the merge base is not the one that the latest run compared with.
	BaseMoved ProgressReason = "base_moved"
	// ConfigChanged: the gates are not those that the latest run began with. The working tree,
	// which has their configuration, may have changed too.
	ConfigChanged ProgressReason = "config_changed"
	// RunRestored: the latest run passed, but was restored from files, which do not prove what gates
	// saw, and not every gate has answered again since.
	RunRestored ProgressReason = "run_restored"
	// PassedInPart: the latest run passed, but not with every gate that applies, or not over the
	// whole change.
	PassedInPart ProgressReason = "passed_in_part"
	// LoopUnknown: the loop in the log directory is not in the ledger.
	LoopUnknown ProgressReason = "loop_unknown"
	// LogsGone: the log directory of the open run was emptied; the run goes on.
	LogsGone ProgressReason = "logs_gone"
	// OtherCheckout: the open run was begun by another checkout in this place; it is abandoned.
	OtherCheckout ProgressReason = "other_checkout"
	// MemoryEnded: a report was filtered because of a remembered skip that was forgotten since.
	MemoryEnded ProgressReason = "skip_forgotten"
)

// Unresolved is a check that failed, or a gate or slot in error.
type Unresolved struct {
	Job    string
	Slot   int // 0 for a check, and for a review none of whose slots was asked
	Reason string
	// Iteration and Adapter identify the log with the details. Log is its path in the form that is
	// shown, or "" if there is none.
	Iteration int
	Adapter   string
	Log       string
	// Excerpt is the part of the output of a failed check that shows what failed, or "".
	Excerpt string
}

// Progress is the state of the loop of a worktree.
type Progress struct {
	State  ProgressState
	Reason ProgressReason // empty if the state needs no reason
	// Run is the open run, or the run that passed; its ID is empty if there is neither. Iteration
	// is its latest iteration.
	Run       Run
	Iteration int
	// Left is how many more iterations of the open run may fail, or nil if no run is open.
	Left *int
	// Tree is the working tree.
	Tree string
	// TreeChanged reports whether the working tree is not the one of the latest iteration.
	TreeChanged bool
	// Open are the violations that wait for the agent or for an answer, and Unverified the agent's
	// claims.
	Open, Unverified []ListedViolation
	Failing, Errors  []Unresolved
	// OnlyGone reports whether all that is left is of gates that no iteration executes here.
	OnlyGone bool
	// Unexplained reports whether only claims are left of which a reviewer could not tell whether
	// they are fixed, and nothing has changed since.
	Unexplained bool
	// Filtered are the filtered reports of the open run, the most important first.
	Filtered []Report
	// Lacks are the gates that a run passed without, if the reason is [PassedInPart], or the gates
	// that changed during or after the run, if the reason is [ConfigChanged], if they are known.
	Lacks []string
	// Files are the changed files, if no gate applies to them.
	Files []string
	// LookedAt is who looked at the change, or nil if no run has passed over it.
	LookedAt *LookedAt
	// Next is the command to run next, or "".
	Next string
	// left is the branch that the open run is about, if another one is checked out.
	left *OtherBranch
	// atLimit is what [StepAtLimit] returns, if the run has used up its iterations.
	atLimit string
	// Warnings are problems that were found on the way, such as a review file that cannot be read.
	Warnings []string
}

// Done reports whether nothing is left to do.
func (p Progress) Done() bool {
	return p.State == ProgressPassed || p.State == ProgressNoChanges || p.State == ProgressNoGate
}

// Sentence returns why the loop is in this state, and what a run that passed did not cover.
func (p Progress) Sentence() string {
	if p.Reason != "" {
		return p.ReasonSentence()
	}
	switch p.State {
	case ProgressRunning:
		return "A run is in progress."
	case ProgressOtherBranch:
		return p.ReasonSentence()
	case ProgressPassed:
		return "A run passed on exactly this tree, merge base and configuration, with every gate that applies."
	case ProgressNoChanges:
		return "Nothing differs from the base."
	case ProgressNoGate:
		return "No gate applies to what changed."
	}
	if has := p.Counts(); has != "" {
		return "The run has " + has + "."
	}
	// At the retry limit, everything may be skipped without the run being able to pass.
	return cmp.Or(p.ReasonSentence(), "The run has used up its iterations.")
}

// Counts returns what is left of the open run in numbers, or "" if nothing is.
func (p Progress) Counts() string {
	return inNumbers(len(p.Open), len(p.Unverified), len(p.Failing), len(p.Errors))
}

func inNumbers(open, unverified, failing, erred int) string {
	var has []string
	count := func(n int, noun, more string) {
		if n > 0 {
			has = append(has, Plural(n, noun)+more)
		}
	}
	count(open, "open violation", "")
	count(unverified, "unverified claim", "")
	count(failing, "failing check", "")
	count(erred, "gate", " in error")
	return strings.Join(has, ", ")
}

// ReasonSentence returns the reason as a sentence, or "" if [Progress.State] and the lists already
// show it.
func (p Progress) ReasonSentence() string {
	if p.left != nil {
		text := p.left.Error()
		return strings.ToUpper(text[:1]) + strings.ReplaceAll(text[1:], "`", "") + "."
	}
	switch p.Reason {
	case NoRun:
		return "No run has ended in this worktree yet."
	case RunNotPassed:
		return "The latest run was abandoned before it passed."
	case RunNotClosed:
		if p.State == ProgressOpen {
			return "Everything is confirmed or skipped: the next run ends the loop."
		}
		return "Everything is confirmed or skipped: the next run shows gates what they have not seen, and ends the loop."
	case TreeChangedSincePass:
		return treeChangedSentence
	case BaseMoved:
		return "The latest run compared with another merge base."
	case ConfigChanged:
		if p.TreeChanged {
			return "Passed, but " + strings.TrimSuffix("the configuration has changed since it passed: "+Some(p.Lacks), ": ")
		}
		if len(p.Lacks) > 0 {
			return "Passed, but the configuration has changed since that run began: " + Some(p.Lacks)
		}
		return "The gates have changed since the latest run began."
	case RunRestored:
		return "The latest run was restored from its files, which prove nothing, and not every gate has answered again."
	case PassedInPart:
		if len(p.Lacks) > 0 {
			return "Passed, but not with every gate: " + Some(p.Lacks)
		}
		return "The latest run passed, but not with every gate, or not over the whole change."
	case LoopUnknown:
		return "The ledger does not have the loop in the log directory: the next run restores it from its files."
	case LogsGone:
		return "The log directory of the open run is empty: the next run goes on with it, and shows reviewers the whole change."
	case OtherCheckout:
		return "Another checkout left the run open: the next run abandons it and starts over."
	case MemoryEnded:
		return "A report was filtered because of a forgotten skip: the next run asks the reviewer again."
	}
	if p.TreeChanged && !p.Done() && p.State != ProgressRunning {
		return treeChangedSentence
	}
	return ""
}

const treeChangedSentence = "The working tree has changed since the latest iteration."

// The commands that [Progress.Next] may name.
const (
	CommandRun   = "reviewledger run"
	CommandForce = "reviewledger run --force"
	CommandClean = "reviewledger clean"
)

// What people are told to do next, if a command alone does not help.
const (
	StepOpen    = "fix or skip what is listed, mark it, then: " + CommandRun
	StepGone    = "configure the gates of what is listed to run here, or skip its violations, then: " + CommandRun
	StepFix     = "fix what failed, then: " + CommandRun
	StepExplain = "explain more about what is unverified, or skip it, then: " + CommandRun
	// At the retry limit; see [StepAtLimit].
	stepLimit = "a person allows more (`reviewledger run --extend N --as human`, or a higher max_retries), or gives up (`reviewledger clean`)"
)

// Step returns what to do next, for people. Next is for programs.
func (p Progress) Step() string {
	switch {
	case p.State == ProgressRetryLimit:
		return p.atLimit
	case p.OnlyGone && p.Next == CommandRun:
		return StepGone
	case p.Unexplained:
		return StepExplain
	case p.Next == CommandRun && p.Reason == "" && len(p.Unanswered()) > 0:
		return StepOpen
	case p.Next == CommandRun && p.Reason == "" && len(p.Failing) > 0 && !p.TreeChanged:
		return StepFix // else it may have been fixed since
	}
	return p.Next
}

// Unanswered returns the open violations that the agent has not disputed, which it has to fix, skip
// or dispute.
func (p Progress) Unanswered() (found []ListedViolation) {
	for _, v := range p.Open {
		if v.Status != StatusDisputed {
			found = append(found, v)
		}
	}
	return found
}

// Position is what the ledger has about one worktree and log directory.
type Position struct {
	// Open is the open run, or nil. Listed are its violations, worst first, and Exported is what
	// was written to the latest file of each of its slots.
	Open     *State
	Listed   []ListedViolation
	Exported map[SlotRef]Exported
	// Named is the standing of the run that the log directory names.
	Named Standing
	// Last is the latest closed run, with its iterations, or nil. It has its gates only if a skip
	// that it met was forgotten.
	Last *State
	// Passes are the runs that [PositionQuery] asks for, in the form of Last, the latest first.
	Passes []*State
}

// PassedAs returns the latest of the runs that passed on this tree, or nil. A pass that depends on
// a forgotten skip does not count.
//
// Rule: A human's skip is remembered.
func (p Position) PassedAs(tree string) *State {
	for _, run := range p.Passes {
		if last := run.Iteration(run.LastIteration()); last != nil && last.Tree == tree && !run.AnyForgotten() {
			return run
		}
	}
	return nil
}

// PassedOn returns the tree on which the latest closed run passed, if that pass counts.
func (p Position) PassedOn() (tree string, passed bool) {
	if p.Last == nil || !p.counts(p.Last) {
		return "", false
	}
	last := p.Last.Iteration(p.Last.LastIteration())
	if last == nil || last.Tree == "" || p.Last.AnyForgotten() {
		return "", false
	}
	return last.Tree, true
}

// counts reports whether a run is among those that passed as a whole.
func (p Position) counts(run *State) bool {
	return slices.ContainsFunc(p.Passes, func(pass *State) bool { return pass.Run.ID == run.Run.ID })
}

// PositionQuery selects a [Position]: the run that the log directory names, if any, and the runs
// that passed with every gate over the whole change, with exactly this base and configuration. A
// pass does not count if an iteration of a later run failed on the same tree.
type PositionQuery struct {
	Scope
	Named            string
	Base, ConfigHash string
}

// ProgressFacts is what decides the state of a loop.
type ProgressFacts struct {
	Position
	// Running reports whether a process holds the lock of the loop.
	Running bool
	// Left is what the open run is about, if another branch is checked out.
	Left *OtherBranch
	// Owner goes on ([LoopOwner.GoesOn]) only if a run is open.
	Owner LoopOwner
	// Tree is the working tree, Base the merge base, and ConfigHash the hash of the current gates.
	// Differs reports whether the tree differs from that of the base.
	Tree, Base, ConfigHash string
	Differs                bool
	// Ungated are the changed files, if no gate applies to any of them, neither in the current
	// configuration nor in that of the base.
	Ungated []string
	// Gone are the jobs of the open run that no iteration executes here: they are no longer
	// configured, or run only in another environment.
	Gone []string
	// Gateless reports whether all of them are gone, and no other gate applies to the change.
	Gateless   bool
	MaxRetries int
	// Passed is the run that passed with every gate over the whole change, with exactly this tree,
	// base and configuration, or nil.
	Passed *State
}

// AssessProgress returns what is left to do. The open run includes the marks in its files.
//
// Rule: Done means passed as it is now.
func AssessProgress(f ProgressFacts) Progress {
	p := Progress{}
	var a Assessment
	if f.Open != nil {
		a = Assess(f.Open)
		p.Run, p.Iteration = f.Open.Run, f.Open.LastIteration()
		p.Left = new(IterationsLeft(f.Open, f.MaxRetries))
		p.TreeChanged = f.treeChanged(f.Open)
		p.Open, p.Unverified = f.listed(Status.Open), f.listed(func(s Status) bool { return s == StatusFixed })
		p.Failing, p.Errors, p.Filtered = failing(a), f.errored(a), a.Filtered
	}
	outstanding, goesOn := a.Outstanding()+len(a.Failing)+len(a.Erred) > 0, f.Owner.GoesOn()
	switch {
	case f.Running:
		p.State = ProgressRunning
	case goesOn && f.Left != nil:
		p.State, p.left = ProgressOtherBranch, f.Left
	case goesOn && RetryLimitReached(f.Open, f.MaxRetries) && (outstanding || !skipsSuffice(f.Open, f.Tree)):
		p.State, p.Next, p.atLimit = ProgressRetryLimit, CommandRun, StepAtLimit(f.Open, f.Tree)
	case outstanding:
		p.State, p.Next = ProgressOpen, CommandRun
		f.openStep(&p, a)
	case f.Owner == LostLoop:
		p.State, p.Reason, p.Next = ProgressOpen, LoopUnknown, CommandRun
	case f.Passed != nil && !goesOn:
		p = Progress{State: ProgressPassed, Run: f.Passed.Run, Iteration: f.Passed.LastIteration()}
	case !f.Differs && !goesOn:
		p = Progress{State: ProgressNoChanges}
	case len(f.Ungated) > 0 && !goesOn:
		p = Progress{State: ProgressNoGate, Files: f.Ungated}
	default:
		p.State, p.Reason, p.Next = ProgressUnreviewed, f.unreviewed(), CommandRun
		if p.Reason == RunNotClosed && f.onlyClosingLeft() {
			p.State = ProgressOpen
		}
		if f.Gateless && p.Reason == TreeChangedSincePass { // nobody is left to look at the change
			p.Next = CommandClean
		}
		p.TreeChanged = p.Reason == TreeChangedSincePass || p.Reason == ConfigChanged && f.treeChanged(f.Last)
	}
	return p
}

// openStep sets what to do next with an open run in which something is outstanding.
func (f ProgressFacts) openStep(p *Progress, a Assessment) {
	p.OnlyGone = f.Owner.GoesOn() && a.OnlyGone(f.Gone)
	if len(a.Claims) == a.Outstanding() && len(a.Failing)+len(a.Erred) == 0 && f.nothingChanged() && !p.OnlyGone {
		p.Next, p.Unexplained = f.Open.AskAgain(a.Claims)
	}
	if f.Owner.GoesOn() && a.Stuck(f.Gone) {
		p.Next = CommandClean
	}
	switch f.Owner {
	case NoLoop:
		p.Reason = OtherCheckout
	case EmptiedLoop:
		p.Reason = LogsGone
	default:
		return
	}
	if !f.Differs && len(a.Claims) == 0 { // a run would not find anything to do
		p.Next = CommandClean
	}
}

func (f ProgressFacts) treeChanged(run *State) bool { return !run.endsOn(f.Tree) }

// nothingChanged reports whether a rerun of the open loop would compare the working tree with
// itself, and owe nobody's answer to a claim. It compares with the tree of the first iteration that
// ended with violations.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (f ProgressFacts) nothingChanged() bool {
	first := slices.IndexFunc(f.Open.Iterations, func(i Iteration) bool {
		return i.Status != StatusInterrupted && f.Open.ReviewFailed(i.Number)
	})
	return f.Owner == OwnLoop && f.Open.Run.SessionRef != "" && !f.Open.AnyForgotten() &&
		first >= 0 && f.Open.Iterations[first].To == f.Tree && !f.treeChanged(f.Open)
}

// onlyClosingLeft reports whether the open run, in which nothing is outstanding, passes when it is
// closed: its gates have seen the working tree, and the merge base is the one that they compared with.
//
// Rule: Done means passed as it is now.
func (f ProgressFacts) onlyClosingLeft() bool {
	moved := f.Open.BaseCanMove() && f.Base != f.Open.Run.Base
	return f.Owner == OwnLoop && !moved && skipsSuffice(f.Open, f.Tree)
}

// ReadyToPass reports whether only the run that closes the loop is missing.
func (p Progress) ReadyToPass() bool { return p.State == ProgressOpen && p.Reason == RunNotClosed }

// otherGates reports whether a run is known to have begun with other gates, and did not pass as a
// whole with the present ones.
func (f ProgressFacts) otherGates(run *State) bool {
	return run.Run.ConfigHash != "" && run.Run.ConfigHash != f.ConfigHash && !f.counts(run)
}

// unreviewed returns why no run that passed covers the changes.
func (f ProgressFacts) unreviewed() ProgressReason {
	if f.Owner.GoesOn() {
		if f.treeChanged(f.Open) {
			return TreeChangedSincePass
		}
		if f.Open.AnyForgotten() {
			return MemoryEnded
		}
		return RunNotClosed
	}
	switch last := f.Last; {
	case last == nil:
		return NoRun
	case !last.Run.Status.Passes():
		return RunNotPassed
	case f.treeChanged(last) && !f.otherGates(last):
		return TreeChangedSincePass
	case last.Run.Base != f.Base && !f.treeChanged(last):
		return BaseMoved
	case f.otherGates(last):
		return ConfigChanged
	case last.Run.ConfigHash == "", last.Restored():
		return RunRestored
	case last.AnyForgotten():
		return MemoryEnded
	}
	return PassedInPart
}

// listed returns the violations whose status, including the marks in files, is wanted.
func (f ProgressFacts) listed(want func(Status) bool) (found []ListedViolation) {
	byID := make(map[string]int, len(f.Open.Violations))
	for n, now := range f.Open.Violations {
		byID[now.ID] = n
	}
	marked := make([]ListedViolation, 0, len(f.Listed))
	for _, v := range f.Listed {
		n, known := byID[v.ID]
		if !known {
			continue
		}
		now := f.Open.Violations[n]
		if now.Status != v.Status {
			v.Status, v.Result, v.Reason, v.Answered, v.StatusBy = now.Status, now.Result, now.Reason, now.Answered, ActorAgent
		}
		v.DuplicateOf = now.DuplicateOf
		marked = append(marked, v)
	}
	for _, v := range WithDuplicates(marked) {
		if want(v.Status) {
			found = append(found, v)
		}
	}
	return found
}

// errored returns the gates and slots in error. A gate that is running now does not count, but one
// whose process was killed does.
func (f ProgressFacts) errored(a Assessment) []Unresolved {
	list := errored(a)
	if f.Running {
		return slices.DeleteFunc(list, func(u Unresolved) bool { return u.Reason == string(SlotRunning) })
	}
	for n := range list {
		if list[n].Reason == string(SlotRunning) {
			list[n].Reason = "its process was killed"
		}
	}
	return list
}

func failing(a Assessment) (list []Unresolved) {
	for _, gate := range a.Failing {
		list = append(list, Unresolved{Job: gate.Job, Reason: gate.Reason, Iteration: gate.Iteration, Excerpt: gate.Excerpt})
	}
	return list
}

func errored(a Assessment) (list []Unresolved) {
	for _, gate := range a.Erred {
		before := len(list)
		for _, slot := range gate.Slots {
			if slot.Status.Unanswered() {
				list = append(list, Unresolved{Job: gate.Job, Slot: slot.Index, Reason: cmp.Or(slot.Reason, string(slot.Status)), Iteration: slot.Iteration, Adapter: slot.Adapter})
			}
		}
		if len(list) == before {
			list = append(list, Unresolved{Job: gate.Job, Reason: cmp.Or(gate.Reason, string(gate.Status)), Iteration: gate.Iteration})
		}
	}
	return list
}

// PassedWhole reports whether, in a run that passes, every gate that applies has passed over the
// whole change as it is configured now: its first iteration compared with the base branch, its last
// one had this configuration, none of the jobs that apply was left out, and none ran otherwise. If it was restored from
// its files, every gate has answered again.
//
// Rule: Done means passed as it is now.
func PassedWhole(state *State, applying []Planned, configHash string) bool {
	last := state.Iteration(state.LastIteration())
	if last == nil || state.configAt(*last) != configHash || len(lacking(state, applying)) > 0 {
		return false
	}
	whole := state.Iterations[0].Source == SourceBase || state.Restored() && state.BaseCanMove() && state.AnsweredAgain()
	return whole && (!state.ConfigMoved(configHash) ||
		!slices.ContainsFunc(applying, func(p Planned) bool { return p.Applies && !ranAsConfigured(state, p) }))
}

// ConfigMoved reports whether an iteration of the run had another configuration.
func (s *State) ConfigMoved(configHash string) bool {
	return slices.ContainsFunc(s.Iterations, func(i Iteration) bool { return s.configAt(i) != configHash })
}

// configAt returns the hash of the configuration that the iteration had.
func (s *State) configAt(i Iteration) string { return cmp.Or(i.ConfigHash, s.Run.ConfigHash) }

// ranAsConfigured reports whether the gate ran as it is configured now, although the configuration
// changed during the run. A reviewer that answered with other instructions before was not asked as in a
// first iteration since: what is below the threshold did not count.
//
// Rule: Done means passed as it is now.
func ranAsConfigured(state *State, p Planned) bool {
	return !slices.ContainsFunc(state.Gates, func(gate Gate) bool {
		counts := p.Kind == KindReview || gate.Iteration == state.LatestGate(p.Job).Iteration
		return gate.Job == p.Job && counts && gate.ConfigHash != p.ConfigHash
	})
}

// lacking returns the jobs that apply and that the run has not executed.
func lacking(state *State, applying []Planned) (jobs []string) {
	for _, p := range applying {
		if p.Applies && state.LatestGate(p.Job) == nil {
			jobs = append(jobs, p.Job)
		}
	}
	return jobs
}
