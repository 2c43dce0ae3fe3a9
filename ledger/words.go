package ledger

import (
	"slices"
	"strings"
)

// RunKind distinguishes loops over gates from code reviews.
type RunKind string

// The kinds of run.
const (
	// KindGates is a fix–verify loop of run, check and review.
	KindGates RunKind = "gates"
	// KindCodeReview is one review whose result is a verdict.
	KindCodeReview RunKind = "code_review"
)

// RunStatus is the state of a run, and of an iteration.
type RunStatus string

// The states of a run and an iteration. Between iterations a run has the status of its latest
// iteration.
const (
	StatusRunning            RunStatus = "running"
	StatusPassed             RunStatus = "passed"
	StatusPassedWithWarnings RunStatus = "passed_with_warnings"
	StatusFailed             RunStatus = "failed"
	StatusError              RunStatus = "error"
	StatusRetryLimitExceeded RunStatus = "retry_limit_exceeded"
	StatusInterrupted        RunStatus = "interrupted"
	// StatusAbandoned is a run that was closed before it passed. An iteration never has this
	// status.
	StatusAbandoned RunStatus = "abandoned"
)

// RunStatuses lists every state of a run.
func RunStatuses() []RunStatus {
	return []RunStatus{
		StatusRunning, StatusPassed, StatusPassedWithWarnings, StatusFailed,
		StatusError, StatusRetryLimitExceeded, StatusInterrupted, StatusAbandoned,
	}
}

// Passes reports whether a run with this status has passed, with or without
// warnings.
func (s RunStatus) Passes() bool {
	return s == StatusPassed || s == StatusPassedWithWarnings
}

// Mode is what determined the scope of an iteration.
type Mode string

// The modes of an iteration.
const (
	// ModeFirst starts a run: the log directory was empty.
	ModeFirst Mode = "first"
	// ModeRerun verifies what earlier iterations reported.
	ModeRerun Mode = "rerun"
	// ModeRebuilt was restored from files, because it was not in the ledger.
	ModeRebuilt Mode = "rebuilt"
)

// GateKind distinguishes shell checks from reviews.
type GateKind string

// The kinds of gate.
const (
	KindCheck  GateKind = "check"
	KindReview GateKind = "review"
)

// GateStatus is the state of one job in one iteration.
type GateStatus string

// The states of a gate.
const (
	GateRunning     GateStatus = "running"
	GatePassed      GateStatus = "passed"
	GateFailed      GateStatus = "failed"
	GateError       GateStatus = "error"
	GateInterrupted GateStatus = "interrupted"
	// GateNotRun was planned but never started, for example after a failed check with fail_fast.
	GateNotRun GateStatus = "not_run"
)

// SlotStatus is the state of one slot in one iteration, in the words of the
// slot's JSON file.
type SlotStatus string

// The states of a slot.
const (
	SlotRunning SlotStatus = "running"
	SlotPass    SlotStatus = "pass"
	SlotFail    SlotStatus = "fail"
	SlotError   SlotStatus = "error"
	// SlotSkipped was not asked because it passed in an earlier iteration.
	SlotSkipped     SlotStatus = "skipped_prior_pass"
	SlotInterrupted SlotStatus = "interrupted"
)

// Answered reports whether the slot's reviewer gave an answer that could be read.
func (s SlotStatus) Answered() bool { return s == SlotPass || s == SlotFail }

// Unanswered reports whether the slot was planned to be asked but has no answer.
func (s SlotStatus) Unanswered() bool {
	return s == SlotError || s == SlotInterrupted || s == SlotRunning
}

// Actor is who changed a status.
type Actor string

// The actors.
const (
	ActorReviewer Actor = "reviewer"
	ActorAgent    Actor = "agent"
	ActorHuman    Actor = "human"
	// ActorUser is whoever gave the command that changed the status of a run, an iteration, a gate or a slot:
	// a person or an agent.
	ActorUser Actor = "user"
	// ActorSystem is reviewledger itself.
	ActorSystem Actor = "system"
)

// Disposition is whether a report was accepted or, if not, why.
type Disposition string

// The dispositions.
const (
	// Accepted began or matched a violation.
	Accepted Disposition = "accepted"
	// OutOfDiff is not on a changed line.
	OutOfDiff Disposition = "out_of_diff"
	// BelowThreshold is new on a rerun and less important than
	// rerun_new_issue_threshold.
	BelowThreshold Disposition = "below_threshold"
	// PreviouslySkipped repeats a violation of this run that was skipped.
	PreviouslySkipped Disposition = "previously_skipped"
	// RememberedSkip repeats a remembered skip of an earlier run.
	RememberedSkip Disposition = "remembered_skip"
	// Malformed has no file, issue or priority.
	Malformed Disposition = "malformed"
	// Merged repeats another entry of the answer or, in a verdict, of another slot.
	Merged Disposition = "merged"
	// OutsideVerify is a new finding that a verification reported.
	OutsideVerify Disposition = "outside_verify"
)

// Filtered reports whether the report may be a problem that no violation shows. Files list such
// reports in addition to their violations, and each of them can be taken up.
func (d Disposition) Filtered() bool {
	return d == OutOfDiff || d == BelowThreshold || d == Malformed
}

// ReasonTakenUp is the reason of the event that makes a filtered report a violation.
const ReasonTakenUp = "taken up"

// ReasonSameWords is the reason of a join that the words and the place of two reports made.
const ReasonSameWords = "same words"

// ReasonSameAs is the reason of a join that a reviewer made, by the id of what another gate had
// reported.
const ReasonSameAs = "same_as"

// FilteredDispositions lists the dispositions that are [Disposition.Filtered].
func FilteredDispositions() []Disposition { return []Disposition{OutOfDiff, BelowThreshold, Malformed} }

// Dispositions lists every disposition.
func Dispositions() []Disposition {
	return []Disposition{Accepted, OutOfDiff, BelowThreshold, PreviouslySkipped, RememberedSkip, Malformed, Merged, OutsideVerify}
}

// Priority is how important a violation is.
type Priority string

// The priorities, most important first.
const (
	Critical Priority = "critical"
	High     Priority = "high"
	Medium   Priority = "medium"
	Low      Priority = "low"
	Info     Priority = "info"
)

// Priorities lists the priorities, most important first.
func Priorities() []Priority { return []Priority{Critical, High, Medium, Low, Info} }

// ParsePriority parses a priority in any letter case. For any other word it returns high and false.
func ParsePriority(text string) (p Priority, ok bool) {
	p = Priority(strings.ToLower(strings.TrimSpace(text)))
	if slices.Contains(Priorities(), p) {
		return p, true
	}
	return High, false
}

// Rank returns 0 for critical, and more for less important priorities.
func (p Priority) Rank() int {
	if i := slices.Index(Priorities(), p); i >= 0 {
		return i
	}
	return 1
}

// Higher reports whether p is more important than other.
func (p Priority) Higher(other Priority) bool { return p.Rank() < other.Rank() }

// Meets reports whether p is at least as important as the threshold. The threshold low accepts
// everything, even info.
//
// Rule: A rerun filters what is new and below the threshold.
func (p Priority) Meets(threshold Priority) bool {
	return threshold == Low || threshold == Info || p.Rank() <= threshold.Rank()
}

// Sanitize returns the form that a job id or an adapter's name has in file names: each character
// outside [A-Za-z0-9._-] becomes an underscore.
func Sanitize(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '_'
	}, id)
}

// VerdictScope is what a code review covers.
//
// Rule: A code review is apart from the loop.
type VerdictScope string

// The scopes. Only a changeset is reviewed as a diff; in the others, whole files are.
const (
	ScopeChangeset VerdictScope = "changeset"
	ScopePackage   VerdictScope = "package"
	ScopeTeam      VerdictScope = "team"
	ScopeFile      VerdictScope = "file"
)

// Source returns the source of an iteration that reviews the scope.
func (s VerdictScope) Source() Source { return Source(s) }

// VerdictScopes lists every scope.
func VerdictScopes() []VerdictScope {
	return []VerdictScope{ScopeChangeset, ScopePackage, ScopeTeam, ScopeFile}
}

// VerdictWord is the result of a code review.
type VerdictWord string

// The verdicts.
const (
	VerdictPass VerdictWord = "PASS"
	VerdictWarn VerdictWord = "WARN"
	VerdictFail VerdictWord = "FAIL"
	// VerdictAbort means that the agent should not continue by itself.
	VerdictAbort VerdictWord = "ABORT"
)

// VerdictWords lists every verdict.
func VerdictWords() []VerdictWord {
	return []VerdictWord{VerdictPass, VerdictWarn, VerdictFail, VerdictAbort}
}

// RunStatus returns the status of a run with the verdict.
func (w VerdictWord) RunStatus() RunStatus {
	switch w {
	case VerdictPass:
		return StatusPassed
	case VerdictWarn:
		return StatusPassedWithWarnings
	}
	return StatusFailed
}
