package dashboard

import (
	"errors"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// violationParameters are the flags of violations, what to search for, and the place that
// the list begins after.
type violationParameters struct {
	filters.ViolationList
	query, before string
}

// Add implements [parameters].
func (p *violationParameters) Add(flags *pflag.FlagSet) {
	p.ViolationList.Add(flags)
	flags.StringVar(&p.query, "q", "", "")
	flags.StringVar(&p.before, "before", "", "")
}

// filter is what the address asks for. Where the ledger cannot be read, it is only what
// needs no ledger.
func (p *violationParameters) filter(v *visit) (ledger.ViolationFilter, error) {
	if v.whyBroken() != nil {
		return p.Filter, nil
	}
	f, err := p.Resolve(v.ctx, v.ledger)
	f.After = p.before
	return f, err
}

func violationsView() view {
	return view{
		parameters: func(*visit) parameters { return &violationParameters{} },
		page:       (*visit).violations,
		json:       (*visit).violationsJSON,
		csv:        (*visit).violationsCSV,
	}
}

func (v *visit) violations() (pages.Page, error) {
	given := v.given.(*violationParameters)
	f, err := given.filter(v)
	if err != nil {
		return nil, err
	}
	if given.Discarded {
		return v.discarded(f, given)
	}
	if path := v.named(given.query); path != "" {
		return nil, &elsewhere{path}
	}
	p := pages.Violations{Filter: f, Query: strings.TrimSpace(given.query), Pager: pages.Pager{Before: given.before}}
	var side sync.WaitGroup
	defer side.Wait()
	side.Go(func() {
		p.All = ask(v, func() (int, error) { return v.ledger.CountViolations(v.ctx) }).Value
	})
	if p.Query != "" { // how many of each a search finds is not counted
		p.Facets.Value = ledger.Facets{Unknown: true, FoldersUnknown: true}
		if p.Rows, err = v.found(&p, f); err != nil {
			return nil, err
		}
	} else {
		side.Go(func() {
			p.Facets = ask(v, func() (ledger.Facets, error) { return v.ledger.Facets(v.ctx, f) })
		})
		p.Rows = ask(v, func() ([]ledger.ListedViolation, error) {
			rows := f
			shown, read := rowsOf(f.Limit)
			rows.Limit = read
			found, err := v.ledger.Violations(v.ctx, rows)
			if err == nil && len(found) > shown {
				found = found[:shown]
				p.Pager.Next = v.ledger.Cursor(f.Sort, found[shown-1])
			}
			return found, err
		})
	}
	side.Wait()
	return p, nil
}

// found are the violations whose reports have the words.
func (v *visit) found(p *pages.Violations, f ledger.ViolationFilter) (rows pages.Panel[[]ledger.ListedViolation], err error) {
	if _, err := ledger.ParseSearch(p.Query, nil); err != nil {
		return rows, filters.Errorf("%s: %v", filters.Flag("q"), err)
	}
	p.Snippets = map[string]string{}
	return ask(v, func() ([]ledger.ListedViolation, error) {
		hits, next, err := v.search(p.Query, f)
		p.Pager.Next = next
		var list []ledger.ListedViolation
		for _, hit := range hits {
			if hit.Violation != nil {
				list = append(list, *hit.Violation)
				p.Snippets[hit.Violation.ID] = snippet(hit.Snippet)
			}
			if hit.Discard != nil {
				p.Removed = append(p.Removed, *hit.Discard)
			}
			if hit.Notes != nil {
				p.Notes = append(p.Notes, pages.FoundNotes{SlotNotes: *hit.Notes, Snippet: snippet(hit.Snippet)})
			}
		}
		return list, err
	}), nil
}

func (v *visit) discarded(f ledger.ViolationFilter, given *violationParameters) (pages.Page, error) {
	f.Discards = given.Dispositions
	p := pages.Discarded{Filter: f, Pager: pages.Pager{Before: given.before}}
	p.Rows = ask(v, func() ([]ledger.ListedReport, error) {
		rows := f
		shown, read := rowsOf(f.Limit)
		rows.Limit = read
		found, err := v.ledger.Discarded(v.ctx, rows, given.Dispositions)
		if err == nil && len(found) > shown {
			found = found[:shown]
			p.Pager.Next = found[shown-1].Cursor
		}
		return found, err
	})
	return p, nil
}

// batch is how many rows are read at a time for a program that wants all of them: they
// are not all in memory at once.
const batch = 2000

// batches are the violations that the filter keeps.
func (v *visit) batches(f ledger.ViolationFilter) iter.Seq2[[]ledger.ListedViolation, error] {
	return func(yield func([]ledger.ListedViolation, error) bool) {
		left := f.Limit
		for {
			f.Limit = batch
			if left > 0 {
				f.Limit = min(batch, left)
			}
			found, err := v.ledger.Violations(v.ctx, f)
			if !yield(found, err) || err != nil || len(found) < f.Limit || left == len(found) {
				return
			}
			if left > 0 {
				left -= len(found)
			}
			f.After = v.ledger.Cursor(f.Sort, found[len(found)-1])
		}
	}
}

// all are the violations that the filter keeps, one by one.
func (v *visit) all(f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	return func(yield func(ledger.ListedViolation, error) bool) {
		for found, err := range v.batches(f) {
			if err != nil {
				yield(ledger.ListedViolation{}, err)
				return
			}
			for _, violation := range found {
				if !yield(violation, nil) {
					return
				}
			}
		}
	}
}

// mapped are the values that a function makes of others.
func mapped[T, U any](values iter.Seq2[T, error], make func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for value, err := range values {
			if !yield(make(value), err) {
				return
			}
		}
	}
}

func (v *visit) violationsJSON() (answer, error) {
	given := v.given.(*violationParameters)
	f, err := given.filter(v)
	if err != nil {
		return nil, err
	}
	if err := v.whyBroken(); err != nil {
		return nil, err
	}
	if words := strings.TrimSpace(given.query); words != "" {
		return v.searchJSON(words, f)
	}
	if given.Discarded {
		found, err := v.ledger.Discarded(v.ctx, f, given.Dispositions)
		return func(w io.Writer) error {
			return text.WriteJSONList(w, mapped(text.All(found), listings.NewReportJSON))
		}, err
	}
	return func(w io.Writer) error {
		return text.WriteJSONList(w, mapped(v.all(f), listings.NewViolationJSON))
	}, nil
}

func (v *visit) violationsCSV() (answer, error) {
	given := v.given.(*violationParameters)
	f, err := given.filter(v)
	if err != nil {
		return nil, err
	}
	if err := v.whyBroken(); err != nil {
		return nil, err
	}
	if given.Discarded {
		found, err := v.ledger.Discarded(v.ctx, f, given.Dispositions)
		titles, rows := listings.DiscardedCSV(found)
		return func(w io.Writer) error { return text.WriteCSV(w, titles, rows) }, err
	}
	if words := strings.TrimSpace(given.query); words != "" {
		return v.searchCSV(words, f)
	}
	found, err := v.ledger.Violations(v.ctx, f)
	titles, rows := listings.ViolationsCSV(found)
	return func(w io.Writer) error { return text.WriteCSV(w, titles, rows) }, err
}

func violationView() view {
	return view{
		page: (*visit).violation,
		json: func(v *visit) (answer, error) {
			h, err := v.historyOfPath()
			if err != nil {
				return nil, err
			}
			out := struct {
				listings.HistoryJSON
				Why listings.WhyJSON `json:"why"`
			}{listings.NewHistoryJSON(h), listings.NewWhyJSON(ledger.ExplainViolation(h))}
			return func(w io.Writer) error { return text.WriteJSON(w, out, "  ") }, nil
		},
	}
}

// historyOfPath is that of the violation that the path names.
func (v *visit) historyOfPath() (ledger.History, error) {
	h, err := try(v, func() (ledger.History, error) { return v.ledger.History(v.ctx, v.request.PathValue("id")) })
	if errors.Is(err, ledger.ErrNotFound) || errors.Is(err, ledger.ErrAmbiguous) {
		err = missing(err, pages.Suggestion{Words: "All violations", Path: "/violations"})
	}
	return h, err
}

func (v *visit) violation() (pages.Page, error) {
	h, err := v.historyOfPath()
	if err != nil {
		return nil, err
	}
	state, err := try(v, func() (*ledger.State, error) { return v.ledger.RunDetail(v.ctx, h.Violation.Run) })
	if err != nil {
		return nil, err
	}
	p := pages.Violation{History: h, Why: ledger.ExplainViolation(h), Run: state.Run, Iterations: state.Iterations}
	if h.Violation.Fingerprint != "" {
		p.SameLine = ask(v, func() (ledger.Count, error) {
			facets, err := v.ledger.Facets(v.ctx, ledger.ViolationFilter{Fingerprint: h.Violation.Fingerprint})
			return facets.Violations, err
		})
	}
	return p, nil
}
