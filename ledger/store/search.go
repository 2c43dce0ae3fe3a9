package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Where the violations come from that a filter is held against: the words of
// FilteredViolations.
const (
	fromAll         = "all"
	fromOpen        = "open"
	fromStatus      = "status"
	fromPriority    = "priority"
	fromStatuses    = "statuses"
	fromFixLines    = "in_fix_lines"
	fromRecurring   = "recurring"
	fromRuns        = "runs"
	fromFingerprint = "fingerprint"
	fromFiles       = "files"
	fromEvents      = "events"
	fromChanged     = "changed"
	byFile          = "by_file"
	byChange        = "by_change"
	fromMatched     = "matched" // what a search has found
)

// fewFiles is how many files a pattern may match to be looked up file by file.
// Where it matches more, the newest violations soon have enough that match.
const fewFiles = 200

// fewRuns is of how many runs all violations may be read and sorted.
const fewRuns = 500

// fewViolations is how many candidates may be read and sorted. Where there are more,
// all violations are read in the order of the list until enough have matched.
const fewViolations = 10_000

// listBatch is how many violations are read at a time.
const listBatch = 4000

// listed lists what the filter keeps, in its order.
func (t *tx) listed(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	rows, err := t.listedIDs(ctx, f)
	if err != nil || rows == nil {
		return nil, err
	}
	found := make([]ledger.ListedViolation, 0, len(rows))
	for batch := range slices.Chunk(rows, listBatch) {
		violations, err := t.details(ctx, batch)
		if err != nil {
			return nil, err
		}
		found = append(found, violations...)
	}
	return found, nil
}

// listedIDs are the rows of what the filter keeps, in its order.
func (t *tx) listedIDs(ctx context.Context, f ledger.ViolationFilter) ([]int64, error) {
	s := &search{tx: t, filter: f}
	after, err := s.cursor(ctx)
	if err != nil {
		return nil, err
	}
	if known, err := s.scope(ctx); err != nil || !known {
		return nil, err
	}
	if known, err := s.files(ctx); err != nil || !known {
		return nil, err
	}
	s.conditions()
	if err := s.narrowest(ctx); err != nil {
		return nil, err
	}
	return s.ordered(ctx, after)
}

// search makes the parameters of FilteredViolations for a filter.
type search struct {
	*tx
	filter ledger.ViolationFilter
	params db.FilteredViolationsParams
	// oneFile is set where the filter names a file, not a pattern.
	oneFile bool
	// runs is how many runs the filter leaves, 0 if it does not say.
	runs int
	// few is set where the candidates are few enough to be sorted.
	few bool
}

// scope finds the runs and jobs that the filter leaves, and reports false if there
// are none.
func (s *search) scope(ctx context.Context) (known bool, err error) {
	f := s.filter
	var runs []int64
	if f.Run != "" {
		run, err := s.RunByULID(ctx, f.Run)
		if err != nil {
			return false, err
		}
		runs = []int64{run.ID}
	}
	if f.Branch != "" || f.Worktree != "" {
		rows, err := s.RunsOfScope(ctx, db.RunsOfScopeParams{Branch: f.Branch, Worktree: f.Worktree})
		if err != nil {
			return false, err
		}
		chosen := []int64{}
		for _, run := range rows {
			if runs == nil || runs[0] == run {
				chosen = append(chosen, run)
			}
		}
		runs = chosen
	}
	if s.params.Jobs, err = s.jobsOf(ctx, f.Gate, f.EntryPoint); err != nil {
		return false, err
	}
	if s.params.Repositories, err = s.repositoriesOf(ctx, f.Repository); err != nil {
		return false, err
	}
	s.runs, s.params.Runs = len(runs), jsonList(runs)
	return (runs == nil || len(runs) > 0) && s.params.Jobs != noRows, nil
}

// files finds the files that the filter's pattern matches, for SQL knows no
// patterns, and reports false if there are none. A folder needs no list.
func (s *search) files(ctx context.Context) (known bool, err error) {
	s.params.Files = anyWord
	pattern := s.filter.File
	if pattern == "" || pattern == "**" {
		return true, nil
	}
	prefix := lists.LiteralPrefix(pattern)
	if prefix == pattern {
		s.oneFile = true
		s.params.Files = jsonList([]string{pattern})
		return true, nil
	}
	if folder, ok := lists.FolderOf(pattern); ok {
		// One more than few tells that there are many.
		below, err := s.filesBetween(ctx, folder+"/", folder+"0", fewFiles+1)
		if err != nil {
			return false, err
		}
		if len(below) <= fewFiles {
			s.params.Files = jsonList(append(below, folder))
			return true, nil
		}
		s.params.Folder = folder
		return true, nil
	}
	files, err := s.filesBetween(ctx, prefix, lists.PrefixEnd(prefix), -1)
	files = slices.DeleteFunc(files, func(file string) bool { return !lists.MatchesFile(s.filter, file) })
	s.params.Files = jsonList(append([]string{}, files...))
	return len(files) > 0, err
}

func (t *tx) filesBetween(ctx context.Context, first, last string, limit int64) (files []string, err error) {
	text, err := t.FilesBetween(ctx, db.FilesBetweenParams{First: first, Last: last, AtMost: limit})
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal([]byte(text), &files)
	return files, err
}

// conditions sets what the filter says of a violation itself.
func (s *search) conditions() {
	f, p := s.filter, &s.params
	p.Since, p.Before = since(f.Reported), until(f.Reported)
	p.ChangedSince, p.ChangedUntil = since(f.Changed), until(f.Changed)
	p.Statuses, p.Priorities, p.Reasons, p.Actors = jsonList(f.Statuses), jsonList(f.Priorities), jsonList(f.Reasons), jsonList(f.Actors)
	p.Adapter, p.Model, p.Slot, p.Iteration, p.Fingerprint = f.Adapter, f.Model, int64(f.Slot), int64(f.Iteration), f.Fingerprint
	p.Alone, p.InFixLines, p.Recurring = boolean(f.Alone), boolean(f.InFixLines), boolean(f.Recurring)
	p.Events, p.EventSince, p.EventUntil = jsonList(f.Events.Statuses), since(f.Events.At), until(f.Events.At)
	p.EventIteration = int64(f.Events.Iteration)
	p.Matched = anyWord
}

// narrowest chooses the list of violations that is the shortest to search.
func (s *search) narrowest(ctx context.Context) error {
	f, p := s.filter, &s.params
	few, err := s.fewChanged(ctx)
	if err != nil {
		return err
	}
	var many []string
	_ = json.Unmarshal([]byte(p.Files), &many) // it was made here
	s.few = true
	switch {
	case f.Run != "" || s.runs > 0 && s.runs <= fewRuns:
		p.Candidates = fromRuns
	case f.Fingerprint != "":
		p.Candidates = fromFingerprint
	case s.oneFile:
		p.Candidates = fromFiles
	case lists.OnlyOpen(f):
		return s.marked(ctx, fromOpen, s.CountOpenUpTo)
	case f.InFixLines:
		return s.marked(ctx, fromFixLines, s.CountInFixLinesUpTo)
	case f.Recurring:
		return s.marked(ctx, fromRecurring, s.CountRecurringUpTo)
	case len(f.Events.Statuses) > 0 && f.Events.At != (ledger.Period{}):
		p.Candidates = fromEvents
	case few:
		p.Candidates = fromChanged
	case len(many) > 0 && (len(many) <= fewFiles+1 || f.Limit == 0):
		p.Candidates = fromFiles
	default:
		return s.common(ctx)
	}
	return nil
}

// marked chooses the list of violations that have a mark of their own, of which there may be
// many.
func (s *search) marked(ctx context.Context, candidates string, count func(context.Context, int64) (int64, error)) error {
	n, err := count(ctx, fewViolations)
	s.few, s.params.Candidates = n < fewViolations, candidates
	return err
}

// fewChanged reports whether the filter asks for a time of the latest change in which
// few violations changed.
func (s *search) fewChanged(ctx context.Context) (bool, error) {
	if s.filter.Changed.Since.IsZero() {
		return false, nil
	}
	n, err := s.CountChanged(ctx, db.CountChangedParams{Since: s.params.ChangedSince, Until: s.params.ChangedUntil, AtMost: fewViolations})
	return n < fewViolations, err
}

// common chooses the list for a filter that may leave many violations.
func (s *search) common(ctx context.Context) error {
	f, p := s.filter, &s.params
	statuses := f.Statuses
	if len(statuses) == 0 && len(f.Reasons) > 0 {
		statuses = []ledger.Status{ledger.StatusSkipped}
	}
	s.few, p.Candidates = false, fromAll
	few, err := s.fewWith(ctx, statuses)
	switch {
	case err != nil:
		return err
	case len(statuses) == 1:
		s.few, p.Candidates, p.Candidate = few, fromStatus, string(statuses[0])
	case few:
		s.few, p.Candidates, p.Statuses = true, fromStatuses, jsonList(statuses)
	case len(f.Priorities) == 1:
		p.Candidates, p.Candidate = fromPriority, string(f.Priorities[0])
	}
	return nil
}

// fewWith reports whether few violations have one of the statuses, if there are some.
func (s *search) fewWith(ctx context.Context, statuses []ledger.Status) (bool, error) {
	n := int64(0)
	for _, status := range statuses {
		with, err := s.CountWithStatus(ctx, db.CountWithStatusParams{Status: string(status), AtMost: fewViolations})
		if err != nil {
			return false, err
		}
		n += with
	}
	return len(statuses) > 0 && n < fewViolations, nil
}

// ordered finds the violations that the filter keeps, in its order.
func (s *search) ordered(ctx context.Context, after *afterKey) ([]int64, error) {
	f, p := s.filter, &s.params
	p.AtMost = atMost(f.Limit)
	switch {
	case f.Sort == "" || f.Sort == ledger.SortNewest:
		return s.newest(ctx, after)
	case f.Sort == ledger.SortOldest:
		return s.oldest(ctx, after)
	case s.few:
	case f.Sort == ledger.SortFile && f.Limit > 0:
		return s.fileByFile(ctx, after)
	case f.Sort == ledger.SortPriority:
		return s.wordByWord(ctx, fromPriority, lists.WordsOf(ledger.Priorities(), f.Priorities, after.lists()), after)
	case f.Sort == ledger.SortStatus:
		return s.wordByWord(ctx, fromStatus, lists.WordsOf(ledger.ShownStatuses(), f.Statuses, after.lists()), after)
	case f.Sort == ledger.SortChanged:
		p.Candidates, p.BeforeChange, p.ChangeSeen = byChange, latest, latest
		if after != nil {
			p.BeforeChange, p.ChangeSeen, p.ChangeID = after.Down, after.FirstSeen, after.id
		}
		return idsOf(s.FilteredViolations(ctx, *p))
	}
	return s.sorted(ctx, after)
}

// newest lists the candidates newest first.
func (s *search) newest(ctx context.Context, after *afterKey) ([]int64, error) {
	p := s.params
	if after != nil && after.FirstSeen < p.Before {
		p.Before, p.BeforeID = after.FirstSeen, after.id
	}
	return idsOf(s.FilteredViolations(ctx, p))
}

// oldest lists the candidates oldest first.
func (s *search) oldest(ctx context.Context, after *afterKey) ([]int64, error) {
	if after != nil && after.FirstSeen >= s.params.Since {
		s.params.Since, s.params.SinceID = after.FirstSeen, after.id
	}
	list := func(p db.FilteredViolationsParams) ([]int64, error) {
		p.AtMost = -1
		rows, err := idsOf(s.FilteredViolations(ctx, p))
		slices.Reverse(rows)
		return rows, err
	}
	if s.few || s.filter.Limit == 0 {
		rows, err := list(s.params)
		return s.page(rows), err
	}
	return s.partByPart(s.params.Since, func(first string, many int64) (string, []int64, error) {
		p := s.params
		if p.Since = first; first != s.params.Since {
			p.SinceID = 0
		}
		edge, err := s.EdgeOfTime(ctx, db.EdgeOfTimeParams{First: first, Many: many})
		if err != nil {
			return "", nil, err
		}
		if edge >= p.Before {
			edge = ""
		}
		if edge != "" {
			p.Before, p.BeforeID = edge, 0
		}
		rows, err := list(p)
		return edge, rows, err
	})
}

// fileByFile lists violations by file and line. Where few of many match, the order of
// files is left: to read the violations in it takes longer than to sort what matches.
func (s *search) fileByFile(ctx context.Context, after *afterKey) ([]int64, error) {
	common := s.params.Candidates
	first, last := lists.LiteralPrefix(s.filter.File), ""
	if s.params.Folder != "" {
		first = s.params.Folder
	}
	if first != "" {
		last = lists.PrefixEnd(first)
	}
	if after != nil {
		first = after.File()
	}
	return s.partByPart(first, func(first string, many int64) (string, []int64, error) {
		s.params.FirstFile, s.params.LastFile, s.params.Candidates = first, last, common
		if many > fewViolations {
			rows, err := s.sorted(ctx, after)
			return "", rows, err
		}
		edge, err := s.EdgeOfFiles(ctx, db.EdgeOfFilesParams{First: first, Many: many})
		if err != nil {
			return "", nil, err
		}
		if last != "" && edge >= last {
			edge = ""
		}
		s.params.LastFile, s.params.Candidates = cmp.Or(edge, last), byFile
		rows, err := s.sorted(ctx, after)
		return edge, rows, err
	})
}

// partByPart lists violations in an order in which all of them can be cut into parts, of
// which each is sorted by itself, until there are enough. part lists what the filter
// keeps of the part that begins at first and has more than so many violations, and
// returns where the next one begins, or "" after the last one.
func (s *search) partByPart(first string, part func(first string, many int64) (next string, rows []int64, err error)) (rows []int64, err error) {
	for many := int64(s.filter.Limit); ; many *= 4 {
		next, found, err := part(first, many)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, found...); next == "" || len(rows) >= s.filter.Limit {
			return s.page(rows), nil
		}
		first = next
	}
}

// page is the beginning of a list, as long as the limit lets it be.
func (s *search) page(rows []int64) []int64 {
	if limit := s.filter.Limit; limit > 0 && len(rows) > limit {
		return rows[:limit]
	}
	return rows
}

// sorted sorts all that the filter keeps.
func (s *search) sorted(ctx context.Context, after *afterKey) ([]int64, error) {
	p := s.params
	p.AtMost = -1
	ids, err := s.FilteredViolations(ctx, p)
	if err != nil {
		return nil, err
	}
	return idsOf(s.SortedViolations(ctx, db.SortedViolationsParams{
		Sort: string(s.filter.Sort), StatusOrder: statusOrder(), Ids: ids, After: after.key(), AtMost: s.params.AtMost,
	}))
}

// wordByWord lists the violations with the first word, newest first, then those with
// the next one, until there are enough.
func (s *search) wordByWord(ctx context.Context, candidates string, words []string, after *afterKey) (rows []int64, err error) {
	limit := s.filter.Limit
	s.params.Candidates = candidates
	for _, word := range words {
		s.params.Candidate, s.params.AtMost = word, -1
		if limit > 0 {
			s.params.AtMost = int64(limit - len(rows))
		}
		last := after
		if after != nil && after.Word() != word {
			last = nil
		}
		found, err := s.newest(ctx, last)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, found...); limit > 0 && len(rows) >= limit {
			break
		}
	}
	return rows, nil
}

// idsOf reads the answer of FilteredViolations or SortedViolations.
func idsOf(ids string, err error) (rows []int64, _ error) {
	if err != nil {
		return nil, err
	}
	return rows, json.Unmarshal([]byte(ids), &rows)
}
