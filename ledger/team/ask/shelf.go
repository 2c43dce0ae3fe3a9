package ask

import (
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// Limits of the cache: how many runs it holds, and how many bytes of records. A page asks several
// times about one run, and people go back and forth between a few runs. A record takes up about ten
// times its size in memory.
const (
	heldRuns  = 8
	heldBytes = 4 << 20
)

// heldKey identifies a version of a record. A push can change a record without a new revision, if
// more of it is sent or its repository has become known.
type heldKey struct {
	run      string
	received int64 // in microseconds, as the server keeps it
}

// held is the record of a run, loaded into a ledger in memory.
type held struct {
	heldKey
	ledger *store.Store
	size   int
	// users counts the questions in progress. If the run was dropped, the last one closes it.
	users int
	away  bool
}

// A shelf caches the runs that were asked about most recently. It is safe for concurrent use.
type shelf struct {
	mutex sync.Mutex
	held  []*held // most recently used first
	shut  bool
}

// take returns the cached run, or nil. The caller must release it.
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

// put caches a run that was read, and drops older runs if there are too many. The caller must
// release the run.
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

// release ends the use of a run that [shelf.take] or [shelf.put] returned.
func (s *shelf) release(h *held) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h.users--
	h.closeUnused()
}

// close drops all runs, and lets none be cached from then on.
func (s *shelf) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.shut = true
	s.putAway(0)
}

// putAway drops all runs except the first kept ones.
func (s *shelf) putAway(kept int) {
	for _, h := range s.held[kept:] {
		h.away = true
		h.closeUnused()
	}
	s.held = slices.Delete(s.held, kept, len(s.held))
}

func (h *held) closeUnused() {
	if h.away && h.users == 0 {
		_ = h.ledger.Close() // nothing in it has to be kept
	}
}
