package ask

import (
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// What is held of runs that were asked about: a page asks several times about one run, and
// people go back and forth between a few. A record takes about ten times as much memory as
// it has bytes.
const (
	heldRuns  = 8
	heldBytes = 4 << 20
)

// heldKey is what a record is known by: each push that changes it is another one, also with
// the same revision, when more is sent or its repository became known.
type heldKey struct {
	run      string
	received int64 // in microseconds, as the server keeps it
}

// held is the record of a run as a ledger in memory.
type held struct {
	heldKey
	ledger *store.Store
	size   int
	// users are the questions that go on; the last one closes what was put away.
	users int
	away  bool
}

// shelf holds the runs that were asked about last. It is safe for concurrent use.
type shelf struct {
	mutex sync.Mutex
	held  []*held // the last one asked about comes first
	shut  bool
}

// take is the run as it is held, or nil. It is to be released.
func (s *shelf) take(key heldKey) *held {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	i := slices.IndexFunc(s.held, func(h *held) bool { return h.heldKey == key })
	if i < 0 {
		return nil
	}
	h := s.held[i]
	s.held = slices.Insert(slices.Delete(s.held, i, i+1), 0, h)
	h.users++
	return h
}

// put holds a run that was read, in the place of older ones. It is to be released.
func (s *shelf) put(key heldKey, l *store.Store, size int) *held {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h := &held{heldKey: key, ledger: l, size: size, users: 1, away: s.shut}
	if s.shut {
		return h
	}
	s.held = slices.Insert(s.held, 0, h)
	kept, bytes := 0, 0
	for _, h := range s.held {
		if bytes += h.size; kept > 0 && (kept == heldRuns || bytes > heldBytes) {
			break
		}
		kept++
	}
	s.putAway(kept)
	return h
}

// release ends a question.
func (s *shelf) release(h *held) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h.users--
	h.closeUnused()
}

// close puts all away, for good.
func (s *shelf) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.shut = true
	s.putAway(0)
}

// putAway keeps the first ones only.
func (s *shelf) putAway(kept int) {
	for _, h := range s.held[kept:] {
		h.away = true
		h.closeUnused()
	}
	s.held = slices.Delete(s.held, kept, len(s.held))
}

func (h *held) closeUnused() {
	if h.away && h.users == 0 {
		_ = h.ledger.Close() // nothing in it is to be kept
	}
}
