package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

type violationID struct{ ulid, short string }

// newViolationIDs draws n ULIDs whose last characters, the short IDs, are not in use.
func (t *tx) newViolationIDs(ctx context.Context, n int) ([]violationID, error) {
	ids := make([]violationID, 0, n)
	drawn := map[string]bool{} // or in use
	for len(ids) < n {
		var batch []string
		for len(ids)+len(batch) < n {
			id, err := t.newULID()
			if err != nil {
				return nil, err
			}
			batch = append(batch, id)
		}
		shorts := make([]string, len(batch))
		for i, id := range batch {
			shorts[i] = shortIDOf(id)
		}
		taken, err := t.ShortIDsTaken(ctx, asJSON(shorts))
		if err != nil {
			return nil, err
		}
		for _, short := range taken {
			drawn[short] = true
		}
		for i, id := range batch {
			if short := shorts[i]; !drawn[short] {
				drawn[short] = true
				ids = append(ids, violationID{id, short})
			}
		}
	}
	// ULIDs of the same moment differ only in their random part. If they are sorted, SQLite adds
	// each at the end of its index.
	slices.SortFunc(ids, func(a, b violationID) int { return cmp.Compare(a.ulid, b.ulid) })
	return ids, nil
}

// insertEvents adds the same event to many violations.
func (t *tx) insertEvents(ctx context.Context, violations []int64, e db.InsertEventsParams) error {
	return t.insertEventsWith(ctx, violations, nil, nil, e)
}

// insertEventsWith is like [tx.insertEvents], with a result for each violation, and how it was
// confirmed, by row.
//
// Rule: History is only added to.
func (t *tx) insertEventsWith(ctx context.Context, violations []int64, results map[int64]string, confirmed map[int64]ledger.Confirmation, e db.InsertEventsParams) error {
	if len(violations) == 0 {
		return nil
	}
	list := t.newRows()
	for _, row := range violations {
		list.add(row, optional(results[row]), optional(string(confirmed[row])))
	}
	e.Violations = list.String()
	t.answered = true
	return t.InsertEvents(ctx, e)
}

// rowsAtOnce limits how many rows are held as text at a time.
const rowsAtOnce = 2000

// insertRows adds the reports, with the code at their places, and the violations that begin with
// them. The caller adds the first events of those violations.
func (w *answerWriter) insertRows(ctx context.Context, rows []reportRow) error {
	if err := w.insertViolations(ctx, rows); err != nil || len(rows) == 0 {
		return err
	}
	first, err := w.insertReports(ctx, w.slot, rows)
	if err != nil {
		return err
	}
	list := w.newRows()
	for i := range rows {
		rows[i].row = first + int64(i)
		if x, there := w.excerpts[rows[i].report.Position]; there {
			list.add(rows[i].row, x.first, x.blob, x.skip, x.lines)
		}
	}
	return w.InsertReportExcerpts(ctx, list.String())
}

func (w *answerWriter) insertViolations(ctx context.Context, rows []reportRow) error {
	list := w.newRows()
	n := int64(0)
	for i, r := range rows {
		if r.begins {
			list.add(r.violation.ulid, r.violation.short, r.report.Place.File, string(r.report.Priority), optional(r.fingerprint),
				optional(r.report.SeenBefore), boolean(r.report.InFixLines), int64(i+1))
			n++
		}
	}
	if n == 0 {
		return nil
	}
	last, err := w.InsertViolations(ctx, db.InsertViolationsParams{
		RunID: w.run, JobID: w.job, Slot: int64(w.a.Slot), Adapter: w.a.Adapter, Iteration: int64(w.number), At: w.at,
		Violations: list.String(),
	})
	if err != nil {
		return err
	}
	for i := range rows {
		if r := &rows[i]; r.begins {
			n--
			row := last - n
			r.of = &row
			w.created = append(w.created, row)
		}
	}
	return nil
}

// insertReports adds reports of one slot in consecutive rows, and returns the first row. Their violations
// show them after [tx.showReports].
func (t *tx) insertReports(ctx context.Context, slot int64, reports []reportRow) (first int64, err error) {
	list := t.newRows()
	shown := true
	for i := range reports {
		row, r := &reports[i], reports[i].report
		var repeated *int64
		if row.fingerprint != "" {
			repeated = new(boolean(r.Line.Repeated))
		}
		list.add(int64(r.Position), r.Place.File, int64(r.Place.Start), int64(max(r.Place.Start, r.Place.End)), r.Issue, r.Fix, optional(r.Title), r.Confidence,
			boolean(r.SystemBreaking), string(r.Priority), string(r.Disposition), r.Reason, boolean(r.InFixLines), optional(r.Line.Hash), row.of,
			optional(row.fingerprint), repeated, optional(r.SameAs), optional(row.shortID))
		shown = shown && (row.begins || row.of == nil)
	}
	last, err := t.InsertReports(ctx, db.InsertReportsParams{SlotID: slot, Reports: list.String()})
	if err != nil {
		return 0, err
	}
	first = last - int64(len(reports)) + 1
	t.reports(first, shown)
	return first, nil
}

// jsonRows holds rows for a statement that reads them with json_each. It passes strings to SQLite
// byte for byte, because encoding/json would change what is not valid UTF-8.
type jsonRows struct{ text []byte }

// newRows returns rows that reuse the memory of the previous ones.
func (t *tx) newRows() *jsonRows {
	t.rows.text = t.rows.text[:0]
	return &t.rows
}

// add adds a row with these columns: strings and numbers, or pointers to them; nil is NULL.
func (r *jsonRows) add(columns ...any) {
	separator := byte(',')
	if len(r.text) == 0 {
		separator = '['
	}
	r.text = append(r.text, separator)
	for i, column := range columns {
		separator = ','
		if i == 0 {
			separator = '['
		}
		r.text = appendJSON(append(r.text, separator), column)
	}
	r.text = append(r.text, ']')
}

// String returns all rows as JSON.
func (r *jsonRows) String() string {
	if len(r.text) == 0 {
		return "[]"
	}
	return string(append(r.text, ']'))
}

func appendJSON(text []byte, column any) []byte {
	switch column := column.(type) {
	case int64:
		return strconv.AppendInt(text, column, 10)
	case *int64:
		if column != nil {
			return strconv.AppendInt(text, *column, 10)
		}
	case *float64:
		if column != nil {
			return strconv.AppendFloat(text, *column, 'g', -1, 64)
		}
	case string:
		return appendJSONText(text, column)
	case *string:
		if column != nil {
			return appendJSONText(text, *column)
		}
	default:
		panic(fmt.Sprintf("a column is a %T", column))
	}
	return append(text, "null"...)
}

func appendJSONText(text []byte, value string) []byte {
	text = append(text, '"')
	from := 0
	for i := range len(value) {
		if c := value[i]; c < ' ' || c == '"' || c == '\\' {
			text = fmt.Appendf(append(text, value[from:i]...), "\\u%04x", c)
			from = i + 1
		}
	}
	return append(append(text, value[from:]...), '"')
}
