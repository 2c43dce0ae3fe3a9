package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// History reads the history of the violation with this id, or unique prefix of
// one. It returns ledger.ErrNotFound or ledger.ErrAmbiguous.
func (l *Store) History(ctx context.Context, id string) (h ledger.History, err error) {
	err = l.read(ctx, fmt.Sprintf("read the history of violation %q", id), func(t *tx) error {
		row, err := t.violationByPrefix(ctx, id)
		if err != nil {
			return err
		}
		h, err = t.history(ctx, row)
		return err
	})
	return h, err
}

func (t *tx) history(ctx context.Context, row int64) (h ledger.History, err error) {
	found, err := t.details(ctx, []int64{row})
	if err != nil {
		return h, err
	}
	if len(found) != 1 {
		return h, ledger.ErrNotFound
	}
	h.Violation = found[0]
	skips, err := t.skipsOf(ctx, found)
	if err != nil {
		return h, err
	}
	if len(skips) > 0 {
		h.Skip = &skips[0]
	}
	events, err := t.EventsOfViolation(ctx, row)
	if err != nil {
		return h, err
	}
	for _, e := range events {
		h.Events = append(h.Events, ledger.Event{
			Violation: found[0].ID, Iteration: int(e.Iteration), Number: int(e.Event.Number), Status: ledger.Status(e.Event.Status),
			Actor: ledger.Actor(e.Event.Actor), Result: text(e.Event.Result), Reason: text(e.Event.Reason), At: time.Time(e.Event.At),
		})
	}
	if err := t.addHunks(ctx, row, h.Events); err != nil {
		return h, err
	}
	excerpts, err := t.excerpts(ctx, row)
	if err != nil {
		return h, err
	}
	var ids []int64
	reports, err := t.ReportsOfViolation(ctx, &row)
	if err != nil {
		return h, err
	}
	for _, r := range reports {
		v := h.Violation
		report := ledger.ListedReport{
			Report: reportFrom(r.Report), Run: v.Run, Job: v.Job, EntryPoint: v.EntryPoint, Gate: v.Gate,
			At: moment(r.FinishedAt), ShortID: v.ShortID,
		}
		report.Iteration, report.Slot, report.Adapter = int(r.Iteration), int(r.ReviewIndex), r.Adapter
		report.Violation = v.ID
		if x := excerpts[r.Report.ID]; x.First > 0 {
			report.Excerpt = x
		}
		h.Reports = append(h.Reports, report)
		ids = append(ids, r.Report.ID)
	}
	return h, t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &h.Reports[i].Report.Also })
}

// excerpts are the code at the places of a violation's reports, by row.
func (t *tx) excerpts(ctx context.Context, violation int64) (map[int64]ledger.Excerpt, error) {
	rows, err := t.ExcerptsOfViolation(ctx, &violation)
	if err != nil {
		return nil, err
	}
	excerpts := map[int64]ledger.Excerpt{}
	for _, row := range rows {
		code, err := unpack(row.Data, row.Size)
		if err != nil {
			return nil, err
		}
		excerpts[row.ReportID] = ledger.Excerpt{First: int(row.FirstLine), Text: someLines(code, row.Skip, row.Lines)}
	}
	return excerpts, nil
}

// Excerpts are the code at the places of the latest reports of violations, by ULID, where
// that was kept.
func (l *Store) Excerpts(ctx context.Context, found []ledger.ListedViolation) (excerpts map[string]ledger.Excerpt, err error) {
	excerpts = map[string]ledger.Excerpt{}
	ids := make([]string, 0, len(found))
	for _, v := range found {
		ids = append(ids, v.ID)
	}
	list, err := asJSON(ids)
	if err != nil {
		return nil, err
	}
	err = l.read(ctx, "read excerpts", func(t *tx) error {
		rows, err := t.ExcerptsOfViolations(ctx, list)
		if err != nil {
			return err
		}
		for _, row := range rows {
			code, err := unpack(row.Data, row.Size)
			if err != nil {
				return err
			}
			excerpts[row.Ulid] = ledger.Excerpt{First: int(row.FirstLine), Text: someLines(code, row.Skip, row.Lines)}
		}
		return nil
	})
	return excerpts, err
}

// addHunks gives the events what was changed around the places of their claims.
func (t *tx) addHunks(ctx context.Context, violation int64, events []ledger.Event) error {
	rows, err := t.HunksOfViolation(ctx, violation)
	if err != nil {
		return err
	}
	for _, row := range rows {
		hunks, err := unpack(row.Data, row.Size)
		if err != nil {
			return err
		}
		for i := range events {
			if events[i].Number == int(row.Number) {
				events[i].Hunks = hunks
			}
		}
	}
	return nil
}

func reportFrom(r db.Report) ledger.Report {
	return ledger.Report{
		Position: int(r.Position), Place: ledger.Place{File: r.File, Start: int(r.LineStart), End: int(r.LineEnd)},
		Issue: r.Issue, Fix: r.Fix, Priority: ledger.Priority(r.Priority), Disposition: ledger.Disposition(r.Disposition),
		Reason: r.Reason, InFixLines: r.InFixLines != 0, LineHash: text(r.LineHash), SameAs: text(r.SameAs), ID: text(r.ShortID),
	}
}

// Discarded lists reports that are not violations, newest first. They have no status
// that could change, so both periods of the filter are about when they were made. Of the
// rest, what describes violations alone does not matter. A cursor that is not of such a
// list is [ledger.ErrCursor].
func (l *Store) Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.ListedReport, error) {
	return lists.Collect(l.EachDiscarded(ctx, f, dispositions))
}

// EachDiscarded yields what Discarded lists, as EachViolation does.
func (l *Store) EachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.ListedReport, error] {
	return lists.First(reading(ctx, l, "list discarded reports", func(t *tx) iter.Seq2[ledger.ListedReport, error] {
		return t.eachDiscarded(ctx, f, dispositions)
	}), f.Limit)
}

// eachDiscarded yields the reports batch by batch. Files, iterations and slots are matched
// here.
func (t *tx) eachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.ListedReport, error] {
	return func(yield func(ledger.ListedReport, error) bool) {
		p, err := t.discards(ctx, f, dispositions)
		if err != nil {
			yield(ledger.ListedReport{}, err)
			return
		}
		for more := true; more; {
			var batch []ledger.ListedReport
			if batch, more, err = t.nextDiscards(ctx, f, &p); err != nil {
				yield(ledger.ListedReport{}, err)
				return
			}
			for _, d := range batch {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// discards are the parameters of the first batch.
func (t *tx) discards(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (db.DiscardedReportsParams, error) {
	at := lists.MadeIn(f)
	p := db.DiscardedReportsParams{
		Since: since(at), Until: until(at), Last: until(at), Run: f.Run, Dispositions: jsonList(dispositions),
		Priorities: jsonList(f.Priorities), Gate: f.Gate, EntryPoint: f.EntryPoint, Adapter: f.Adapter,
		Model: f.Model, Branch: f.Branch, Worktree: f.Worktree, AtMost: listBatch,
	}
	if f.Limit > 0 && f.Limit < listBatch && f.File == "" && f.Iteration == 0 && f.Slot == 0 {
		p.AtMost = int64(f.Limit)
	}
	after, err := lists.ReadKey(f.After, func(k discardKey) bool { return k.Slot > 0 })
	if err == nil && after != nil && after.At < p.Last {
		p.Last, p.LastSlot, p.LastPosition = after.At, after.Slot, after.Position
	}
	if err == nil {
		p.Repositories, err = t.repositoriesOf(ctx, f.Repository)
	}
	return p, err
}

// nextDiscards reads the next batch, of which it returns what the filter keeps, and whether
// there may be more.
func (t *tx) nextDiscards(ctx context.Context, f ledger.ViolationFilter, p *db.DiscardedReportsParams) (found []ledger.ListedReport, more bool, err error) {
	rows, err := t.DiscardedReports(ctx, *p)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	var ids []int64
	for _, row := range rows {
		d := discardFrom(db.DiscardedReportsByIDRow(row))
		p.Last, p.LastSlot, p.LastPosition = db.Time(d.At).Text(), row.Report.SlotID, row.Report.Position
		d.Cursor = lists.Opaque(discardKey{At: p.Last, Slot: p.LastSlot, Position: p.LastPosition})
		if lists.KeepsDiscard(f, d) {
			found, ids = append(found, d), append(ids, row.Report.ID)
		}
	}
	return found, int64(len(rows)) == p.AtMost, t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &found[i].Report.Also })
}

func discardFrom(row db.DiscardedReportsByIDRow) ledger.ListedReport {
	d := ledger.ListedReport{
		Report: reportFrom(row.Report), Run: row.Run, Job: row.Job, EntryPoint: row.EntryPoint, Gate: row.Name,
		At: moment(row.EndedAt), ShortID: cmp.Or(text(row.ShortID), text(row.MetShortID)),
	}
	d.Iteration, d.Slot, d.Adapter = int(row.Iteration), int(row.ReviewIndex), row.Adapter
	return d
}

// SlotReports are the reports of one slot, in the order of its answer, with the
// short ids of their violations in Violation.
func (l *Store) SlotReports(ctx context.Context, run string, ref ledger.SlotRef) (reports []ledger.Report, err error) {
	err = l.read(ctx, "read the slot's reports", func(t *tx) error {
		_, slot, err := t.slotOf(ctx, run, ref)
		if err != nil {
			return err
		}
		var ids []int64
		rows, err := t.ReportsOfSlot(ctx, slot.ID)
		for _, r := range rows {
			report := reportFrom(r.Report)
			report.Iteration, report.Slot, report.Adapter, report.Violation = ref.Iteration, ref.Slot, slot.Adapter, text(r.ShortID)
			reports, ids = append(reports, report), append(ids, r.Report.ID)
		}
		if err != nil {
			return err
		}
		return t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &reports[i].Also })
	})
	return reports, err
}
