package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// changeMark adds the event to the violation. If a join begins or ends, the priorities are updated.
//
// Rule: A duplicate has the fate of what it was joined to.
func (t *tx) changeMark(ctx context.Context, run int64, v db.ViolationRowRow, event db.InsertEventParams) error {
	if ledger.Status(event.Status) == ledger.StatusDuplicate {
		if err := t.join(ctx, run, v, event); err != nil {
			return err
		}
		return t.addPairs(ctx, run, [][2]string{{v.ShortID, text(event.Result)}})
	}
	event.ViolationID = v.ID
	err := t.InsertEvent(ctx, event)
	if was := text(v.Result); err == nil && ledger.Status(v.Status) == ledger.StatusDuplicate {
		err = errors.Join(t.followJoined(ctx, run, was), t.setBlocks(ctx, run))
	}
	return err
}

// join adds the event, by which the violation becomes a duplicate, also to what was joined to the
// violation. The original has the highest priority of them all.
func (t *tx) join(ctx context.Context, run int64, v db.ViolationRowRow, event db.InsertEventParams) error {
	joined, err := t.JoinedTo(ctx, db.JoinedToParams{RunID: run, ShortID: v.ShortID})
	if err != nil {
		return err
	}
	for _, row := range append([]db.JoinedToRow{{ID: v.ID, Reason: event.Reason}}, joined...) {
		event.ViolationID, event.Reason = row.ID, row.Reason
		if err := t.InsertEvent(ctx, event); err != nil {
			return err
		}
	}
	changed := []string{text(event.Result)}
	if len(joined) > 0 { // what it had from its duplicates goes with them
		changed = append(changed, v.ShortID)
	}
	return t.followJoined(ctx, run, changed...)
}

// followJoined updates the priorities of violations with these short IDs after their duplicates changed.
func (t *tx) followJoined(ctx context.Context, run int64, ids ...string) error {
	for _, id := range ids {
		if err := t.FollowJoined(ctx, db.FollowJoinedParams{RunID: run, ShortID: id}); err != nil {
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
	run, err := t.runByULID(ctx, v.Run)
	if err != nil {
		return nil, err
	}
	return t.JoinedTo(ctx, db.JoinedToParams{RunID: run.Row, ShortID: v.ShortID})
}

// problems returns the rows of the originals of these violations, or their own rows if they are not
// duplicates, each once, and the row for each id. The original may be a violation of another gate.
func (w *answerWriter) problems(ids []string) (rows []int64, of map[string]int64) {
	of, seen := make(map[string]int64, len(ids)), make(map[int64]bool, len(ids))
	for _, id := range ids {
		v := w.known[id]
		if v.Original != nil {
			v = w.known[v.Original.ID]
		}
		row := v.Row
		if of[id] = row; !seen[row] {
			seen[row] = true
			rows = append(rows, row)
		}
	}
	return rows, of
}

// Relate records which violations may be the same problem as those with the ULIDs of fresh, and
// returns their short ids for each of these.
func (l *Store) Relate(ctx context.Context, run string, fresh []string, near ledger.Nearby) (related map[string][]string, err error) {
	err = l.writeRun(ctx, "record what is perhaps the same", run, func(t *tx, row runRow) error {
		all, err := t.violationsOf(ctx, row.Row)
		if err != nil {
			return err
		}
		c := newConnecting(all, near, func(v *violation) bool { return slices.Contains(fresh, v.ID) })
		if err := t.addPairs(ctx, row.Row, ledger.Related(c.near(), near.Names)); err != nil {
			return err
		}
		related, err = t.relatedOf(ctx, row.Row)
		return err
	})
	return related, err
}

// relatedOf returns the short ids of what may be the same as each violation of the run, by ULID.
func (t *tx) relatedOf(ctx context.Context, run int64) (map[string][]string, error) {
	all, err := t.violationsOf(ctx, run)
	related := make(map[string][]string, len(all))
	for _, v := range all {
		if v.waits() {
			related[v.ID] = v.Related
		}
	}
	return related, err
}

// addPairs records pairs of short ids, and the blocks that follow from them.
func (t *tx) addPairs(ctx context.Context, run int64, pairs [][2]string) error {
	if len(pairs) == 0 {
		return nil
	}
	both := make([][2]string, 0, 2*len(pairs))
	for _, pair := range pairs {
		both = append(both, pair, [2]string{pair[1], pair[0]})
	}
	if err := t.AddPairs(ctx, db.AddPairsParams{RunID: run, Pairs: asJSON(both)}); err != nil {
		return err
	}
	return t.setBlocks(ctx, run)
}

// setBlocks records which violation is the first of the block of each.
func (t *tx) setBlocks(ctx context.Context, run int64) error {
	rows, err := pairedOfRun.All(ctx, t.Queries, sql.Named("run", run))
	if err != nil {
		return err
	}
	found := make([]ledger.Paired, 0, len(rows))
	for _, row := range rows {
		found = append(found, row.Paired)
	}
	blocks := ledger.Blocks(found)
	for _, row := range rows {
		if block := blocks[row.ID]; block != row.Block {
			if err := t.SetBlock(ctx, db.SetBlockParams{Block: optional(block), ID: row.Row}); err != nil {
				return err
			}
		}
	}
	return nil
}

// connecting has the open and claimed violations of a run that are in a file with a fresh one.
type connecting struct {
	rows   []*violation
	places [][]ledger.Place // in the tree that is reviewed, the own place first
	fresh  []bool
	facts  ledger.Nearby
}

// newConnecting returns the rows that may be connected with fresh ones. What was reported in a tree
// that is not known has no place, and is left out.
func newConnecting(run []*violation, facts ledger.Nearby, fresh func(*violation) bool) *connecting {
	c := &connecting{facts: facts}
	files := map[string]bool{}
	for _, row := range run {
		places, known := facts.Places[row.ID]
		if row.Last == facts.Iteration {
			places, known = row.ReportedPlaces(), true
		}
		if !known || !row.waits() {
			continue
		}
		isFresh := fresh(row)
		c.rows, c.places, c.fresh = append(c.rows, row), append(c.places, places), append(c.fresh, isFresh)
		for _, place := range places {
			files[place.File] = files[place.File] || isFresh
		}
	}
	apart := 0
	for i, places := range c.places {
		if slices.ContainsFunc(places, func(p ledger.Place) bool { return files[p.File] }) || c.rows[i].DuplicateOf != "" {
			c.rows[apart], c.places[apart], c.fresh[apart] = c.rows[i], places, c.fresh[i]
			apart++
		}
	}
	c.rows, c.places, c.fresh = c.rows[:apart], c.places[:apart], c.fresh[:apart]
	return c
}

// near returns the findings that [ledger.Related] compares.
func (c *connecting) near() (found []ledger.Near) {
	for i, row := range c.rows {
		n := ledger.Near{
			ID: row.ShortID, Places: c.places[i], Issue: row.Issue, New: c.fresh[i], Tool: c.facts.Tool(row.ReporterJob(), row.Adapter),
			Reporter: fmt.Sprintf("%s@%d", row.ReporterJob(), row.Slot), Answers: row.SlotRows, Paired: len(row.Related),
		}
		for _, place := range c.places[i] {
			n.Hunks = append(n.Hunks, c.facts.Hunk(place))
		}
		found = append(found, n)
	}
	return found
}

// stated returns the violations that [match.Joins] compares.
func (c *connecting) stated(gates map[string]int64) (all []match.Stated) {
	for i, row := range c.rows {
		all = append(all, match.Stated{
			ID: row.ShortID, Original: row.DuplicateOf, Status: row.Status, Place: c.places[i][0], Places: c.places[i], Words: row.Issue,
			Named: row.SeenBefore,
			Fresh: c.fresh[i], Answers: row.SlotRows, TakenOut: row.TakenOut, First: row.First,
			Priority: row.Priority, Gate: gates[row.ReporterJob()], Slot: row.Slot, Position: row.Position,
		})
	}
	return all
}

// waits reports whether it is neither settled nor left as it is: it is open, a claim or a duplicate.
func (v *violation) waits() bool {
	return v.Status.Open() || v.Status == ledger.StatusFixed || v.Status == ledger.StatusDuplicate
}

// connect joins the answer's reports with what others said in the same words at the same place, and
// records what they are perhaps the same as.
//
// Rule: A duplicate has the fate of what it was joined to.
func (w *answerWriter) connect(ctx context.Context) error {
	if w.a.Near == nil || len(w.shown) == 0 {
		return nil
	}
	tool := ""
	if w.a.Near.Tool(w.a.Job, w.a.Adapter) != "" {
		tool = w.a.Adapter
	}
	if others, err := w.OthersWait(ctx, db.OthersWaitParams{RunID: w.run, SlotID: w.slot, JobID: w.job, Tool: tool}); err != nil || !others {
		return err
	}
	all, err := w.violationsOf(ctx, w.run)
	if err != nil {
		return err
	}
	c := newConnecting(all, *w.a.Near, func(v *violation) bool { return w.listed[v.ID] })
	stated := c.stated(w.Recorder.gates)
	for i, row := range c.rows { // what was reported again was compared before
		c.fresh[i] = c.fresh[i] && w.began[row.ID].ID == ""
	}
	related := ledger.Related(c.near(), w.a.Near.Names)
	pairs, err := w.joinReported(ctx, c, stated, related)
	if err != nil {
		return err
	}
	if err := w.addPairs(ctx, w.run, append(pairs, related...)); err != nil {
		return err
	}
	w.connected = map[string]*violation{}
	all, err = w.violationsOf(ctx, w.run)
	for _, v := range all {
		w.connected[v.ID] = v
	}
	return err
}

// joinReported joins what [match.Joins] says, and returns the pairs that were joined.
func (w *answerWriter) joinReported(ctx context.Context, c *connecting, stated []match.Stated, related [][2]string) (pairs [][2]string, err error) {
	joins, reopened := match.Joins(stated, related)
	of := map[string]*violation{}
	for _, row := range c.rows {
		of[row.ShortID] = row
	}
	for _, join := range joins {
		v, reason := of[join.ID], ledger.ReasonSameWords
		if join.Named {
			reason = ledger.ReasonSameAs
		}
		pairs = append(pairs, [2]string{join.ID, join.Original})
		err := w.join(ctx, w.run, db.ViolationRowRow{ID: v.Row, ShortID: v.ShortID}, db.InsertEventParams{
			IterationID: w.iteration, Status: string(ledger.StatusDuplicate), Actor: string(ledger.ActorSystem), Result: &join.Original, Reason: &reason, At: w.at,
		})
		if err != nil {
			return nil, fmt.Errorf("join %s to %s: %w", join.ID, join.Original, err)
		}
	}
	var ids []int64
	for _, id := range reopened {
		ids = append(ids, of[id].Row)
	}
	return pairs, w.insertEvents(ctx, ids, w.event(ledger.StatusReopened))
}

// Listing returns the slots whose latest files list the violations with these ULIDs.
func (l *Store) Listing(ctx context.Context, run string, ids []string) (listed []ledger.SlotRef, err error) {
	err = l.writeRun(ctx, "find the files that list violations", run, func(t *tx, row runRow) error {
		listed, err = t.listing(ctx, row.Row, ids)
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
			row, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: id, RunID: r.run})
			if err != nil {
				return err
			}
			if err := t.moveViolation(ctx, row.ID, r.number, moved[id]); err != nil {
				return err
			}
		}
		listed, err = t.listing(ctx, r.run, ids)
		return err
	})
	return listed, err
}
