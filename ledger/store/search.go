package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// firstBatch is how many candidates are looked at first; each further batch has
// twice as many, up to lastBatch.
const (
	firstBatch = 200
	lastBatch  = 4000
	// fileCandidates is how many of the newest violations are looked at for a
	// pattern before the files that match it are looked up, and how many of those
	// in the files before all of them are.
	fileCandidates = 400
)

// listed finds what the filter keeps, from the narrowest list of candidates
// that there is an index for.
func (t *tx) listed(ctx context.Context, f ledger.ViolationFilter, run int64) ([]ledger.ListedViolation, error) {
	s := &search{tx: t, filter: f}
	if known, err := s.findScope(ctx); err != nil || !known {
		return nil, err
	}
	switch {
	case run != 0:
		return s.among(ctx)(t.ViolationsInRun(ctx, run))
	case f.Fingerprint != "":
		return s.among(ctx)(t.ViolationsWithFingerprint(ctx, &f.Fingerprint))
	case exactFile(f):
		return s.inFiles(ctx, []string{f.File})
	case onlyOpen(f):
		return s.newest(ctx, -1, t.nextOpen)
	case !f.Changed.Since.IsZero():
		return s.among(ctx)(t.ViolationsChangedSince(ctx, since(f.Changed)))
	case f.File == "":
		narrow, err := s.narrowed()
		if err != nil {
			return nil, err
		}
		if sortsInSQL(f) {
			return s.sorted(ctx, narrow)
		}
		return s.newest(ctx, -1, s.nextNewest(narrow))
	}
	if streams(f) {
		if found, err := s.newest(ctx, fileCandidates, s.nextNewest(anyViolation)); err != nil || s.done() {
			return found, err
		}
		s.found = nil
	}
	files, err := t.filesLike(ctx, f)
	if err != nil {
		return nil, err
	}
	return s.inFiles(ctx, files)
}

// filesLike lists the files that match the filter's pattern.
func (t *tx) filesLike(ctx context.Context, f ledger.ViolationFilter) ([]string, error) {
	prefix := literalPrefix(f.File)
	text, err := t.FilesBetween(ctx, db.FilesBetweenParams{First: prefix, Last: prefixEnd(prefix)})
	if err != nil {
		return nil, err
	}
	var files []string
	if err := json.Unmarshal([]byte(text), &files); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(file string) bool { return !matchesFile(f, file) }), nil
}

// search collects what a filter keeps of candidates.
type search struct {
	*tx
	filter ledger.ViolationFilter
	// runs and jobs are those that the filter leaves; nil means all.
	runs, jobs []int64
	scope      map[string]bool // the runs by ULID
	found      []ledger.ListedViolation
	// all reports whether the candidates were all there are.
	all bool
}

// findScope finds the runs and jobs that the filter leaves, and reports false if
// there are none.
func (s *search) findScope(ctx context.Context) (known bool, err error) {
	f := s.filter
	if f.Branch != "" || f.Worktree != "" {
		runs, err := s.ListRuns(ctx, db.ListRunsParams{Until: latest, Branch: f.Branch, Worktree: f.Worktree, AtMost: -1})
		if err != nil || len(runs) == 0 {
			return false, err
		}
		s.scope = make(map[string]bool, len(runs))
		for _, run := range runs {
			s.runs = append(s.runs, run.ID)
			s.scope[run.Ulid] = true
		}
	}
	if f.Gate != "" || f.EntryPoint != "" {
		jobs, err := s.JobNames(ctx)
		if err != nil {
			return false, err
		}
		for _, job := range jobs {
			if oneOf(f.Gate, job.Name) && oneOf(f.EntryPoint, job.EntryPoint) {
				s.jobs = append(s.jobs, job.ID)
			}
		}
		return len(s.jobs) > 0, nil
	}
	return true, nil
}

// anyViolation leaves no violation out.
var anyViolation = db.NewestViolationsParams{Runs: "null", Jobs: "null"}

// narrowed leaves out what the filter does not keep, as far as that can be told
// without the details of a violation, which cost much more.
func (s *search) narrowed() (db.NewestViolationsParams, error) {
	f := s.filter
	runs, err := json.Marshal(s.runs)
	if err != nil {
		return anyViolation, err
	}
	jobs, err := json.Marshal(s.jobs)
	return db.NewestViolationsParams{
		Statuses: joined(f.Statuses), Priorities: joined(f.Priorities), Reasons: joined(f.Reasons),
		Runs: string(runs), Jobs: string(jobs), Adapter: f.Adapter, Iteration: int64(f.Iteration),
		Alone: boolean(f.Alone), InFixLines: boolean(f.InFixLines), Actors: joined(f.Actors),
	}, err
}

func (s *search) done() bool {
	return s.all || streams(s.filter) && len(s.found) >= s.filter.Limit
}

// keep looks at candidates, newest first.
func (s *search) keep(ctx context.Context, ids []int64) error {
	found, err := s.details(ctx, ids)
	for _, v := range found {
		if Matches(s.filter, v) && (s.scope == nil || s.scope[v.Run]) {
			s.found = append(s.found, v)
		}
	}
	return err
}

// among returns a function that searches a list of ids.
func (s *search) among(ctx context.Context) func([]int64, error) ([]ledger.ListedViolation, error) {
	return func(ids []int64, err error) ([]ledger.ListedViolation, error) {
		if err != nil {
			return nil, err
		}
		for size := firstBatch; len(ids) > 0 && !s.done(); size = min(2*size, lastBatch) {
			n := min(size, len(ids))
			if err := s.keep(ctx, ids[:n]); err != nil {
				return nil, err
			}
			ids = ids[n:]
		}
		return s.found, nil
	}
}

func (s *search) inFiles(ctx context.Context, files []string) ([]ledger.ListedViolation, error) {
	list, err := asJSON(files)
	if err != nil {
		return nil, err
	}
	if streams(s.filter) {
		newest, err := s.ViolationsInFiles(ctx, db.ViolationsInFilesParams{Files: list, AtMost: fileCandidates})
		found, err := s.among(ctx)(newest, err)
		if err != nil || s.done() || len(newest) < fileCandidates {
			return found, err
		}
		s.found = nil
	}
	return s.among(ctx)(s.ViolationsInFiles(ctx, db.ViolationsInFilesParams{Files: list, AtMost: atMost(0)}))
}

// sortsInSQL reports whether the first violations in the filter's order can be
// told without the details of all the others.
func sortsInSQL(f ledger.ViolationFilter) bool {
	return f.Limit > 0 && !streams(f) && !f.Recurring && f.Changed == ledger.Period{}
}

func (s *search) sorted(ctx context.Context, narrow db.NewestViolationsParams) ([]ledger.ListedViolation, error) {
	return s.among(ctx)(s.SortedViolations(ctx, db.SortedViolationsParams{
		Sort: string(s.filter.Sort), Since: since(s.filter.Reported), Until: until(s.filter.Reported),
		Statuses: narrow.Statuses, Priorities: narrow.Priorities, Reasons: narrow.Reasons, Runs: narrow.Runs, Jobs: narrow.Jobs,
		Adapter: narrow.Adapter, Iteration: narrow.Iteration, Alone: narrow.Alone, InFixLines: narrow.InFixLines, Actors: narrow.Actors,
		AtMost: atMost(s.filter.Limit),
	}))
}

// cursor is a place in the list of violations, newest first.
type cursor struct {
	since, before string
	id            int64
}

// next lists the ids after the cursor, and moves it.
type next func(context.Context, *cursor, int) ([]int64, error)

// newest searches the list of violations, newest first; of them no more than
// candidates, unless that is negative.
func (s *search) newest(ctx context.Context, candidates int, next next) ([]ledger.ListedViolation, error) {
	c := cursor{since: since(s.filter.Reported), before: until(s.filter.Reported)}
	size := firstBatch
	if streams(s.filter) {
		size = min(size, s.filter.Limit+1)
	}
	for seen := 0; !s.done() && (candidates < 0 || seen < candidates); size = min(2*size, lastBatch) {
		ids, err := next(ctx, &c, size)
		if err != nil {
			return nil, err
		}
		if err := s.keep(ctx, ids); err != nil {
			return nil, err
		}
		seen += len(ids)
		s.all = len(ids) < size
	}
	return s.found, nil
}

func (s *search) nextNewest(narrow db.NewestViolationsParams) next {
	return func(ctx context.Context, c *cursor, n int) (ids []int64, err error) {
		narrow.Since, narrow.Before, narrow.BeforeID, narrow.AtMost = c.since, c.before, c.id, int64(n)
		rows, err := s.NewestViolations(ctx, narrow)
		for _, row := range rows {
			ids = append(ids, row.ID)
			c.before, c.id = row.FirstSeen.Text(), row.ID
		}
		return ids, err
	}
}

func (t *tx) nextOpen(ctx context.Context, c *cursor, n int) (ids []int64, err error) {
	rows, err := t.NewestOpenViolations(ctx, db.NewestOpenViolationsParams{Since: c.since, Before: c.before, BeforeID: c.id, AtMost: int64(n)})
	for _, row := range rows {
		ids = append(ids, row.ID)
		c.before, c.id = row.FirstSeen.Text(), row.ID
	}
	return ids, err
}
