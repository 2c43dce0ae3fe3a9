package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Marking is what came of a mark.
type Marking struct {
	// Listed are the slots whose latest files list the violations.
	Listed []ledger.SlotRef
	// Remembered holds the ULIDs of those whose skip is remembered beyond the run.
	Remembered map[string]bool
}

// MarkViolations records the mark on the violations of the run, all of them or
// none. What the files say
// is recorded by [Ledger.NoteExported] after they were written, so that a crash
// in between leaves no edit that nobody made.
func (l *Store) MarkViolations(ctx context.Context, run string, ids []string, m ledger.Mark) (done Marking, err error) {
	done.Remembered = map[string]bool{}
	err = l.write(ctx, "mark violations", func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		if row.FinishedAt != nil {
			return fmt.Errorf("run %s is closed: %w", run, ErrConflict)
		}
		iterations, err := t.iterationRows(ctx, row.ID)
		if err != nil {
			return err
		}
		seen := map[ledger.SlotRef]bool{}
		for _, id := range ids {
			refs, marked, err := t.markViolation(ctx, row.ID, iterations, id, m, m.Check)
			if err != nil {
				return err
			}
			if done.Remembered[id], err = t.remember(ctx, marked.row, m, marked.ListedViolation); err != nil {
				return err
			}
			for _, ref := range refs {
				if !seen[ref] {
					seen[ref] = true
					done.Listed = append(done.Listed, ref)
				}
			}
		}
		t.touch(row.ID)
		return nil
	})
	return done, err
}

// markedViolation is a violation as it was before it was marked.
type markedViolation struct {
	ledger.ListedViolation
	row int64
}

// markViolation adds the event. It answers the newest file that lists the
// violation.
func (t *tx) markViolation(ctx context.Context, run int64, iterations map[int]int64, id string, m ledger.Mark, check func([]ledger.ListedViolation) error) (refs []ledger.SlotRef, marked markedViolation, err error) {
	v, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: id, RunID: run})
	if err != nil {
		return nil, marked, err
	}
	refs, answers, err := t.latestListing(ctx, run, v.ID)
	if err != nil {
		return nil, marked, err
	}
	found, err := t.details(ctx, []int64{v.ID})
	if err != nil {
		return nil, marked, err
	}
	if err := check(found); err != nil {
		return nil, marked, err
	}
	answers = max(answers, found[0].Last)
	result := optional(m.Result)
	if m.Status == ledger.StatusNew {
		result = nil
	}
	return refs, markedViolation{found[0], v.ID}, t.InsertEvent(ctx, db.InsertEventParams{
		ViolationID: v.ID, IterationID: iterations[answers], Status: string(m.Status), Actor: string(m.Actor),
		Result: result, Reason: optional(string(m.Reason)), At: t.at,
	})
}

// latestListing finds, for each slot that ever listed the violation, the latest
// iteration in which it did.
func (t *tx) latestListing(ctx context.Context, run, violation int64) (refs []ledger.SlotRef, last int, err error) {
	rows, err := t.ViolationEntries(ctx, db.ViolationEntriesParams{RunID: run, ViolationID: violation})
	at := map[slotKey]int{}
	for _, row := range rows {
		key := slotKey{row.Job, int(row.ReviewIndex)}
		ref := ledger.SlotRef{Job: row.Job, Slot: key.index, Iteration: int(row.Iteration)}
		if i, ok := at[key]; ok {
			refs[i] = ref
		} else {
			at[key] = len(refs)
			refs = append(refs, ref)
		}
		last = max(last, ref.Iteration)
	}
	return refs, last, err
}

// Current is the slot's document with the status and result that its violations
// have now.
func (l *Store) Current(ctx context.Context, run string, ref ledger.SlotRef) (document ledger.SlotDocument, err error) {
	err = l.read(ctx, "read the slot's document", func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		slot, err := t.slotRow(ctx, row.ID, ref)
		if err != nil {
			return err
		}
		exported, err := t.exported(ctx, slot, ref)
		if err != nil {
			return err
		}
		document = exported.Document
		for i, id := range exported.ULIDs {
			v, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: id, RunID: row.ID})
			if err != nil {
				return err
			}
			entry := &document.Violations[i]
			entry.Status, entry.Result = string(ledger.Status(v.Status).Exported()), nil
			if !ledger.Status(v.Status).Open() {
				entry.Result = v.Result
			}
		}
		return nil
	})
	return document, err
}

// NoteExported records what a slot's file says now, so that it does not count as an edit
// when it is read again.
func (l *Store) NoteExported(ctx context.Context, run string, document ledger.SlotDocument) error {
	ref := ledger.SlotRef{Job: document.Job, Slot: document.Slot, Iteration: document.Iteration}
	return l.write(ctx, "record what was exported", func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		slot, err := t.slotRow(ctx, row.ID, ref)
		if err != nil {
			return err
		}
		exported, err := t.exported(ctx, slot, ref)
		if err != nil {
			return err
		}
		for i, id := range exported.ULIDs {
			v, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: id, RunID: row.ID})
			if err != nil {
				return err
			}
			entry := document.Violations[i]
			if err := expectOne(t.UpdateSlotEntry(ctx, db.UpdateSlotEntryParams{
				Status: entry.Status, Result: entry.Result, SlotID: slot.ID, ViolationID: v.ID,
			})); err != nil {
				return err
			}
		}
		t.touch(row.ID)
		return nil
	})
}
