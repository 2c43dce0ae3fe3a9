package dashboard

import (
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// twoRuns has the URL parameters of a comparison.
type twoRuns struct{ a, b string }

// Add implements [parameters].
func (p *twoRuns) Add(flags *pflag.FlagSet) {
	flags.StringVar(&p.a, "a", "", "")
	flags.StringVar(&p.b, "b", "", "")
}

func compareView() view {
	return view{
		parameters: func(*visit) parameters { return &twoRuns{} },
		page:       (*visit).compare,
		json: func(v *visit) (answer, error) {
			given := v.given.(*twoRuns)
			if given.a == "" || given.b == "" {
				return nil, filters.Errorf("%s and %s are needed: the runs to compare", filters.Flag("a"), filters.Flag("b"))
			}
			a, b, err := v.chosenRuns()
			if err != nil {
				return nil, err
			}
			found, err := try(v, func() (ledger.Comparison, error) { return v.comparison(*a, *b) })
			return inJSON(listings.Comparison(*a, *b, found)), err
		},
	}
}

// recentRuns is how many runs the form of a comparison offers.
const recentRuns = 30

func (v *visit) compare() (pages.Page, error) {
	a, b, err := v.chosenRuns()
	if err != nil {
		return nil, err
	}
	p := pages.Compare{}
	p.Recent = ask(v, func() ([]ledger.Run, error) { return v.ledger.Runs(v.ctx, ledger.RunFilter{Limit: recentRuns}) }).Value
	for _, side := range []struct {
		run *ledger.Run
		row **pages.RunRow
	}{{a, &p.A}, {b, &p.B}} {
		if side.run == nil {
			continue
		}
		rows, err := try(v, func() ([]pages.RunRow, error) { return v.runRows([]ledger.Run{*side.run}) })
		if err != nil {
			return nil, err
		}
		*side.row = &rows[0]
	}
	if a != nil && b != nil {
		p.Found = ask(v, func() (ledger.Comparison, error) { return v.comparison(*a, *b) })
	}
	return p, nil
}

// chosenRuns returns the runs that the URL names. A run that it does not name is nil.
func (v *visit) chosenRuns() (a, b *ledger.Run, err error) {
	given := v.given.(*twoRuns)
	for _, side := range []struct {
		id  string
		run **ledger.Run
	}{{given.a, &a}, {given.b, &b}} {
		if side.id == "" {
			continue
		}
		run, err := try(v, func() (ledger.Run, error) { return filters.FindRun(v.ctx, v.ledger, side.id) })
		if err != nil {
			return nil, nil, err
		}
		*side.run = &run
	}
	return a, b, nil
}

func (v *visit) comparison(a, b ledger.Run) (ledger.Comparison, error) {
	ofA, err := v.ledger.Violations(v.ctx, ledger.ViolationFilter{Run: a.ID})
	if err != nil {
		return ledger.Comparison{}, err
	}
	ofB, err := v.ledger.Violations(v.ctx, ledger.ViolationFilter{Run: b.ID})
	return ledger.CompareViolations(ofA, ofB), err
}
