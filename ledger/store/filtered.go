package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// leftOut returns the filtered reports that nobody took up of the run, or of a slot of it, the most
// important first. At most so many are read, or all if that is 0.
func (t *tx) leftOut(ctx context.Context, run, slot int64, most int) ([]report, error) {
	return filteredReports.All(ctx, t.Queries, sql.Named("run", run), sql.Named("slot", slot), sql.Named("at_most", atMost(most)))
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
		discarded, err := discardedReport.One(ctx, t.Queries, sql.Named("row", row))
		found = discarded.Report
		return err
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
	named, err := t.reportByPrefix(ctx, id)
	if err != nil {
		return taken, nil, err
	}
	rows, err := t.leftOut(ctx, run, 0, 0)
	if err != nil {
		return taken, nil, err
	}
	for _, row := range rows {
		if row.Row != named {
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
			answers = max(answers, ref.Iteration)
		}
		iterations, err := t.iterationRows(ctx, run)
		if err != nil {
			return taken, nil, err
		}
		reason := ledger.ReasonTakenUp
		if err := t.InsertEvent(ctx, db.InsertEventParams{
			ViolationID: violation, IterationID: iterations[answers], Status: string(ledger.StatusNew), Actor: string(actor),
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
func (t *tx) insertTaken(ctx context.Context, run int64, r report) (int64, error) {
	ulid, err := t.newULID()
	if err != nil {
		return 0, err
	}
	job, err := t.JobID(ctx, r.Job)
	if err != nil {
		return 0, err
	}
	violation, err := t.InsertViolation(ctx, db.InsertViolationParams{
		Ulid: ulid, ShortID: r.ID, RunID: run, JobID: job, Slot: int64(r.Slot), Adapter: r.Adapter, File: r.Place.File, Priority: string(r.Priority),
		Iteration: int64(r.Iteration), Fingerprint: r.Fingerprint, At: t.at, InFixLines: boolean(r.InFixLines),
	})
	if err != nil {
		return 0, err
	}
	if err := expectOne(t.TakeUpReport(ctx, db.TakeUpReportParams{ViolationID: &violation, ID: r.Row})); err != nil {
		return 0, err
	}
	return violation, t.showReportsBetween(ctx, r.Row, r.Row)
}

// listTaken lists the violation in the latest file of its slot, and returns the slot.
func (t *tx) listTaken(ctx context.Context, run int64, state *ledger.State, r report, violation int64) (listed []ledger.SlotRef, err error) {
	ref := ledger.SlotRef{Job: r.Job, Slot: r.Slot, Iteration: r.Iteration} // also if the slot is in error: then it gets a file
	if listing := state.LatestDocument(r.Job, r.Slot); listing != nil {
		ref = listing.Ref()
	}
	slot, err := t.slotRow(ctx, run, ref)
	if err != nil {
		return nil, err
	}
	entries, err := t.SlotEntriesAsWritten(ctx, slot.Row)
	if err != nil {
		return nil, err
	}
	position := int64(1)
	if n := len(entries); n > 0 {
		position = entries[n-1].Position + 1
	}
	return []ledger.SlotRef{ref}, t.InsertSlotEntry(ctx, db.InsertSlotEntryParams{
		SlotID: slot.Row, Position: position, ViolationID: violation, ReportID: r.Row, Status: string(ledger.StatusNew),
	})
}
