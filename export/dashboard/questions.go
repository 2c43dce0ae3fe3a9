package dashboard

import (
	"context"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

// Questions are all that the pages ask of a ledger. Each answer is of one state of it.
type Questions interface {
	filters.Finder

	// Schema is the version of the ledger's tables; 0: there is no ledger.
	Schema() int
	// Names are what filters can ask for.
	Names(ctx context.Context) (ledger.Names, error)
	// Branches are those that runs were on.
	Branches(ctx context.Context) ([]string, error)
	// CountOpen is how many violations are open now.
	CountOpen(ctx context.Context) (int, error)
	// Statistics are the sections that the filter wants.
	Statistics(ctx context.Context, f ledger.StatisticsFilter) (ledger.Statistics, error)

	Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error)
	// CountRuns counts the runs of the filter's period, gate, entry point and adapter.
	CountRuns(ctx context.Context, f ledger.RunFilter) ([]ledger.RunCount, error)
	// RunOutcomes are what became of runs, by their ULIDs.
	RunOutcomes(ctx context.Context, runs []ledger.Run) (map[string]ledger.RunOutcome, error)
	RunDetail(ctx context.Context, id string) (*ledger.State, error)
	State(ctx context.Context, id string) (*ledger.State, error)
	RunEvents(ctx context.Context, run string) ([]ledger.Event, error)
	ExplainRun(ctx context.Context, run string) (ledger.Explanation, error)

	Violations(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error)
	// Cursor is the place after a violation in a list of this order.
	Cursor(order ledger.Sort, v ledger.ListedViolation) string
	Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.ListedReport, error)
	Facets(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error)
	History(ctx context.Context, id string) (ledger.History, error)
	Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) ([]ledger.SearchHit, error)
	// SkipsOf adds to violations that are skipped what is known of the memory of the skips.
	SkipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error)

	// CheckLog is the log of a check; it is [ledger.ErrNotFound] where none was kept.
	CheckLog(ctx context.Context, run string, iteration int, job string) (string, error)
	// SlotTexts are the texts of a slot, in the order of its calls.
	SlotTexts(ctx context.Context, run string, ref ledger.SlotRef, kind ledger.TextKind) ([]ledger.SlotText, error)
}

// Ledger is what is looked at: it may appear, change and go away.
type Ledger interface {
	// Ask returns the ledger as it is now, for questions until done is called.
	Ask(ctx context.Context) (q Questions, done func(), err error)
	// Version is another text after every change.
	Version(ctx context.Context) (string, error)
}
