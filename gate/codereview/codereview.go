// Package codereview runs `reviewledger code-review`: it reviews a scope once, or verifies the
// fixes of the current verdict, and writes the verdict. It does not take part in the loop of
// package loop: it does not open or close a run of gates, and never skips a slot. Package
// ledger/verdict decides what a verdict says. The package uses git, the ledger, files and reviewers
// through the fields of [Runner].
//
//	scope.go   what is reviewed
//	recall.go  the current verdict, and the statuses that were edited in its file
//	handed.go  a verdict that comes from elsewhere
//	plan.go    who is asked
//	begin.go   what a review and a verification begin with: their rows and files
//	answer.go  asking, and what became of the answers
//	unseen.go  what changed since the review without being reviewed
//	verify.go  what the team says it fixed
//	mark.go    marking findings
package codereview

import (
	"context"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Verdicts reads and writes the verdict files of a worktree, including those that were replaced.
type Verdicts interface {
	// Read reads the current verdict as it was last edited, with its bytes. It returns
	// fs.ErrNotExist if there is none.
	Read() (verdict.Document, []byte, error)
	// Update writes the current verdict after findings were marked.
	Update(verdict.Verdict) error
	// CheckPlaces returns an error if something is in the way of the verdict, of the reason of an
	// ABORT, of the review document if documentPath is not empty, or of an archive that is not lost.
	CheckPlaces(documentPath string, archive []verdict.Archived) error
	// Publish writes the archives, then the review document if the verdict has one, or that of the nth
	// verification next to it, and last the verdict, with the reason of an ABORT. It returns the path
	// of the document. Archives and documents that exist are never changed.
	Publish(v verdict.Verdict, archive []verdict.Archived, verification int) (document string, err error)
}

// Console prints the progress of a code review. It is safe for concurrent use.
type Console interface {
	slots.Progress
	// Spent prints what the review has cost.
	Spent(ledger.Spent)
}

// Runner runs code reviews in one worktree.
type Runner struct {
	*worktree.Worktree
	Adapters slots.Adapters
	Ledger   *store.Store
	Verdicts Verdicts
	Logs     slots.Logs
	Console  Console
	// Now is the clock.
	Now func() time.Time
}

// Options are the options of the command line.
type Options struct {
	Mode   verdict.Mode
	Scope  ledger.VerdictScope // empty: changeset
	Target string              // empty: the scope's default
	// HandedIn means that Findings are the review, and no reviewer is asked. In a verification they
	// are the problems that still exist in Domains; if Domains is empty, in the domains of the
	// findings.
	HandedIn bool
	Findings []verdict.FindingEntry
	Domains  []string
}

// Result is the outcome of a code review.
type Result struct {
	verdict.Verdict
	// Document is the path of the review document that was written; "" if there is none.
	Document string
}

// codeReview is one invocation of code-review, with what it has found out so far.
type codeReview struct {
	*Runner
	options  Options
	scope    reviewScope
	diffs    *worktree.Diffs
	snapshot diff.Snapshot
	// to is the commit or tree that is reviewed.
	to string
	// previous is the current verdict before this code review.
	previous previous
	info     verdict.CodeReview
	// state has the rows of the review's run at the beginning of this invocation.
	state    *ledger.State
	number   int // of the iteration
	jobs     []slots.Job
	recorder *store.Recorder
	asker    *slots.Asker
	// asked has what each job's reviewers answered. erred counts the slots without a usable answer
	// and the gates without a reviewer.
	asked map[string]*asked
	erred int
}

// Review reviews a scope, or verifies the fixes of the current verdict, and writes the verdict:
// first the rows, then the file from the rows. After an error the file is unchanged.
//
// Rule: A code review is apart from the loop.
func (r *Runner) Review(ctx context.Context, o Options) (result Result, err error) {
	c := &codeReview{Runner: r, options: o, diffs: r.Diffs(), number: 1, state: &ledger.State{}}
	if err := c.review(ctx); err != nil {
		return result, c.ending(ctx, err)
	}
	return c.conclude(ctx)
}

// review does everything up to the verdict.
func (c *codeReview) review(ctx context.Context) error {
	begin := c.beginReview
	if c.verifies() {
		begin = c.beginVerification
	}
	if err := begin(ctx); err != nil {
		return err
	}
	if err := c.answer(ctx); err != nil {
		return err
	}
	return c.recordLate(ctx)
}

func (c *codeReview) verifies() bool { return c.options.Mode == verdict.Verify }

// conclude computes the verdict, records it, and writes its files.
//
// Rule: The verdict counts what is open.
func (c *codeReview) conclude(ctx context.Context) (result Result, err error) {
	if result.Verdict, err = c.recorder.Conclude(ctx, c.options.Mode); err != nil {
		return result, err
	}
	result.Run = c.state.Run.ID
	for _, f := range result.Findings {
		if f.Held() {
			c.Console.Warn(held(f))
		}
	}
	if n := result.Count(ledger.StatusFixed); n > 0 {
		c.Console.Warn(ledger.PluralVerb(n, "fixed finding", "was not verified, so it counts as open", "were not verified, so they count as open"))
	}
	result.Document, err = c.Verdicts.Publish(result.Verdict, c.previous.archive, len(result.Earlier))
	return result, err
}

// held returns a warning: why an agent's wont_fix does not settle a system-breaking finding, and
// how a person can settle it.
//
// Rule: The verdict counts what is open.
func held(f verdict.Finding) string {
	return fmt.Sprintf("finding %q breaks the system, so it still counts after an agent's wont_fix: a person settles it with `%s`", f.ID, f.SettleCommand())
}

// place returns the scope in which the ledger records code reviews of this worktree.
func (r *Runner) place() ledger.Scope { return r.Place(ledger.KindCodeReview, verdict.Dir) }
