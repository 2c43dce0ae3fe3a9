package statistics_test

import (
	"errors"
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

// The counts of runs are handed on in order, up to the first that cannot be had or used.
func TestUnpackEach(t *testing.T) {
	t.Parallel()
	pack := func(key string) []byte {
		packed, err := statistics.Counts{{Measure: statistics.Slots, Key: key, N: 1}}.Pack()
		if err != nil {
			t.Fatal(err)
		}
		return packed
	}
	failed := errors.New("it failed")
	for name, test := range map[string]struct {
		packed [][]byte
		err    error
		refuse string // the counts that cannot be added
		want   []string
		is     error
	}{
		"all":                        {[][]byte{pack("a"), pack("b")}, nil, "", []string{"a", "b"}, nil},
		"none":                       {nil, nil, "", nil, nil},
		"the query failed":           {[][]byte{pack("a")}, failed, "", nil, failed},
		"the query failed, no rows":  {nil, failed, "", nil, failed},
		"one is damaged":             {[][]byte{pack("a"), []byte("not packed"), pack("c")}, nil, "", []string{"a"}, statistics.ErrDamaged},
		"the last is damaged":        {[][]byte{pack("a"), nil}, nil, "", []string{"a"}, statistics.ErrDamaged},
		"one cannot be added":        {[][]byte{pack("a"), pack("b"), pack("c")}, nil, "b", []string{"a"}, failed},
		"the last one cannot either": {[][]byte{pack("a"), pack("b")}, nil, "b", []string{"a"}, failed},
	} {
		var got []string
		err := statistics.UnpackEach(test.packed, test.err, func(c statistics.Counts) error {
			if c[0].Key == test.refuse {
				return failed
			}
			got = append(got, c[0].Key)
			return nil
		})
		if !errors.Is(err, test.is) || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, err, test.want, test.is)
		}
	}
}
