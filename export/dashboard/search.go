package dashboard

import (
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

// idForm matches what may be the ID of a violation or run, or a prefix of one.
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-zA-Z]{8,26}$`) })

// pageOfID returns the path of the page of a violation or run if words are its ID, or "".
func (v *visit) pageOfID(words string) (path string) {
	words = strings.TrimSpace(words)
	if !idForm().MatchString(words) || v.whyBroken() != nil {
		return ""
	}
	if h, err := v.ledger.History(v.ctx, words); err == nil {
		return "/violations/" + h.Violation.ShortID
	}
	if run, err := v.ledger.FindRunByPrefix(v.ctx, words); err == nil {
		return "/runs/" + run.ID
	}
	return ""
}

// search returns one page of search hits and the cursor of the next one.
func (v *visit) search(words string, f ledger.ViolationFilter) (hits []ledger.SearchHit, next string, err error) {
	query, err := ledger.ParseSearch(words, nil)
	if err != nil {
		return nil, "", filters.Errorf("%s: %v", filters.Flag("q"), err)
	}
	return onePage(f.Limit, func(limit int) ([]ledger.SearchHit, error) {
		f.Limit = limit
		return v.ledger.Search(v.ctx, query, f)
	}, func(last ledger.SearchHit) string { return last.Cursor })
}

// hits returns all search hits.
func (v *visit) hits(words string, f ledger.ViolationFilter) (iter.Seq2[ledger.SearchHit, error], error) {
	query, err := ledger.ParseSearch(words, nil)
	if err != nil {
		return nil, filters.Errorf("%s: %v", filters.Flag("q"), err)
	}
	return v.ledger.EachHit(v.ctx, query, f), nil
}

// violationsOf returns the hits that are violations.
func violationsOf(hits iter.Seq2[ledger.SearchHit, error]) iter.Seq2[ledger.ListedViolation, error] {
	return func(yield func(ledger.ListedViolation, error) bool) {
		for hit, err := range hits {
			switch {
			case err != nil:
				yield(ledger.ListedViolation{}, err)
				return
			case hit.Violation != nil && !yield(*hit.Violation, nil):
				return
			}
		}
	}
}
