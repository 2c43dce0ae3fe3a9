package ask

import (
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// anyOf is a list for a query, where nil leaves nothing out.
func anyOf[T ~string](list []T) (texts []string) {
	for _, word := range list {
		texts = append(texts, string(word))
	}
	return texts
}

// orNil is nil for the zero value.
func orNil[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// moment is the zero time for nil.
func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.UTC()
}

// moments are the ends of a period; nil is an open one.
func moments(p ledger.Period) (since, until *time.Time) { return orNil(p.Since), orNil(p.Until) }
