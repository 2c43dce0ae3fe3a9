package statistics_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
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

// A violation counts in its file by what became of it, and a duplicate not at all.
func TestOutcomesOfFiles(t *testing.T) {
	t.Parallel()
	for want, outcome := range map[ledger.FileCounts]statistics.Outcome{
		{}:                            {InFixLines: true},
		{Violations: 1, Open: 1}:      {Bucket: statistics.FileOpen},
		{Violations: 1, Abandoned: 1}: {Bucket: statistics.FileAbandoned},
		{Violations: 1, Claimed: 1}:   {Bucket: statistics.FileClaimed},
		{Violations: 1, Verified: 1}:  {Bucket: statistics.FileVerified},
		{Violations: 1, Skipped: 1}:   {Bucket: statistics.FileSkipped},
		{Violations: 1, Withdrawn: 1, InFixLines: 1}: {Bucket: statistics.FileWithdrawn, InFixLines: true},
	} {
		var f statistics.File
		outcome.AddTo(&f)
		if f != (statistics.File{Counts: want}) {
			t.Errorf("%+v: %+v", outcome, f)
		}
	}
}
