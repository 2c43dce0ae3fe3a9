package ledger

import "slices"

// Outcome is what a summary line says of a violation or a check.
type Outcome string

// The outcomes that a summary shows.
const (
	OutcomeFixed      Outcome = "fixed"
	OutcomeSkipped    Outcome = "skipped"
	OutcomeUnverified Outcome = "unverified"
	OutcomeWithdrawn  Outcome = "withdrawn"
)

// Summary is what is printed at the end of every iteration.
type Summary struct {
	// Iterations are those that contributed, ascending.
	Iterations []SummaryIteration
	// Fixed, Skipped and Withdrawn count the lines of these outcomes.
	Fixed, Skipped, Withdrawn int
	// Failed is open violations, failing checks and slots in error.
	Failed int
	Status RunStatus
	// Took is how many iterations the run has had, and Left how many may still fail, where that
	// is not nil.
	Took int
	Left *int
	// Open and Unresolved are what keeps the run from passing.
	Open       []Violation
	Unresolved []Unresolved
	// Filtered are the problems that filters left out and nobody took up.
	Filtered []ListedReport
	// Config are the files of the configuration that the change under review changes.
	Config []string
	// Uncovered are changed files that no gate looks at.
	Uncovered []string
	// Spent is what the run has cost so far.
	Spent Spent
}

// Unverified reports whether a claim is listed that nobody has confirmed.
func (s Summary) Unverified() bool {
	return slices.ContainsFunc(s.Iterations, func(i SummaryIteration) bool {
		return slices.ContainsFunc(i.Lines, func(l SummaryLine) bool { return l.Outcome == OutcomeUnverified })
	})
}

// SummaryIteration is what one iteration contributed: the results for its reports.
type SummaryIteration struct {
	Number int
	Lines  []SummaryLine
}

// SummaryLine is one violation, or one check whose problems were resolved.
type SummaryLine struct {
	Outcome Outcome
	// Problems is how many problems of a check were resolved; 0 for a
	// violation.
	Problems int
	// Violation has the job alone for a check.
	Violation
}
