package statistics_test

import (
	"cmp"
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

// The counts of a measure are found wherever they are in the text.
func TestCountsOfAMeasure(t *testing.T) {
	t.Parallel()
	counts := statistics.Counts{
		{Measure: statistics.Runs, At: 1, Key: "slots\x1f", N: 1}, {Measure: statistics.Slots, Key: "k", N: 2}, {Measure: statistics.Runs, Key: "\\nruns", N: 3},
		{Measure: statistics.RunTimes, Key: "runs", N: 4}, {Measure: statistics.Runs, Bucket: "\nslots\x1f", Key: "", N: 5}, {Measure: statistics.Slots, At: -7, Key: "", N: 6},
	}
	text := counts.Text()
	for _, m := range statistics.Measures() {
		want := slices.DeleteFunc(slices.Clone(counts), func(c statistics.Count) bool { return c.Measure != m })
		if got, err := text.Of(m); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", m, got, err, want)
		}
	}
	for text, m := range map[statistics.Text]statistics.Measure{text + "slots\x1fx\n": statistics.Slots, text + "runs\x1f1\x1f1": statistics.Runs} {
		if got, err := text.Of(m); !errors.Is(err, statistics.ErrDamaged) {
			t.Errorf("%s of %q: %+v, %v", m, text, got, err)
		}
		if got, err := text.Of(statistics.Folders); err != nil || len(got) > 0 {
			t.Errorf("folders of %q: %+v, %v", text, got, err)
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
		err := statistics.UnpackEach(test.packed, test.err, func(text statistics.Text) error {
			c, err := text.Of(statistics.Slots)
			if err != nil || len(c) != 1 || c[0].Key == test.refuse {
				return cmp.Or(err, failed)
			}
			got = append(got, c[0].Key)
			return nil
		})
		if !errors.Is(err, test.is) || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, err, test.want, test.is)
		}
	}
}
