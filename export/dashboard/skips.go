package dashboard

import (
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

// skipParameters has the filters of violations, and the place after which the list starts.
type skipParameters struct {
	filters.Violations
	before string
}

// Add implements [parameters].
func (p *skipParameters) Add(flags *pflag.FlagSet) {
	p.Violations.Add(flags)
	flags.StringVar(&p.before, "before", "", "")
}

// filter returns the filter for violations that are currently skipped, the latest skip first.
func (p *skipParameters) filter(v *visit) (ledger.ViolationFilter, error) {
	skipped := []ledger.Status{ledger.StatusSkipped}
	if len(p.Filter.Statuses) > 0 && !slices.Equal(p.Filter.Statuses, skipped) || p.Open {
		return p.Filter, filters.Errorf("this page lists skipped violations: omit %s and %s", filters.Flag("status"), filters.Flag("open"))
	}
	p.Filter.Statuses, p.Filter.Sort = skipped, ledger.SortChanged
	if v.whyBroken() != nil {
		return p.Filter, nil
	}
	f, err := p.Resolve(v.ctx, v.ledger)
	f.After = p.before
	return f, err
}

func (s *site) skipsView() view {
	return view{
		parameters: func(*visit) parameters { return &skipParameters{} },
		page:       s.skips,
		json:       s.skipsJSON,
	}
}

func (s *site) skips(v *visit) (pages.Page, error) {
	given := v.given.(*skipParameters)
	f, err := given.filter(v)
	if err != nil {
		return nil, err
	}
	shown := f
	shown.Sort = "" // the page has only one order
	p := pages.Skips{Filter: shown, Pager: pages.Pager{Before: given.before}}
	var side sync.WaitGroup
	side.Go(func() {
		total := ask(v, func() (ledger.Facets, error) { return v.ledger.Facets(v.ctx, f) })
		p.Total = total.Value.Violations.Violations
	})
	p.Rows = ask(v, func() ([]ledger.Skip, error) {
		found, next, err := v.pageOfViolations(f)
		if err != nil {
			return nil, err
		}
		p.Pager.Next = next
		return s.skipsOf(v, found)
	})
	side.Wait()
	return p, nil
}

func (s *site) skipsJSON(v *visit) (answer, error) {
	f, err := v.given.(*skipParameters).filter(v)
	if err != nil {
		return nil, err
	}
	skips, err := try(v, func() ([]ledger.Skip, error) {
		found, err := v.ledger.Violations(v.ctx, f)
		if err != nil {
			return nil, err
		}
		return s.skipsOf(v, found)
	})
	return func(w io.Writer) error {
		return text.WriteJSONList(w, text.Mapped(text.All(skips), listings.Skips.Object))
	}, err
}

// skipsOf returns the skips of skipped violations, and whether they have expired.
func (s *site) skipsOf(v *visit, found []ledger.ListedViolation) ([]ledger.Skip, error) {
	skips, err := v.ledger.SkipsOf(v.ctx, found)
	if expired := s.expired(); expired != nil {
		for i, skip := range skips {
			skips[i].Expired = new(expired(skip))
		}
	}
	return skips, err
}
