package ask

import (
	"cmp"
	"context"
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/words"
)

// Search answers as the ledger does.
func (s *Store) Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) (hits []ledger.SearchHit, err error) {
	if len(q.All) == 0 {
		return nil, nil
	}
	err = s.read(ctx, "search the store", func(t *tx) error {
		after, err := lists.ReadKey(f.After, func(k searchKey) bool { return k.Run != "" })
		if err != nil {
			return err
		}
		limit := f.Limit
		f.Limit, f.After, f.Sort = 0, "", ledger.SortNewest
		w := &wordSearch{words: words.QueryOf(q)}
		w.query = w.words.Expression()
		hits = []ledger.SearchHit{}
		var known bool
		if w.filtering, known, err = t.filtering(ctx, f); err != nil || !known || w.query == "" {
			return err
		}
		if known, err = w.candidates(ctx); err != nil {
			return err
		}
		w.noViolation = !known
		found, err := lists.Find(ctx, w, limit)
		if err != nil {
			return err
		}
		notes, err := w.notes(ctx, limit)
		if err != nil {
			return err
		}
		found = append(found, notes...)
		hits, err = w.hits(ctx, lists.Page(found, searchKey.compare, after, limit))
		return err
	})
	return hits, err
}

// EachHit answers as the ledger does. All hits are read at once, because the best is known only
// then.
func (s *Store) EachHit(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	return lists.Later(func() ([]ledger.SearchHit, error) { return s.Search(ctx, q, f) })
}

// searchKey is what hits are sorted by.
type searchKey struct {
	Score     float64   `json:"score"`
	At        time.Time `json:"at"`
	Run       string    `json:"run"`
	Iteration int64     `json:"iteration"`
	Job       string    `json:"job"`
	Slot      int64     `json:"slot"`
	Position  int64     `json:"position"`
}

// compare orders hits best first, and newest first if they are equally good.
func (k searchKey) compare(other searchKey) int {
	return -cmp.Or(cmp.Compare(k.Score, other.Score), k.At.Compare(other.At), cmp.Compare(k.Run, other.Run),
		cmp.Compare(k.Iteration, other.Iteration), cmp.Compare(k.Job, other.Job), cmp.Compare(k.Slot, other.Slot),
		cmp.Compare(k.Position, other.Position))
}

// foundReport is a matching report that the filter keeps. The violations of hits are read later, a
// page at a time.
type foundReport struct {
	ledger.SearchHit
	key       searchKey
	violation string // "" if the report has none, or is not a report but notes
}

// Of implements [lists.Found].
func (r foundReport) Of() string { return r.violation }

// Key implements [lists.Found].
func (r foundReport) Key() searchKey { return r.key }

// wordSearch finds reports by their words and a filter. It implements [lists.Searcher].
type wordSearch struct {
	*filtering
	words words.Query
	query string
	// noViolation is set if no violation can match the filter.
	noViolation bool
	// rare is set if too few of the newest reports match.
	rare bool
	// days is for how many of the latest days reports were last looked up; 0 means none yet.
	days int
	// last is the last report that was read.
	last *postgres.MatchingReportsRow
}

// Matching implements [lists.Searcher].
func (w *wordSearch) Matching(ctx context.Context, batch int) (kept []foundReport, all bool, err error) {
	rows, err := w.matching(ctx, int64(batch))
	if err != nil || len(rows) == 0 {
		return nil, true, err
	}
	w.last = &rows[len(rows)-1]
	var accepted []string
	var discarded []postgres.MatchingReportsRow
	for _, row := range rows {
		if isAccepted(row) {
			accepted = append(accepted, *row.Violation)
		} else {
			discarded = append(discarded, row)
		}
	}
	keeps, err := w.keep(ctx, accepted)
	if err != nil {
		return nil, false, err
	}
	for _, row := range rows {
		if isAccepted(row) && keeps[*row.Violation] {
			kept = w.add(kept, row, *row.Violation, nil)
		}
	}
	kept, err = w.addDiscards(ctx, kept, discarded)
	return kept, len(rows) < batch, err
}

// These constants are multiples of the number of wanted reports: recent is how many of the newest
// reports are searched first, before reports are looked up by their words. mostRecent is up to how
// many are searched if too few of them match; for a query with a prefix it is mostRecentPrefix,
// because the index reads all reports of each word that begins with the prefix.
const (
	recent           = 5
	mostRecent       = 10
	mostRecentPrefix = 40
)

// manyDays is the largest number of latest days for which reports are looked up by their words.
// After that they are looked up for all days.
const manyDays = 64

// matching returns the next matching reports, newest first.
func (w *wordSearch) matching(ctx context.Context, batch int64) ([]postgres.MatchingReportsRow, error) {
	p := postgres.MatchingReportsParams{Query: w.query, Indexed: w.words.Indexed(), AtMost: batch}
	var until *time.Time
	if last := w.last; last != nil {
		beginAfter(&p, *last)
		until = &p.BeforeAt
	}
	if rows, err := w.recent(ctx, p); err != nil || rows != nil {
		return rows, err
	}
	return w.lookedUp(ctx, until, p)
}

// recent returns the matching ones of the newest reports, or nil if there are too few.
func (w *wordSearch) recent(ctx context.Context, p postgres.MatchingReportsParams) ([]postgres.MatchingReportsRow, error) {
	most := p.AtMost * mostRecent
	if w.words.Prefixed() {
		most = p.AtMost * mostRecentPrefix
	}
	var found []postgres.MatchingReportsRow
	for read, newest := int64(0), p.AtMost*recent; read+newest <= most && !w.rare; {
		rows, err := w.MatchingRecent(ctx, postgres.MatchingRecentParams{
			Query: p.Query, AtMost: p.AtMost - int64(len(found)), Newest: newest, BeforeAt: p.BeforeAt, BeforeRun: p.BeforeRun,
			BeforeIteration: p.BeforeIteration, BeforeJob: p.BeforeJob, BeforeSlot: p.BeforeSlot, BeforePosition: p.BeforePosition,
		})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			found = append(found, postgres.MatchingReportsRow(row))
		}
		missing := p.AtMost - int64(len(found))
		if missing == 0 {
			return found, nil
		}
		if n := len(found); n > 0 {
			if found[n-1].At == nil {
				break // nothing is known to come after it
			}
			beginAfter(&p, found[n-1])
		}
		// At this rate of matches, so many more reports should contain the rest.
		read += newest
		newest = max(p.AtMost, missing*read/max(int64(len(found)), 1)*5/4)
	}
	w.rare = true
	return nil, nil
}

// beginAfter restricts a query to the reports after this one.
func beginAfter(p *postgres.MatchingReportsParams, last postgres.MatchingReportsRow) {
	p.BeforeAt, p.BeforeRun, p.BeforeIteration = moment(last.At), &last.Run, last.Iteration
	p.BeforeJob, p.BeforeSlot, p.BeforePosition = last.Job, last.Slot, last.Position
}

// lookedUp returns the reports that the index of words finds, up to a time if one is given. It
// starts with a few of the latest days, and takes more days as long as too few are found.
func (w *wordSearch) lookedUp(ctx context.Context, until *time.Time, p postgres.MatchingReportsParams) ([]postgres.MatchingReportsRow, error) {
	days, err := w.DaysOfReports(ctx, postgres.DaysOfReportsParams{Until: until, AtMost: manyDays})
	if err != nil {
		return nil, err
	}
	if w.days == 0 {
		if w.days = 1; w.words.Prefixed() && p.Indexed == p.Query {
			w.days = 8
		}
	}
	for w.days <= manyDays {
		p.Days = days[:min(w.days, len(days))]
		rows, err := w.MatchingReports(ctx, p)
		if err != nil || int64(len(rows)) >= p.AtMost || len(p.Days) == len(days) && len(days) < manyDays {
			return rows, err
		}
		enough := w.days * int(p.AtMost) / max(len(rows), 1) * 5 / 4
		w.days = min(max(enough, 2*w.days), 8*w.days)
	}
	p.Days = nil
	return w.MatchingReports(ctx, p)
}

func isAccepted(row postgres.MatchingReportsRow) bool {
	d := ledger.Disposition(row.Disposition)
	return row.Violation != nil && (d == ledger.Accepted || d.Filtered()) // the latter if it was taken up
}

// keep returns the set of these violations that the filter keeps.
func (w *wordSearch) keep(ctx context.Context, ids []string) (kept map[string]bool, err error) {
	kept = map[string]bool{}
	if len(ids) == 0 || w.noViolation {
		return kept, nil
	}
	p := w.params
	if all := p.Ids; all != nil {
		slices.Sort(all)
		ids = slices.DeleteFunc(ids, func(id string) bool { _, found := slices.BinarySearch(all, id); return !found })
	}
	if reflect.DeepEqual(w.filter, ledger.ViolationFilter{Sort: w.filter.Sort}) {
		for _, id := range ids {
			kept[id] = true
		}
		return kept, nil
	}
	p.Ids, p.Sort, p.Brief = append([]string{}, ids...), "", true
	rows, err := w.ListViolations(ctx, p)
	for _, v := range rows {
		kept[v.ID] = true
	}
	return kept, err
}

// add adds a report if its texts match the query.
func (w *wordSearch) add(found []foundReport, row postgres.MatchingReportsRow, violation string, discard *ledger.Report) []foundReport {
	title, result := rows.Value(row.Title), rows.Value(row.Result)
	texts, matches := w.words.Report(title, row.Issue, row.Fix, result)
	if !matches { // the server has only the beginning of a very long text
		return found
	}
	return append(found, foundReport{
		key: searchKey{
			Score: texts.Relevance(), At: moment(row.At), Run: row.Run, Iteration: row.Iteration, Job: row.Job,
			Slot: row.Slot, Position: row.Position,
		},
		violation: violation, SearchHit: ledger.SearchHit{Discard: discard, Title: title, Snippet: texts.Snippet()},
	})
}

// addDiscards adds those of the matching reports that were discarded and that the filter of the
// search keeps.
func (w *wordSearch) addDiscards(ctx context.Context, found []foundReport, matching []postgres.MatchingReportsRow) ([]foundReport, error) {
	if len(matching) == 0 || w.filter.OnlyViolations() {
		return found, nil
	}
	var p postgres.DiscardsByKeyParams
	texts := make(map[reportKey]postgres.MatchingReportsRow, len(matching))
	for _, r := range matching {
		p.Runs, p.Iterations, p.Jobs = append(p.Runs, r.Run), append(p.Iterations, r.Iteration), append(p.Jobs, r.Job)
		p.Slots, p.Positions = append(p.Slots, r.Slot), append(p.Positions, r.Position)
		texts[reportKey{r.Run, r.Iteration, r.Job, r.Slot, r.Position}] = r
	}
	p.Model, p.Repositories = w.params.Model, w.params.Repositories
	discards, err := w.DiscardsByKey(ctx, p)
	for _, r := range discards {
		if d := discardFrom(r); lists.OneOf(w.filter.Branch, rows.Value(r.Branch)) && lists.KeepsDiscard(w.filter, d) {
			found = w.add(found, texts[reportKey{r.Run, r.Iteration, r.Job, r.Slot, r.Position}], "", &d)
		}
	}
	return found, err
}

// reportKey identifies a report.
type reportKey struct {
	run            string
	iteration      int64
	job            string
	slot, position int64
}

// Filtered implements [lists.Searcher].
func (w *wordSearch) Filtered(ctx context.Context, atMost int) (found []foundReport, all bool, err error) {
	all = true
	if !w.noViolation {
		p := w.params
		p.AtMost, p.Brief = orNil(int64(atMost)), true
		violations, err := w.ListViolations(ctx, p)
		if err != nil {
			return nil, false, err
		}
		all = len(violations) < atMost
		ids := make([]string, 0, len(violations))
		for _, v := range violations {
			ids = append(ids, v.ID)
		}
		reports, err := w.MatchingReportsOf(ctx, postgres.MatchingReportsOfParams{Violations: ids, Query: w.query})
		if err != nil {
			return nil, false, err
		}
		for _, r := range reports {
			found = w.add(found, postgres.MatchingReportsRow(r), *r.Violation, nil)
		}
	}
	if !w.filter.OnlyViolations() {
		runs, err := w.fewRuns(ctx)
		if err != nil {
			return nil, false, err
		}
		rows, err := w.NewestDiscards(ctx, postgres.NewestDiscardsParams{Query: w.query, Runs: runs, AtMost: int64(atMost)})
		if err != nil {
			return nil, false, err
		}
		all = all && len(rows) < atMost
		var matching []postgres.MatchingReportsRow
		for _, r := range rows {
			if r.Matches {
				matching = append(matching, postgres.MatchingReportsRow{
					Run: r.Run, Iteration: r.Iteration, Job: r.Job, Slot: r.Slot, Position: r.Position, Violation: r.Violation,
					Disposition: r.Disposition, At: r.At, Title: r.Title, Issue: r.Issue, Fix: r.Fix, Result: r.Result,
				})
			}
		}
		if found, err = w.addDiscards(ctx, found, matching); err != nil {
			return nil, false, err
		}
	}
	return found, all, nil
}

// notes returns the newest matching notes that the filter keeps: as many as a list of this length
// ranks. A limit of 0 means all.
func (w *wordSearch) notes(ctx context.Context, limit int) (found []foundReport, err error) {
	if w.filter.OnlyReports() {
		return nil, nil
	}
	p := postgres.MatchingNotesParams{
		Query: w.query, Runs: w.params.Runs, Jobs: w.params.Jobs, Repositories: w.params.Repositories, Branch: w.params.Branch,
		Adapter: w.params.Adapter, Model: w.params.Model, Slot: w.params.Slot, Iteration: w.params.Iteration,
	}
	p.Since, p.Until = moments(lists.MadeIn(w.filter))
	if limit > 0 {
		p.AtMost = orNil(int64(max(limit, lists.Ranked)))
	}
	matching, err := w.MatchingNotes(ctx, p)
	for _, r := range matching {
		texts, matches := w.words.Notes(rows.Value(r.Notes))
		n := ledger.SlotNotes{
			Run: r.Run, Ref: ledger.SlotRef{Job: r.Job, Slot: int(r.Slot), Iteration: int(r.Iteration)},
			EntryPoint: r.EntryPoint, Gate: r.Gate, Adapter: r.Adapter, At: moment(r.EndedAt),
		}
		if !matches || !lists.KeepsNotes(w.filter, n) {
			continue
		}
		found = append(found, foundReport{
			key:       searchKey{Score: texts.Relevance(), At: n.At, Run: r.Run, Iteration: r.Iteration, Job: r.Job, Slot: r.Slot},
			SearchHit: ledger.SearchHit{Notes: &n, Snippet: texts.Snippet()},
		})
	}
	return found, err
}

// mostRuns is the largest number of runs for which discarded reports are looked up run by run.
const mostRuns = 500

// fewRuns returns the runs that the filter selects, or nil if there may be many.
func (w *wordSearch) fewRuns(ctx context.Context) ([]string, error) {
	if w.filter.Branch == "" || w.params.Runs != nil {
		return w.params.Runs, nil
	}
	runs, err := w.RunsOfBranch(ctx, postgres.RunsOfBranchParams{Branch: w.filter.Branch, AtMost: mostRuns + 1})
	if err != nil || len(runs) > mostRuns {
		return nil, err
	}
	return append([]string{}, runs...), nil
}

// hits reads the violations of a page of results.
func (w *wordSearch) hits(ctx context.Context, page []foundReport) ([]ledger.SearchHit, error) {
	var ids []string
	for _, r := range page {
		if r.violation != "" {
			ids = append(ids, r.violation)
		}
	}
	found, err := w.violations(ctx, ids)
	if err != nil {
		return nil, err
	}
	violations := make(map[string]*ledger.ListedViolation, len(found))
	for i := range found {
		violations[found[i].ID] = &found[i]
	}
	hits := make([]ledger.SearchHit, 0, len(page))
	for _, r := range page {
		r.Violation, r.Cursor = violations[r.violation], lists.Opaque(r.key)
		hits = append(hits, r.SearchHit)
	}
	return hits, nil
}
