package listings

import (
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Runs describe the list of runs.
var Runs = Columns[ledger.Run]{
	{Key: "id", Doc: "the run's ULID", Value: func(r *ledger.Run) any { return r.ID }, Column: text.Column{Title: "RUN"}},
	{Key: "kind", Doc: "`gates` or `code_review`", Value: func(r *ledger.Run) any { return string(r.Kind) },
		Column: text.Column{Title: "KIND", Cut: true, Spare: true}, Same: true},
	{Key: "status", Doc: "`" + listOf(ledger.RunStatuses()) + "`",
		Value:  func(r *ledger.Run) any { return string(r.Status) },
		Column: text.Column{Title: "STATUS", Cut: true, Late: true, Min: len(shortWords[string(ledger.StatusPassedWithWarnings)])},
		Cell: func(r *ledger.Run) text.Cell {
			return text.Cell{Text: runWord(*r), Color: colorOf(r.Status), Short: shortWords[runWord(*r)]}
		}},
	{Key: "worktree", Doc: "where it ran; null with `--team`", Value: func(r *ledger.Run) any { return orNull(r.Worktree) },
		Column: text.Column{Title: "WORKTREE", Cut: true, End: true, Spare: true}, Same: true},
	{Key: "branch", Doc: "the branch that was checked out; null for a detached HEAD", Value: func(r *ledger.Run) any { return orNull(r.Branch) },
		Column: text.Column{Title: "BRANCH", Cut: true, Min: 4},
		Cell:   func(r *ledger.Run) text.Cell { return text.Cell{Text: text.OrElse(r.Branch, "(detached)")} }},
	{Key: "base", Doc: "the commit with which it compares", Value: func(r *ledger.Run) any { return r.Base }},
	{Key: "head", Doc: "the commit that was checked out; null before the first commit", Value: func(r *ledger.Run) any { return orNull(r.Head) }},
	{Key: "subject", Doc: "the first line of the message of the first commit of its change when it began; null if there was none",
		Value: func(r *ledger.Run) any { return orNull(r.Subject) }},
	{Key: "iterations", Doc: "how many iterations it has", Value: func(r *ledger.Run) any { return r.Iterations },
		Column: text.Column{Title: "ITER", Right: true}},
	{Key: "claimed", Doc: "its violations that are marked as fixed and not yet verified; here and below, what was joined to another one (duplicate) is not counted again",
		Value: func(r *ledger.Run) any { return r.Claimed }, Column: text.Column{Title: "CLAIMED", Right: true, Spare: true}, Usual: "0"},
	{Key: "verified", Doc: "its violations that are verified", Value: func(r *ledger.Run) any { return r.Verified },
		Column: text.Column{Title: "VERIFIED", Right: true}},
	{Key: "skipped", Doc: "its violations that are skipped", Value: func(r *ledger.Run) any { return r.Skipped },
		Column: text.Column{Title: "SKIPPED", Right: true}},
	{Key: "withdrawn", Doc: "its violations that are withdrawn", Value: func(r *ledger.Run) any { return r.Withdrawn },
		Column: text.Column{Title: "WITHDRAWN", Right: true, Spare: true}, Usual: "0"},
	{Key: "open", Doc: "its violations that are new, reopened or disputed", Value: func(r *ledger.Run) any { return r.StillOpen() },
		Column: text.Column{Title: "OPEN", Right: true}},
	{Key: "abandoned", Doc: "its violations that were new, reopened or disputed when it was abandoned; `open` does not count them",
		Value: func(r *ledger.Run) any { return r.Abandoned() }},
	{Key: "started_at", Doc: "when it began", Value: func(r *ledger.Run) any { return r.StartedAt }, Column: text.Column{Title: "STARTED"}},
	{Key: "finished_at", Doc: "when it was closed; null while the run is open", Value: func(r *ledger.Run) any { return r.FinishedAt }},
	{Key: "review_id", Doc: "the id of a code review, else null", Value: func(r *ledger.Run) any { return orNull(r.ReviewID) }},
	{Key: "verdict", Doc: "the latest verdict of a code review, `PASS, WARN, FAIL, ABORT`, else null", Value: func(r *ledger.Run) any { return orNull(r.Verdict) }},
}

// RunsTable formats runs for people. Kind and worktree are shown if they differ between runs, and
// claims and withdrawn findings if there are any.
func RunsTable(runs []ledger.Run) text.Table {
	t := Runs.Table(runs, "id", "status", "started_at", "branch", "iterations", "claimed", "verified", "skipped", "open", "withdrawn", "kind", "worktree")
	t.Columns[0].Short = shortRun(runs)
	return t
}

// runWord returns the status of a run of gates or the verdict of a code review, which says more
// than its status. A code review without a verdict has its status.
func runWord(r ledger.Run) string {
	if r.Verdict != "" && r.Status == r.Verdict.RunStatus() {
		return string(r.Verdict)
	}
	return string(r.Status)
}

// shortWords are shorter forms of long words of [runWord], for narrow tables.
var shortWords = map[string]string{
	string(ledger.StatusPassedWithWarnings): "passed, warned", string(ledger.StatusRetryLimitExceeded): "retry limit",
}

// shortRun returns how many characters of an ID distinguish the runs: at least those that encode
// the time, which also distinguish them from runs that are not listed.
func shortRun(runs []ledger.Run) int {
	const ofTime = 10
	for n := ofTime; ; n++ {
		seen := map[string]bool{}
		for _, r := range runs {
			seen[r.ID[:min(n, len(r.ID))]] = true
		}
		if len(seen) == len(runs) || n >= 26 {
			return n
		}
	}
}
