package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// details returns the violations with these rows, in the order of the list.
func (t *tx) details(ctx context.Context, ids []int64) ([]ledger.ListedViolation, error) {
	list := asJSON(ids)
	found, reports := make([]ledger.ListedViolation, len(ids)), make([]int64, len(ids))
	err := t.EachViolationDetails(ctx, list, func(row *db.ViolationDetailsRow) {
		found[row.Place], reports[row.Place] = listedFrom(row), *row.ReportID
	})
	if err != nil {
		return nil, err
	}
	reporters, err := t.ReportersOfViolations(ctx, list)
	for _, r := range reporters {
		v := &found[r.Place]
		v.MoreSlots = append(v.MoreSlots, int(r.Slot))
	}
	if err != nil {
		return nil, err
	}
	gone, err := t.GoneWordsOf(ctx, list)
	for _, w := range gone {
		found[w.Place].Gone = lists.Gone(w.Words)
	}
	if err != nil {
		return nil, err
	}
	err = t.addPlaces(ctx, reports, func(i int) *[]ledger.Place {
		if v := &found[i]; v.Reported == nil {
			return &v.Also
		}
		return new([]ledger.Place) // its lines are not at the places of the report
	})
	return found, err
}

func listedFrom(row *db.ViolationDetailsRow) ledger.ListedViolation {
	return ledger.ListedViolation{
		Violation: violationFrom(violationRow{
			Violation: db.Violation{
				Ulid: row.Ulid, ShortID: row.ShortID, Slot: row.Slot, Adapter: row.Adapter, Priority: row.Priority,
				Status: row.Status, Result: row.Result, Reason: row.Reason, DuplicateOf: row.DuplicateOf,
				FirstIteration: row.FirstIteration, LastIteration: row.LastIteration, AnsweredIteration: row.AnsweredIteration,
				SeenBefore: row.SeenBefore, Moved: row.Moved, Related: row.Related,
				FirstSeen: row.FirstSeen, LastSeen: row.LastSeen, StatusAt: row.StatusAt,
			},
			Job: row.Job, ReportedFile: row.ReportedFile, LineStart: row.LineStart, LineEnd: row.LineEnd, Issue: row.Issue, Fix: row.Fix, Evidence: row.Evidence,
		}),
		Run: row.Run, RunStatus: ledger.RunStatus(row.RunStatus), RunOpen: row.RunOpen, Worktree: row.Worktree,
		EntryPoint: row.EntryPoint, Gate: row.Name, Fingerprint: text(row.Fingerprint),
		Recurring: row.Recurring, Shared: row.Shared != 0, InFixLines: row.InFixLines != 0, StatusBy: ledger.Actor(row.Actor),
	}
}
