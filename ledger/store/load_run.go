package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// errNotSo means that the rows that were written differ from the record.
var errNotSo = errors.New("what was written is not what the record says")

// runWriter writes the rows of one run.
type runWriter struct {
	*loader
	run int64
	// rows are the rows that others may refer to.
	rows map[exchange.Place]int64
	// refers are the rows that the row being written refers to, by kind.
	refers map[string]int64
}

// addRun adds a run with all its rows.
func (o *loader) addRun(ctx context.Context, r *exchange.Run) error {
	if err := r.Sound(); err != nil {
		return err
	}
	repository, err := o.repositoryOf(ctx, r.Head.RepositoryKind, r.Head.Repository)
	if err != nil {
		return err
	}
	result, err := o.WriteRecord(ctx, "add run", r.Head, map[string]int64{"repository": repository})
	if err != nil {
		return named("run", err)
	}
	w := &runWriter{loader: o, rows: maps.Clone(o.jobs), refers: map[string]int64{}}
	if w.run, err = result.LastInsertId(); err != nil {
		return err
	}
	if err := w.add(ctx, r); err != nil {
		return err
	}
	if err := w.head(ctx, "end", r); err != nil {
		return err
	}
	if err := w.shareProblems(ctx, w.run, joins(r)...); err != nil {
		return err
	}
	var violations []exchange.Violation
	err = o.ReadRecord(ctx, "read violation", &violations, w.run)
	for i, v := range violations {
		if !reflect.DeepEqual(v, r.Violations[i]) {
			return fmt.Errorf("the events and reports of violation %s do not lead to what the dump says of it", v.ShortID)
		}
	}
	return err
}

// bringForward updates the run to its later record.
func (o *loader) bringForward(ctx context.Context, run int64, here, later *exchange.Run) error {
	w := &runWriter{loader: o, run: run, rows: maps.Clone(o.jobs), refers: map[string]int64{}}
	added, changed := exchange.Missing(here, later)
	for _, write := range []func() error{
		func() error { return w.findRows(ctx, here) },
		func() error { return w.head(ctx, "change", later) },
		func() error { return w.add(ctx, added) },
		func() error { return w.change(ctx, changed) },
		func() error { return w.takeUp(ctx, changed.Reports, later) },
		func() error { return w.head(ctx, "end", later) },
		func() error { return w.shareProblems(ctx, w.run, append(joins(here), joins(later)...)...) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	is, err := o.recordOf(ctx, run)
	if err != nil {
		return err
	}
	if is.Head.Revision = later.Head.Revision; exchange.Compare(is, later) != exchange.Same {
		return errNotSo
	}
	return nil
}

func (w *runWriter) head(ctx context.Context, verb string, r *exchange.Run) error {
	result, err := w.WriteRecord(ctx, verb+" run", r.Head, map[string]int64{"run": w.run})
	if err != nil {
		return named("run", err)
	}
	return expectOne(result.RowsAffected())
}

// joins returns the short ids of the duplicates in the record and of their originals.
func joins(r *exchange.Run) (ids []string) {
	for i := range r.Violations {
		if v := &r.Violations[i]; ledger.Status(v.Status) == ledger.StatusDuplicate {
			ids = append(ids, v.ShortID, text(v.Result))
		}
	}
	return ids
}

// add adds the rows of the record.
func (w *runWriter) add(ctx context.Context, r *exchange.Run) error {
	err := r.Each(func(row exchange.Row) error {
		if row.At.Kind == "event" { // all reports come before the events
			if err := w.showReports(ctx); err != nil {
				return err
			}
		}
		result, err := w.write(ctx, "add", row)
		if err == nil && row.Needed {
			w.rows[row.At], err = result.LastInsertId()
		}
		if err == nil && row.At.Kind == "report" {
			w.reports(w.rows[row.At], false)
		}
		return err
	})
	if err == nil {
		err = w.showReports(ctx)
	}
	if err != nil {
		return err
	}
	// The transitions set each status in turn. What does not follow from them is set last.
	return w.change(ctx, &exchange.Run{Iterations: r.Iterations, Gates: r.Gates, Slots: r.Slots, Violations: fallen(r)})
}

// fallen lists the violations of the record that differ from what their reports alone produce: their
// lines have moved, or their priority is not the highest of their reports. Either the priority fell
// while they were not open, which adding all reports before all events does not reproduce, or a
// duplicate raised it.
func fallen(r *exchange.Run) (list []exchange.Violation) {
	highest := map[string]ledger.Priority{}
	for i := range r.Reports {
		if p := &r.Reports[i]; p.Violation != nil && (ledger.Disposition(p.Disposition) == ledger.Accepted || ledger.Disposition(p.Disposition).Filtered()) {
			priority, known := highest[*p.Violation]
			if !known || ledger.Priority(p.Priority).Rank() < priority.Rank() {
				highest[*p.Violation] = ledger.Priority(p.Priority)
			}
		}
	}
	for _, v := range r.Violations {
		if priority, known := highest[v.Violation]; known && priority != ledger.Priority(v.Priority) || v.MovedIn != nil {
			list = append(list, v)
		}
	}
	return list
}

// takeUp links reports that were taken up with their violations, and then applies the later record
// to those.
func (w *runWriter) takeUp(ctx context.Context, reports []exchange.Report, later *exchange.Run) error {
	taken := map[string]bool{}
	for i := range reports {
		r := &reports[i]
		row := w.rows[r.At()]
		if err := w.showReportsBetween(ctx, row, row); err != nil {
			return err
		}
		taken[*r.Violation] = true
	}
	violations := slices.DeleteFunc(slices.Clone(later.Violations), func(v exchange.Violation) bool { return !taken[v.Violation] })
	return w.change(ctx, &exchange.Run{Violations: violations})
}

// change updates existing rows to the record.
func (w *runWriter) change(ctx context.Context, r *exchange.Run) error {
	return r.Each(func(row exchange.Row) error {
		if !row.Grows {
			return nil
		}
		_, err := w.write(ctx, "change", row)
		return err
	})
}

func (w *runWriter) write(ctx context.Context, verb string, row exchange.Row) (sql.Result, error) {
	clear(w.refers)
	w.refers["run"] = w.run
	for _, need := range row.Needs {
		if id, there := w.rows[need]; there {
			w.refers[need.Kind] = id
		}
	}
	if id, there := w.rows[row.At]; there { // the row exists and is changed
		w.refers[row.At.Kind] = id
	}
	result, err := w.WriteRecord(ctx, verb+" "+row.At.Kind, row.Value, w.refers)
	if v, is := row.Value.(*exchange.Violation); is && err != nil && db.IsUnique(err) {
		return nil, fmt.Errorf("violation %s has the id of one of another run in the ledger: one of the two was restored from its files when its ledger was lost, so import them into different ledgers (%w)", v.ShortID, err)
	}
	return result, named(row.At.Kind, err)
}

// findRows looks up the rows of the run whose record is here.
func (w *runWriter) findRows(ctx context.Context, here *exchange.Run) error {
	type id struct {
		Row int64 `json:"id"`
	}
	// The record was read by the same queries, in this transaction: it has each row, in this order.
	found := map[string][]id{}
	return here.Each(func(row exchange.Row) error {
		kind := row.At.Kind
		if !row.Needed || kind == "code_review" { // a run has at most one, whose row is the run's
			return nil
		}
		if _, read := found[kind]; !read {
			var ids []id
			if err := w.ReadRecord(ctx, "read "+kind, &ids, w.run); err != nil {
				return err
			}
			found[kind] = ids
		}
		w.rows[row.At], found[kind] = found[kind][0].Row, found[kind][1:]
		return nil
	})
}

// repositoryOf returns the row of a repository, and creates it if there is none.
func (t *tx) repositoryOf(ctx context.Context, kind, key string) (int64, error) {
	if kind == "" || ledger.RepositoryKind(kind) == ledger.RepositoryUnknown {
		return unknownRepository, nil
	}
	if err := t.EnsureRepository(ctx, db.EnsureRepositoryParams{Kind: kind, Key: key}); err != nil {
		return 0, fmt.Errorf("repository %q: %w", kind, err)
	}
	return t.knownRepository(ctx, ledger.Repository{Kind: ledger.RepositoryKind(kind), Key: key})
}
