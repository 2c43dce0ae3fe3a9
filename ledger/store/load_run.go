package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// errNotSo means that the rows that were written differ from the record.
var errNotSo = errors.New("what was written is not what the record says")

// runWriter writes the rows of one run.
type runWriter struct {
	*loader
	*runRows
}

// addRun adds a run with all its rows.
func (o *loader) addRun(ctx context.Context, r *exchange.Run) error {
	if err := r.Sound(); err != nil {
		return err
	}
	if _, err := o.repositoryOf(ctx, r.Head); err != nil {
		return err
	}
	result, err := o.writeRow(ctx, addStatement("add", r.Head.Table), r.Head.Begun(), nil)
	if err != nil {
		return named("run", err)
	}
	head := r.Head
	if head.ID, err = result.LastInsertId(); err != nil {
		return err
	}
	if err := o.ExecRecord(ctx, "note import", head.ID); err != nil {
		return err
	}
	w := &runWriter{o, newRunRows(head)}
	for _, write := range []func() error{
		func() error { return w.add(ctx, r) },
		func() error { return w.change(ctx, head) }, // the transitions have set its status
		func() error { return w.ShareViolations(ctx, head.ID) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	unlike, err := w.changeUnlike(ctx, r)
	if err == nil && len(unlike) > 0 {
		unlike, err = w.changeUnlike(ctx, r)
	}
	if err == nil && len(unlike) > 0 {
		err = fmt.Errorf("the events and reports of violation %s do not lead to what the dump says of it", unlike[0].Text("short_id"))
	}
	return err
}

// bringForward updates the run to its later record.
func (o *loader) bringForward(ctx context.Context, here, later *exchange.Run, rows *runRows) error {
	w := &runWriter{o, rows}
	added, changed := exchange.Missing(here, later)
	head := later.Head.With("revision", max(here.Head.Number("revision")+1, later.Head.Number("revision")))
	for _, write := range []func() error{
		func() error { return w.change(ctx, head.Begun()) },
		func() error { return w.add(ctx, added) },
		func() error { return changed.Each(func(row exchange.Row) error { return w.change(ctx, row) }) },
		func() error { return w.takeUp(ctx, changed.Rows["report"]) },
		func() error { return w.change(ctx, head) },
		func() error { return w.ShareViolations(ctx, here.Head.ID) },
		func() error { _, err := w.changeUnlike(ctx, later); return err },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	is, _, err := o.recordOf(ctx, here.Head.ID)
	if err != nil {
		return err
	}
	if is.Head = is.Head.With("revision", later.Head.Value("revision")); exchange.Compare(is, later) != exchange.Same {
		return errNotSo
	}
	return nil
}

// add adds the rows of the record as they began. Transitions set each status in turn; what does not
// follow from them is set last.
func (w *runWriter) add(ctx context.Context, r *exchange.Run) error {
	err := r.Each(func(row exchange.Row) error {
		if row.Kind == "event" { // all reports come before the events
			if err := w.showReports(ctx); err != nil {
				return err
			}
		}
		result, err := w.writeRow(ctx, addStatement("add", row.Table), row.Begun(), w.runRows)
		if err == nil && row.Table.ID {
			row.ID, err = result.LastInsertId()
			w.runRows.add(row)
		}
		if row.Kind == "report" {
			w.noteReport(row.ID)
		}
		return w.named(row, err)
	})
	if err == nil {
		err = w.showReports(ctx)
	}
	for _, kind := range []string{"iteration", "gate", "slot"} {
		for i := 0; i < len(r.Rows[kind]) && err == nil; i++ {
			err = w.change(ctx, r.Rows[kind][i])
		}
	}
	return err
}

// change updates a row to the record.
func (w *runWriter) change(ctx context.Context, row exchange.Row) error {
	if !row.Grows() {
		return nil
	}
	_, err := w.writeRow(ctx, changeStatement(row.Table), row, w.runRows)
	return w.named(row, err)
}

// named adds to an error which row of the record it is about.
func (w *runWriter) named(row exchange.Row, err error) error {
	switch {
	case err == nil:
		return nil
	case row.Kind == "violation" && db.IsUnique(err):
		return fmt.Errorf("violation %s has the id of one of another run in the ledger: one of the two was restored from its files when its ledger was lost, so import them into different ledgers (%w)", row.Text("short_id"), err)
	case row.Line > 0:
		return fmt.Errorf("line %d: record %s: %w", row.Line, row.Kind, err)
	}
	return named(row.Kind, err)
}

// changeUnlike changes the violations that differ from the record, as far as they may, and returns what
// the record says of them. Their events and reports have set most of it. A priority may have fallen while
// a violation was not open, which adding all reports before all events does not reproduce, or a
// duplicate may have raised it.
func (w *runWriter) changeUnlike(ctx context.Context, r *exchange.Run) (unlike []exchange.Row, err error) {
	said := map[exchange.Place]exchange.Row{}
	for _, v := range r.Rows["violation"] {
		said[v.At()] = v
	}
	are, err := w.readRows(ctx, exchange.TableOf("violation"), "rows of run", w.runRows, w.ids[r.Head.At()])
	for _, is := range are {
		if v := said[is.At()]; !is.Equal(v) {
			unlike = append(unlike, v)
			err = errors.Join(err, w.change(ctx, v))
		}
	}
	return unlike, err
}

// takeUp links reports that were taken up with their violations.
func (w *runWriter) takeUp(ctx context.Context, reports []exchange.Row) error {
	for _, r := range reports {
		row := w.ids[r.At()]
		if err := w.showReportsBetween(ctx, row, row); err != nil {
			return err
		}
	}
	return nil
}

// repositoryOf returns the row of the repository of a run, and creates it if there is none.
func (t *tx) repositoryOf(ctx context.Context, row exchange.Row) (int64, error) {
	r := ledger.Repository{Kind: ledger.RepositoryKind(row.Text("repository_kind")), Key: row.Text("repository")}
	if r.Kind == ledger.RepositoryUnknown {
		return unknownRepository, nil
	}
	if err := t.EnsureRepository(ctx, db.EnsureRepositoryParams{Kind: string(r.Kind), Key: r.Key}); err != nil {
		return 0, fmt.Errorf("repository %q: %w", r.Kind, err)
	}
	return t.knownRepository(ctx, r)
}
