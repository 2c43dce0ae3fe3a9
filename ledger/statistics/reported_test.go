package statistics_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/statistics"
)

func TestPackedViolationsAreRead(t *testing.T) {
	t.Parallel()
	want := []statistics.Reported{
		{At: 1_700_000_000_000, ID: 900, File: 3, Line: 70_000, Reviewer: 1, Outcome: statistics.Outcome{Bucket: statistics.FileOpen, InFixLines: true}},
		{At: 1_700_000_000_000, ID: 12, File: 90_000, Reviewer: 2, Outcome: statistics.Outcome{Bucket: statistics.FileWithdrawn}},
		{At: 1_600_000_000_000, ID: 13, File: 1, Reviewer: 1},
	}
	packed := statistics.PackReported(want)
	read := func(packed []byte) (list []statistics.Reported, err error) {
		err = statistics.EachReported(packed, func(v statistics.Reported) { list = append(list, v) })
		return list, err
	}
	got, err := read(packed)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-packed +read):\n%s", err, d)
	}
	for name, damaged := range map[string][]byte{"cut": packed[:len(packed)-1], "no outcome": {2, 2, 2, 2, 2, 80}, "no file": {2, 2, 1, 2, 2, 2}} {
		if _, err := read(damaged); !errors.Is(err, statistics.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
