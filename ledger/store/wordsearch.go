package store

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/words"
)

// EachHit yields the results of [Store.Search] as they are read. Without a limit, at most one batch
// of them is in memory.
func (l *Store) EachHit(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	return lists.Within(func(each func(iter.Seq2[ledger.SearchHit, error]) error) error {
		if len(q.All) == 0 {
			return nil
		}
		return l.withWords(ctx, func(l *Store) error {
			return l.readListed(ctx, "search the ledger", f, func(t *tx) error { return each(t.search(ctx, q, f)) })
		})
	})
}

// Search searches reports, the answers to them, and the notes of slots. It returns each violation
// once, by its best matching report, and, unless the filter asks for something that only violations
// have, discarded reports and notes. The best come first, and the newest of those that are equally
// good; the order of the filter does not apply. The error is [ledger.ErrCursor] if the cursor is
// not one of a search.
func (l *Store) Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) ([]ledger.SearchHit, error) {
	hits, err := lists.Collect(l.EachHit(ctx, q, f))
	if err == nil && hits == nil && len(q.All) > 0 {
		hits = []ledger.SearchHit{}
	}
	return hits, err
}

// search yields the results of a search, best first.
func (t *tx) search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	after, err := lists.ReadKey(f.After, func(k searchKey) bool { return k.Report != 0 })
	if err != nil {
		return func(yield func(ledger.SearchHit, error) bool) { yield(ledger.SearchHit{}, err) }
	}
	limit := f.Limit
	f.Limit, f.After, f.Sort = 0, "", ledger.SortNewest
	w := &wordSearch{search: &search{tx: t, filter: f}, match: matchExpression(q), words: words.QueryOf(q), before: math.MaxInt64}
	describer := t.describer()
	return lists.Described(w.ranked(ctx, after, limit), listBatch, func(page []foundReport) ([]ledger.SearchHit, error) {
		return w.hits(ctx, describer, page)
	})
}

// ranked yields the matches after the key, best first, up to the limit. Limit 0 means all.
func (w *wordSearch) ranked(ctx context.Context, after *searchKey, limit int) iter.Seq2[foundReport, error] {
	return func(yield func(foundReport, error) bool) {
		switch err := w.keep(ctx); {
		case err != nil:
			yield(foundReport{}, err)
		case limit == 0:
			w.all(ctx, after)(yield)
		default:
			lists.Later(func() ([]foundReport, error) { return w.best(ctx, after, limit) })(yield)
		}
	}
}

// best returns the first matches after the key.
func (w *wordSearch) best(ctx context.Context, after *searchKey, limit int) ([]foundReport, error) {
	found, err := lists.Find(ctx, w, limit)
	if err != nil {
		return nil, err
	}
	notes, err := w.notes(ctx, limit)
	if err != nil {
		return nil, err
	}
	return lists.Page(append(found, notes...), searchKey.compare, after, limit), nil
}

// matchExpression returns the query in the language of FTS5, where everything in quotes is plain
// text.
func matchExpression(q ledger.SearchQuery) string {
	expression := strings.Join(matchTerms(q.All), " ")
	if len(q.None) > 0 {
		expression = "(" + expression + ") NOT (" + strings.Join(matchTerms(q.None), " OR ") + ")"
	}
	return expression
}

func matchTerms(terms []ledger.SearchTerm) (list []string) {
	for _, term := range terms {
		quoted := `"` + strings.ReplaceAll(term.Text, `"`, `""`) + `"`
		if term.Prefix {
			quoted += " *"
		}
		list = append(list, quoted)
	}
	return list
}

// wordSearch finds reports by their words and a filter. It implements [lists.Searcher].
type wordSearch struct {
	*search
	match string
	words words.Query
	// before is the row of the last report that was read; rows come newest first.
	before int64
}

// A foundReport is a report, or the notes of a slot, that matches and that the filter keeps. The
// violation of its hit is read later, for a whole page.
type foundReport struct {
	ledger.SearchHit
	id        int64
	violation int64 // 0 if it has none
	score     float64
	at        string // when it was reported
}

// Matching implements [lists.Searcher].
func (w *wordSearch) Matching(ctx context.Context, batch int) (kept []foundReport, all bool, err error) {
	ids, err := idsOf(w.MatchingReports(ctx, db.MatchingReportsParams{Query: w.match, Before: w.before, AtMost: int64(batch)}))
	if err != nil || len(ids) == 0 {
		return nil, true, err
	}
	w.before = ids[len(ids)-1]
	kept, err = w.keptReports(ctx, ids)
	return kept, len(ids) < batch, err
}

// keptReports returns the matching reports that the filter keeps, newest first.
func (w *wordSearch) keptReports(ctx context.Context, ids []int64) ([]foundReport, error) {
	reports, err := w.ViolationsOfReports(ctx, asJSON(ids))
	if err != nil {
		return nil, err
	}
	var violations []int64
	for _, r := range reports {
		if r.Counts == 1 && r.ViolationID != nil {
			violations = append(violations, *r.ViolationID)
		}
	}
	kept, err := w.keptViolations(ctx, violations)
	if err != nil {
		return nil, err
	}
	found := map[int64]foundReport{}
	for _, r := range reports {
		if r.Counts == 1 && r.ViolationID != nil && kept[*r.ViolationID] {
			found[r.ID] = foundReport{violation: *r.ViolationID}
		}
	}
	if len(violations) < len(reports) {
		if err := w.addDiscards(ctx, ids, found); err != nil {
			return nil, err
		}
	}
	return w.matching(ctx, found)
}

// keptViolations returns the set of these violations that the filter keeps.
func (w *wordSearch) keptViolations(ctx context.Context, ids []int64) (map[int64]bool, error) {
	kept := map[int64]bool{}
	if len(ids) == 0 {
		return kept, nil
	}
	slices.Sort(ids)
	l := w.list.Clone()
	w.keepSeen(&l, true, true)
	l.KeepColumn("id", "among", asJSON(slices.Compact(ids)))
	for id, err := range w.ListIDs(ctx, l) {
		if err != nil {
			return nil, err
		}
		kept[id] = true
	}
	return kept, nil
}

// addDiscards adds the discarded reports among ids that the filter of the search keeps.
func (w *wordSearch) addDiscards(ctx context.Context, ids []int64, found map[int64]foundReport) error {
	if w.filter.OnlyViolations() {
		return nil
	}
	discards, err := w.discards(ctx, ids)
	for id, d := range discards {
		if _, takenUp := found[id]; !takenUp {
			found[id] = foundReport{SearchHit: ledger.SearchHit{Discard: d}}
		}
	}
	return err
}

// discards returns the discarded reports among ids that the filter of the search keeps.
func (w *wordSearch) discards(ctx context.Context, ids []int64) (map[int64]*ledger.Report, error) {
	found := map[int64]*ledger.Report{}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := w.DiscardedReportsByID(ctx, db.DiscardedReportsByIDParams{
		Ids: asJSON(ids), Model: w.filter.Model, Repositories: w.repositories,
	})
	for _, row := range rows {
		d := discardFrom(row)
		if lists.OneOf(w.filter.Branch, text(row.Branch)) && lists.OneOf(w.filter.Worktree, row.Worktree) && lists.KeepsDiscard(w.filter, d) {
			found[row.Report.ID] = &d
		}
	}
	return found, err
}

// Filtered implements [lists.Searcher].
func (w *wordSearch) Filtered(ctx context.Context, atMost int) (list []foundReport, all bool, err error) {
	violations, discards, all, err := w.kept(ctx, atMost)
	if err != nil {
		return nil, false, err
	}
	list, err = w.matchingOf(ctx, violations, discards)
	return list, all, err
}

// kept returns the newest violations that the filter keeps, at most atMost of them, and as many of
// the newest discarded reports if the filter may keep any. all reports whether these are all there
// are.
func (w *wordSearch) kept(ctx context.Context, atMost int) (violations, discards []int64, all bool, err error) {
	if violations, err = w.newestKept(ctx, atMost); err != nil {
		return nil, nil, false, err
	}
	if !w.filter.OnlyViolations() {
		if discards, err = w.NewestDiscards(ctx, int64(atMost)); err != nil {
			return nil, nil, false, err
		}
	}
	return violations, discards, len(violations) < atMost && len(discards) < atMost, nil
}

// matchingOf returns the matching ones of these discarded reports and of the reports of these
// violations.
func (w *wordSearch) matchingOf(ctx context.Context, violations, discards []int64) ([]foundReport, error) {
	found := map[int64]foundReport{}
	if len(violations) > 0 {
		reports, err := w.AcceptedReports(ctx, asJSON(violations))
		if err != nil {
			return nil, err
		}
		for _, r := range reports {
			found[r.ID] = foundReport{violation: *r.ViolationID}
		}
	}
	if len(discards) > 0 {
		if err := w.addDiscards(ctx, discards, found); err != nil {
			return nil, err
		}
	}
	return w.matching(ctx, found)
}

// newestKept returns the newest violations that the filter keeps.
func (w *wordSearch) newestKept(ctx context.Context, atMost int) ([]int64, error) {
	l := w.newest(w.list, nil)
	l.AtMost = atMost
	return lists.Collect(w.ListIDs(ctx, l))
}

// matching returns the reports that match, with their snippets and scores.
func (w *wordSearch) matching(ctx context.Context, found map[int64]foundReport) (list []foundReport, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	rows, err := w.TextsOfReports(ctx, asJSON(slices.Sorted(maps.Keys(found))))
	for _, row := range rows {
		title := text(row.Title)
		texts, matches := w.words.Report(title, row.Issue, row.Fix, text(row.Result))
		if !matches {
			continue
		}
		r := found[row.ID]
		r.id, r.at, r.Title, r.Snippet, r.score = row.ID, row.At, title, texts.Snippet(), texts.Relevance()
		list = append(list, r)
	}
	return list, err
}

// hits reads what a page of matches shows.
func (w *wordSearch) hits(ctx context.Context, describer *describer, page []foundReport) ([]ledger.SearchHit, error) {
	var rows, discarded, slots []int64
	for _, r := range page {
		switch {
		case r.violation != 0:
			rows = append(rows, r.violation)
		case r.id < 0 && r.Notes == nil:
			slots = append(slots, -r.id)
		case r.id > 0 && r.Discard == nil:
			discarded = append(discarded, r.id)
		}
	}
	found, err := describer.details(ctx, rows)
	if err != nil {
		return nil, err
	}
	discards, err := w.discards(ctx, discarded)
	if err != nil {
		return nil, err
	}
	notes, err := w.notesOf(ctx, slots)
	hits := make([]ledger.SearchHit, 0, len(page))
	for _, r := range page {
		r.Cursor = lists.Opaque(r.Key())
		switch {
		case r.violation != 0:
			r.Violation, found = &found[0], found[1:]
		case r.Discard == nil && r.id > 0:
			r.Discard = discards[r.id]
		case r.Notes == nil && r.id < 0:
			r.Notes = notes[-r.id]
		}
		hits = append(hits, r.SearchHit)
	}
	return hits, err
}

// searchKey is what hits are sorted by. Report is the row of the report or, for notes, the row of
// their slot, negated.
type searchKey struct {
	Score  float64 `json:"score"`
	At     string  `json:"at"`
	Report int64   `json:"report"`
}

// Key implements [lists.Found].
func (r foundReport) Key() searchKey { return searchKey{r.score, r.at, r.id} }

// Of implements [lists.Found].
func (r foundReport) Of() int64 { return r.violation }

// compare orders hits best first, and newest first if they are equally good. Reports of one slot or
// one import may have the same time: then the last row comes first. Notes come after reports.
func (k searchKey) compare(other searchKey) int {
	if by := -cmp.Or(cmp.Compare(k.Score, other.Score), cmp.Compare(k.At, other.At)); by != 0 {
		return by
	}
	if k.Report < 0 && other.Report < 0 {
		return cmp.Compare(k.Report, other.Report)
	}
	return -cmp.Compare(k.Report, other.Report)
}
