package pages

import (
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Page is what [Render] renders: one of [Overview], [Runs], [Run], [Violations], [Discarded],
// [Violation], [Log], [Reviewers], [Files], [Skips], [Checks], [Verdicts], [Compare] and [Failure].
// They have rows, the filter that chose them, and figures. How these are shown is up to the page.
type Page interface {
	// content returns what the page shows, including its links.
	content(f Frame, l links) content
}

// Scope is what a page of figures is about.
type Scope struct {
	Filter figures.Filter
	// Since is the period as it was given: "7d", "12w", "all" or a time. If it is empty, the page
	// uses its default.
	Since string
}

// Overview shows what is open, what to do next, and the figures of a period.
type Overview struct {
	Scope
	// Empty means that the ledger does not exist or has no runs.
	Empty bool
	Next  Panel[NextSteps]
	// Open is the number of open violations by kind of run and priority, independent of the period.
	Open Panel[map[ledger.RunKind]map[ledger.Priority]int]
	// Slots, Runs, Weeks, Recurring and Files are statistics with the section of that name.
	Slots, Runs, Weeks, Recurring, Files Panel[figures.Statistics]
}

// NextSteps are the loops that wait for an agent or person.
type NextSteps struct {
	// Recorded is the number of all runs.
	Recorded int
	// Loops are the newest open runs, newest first. More is the number of other ones.
	Loops []OpenLoop
	More  int
	// Stuck are the runs at their retry limit. Abandoned are the runs that were abandoned.
	Stuck, Abandoned Leftover
}

// OpenLoop is an open run. Its State may lack the violations.
type OpenLoop struct {
	*ledger.State
	// Urgent is how many of its open violations are critical or high.
	Urgent int
}

// Leftover are the runs that ended with one status, and the violations that they left open.
type Leftover struct {
	ledger.RunsByStatus
	Newest ledger.Run
}

// Runs lists runs.
type Runs struct {
	Filter ledger.RunFilter
	// Rows are the rows of this page, at most [PageLength]. Total is the number of rows that the
	// filter keeps.
	Rows  Panel[[]RunRow]
	Total int
	// Facets has values that narrow the list, by name of the filter: at most eight for each, the
	// most frequent first.
	Facets Panel[map[string][]RunFacet]
	Pager  Pager
}

// RunRow is one row of a list of runs.
type RunRow struct {
	Run ledger.Run
	ledger.RunOutcome
}

// RunFacet is a value with the number of runs that have it.
type RunFacet struct {
	Value string
	Runs  int
}

// Pager is the position of a page in a list. It uses the keys of rows, because offsets would shift
// while rows are added.
type Pager struct {
	// Before is the cursor after which this page starts. It is empty for the first page.
	Before string
	// Next is the cursor after which the next page starts. It is empty for the last page.
	Next string
}

// Run is one run.
type Run struct {
	State *ledger.State
	Why   ledger.Explanation
	// Events are the events of all its violations, ordered by time.
	Events Panel[[]ledger.Event]
	// Violations are the worst of its violations, at most [PageLength], worst first.
	Violations Panel[[]ledger.ListedViolation]
	Cost       ledger.Cost
}

// Violations lists violations, or the hits of a search.
type Violations struct {
	Filter ledger.ViolationFilter
	// Query has the words to search for, the best first. If it is empty, there is no search, and the
	// filter has an order.
	Query string
	Rows  Panel[[]ledger.ListedViolation]
	// Snippets has the matching text of each row, by ULID.
	Snippets map[string]ledger.MarkedText
	// Removed are the hits among discarded reports.
	Removed []ledger.Report
	// Notes are the hits in the notes of slots.
	Notes  []ledger.SearchHit
	Facets Panel[ledger.Facets]
	// All is the number of violations without any filter.
	All   int
	Pager Pager
}

// Discarded lists discarded reports.
type Discarded struct {
	Filter ledger.ViolationFilter // the dispositions are in Discards
	Rows   Panel[[]ledger.Report]
	Pager  Pager
}

// Violation is one violation with its history.
type Violation struct {
	History ledger.History
	Why     ledger.Explanation
	Run     ledger.Run
	// Iterations are the iterations of its run.
	Iterations []ledger.Iteration
	// Problem has the other violations of the same problem: first the one that it was joined to,
	// then the other duplicates.
	Problem Panel[[]ledger.ListedViolation]
	// Current means that its run is the one that marks are about: an open one, or the latest code
	// review of its worktree.
	Current bool
	// SameLine counts the violations of all runs with its fingerprint.
	SameLine Panel[ledger.Count]
	// Form is nil if the pages only read.
	Form *MarkForm
}

// MarkForm is the form on the page of a violation that marks it.
type MarkForm struct {
	// Token is the secret by which the server knows its own forms.
	Token string
	// Worktree is where the server marks.
	Worktree string
	// Recorded says what was recorded, if the page is the answer to a mark.
	Recorded string
	// Refused is why a mark was not recorded, and Words and Reason are those of that mark.
	Refused, Words string
	Reason         ledger.SkipReason
}

// Log is text that one execution wrote.
type Log struct {
	Run ledger.Run
	Ref ledger.SlotRef // Slot is 0 for a check
	// Kind is "prompt", "answer" or "stderr", or empty for a check. Call is the number of the call,
	// from 1, and Calls is how many there were.
	Kind        string
	Call, Calls int
	// Text is the text that was kept.
	Text Panel[string]
}

// Reviewers compares adapters and models.
type Reviewers struct {
	Scope
	Figures Panel[figures.Statistics] // figures.SectionReviewers
}

// Files shows the files with most violations.
type Files struct {
	Scope
	Figures Panel[figures.Statistics] // figures.SectionFiles
	// Sort is the order of the table: "" for violations, "open" or "reopened".
	Sort string
}

// Skips lists the violations that are currently skipped.
type Skips struct {
	Filter ledger.ViolationFilter
	Rows   Panel[[]ledger.Skip]
	Total  int
	Pager  Pager
}

// Checks shows the checks and how often they fail.
type Checks struct {
	Scope
	Job     string                    // only this check, or all if empty
	Figures Panel[figures.Statistics] // figures.SectionChecks
}

// Verdicts shows the verdicts of code reviews over time.
type Verdicts struct {
	Scope
	Verdict ledger.VerdictWord        // only this verdict, or all if empty
	Figures Panel[figures.Statistics] // figures.SectionVerdicts
}

// Compare shows two runs side by side. If A or B is missing, it asks for them.
type Compare struct {
	A, B *RunRow
	// Found is the result of the comparison.
	Found Panel[ledger.Comparison]
	// Recent are runs to choose from, newest first.
	Recent []ledger.Run
}

// Failure is shown instead of a page that cannot be shown.
type Failure struct {
	Status int // status code of HTTP
	// Message says what failed and what to do. Suggestions are pages that may have been meant.
	Message     string
	Suggestions []Suggestion
}

// Suggestion is a link to another page.
type Suggestion struct{ Words, Path string }
