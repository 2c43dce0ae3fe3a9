package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Names of the indexes from which lists of violations are read.
const (
	fromIDs         = ""
	fromSeen        = "violations_by_first_seen"
	fromOpen        = "violations_open"
	fromStatus      = "violations_by_status"
	fromPriority    = "violations_by_priority"
	fromFixLines    = "violations_in_fix_lines"
	fromRun         = "violations_by_run"
	fromFingerprint = "violations_by_fingerprint"
	fromFile        = "violations_by_file"
	fromChange      = "violations_by_change"
)

// fewFiles is the most files that a pattern may match for violations to be looked up file by file.
// If it matches more, reading the newest violations soon finds enough that match.
const fewFiles = 200

// fewRuns is the largest number of runs whose violations are all read and sorted.
const fewRuns = 500

// fewViolations is the largest number of candidates that are read and sorted, unless [Options] says
// otherwise. If there are more, violations are read in the order of the list until enough match.
const fewViolations = 10_000

// listBatch is how many violations are read at a time.
const listBatch = 500

// each yields the violations that the filter keeps, in its order, as they are read. At most one
// batch is in memory.
func (t *tx) each(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	describer := t.describer()
	return lists.Described(t.eachID(ctx, f), listBatch, func(ids []int64) ([]ledger.ListedViolation, error) {
		return describer.details(ctx, ids)
	})
}

// listed returns the violations that the filter keeps as a slice, for short lists.
func (t *tx) listed(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	return lists.Collect(t.each(ctx, f))
}

// eachID yields the rows of the violations that the filter keeps, in its order.
func (t *tx) eachID(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		s := &search{tx: t, filter: f}
		parts, err := s.parts(ctx)
		if err != nil {
			yield(0, err)
			return
		}
		left := f.Limit
		for _, part := range parts {
			part.AtMost = left
			for id, err := range t.ListIDs(ctx, part) {
				if !yield(id, err) || err != nil {
					return
				}
				left--
			}
			if f.Limit > 0 && left == 0 {
				return
			}
		}
	}
}

// search computes the list of violations that a filter keeps.
type search struct {
	*tx
	filter ledger.ViolationFilter
	// list has the conditions of the filter, except those on times and files.
	list db.List
	// repositories and fileNames are JSON arrays; [anyWord] means no restriction.
	repositories, fileNames string
	// oneFile is set if the filter names a file and not a pattern.
	oneFile bool
	// manyFiles is how many files the pattern matches, if that was looked up.
	manyFiles int
	// runs is how many runs the filter selects, or 0 if it does not restrict them.
	runs int
}

// parts returns lists that, one after another, make up the filter's list. It returns none if no
// violation can match.
func (s *search) parts(ctx context.Context) ([]db.List, error) {
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
	from, err := s.source(ctx)
	if err != nil {
		return nil, err
	}
	return s.ordered(from, after), nil
}

// scope finds the runs, jobs and repositories that the filter selects. It reports false if nothing
// can match.
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
	jobs, err := s.jobsOf(ctx, f.Gate, f.EntryPoint)
	if err != nil {
		return false, err
	}
	if s.repositories, err = s.repositoriesOf(ctx, f.Repository); err != nil {
		return false, err
	}
	switch s.runs = len(runs); s.runs {
	case 0:
	case 1:
		s.list.KeepColumn("run_id", "is", runs[0])
	default:
		s.list.KeepColumn("run_id", "among", orAny(runs))
	}
	if jobs != anyWord {
		s.list.KeepColumn("job_id", "among", jobs)
	}
	if s.repositories != anyWord {
		s.list.Keep("repositories", sql.Named("repositories", s.repositories))
	}
	return (runs == nil || len(runs) > 0) && jobs != noRows, nil
}

// files finds the files that match the filter's pattern, which SQL cannot match, and reports false
// if there are none. A folder that has many files needs no list: it is a condition of its own.
func (s *search) files(ctx context.Context) (known bool, err error) {
	s.fileNames = anyWord
	pattern := s.filter.File
	if pattern == "" || pattern == "**" {
		return true, nil
	}
	prefix := lists.LiteralPrefix(pattern)
	if prefix == pattern {
		s.oneFile, s.fileNames = true, ""
		return true, nil
	}
	if folder, ok := lists.FolderOf(pattern); ok {
		// One more than fewFiles shows that there are too many.
		below, err := s.filesBetween(ctx, folder+"/", folder+"0", fewFiles+1)
		if err != nil {
			return false, err
		}
		if len(below) <= fewFiles {
			s.among(append(below, folder))
		}
		return true, nil
	}
	files, err := s.filesBetween(ctx, prefix, lists.PrefixEnd(prefix), -1)
	files = slices.DeleteFunc(files, func(file string) bool { return !lists.MatchesFile(s.filter, file) })
	s.among(files)
	return len(files) > 0, err
}

// among restricts the list to violations in these files.
func (s *search) among(files []string) { s.fileNames, s.manyFiles = orAny(files), len(files) }

func (t *tx) filesBetween(ctx context.Context, first, last string, limit int64) (files []string, err error) {
	text, err := t.FilesBetween(ctx, db.FilesBetweenParams{First: first, Last: last, AtMost: limit})
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal([]byte(text), &files)
	return files, err
}

// conditions adds the filter's conditions on the violation itself, except those on its first-seen
// time and its file, which are written differently depending on the order.
func (s *search) conditions() {
	f, l := s.filter, &s.list
	if !f.Changed.Since.IsZero() {
		l.KeepColumn("status_at", "from", since(f.Changed))
	}
	if !f.Changed.Until.IsZero() {
		l.KeepColumn("status_at", "until", until(f.Changed))
	}
	keepWords(l, "shown", f.Shown())
	keepWords(l, "priority", f.Priorities)
	if len(f.Reasons) > 0 {
		l.Keep("reasons", sql.Named("reasons", orAny(f.Reasons)))
	}
	keepWord(l, "adapter", f.Adapter)
	if f.Model != "" {
		l.Keep("model", sql.Named("model", f.Model))
	}
	keepWord(l, "fingerprint", f.Fingerprint)
	keepWord(l, "slot", f.Slot)
	keepWord(l, "first_iteration", f.Iteration)
	if f.Alone {
		l.KeepColumn("shared", "is", 0)
	}
	keepMarked(l, "in_fix_lines", f.InFixLines)
	if f.Recurring {
		if !s.manyLines {
			l.KeepColumn("fingerprint", "among", orAny(s.lines))
		}
		l.Keep("recurring")
	}
	keepMarked(l, "open", lists.OnlyOpen(f))
	if len(f.Events.Statuses) > 0 {
		l.Keep("event", sql.Named("events", orAny(f.Events.Statuses)), sql.Named("event_since", since(f.Events.At)),
			sql.Named("event_until", until(f.Events.At)), sql.Named("event_iteration", f.Events.Iteration))
	}
}

// keepWords adds the condition that the column has one of the words. Only with a single word can
// the index keep its order.
func keepWords[W ~string](l *db.List, column string, words []W) {
	switch len(words) {
	case 0:
	case 1:
		l.KeepColumn(column, "is", string(words[0]))
	default:
		l.KeepColumn(column, "among", orAny(words))
	}
}

// keepWord adds the condition that the column has the word or number, unless that is the zero
// value.
func keepWord[W comparable](l *db.List, column string, word W) {
	if none := *new(W); word != none {
		l.KeepColumn(column, "is", word)
	}
}

func keepMarked(l *db.List, part string, wanted bool) {
	if wanted {
		l.Keep(part)
	}
}

// A source is where the candidates are read that are compared with the filter.
type source struct {
	index string
	// few is set if there are few enough candidates to sort.
	few bool
	// changedByEvent is set if the candidates are looked up by their events.
	changedByEvent bool
}

// source chooses the index with the fewest violations to read.
func (s *search) source(ctx context.Context) (source, error) {
	f := s.filter
	switch {
	case f.Run != "" || s.runs > 0 && s.runs <= fewRuns:
		return source{index: fromRun, few: true}, nil
	case f.Fingerprint != "":
		return source{index: fromFingerprint, few: true}, nil
	case s.oneFile:
		return source{index: fromFile, few: true}, nil
	case lists.OnlyOpen(f):
		return s.marked(ctx, fromOpen, "open")
	case f.InFixLines:
		return s.marked(ctx, fromFixLines, "in_fix_lines")
	case f.Recurring && !s.manyLines:
		return source{index: fromFingerprint, few: true}, nil
	case len(f.Events.Statuses) > 0 && f.Events.At != (ledger.Period{}):
		return source{index: fromIDs, few: true, changedByEvent: true}, nil
	}
	if !f.Changed.Since.IsZero() {
		from, err := s.marked(ctx, fromChange, "status_at from", sql.Named("status_at_from", since(f.Changed)))
		if err != nil || from.few {
			return from, err
		}
	}
	if s.manyFiles > 0 && s.manyFiles <= fewFiles+1 {
		return source{index: fromFile, few: true}, nil
	}
	return s.common(ctx)
}

// marked returns an index of violations with something in common, after counting whether they are
// few.
func (s *search) marked(ctx context.Context, index, part string, args ...sql.NamedArg) (source, error) {
	l := db.List{From: index, AtMost: s.few}
	l.Keep(part, args...)
	n, err := s.CountList(ctx, l)
	return source{index: index, few: n < s.few}, err
}

// common chooses the index for a filter that may select many violations.
func (s *search) common(ctx context.Context) (source, error) {
	if statuses := s.filter.Shown(); len(statuses) > 0 {
		from, err := s.marked(ctx, fromStatus, "shown among", sql.Named("shown_among", orAny(statuses)))
		if err != nil || from.few || len(statuses) == 1 {
			return from, err
		}
	}
	if len(s.filter.Priorities) == 1 {
		return source{index: fromPriority}, nil
	}
	return source{index: fromSeen}, nil
}

// ordered returns the lists that together, one after another, have the violations of the source that
// the filter keeps, in its order.
func (s *search) ordered(from source, after *afterKey) []db.List {
	l := s.list
	l.From = from.index
	if from.changedByEvent {
		l.Keep("changed by event")
	}
	byFile := s.filter.Sort == ledger.SortFile && !from.few
	s.keepFiles(&l, byFile)
	switch s.filter.Sort {
	case ledger.SortOldest:
		return []db.List{s.oldest(l, after)}
	case ledger.SortFile:
		return []db.List{s.byFile(l, from, after)}
	case ledger.SortChanged:
		return []db.List{s.byChange(l, from, after)}
	case ledger.SortPriority:
		if !from.few {
			l.From = fromPriority
		}
		return s.wordByWord(l, "priority", lists.WordsOf(ledger.Priorities(), s.filter.Priorities, after.lists()), after)
	case ledger.SortStatus:
		if !from.few {
			l.From = fromStatus
		}
		return s.wordByWord(l, "shown", lists.WordsOf(ledger.ShownStatuses(), s.filter.Shown(), after.lists()), after)
	}
	return []db.List{s.newest(l, after)}
}

// keepFiles adds the condition on files.
func (s *search) keepFiles(l *db.List, byFile bool) {
	switch folder, whole := lists.FolderOf(s.filter.File); {
	case s.fileNames == anyWord && whole:
		l.Keep("folder", sql.Named("folder", folder))
	case s.fileNames == anyWord:
	case s.oneFile:
		l.KeepColumn("file", "is", s.filter.File)
	case byFile:
		l.Keep("among files", sql.Named("files", s.fileNames))
	default:
		l.KeepColumn("file", "among", s.fileNames)
	}
}

// keepSeen adds the conditions on when violations were first seen: its start, its end, or both.
func (s *search) keepSeen(l *db.List, from, to bool) {
	if p := s.filter.Reported; from && !p.Since.IsZero() {
		l.KeepColumn("first_seen", "from", since(p))
	}
	if p := s.filter.Reported; to && !p.Until.IsZero() {
		l.KeepColumn("first_seen", "until", until(p))
	}
}

// newest returns the list newest first. Its index is read from one point on: the cursor, or the end
// of the filter's period.
func (s *search) newest(l db.List, after *afterKey) db.List {
	l = l.Clone()
	begun := after != nil && after.FirstSeen < until(s.filter.Reported)
	if begun {
		l.Keep("after newest", after.named()...)
	}
	s.keepSeen(&l, true, !begun)
	l.By = "newest"
	return l
}

// oldest returns the list oldest first.
func (s *search) oldest(l db.List, after *afterKey) db.List {
	begun := after != nil && after.FirstSeen >= since(s.filter.Reported)
	if begun {
		l.Keep("after oldest", after.named()...)
	}
	s.keepSeen(&l, !begun, true)
	l.By = "oldest"
	return l
}

// byFile returns the list by file and line.
func (s *search) byFile(l db.List, from source, after *afterKey) db.List {
	if l.By = "file"; !from.few {
		l.From = fromFile
	}
	s.keepSeen(&l, true, true)
	first := lists.LiteralPrefix(s.filter.File)
	if folder, ok := lists.FolderOf(s.filter.File); ok {
		first = folder // the pattern may also name a file
	}
	if first != "" && !s.oneFile {
		l.KeepColumn("file", "until", lists.PrefixEnd(first))
	}
	if after != nil {
		l.Keep("after file", append(after.named(), sql.Named("after_file", after.File()), sql.Named("after_line", after.Line()))...)
	} else if first != "" && !s.oneFile {
		l.KeepColumn("file", "from", first)
	}
	return l
}

// byChange returns the list by the latest change.
func (s *search) byChange(l db.List, from source, after *afterKey) db.List {
	if l.By = "changed"; !from.few {
		l.From = fromChange
	}
	s.keepSeen(&l, true, true)
	if after != nil {
		l.Keep("after changed", append(after.named(), sql.Named("after_change", after.Down))...)
	}
	return l
}

// wordByWord returns one list for each word, in the order of the words, each newest first.
func (s *search) wordByWord(l db.List, column string, words []string, after *afterKey) (parts []db.List) {
	for _, word := range words {
		of := l.Clone()
		of.KeepColumn(column, "is", word)
		last := after
		if after != nil && after.Word() != word {
			last = nil
		}
		parts = append(parts, s.newest(of, last))
	}
	return parts
}

// idsOf parses a JSON array of rows.
func idsOf(ids string, err error) (rows []int64, _ error) {
	if err != nil {
		return nil, err
	}
	return rows, json.Unmarshal([]byte(ids), &rows)
}
