package dashboard

import (
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

// idForm matches what looks like the ID of a violation or a run, or the beginning of one.
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-zA-Z]{8,26}$`) })

// pageOfID returns the address of the page of a violation or a run, if the words are its
// ID.
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

// search finds words in reports, and the cursor of the next page.
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

// hits returns everything that a search finds.
func (v *visit) hits(words string, f ledger.ViolationFilter) (iter.Seq2[ledger.SearchHit, error], error) {
	query, err := ledger.ParseSearch(words, nil)
	if err != nil {
		return nil, filters.Errorf("%s: %v", filters.Flag("q"), err)
	}
	return v.ledger.EachHit(v.ctx, query, f), nil
}

// violationsOf are those of what was found that are violations.
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
