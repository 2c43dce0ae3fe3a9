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
// rows ([PlanSlots], [Assess], [CompareEdits]; packages match and verdict), so that each
// decision can be computed again. The package knows nothing of git, processes
// or files: what it needs of them (is this line in the diff, where is this line
// now, what time is it) is handed in.
//
// # Glossary
//
//   - open: new or reopened; the agent has to do something about it.
//   - claim: a violation that was marked fixed and is not yet verified ([Violation.Claim]).
//   - asked, put to: a slot is asked about a claim if its prompt names the claim and wants a
//     word on it.
//   - verified: every slot that the claim was put to in an iteration has said that it is
//     fixed.
//   - skipped: left as it is by whoever marked it; later reports of it are left out.
//   - carried: of the slot's violations that were open, one that its answer does not name; it
//     stays open, and fails the slot.
//   - whereabouts: where the lines of an earlier violation are in the tree that is reviewed
//     ([Whereabouts]).
//   - outstanding: open or a claim; what keeps a run from passing ([Assess]).
//   - covered: a review job that has passed, and each of whose slots has seen all of its part
//     of the change ([Coverage.Covered]).
//   - stale: a gate that has not seen all of the code as it is now ([Coverage.Stale]).
//   - owed: what must run although nothing has changed since the last iteration ([Owed]).
//   - disposition: what became of a report: accepted, or why it was left out.
//   - settled: a finding that no longer counts for the verdict. A file settles no finding; a
//     reviewer does, or a person.
//
// # Imports
//
// The package imports only the standard library. Package
// [github.com/reviewledger/reviewledger/ledger/store] keeps the rows in SQLite.
package ledger
