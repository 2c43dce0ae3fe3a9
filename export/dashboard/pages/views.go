package pages

import (
	"github.com/reviewledger/reviewledger/ledger"
)

// Page is what [Render] shows: one of [Overview], [Runs], [Run], [Violations],
// [Discarded], [Violation], [Log], [Reviewers], [Files], [Skips], [Checks], [Verdicts],
// [Compare] and [Failure]. They hold rows, the filter that chose them and figures; what
// a page makes of them is its own.
type Page interface {
	// content is what the page shows, with its addresses.
	content(f Frame, l links) content
}

// Scope is what a page of figures is about.
type Scope struct {
	Filter ledger.StatisticsFilter
	// Since is how the period was given: "7d", "12w", "all", or a time. It is the
	// page's default where nothing was given.
	Since string
}

// Overview shows what is open, what to do next, and the figures of a period.
type Overview struct {
	Scope
	// Empty says that the ledger does not exist or does not hold a run.
	Empty bool
	Next  Panel[NextSteps]
	// Open is how many violations of each priority are open now, whatever the period.
	Open Panel[map[ledger.Priority]int]
	// Slots, Runs, Weeks, Recurring and Files are statistics of the filter, with the
	// section of that name.
	Slots, Runs, Weeks, Recurring, Files Panel[ledger.Statistics]
}

// NextSteps are the loops that wait for an agent or a person.
type NextSteps struct {
	// Recorded is how many runs there are in all.
	Recorded int
	// Loops are the open runs, the newest first; More is how many others there are.
	Loops []OpenLoop
	More  int
	// Stuck are runs at their retry limit, Abandoned those that were abandoned with open
	// violations.
	Stuck, Abandoned Leftover
}

// OpenLoop is an open run, which may be without its violations.
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
	// Rows are those of this page, at most 50, and Total all that the filter keeps.
	Rows  Panel[[]RunRow]
	Total int
	// Facets narrow the list, by the filter's name: at most eight values each, the most frequent first.
	Facets Panel[map[string][]RunFacet]
	Pager  Pager
}

// RunRow is one row of a list of runs.
type RunRow struct {
	Run ledger.Run
	ledger.RunOutcome
}

// RunFacet is how many runs have a value.
type RunFacet struct {
	Value string
	Runs  int
}

// Pager says where a page is in a list: by the keys of rows, since offsets would shift
// while rows are added.
type Pager struct {
	// Before is the cursor that this page began after; empty for the first page.
	Before string
	// Next is the cursor that the next page begins after; empty for the last page.
	Next string
}

// Run is one run.
type Run struct {
	State *ledger.State
	Why   ledger.Explanation
	// Events are the events of all its violations, by their time.
	Events Panel[[]ledger.Event]
	// Violations are the first 50 of its violations, the worst first.
	Violations Panel[[]ledger.ListedViolation]
	Cost       ledger.Cost
}

// Violations lists violations; with a query, those that a search found.
type Violations struct {
	Filter ledger.ViolationFilter
	// Query are the words of a search; empty: none.
	Query string
	Rows  Panel[[]ledger.ListedViolation]
	// Snippets are what the search found in the rows, by ULID.
	Snippets map[string]ledger.MarkedText
	// Removed are what it found among the reports that filters removed.
	Removed []ledger.Report
	// Notes are what it found in the notes of slots.
	Notes  []ledger.SearchHit
	Facets Panel[ledger.Facets]
	// All is how many violations there are without any filter.
	All   int
	Pager Pager
}

// Discarded lists reports that filters removed.
type Discarded struct {
	Filter ledger.ViolationFilter // Discards are its dispositions
	Rows   Panel[[]ledger.Report]
	Pager  Pager
}

// Violation is one violation with its history.
type Violation struct {
	History ledger.History
	Why     ledger.Explanation
	Run     ledger.Run
	// Iterations are those of its run.
	Iterations []ledger.Iteration
	// Problem are the other violations of its problem: what it was joined to first, and what else was.
	Problem Panel[[]ledger.ListedViolation]
	// SameLine counts the violations with its fingerprint, in all runs.
	SameLine Panel[ledger.Count]
}

// Log is what one execution wrote, as text.
type Log struct {
	Run ledger.Run
	Ref ledger.SlotRef // Slot 0: a check
	// Kind is "prompt", "answer" or "stderr"; empty for a check. Call counts from 1, and
	// Calls is how many there were.
	Kind        string
	Call, Calls int
	// Text is what was kept.
	Text Panel[string]
}

// Reviewers compares adapters, and models.
type Reviewers struct {
	Scope
	Figures Panel[ledger.Statistics] // ledger.SectionReviewers
}

// Files shows the files with most violations.
type Files struct {
	Scope
	Figures Panel[ledger.Statistics] // ledger.SectionFiles
	// Sort is the order of the table: "" for violations, "open" or "reopened".
	Sort string
}

// Skips is the register of what is skipped now.
type Skips struct {
	Filter ledger.ViolationFilter
	Rows   Panel[[]ledger.Skip]
	Total  int
	Pager  Pager
}

// Checks shows the checks and how often they fail.
type Checks struct {
	Scope
	Job     string                   // only this one; empty: all
	Figures Panel[ledger.Statistics] // ledger.SectionChecks
}

// Verdicts shows the verdicts of code reviews over time.
type Verdicts struct {
	Scope
	Verdict ledger.VerdictWord       // only these; empty: all
	Figures Panel[ledger.Statistics] // ledger.SectionVerdicts
}

// Compare sets two runs side by side. Without runs it asks for them.
type Compare struct {
	A, B *RunRow
	// Found is what they share.
	Found Panel[ledger.Comparison]
	// Recent are runs to choose from, the newest first.
	Recent []ledger.Run
}

// Failure is shown in place of a page that cannot be made.
type Failure struct {
	Status int // of HTTP
	// Message says what failed, and what to do. Suggestions are addresses that may have
	// been meant, with their words.
	Message     string
	Suggestions []Suggestion
}

// Suggestion is another address.
type Suggestion struct{ Words, Path string }
