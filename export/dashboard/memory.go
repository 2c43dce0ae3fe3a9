package dashboard

import (
	"fmt"
	"sync"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// memory has what was answered since the last change of the ledger, so that a page that is shown
// again does not count again.
type memory struct {
	mutex   sync.Mutex
	version string
	answers map[string]any
}

// mostAnswers limits how many answers are kept: a crawler may ask for any number of filters.
const mostAnswers = 200

// about returns the answers for a version of the ledger. The mutex must be held.
func (m *memory) about(version string) map[string]any {
	if m.version != version || m.answers == nil || len(m.answers) > mostAnswers {
		m.version, m.answers = version, map[string]any{}
	}
	return m.answers
}

// remembered returns what was answered to the question with this key, or asks it. What is answered
// about a later version than the page's is the right answer, too: the page reloads.
func remembered[T any](v *visit, key string, question func() (T, error)) (T, error) {
	m := v.memory
	m.mutex.Lock()
	known, ok := m.about(v.version)[key]
	m.mutex.Unlock()
	if ok {
		return known.(T), nil
	}
	answer, err := question()
	if err == nil {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if m.version == v.version { // else the ledger has changed since
			m.answers[key] = answer
		}
	}
	return answer, err
}

// figures returns sections of the figures. A period such as "12w" is the same for a day, because
// weeks that are not over are figures, too.
func (v *visit) figures(scope pages.Scope, sections ...figures.Section) (figures.Statistics, error) {
	f := scope.Filter
	f.Sections = sections
	about := f
	if scope.Since != "" {
		about.Period.Since = v.now.UTC().Truncate(day)
	}
	key := fmt.Sprintf("figures since %q %+v", scope.Since, about)
	return remembered(v, key, func() (figures.Statistics, error) { return v.ledger.Statistics(v.ctx, f) })
}

func (v *visit) facets(f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	return remembered(v, fmt.Sprintf("facets %+v", f), func() (ledger.Facets, error) { return v.ledger.Facets(v.ctx, f) })
}
