package team_test

import (
	"os"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// filledUntil is when the year ended of which filled stores hold the runs.
var filledUntil = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

// filled is the address of a store with 50,000 violations, or of the one that the
// environment names: REVIEWLEDGER_BENCH_TEAM.
func filled(b *testing.B) string {
	b.Helper()
	if url := os.Getenv("REVIEWLEDGER_BENCH_TEAM"); url != "" {
		return url
	}
	url := migrated(b)
	fill(b, url, 250, 200)
	return url
}

// BenchmarkStatistics asks for each section of statistics, over all time, a month, a
// repository and a branch.
func BenchmarkStatistics(b *testing.B) {
	s := asked(b, filled(b))
	for _, scope := range []struct {
		name   string
		filter ledger.StatisticsFilter
	}{
		{"all", ledger.StatisticsFilter{}},
		{"month", ledger.StatisticsFilter{Period: ledger.Period{Since: filledUntil.AddDate(0, 0, -30).Add(7 * time.Hour)}}},
		{"repository", ledger.StatisticsFilter{Repository: "github.com/example/api"}},
		{"adapter", ledger.StatisticsFilter{Adapter: "claude"}},
		{"branch", ledger.StatisticsFilter{Branch: "feature/20"}},
		{"main", ledger.StatisticsFilter{Branch: "main"}},
	} {
		for _, section := range append(ledger.Sections(), ledger.SectionDays, ledger.SectionBranches) {
			b.Run(scope.name+"/"+string(section), func(b *testing.B) {
				f := scope.filter
				f.Sections, f.Top = []ledger.Section{section}, 50
				for b.Loop() {
					must(s.Statistics(b.Context(), f))(b)
				}
			})
		}
	}
}
