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
// Decisions are pure functions of package ledger, ledger/match and ledger/verdict; gate/loop and
// ledger/store only find the facts that these functions need. What to skip, filter, match, verify
// and pass ([PlanSlots], [Assess], [CompareEdits]) can therefore be computed again from the rows.
// The package does not use git, processes, files or the clock: whether a line is in the diff, where
// a line is now and what time it is are parameters.
//
// # Glossary
//
//   - open: new, reopened or disputed; somebody has to do something about it, or to answer the
//     dispute ([Status.Open]).
//   - claim: a violation that was marked fixed and is not yet verified ([Violation.Claim]).
//   - asked, put to: a slot is asked about a claim if its prompt names the claim and asks for a
//     word on it.
//   - verified: every slot that the claim was put to in an iteration has said that it is
//     fixed.
//   - skipped: of a violation, left as it is by whoever marked it; later reports of it are filtered.
//     Of a slot, not asked because it passed before ([PlanSlots]).
//   - carried: of the slot's violations that were open, one that its answer does not name; it
//     stays open, and fails the slot.
//   - whereabouts: where the lines of an earlier violation are in the tree that is reviewed
//     ([Whereabouts]).
//   - place: a file and a range of lines in it, or the whole file ([Place]).
//   - job: a check or a review on an entry point, as the configuration has it.
//   - gate: in code, one execution of a job ([Gate]). Users read of a gate as the configured thing,
//     which may apply to several entry points.
//   - part: what of a change one job looks at ([Part]); also one of the prompts that a large change
//     is split into ([Call.Part]).
//   - outstanding: open or a claim; what keeps a run from passing ([Assess]).
//   - covered: a review job that has passed, and each of whose slots has seen all of its part
//     of the change ([Coverage.Covered]).
//   - stale: a gate that has not seen all of the code as it is now ([Coverage.Stale]).
//   - owed: what must run although nothing has changed since the last iteration ([Owed]).
//   - rest: a review gate rests on the pass of an earlier run of its branch if its reviewers are shown
//     only what has changed since that pass ([Rest], [PrecedingRun]).
//   - joined, fate: a duplicate is joined to its original, and has the original's status in all
//     decisions, which is its fate ([Violation.Fate]).
//   - disposition: what became of a report: accepted, or why it does not count. A report that was not
//     accepted is discarded.
//   - filtered: discarded although it may be a problem ([Disposition.Filtered]). Documents
//     call every discarded report filtered.
//   - taken up: a filtered report that was made a violation by a mark.
//   - word: what a reviewer answers about one claim or dispute ([ClaimWord]).
//   - stands: of a pass, still counts: no later run or forgotten skip took it back. Of a disputed
//     finding, the reviewer's answer that it is a problem ([DisputeStands]).
//   - met: a remembered skip has met a report if the report was filtered because of it.
//   - misfit: what does not fit the form of an answer. Salvage is what can be read of such an answer.
//   - figure: a number about many runs that is shown, such as how many violations a file has (package
//     ledger/figures).
//   - facet: a value, such as a gate, a priority or a folder, that a list can be narrowed to, with its
//     number of violations ([Facets]).
//   - settled: a finding that no longer counts for the verdict. A file settles no finding; a
//     reviewer does, or a person.
//
// # Imports
//
// The package imports only the standard library. Package
// [github.com/reviewledger/reviewledger/ledger/store] keeps the rows in SQLite.
package ledger
