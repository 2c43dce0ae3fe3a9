package team_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team/push"
)

// BenchmarkPush pushes a large ledger, and pushes it again when nothing is new. PUSH_RUNS is how
// many runs of 200 violations it has (5000 runs have a million violations).
func BenchmarkPush(b *testing.B) {
	runs := 100
	if n, err := strconv.Atoi(os.Getenv("PUSH_RUNS")); err == nil {
		runs = n
	}
	size := storetest.Million()
	size.Runs = runs
	l := generated(b, size)
	s := opened(b, migrated(b))
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			began := time.Now()
			got := sendAll(b, s, l)
			if got.Pushed == runs {
				b.ReportMetric(float64(got.Rows)/time.Since(began).Seconds(), "rows/s")
				b.ReportMetric(float64(got.Rows), "rows")
			}
		}
	})
	b.Run("nothing_new", func(b *testing.B) {
		for b.Loop() {
			if got := sendAll(b, s, l); got.Unchanged != runs {
				b.Fatalf("%+v", got)
			}
		}
	})
}

func sendAll(t testing.TB, s *push.Store, l *store.Store) push.Sent {
	t.Helper()
	return must(s.PushLedger(t.Context(), l, push.Sending{Source: push.Source{Content: exchange.ContentWords}}))(t)
}
