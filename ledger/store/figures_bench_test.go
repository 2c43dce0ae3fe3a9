package store_test

import (
	"flag"
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

var figuresOfMillion = flag.Bool("figures.million", false, "BenchmarkFigures: also of a ledger of 1,000,000 violations")

// BenchmarkFigures computes the figures of each page, and of a report, over 4 weeks, 12 weeks and
// all time, in ledgers of 10,000, 100,000 and 1,000,000 violations with three events each.
func BenchmarkFigures(b *testing.B) {
	sizes := []struct {
		name string
		size storetest.Size
	}{
		{"10000", storetest.Size{Runs: 250, Iterations: 4, Violations: 40, Varied: true}},
		{"100000", storetest.Size{Runs: 500, Iterations: 10, Violations: 200, Varied: true}},
	}
	if *figuresOfMillion {
		sizes = append(sizes, sizes[1])
		sizes[2].name, sizes[2].size.Runs = "1000000", 5000
	}
	for _, size := range sizes {
		path := filepath.Join(b.TempDir(), size.name)
		if err := storetest.Generate(b.Context(), path, size.size, now()); err != nil {
			b.Fatal(err)
		}
		l, err := store.OpenReadOnly(b.Context(), path, store.Options{Now: now})
		if err != nil {
			b.Fatal(err)
		}
		for page, sections := range map[string][]figures.Section{
			"report": nil, "overview": {figures.SectionWeeks, figures.SectionRuns, figures.SectionSlots, figures.SectionRecurring, figures.SectionFiles},
			"reviewers": {figures.SectionReviewers}, "files": {figures.SectionFiles}, "checks": {figures.SectionChecks},
		} {
			for name, weeks := range map[string]int{"4weeks": 4, "12weeks": 12, "all": 0} {
				f := figures.Filter{Top: 10, Sections: sections}
				if weeks > 0 {
					f.Period.Since = now().AddDate(0, 0, -7*weeks)
				}
				b.Run(size.name+"/"+page+"/"+name, func(b *testing.B) {
					for b.Loop() {
						if _, err := l.Statistics(b.Context(), f); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		facets(b, l, size.name)
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// facets measures what a list of violations counts beside its rows.
func facets(b *testing.B, l *store.Store, name string) {
	for filter, f := range map[string]ledger.ViolationFilter{"all": {}, "4weeks": {Reported: ledger.Period{Since: now().Add(-28 * 24 * time.Hour)}}} {
		b.Run(name+"/facets/"+filter, func(b *testing.B) {
			for b.Loop() {
				if _, err := l.Facets(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
