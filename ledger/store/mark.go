package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Marking is the result of a mark.
type Marking struct {
	// Listed are the slots whose latest files list the violations or the originals of the mark.
	Listed []ledger.SlotRef
	// Remembered has the ULIDs of the violations whose skip is remembered beyond the run.
	Remembered map[string]bool
	// TakenUp are the violations that reports were taken up as.
	TakenUp []ledger.ListedViolation
}

// MarkViolations records the mark on the violations of the run, and takes up the filtered reports
// with these short ids: all of them or none. After the files are written, [Store.NoteExported]
// records what they say, so that a crash in between leaves no edit that nobody made.
//
// The run of a code review is closed between its verifications. Its verdict, with mode and time,
// stays, as it does when the team edits the file, and no skip of it is remembered;
// [Store.NoteFindings] records what its file says.
//
// Rule: A mark is not a fix.
func (l *Store) MarkViolations(ctx context.Context, run string, ids, reports []string, m ledger.Mark) (done Marking, err error) {
	done.Remembered = map[string]bool{}
	err = l.writeRun(ctx, "mark violations", run, func(t *tx, row runRow) error {
		review, check := row.Kind == ledger.KindCodeReview, m.Check
		if review {
			check = m.CheckFindings
		}
		abandoned := m.Status == ledger.StatusSkipped && row.Status == ledger.StatusAbandoned && len(reports) == 0
		if !row.FinishedAt.IsZero() && !abandoned && !review {
			return fmt.Errorf("run %s is closed: %w", run, ErrConflict)
		}
		iterations, err := t.iterationRows(ctx, row.Row)
		if err != nil {
			return err
		}
		latest, err := t.latestListings(ctx, row.Row, slices.Concat(ids, m.Originals))
		if err != nil {
			return err
		}
		seen := map[ledger.SlotRef]bool{}
		list := func(refs []ledger.SlotRef) {
			for _, ref := range refs {
				if !seen[ref] {
					seen[ref] = true
					done.Listed = append(done.Listed, ref)
				}
			}
		}
		for _, id := range ids {
			remembered, err := t.markViolation(ctx, row, latest, iterations, id, m, check)
			if err != nil {
				return err
			}
			if !review {
				done.Remembered[id] = remembered
			}
		}
		for _, row := range slices.Sorted(maps.Keys(latest)) {
			list(latest[row].slots)
		}
		if len(reports) == 0 {
			return nil
		}
		state, err := t.state(ctx, row)
		if err != nil {
			return err
		}
		for _, id := range reports {
			taken, listed, err := t.takeUp(ctx, row.Row, state, id, m.Actor)
			if err != nil {
				return err
			}
			done.TakenUp = append(done.TakenUp, taken)
			list(listed)
		}
		return nil
	})
	return done, err
}

// markViolation adds the event, which answers the newest file that lists the violation, and reports whether
// it is remembered beyond the run. Later reports are compared with the line of the report that it answers; if
// that line is not known, it is not.
func (t *tx) markViolation(
	ctx context.Context, run runRow, latest map[int64]listing, iterations map[int]int64, id string, m ledger.Mark,
	check func([]ledger.ListedViolation) error,
) (remembered bool, err error) {
	v, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: id, RunID: run.Row})
	if err != nil {
		return false, err
	}
	found, err := t.details(ctx, []int64{v.ID})
	if err != nil {
		return false, err
	}
	if err := check(found); err != nil {
		return false, err
	}
	if m.Status == ledger.StatusDisputed {
		refused, err := t.refuseDispute(ctx, run.Row, v, m.Silent)
		if err != nil {
			return false, err
		}
		if refused != "" {
			return false, &ledger.MarkError{Lines: []string{refused}}
		}
	}
	var line *string
	if run.Kind != ledger.KindCodeReview && m.Remembers(found[0].Place) {
		if line, err = t.LineOfViolation(ctx, v.ID); err != nil {
			return false, err
		}
	}
	m = m.Over(found[0])
	answers := max(latest[v.ID].iteration, found[0].Last)
	return line != nil, t.changeMark(ctx, run.Row, v, db.InsertEventParams{
		IterationID: iterations[answers], Status: string(m.Status), Actor: string(m.Actor),
		Result: optional(m.Result), Reason: optional(string(m.Reason)), At: t.at, Fingerprint: line,
	})
}

// refuseDispute returns why the violation, or one that was joined to it, cannot be disputed, or ""
// if it can be.
//
// Rule: A duplicate has the fate of what it was joined to.
func (t *tx) refuseDispute(ctx context.Context, run int64, v db.ViolationRowRow, silent []string) (string, error) {
	joined, err := t.JoinedTo(ctx, db.JoinedToParams{RunID: run, ShortID: v.ShortID})
	if err != nil {
		return "", err
	}
	for _, row := range append([]db.JoinedToRow{{ID: v.ID, ShortID: v.ShortID}}, joined...) {
		dispute, err := disputed.One(ctx, t.Queries, sql.Named("violation", row.ID))
		if err != nil {
			return "", err
		}
		dispute.Silent = silent
		if refused := dispute.Refuse(row.ShortID); refused != "" && row.ID != v.ID {
			return fmt.Sprintf("%s (it was joined to %s: reviewledger mark %s new takes it out)", refused, v.ShortID, row.ShortID), nil
		} else if refused != "" {
			return refused, nil
		}
	}
	return "", nil
}

// A listing is where a violation is listed.
type listing struct {
	// slots are the slots that ever listed it, each with the latest iteration in which it did.
	slots []ledger.SlotRef
	// iteration is the latest iteration of these.
	iteration int
}

// latestListings finds where the violations are listed, by row. It reads the entries of the run
// once for all of them.
func (t *tx) latestListings(ctx context.Context, run int64, ids []string) (map[int64]listing, error) {
	rows, err := t.EntriesOfViolations(ctx, db.EntriesOfViolationsParams{RunID: run, Ids: asJSON(ids)})
	latest := map[int64]listing{}
	for _, row := range rows {
		l := latest[row.ViolationID]
		ref := ledger.SlotRef{Job: row.Job, Slot: int(row.ReviewIndex), Iteration: int(row.Iteration)}
		if i := slices.IndexFunc(l.slots, func(r ledger.SlotRef) bool { return r.Job == ref.Job && r.Slot == ref.Slot }); i >= 0 {
			l.slots[i] = ref
		} else {
			l.slots = append(l.slots, ref)
		}
		l.iteration = max(l.iteration, ref.Iteration)
		latest[row.ViolationID] = l
	}
	return latest, err
}

// Current returns the slot's document with the current statuses and results of its violations.
func (l *Store) Current(ctx context.Context, run string, ref ledger.SlotRef) (ledger.SlotDocument, error) {
	return ofSlot(ctx, l, "read the slot's document", run, ref, func(t *tx, row runRow, slot slot) (ledger.SlotDocument, error) {
		exported, rows, err := t.exported(ctx, row.Row, slot, ref, latest)
		document := exported.Document
		if err != nil {
			return document, err
		}
		for i, v := range rows {
			entry, status := &document.Violations[i], v.StatusNow
			entry.Status, entry.Result = string(status.Exported()), nil
			if status.Exported() != ledger.StatusNew {
				entry.Result = optional(v.ResultNow)
			}
			if status == ledger.StatusSkipped && v.ResultNow == "" {
				entry.Result = optional(v.ReasonNow) // a skip must have a reason
			}
			if status == ledger.StatusSkipped {
				entry.Reason = v.ReasonNow
			}
		}
		return document, nil
	})
}

// NoteExported records what a slot's file shows now, so that it does not count as an edit when the
// file is read again.
func (l *Store) NoteExported(ctx context.Context, run string, document ledger.SlotDocument) error {
	ref := ledger.SlotRef{Job: document.Job, Slot: document.Slot, Iteration: document.Iteration}
	return l.writeRun(ctx, "record what was exported", run, func(t *tx, row runRow) error {
		slot, err := t.slotRow(ctx, row.Row, ref)
		if err != nil {
			return err
		}
		rows, err := t.SlotEntriesAsWritten(ctx, slot.Row)
		if err != nil {
			return err
		}
		for i, was := range rows {
			entry := document.Violations[i]
			if entry.Status == was.Status && (entry.Result == nil) == (was.Result == nil) && text(entry.Result) == text(was.Result) {
				continue
			}
			if err := t.changeEntry(ctx, slot.Row, was.Position, entry.Status, entry.Result); err != nil {
				return err
			}
		}
		return nil
	})
}
