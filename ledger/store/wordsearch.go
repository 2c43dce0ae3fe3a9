package store

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Ranked is how many reports that match are ranked at least. Where more match, these
// are the newest of them, so that a word that half of all reports have is found nearly as
// fast as a rare one. A higher limit ranks as many as it asks for.
const Ranked = 200

// searchBatch is how many reports that match are looked at first; after that twice as
// many each time. Of what a filter leaves it is half as many, for these are looked up.
const searchBatch = 1000

// Search finds what reviewers said, and how it was answered: each violation once, by
// its report that matches best, and the reports that filters removed, unless the filter
// asks for what only violations have. Best first, and of equals the newest first; the
// filter's order does not matter. A cursor that is not of a search is [ledger.ErrCursor].
func (l *Store) Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) (hits []ledger.SearchHit, err error) {
	if len(q.All) == 0 {
		return nil, nil
	}
	err = l.read(ctx, "search the ledger", func(t *tx) error {
		after, err := searchCursor(f.After)
		if err != nil {
			return err
		}
		limit := f.Limit
		f.Limit, f.After, f.Sort = 0, "", ledger.SortNewest
		w := &wordSearch{search: &search{tx: t, filter: f}, match: matchExpression(q), target: max(limit, Ranked)}
		if limit == 0 {
			w.target = math.MaxInt
		}
		if err := w.find(ctx); err != nil {
			return err
		}
		hits, err = w.hits(ctx, after, limit)
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

// wordSearch finds reports by their words and a filter.
type wordSearch struct {
	*search
	match string
	// target is how many reports are enough.
	target int
	// noViolation is set where no violation lies in a file that the filter names.
	noViolation bool
	found       []foundReport
}

// foundReport is a report that matches, and that the filter keeps.
type foundReport struct {
	id        int64
	violation int64                // 0: filters removed the report
	discard   *ledger.ListedReport // nil: it belongs to a violation
	title     string
	snippet   ledger.MarkedText
	score     float64
}

// find finds enough reports, the newest. It holds what matches against the filter, and
// where that keeps too little of it, by turns what the filter leaves against the index:
// either may be a million times as long as the other. The first to have enough, or all,
// is the answer.
func (w *wordSearch) find(ctx context.Context) error {
	known, err := w.scope(ctx)
	if err != nil || !known {
		return err
	}
	if known, err = w.files(ctx); err != nil {
		return err
	}
	w.noViolation = !known
	w.conditions()
	before := int64(math.MaxInt64)
	for batch := searchBatch; ; batch *= 2 {
		ids, err := idsOf(w.MatchingReports(ctx, db.MatchingReportsParams{Query: w.match, Before: before, AtMost: int64(batch)}))
		if err != nil {
			return err
		}
		kept, err := w.keep(ctx, ids)
		w.found = append(w.found, kept...)
		if err != nil || len(ids) < batch || len(w.found) >= w.target {
			return err
		}
		before = ids[len(ids)-1]
		filtered, all, err := w.filtered(ctx, batch/2)
		if err != nil {
			return err
		}
		if all || len(filtered) >= w.target {
			w.found = filtered
			return nil
		}
	}
}

// keep returns those of the matching reports that the filter keeps. They come newest
// first.
func (w *wordSearch) keep(ctx context.Context, ids []int64) ([]foundReport, error) {
	if len(ids) == 0 {
		return nil, nil
	}
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
	p := w.params
	p.Candidates, p.Matched, p.AtMost = fromMatched, jsonList(slices.Compact(ids)), -1
	rows, err := idsOf(w.FilteredViolations(ctx, p))
	for _, id := range rows {
		kept[id] = true
	}
	return kept, err
}

// addDiscards adds those reports that filters removed, and that the filter keeps.
func (w *wordSearch) addDiscards(ctx context.Context, ids string, found map[int64]foundReport) error {
	if w.filter.OnlyViolations() {
		return nil
	}
	rows, err := w.DiscardedReportsByID(ctx, db.DiscardedReportsByIDParams{
		Ids: ids, Model: w.params.Model, Repositories: w.params.Repositories,
	})
	for _, row := range rows {
		d := discardFrom(row)
		if oneOf(w.filter.Branch, text(row.Branch)) && oneOf(w.filter.Worktree, row.Worktree) && keepsDiscard(w.filter, d) {
			found[row.Report.ID] = foundReport{discard: &d}
		}
	}
	return err
}

// filtered finds those that match of so many violations that the filter leaves, the
// newest, and of as many reports that filters removed. It reports whether they are all.
func (w *wordSearch) filtered(ctx context.Context, atMost int) (list []foundReport, all bool, err error) {
	found := map[int64]foundReport{}
	all = true
	if !w.noViolation {
		if err := w.narrowest(ctx); err != nil {
			return nil, false, err
		}
		p := w.params
		p.AtMost = int64(atMost)
		violations, err := idsOf(w.FilteredViolations(ctx, p))
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
		r.id, r.title, r.snippet, r.score = row.ID, texts.Title.String(), texts.Snippet(), texts.Relevance()
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

// hits lists what was found, best first.
func (w *wordSearch) hits(ctx context.Context, after *searchKey, limit int) ([]ledger.SearchHit, error) {
	slices.SortFunc(w.found, func(a, b foundReport) int { return keyOf(a).compare(keyOf(b)) })
	seen := map[int64]bool{}
	w.found = slices.DeleteFunc(w.found, func(r foundReport) bool {
		before := r.violation != 0 && seen[r.violation]
		seen[r.violation] = true
		return before
	})
	if after != nil {
		w.found = slices.DeleteFunc(w.found, func(r foundReport) bool { return keyOf(r).compare(*after) <= 0 })
	}
	if limit > 0 && len(w.found) > limit {
		w.found = w.found[:limit]
	}
	violations := map[int64]*ledger.ListedViolation{}
	for batch := range slices.Chunk(w.found, listBatch) {
		if err := w.addDetails(ctx, batch, violations); err != nil {
			return nil, err
		}
	}
	hits := make([]ledger.SearchHit, 0, len(w.found))
	for _, r := range w.found {
		hits = append(hits, ledger.SearchHit{
			Violation: violations[r.violation], Discard: r.discard, Title: r.title, Snippet: r.snippet, Cursor: keyOf(r).cursor(),
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

// searchKey is what hits are sorted by.
type searchKey struct {
	Score  float64 `json:"score"`
	Report int64   `json:"report"`
}

func keyOf(r foundReport) searchKey { return searchKey{r.score, r.id} }

func (k searchKey) compare(other searchKey) int {
	return cmp.Or(-cmp.Compare(k.Score, other.Score), -cmp.Compare(k.Report, other.Report))
}

func (k searchKey) cursor() string { return opaque(k) }

// searchCursor reads a cursor, or returns nil where there is none.
func searchCursor(text string) (*searchKey, error) {
	if text == "" {
		return nil, nil
	}
	var key searchKey
	if err := readCursor(text, &key); err != nil {
		return nil, err
	}
	if key.Report <= 0 {
		return nil, cursorError(text)
	}
	return &key, nil
}
