package ask

import (
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// How many runs, and how many bytes of records, are cached: a page asks several times about one run,
// and people go back and forth between a few. A record takes about ten times its size in memory.
const (
	heldRuns  = 8
	heldBytes = 4 << 20
)

// heldKey identifies a version of a record. A push can change a record without a new revision, when
// more is sent or its repository became known.
type heldKey struct {
	run      string
	received int64 // in microseconds, as the server keeps it
}

// held is the record of a run as a ledger in memory.
type held struct {
	heldKey
	ledger *store.Store
	size   int
	// users counts the questions in progress; the last one closes a run that was dropped.
	users int
	away  bool
}

// shelf caches the runs that were asked about last. It is safe for concurrent use.
type shelf struct {
	mutex sync.Mutex
	held  []*held // the last one asked about comes first
	shut  bool
}

// take returns the cached run, or nil. The caller releases it.
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

// put caches a run that was read, and drops older ones. The caller releases it.
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

// close drops all runs and caches none from then on.
func (s *shelf) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.shut = true
	s.putAway(0)
}

// putAway drops all but the first ones.
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
