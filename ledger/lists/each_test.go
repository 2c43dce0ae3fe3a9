package lists_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/lists"
)

var errBroken = errors.New("broken")

// upTo yields the numbers below n, and then the error if there is one.
func upTo(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func numbers(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// No value is lost, added or changed between the reader and the writer.
func TestValuesPassAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 3, 249, 250, 251, 1000, 1001} {
		for _, failure := range []error{nil, errBroken} {
			closed := false
			values := lists.Within(func(each func(iter.Seq2[int, error]) error) error {
				defer func() { closed = true }()
				return each(upTo(n, failure))
			})
			var got []int
			var err error
			for value, failed := range values {
				if err = failed; err == nil {
					got = append(got, value)
				}
			}
			if diff := cmp.Diff(numbers(n), got); diff != "" || !errors.Is(err, failure) || !closed {
				t.Errorf("%d values, then %v: error %v, closed %v (-want +got):\n%s", n, failure, err, closed, diff)
			}
			var batched []int
			for batch, failed := range lists.Batches(upTo(n, failure), 100) {
				if len(batch) > 100 || len(batch) == 0 && failed == nil {
					t.Errorf("a batch of %d", len(batch))
				}
				batched, err = append(batched, slices.Clone(batch)...), failed
			}
			if diff := cmp.Diff(numbers(n), batched); diff != "" || n > 0 && failure != nil && !errors.Is(err, failure) {
				t.Errorf("%d values in batches, then %v: error %v (-want +got):\n%s", n, failure, err, diff)
			}
		}
	}
}

// What keeps the values while they are read has been released when a caller that wants only the
// first values continues.
func TestLeavingEarlyEndsTheReading(t *testing.T) {
	t.Parallel()
	for _, wanted := range []int{1, 250, 251, 600} {
		open := false
		values := lists.Within(func(each func(iter.Seq2[int, error]) error) error {
			open = true
			defer func() { open = false }()
			return each(upTo(100_000, errBroken))
		})
		found, err := lists.Collect(lists.First(values, wanted))
		if diff := cmp.Diff(numbers(wanted), found); diff != "" || err != nil || open {
			t.Errorf("first %d: %v, still open: %v (-want +got):\n%s", wanted, err, open, diff)
		}
	}
}

// The error of a transaction that cannot be begun or ended is returned too.
func TestTheReadingMayFailItself(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(each func(iter.Seq2[int, error]) error) error{
		"begin": func(func(iter.Seq2[int, error]) error) error { return errBroken },
		"end":   func(each func(iter.Seq2[int, error]) error) error { return errors.Join(each(upTo(3, nil)), errBroken) },
	} {
		if found, err := lists.Collect(lists.Within(read)); !errors.Is(err, errBroken) || found != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	if found, err := lists.Collect(lists.Later(func() ([]int, error) { return []int{1}, errBroken })); !errors.Is(err, errBroken) || found != nil {
		t.Errorf("later: %v, %v", found, err)
	}
}

// Values are described in batches, in their order, up to the first error.
func TestDescribed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		n       int
		failure error
		fails   int // the batch that cannot be described
		wanted  int // 0: all
		want    int
		err     error
	}{
		"none": {want: 0}, "a part of a batch": {n: 2, want: 2}, "several batches": {n: 7, want: 7}, "the first few": {n: 7, wanted: 4, want: 4},
		"values that break off": {n: 6, failure: errBroken, want: 6, err: errBroken}, "a batch that cannot be described": {n: 9, fails: 2, want: 3, err: errBroken},
	} {
		batches := 0
		described := lists.Described(upTo(test.n, test.failure), 3, func(some []int) ([]int, error) {
			if batches++; batches == test.fails {
				return nil, errBroken
			}
			return slices.Clone(some), nil
		})
		var got []int
		var err error
		for value, failed := range lists.First(described, test.wanted) {
			if err = failed; err == nil {
				got = append(got, value)
			}
		}
		if diff := cmp.Diff(numbers(test.want), got); diff != "" || !errors.Is(err, test.err) {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// Pages are read one after another until there are no more, or somebody has enough.
func TestPaged(t *testing.T) {
	t.Parallel()
	for wanted, read := range map[int]int{0: 3, 1: 1, 2: 1, 3: 2, 6: 3} {
		pages := 0
		found, err := lists.Collect(lists.First(lists.Paged(func() ([]int, bool, error) {
			pages++
			return []int{2*pages - 2, 2*pages - 1}, pages < 3, nil
		}), wanted))
		want := wanted
		if want == 0 {
			want = 6
		}
		if diff := cmp.Diff(numbers(want), found); diff != "" || err != nil || pages != read {
			t.Errorf("first %d: %d pages, %v (-want +got):\n%s", wanted, pages, err, diff)
		}
	}
}
