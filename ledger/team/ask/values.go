package ask

import (
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// anyOf returns a list for a query, in which nil does not restrict anything.
func anyOf[T ~string](list []T) (texts []string) {
	for _, word := range list {
		texts = append(texts, string(word))
	}
	return texts
}

// orNil returns nil for the zero value.
func orNil[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// moment returns the zero time for nil.
func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.UTC()
}

// moments returns the bounds of a period; nil means that there is none.
func moments(p ledger.Period) (since, until *time.Time) { return orNil(p.Since), orNil(p.Until) }
