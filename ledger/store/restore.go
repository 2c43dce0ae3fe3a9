package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// A Restoration is an open run as its files describe it.
type Restoration struct {
	Run ledger.Run
	// Base is the base of its iterations, or "" if it is not known to be a merge base.
	Base string
	// Failed are the iterations up to Last that count for the retry limit; if it is nil, the files
	// show it. Extended is how many more iterations persons have allowed.
	Failed         []int
	Last, Extended int

	Checks []ledger.Gate // in any order; Iteration tells them apart
	Slots  []SlotRecord  // in any order
}

// A SlotRecord is a slot's file in a run that is restored.
type SlotRecord struct {
	EntryPoint string
	Gate       string
	NumReviews int
	// Reviewed is the commit whose tree the slot reviewed, if it is known.
	Reviewed string
	Document ledger.SlotDocument
}

// RestoreRun records a run that is not in the ledger, with everything that its files say, in one
// transaction, and leaves it open. A run that is still open in the same scope is abandoned. Every
// violation in any file is restored. No file verifies a claim, and what is open stays open until
// somebody addresses it.
func (l *Store) RestoreRun(ctx context.Context, restoration Restoration) (ledger.Run, error) {
	run := restoration.Run
	err := l.write(ctx, "restore the run from its files", func(t *tx) (err error) {
		if err := t.abandonOpen(ctx, run, ledger.CauseNewerRun); err != nil {
			return err
		}
		if run, err = t.insertRun(ctx, run); err != nil {
			return err
		}
		row, err := t.runByULID(ctx, run.ID)
		if err != nil {
			return err
		}
		if run.SessionRef != "" {
			if err := expectOne(t.SetSessionRef(ctx, db.SetSessionRefParams{SessionRef: &run.SessionRef, ID: row.Row})); err != nil {
				return err
			}
		}
		r := &restorer{tx: t, run: row.Row, restoration: restoration, violations: map[string]*restored{}}
		if err := r.restore(ctx); err != nil {
			return err
		}
		if restoration.Extended > 0 {
			if err := t.extendRun(ctx, row.Row, restoration.Extended); err != nil {
				return err
			}
		}
		run.Status = ledger.StatusFailed
		return t.moveRun(ctx, row.Row, run.Status, ledger.CauseFinished)
	})
	return run, err
}

// AdoptFiles adds to an open run what the files of later iterations say, because another tool
// continued the loop. What the ledger knows stays: such a file can report a violation again and can
// say what the agent did about it, but it confirms no claim.
func (l *Store) AdoptFiles(ctx context.Context, run string, files Restoration) error {
	return l.write(ctx, "add files to the run", func(t *tx) error {
		row, err := t.runByULID(ctx, run)
		if err != nil {
			return err
		}
		known, err := t.violationsOf(ctx, row.Row)
		if err != nil {
			return err
		}
		r := &restorer{tx: t, run: row.Row, restoration: files, violations: map[string]*restored{}}
		for _, v := range known {
			r.remember(v)
		}
		if err := r.restore(ctx); err != nil {
			return err
		}
		t.touch(row.Row)
		return t.moveRun(ctx, row.Row, ledger.StatusFailed, ledger.CauseFinished)
	})
}

// restored is a violation in a run that is being restored.
type restored struct {
	row, report int64
	slots       []int            // those that reported it
	entry       ledger.SlotEntry // of the latest report
	status      ledger.Status
	// word is what the files of iteration answered say about it.
	word     ledger.Status
	answered int
}

type restorer struct {
	*tx
	run         int64
	restoration Restoration
	// violations are known by their short id within the job, and by their place and issue within
	// the slot.
	violations map[string]*restored
	iteration  int64
	number     int
	gates      map[string]int64
}

func (r *restorer) restore(ctx context.Context) error {
	for _, number := range r.iterations() {
		r.number, r.gates = number, map[string]int64{}
		var err error
		r.iteration, err = r.insertIteration(ctx, r.run, ledger.Iteration{
			Number: number, Mode: ledger.ModeRebuilt, Source: ledger.SourceFiles, Status: r.iterationStatus(number), Base: r.restoration.Base,
		}, &r.at)
		if err != nil {
			return err
		}
		for _, check := range r.restoration.Checks {
			if check.Iteration == number {
				if err := r.restoreGate(ctx, check, 0); err != nil {
					return err
				}
			}
		}
		if err := r.restoreSlots(ctx); err != nil {
			return err
		}
		if err := errors.Join(r.CountIteration(ctx, r.iteration), r.CountAnswers(ctx, r.run)); err != nil {
			return err
		}
	}
	return nil
}

func (r *restorer) iterations() []int {
	var numbers []int
	for _, c := range r.restoration.Checks {
		numbers = append(numbers, c.Iteration)
	}
	for _, s := range r.restoration.Slots {
		numbers = append(numbers, s.Document.Iteration)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// iterationStatus returns failed if the iteration counts for the retry limit, so that this continues
// where it was. If nothing says so, it counts if anything in it failed.
//
// Rule: After the retry limit nothing runs.
func (r *restorer) iterationStatus(number int) ledger.RunStatus {
	status := ledger.StatusInterrupted
	if r.restoration.Failed != nil && number <= r.restoration.Last {
		if slices.Contains(r.restoration.Failed, number) {
			status = ledger.StatusFailed
		}
		return status
	}
	for _, c := range r.restoration.Checks {
		if c.Iteration == number && c.Status == ledger.GateFailed {
			return ledger.StatusFailed
		}
	}
	for _, s := range r.restoration.Slots {
		if s.Document.Iteration == number && restoredStatus(s.Document) == ledger.SlotFail {
			return ledger.StatusFailed
		}
	}
	return status
}

func (r *restorer) restoreGate(ctx context.Context, gate ledger.Gate, numReviews int) error {
	if _, done := r.gates[gate.Job]; done {
		return nil
	}
	job, err := r.jobRow(ctx, gate.Job, gate.Kind, gate.EntryPoint, gate.Name)
	if err != nil {
		return err
	}
	row, err := r.InsertGate(ctx, db.InsertGateParams{
		IterationID: r.iteration, JobID: job, Status: string(gate.Status), Reason: gate.Reason,
		Problems: int64(gate.Problems), NumReviews: number(numReviews),
	})
	if err != nil {
		return err
	}
	r.gates[gate.Job] = row
	return r.noteGate(ctx, r.run, row, gate.Status, ledger.CauseRestored)
}

func (r *restorer) restoreSlots(ctx context.Context) error {
	slots := r.slots()
	for _, files := range slots {
		first := files[0].Document
		if err := r.restoreSlot(ctx, files, gateStatus(slots, first.Job)); err != nil {
			return fmt.Errorf("slot %s@%d of iteration %d: %w", first.Job, first.Slot, r.number, err)
		}
	}
	return nil
}

// slots groups the files of the iteration by slot. A slot has several files if another tool's file
// names distinguish adapters and not slots.
func (r *restorer) slots() [][]SlotRecord {
	var files []SlotRecord
	for _, s := range r.restoration.Slots {
		if s.Document.Iteration == r.number {
			files = append(files, s)
		}
	}
	slices.SortStableFunc(files, func(a, b SlotRecord) int {
		return cmp.Or(cmp.Compare(a.Document.Job, b.Document.Job), cmp.Compare(a.Document.Slot, b.Document.Slot))
	})
	var slots [][]SlotRecord
	for i, file := range files {
		if i > 0 && files[i-1].Document.Job == file.Document.Job && files[i-1].Document.Slot == file.Document.Slot {
			slots[len(slots)-1] = append(slots[len(slots)-1], file)
		} else {
			slots = append(slots, []SlotRecord{file})
		}
	}
	return slots
}

// gateStatus derives the status of a review gate from the files of its slots. A slot without a file
// gave no answer, so the gate did not finish.
func gateStatus(slots [][]SlotRecord, job string) ledger.GateStatus {
	var of []ledger.Slot
	wanted := 0
	for _, files := range slots {
		if files[0].Document.Job == job {
			of = append(of, ledger.Slot{Status: slotsStatus(files)})
			wanted = files[0].NumReviews
		}
	}
	status := ledger.GateResult(of)
	if len(of) < wanted && status != ledger.GateError {
		return ledger.GateInterrupted
	}
	return status
}

// slotsStatus returns the worst status that any of the slot's files proves.
func slotsStatus(files []SlotRecord) ledger.SlotStatus {
	status := ledger.SlotSkipped
	for _, worse := range []ledger.SlotStatus{ledger.SlotPass, ledger.SlotFail, ledger.SlotError} {
		if slices.ContainsFunc(files, func(f SlotRecord) bool { return restoredStatus(f.Document) == worse }) {
			status = worse
		}
	}
	return status
}

// restoredStatus returns the status that a file proves. One that lists violations has not passed,
// whatever it says. One that says "fail" and lists none, or that says it was skipped but not when it
// passed, proves nothing.
func restoredStatus(document ledger.SlotDocument) ledger.SlotStatus {
	switch {
	case document.Status == ledger.SlotError:
		return ledger.SlotError
	case len(document.Violations) > 0:
		return ledger.SlotFail
	case document.Status == ledger.SlotPass, document.Status == ledger.SlotSkipped && document.PassIteration > 0:
		return document.Status
	}
	return ledger.SlotError
}
