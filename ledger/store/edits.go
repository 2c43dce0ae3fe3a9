package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Exported returns what the ledger last wrote to the slot's file, or read from it. The error is
// [ledger.ErrNotFound] if the run has no such slot.
func (l *Store) Exported(ctx context.Context, run string, ref ledger.SlotRef) (ledger.Exported, error) {
	return ofSlot(ctx, l, "read what was exported", run, ref, func(t *tx, row runRow, slot slot) (ledger.Exported, error) {
		exported, _, err := t.exported(ctx, row.Row, slot, ref, latest)
		return exported, err
	})
}

func (t *tx) slotRow(ctx context.Context, run int64, ref ledger.SlotRef) (slot, error) {
	return slotOfRun.One(ctx, t.Queries, sql.Named("run", run), sql.Named("iteration", ref.Iteration), sql.Named("job", ref.Job), sql.Named("index", ref.Slot))
}

// exported returns the content of the slot's file at the given time, and the rows of its entries.
// Reviewers' words on claims, and the places of what the slot itself reported, are those of that
// time.
func (t *tx) exported(ctx context.Context, run int64, slot slot, ref ledger.SlotRef, until string) (ledger.Exported, []slotEntry, error) {
	e := ledger.Exported{Document: ledger.SlotDocument{
		Job: ref.Job, Slot: ref.Slot, Iteration: ref.Iteration, Adapter: slot.Adapter,
		Status: slot.Status, At: slot.FinishedAt, PassIteration: slot.PassIteration,
	}, Restored: slot.Reason == restoredReason}
	var together int64 // zero: the texts of all calls
	answers, err := t.Queries.SlotTexts(ctx, db.SlotTextsParams{SlotID: slot.Row, Kind: string(ledger.TextAnswer), Call: &together})
	for _, blob := range answers {
		e.Document.RawOutput, err = unpack(blob.Data, blob.Size)
	}
	if err != nil {
		return e, nil, err
	}
	entries, err := slotEntries.All(ctx, t.Queries, sql.Named("slot", slot.Row), sql.Named("until", until), sql.Named("now", until == latest))
	for _, entry := range entries {
		if !entry.Fate.Open() {
			entry.Said = ""
		}
		e.ULIDs, e.Document.Violations = append(e.ULIDs, entry.ULID), append(e.Document.Violations, entry.SlotEntry)
	}
	if err != nil {
		return e, entries, err
	}
	if len(entries) > 0 && e.Document.Status != ledger.SlotError { // a slot has not passed if one of its reports was taken up
		e.Document.Status, e.Document.PassIteration = ledger.SlotFail, 0
	}
	e.Document.Filtered, err = t.filteredOf(ctx, run, slot)
	return e, entries, err
}

// filteredOf returns the filtered reports that the slot's file shows.
func (t *tx) filteredOf(ctx context.Context, run int64, slot slot) ([]ledger.FilteredEntry, error) {
	if slot.Counts.Filtered() == 0 { // else this statement need not be prepared
		return nil, nil
	}
	reports, err := listed(t.leftOut(ctx, run, slot.Row, ledger.MaxFiltered))
	return ledger.FilteredEntries(reports), err
}

// RecordEdits records the edits that an agent made in files, in one transaction. An edit that its
// actor may not make has no effect and is returned as a warning, and so is a dispute of a violation
// that one of the silent adapters reported.
func (l *Store) RecordEdits(ctx context.Context, run string, actor ledger.Actor, edits []ledger.Edit, silent []string) (warnings []string, err error) {
	if len(edits) == 0 {
		return nil, nil
	}
	err = l.writeRun(ctx, "record edits", run, func(t *tx, row runRow) error {
		numbers, err := t.iterationRows(ctx, row.Row)
		if err != nil {
			return err
		}
		read := readFiles{tx: t, run: row.Row, slots: map[ledger.SlotRef]readSlot{}, silent: silent}
		for _, edit := range edits {
			warning, err := t.recordEdit(ctx, read, numbers[edit.Iteration], actor, edit)
			if err != nil {
				return err
			}
			if warning != "" {
				warnings = append(warnings, warning)
			}
		}
		return nil
	})
	return warnings, err
}

// iterationRows maps iteration numbers to rows.
func (t *tx) iterationRows(ctx context.Context, run int64) (map[int]int64, error) {
	rows := map[int]int64{}
	err := iterationsOfRun.Each(ctx, t.Queries, func(i *iteration) { rows[i.Number] = i.Row }, sql.Named("run", run))
	return rows, err
}

func (t *tx) recordEdit(ctx context.Context, read readFiles, iteration int64, actor ledger.Actor, edit ledger.Edit) (warning string, err error) {
	violation, err := t.ViolationRow(ctx, db.ViolationRowParams{Ulid: edit.Violation, RunID: read.run})
	if err != nil {
		return "", err
	}
	for _, e := range append([]ledger.Edit{edit}, edit.Others...) {
		if err := read.note(ctx, e); err != nil {
			return "", err
		}
	}
	now := ledger.Status(violation.Status)
	if edit.Job == "" && edit.Status == now {
		return "", nil
	}
	switch edit.Effect(actor, now, text(violation.Result)) {
	case ledger.EditRefused:
		return fmt.Sprintf("violation %s is %s and cannot be marked %s", violation.ShortID, now, edit.Status), nil
	case ledger.EditWithout:
		return "", nil
	}
	if edit.Status == ledger.StatusDisputed {
		if refused, err := t.refuseDispute(ctx, read.run, violation, read.silent); err != nil || refused != "" {
			return refused, err
		}
	}
	return "", t.changeMark(ctx, read.run, violation, db.InsertEventParams{
		IterationID: iteration, Status: string(edit.Status), Actor: string(actor),
		Result: optional(edit.Result), At: t.at,
	})
}

// readFiles are the files of a run in which edits were found.
type readFiles struct {
	*tx
	run    int64
	slots  map[ledger.SlotRef]readSlot
	silent []string // adapters that cannot answer a dispute
}

// readSlot is a slot, with the position of each violation in its file, by row.
type readSlot struct {
	row       int64
	positions map[int64]int64
}

// slot returns the slot of a file, which is read once for all of its edits.
func (f readFiles) slot(ctx context.Context, ref ledger.SlotRef) (readSlot, error) {
	if slot, known := f.slots[ref]; known {
		return slot, nil
	}
	row, err := f.slotRow(ctx, f.run, ref)
	if err != nil {
		return readSlot{}, err
	}
	entries, err := f.SlotEntriesAsWritten(ctx, row.Row)
	slot := readSlot{row.Row, make(map[int64]int64, len(entries))}
	for _, e := range entries {
		slot.positions[e.ViolationID] = e.Position
	}
	f.slots[ref] = slot
	return slot, err
}

// note records what a file says now, so that it does not count as an edit when the file is read
// again.
func (f readFiles) note(ctx context.Context, edit ledger.Edit) error {
	said := edit
	if edit.Said != nil {
		said = *edit.Said
	}
	violation, err := f.ViolationRow(ctx, db.ViolationRowParams{Ulid: said.Violation, RunID: f.run})
	if err != nil {
		return err
	}
	if edit.Job == "" {
		return f.NoteFinding(ctx, db.NoteFindingParams{Exported: string(said.Status), ViolationID: violation.ID})
	}
	slot, err := f.slot(ctx, ledger.SlotRef{Job: edit.Job, Slot: edit.Slot, Iteration: edit.Iteration})
	if err != nil {
		return err
	}
	return f.changeEntry(ctx, slot.row, slot.positions[violation.ID], string(said.Status), optional(said.Result))
}

// changeEntry records what a slot's file says at a position.
func (t *tx) changeEntry(ctx context.Context, slot, position int64, status string, result *string) error {
	return expectOne(t.ChangeEntry(ctx, db.ChangeEntryParams{Status: status, Result: result, SlotID: slot, Position: position}))
}
