package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// BenchmarkRecordAnswer records answers with 3, 2,000 and 20,000 violations. The time for each
// violation does not grow with their number.
func BenchmarkRecordAnswer(b *testing.B) {
	for _, n := range []int{3, 2000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "ledger.db"), store.Options{Now: ticking()})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			var entries []ledger.Entry
			for i := range n {
				e := entry(at(fmt.Sprintf("%d.go", i%100), 1+i/100%90), fmt.Sprintf("problem %d of many", i), ledger.High)
				e.Position = i + 1
				entries = append(entries, e)
			}
			run, err := l.StartRun(b.Context(), newRun())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				b.StopTimer()
				if err := l.CloseRun(b.Context(), run.ID, ledger.StatusAbandoned); err != nil {
					b.Fatal(err)
				}
				if run, err = l.StartRun(b.Context(), newRun()); err != nil {
					b.Fatal(err)
				}
				plan := ledger.GatePlan{Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "code-quality", NumReviews: 1,
					Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", Reviewed: "tree"}}}
				r, err := l.BeginIteration(b.Context(), run.ID, ledger.Iteration{
					Number: 1, Mode: ledger.ModeFirst, Source: "base", From: "base", To: "tree", Snapshot: "snapshot", Tree: "tree", Head: "head",
				}, []ledger.GatePlan{plan})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				result, err := r.RecordAnswer(b.Context(), store.SlotAnswer{
					SlotCall: ledger.SlotCall{Job: quality, Slot: 1, Adapter: "claude", Raw: "an answer", Calls: 1},
					Answer:   ledger.Answer{Entries: entries}, Rules: ledger.Rules{Slot: 1, Threshold: ledger.High},
					Facts: factsOf(entries, nil), Before: &ledger.State{Run: run}, Fillers: map[string][]ledger.Filler{quality: make([]ledger.Filler, 1)},
				})
				if err != nil || result.Count(ledger.Accepted) != n {
					b.Fatal(result.Count(ledger.Accepted), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "us/entry")
		})
	}
}
