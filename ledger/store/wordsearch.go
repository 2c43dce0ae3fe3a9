package store

import (
	"cmp"
	"context"
	"database/sql"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// EachHit yields the results of [Store.Search] as they are read.
func (l *Store) EachHit(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	return lists.Within(func(each func(iter.Seq2[ledger.SearchHit, error]) error) error {
		if len(q.All) == 0 {
			return nil
		}
		return l.read(ctx, "search the ledger", func(t *tx) error { return each(t.search(ctx, q, f)) })
	})
}

// Search searches reports, the answers to them, and the notes of slots. It returns each violation
// once, by its best matching report, and, unless the filter asks for something that only violations
// have, discarded reports and notes. The best come first, and the newest of those that are equally
// good; the order of the filter does not apply. If more match than [ledger.Ranked] and the limit,
// only the newest are ranked. The error is [ledger.ErrCursor] if the cursor is not one of a search.
func (l *Store) Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) ([]ledger.SearchHit, error) {
	hits, err := lists.Collect(l.EachHit(ctx, q, f))
	if err == nil && hits == nil && len(q.All) > 0 {
		hits = []ledger.SearchHit{}
	}
	return hits, err
}

// CountHits returns the number of results that [Store.EachHit] would yield, without reading what they
// show.
func (l *Store) CountHits(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) (int, error) {
	return answer(ctx, l, "count what a search finds", func(t *tx) (int, error) {
		rows, err := t.wordSearch(q, f).ranked(ctx, nil, f.Limit)
		return len(rows), err
	})
}

func (t *tx) wordSearch(q ledger.SearchQuery, f ledger.ViolationFilter) *wordSearch {
	f.Limit, f.After, f.Sort = 0, "", ledger.SortNewest
	return &wordSearch{search: &search{tx: t, filter: f}, match: matchExpression(q)}
}

// search yields the results of a search, best first.
func (t *tx) search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	after, err := lists.ReadKey(f.After, func(k searchKey) bool { return k.Row != 0 })
	if err != nil {
		return func(yield func(ledger.SearchHit, error) bool) { yield(ledger.SearchHit{}, err) }
	}
	limit, w := f.Limit, t.wordSearch(q, f)
	ranked := lists.Later(func() ([]matchedRow, error) { return w.ranked(ctx, after, limit) })
	return lists.Described(ranked, listBatch, func(page []matchedRow) ([]ledger.SearchHit, error) {
		return w.hits(ctx, page)
	})
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

// wordSearch finds reports and notes by their words and a filter.
type wordSearch struct {
	*search
	match string
}

// A matchedRow is a report, or the notes of a slot, that matches and that the filter keeps.
type matchedRow struct {
	searchKey
	slot      int64
	report    int64 // 0 for notes
	violation int64 // 0 if the report does not count for one
}

// searchKey is what hits are sorted by.
type searchKey struct {
	// Score is FTS5's: the smaller, the better.
	Score float64 `json:"score"`
	// At is when it was reported.
	At string `json:"at"`
	// Row is its row in the index of words.
	Row int64 `json:"row"`
}

// compare orders hits best first, and newest first if they are equally good.
func (k searchKey) compare(other searchKey) int {
	return cmp.Or(cmp.Compare(k.Score, other.Score), cmp.Compare(other.At, k.At), cmp.Compare(other.Row, k.Row))
}

// matchBatch is how many matching rows are checked against the filter at a time.
const matchBatch = 1000

// ranked returns the matches after the key, best first, each violation once, up to the limit. Limit
// 0 means all.
func (w *wordSearch) ranked(ctx context.Context, after *searchKey, limit int) ([]matchedRow, error) {
	if err := w.keep(ctx); err != nil {
		return nil, err
	}
	enough := math.MaxInt
	if limit > 0 {
		enough = max(limit, ledger.Ranked)
	}
	var found []matchedRow
	for before, more := int64(math.MaxInt64), true; more && len(found) < enough; {
		rows, err := w.MatchingRows(ctx, db.MatchingRowsParams{Query: w.match, Before: before, AtMost: matchBatch})
		if err != nil {
			return nil, err
		}
		if more = len(rows) == matchBatch; more {
			before = rows[len(rows)-1].ID
		}
		kept, err := w.kept(ctx, rows)
		if err != nil {
			return nil, err
		}
		found = append(found, kept...)
	}
	slices.SortFunc(found, func(a, b matchedRow) int { return a.compare(b.searchKey) })
	seen := map[int64]bool{0: false}
	found = slices.DeleteFunc(found, func(m matchedRow) bool {
		repeated := seen[m.violation]
		seen[m.violation] = m.violation != 0
		return repeated || after != nil && m.compare(*after) <= 0
	})
	return found[:min(len(found), cmp.Or(limit, math.MaxInt))], nil
}

// kept returns the matches among the rows that the filter keeps.
func (w *wordSearch) kept(ctx context.Context, rows []db.MatchingRowsRow) ([]matchedRow, error) {
	scores, ids := map[int64]float64{}, make([]int64, 0, len(rows))
	for _, row := range rows {
		scores[row.ID], ids = row.Score, append(ids, row.ID)
	}
	searched, err := w.SearchedRows(ctx, asJSON(ids))
	if err != nil {
		return nil, err
	}
	matches := make([]matchedRow, 0, len(searched))
	for _, row := range searched {
		matches = append(matches, matchedRow{searchKey{scores[row.ID], row.At, row.ID}, row.Slot, row.Report, row.Violation})
	}
	violations, err := w.keptViolations(ctx, matches)
	if err != nil {
		return nil, err
	}
	discards, err := w.discards(ctx, matches)
	if err != nil {
		return nil, err
	}
	notes, err := w.notes(ctx, matches)
	return slices.DeleteFunc(matches, func(m matchedRow) bool {
		return !violations[m.violation] && discards[m.report] == nil && (m.report != 0 || notes[m.slot] == nil)
	}), err
}

// keptViolations returns the set of the matches' violations that the filter keeps.
func (w *wordSearch) keptViolations(ctx context.Context, matches []matchedRow) (map[int64]bool, error) {
	ids := rowsIn(matches, func(m matchedRow) int64 { return m.violation })
	kept := map[int64]bool{}
	if len(ids) == 0 {
		return kept, nil
	}
	l := w.list.Clone()
	w.keepSeen(&l, true, true)
	l.KeepColumn("id", "among", asJSON(ids))
	for id, err := range w.ListIDs(ctx, l) {
		if err != nil {
			return nil, err
		}
		kept[id] = true
	}
	return kept, nil
}

// rowsIn returns the rows of the matches that have one, each once.
func rowsIn(matches []matchedRow, row func(matchedRow) int64) (ids []int64) {
	for _, m := range matches {
		if id := row(m); id != 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// discards returns the discarded reports among the matches that the filter keeps.
func (w *wordSearch) discards(ctx context.Context, matches []matchedRow) (map[int64]*ledger.Report, error) {
	found := map[int64]*ledger.Report{}
	ids := rowsIn(matches, func(m matchedRow) int64 {
		if m.violation != 0 {
			return 0
		}
		return m.report
	})
	if len(ids) == 0 || w.filter.OnlyViolations() {
		return found, nil
	}
	return found, foundReports.Each(ctx, w.Queries, func(r *report) {
		if d := r.Report; lists.KeepsDiscard(w.filter, d) {
			found[r.Row] = &d
		}
	}, append(inRuns(w.filter, w.repositories), sql.Named("rows", asJSON(ids)))...)
}

// notes returns the notes among the matches that the filter keeps, by slot and without their text.
func (w *wordSearch) notes(ctx context.Context, matches []matchedRow) (map[int64]*ledger.SlotNotes, error) {
	found := map[int64]*ledger.SlotNotes{}
	ids := rowsIn(matches, func(m matchedRow) int64 {
		if m.report != 0 {
			return 0
		}
		return m.slot
	})
	if len(ids) == 0 || w.filter.OnlyReports() {
		return found, nil
	}
	return found, foundNotes.Each(ctx, w.Queries, func(s *notes) {
		if n := s.SlotNotes; lists.KeepsNotes(w.filter, n) {
			found[s.Row] = &n
		}
	}, append(inRuns(w.filter, w.repositories), sql.Named("rows", asJSON(ids)))...)
}

// hits reads what a page of matches shows.
func (w *wordSearch) hits(ctx context.Context, page []matchedRow) ([]ledger.SearchHit, error) {
	var violations []int64 // in the order of the page
	for _, m := range page {
		if m.violation != 0 {
			violations = append(violations, m.violation)
		}
	}
	found, err := w.details(ctx, violations)
	if err != nil {
		return nil, err
	}
	discards, err := w.discards(ctx, page)
	if err != nil {
		return nil, err
	}
	notes, err := w.notes(ctx, page)
	if err != nil {
		return nil, err
	}
	texts, err := w.snippets(ctx, page)
	hits := make([]ledger.SearchHit, 0, len(page))
	for _, m := range page {
		hit := ledger.SearchHit{Cursor: lists.Opaque(m.searchKey), Title: texts[m.Row].Title, Snippet: ledger.Snippet(texts[m.Row].Snippet)}
		switch {
		case m.violation != 0:
			hit.Violation, found = &found[0], found[1:]
		case m.report != 0:
			hit.Discard = discards[m.report]
		default:
			hit.Notes = notes[m.slot]
		}
		hits = append(hits, hit)
	}
	return hits, err
}

// snippets returns, by row, the titles and the best parts of the matches.
func (w *wordSearch) snippets(ctx context.Context, page []matchedRow) (map[int64]db.SnippetsRow, error) {
	ids := rowsIn(page, func(m matchedRow) int64 { return m.Row })
	rows, err := w.Snippets(ctx, db.SnippetsParams{Query: w.match, Ids: asJSON(ids)})
	byRow := map[int64]db.SnippetsRow{}
	for _, row := range rows {
		byRow[row.ID] = row
	}
	return byRow, err
}
