package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// loadedRun is a run while its rows are read.
type loadedRun struct {
	id  string
	row int64 // in the ledger, if it is there
	// What becomes of its rows.
	fate runFate
	// dumped is the run as it was dumped.
	dumped db.DumpRunRow
	// violations are those of the run, by id, as they were dumped.
	violations map[string]db.DumpViolationsRow

	// Rows by what others refer to them by, as far as they were looked for.
	iterations   map[int64]int64
	slots        map[slotPlace]int64
	violationIDs map[string]int64
	reports      map[reportPlace]int64
}

type slotPlace struct {
	iteration int64
	job       string
	slot      int64
}

type reportPlace struct {
	slot     int64 // its row
	position int64
}

type runFate int

const (
	passOver runFate = iota // the rows are read, and nothing is done with them
	addRun                  // the run is not there: every row is added when it is read
	holdRun                 // the run is there: its rows are compared at its end
)

func newLoadedRun(dumped db.DumpRunRow) loadedRun {
	return loadedRun{
		id: dumped.Run, dumped: dumped, violations: map[string]db.DumpViolationsRow{},
		iterations: map[int64]int64{}, slots: map[slotPlace]int64{},
		violationIDs: map[string]int64{}, reports: map[reportPlace]int64{},
	}
}

func (o *loader) beginRun(ctx context.Context, line DumpLine) error {
	if err := o.endRun(ctx); err != nil {
		return err
	}
	return take(ctx, line, func(ctx context.Context, dumped db.DumpRunRow) (err error) {
		o.run = newLoadedRun(dumped)
		o.run.row, err = o.RunID(ctx, dumped.Run)
		if errors.Is(err, sql.ErrNoRows) {
			return o.beginNewRun(ctx)
		}
		if err != nil {
			return err
		}
		here, err := o.DumpRun(ctx, o.run.row)
		if err != nil {
			return err
		}
		// The rows of a closed run of gates do not change any more: where the run is
		// the same, they need not be compared. Others may, and leave the run's own
		// row as it is.
		if here.FinishedAt != nil && ledger.RunKind(here.Kind) == ledger.KindGates && reflect.DeepEqual(here, dumped) {
			o.loaded.Known++
		} else {
			o.run.fate = holdRun
		}
		return nil
	})
}

// beginNewRun adds the run, unless it is open and another one is in its place.
// That one may be of another machine whose worktree has the same path. When either
// has ended, an import adds what was left out, so nothing is lost.
func (o *loader) beginNewRun(ctx context.Context) (err error) {
	dumped := o.run.dumped
	if dumped.FinishedAt == nil {
		open, err := o.OpenRunByPath(ctx, db.OpenRunByPathParams{Worktree: dumped.Worktree, LogDir: dumped.LogDir, Kind: dumped.Kind, Anywhere: 1})
		if err == nil {
			o.loaded.LeftOut = append(o.loaded.LeftOut, LeftOut{
				Run: dumped.Run, Open: open.Ulid,
				Scope: ledger.Scope{Kind: ledger.RunKind(dumped.Kind), Worktree: dumped.Worktree, LogDir: dumped.LogDir},
			})
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	o.run.fate = addRun
	o.loaded.Added++
	o.run.row, err = o.LoadRun(ctx, db.LoadRunParams(dumped))
	return err
}

// endRun decides on a run that is there, and holds what became of the violations
// of one that was added against what was dumped.
func (o *loader) endRun(ctx context.Context) error {
	switch o.run.fate {
	case holdRun:
		defer func() {
			for _, kind := range o.kinds {
				kind.forget()
			}
		}()
		return o.endKnownRun(ctx)
	case addRun:
		rows, err := o.DumpViolations(ctx, o.run.row)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !reflect.DeepEqual(row, o.run.violations[row.Violation]) {
				return fmt.Errorf("the run before this line: the events and reports of violation %s do not lead to what the dump says of it", row.ShortID)
			}
		}
		return o.reconstruct(ctx, o.run.row)
	}
	return nil
}

// rowOfRun takes a row of the run. What it refers to belongs to the same run, so
// that the rows of one run cannot change another.
func (o *loader) rowOfRun(ctx context.Context, line DumpLine) error {
	kind := o.kinds[line.Kind]
	if kind == nil {
		return fmt.Errorf("unknown record %q", line.Kind)
	}
	return kind.take(ctx, line)
}

// belongs refuses a row of another run, or one that refers to another's violation.
func (o *loader) belongs(run string, violation *string) error {
	if o.run.id == "" || run != o.run.id {
		return fmt.Errorf("it is of run %q, and stands among the records of run %q", run, o.run.id)
	}
	if violation == nil || o.run.fate == passOver {
		return nil
	}
	if _, known := o.run.violations[*violation]; !known {
		return fmt.Errorf("the run has no violation %q before this line", *violation)
	}
	return nil
}

// lookUp finds the row that others refer to by a key, at most once.
func lookUp[K comparable](known map[K]int64, key K, find func() (int64, error)) (int64, error) {
	if id, ok := known[key]; ok {
		return id, nil
	}
	id, err := find()
	if err == nil {
		known[key] = id
	}
	return id, err
}

// errNotBefore is what a row refers to that is not there, whatever the ledger is.
var errNotBefore = errors.New("which is not before this line")

// notBefore says what a row refers to where that was looked for in vain.
func notBefore(err error, what string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("it refers to %s, %w", fmt.Sprintf(what, args...), errNotBefore)
	}
	return err
}

func (o *loader) jobID(ctx context.Context, job string) (int64, error) {
	return lookUp(o.jobs, job, func() (int64, error) {
		id, err := o.JobID(ctx, job)
		return id, notBefore(err, "job %q", job)
	})
}

func (o *loader) iterationID(ctx context.Context, number int64) (int64, error) {
	return lookUp(o.run.iterations, number, func() (int64, error) {
		id, err := o.IterationID(ctx, db.IterationIDParams{RunID: o.run.row, Number: number})
		return id, notBefore(err, "iteration %d", number)
	})
}

func (o *loader) slotID(ctx context.Context, iteration int64, job string, index int64) (int64, error) {
	return lookUp(o.run.slots, slotPlace{iteration, job, index}, func() (int64, error) {
		row, err := o.jobID(ctx, job)
		if err != nil {
			return 0, err
		}
		id, err := o.SlotID(ctx, db.SlotIDParams{RunID: o.run.row, Iteration: iteration, JobID: row, ReviewIndex: index})
		return id, notBefore(err, "slot %d of job %q in iteration %d", index, job, iteration)
	})
}

func (o *loader) violationID(ctx context.Context, id string) (int64, error) {
	return lookUp(o.run.violationIDs, id, func() (int64, error) {
		row, err := o.ViolationID(ctx, db.ViolationIDParams{Ulid: id, RunID: o.run.row})
		return row, notBefore(err, "violation %q", id)
	})
}

func (o *loader) reportID(ctx context.Context, slot, position int64) (int64, error) {
	return lookUp(o.run.reports, reportPlace{slot, position}, func() (int64, error) {
		id, err := o.ReportID(ctx, db.ReportIDParams{SlotID: slot, Position: position})
		return id, notBefore(err, "the report at position %d of a slot", position)
	})
}
