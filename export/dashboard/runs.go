package dashboard

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// runParameters has the flags of `runs`, and the run after which the list starts.
type runParameters struct {
	filters.Runs
	before string
}

// Add implements [parameters].
func (p *runParameters) Add(flags *pflag.FlagSet) {
	p.Runs.Add(flags)
	flags.StringVar(&p.before, "before", "", "")
}

func (p *runParameters) filter(v *visit) (ledger.RunFilter, error) {
	f, err := p.Resolve()
	f.Before = p.before
	return f, err
}

func runsView() view {
	return view{
		parameters: func(*visit) parameters { return &runParameters{} },
		page:       (*visit).runs,
		json: func(v *visit) (answer, error) {
			f, err := v.given.(*runParameters).filter(v)
			if err != nil {
				return nil, err
			}
			found, err := try(v, func() ([]ledger.Run, error) { return v.ledger.Runs(v.ctx, f) })
			if err != nil {
				return nil, err
			}
			return func(w io.Writer) error {
				return text.WriteJSONList(w, text.Mapped(text.All(found), listings.Runs.Object))
			}, nil
		},
	}
}

// onePage reads the rows of one page of a list. It reads one row more than is shown, to find out
// whether another page follows; next is where that page starts, or empty.
func onePage[R any](limit int, read func(limit int) ([]R, error), cursor func(R) string) (rows []R, next string, err error) {
	if limit > 0 && limit <= pages.PageLength {
		rows, err = read(limit)
		return rows, "", err
	}
	rows, err = read(pages.PageLength + 1)
	if err == nil && len(rows) > pages.PageLength {
		rows = rows[:pages.PageLength]
		next = cursor(rows[len(rows)-1])
	}
	return rows, next, err
}

func (v *visit) runs() (pages.Page, error) {
	f, err := v.given.(*runParameters).filter(v)
	if err != nil {
		return nil, err
	}
	p := pages.Runs{Filter: f, Pager: pages.Pager{Before: f.Before}}
	var counts pages.Panel[[]ledger.RunCount]
	var side sync.WaitGroup
	side.Go(func() {
		counts = ask(v, func() ([]ledger.RunCount, error) { return v.ledger.CountRuns(v.ctx, f) })
	})
	p.Rows = ask(v, func() ([]pages.RunRow, error) {
		found, next, err := onePage(f.Limit, func(limit int) ([]ledger.Run, error) {
			rows := f
			rows.Limit = limit
			return v.ledger.Runs(v.ctx, rows)
		}, func(run ledger.Run) string { return run.ID })
		if err != nil {
			return nil, err
		}
		p.Pager.Next = next
		return v.runRows(found)
	})
	side.Wait()
	p.Facets = pages.Panel[map[string][]pages.RunFacet]{Value: runFacets(counts.Value, f), Problem: counts.Problem}
	for _, count := range counts.Value {
		if differs(count, f) == "" {
			p.Total += count.Runs
		}
	}
	return p, nil
}

// runRows adds to runs what a list shows about them.
func (v *visit) runRows(runs []ledger.Run) ([]pages.RunRow, error) {
	totals, err := v.ledger.RunOutcomes(v.ctx, runs)
	if err != nil {
		return nil, err
	}
	rows := make([]pages.RunRow, 0, len(runs))
	for _, run := range runs {
		rows = append(rows, pages.RunRow{Run: run, RunOutcome: totals[run.ID]})
	}
	return rows, nil
}

// Filters of runs that a list can be narrowed by.
const (
	byStatus     = "status"
	byKind       = "kind"
	byBranch     = "branch"
	byWorktree   = "worktree"
	byRepository = "repository"
	bySeveral    = "several"
)

// differs returns the one filter that excludes the runs, bySeveral, or "" if none does.
func differs(c ledger.RunCount, f ledger.RunFilter) string {
	by := ""
	for name, out := range map[string]bool{
		byStatus:     len(f.Statuses) > 0 && !slices.Contains(f.Statuses, c.Status),
		byKind:       f.Kind != "" && f.Kind != c.Kind,
		byBranch:     f.Branch != "" && f.Branch != c.Branch,
		byWorktree:   f.Worktree != "" && f.Worktree != c.Worktree,
		byRepository: f.Repository != "" && f.Repository != c.Repository,
	} {
		switch {
		case out && by != "":
			by = bySeveral
		case out:
			by = name
		}
	}
	return by
}

// facetValues is how many values of each filter are offered.
const facetValues = 8

// runFacets returns for each filter the values of the runs that all other filters keep.
func runFacets(counts []ledger.RunCount, f ledger.RunFilter) map[string][]pages.RunFacet {
	runs := map[string]map[string]int{byStatus: {}, byKind: {}, byBranch: {}, byWorktree: {}, byRepository: {}}
	for _, count := range counts {
		by := differs(count, f)
		for name, value := range map[string]string{
			byStatus: string(count.Status), byKind: string(count.Kind), byBranch: count.Branch, byWorktree: count.Worktree, byRepository: count.Repository,
		} {
			if value != "" && (by == "" || by == name) {
				runs[name][value] += count.Runs
			}
		}
	}
	facets := map[string][]pages.RunFacet{}
	for name := range runs {
		facets[name] = mostOf(runs[name])
	}
	return facets
}

func mostOf(runs map[string]int) []pages.RunFacet {
	var list []pages.RunFacet
	for value, n := range runs {
		list = append(list, pages.RunFacet{Value: value, Runs: n})
	}
	slices.SortFunc(list, func(a, b pages.RunFacet) int { return cmp.Or(b.Runs-a.Runs, cmp.Compare(a.Value, b.Value)) })
	return list[:min(len(list), facetValues)]
}

func runView() view {
	return view{
		page: (*visit).run,
		json: func(v *visit) (answer, error) {
			run, err := v.findRun(v.request.PathValue("run"))
			if err != nil {
				return nil, err
			}
			state, err := try(v, func() (*ledger.State, error) { return v.ledger.RunDetail(v.ctx, run.ID) })
			if err != nil {
				return nil, err
			}
			return inJSON(listings.Show(state)), nil
		},
	}
}

// findRun returns the run that the path names.
func (v *visit) findRun(id string) (ledger.Run, error) {
	run, err := try(v, func() (ledger.Run, error) { return v.ledger.FindRunByPrefix(v.ctx, id) })
	if errors.Is(err, ledger.ErrNotFound) || errors.Is(err, ledger.ErrAmbiguous) {
		err = missing(err, pages.Suggestion{Words: "All runs", Path: "/runs"})
	}
	return run, err
}

func (v *visit) run() (pages.Page, error) {
	run, err := v.findRun(v.request.PathValue("run"))
	if err != nil {
		return nil, err
	}
	state, err := try(v, func() (*ledger.State, error) { return v.ledger.State(v.ctx, run.ID) })
	if err != nil {
		return nil, err
	}
	why, err := try(v, func() (ledger.Explanation, error) { return v.ledger.ExplainRun(v.ctx, run.ID) })
	if err != nil {
		return nil, err
	}
	p := pages.Run{State: state, Why: why}
	p.Events = ask(v, func() ([]ledger.Event, error) { return v.ledger.RunEvents(v.ctx, run.ID) })
	p.Violations = ask(v, func() ([]ledger.ListedViolation, error) {
		return v.ledger.Violations(v.ctx, ledger.ViolationFilter{Run: run.ID, Sort: ledger.SortPriority, Limit: pages.PageLength})
	})
	outcomes := ask(v, func() (map[string]ledger.RunOutcome, error) { return v.ledger.RunOutcomes(v.ctx, []ledger.Run{run}) })
	p.Cost = outcomes.Value[run.ID].Cost
	return p, nil
}
