package ask

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// oneRun is a run in a ledger of its own, with what the team store knows in addition.
type oneRun struct {
	*held
	// unsent is since when texts are missing because they were not sent, or zero if all were sent.
	unsent time.Time
}

// ofRun returns what do returns for a ledger that has only this run.
func ofRun[T any](ctx context.Context, s *Store, id string, do func(oneRun) (T, error)) (found T, err error) {
	run, err := answer(ctx, s, fmt.Sprintf("read run %q", id), func(t *tx) (oneRun, error) { return s.oneRun(ctx, t, id) })
	if err != nil {
		return found, err
	}
	defer s.shelf.release(run.held)
	return do(run)
}

// oneRun reads a run. The caller must release it.
func (s *Store) oneRun(ctx context.Context, t *tx, id string) (run oneRun, err error) {
	row, err := t.RunByID(ctx, id)
	if err != nil {
		return run, err
	}
	here := row.Run
	if here.Content != "full" {
		run.unsent = here.ReceivedAt
	}
	key := heldKey{run: id, received: here.ReceivedAt.UnixMicro()}
	if run.held = s.shelf.take(key); run.held != nil {
		return run, nil
	}
	data, err := t.RecordOf(ctx, id)
	if err != nil {
		return run, err
	}
	l, err := recalled(ctx, data)
	if err != nil {
		return run, err
	}
	run.held = s.shelf.put(key, l, len(data))
	return run, nil
}

// recalled loads a record into a ledger in memory.
func recalled(ctx context.Context, data []byte) (*store.Store, error) {
	lines, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpack its record: %w", err)
	}
	return store.InMemory(ctx, exchange.NewReader(lines).Next)
}

// complete adds to the state of a run what its ledger in memory does not have.
func (r oneRun) complete(state *ledger.State, err error) (*ledger.State, error) {
	if err != nil {
		return nil, err
	}
	// The record has values in their place, which only distinguish worktrees.
	state.Run.Worktree, state.Run.WorktreeName, state.Run.LogDir = "", "", ""
	if state.Run.ContentRemovedAt.IsZero() {
		state.Run.ContentRemovedAt = r.unsent
	}
	return state, nil
}

// RunDetail answers as the ledger does.
func (s *Store) RunDetail(ctx context.Context, id string) (*ledger.State, error) {
	return ofRun(ctx, s, id, func(r oneRun) (*ledger.State, error) { return r.complete(r.ledger.RunDetail(ctx, id)) })
}

// State answers as the ledger does.
func (s *Store) State(ctx context.Context, id string) (*ledger.State, error) {
	return ofRun(ctx, s, id, func(r oneRun) (*ledger.State, error) { return r.complete(r.ledger.State(ctx, id)) })
}

// ExplainRun answers as the ledger does.
func (s *Store) ExplainRun(ctx context.Context, id string) (ledger.Explanation, error) {
	return ofRun(ctx, s, id, func(r oneRun) (ledger.Explanation, error) {
		state, err := r.complete(r.ledger.State(ctx, id))
		if err != nil {
			return ledger.Explanation{}, err
		}
		return r.ledger.Explained(ctx, state)
	})
}

// RunEvents answers as the ledger does.
func (s *Store) RunEvents(ctx context.Context, id string) ([]ledger.Event, error) {
	return ofRun(ctx, s, id, func(r oneRun) ([]ledger.Event, error) { return r.ledger.RunEvents(ctx, id) })
}

// CheckLog answers as the ledger does.
func (s *Store) CheckLog(ctx context.Context, id string, iteration int, job string) (string, error) {
	return ofRun(ctx, s, id, func(r oneRun) (string, error) { return r.ledger.CheckLog(ctx, id, iteration, job) })
}

// SlotTexts answers as the ledger does.
func (s *Store) SlotTexts(ctx context.Context, id string, ref ledger.SlotRef, kind ledger.TextKind) ([]ledger.SlotText, error) {
	return ofRun(ctx, s, id, func(r oneRun) ([]ledger.SlotText, error) { return r.ledger.SlotTexts(ctx, id, ref, kind) })
}

// Excerpts answers as the ledger does.
func (s *Store) Excerpts(ctx context.Context, found []ledger.ListedViolation) (map[string]ledger.Excerpt, error) {
	byRun := map[string][]ledger.ListedViolation{}
	for _, v := range found {
		byRun[v.Run] = append(byRun[v.Run], v)
	}
	all := map[string]ledger.Excerpt{}
	for _, id := range slices.Sorted(maps.Keys(byRun)) {
		some, err := ofRun(ctx, s, id, func(r oneRun) (map[string]ledger.Excerpt, error) {
			if !r.unsent.IsZero() { // no code was sent
				return nil, nil
			}
			return r.ledger.Excerpts(ctx, byRun[id])
		})
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return all, nil
}

// History answers as the ledger does.
func (s *Store) History(ctx context.Context, id string) (h ledger.History, err error) {
	var run oneRun
	var recurring bool
	err = s.read(ctx, fmt.Sprintf("read the history of violation %q", id), func(t *tx) error {
		named, err := t.violationByPrefix(ctx, id)
		if err != nil {
			return err
		}
		id, recurring = named.ID, named.Recurring
		run, err = s.oneRun(ctx, t, named.Run)
		return err
	})
	if err != nil {
		return h, err
	}
	h, err = run.ledger.History(ctx, id)
	s.shelf.release(run.held)
	if err != nil {
		return h, err
	}
	h.Violation.Recurring, h.Violation.Worktree = recurring, ""
	// Later runs may have met the skip.
	skips, err := s.SkipsOf(ctx, []ledger.ListedViolation{h.Violation})
	if h.Skip = nil; len(skips) > 0 {
		h.Skip = &skips[0]
	}
	return h, err
}

// violationByPrefix returns the violation with the id, or with a unique prefix of one. Two ledgers
// may have drawn the same short id; then only the ULID identifies the violation.
func (t *tx) violationByPrefix(ctx context.Context, prefix string) (named postgres.ViolationsWithPrefixRow, err error) {
	unknown := &ledger.IDError{Kind: "violation", ID: prefix}
	if prefix == "" {
		return named, unknown
	}
	short, long := strings.ToLower(prefix), strings.ToUpper(prefix)
	found, err := t.ViolationsWithPrefix(ctx, postgres.ViolationsWithPrefixParams{
		Short: short, ShortEnd: lists.PrefixEnd(short), Long: long, LongEnd: lists.PrefixEnd(long),
	})
	if err != nil {
		return named, err
	}
	begins := func(row postgres.ViolationsWithPrefixRow) bool { return strings.HasPrefix(row.ShortID, short) }
	if slices.ContainsFunc(found, begins) {
		found = slices.DeleteFunc(found, func(row postgres.ViolationsWithPrefixRow) bool { return !begins(row) })
	}
	switch {
	case len(found) == 0:
		return named, unknown
	case len(found) == 1 || found[0].ShortID == short && found[1].ShortID != short:
		return found[0], nil
	case found[0].ShortID == found[1].ShortID, !strings.HasPrefix(found[0].ShortID, short): // the ULID was typed
		return named, &ledger.IDError{Kind: "violation", ID: prefix, Matches: []string{found[0].ID, found[1].ID}}
	}
	return named, &ledger.IDError{Kind: "violation", ID: prefix, Matches: []string{found[0].ShortID, found[1].ShortID}}
}
