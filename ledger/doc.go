// Package ledger is the memory of the fix–verify loop: what ran, what was
// reported, what became of it, and the decisions that follow.
//
// # Rows
//
// A [Run] is one fix–verify loop of one worktree and log directory. An
// [Iteration] of it is one invocation that executed a gate. A [Gate] is one job
// in one iteration, and a [Slot] is one reviewer's place in a review gate. A
// [Report] is one thing that one slot said in one iteration; it stays, whatever
// becomes of it, with its [Disposition]. A [Violation] is the identity behind
// the accepted reports of one job. An [Event] is one change of a violation's
// status; events are only ever added, and a violation's status is that of its
// last event.
//
// # Rules
//
// Nothing that a reviewer found vanishes: it is an accepted report, or a report
// with the reason why not. Only a reviewer verifies, and only a claim that it
// was shown and did not report again. Not seen again is not fixed. A run passes
// only if nothing is open, no claim is unverified and every gate that it ever
// executed has passed.
//
// # Decisions
//
// What to skip, filter, match, verify and pass is decided by pure functions of
// rows ([PlanSlots], [Evaluate], [Assess], [CompareEdits]), so that each
// decision can be computed again. The package knows nothing of git, processes
// or files: what it needs of them (is this line in the diff, where is this line
// now, what time is it) is handed in.
//
// # Imports
//
// The package imports only the standard library. Package
// [github.com/reviewledger/reviewledger/ledger/store] keeps the rows in SQLite.
package ledger
