package ledger

import "time"

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
	CauseFinished Cause = "finished" // it came to its own end
	// CausePriorPass is a slot that is skipped because it has passed before.
	CausePriorPass Cause = "prior_pass"
	// CauseNotRun is a gate that is left alone; its reason says why.
	CauseNotRun Cause = "not_run"
	// CausePassed is a run in which all that ran has passed, CausePassedWhole one in which
	// every gate that applies has, over the whole change.
	CausePassed      Cause = "passed"
	CausePassedWhole Cause = "passed_whole"
	// CauseRetryLimit is a run that may have no further iteration.
	CauseRetryLimit Cause = "retry_limit"
	// CauseVerdict closes the run of a code review, and CauseVerification opens it
	// again.
	CauseVerdict      Cause = "verdict"
	CauseVerification Cause = "verification"
	// CauseInterrupted is a signal, after which the process recorded its end.
	CauseInterrupted Cause = "interrupted"
	// CauseKilled is a process that was killed. The time is when a later command noticed.
	CauseKilled Cause = "killed"
	// A run is abandoned by the command `clean`, because another run begins in its
	// place, or because its logs are gone.
	CauseClean    Cause = "clean"
	CauseNewerRun Cause = "newer_run"
	CauseLogsGone Cause = "logs_gone"
	// CauseRestored is what was read back from files.
	CauseRestored Cause = "restored"
)

// Mover is who caused a transition.
type Mover string

// The movers.
const (
	// MoverUser is whoever gave the command, a person or an agent.
	MoverUser     Mover = "user"
	MoverAgent    Mover = "agent"
	MoverReviewer Mover = "reviewer"
	MoverSystem   Mover = "system"
)

// By returns who caused it, unless a reviewer's answer did.
func (c Cause) By() Mover {
	switch c {
	case CauseStarted, CauseVerification, CauseInterrupted, CauseClean:
		return MoverUser
	}
	return MoverSystem
}

// Transition is one change of the status of a run.
type Transition struct {
	Status RunStatus
	At     time.Time
	By     Mover
	Cause  Cause
}

// ErrorKind is why a slot has no answer; the slot's reason has the words.
type ErrorKind string

// The kinds of errors.
const (
	ErrorAuth        ErrorKind = "auth"        // not signed in, or a key is refused
	ErrorUsageLimit  ErrorKind = "usage_limit" // for hours
	ErrorRateLimit   ErrorKind = "rate_limit"  // for seconds or minutes, and no time was left to wait
	ErrorTimeout     ErrorKind = "timeout"
	ErrorInputLimit  ErrorKind = "input_limit" // the prompt is too large
	ErrorRefused     ErrorKind = "refused"     // by the model, or a filter of its server
	ErrorBadAnswer   ErrorKind = "bad_answer"  // empty, cut, too long, or of an unknown form
	ErrorCrashed     ErrorKind = "crashed"     // not started, exited non-zero, or any other error
	ErrorInterrupted ErrorKind = "interrupted"
	ErrorBudget      ErrorKind = "budget"
)

// NotRunReason is why a gate was left alone.
type NotRunReason string

// The reasons.
const (
	NotRunFailFast  NotRunReason = "fail_fast" // a check before it failed
	NotRunUnchanged NotRunReason = "unchanged" // nothing in its part changed, and it owes nothing
	NotRunBudget    NotRunReason = "budget"    // the run may not spend more
)

// Source is where an iteration's diff begins, or for a code review what it looks at.
type Source string

// The sources. Those of a full code review are the [VerdictScopes].
const (
	// SourceBase is the run's base.
	SourceBase Source = "base"
	// SourceUncommitted is HEAD: on a rerun because there is no session reference.
	SourceUncommitted Source = "uncommitted"
	// SourceUncommittedOnly is HEAD because the user asked for no more on a rerun:
	// what was committed stays unseen.
	SourceUncommittedOnly Source = "uncommitted_only"
	// SourceCommit is the parent of a commit that the user chose.
	SourceCommit Source = "commit"
	// SourceSession is the tree that the session reference names.
	SourceSession Source = "session"
	// SourceFiles is that of an iteration that was restored from its files.
	SourceFiles Source = "files"
	// SourceVerify is the tree of a code review, which is verified.
	SourceVerify Source = "verify"
)

// RepositoryKind says by what a repository is known.
type RepositoryKind string

// The kinds, the most reliable first.
const (
	RepositoryConfigured RepositoryKind = "configured"  // the configuration names it
	RepositoryOrigin     RepositoryKind = "origin"      // the address of its origin, without credentials
	RepositoryRootCommit RepositoryKind = "root_commit" // its first commit
	RepositoryPath       RepositoryKind = "path"        // without a commit, where its main worktree is
	RepositoryUnknown    RepositoryKind = "unknown"     // not known yet
)

// Repository identifies what several worktrees share. A ledger may hold several.
type Repository struct {
	Kind RepositoryKind // empty: not known
	Key  string
	// Sole is set if the ledger belongs to this repository alone, so that rows that do not name a
	// repository belong to it.
	Sole bool
}
