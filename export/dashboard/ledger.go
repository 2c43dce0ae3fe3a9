package dashboard

import (
	"context"
	"iter"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Ledger is what the pages show: a ledger. It may appear, change and disappear
// while the dashboard runs.
type Ledger interface {
	// Ask returns the ledger in its present state, for queries until done is called.
	Ask(ctx context.Context) (q Questions, done func(), err error)
	// Version returns a text that changes with every change of the ledger.
	Version(ctx context.Context) (string, error)
}

// Questions are the queries of the pages. All answers are from one state. While the result of a method Each... is being read, no other method may be
// called.
type Questions interface {
	filters.Finder
	filters.Namer
	Schema() int
	Statistics(ctx context.Context, f figures.Filter) (figures.Statistics, error)
	RunDetail(ctx context.Context, run string) (*ledger.State, error)
	State(ctx context.Context, run string) (*ledger.State, error)
	RunEvents(ctx context.Context, run string) ([]ledger.Event, error)
	ExplainRun(ctx context.Context, run string) (ledger.Explanation, error)
	CheckLog(ctx context.Context, run string, iteration int, job string) (string, error)
	SlotTexts(ctx context.Context, run string, ref ledger.SlotRef, kind ledger.TextKind) ([]ledger.SlotText, error)
	History(ctx context.Context, id string) (ledger.History, error)
	OpenRuns(ctx context.Context) ([]ledger.Run, error)
	RunsByStatus(ctx context.Context) (map[ledger.RunStatus]ledger.RunsByStatus, error)
	CountRuns(ctx context.Context, f ledger.RunFilter) ([]ledger.RunCount, error)
	RunOutcomes(ctx context.Context, runs []ledger.Run) (map[string]ledger.RunOutcome, error)
	CountViolations(ctx context.Context) (int, error)
	CountOpen(ctx context.Context) (int, error)
	OpenByPriority(ctx context.Context) (map[ledger.RunKind]map[ledger.Priority]int, error)
	Violations(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error)
	EachViolation(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error]
	Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.Report, error)
	EachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.Report, error]
	Facets(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error)
	Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) ([]ledger.SearchHit, error)
	EachHit(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error]
	SkipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error)
}
