package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// changeMark adds the event to the violation. If the violation becomes a duplicate, its own
// duplicates are joined to the new original. If a join begins or ends, the priorities are updated.
//
// Rule: A duplicate has the fate of what it was joined to.
func (t *tx) changeMark(ctx context.Context, run int64, v db.ViolationRowRow, event db.Event) error {
	event.ViolationID = v.ID
	was := ""
	if ledger.Status(v.Status) == ledger.StatusDuplicate {
		was = text(v.Result)
	}
	if err := t.InsertEvent(ctx, event); err != nil {
		return err
	}
	if ledger.Status(event.Status) == ledger.StatusDuplicate {
		joined, err := t.JoinedTo(ctx, db.JoinedToParams{RunID: run, ShortID: v.ShortID})
		if err != nil {
			return err
		}
		for _, j := range joined {
			event.ViolationID = j.ID
			if err := t.InsertEvent(ctx, event); err != nil {
				return err
			}
		}
		if len(joined) > 0 { // what it had from its duplicates goes with them
			if err := t.FallFromJoined(ctx, db.FallFromJoinedParams{RunID: run, ShortID: v.ShortID}); err != nil {
				return err
			}
		}
		if err := t.RaiseToJoined(ctx, db.RaiseToJoinedParams{RunID: run, ShortID: text(event.Result)}); err != nil {
			return err
		}
		return t.shareProblems(ctx, run, text(event.Result))
	}
	if was == "" {
		return nil
	}
	if err := t.FallFromJoined(ctx, db.FallFromJoinedParams{RunID: run, ShortID: was}); err != nil {
		return err
	}
	return t.shareProblems(ctx, run, was, v.ShortID)
}

// shareProblems updates which other adapters reported the violations with these short ids and their
// duplicates.
func (t *tx) shareProblems(ctx context.Context, run int64, ids ...string) error {
	for _, id := range ids {
		if err := t.ShareProblem(ctx, db.ShareProblemParams{RunID: run, ShortID: id}); err != nil {
			return err
		}
	}
	return nil
}

// asked lists the slots that the claim or dispute with this ULID was put to in this iteration:
// those that reported it or one of its duplicates. If the gate of such a slot was not executed, the
// slot was not asked, and the claim cannot be confirmed.
//
// Rule: A duplicate has the fate of what it was joined to.
func (w *answerWriter) asked(id string) (asked []match.Asked) {
	if w.byProblem == nil { // once, because an answer may have as many words as there are violations
		w.byProblem = map[string][]*ledger.Violation{}
		for i := range w.a.Before.Violations {
			v := &w.a.Before.Violations[i]
			w.byProblem[v.Problem()] = append(w.byProblem[v.Problem()], v)
		}
	}
	claim := w.began[id]
	for _, v := range w.byProblem[claim.Problem()] {
		for _, slot := range v.Reporters(w.a.Fillers[v.Job]) {
			asked = append(asked, match.Asked{Violation: v.ID, Slot: slot})
		}
	}
	return asked
}

// joinedTo returns the rows of the duplicates that are joined to the violation.
func (t *tx) joinedTo(ctx context.Context, v ledger.ListedViolation) ([]db.JoinedToRow, error) {
	run, err := t.RunByULID(ctx, v.Run)
	if err != nil {
		return nil, err
	}
	return t.JoinedTo(ctx, db.JoinedToParams{RunID: run.ID, ShortID: v.ShortID})
}

// problems returns the rows of the originals of these violations, or their own rows if they are not
// duplicates, each once, and the row for each id. The original may be a violation of another gate.
func (w *answerWriter) problems(ctx context.Context, ids []string) (rows []int64, of map[string]int64, err error) {
	of, seen := make(map[string]int64, len(ids)), make(map[int64]bool, len(ids))
	for _, id := range ids {
		known, row := w.known[id], w.known[id].Violation.ID
		if known.Original != nil || row == 0 {
			original, err := w.ViolationRow(ctx, db.ViolationRowParams{Ulid: cmp.Or(text(known.Original), id), RunID: w.run})
			if err != nil {
				return nil, nil, err
			}
			row = original.ID
		}
		if of[id] = row; !seen[row] {
			seen[row] = true
			rows = append(rows, row)
		}
	}
	return rows, of, nil
}

// Relate records, in the ledger and in state, that the violations of each pair of short ids may be
// the same problem. It returns the slots whose latest files list them.
func (l *Store) Relate(ctx context.Context, state *ledger.State, pairs [][2]string) (listed []ledger.SlotRef, err error) {
	related := map[string][]string{}
	for _, pair := range pairs {
		related[pair[0]], related[pair[1]] = append(related[pair[0]], pair[1]), append(related[pair[1]], pair[0])
	}
	err = l.writeRun(ctx, "record what is perhaps the same", state.Run.ID, func(t *tx, run db.Run) (err error) {
		var ids []string
		for i := range state.Violations {
			v := &state.Violations[i]
			more := related[v.ShortID]
			if len(more) > 0 || v.SaidGone() {
				ids = append(ids, v.ID)
			}
			if len(more) == 0 {
				continue
			}
			all := slices.Concat(v.Related, more)
			slices.Sort(all)
			v.Related = slices.Compact(all)
			names := strings.Join(v.Related, " ")
			if err := t.SetRelated(ctx, db.SetRelatedParams{Related: &names, Ulid: v.ID}); err != nil {
				return err
			}
		}
		listed, err = t.listing(ctx, run.ID, ids)
		return err
	})
	return listed, err
}

// listing marks the run as changed, and returns the slots whose latest files list the violations.
func (t *tx) listing(ctx context.Context, run int64, ids []string) (listed []ledger.SlotRef, err error) {
	t.touch(run)
	latest, err := t.latestListings(ctx, run, ids)
	for _, l := range latest {
		for _, ref := range l.slots {
			if !slices.Contains(listed, ref) {
				listed = append(listed, ref)
			}
		}
	}
	return listed, err
}

// Move records the current places of violations, by ULID; in each list the violation's own place
// comes first. It returns the slots whose latest files list them.
//
// Rule: A place moves with its lines.
func (r *Recorder) Move(ctx context.Context, moved map[string][]ledger.Place) (listed []ledger.SlotRef, err error) {
	err = r.ledger.write(ctx, "record where lines went", func(t *tx) error {
		ids := slices.Sorted(maps.Keys(moved))
		for _, id := range ids {
			places := lists.PlacesText(moved[id])
			if err := t.MoveViolation(ctx, db.MoveViolationParams{File: moved[id][0].File, Moved: &places, Ulid: id}); err != nil {
				return err
			}
		}
		listed, err = t.listing(ctx, r.run, ids)
		return err
	})
	return listed, err
}
