package dashboard

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// violationParameters has the flags of `violations`, the words to search for, and the place after
// which the list starts.
type violationParameters struct {
	filters.ViolationList
	query, before string
}

// Add implements [parameters].
func (p *violationParameters) Add(flags *pflag.FlagSet) {
	p.ViolationList.Add(flags)
	p.Sort = "" // not given: a page has the worst first, and other formats what the command prints first
	flags.StringVar(&p.query, "q", "", "")
	flags.StringVar(&p.before, "before", "", "")
}

// filter returns the filter that the URL describes. If the ledger cannot be read, filters that need
// it are omitted.
func (p *violationParameters) filter(v *visit) (ledger.ViolationFilter, error) {
	if v.whyBroken() != nil {
		return p.Filter, nil
	}
	f, err := p.Resolve(v.ctx, v.ledger)
	f.After = p.before
	if strings.TrimSpace(p.query) != "" {
		if p.Discarded {
			return f, filters.Errorf("%s and %s cannot be used together: a search finds filtered reports, too", filters.Flag("q"), filters.Flag("discarded"))
		}
		f.Sort = "" // the best come first
	}
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
	if path := v.pageOfID(given.query); path != "" {
		return nil, &elsewhere{path}
	}
	p := pages.Violations{Filter: f, Query: strings.TrimSpace(given.query), Pager: pages.Pager{Before: given.before}}
	var side sync.WaitGroup
	defer side.Wait()
	side.Go(func() {
		p.All = ask(v, func() (int, error) { return v.ledger.CountViolations(v.ctx) }).Value
	})
	if p.Query != "" { // a search does not count its hits by value
		p.Facets.Value = ledger.Facets{Unknown: true, FoldersUnknown: true}
		if p.Rows, err = v.found(&p, f); err != nil {
			return nil, err
		}
	} else {
		p.Filter.Sort = cmp.Or(f.Sort, ledger.SortPriority)
		side.Go(func() {
			p.Facets = ask(v, func() (ledger.Facets, error) { return v.facets(f) })
		})
		p.Rows = ask(v, func() ([]ledger.ListedViolation, error) {
			found, next, err := v.pageOfViolations(p.Filter)
			p.Pager.Next = next
			return found, err
		})
	}
	side.Wait()
	return p, nil
}

// pageOfViolations reads one page of the violations that the filter keeps.
func (v *visit) pageOfViolations(f ledger.ViolationFilter) (found []ledger.ListedViolation, next string, err error) {
	return onePage(f.Limit, func(limit int) ([]ledger.ListedViolation, error) {
		f.Limit = limit
		return v.ledger.Violations(v.ctx, f)
	}, func(last ledger.ListedViolation) string { return lists.Cursor(f.Sort, last) })
}

// found returns the violations whose reports contain the words.
func (v *visit) found(p *pages.Violations, f ledger.ViolationFilter) (rows pages.Panel[[]ledger.ListedViolation], err error) {
	if _, err := ledger.ParseSearch(p.Query, nil); err != nil {
		return rows, filters.Errorf("%s: %v", filters.Flag("q"), err)
	}
	p.Snippets = map[string]ledger.MarkedText{}
	return ask(v, func() ([]ledger.ListedViolation, error) {
		hits, next, err := v.search(p.Query, f)
		p.Pager.Next = next
		var list []ledger.ListedViolation
		for _, hit := range hits {
			if hit.Violation != nil {
				list = append(list, *hit.Violation)
				p.Snippets[hit.Violation.ID] = hit.Snippet
			}
			if hit.Discard != nil {
				p.Removed = append(p.Removed, *hit.Discard)
			}
			if hit.Notes != nil {
				p.Notes = append(p.Notes, hit)
			}
		}
		return list, err
	}), nil
}

func (v *visit) discarded(f ledger.ViolationFilter, given *violationParameters) (pages.Page, error) {
	f.Discards = given.Dispositions
	p := pages.Discarded{Filter: f, Pager: pages.Pager{Before: given.before}}
	p.Rows = ask(v, func() ([]ledger.Report, error) {
		found, next, err := onePage(f.Limit, func(limit int) ([]ledger.Report, error) {
			rows := f
			rows.Limit = limit
			return v.ledger.Discarded(v.ctx, rows, given.Dispositions)
		}, func(last ledger.Report) string { return last.Cursor })
		p.Pager.Next = next
		return found, err
	})
	return p, nil
}

// listed has the rows that the URL describes, as one of three lists.
type listed struct {
	violations iter.Seq2[ledger.ListedViolation, error]
	discards   iter.Seq2[ledger.Report, error]
	hits       iter.Seq2[ledger.SearchHit, error]
}

// listed returns one of the three lists. It is read while it is being written.
func (v *visit) listed() (l listed, err error) {
	given := v.given.(*violationParameters)
	f, err := given.filter(v)
	if err != nil {
		return l, err
	}
	if err := v.whyBroken(); err != nil {
		return l, err
	}
	words := strings.TrimSpace(given.query)
	switch {
	case given.Discarded:
		l.discards = v.ledger.EachDiscarded(v.ctx, f, given.Dispositions)
	case words != "":
		l.hits, err = v.hits(words, f)
	default:
		l.violations = v.ledger.EachViolation(v.ctx, f)
	}
	return l, err
}

func (v *visit) violationsJSON() (answer, error) {
	l, err := v.listed()
	return func(w io.Writer) error {
		switch {
		case l.hits != nil:
			return text.WriteJSONList(w, text.Mapped(l.hits, listings.Hits.Object))
		case l.discards != nil:
			return text.WriteJSONList(w, text.Mapped(l.discards, listings.Reports.Object))
		}
		return text.WriteJSONList(w, text.Mapped(l.violations, listings.Violations.Object))
	}, err
}

// violationsCSV returns the rows as CSV. For a search, these are only the violations.
func (v *visit) violationsCSV() (answer, error) {
	l, err := v.listed()
	return func(w io.Writer) error {
		switch {
		case l.hits != nil:
			return listings.WriteCSV(w, listings.Violations, violationsOf(l.hits))
		case l.discards != nil:
			return listings.WriteCSV(w, listings.Reports, l.discards)
		}
		return listings.WriteCSV(w, listings.Violations, l.violations)
	}, err
}

// violationAddress has the key of what a mark recorded.
type violationAddress struct{ recorded string }

// Add implements [parameters].
func (a *violationAddress) Add(flags *pflag.FlagSet) {
	flags.StringVar(&a.recorded, "recorded", "", "")
}

func violationView() view {
	return view{
		parameters: func(v *visit) parameters {
			if v.marks == nil {
				return noParameters{}
			}
			return &violationAddress{}
		},
		page: (*visit).violation,
		json: func(v *visit) (answer, error) {
			h, err := v.historyOfPath()
			if err != nil {
				return nil, err
			}
			why := text.Member{Key: "why", Value: listings.Why(ledger.ExplainViolation(h))}
			return inJSON(append(listings.History(h), why)), nil
		},
	}
}

// historyOfPath returns the history of the violation that the path names.
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
	p := pages.Violation{History: h, Why: ledger.ExplainViolation(h), Run: state.Run, Iterations: state.Iterations, Form: v.markForm()}
	if p.Current, err = v.current(state.Run); err != nil {
		return nil, err
	}
	p.Problem = ask(v, func() ([]ledger.ListedViolation, error) {
		joined, err := v.ledger.Violations(v.ctx, ledger.ViolationFilter{Run: h.Violation.Run, Statuses: []ledger.Status{ledger.StatusDuplicate}})
		if of := h.Violation.DuplicateOf; of != "" && err == nil {
			original, err := v.ledger.History(v.ctx, of)
			return h.Violation.SameProblem(append(joined, original.Violation)), err
		}
		return h.Violation.SameProblem(joined), err
	})
	if h.Violation.Fingerprint != "" {
		p.SameLine = ask(v, func() (ledger.Count, error) {
			facets, err := v.ledger.Facets(v.ctx, ledger.ViolationFilter{Fingerprint: h.Violation.Fingerprint})
			return facets.Violations, err
		})
	}
	return p, nil
}

// current reports whether marks can be about the violations of the run. What an abandoned run left
// open can be skipped.
func (v *visit) current(run ledger.Run) (bool, error) {
	if run.Kind != ledger.KindCodeReview {
		return !run.Closed() || run.Status == ledger.StatusAbandoned, nil
	}
	latest, err := try(v, func() ([]ledger.Run, error) {
		return v.ledger.Runs(v.ctx, ledger.RunFilter{Kind: run.Kind, Worktree: run.Worktree, Repository: run.Repository.Key, Limit: 1})
	})
	return len(latest) > 0 && latest[0].ID == run.ID, err
}
