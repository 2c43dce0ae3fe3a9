package store

import (
	"cmp"
	"context"
	"database/sql"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// EachHit implements [ledger.Questions].
func (l *Store) EachHit(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) iter.Seq2[ledger.SearchHit, error] {
	return lists.Later(func() ([]ledger.SearchHit, error) { return l.Search(ctx, q, f) })
}

// Search finds what reviewers said, and how it was answered: each violation once, by
// its report that matches best, and the reports that filters removed, unless the filter
// asks for what only violations have. Best first, and of equals the newest first; the
// filter's order does not matter. A cursor that is not of a search is [ledger.ErrCursor].
func (l *Store) Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) (hits []ledger.SearchHit, err error) {
	if len(q.All) == 0 {
		return nil, nil
	}
	err = l.withWords(ctx, func(l *Store) (err error) {
		hits, err = l.search(ctx, q, f)
		return err
	})
	return hits, err
}

func (l *Store) search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) (hits []ledger.SearchHit, err error) {
	err = l.readListed(ctx, "search the ledger", f, func(t *tx) error {
		after, err := lists.ReadKey(f.After, func(k searchKey) bool { return k.Report != 0 })
		if err != nil {
			return err
		}
		limit := f.Limit
		f.Limit, f.After, f.Sort = 0, "", ledger.SortNewest
		w := &wordSearch{search: &search{tx: t, filter: f}, match: matchExpression(q), before: math.MaxInt64}
		hits = []ledger.SearchHit{}
		if known, err := w.scope(ctx); err != nil || !known {
			return err
		}
		known, err := w.files(ctx)
		if err != nil {
			return err
		}
		w.noViolation = !known
		w.conditions()
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

// matchExpression is the query in the language of FTS5, where everything in quotes is
// plain text.
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
	// before is the last report that was looked at.
	before int64
	// noViolation is set where no violation lies in a file that the filter names.
	noViolation bool
}

// foundReport is a report that matches, and that the filter keeps.
type foundReport struct {
	id        int64
	violation int64                // 0: it is none
	discard   *ledger.ListedReport // nil: filters did not remove it
	notes     *ledger.SlotNotes    // nil: it is a report
	title     string
	snippet   ledger.MarkedText
	score     float64
	at        string // when it was said
}

// Matching implements [lists.Searcher].
func (w *wordSearch) Matching(ctx context.Context, batch int) (kept []foundReport, all bool, err error) {
	ids, err := idsOf(w.MatchingReports(ctx, db.MatchingReportsParams{Query: w.match, Before: w.before, AtMost: int64(batch)}))
	if err != nil || len(ids) == 0 {
		return nil, true, err
	}
	w.before = ids[len(ids)-1]
	kept, err = w.keep(ctx, ids)
	return kept, len(ids) < batch, err
}

// keep returns those of the matching reports that the filter keeps. They come newest
// first.
func (w *wordSearch) keep(ctx context.Context, ids []int64) ([]foundReport, error) {
	list := jsonList(ids)
	reports, err := w.ViolationsOfReports(ctx, list)
	if err != nil {
		return nil, err
	}
	var violations []int64
	for _, r := range reports {
		if r.Accepted && r.ViolationID != nil {
			violations = append(violations, *r.ViolationID)
		}
	}
	kept, err := w.keptViolations(ctx, violations)
	if err != nil {
		return nil, err
	}
	found := map[int64]foundReport{}
	for _, r := range reports {
		if r.Accepted && r.ViolationID != nil && kept[*r.ViolationID] {
			found[r.ID] = foundReport{violation: *r.ViolationID}
		}
	}
	if len(violations) < len(reports) {
		if err := w.addDiscards(ctx, list, found); err != nil {
			return nil, err
		}
	}
	return w.marked(ctx, found)
}

// keptViolations are those that the filter keeps.
func (w *wordSearch) keptViolations(ctx context.Context, ids []int64) (map[int64]bool, error) {
	kept := map[int64]bool{}
	if len(ids) == 0 || w.noViolation {
		return kept, nil
	}
	slices.Sort(ids)
	l := w.list.Clone()
	l.From = fromIDs
	w.keepFiles(&l, false)
	w.keepSeen(&l, true, true)
	l.Keep("ids given", sql.Named("ids", jsonList(slices.Compact(ids))))
	for id, err := range w.ListIDs(ctx, l) {
		if err != nil {
			return nil, err
		}
		kept[id] = true
	}
	return kept, nil
}

// addDiscards adds those reports that filters removed, and that the filter keeps.
func (w *wordSearch) addDiscards(ctx context.Context, ids string, found map[int64]foundReport) error {
	if w.filter.OnlyViolations() {
		return nil
	}
	rows, err := w.DiscardedReportsByID(ctx, db.DiscardedReportsByIDParams{
		Ids: ids, Model: w.filter.Model, Repositories: w.repositories,
	})
	for _, row := range rows {
		d := discardFrom(row)
		if lists.OneOf(w.filter.Branch, text(row.Branch)) && lists.OneOf(w.filter.Worktree, row.Worktree) && lists.KeepsDiscard(w.filter, d) {
			found[row.Report.ID] = foundReport{discard: &d}
		}
	}
	return err
}

// Filtered implements [lists.Searcher].
func (w *wordSearch) Filtered(ctx context.Context, atMost int) (list []foundReport, all bool, err error) {
	found := map[int64]foundReport{}
	all = true
	if !w.noViolation {
		violations, err := w.newestKept(ctx, atMost)
		if err != nil {
			return nil, false, err
		}
		all = len(violations) < atMost
		reports, err := w.AcceptedReports(ctx, jsonList(append([]int64{0}, violations...)))
		if err != nil {
			return nil, false, err
		}
		for _, r := range reports {
			found[r.ID] = foundReport{violation: *r.ViolationID}
		}
	}
	if !w.filter.OnlyViolations() {
		discards, err := idsOf(w.NewestDiscards(ctx, int64(atMost)))
		if err != nil {
			return nil, false, err
		}
		all = all && len(discards) < atMost
		if err := w.addDiscards(ctx, jsonList(append([]int64{0}, discards...)), found); err != nil {
			return nil, false, err
		}
	}
	list, err = w.marked(ctx, found)
	return list, all, err
}

// newestKept are the newest violations that the filter keeps.
func (w *wordSearch) newestKept(ctx context.Context, atMost int) ([]int64, error) {
	from, err := w.source(ctx)
	if err != nil {
		return nil, err
	}
	l := w.ordered(from, nil)[0]
	l.AtMost = atMost
	return lists.Collect(w.ListIDs(ctx, l))
}

// lookUp is how many times as long it takes to look a report up in the index as to pass
// over one that matches while the index is read.
const lookUp = 200

// marked returns those of the reports that match, with their texts.
func (w *wordSearch) marked(ctx context.Context, found map[int64]foundReport) ([]foundReport, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids := slices.Sorted(maps.Keys(found))
	first, last := ids[0], ids[len(ids)-1]
	var rows []db.MarkedReportsRow
	var err error
	if last-first < int64(len(ids))*lookUp {
		var between []db.MarkedBetweenRow
		between, err = w.MarkedBetween(ctx, db.MarkedBetweenParams{Query: w.match, First: first, Last: last, Ids: jsonList(ids)})
		for _, row := range between {
			rows = append(rows, db.MarkedReportsRow(row))
		}
	} else {
		rows, err = w.MarkedReports(ctx, db.MarkedReportsParams{Query: w.match, Ids: jsonList(ids)})
	}
	list := make([]foundReport, 0, len(rows))
	for _, row := range rows {
		texts := ledger.SearchTexts{Title: marked(row.Title), Issue: marked(row.Issue), Fix: marked(row.Fix), Result: marked(row.Result)}
		r := found[row.ID]
		r.id, r.at, r.title, r.snippet, r.score = row.ID, row.At, texts.Title.String(), texts.Snippet(), texts.Relevance()
		list = append(list, r)
	}
	return list, err
}

// The marks that the queries put before and after what matches. A text that holds them
// itself is only marked in odd places.
const matchBegins, matchEnds = "\x02", "\x03"

// marked reads a text with marks.
func marked(text string) (parts ledger.MarkedText) {
	for text != "" {
		before, rest, found := strings.Cut(text, matchBegins)
		if before != "" {
			parts = append(parts, ledger.SnippetPart{Text: before})
		}
		if !found {
			break
		}
		match, after, _ := strings.Cut(rest, matchEnds)
		parts = append(parts, ledger.SnippetPart{Text: match, Match: true})
		text = after
	}
	return parts
}

// hits reads the violations of a page of what was found.
func (w *wordSearch) hits(ctx context.Context, page []foundReport) ([]ledger.SearchHit, error) {
	violations := map[int64]*ledger.ListedViolation{}
	for batch := range slices.Chunk(page, listBatch) {
		if err := w.addDetails(ctx, batch, violations); err != nil {
			return nil, err
		}
	}
	hits := make([]ledger.SearchHit, 0, len(page))
	for _, r := range page {
		hits = append(hits, ledger.SearchHit{
			Violation: violations[r.violation], Discard: r.discard, Notes: r.notes, Title: r.title, Snippet: r.snippet, Cursor: lists.Opaque(r.Key()),
		})
	}
	return hits, nil
}

func (w *wordSearch) addDetails(ctx context.Context, batch []foundReport, violations map[int64]*ledger.ListedViolation) error {
	var ids []int64
	for _, r := range batch {
		if r.violation != 0 {
			ids = append(ids, r.violation)
		}
	}
	found, err := w.details(ctx, ids)
	for i := range found {
		violations[ids[i]] = &found[i]
	}
	return err
}

// searchKey is what hits are sorted by. Report is the row of a report; of notes it is that of
// their slot, with a minus.
type searchKey struct {
	Score  float64 `json:"score"`
	At     string  `json:"at"`
	Report int64   `json:"report"`
}

// Key implements [lists.Found].
func (r foundReport) Key() searchKey { return searchKey{r.score, r.at, r.id} }

// Of implements [lists.Found].
func (r foundReport) Of() int64 { return r.violation }

// compare puts the best first, and of equals the newest. Of those that are as old, too, which
// one slot said, or an import has brought, the last row comes first.
func (k searchKey) compare(other searchKey) int {
	if by := -cmp.Or(cmp.Compare(k.Score, other.Score), cmp.Compare(k.At, other.At)); by != 0 {
		return by
	}
	if k.Report < 0 && other.Report < 0 {
		return cmp.Compare(k.Report, other.Report)
	}
	return -cmp.Compare(k.Report, other.Report)
}
