package team

import (
	"context"
	"errors"

	"github.com/reviewledger/reviewledger/ledger"
)

var _ ledger.Questions = (*Store)(nil)

// errPending is the answer of a question that has none yet.
var errPending = errors.New("a team store does not answer this yet")

// unanswered answers, in the place of the store, the questions that it does not answer yet.
type unanswered struct{}

func (unanswered) Statistics(context.Context, ledger.StatisticsFilter) (s ledger.Statistics, err error) {
	return s, errPending
}

func (unanswered) FindRunByPrefix(context.Context, string) (r ledger.Run, err error) {
	return r, errPending
}

func (unanswered) Runs(context.Context, ledger.RunFilter) ([]ledger.Run, error) {
	return nil, errPending
}

func (unanswered) CountRuns(context.Context, ledger.RunFilter) ([]ledger.RunCount, error) {
	return nil, errPending
}

func (unanswered) RunOutcomes(context.Context, []ledger.Run) (map[string]ledger.RunOutcome, error) {
	return nil, errPending
}

func (unanswered) CountOpen(context.Context) (int, error) { return 0, errPending }

func (unanswered) Violations(context.Context, ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	return nil, errPending
}

func (unanswered) Cursor(ledger.Sort, ledger.ListedViolation) string { return "" }

func (unanswered) Discarded(context.Context, ledger.ViolationFilter, []ledger.Disposition) ([]ledger.ListedReport, error) {
	return nil, errPending
}

func (unanswered) Facets(context.Context, ledger.ViolationFilter) (f ledger.Facets, err error) {
	return f, errPending
}

func (unanswered) Search(context.Context, ledger.SearchQuery, ledger.ViolationFilter) ([]ledger.SearchHit, error) {
	return nil, errPending
}

func (unanswered) SkipsOf(context.Context, []ledger.ListedViolation) ([]ledger.Skip, error) {
	return nil, errPending
}

func (unanswered) Names(context.Context) (n ledger.Names, err error) { return n, errPending }

func (unanswered) JobNames(context.Context) ([]ledger.Gate, error) { return nil, errPending }

func (unanswered) KnowsAdapter(context.Context, string) (bool, error) { return false, errPending }

func (unanswered) Adapters(context.Context) ([]string, error) { return nil, errPending }

func (unanswered) Branches(context.Context) ([]string, error) { return nil, errPending }

func (unanswered) Files(context.Context, string, int) ([]string, error) { return nil, errPending }
