package ledger

import (
	"slices"
)

// RunOutcome is the course of a run, for a list of runs.
type RunOutcome struct {
	// Remaining has the number of violations that were not closed, after each iteration.
	Remaining []int
	Cost      Cost
}

// RunCount counts the runs that have all of these values in common.
type RunCount struct {
	Status           RunStatus
	Kind             RunKind
	Branch, Worktree string
	Repository       string // its key
	Runs             int
}

// RunsByStatus is the number of runs with one status, and of their violations that are open or, in
// abandoned runs, were left open.
type RunsByStatus struct{ Runs, Open int }

// Names are the names in a ledger that filters can select.
type Names struct {
	Gates, EntryPoints, Adapters, Models, Repositories []string
}

// Count is a number of violations, with the filter that lists exactly these. If the filter has
// Discards, it is a number of reports.
type Count struct {
	Violations int
	Filter     ViolationFilter
}

// Cost is what model calls cost in US dollars. Known is how many of all Calls have a known cost. If
// it is less than Calls, the cost is a lower bound; if it is 0, the cost is unknown.
type Cost struct {
	USD          float64
	Known, Calls int
}

// TakenBack reports whether the first of a violation's events is a skip that a later one took back.
// Nobody counts such a skip.
func TakenBack(events []Event) bool {
	return events[0].Status == StatusSkipped && slices.ContainsFunc(events, func(e Event) bool { return e.Status != StatusSkipped })
}

// UnknownModel stands for slots whose reviewer did not report its model.
const UnknownModel = "unknown"

// UnknownRepository stands, in filters, for runs that did not record their repository.
const UnknownRepository = "unknown"

// Sizes is the disk usage of a ledger, in bytes.
type Sizes struct {
	// Bytes is the size of the database, and Free the unused space in it, which pruning gives back
	// to the file system.
	Bytes int64 `json:"bytes"`
	Free  int64 `json:"free_bytes"`
	// Parts are the sizes of groups of tables with their indexes, largest first.
	Parts []PartSize `json:"parts"`
	// Texts are the sizes of prompts, answers and logs by kind, largest first.
	Texts []TextSize `json:"texts"`
	// Months are the months in which runs started, oldest first.
	Months []MonthSize `json:"growth"`
}

// PartSize is the size of one part of a ledger.
type PartSize struct {
	Name  string `json:"part"`
	Bytes int64  `json:"bytes"`
}

// TextSize is the size of the texts of one kind. Stored is their size after compression. A text
// that is of several kinds counts in each of them.
type TextSize struct {
	Kind   string `json:"kind"` // prompt, answer, stderr, log, excerpt or change
	Texts  int    `json:"count"`
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"stored_bytes"`
}

// MonthSize is what the runs of a month added.
type MonthSize struct {
	Month      string `json:"month"` // as in 2026-01, in UTC
	Runs       int    `json:"runs"`
	Iterations int    `json:"iterations"`
	Violations int    `json:"violations"`
	// Stored is the size, after compression, of the texts that were added in the month.
	Stored int64 `json:"stored_bytes"`
}
