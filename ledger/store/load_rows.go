package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
)

// rowKind is one kind of row of a run.
type rowKind interface {
	// take does with a row what the run's fate says.
	take(context.Context, DumpLine) error
	// compare holds the rows that were dumped against those that are there.
	compare(context.Context, *comparison) error
	// forward adds the rows that are missing and changes those that went on.
	forward(context.Context) error
	// same reports whether the rows that are there are those that were dumped.
	same(context.Context) (bool, error)
	// forget lets go of the rows that were held.
	forget()
}

// runRows is a kind of row. Rows that are only ever added, in the order of a dump,
// need no more than what reads and adds them.
type runRows[R any] struct {
	*loader
	// of says which run and violation a row belongs to.
	of func(R) (run string, violation *string)
	// there reads the rows of a run, and add adds one.
	there func(ctx context.Context, run int64) ([]R, error)
	add   func(context.Context, R) error
	// note remembers a row for those that refer to it.
	note func(R)

	// place tells rows apart that are not added in the order of a dump.
	place func(R) any
	// grows reports whether a row can have become the other one, and change makes
	// it so. Without, rows are never changed.
	grows  func(was, is R) bool
	change func(context.Context, R) error
	// shows reports whether a row, which says what a file shows, agrees with the
	// violation.
	shows func(R) bool

	held []R
}

// take implements [rowKind].
func (k *runRows[R]) take(ctx context.Context, line DumpLine) error {
	var row R
	if err := line.Decode(&row, true); err != nil {
		return err
	}
	err := k.belongs(k.of(row))
	if err == nil && k.note != nil {
		k.note(row)
	}
	switch {
	case err != nil:
	case k.run.fate == addRun:
		err = k.add(ctx, row)
	case k.run.fate == holdRun:
		k.held = append(k.held, row)
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", line.Kind, err)
	}
	return nil
}

// rowKindOrder is the order in which a dump has the rows of a run: none refers to
// a later one.
var rowKindOrder = []string{
	"iteration", "gate", "slot", "violation", "report", "event", "slot_entry",
	"slot_blob", "gate_blob", "code_review", "verdict", "finding",
}

// rowKinds says for each kind of row of a run how it is taken.
func (o *loader) rowKinds() map[string]rowKind {
	return map[string]rowKind{
		"iteration": &runRows[db.DumpIterationsRow]{
			loader: o, there: o.DumpIterations, grows: iterationGrows, change: o.forwardIteration,
			of: func(r db.DumpIterationsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpIterationsRow) error {
				return o.LoadIteration(ctx, db.LoadIterationParams(r))
			},
		},
		"gate": &runRows[db.DumpGatesRow]{
			loader: o, there: o.DumpGates, grows: gateGrows, change: o.forwardGate,
			of:  func(r db.DumpGatesRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpGatesRow) error { return o.LoadGate(ctx, db.LoadGateParams(r)) },
		},
		"slot": &runRows[db.DumpSlotsRow]{
			loader: o, there: o.DumpSlots, grows: slotGrows, change: o.forwardSlot,
			of:  func(r db.DumpSlotsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpSlotsRow) error { return o.LoadSlot(ctx, db.LoadSlotParams(r)) },
		},
		"violation": &runRows[db.DumpViolationsRow]{
			loader: o, there: o.DumpViolations, add: o.addViolation, grows: violationGrows, change: o.forwardViolation,
			of:   func(r db.DumpViolationsRow) (string, *string) { return r.Run, nil },
			note: func(r db.DumpViolationsRow) { o.run.violations[r.Violation] = r },
		},
		"report": &runRows[db.DumpReportsRow]{
			loader: o, there: o.DumpReports, add: o.addReport,
			of: func(r db.DumpReportsRow) (string, *string) { return r.Run, r.Violation },
		},
		"event": &runRows[db.DumpEventsRow]{
			loader: o, there: o.DumpEvents, add: o.addEvent,
			of: func(r db.DumpEventsRow) (string, *string) { return r.Run, &r.Violation },
		},
		"slot_entry": &runRows[db.DumpSlotEntriesRow]{
			loader: o, there: o.DumpSlotEntries, add: o.addSlotEntry, place: slotEntryPlace,
			grows: slotEntryGrows, change: o.forwardSlotEntry, shows: o.entryShows,
			of: func(r db.DumpSlotEntriesRow) (string, *string) { return r.Run, &r.Violation },
		},
		"slot_blob": &runRows[db.DumpSlotBlobsRow]{
			loader: o, there: o.DumpSlotBlobs, place: slotBlobPlace,
			of: func(r db.DumpSlotBlobsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpSlotBlobsRow) error {
				return o.LoadSlotBlob(ctx, db.LoadSlotBlobParams(r))
			},
		},
		"gate_blob": &runRows[db.DumpGateBlobsRow]{
			loader: o, there: o.DumpGateBlobs, place: gateBlobPlace,
			of: func(r db.DumpGateBlobsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpGateBlobsRow) error {
				return o.LoadGateBlob(ctx, db.LoadGateBlobParams(r))
			},
		},
		"code_review": &runRows[db.DumpCodeReviewsRow]{
			loader: o, there: o.DumpCodeReviews,
			of: func(r db.DumpCodeReviewsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpCodeReviewsRow) error {
				return o.LoadCodeReview(ctx, db.LoadCodeReviewParams(r))
			},
		},
		"verdict": &runRows[db.DumpVerdictsRow]{
			loader: o, there: o.DumpVerdicts,
			of: func(r db.DumpVerdictsRow) (string, *string) { return r.Run, nil },
			add: func(ctx context.Context, r db.DumpVerdictsRow) error {
				return o.LoadVerdict(ctx, db.LoadVerdictParams(r))
			},
		},
		"finding": &runRows[db.DumpFindingsRow]{
			loader: o, there: o.DumpFindings, grows: findingGrows, change: o.forwardFinding, shows: o.findingShows,
			of: func(r db.DumpFindingsRow) (string, *string) { return r.Run, &r.Violation },
			add: func(ctx context.Context, r db.DumpFindingsRow) error {
				return o.LoadFinding(ctx, db.LoadFindingParams(r))
			},
		},
	}
}

// addViolation adds a violation as it began: its events and reports make the rest.
func (o *loader) addViolation(ctx context.Context, r db.DumpViolationsRow) error {
	job, err := o.jobID(ctx, r.Job)
	if err != nil {
		return err
	}
	id, err := o.LoadViolation(ctx, db.LoadViolationParams{
		Ulid: r.Violation, RunID: o.run.row, JobID: job, FirstSeen: r.FirstSeen, ShortID: r.ShortID, Slot: r.Slot,
		Adapter: r.Adapter, File: r.File, Priority: r.Priority, FirstIteration: r.FirstIteration, LastIteration: r.LastIteration,
		Fingerprint: r.Fingerprint, FingerprintVersion: r.FingerprintVersion, LastSeen: r.LastSeen,
	})
	if db.IsUnique(err) {
		return fmt.Errorf("violation %s has the id of one of another run in the ledger: one of the two was restored from its files when its ledger was lost, so import them into different ledgers, which --db names (%w)", r.ShortID, err)
	}
	o.run.violationIDs[r.Violation] = id
	return err
}

func (o *loader) addReport(ctx context.Context, r db.DumpReportsRow) error {
	slot, err := o.slotID(ctx, r.Iteration, r.Job, r.Slot)
	if err != nil {
		return err
	}
	params := db.InsertReportParams{
		SlotID: slot, Position: r.Position, File: r.File, LineStart: r.LineStart, LineEnd: r.LineEnd, Issue: r.Issue, Fix: r.Fix,
		Title: r.Title, Confidence: r.Confidence, SystemBreaking: r.SystemBreaking, Priority: r.Priority,
		Disposition: r.Disposition, Reason: r.Reason, InFixLines: r.InFixLines,
	}
	if r.Violation != nil {
		violation, err := o.violationID(ctx, *r.Violation)
		if err != nil {
			return err
		}
		params.ViolationID = &violation
	}
	id, err := o.InsertReport(ctx, params)
	o.run.reports[reportPlace{slot, r.Position}] = id
	return err
}

func (o *loader) addEvent(ctx context.Context, r db.DumpEventsRow) error {
	violation, err := o.violationID(ctx, r.Violation)
	if err != nil {
		return err
	}
	iteration, err := o.iterationID(ctx, r.Iteration)
	if err != nil {
		return err
	}
	return o.InsertEvent(ctx, db.InsertEventParams{
		ViolationID: violation, IterationID: iteration, Status: r.Status, Actor: r.Actor, Result: r.Result, Reason: r.Reason, At: r.At,
	})
}

func (o *loader) addSlotEntry(ctx context.Context, r db.DumpSlotEntriesRow) error {
	slot, err := o.slotID(ctx, r.Iteration, r.Job, r.Slot)
	if err != nil {
		return err
	}
	violation, err := o.violationID(ctx, r.Violation)
	if err != nil {
		return err
	}
	reporter, err := o.slotID(ctx, r.ReportIteration, r.ReportJob, r.ReportSlot)
	if err != nil {
		return err
	}
	report, err := o.reportID(ctx, reporter, r.ReportPosition)
	if err != nil {
		return err
	}
	return o.InsertSlotEntry(ctx, db.InsertSlotEntryParams{
		SlotID: slot, Position: r.Position, ViolationID: violation, ReportID: report, Status: r.Status, Result: r.Result,
	})
}
