package statistics_test

import (
	"slices"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// Counts are unpacked as they were packed, whatever their texts contain.
func TestPackedCounts(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 4, 23, 59, 0, 0, time.UTC)
	counts := statistics.Counts{
		{Measure: statistics.Violations, At: statistics.At(day), Key: statistics.Of{Repository: "a\x1fb", Labels: []string{"x\n", `\`}}.Key(), N: 3},
		{Measure: statistics.Slots, At: statistics.At(day.Add(time.Minute)), Key: "k", N: -1},
		{Measure: statistics.Folders, Bucket: "/a\x1f\n", Key: "k", N: 1},
	}
	packed, err := counts.Pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := statistics.Unpack(packed)
	if err != nil || !slices.Equal(got, counts) {
		t.Errorf("%+v, %v; want %+v", got, err, counts)
	}
	if days := counts.Days(); !slices.Equal(days, []string{"2026-03-04", "2026-03-05"}) {
		t.Errorf("days %q", days)
	}
	for _, damaged := range [][]byte{nil, packed[:len(packed)-3], []byte("not packed")} {
		if got, err := statistics.Unpack(damaged); err == nil {
			t.Errorf("no error of %q: %+v", damaged, got)
		}
	}
}
