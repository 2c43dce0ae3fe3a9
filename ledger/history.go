package ledger

import (
	"fmt"
	"time"
)

// Subject is the kind of row whose status changes are transitions. Violations have events instead.
type Subject string

// The subjects.
const (
	SubjectRun       Subject = "run"
	SubjectIteration Subject = "iteration"
	SubjectGate      Subject = "gate"
	SubjectSlot      Subject = "slot"
)

// Cause is why a run, iteration, gate or slot got a status.
type Cause string

// The causes.
const (
	CauseStarted  Cause = "started"
	CauseFinished Cause = "finished" // it ended by itself
	// CausePriorPass is for a slot that is skipped because it has passed before.
	CausePriorPass Cause = "prior_pass"
	// CauseNotRun is for a gate that is not run; its reason says why.
	CauseNotRun Cause = "not_run"
	// CausePassed is for a run in which everything that ran has passed, and CausePassedWhole for a
	// run in which every gate that applies has passed over the whole change.
	CausePassed      Cause = "passed"
	CausePassedWhole Cause = "passed_whole"
	// CauseRetryLimit is for a run that may have no further iteration.
	CauseRetryLimit Cause = "retry_limit"
	// CauseExtended is for a person who allows more iterations.
	CauseExtended Cause = "extended"
	// CauseVerdict closes the run of a code review, and CauseVerification reopens it.
	CauseVerdict      Cause = "verdict"
	CauseVerification Cause = "verification"
	// CauseInterrupted is for a signal after which the process recorded its end.
	CauseInterrupted Cause = "interrupted"
	// CauseKilled is for a process that was killed. The time is when a later command noticed.
	CauseKilled Cause = "killed"
	// A run is abandoned by the command `clean`, because another run begins in its
	// place, or because its logs are gone.
	CauseClean    Cause = "clean"
	CauseNewerRun Cause = "newer_run"
	CauseLogsGone Cause = "logs_gone"
	// CauseRestored is for what was restored from files.
	CauseRestored Cause = "restored"
)

// By returns who caused a transition with this cause, unless a reviewer's answer did.
func (c Cause) By() Actor {
	switch c {
	case CauseStarted, CauseExtended, CauseVerification, CauseInterrupted, CauseClean:
		return ActorUser
	}
	return ActorSystem
}

// Transition is one change of the status of a run.
type Transition struct {
	Status RunStatus
	At     time.Time
	By     Actor
	Cause  Cause
	// Iterations is how many more iterations it allows.
	Iterations int
}

// ErrorKind is why a slot has no answer. The slot's reason describes it.
type ErrorKind string

// The kinds of errors.
const (
	ErrorAuth        ErrorKind = "auth"        // not signed in, or a key is refused
	ErrorUsageLimit  ErrorKind = "usage_limit" // for hours
	ErrorRateLimit   ErrorKind = "rate_limit"  // for seconds or minutes, and no time was left to wait
	ErrorTimeout     ErrorKind = "timeout"
	ErrorInputLimit  ErrorKind = "input_limit" // the prompt is too large
	ErrorRefused     ErrorKind = "refused"     // by the model, or by a filter of its server
	ErrorBadAnswer   ErrorKind = "bad_answer"  // empty, truncated, too long, or of unknown form
	ErrorCrashed     ErrorKind = "crashed"     // not started, exited non-zero, or any other error
	ErrorInterrupted ErrorKind = "interrupted"
	ErrorBudget      ErrorKind = "budget"
)

// NotRunReason is why a gate was not run.
type NotRunReason string

// The reasons.
const (
	NotRunFailFast  NotRunReason = "fail_fast" // an earlier check failed
	NotRunUnchanged NotRunReason = "unchanged" // nothing in its part changed, and it owes nothing
	NotRunBudget    NotRunReason = "budget"    // the run may not spend more
)

// Source is where an iteration's diff begins or, for a code review, what is reviewed.
type Source string

// The sources. Those of a full code review are the [VerdictScopes].
const (
	// SourceBase is the run's base.
	SourceBase Source = "base"
	// SourceUncommitted is HEAD, on a rerun because there is no session reference.
	SourceUncommitted Source = "uncommitted"
	// SourceUncommittedOnly is HEAD, on a rerun because the user asked for nothing else: what was
	// committed stays unseen.
	SourceUncommittedOnly Source = "uncommitted_only"
	// SourceCommit is the parent of a commit that the user chose.
	SourceCommit Source = "commit"
	// SourceSession is the tree that the session reference names.
	SourceSession Source = "session"
	// SourceFiles is for an iteration that was restored from its files.
	SourceFiles Source = "files"
	// SourceVerify is the tree of a code review that is being verified.
	SourceVerify Source = "verify"
)

// RepositoryKind is how a repository is identified.
type RepositoryKind string

// The kinds, the most reliable first.
const (
	RepositoryConfigured RepositoryKind = "configured"  // by a name in the configuration
	RepositoryOrigin     RepositoryKind = "origin"      // by the address of its origin, without credentials
	RepositoryRootCommit RepositoryKind = "root_commit" // by its first commit
	RepositoryPath       RepositoryKind = "path"        // by the path of its main worktree, if there is no commit
	RepositoryUnknown    RepositoryKind = "unknown"     // not identified yet
)

// Repository identifies what several worktrees have in common. A ledger may have several.
type Repository struct {
	Kind RepositoryKind // empty if not known
	Key  string
	// Sole is set if the ledger belongs to this repository alone, so that rows without a repository
	// belong to it.
	Sole bool `column:"-"`
}

// ListedViolation is a violation with the run and gate that it belongs to.
type ListedViolation struct {
	Violation
	Run        string // ULID
	RunStatus  RunStatus
	RunOpen    bool
	Worktree   string // of the run; empty in a team store
	EntryPoint string
	Gate       string
	// Fingerprint is empty if it was not computed.
	Fingerprint string
	// Recurring reports whether another run has a violation with the same fingerprint.
	Recurring bool
	// Shared reports whether another adapter reported it too.
	Shared bool
	// InFixLines reports whether it was first reported on lines that the previous fix changed.
	InFixLines bool
	// StatusBy is who gave it its status.
	StatusBy Actor
	// Duplicates are its duplicates. They are set only in a history and by [WithDuplicates].
	Duplicates []ListedViolation `column:"-"`
}

// Shown returns the status that the violation is shown with.
func (v ListedViolation) Shown() Status {
	if v.Status.Open() && v.RunStatus == StatusAbandoned {
		return ShownAbandoned
	}
	return v.Status
}

// History is everything that the ledger has about one violation.
type History struct {
	Violation ListedViolation
	Events    []Event        // in the order in which they happened
	Reports   []Report       // in the order in which they were made
	Words     []ReviewerWord // also of duplicates, by iteration and slot
	// Skip is set if the violation is skipped, and has whether the skip is remembered.
	Skip *Skip
}

// SaidBy returns the reviewer whose words the event has, as in "codex@2", or "" if it is not known.
func (h History) SaidBy(e Event) string {
	for _, w := range h.Words {
		if e.Actor == ActorReviewer && w.Iteration == e.Iteration && w.Evidence != "" && w.Evidence == e.Result {
			return fmt.Sprintf("%s@%d", w.Adapter, w.Slot)
		}
	}
	return ""
}

// Latest returns the latest report that counts, which the violation shows.
func (h History) Latest() (latest Report) {
	for _, r := range h.Reports {
		if r.Counts() {
			latest = r
		}
	}
	return latest
}
