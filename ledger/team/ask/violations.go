package ask

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Violations answers as the ledger does.
func (s *Store) Violations(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	return lists.Collect(s.EachViolation(ctx, f))
}

// EachViolation answers as the ledger does.
func (s *Store) EachViolation(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	return reading(ctx, s, "list violations", func(t *tx) iter.Seq2[ledger.ListedViolation, error] { return t.each(ctx, f) })
}

// listBatch is how many rows of a list are read at a time.
const listBatch = 2000

// each yields the violations that the filter keeps, in its order, page by page.
func (t *tx) each(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	page, left := f, f.Limit
	return lists.Paged(func() ([]ledger.ListedViolation, bool, error) {
		if page.Limit = listBatch; f.Limit > 0 {
			page.Limit = min(left, listBatch)
		}
		found, err := t.listed(ctx, page)
		if err != nil || len(found) < page.Limit || page.Limit == left {
			return found, false, err
		}
		left -= listBatch
		page.After = lists.Cursor(f.Sort, found[len(found)-1])
		return found, true, nil
	})
}

// violations returns the violations with these ULIDs, in the order of the list.
func (t *tx) violations(ctx context.Context, ids []string) ([]ledger.ListedViolation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := t.ListViolations(ctx, postgres.ListViolationsParams{Ids: ids})
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(rows))
	for i, row := range rows {
		at[row.ID] = i
	}
	found := make([]ledger.ListedViolation, 0, len(rows))
	for _, id := range ids {
		if i, known := at[id]; known {
			found = append(found, listedFrom(rows[i]))
		}
	}
	return found, nil
}

func listedFrom(row postgres.ListViolationsRow) ledger.ListedViolation {
	evidence, answers := lists.Words(row.Evidence)
	return ledger.ListedViolation{
		Violation: ledger.Violation{
			ID: row.ID, ShortID: row.ShortID, Job: row.Job, Slot: int(row.Slot), Adapter: row.Adapter,
			First: int(row.FirstIteration), Last: int(row.LastIteration),
			Status: ledger.Status(row.Status), Result: rows.Value(row.Result), Reason: rows.Value(row.Reason),
			Place: ledger.Place{File: row.File, Start: int(row.LineStart), End: int(row.LineEnd)},
			Issue: row.Issue, Fix: row.Fix, Priority: ledger.Priority(row.Priority), Answered: int(rows.Value(row.AnsweredIteration)),
			FirstSeen: row.FirstSeen.UTC(), LastSeen: row.LastSeen.UTC(), StatusAt: row.StatusAt.UTC(),
			MoreSlots: lists.Slots(row.MoreSlots), Also: placesFrom(row.Also), SeenBefore: rows.Value(row.SeenBefore), Gone: lists.Gone(row.Gone), Evidence: evidence, Answers: answers,
			Related: lists.Names(row.Related), DuplicateOf: duplicateOf(row),
		},
		Run: row.Run, RunStatus: ledger.RunStatus(row.RunStatus), RunOpen: row.RunOpen,
		EntryPoint: row.EntryPoint, Gate: row.Gate, Fingerprint: rows.Value(row.Fingerprint),
		Recurring: row.Recurring, Shared: row.Shared, InFixLines: row.InFixLines, StatusBy: ledger.Actor(row.StatusBy),
	}
}

func duplicateOf(row postgres.ListViolationsRow) string {
	if ledger.Status(row.Status) != ledger.StatusDuplicate {
		return ""
	}
	return rows.Value(row.Result)
}

func placesFrom(column string) []ledger.Place {
	return lists.Places(column, func(name string) string { return name })
}

// fewEvents is the largest number of events of a period that are read to find the violations that
// they changed. If there are more, violations are read in the order of the list until enough of
// them have such an event.
const fewEvents = 10_000

// A filtering builds the parameters of a list of violations from a filter.
type filtering struct {
	*tx
	filter ledger.ViolationFilter
	params postgres.ListViolationsParams
}

// listed returns what the filter keeps, in its order, as a slice.
func (t *tx) listed(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	after, err := lists.ReadCursor(f)
	if err != nil {
		return nil, err
	}
	q, known, err := t.selecting(ctx, f)
	if err != nil {
		return nil, err
	}
	if after != nil { // a wrong cursor is an error even if the list is empty
		if err := q.begin(ctx, after); err != nil {
			return nil, err
		}
	}
	if !known {
		return nil, nil
	}
	return q.list(ctx, after)
}

// selecting returns the filter in the form that the query needs. known is false if it selects
// nothing.
func (t *tx) selecting(ctx context.Context, f ledger.ViolationFilter) (q *filtering, known bool, err error) {
	q, known, err = t.filtering(ctx, f)
	if err == nil && known {
		known, err = q.candidates(ctx)
	}
	return q, known, err
}

// filtering returns the filter in the form that the query needs. known is false if no run, job or
// repository is in its scope.
func (t *tx) filtering(ctx context.Context, f ledger.ViolationFilter) (q *filtering, known bool, err error) {
	q = &filtering{tx: t, filter: f}
	q.conditions()
	known, err = q.scope(ctx)
	return q, known, err
}

// candidates looks up the files, lines and events that the filter asks for. It reports false if no
// violation has them.
func (q *filtering) candidates(ctx context.Context) (known bool, err error) {
	for _, look := range []func(context.Context) (bool, error){q.files, q.lines, q.events} {
		if known, err = look(ctx); err != nil || !known {
			return false, err
		}
	}
	return true, nil
}

// lines looks up the recurring lines if the filter asks for recurring violations. It reports false
// if there are none.
func (q *filtering) lines(ctx context.Context) (known bool, err error) {
	if !q.filter.Recurring {
		return true, nil
	}
	lines, few, err := q.recurringLines(ctx)
	if few {
		q.params.Lines = lines
	}
	return !few || len(lines) > 0, err
}

// conditions sets the filter's conditions on the violation itself.
func (q *filtering) conditions() {
	f, p := q.filter, &q.params
	p.Sort = string(lists.Order(f.Sort))
	p.Statuses, p.Priorities, p.Reasons = anyOf(f.Shown()), anyOf(f.Priorities), anyOf(f.Reasons)
	p.Branch, p.Adapter, p.Model, p.Fingerprint = orNil(f.Branch), orNil(f.Adapter), orNil(f.Model), orNil(f.Fingerprint)
	p.Slot, p.Iteration = orNil(int64(f.Slot)), orNil(int64(f.Iteration))
	p.Alone, p.InFixLines, p.Recurring = f.Alone, f.InFixLines, f.Recurring
	p.Since, p.Until = moments(f.Reported)
	p.ChangedSince, p.ChangedUntil = moments(f.Changed)
	p.Events, p.EventIteration = anyOf(f.Events.Statuses), orNil(int64(f.Events.Iteration))
	p.EventSince, p.EventUntil = moments(f.Events.At)
	p.AtMost = orNil(int64(f.Limit))
}

// scope finds the run, the jobs and the repositories that the filter selects. It reports false if
// there are none.
func (q *filtering) scope(ctx context.Context) (known bool, err error) {
	f := q.filter
	if f.Worktree != "" {
		return false, fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
	}
	if f.Run != "" {
		if _, err := q.RunByID(ctx, f.Run); err != nil {
			return false, err
		}
		q.params.Runs = []string{f.Run}
	}
	if q.params.Jobs, err = q.jobsNamed(ctx, f.EntryPoint, f.Gate); err != nil {
		return false, err
	}
	if q.params.Repositories, err = q.repositoriesNamed(ctx, f.Repository); err != nil {
		return false, err
	}
	return !none(q.params.Jobs) && !none(q.params.Repositories), nil
}

// none reports whether a list restricts the result to nothing.
func none[T any](list []T) bool { return list != nil && len(list) == 0 }

// jobsNamed returns the jobs with this entry point and gate, or nil if both are empty.
func (t *tx) jobsNamed(ctx context.Context, entryPoint, gate string) ([]string, error) {
	if entryPoint == "" && gate == "" {
		return nil, nil
	}
	rows, err := t.JobNames(ctx)
	jobs := []string{}
	for _, job := range rows {
		if lists.OneOf(gate, job.Name) && lists.OneOf(entryPoint, job.EntryPoint) {
			jobs = append(jobs, job.Job)
		}
	}
	return jobs, err
}

// repositoriesNamed returns the rows of the repositories with this key, or nil if it is empty.
func (t *tx) repositoriesNamed(ctx context.Context, key string) ([]int64, error) {
	if key == "" {
		return nil, nil
	}
	rows, err := t.RepositoryRows(ctx)
	ids := []int64{}
	for _, r := range rows {
		if repositoryKey(r) == key {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// files looks up the files that match the filter's pattern, which SQL cannot match. It reports
// false if there are none.
func (q *filtering) files(ctx context.Context) (known bool, err error) {
	pattern := q.filter.File
	prefix := lists.LiteralPrefix(pattern)
	folder, whole := lists.FolderOf(pattern)
	switch {
	case pattern == "" || pattern == "**":
		return true, nil
	case prefix == pattern:
		q.params.Files = []string{pattern}
		return true, nil
	case whole:
		q.params.Folder = &folder
		return true, nil
	}
	files, err := q.filesBetween(ctx, prefix, 0)
	files = slices.DeleteFunc(files, func(file string) bool { return !lists.MatchesFile(q.filter, file) })
	q.params.Files = append([]string{}, files...)
	return len(files) > 0, err
}

// events looks up the violations with the events that the filter asks for, if there are few such
// events in its period. It reports false if there are none.
func (q *filtering) events(ctx context.Context) (known bool, err error) {
	p := &q.params
	if p.Events == nil || p.EventSince == nil && p.EventUntil == nil || p.Runs != nil {
		return true, nil
	}
	ids, err := q.ViolationsWithEvents(ctx, postgres.ViolationsWithEventsParams{
		Events: p.Events, Since: p.EventSince, Until: p.EventUntil, AtMost: fewEvents + 1,
	})
	if err != nil {
		return false, err
	}
	if len(ids) <= fewEvents {
		p.Ids = append([]string{}, ids...)
		return len(ids) > 0, nil
	}
	// A violation was first seen before its events, unless the clock was set back.
	if p.EventUntil != nil && (p.Until == nil || p.EventUntil.Before(*p.Until)) {
		p.Until = p.EventUntil
	}
	return true, nil
}

// begin makes the list begin after the cursor.
func (q *filtering) begin(ctx context.Context, after *lists.Key) error {
	p := &q.params
	place, err := q.PlaceOfViolation(ctx, after.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return lists.NotACursor(q.filter.After)
	}
	if err != nil {
		return err
	}
	p.AfterRun, p.AfterNumber = &place.Run, place.Number
	if p.AfterSeen, err = after.Seen(); err != nil {
		return err
	}
	p.AfterFile, p.AfterLine = after.File(), int64(after.Line())
	if q.filter.Sort == ledger.SortChanged {
		p.AfterChange, err = after.Changed()
	}
	return err
}

// list returns the violations that the filter keeps, in its order.
func (q *filtering) list(ctx context.Context, after *lists.Key) ([]ledger.ListedViolation, error) {
	switch q.filter.Sort {
	case ledger.SortPriority:
		return q.wordByWord(ctx, &q.params.Priorities, lists.WordsOf(ledger.Priorities(), q.filter.Priorities, after), after)
	case ledger.SortStatus:
		return q.wordByWord(ctx, &q.params.Statuses, lists.WordsOf(ledger.ShownStatuses(), q.filter.Shown(), after), after)
	}
	return q.rows(ctx, q.params)
}

// rows returns the violations of a query.
func (q *filtering) rows(ctx context.Context, p postgres.ListViolationsParams) ([]ledger.ListedViolation, error) {
	rows, err := q.ListViolations(ctx, p)
	found := make([]ledger.ListedViolation, 0, len(rows))
	for _, row := range rows {
		found = append(found, listedFrom(row))
	}
	return found, err
}

// wordByWord lists the violations with the first word, newest first, then those with the next word,
// and so on until there are enough. An index has the violations of each word in that order.
func (q *filtering) wordByWord(ctx context.Context, wanted *[]string, words []string, after *lists.Key) (found []ledger.ListedViolation, err error) {
	limit := q.filter.Limit
	q.params.Sort = string(ledger.SortNewest)
	for _, word := range words {
		if *wanted = []string{word}; after != nil && after.Word() != word {
			q.params.AfterRun = nil
		}
		if limit > 0 {
			q.params.AtMost = orNil(int64(limit - len(found)))
		}
		rows, err := q.rows(ctx, q.params)
		if err != nil {
			return nil, err
		}
		if found = append(found, rows...); limit > 0 && len(found) >= limit {
			break
		}
	}
	return found, nil
}
