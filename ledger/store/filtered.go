package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// leftOut returns the filtered reports of the run that nobody took up, the most important first.
func (t *tx) leftOut(ctx context.Context, run int64, id string) (found []ledger.Report, err error) {
	rows, err := t.FilteredReports(ctx, db.FilteredReportsParams{RunID: run, AtMost: -1})
	for _, row := range rows {
		found = append(found, filteredFrom(id, row))
	}
	return found, err
}

func filteredFrom(run string, row db.FilteredReportsRow) ledger.Report {
	r := reportFrom(row.Report)
	r.Run, r.Job, r.EntryPoint, r.Gate, r.At = run, row.Job, row.EntryPoint, row.Name, moment(row.EndedAt)
	r.Iteration, r.Slot, r.Adapter = int(row.Iteration), int(row.ReviewIndex), row.Adapter
	return r
}

// FindReport finds the discarded report with this short id, unique prefix of one, or address
// (RUN/ITERATION/JOB@INDEX#POSITION). If it was taken up, it has its violation. The error is
// [ledger.ErrNotFound] or [ledger.ErrAmbiguous].
func (l *Store) FindReport(ctx context.Context, id string) (found ledger.Report, err error) {
	if a, position, ok := ledger.ParseReportAddress(id); ok {
		if id, err = l.reportAt(ctx, a, position); err != nil {
			return found, err
		}
	}
	err = l.read(ctx, fmt.Sprintf("find report %q", id), func(t *tx) error {
		row, err := t.reportByPrefix(ctx, strings.ToLower(id))
		if err != nil {
			return err
		}
		rows, err := t.discardRows(ctx, []int64{row})
		if err != nil {
			return err
		}
		found = discardFrom(rows[0])
		found.Violation = text(rows[0].Ulid)
		return t.addPlaces(ctx, []int64{row}, func(int) *[]ledger.Place { return &found.Also })
	})
	return found, err
}

// reportAt returns the short id of the report at the address.
func (l *Store) reportAt(ctx context.Context, a ledger.Address, position int) (string, error) {
	run, err := l.FindRunByPrefix(ctx, a.Run)
	if err != nil {
		return "", err
	}
	reports, err := l.SlotReports(ctx, run.ID, ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: a.Iteration})
	for _, r := range reports {
		if r.Position == position {
			return r.ID, err
		}
	}
	return "", err
}

func (t *tx) reportByPrefix(ctx context.Context, prefix string) (int64, error) {
	if prefix == "" {
		return 0, &ledger.IDError{Kind: "report", ID: prefix}
	}
	rows, err := t.ReportsWithPrefix(ctx, db.ReportsWithPrefixParams{First: prefix, Last: lists.PrefixEnd(prefix)})
	switch {
	case err != nil:
		return 0, err
	case len(rows) == 0:
		return 0, &ledger.IDError{Kind: "report", ID: prefix}
	case len(rows) == 1 || text(rows[0].ShortID) == prefix:
		return rows[0].ID, nil
	}
	return 0, &ledger.IDError{Kind: "report", ID: prefix, Matches: []string{text(rows[0].ShortID), text(rows[1].ShortID)}}
}

// takeUp makes the report with this short id a violation, on behalf of actor, and returns it with
// the slot whose latest file now lists it.
//
// Rule: What is filtered is counted and kept.
func (t *tx) takeUp(ctx context.Context, run int64, state *ledger.State, id string, actor ledger.Actor) (taken ledger.ListedViolation, listed []ledger.SlotRef, err error) {
	report, err := t.reportByPrefix(ctx, id)
	if err != nil {
		return taken, nil, err
	}
	rows, err := t.FilteredReports(ctx, db.FilteredReportsParams{RunID: run, AtMost: -1})
	if err != nil {
		return taken, nil, err
	}
	for _, row := range rows {
		if row.Report.ID != report {
			continue
		}
		violation, err := t.insertTaken(ctx, run, row)
		if err != nil {
			return taken, nil, err
		}
		if listed, err = t.listTaken(ctx, run, state, row, violation); err != nil {
			return taken, nil, err
		}
		answers := row.Iteration
		for _, ref := range listed {
			answers = max(answers, int64(ref.Iteration))
		}
		iterations, err := t.iterationRows(ctx, run)
		if err != nil {
			return taken, nil, err
		}
		reason := ledger.ReasonTakenUp
		if err := t.InsertEvent(ctx, db.Event{
			ViolationID: violation, IterationID: iterations[int(answers)], Status: string(ledger.StatusNew), Actor: string(actor),
			Reason: &reason, At: t.at,
		}); err != nil {
			return taken, nil, err
		}
		t.answered = true
		found, err := t.details(ctx, []int64{violation})
		if err != nil {
			return taken, nil, err
		}
		return found[0], listed, nil
	}
	return taken, nil, fmt.Errorf("report %s was taken up already: %w", id, ErrConflict)
}

// insertTaken inserts the violation that shows the report.
func (t *tx) insertTaken(ctx context.Context, run int64, row db.FilteredReportsRow) (int64, error) {
	ulid, err := t.newULID()
	if err != nil {
		return 0, err
	}
	job, err := t.JobID(ctx, row.Job)
	if err != nil {
		return 0, err
	}
	r := row.Report
	var list jsonRows
	list.add(ulid, text(r.ShortID), r.File, r.Priority, r.Fingerprint, (*string)(nil), r.InFixLines, int64(0))
	violation, err := t.InsertViolations(ctx, db.InsertViolationsParams{
		RunID: run, JobID: job, Slot: row.ReviewIndex, Adapter: row.Adapter, Iteration: row.Iteration, At: t.at,
		Violations: list.String(),
	})
	if err != nil {
		return 0, err
	}
	if err := expectOne(t.TakeUpReport(ctx, db.TakeUpReportParams{ViolationID: &violation, ID: r.ID})); err != nil {
		return 0, err
	}
	return violation, t.showReportsBetween(ctx, r.ID, r.ID)
}

// listTaken lists the violation in the latest file of its slot, and returns the slot.
func (t *tx) listTaken(ctx context.Context, run int64, state *ledger.State, row db.FilteredReportsRow, violation int64) (listed []ledger.SlotRef, err error) {
	ref := ledger.SlotRef{Job: row.Job, Slot: int(row.ReviewIndex), Iteration: int(row.Iteration)} // also if the slot is in error: then it gets a file
	if listing := state.LatestDocument(row.Job, int(row.ReviewIndex)); listing != nil {
		ref = listing.Ref()
	}
	slot, err := t.slotRow(ctx, run, ref)
	if err != nil {
		return nil, err
	}
	entries, err := t.SlotEntriesAsWritten(ctx, slot.ID)
	if err != nil {
		return nil, err
	}
	position := int64(1)
	if n := len(entries); n > 0 {
		position = entries[n-1].Position + 1
	}
	var list jsonRows
	list.add(violation, row.Report.ID, string(ledger.StatusNew), (*string)(nil))
	return []ledger.SlotRef{ref}, t.InsertSlotEntries(ctx, db.InsertSlotEntriesParams{SlotID: slot.ID, First: position, Entries: list.String()})
}
