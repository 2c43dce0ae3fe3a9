package ask

import (
	"fmt"
	"io"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// shelved puts runs on a shelf, and checks which of them are open.
type shelved struct {
	*testing.T
	shelf
	ledgers map[string]*store.Store
}

func newShelved(t *testing.T) *shelved {
	return &shelved{T: t, ledgers: map[string]*store.Store{}}
}

func keyOf(run string) heldKey { return heldKey{run: run, received: 1} }

// add puts a run of this size on the shelf, and does not release it.
func (s *shelved) add(run string, size int) *held {
	s.Helper()
	l, err := store.InMemory(s.Context(), func() (record exchange.Record, err error) { return record, io.EOF })
	if err != nil {
		s.Fatal(err)
	}
	s.ledgers[run] = l
	s.Cleanup(func() { _ = l.Close() })
	return s.put(keyOf(run), l, size)
}

// open checks that exactly these runs are open.
func (s *shelved) open(after string, runs ...string) {
	s.Helper()
	want := map[string]bool{}
	for _, run := range runs {
		want[run] = true
	}
	for run, l := range s.ledgers {
		if _, err := l.Runs(s.Context(), ledger.RunFilter{}); (err == nil) != want[run] {
			s.Errorf("after %s: run %s: %v, open: %t", after, run, err, want[run])
		}
	}
}

// on checks that these runs are on the shelf, the most recently used first.
func (s *shelved) on(after string, runs ...string) {
	s.Helper()
	var got []string
	for _, h := range s.held {
		got = append(got, h.run)
	}
	if fmt.Sprint(got) != fmt.Sprint(runs) {
		s.Errorf("after %s: on the shelf: %q, want %q", after, got, runs)
	}
}

func TestShelfHoldsFewRuns(t *testing.T) {
	t.Parallel()
	s := newShelved(t)
	for i := range heldRuns {
		s.release(s.add(fmt.Sprint(i), 1))
	}
	s.on("as many as there is room for", "7", "6", "5", "4", "3", "2", "1", "0")
	used := s.take(keyOf("0"))
	if used == nil || s.take(heldKey{run: "0", received: 2}) != nil || s.take(keyOf("8")) != nil {
		t.Errorf("taken: %+v", used)
	}
	s.on("the oldest was asked about", "0", "7", "6", "5", "4", "3", "2", "1")
	for i := range heldRuns {
		s.release(s.add(fmt.Sprint("more ", i), 1))
	}
	s.on("as many others", "more 7", "more 6", "more 5", "more 4", "more 3", "more 2", "more 1", "more 0")
	open := []string{"more 7", "more 6", "more 5", "more 4", "more 3", "more 2", "more 1", "more 0"}
	s.open("as many others", append(open, "0")...) // the run is still in use
	s.release(used)
	s.open("the end of the question", open...)
}

func TestShelfHoldsFewBytes(t *testing.T) {
	t.Parallel()
	s := newShelved(t)
	s.release(s.add("a", heldBytes/2))
	s.release(s.add("b", heldBytes/2))
	s.on("exactly as many bytes as there is room for", "b", "a")
	s.release(s.add("c", 1))
	s.on("a byte more", "c", "b")
	s.open("a byte more", "b", "c")
	s.release(s.add("large", heldBytes+1))
	s.on("a run that is larger than the shelf", "large")
	s.open("a run that is larger than the shelf", "large")
	s.release(s.add("small", 1))
	s.on("a small one after it", "small")
}

func TestShelfIsClosed(t *testing.T) {
	t.Parallel()
	s := newShelved(t)
	s.release(s.add("idle", 1))
	used := s.add("used", 1)
	twice := s.take(keyOf("used"))
	s.close()
	s.on("closing")
	s.open("closing", "used")
	late := s.add("late", 1)
	s.on("a run that was read meanwhile")
	s.open("a run that was read meanwhile", "used", "late")
	s.release(used)
	s.release(late)
	s.open("the end of a question", "used")
	s.release(twice)
	s.open("the end of all questions")
}
