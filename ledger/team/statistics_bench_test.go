package team_test

import (
	"os"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// filled returns the address of a store with 50,000 violations, or of the store that the
// environment variable REVIEWLEDGER_BENCH_TEAM names.
func filled(b *testing.B) string {
	b.Helper()
	if url := os.Getenv("REVIEWLEDGER_BENCH_TEAM"); url != "" {
		return url
	}
	url := migrated(b)
	sending(b, url, generated(b, storetest.Size{Runs: 250, Iterations: 5, Violations: 200, Varied: true}), exchange.ContentWords)
	teamtest.Exec(b, url, "ANALYZE") // as autovacuum does
	return url
}

// BenchmarkStatistics asks for each section of statistics, for all time, a month, a repository and
// a branch.
func BenchmarkStatistics(b *testing.B) {
	s := asked(b, filled(b))
	for _, scope := range []struct {
		name   string
		filter ledger.StatisticsFilter
	}{
		{"all", ledger.StatisticsFilter{}},
		{"month", ledger.StatisticsFilter{Period: ledger.Period{Since: generatedAt.AddDate(0, 0, -30).Add(7 * time.Hour)}}},
		{"repository", ledger.StatisticsFilter{Repository: "github.com/example/api"}},
		{"adapter", ledger.StatisticsFilter{Adapter: "claude"}},
		{"branch", ledger.StatisticsFilter{Branch: "feature-20"}},
		{"main", ledger.StatisticsFilter{Branch: "main"}},
	} {
		for _, section := range ledger.Sections() {
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
