package store

import (
	"context"
	"database/sql"
	"iter"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// listBatch is how many violations are read at a time.
const listBatch = 500

// each yields the violations that the filter keeps, in its order, as they are read. At most one
// batch is in memory.
func (t *tx) each(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	return lists.Described(t.eachID(ctx, f), listBatch, func(ids []int64) ([]ledger.ListedViolation, error) {
		return t.details(ctx, ids)
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

// search computes the list of violations that a filter keeps. SQLite chooses the index: each order
// that a list begins with has one, and what most filters compare is in that of the newest.
type search struct {
	*tx
	filter ledger.ViolationFilter
	// list has the conditions of the filter, except those on when violations were first seen.
	list db.List
	// repositories is a JSON array; [anyWord] means no restriction.
	repositories string
}

// parts returns lists that, one after another, make up the filter's list.
func (s *search) parts(ctx context.Context) ([]db.List, error) {
	after, err := s.cursor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.keep(ctx); err != nil {
		return nil, err
	}
	return s.ordered(after), nil
}

// keep adds the conditions of the filter, except those on when violations were first seen, which
// depend on the order.
func (s *search) keep(ctx context.Context) error {
	if err := s.scope(ctx); err != nil {
		return err
	}
	s.conditions()
	return s.files(ctx)
}

// scope adds the conditions on runs, jobs and repositories.
func (s *search) scope(ctx context.Context) error {
	f, l := s.filter, &s.list
	if f.Run != "" {
		run, err := s.runByULID(ctx, f.Run)
		if err != nil {
			return err
		}
		l.KeepColumn("run_id", "is", run.Row)
	}
	if f.Kind != "" {
		l.Keep("kind", sql.Named("kind", string(f.Kind)))
	}
	if f.Branch != "" {
		l.Keep("branch", sql.Named("branch", f.Branch))
	}
	if f.Worktree != "" {
		l.Keep("worktree", sql.Named("worktree", f.Worktree))
	}
	jobs, err := s.jobsOf(ctx, f.Gate, f.EntryPoint)
	if err != nil {
		return err
	}
	if jobs != anyWord {
		l.KeepColumn("job_id", "among", jobs)
	}
	s.repositories, err = s.repositoriesOf(ctx, f.Repository)
	if s.repositories != anyWord {
		l.Keep("repositories", sql.Named("repositories", s.repositories))
	}
	return err
}

// files adds the condition on files. SQL cannot match most patterns: the files that match are looked
// up before.
func (s *search) files(ctx context.Context) error {
	pattern, l := s.filter.File, &s.list
	if pattern == "" || pattern == "**" {
		return nil
	}
	if folder, ok := lists.FolderOf(pattern); ok {
		l.Keep("folder", sql.Named("folder", folder))
		return nil
	}
	prefix := lists.LiteralPrefix(pattern)
	if prefix == pattern {
		l.KeepColumn("file", "is", pattern)
		return nil
	}
	files, err := s.FileNames(ctx, db.FileNamesParams{First: prefix, Last: lists.PrefixEnd(prefix), AtMost: -1})
	files = slices.DeleteFunc(files, func(file string) bool { return !lists.MatchesFile(s.filter, file) })
	l.KeepColumn("file", "among", asJSON(files))
	return err
}

// conditions adds the filter's conditions on the violation itself.
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
		l.Keep("recurring")
	}
	keepMarked(l, "open", lists.OnlyOpen(f))
	if len(f.Events.Statuses) > 0 {
		l.Keep("event", sql.Named("events", orAny(f.Events.Statuses)), sql.Named("event_since", since(f.Events.At)),
			sql.Named("event_until", until(f.Events.At)), sql.Named("event_iteration", f.Events.Iteration))
	}
}

// keepWords adds the condition that the column has one of the words.
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

// ordered returns the lists that together, one after another, have the violations that the filter
// keeps, in its order.
func (s *search) ordered(after *afterKey) []db.List {
	l := s.list
	switch s.filter.Sort {
	case ledger.SortOldest:
		return []db.List{s.oldest(l, after)}
	case ledger.SortFile:
		return []db.List{s.byFile(l, after)}
	case ledger.SortChanged:
		return []db.List{s.byChange(l, after)}
	case ledger.SortPriority:
		return s.wordByWord(l, "priority", lists.WordsOf(ledger.Priorities(), s.filter.Priorities, after.lists()), after)
	case ledger.SortStatus:
		return s.wordByWord(l, "shown", lists.WordsOf(ledger.ShownStatuses(), s.filter.Shown(), after.lists()), after)
	}
	return []db.List{s.newest(l, after)}
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
func (s *search) byFile(l db.List, after *afterKey) db.List {
	s.keepSeen(&l, true, true)
	if after != nil {
		l.Keep("after file", append(after.named(), sql.Named("after_file", after.File()), sql.Named("after_line", after.Line()))...)
	}
	l.By = "file"
	return l
}

// byChange returns the list by the latest change.
func (s *search) byChange(l db.List, after *afterKey) db.List {
	s.keepSeen(&l, true, true)
	if after != nil {
		l.Keep("after changed", append(after.named(), sql.Named("after_change", after.Down))...)
	}
	l.By = "changed"
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
