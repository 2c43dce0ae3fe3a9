package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// tallies has the counts of violations by file, and the counts of runs by recurring line. Its
// slices are indexed by the number of the file or line.
type tallies struct {
	from  db.OldestOfNewestRow
	files []statistics.File
	lines []lineRuns
}

// lineRuns is how many runs have violations on a line, and the last such run so far.
type lineRuns struct{ runs, last int64 }

// tallied counts the violations that the filter selects, starting with the oldest. It counts files
// and lines in one pass, because reading the violations takes longest.
func (q *statisticsQuery) tallied(ctx context.Context, oldest db.OldestOfNewestRow) (*tallies, error) {
	if q.counted != nil && q.counted.from == oldest {
		return q.counted, nil
	}
	last, err := q.sums.LastNumbers(ctx)
	if err != nil {
		return nil, err
	}
	t := &tallies{from: oldest, files: make([]statistics.File, last.File+1), lines: make([]lineRuns, last.Line+1)}
	var unknown error
	err = q.eachReported(ctx, oldest, func(run int64, v statistics.Reported) {
		if v.File > last.File || v.Line > last.Line {
			unknown = statistics.ErrDamaged
			return
		}
		v.Outcome.AddTo(&t.files[v.File])
		if l := &t.lines[v.Line]; v.Line != 0 && l.last != run {
			*l = lineRuns{l.runs + 1, run}
		}
	})
	q.counted = t
	return t, errors.Join(err, unknown)
}

// eachReported calls add with the violations that the filter selects, starting with the oldest.
// Violations of one run come one after another.
func (q *statisticsQuery) eachReported(ctx context.Context, oldest db.OldestOfNewestRow, add func(run int64, v statistics.Reported)) error {
	keeps, err := q.keptReviewers(ctx)
	if err != nil {
		return err
	}
	since, until, err := q.lookedAt(oldest)
	if err != nil {
		return err
	}
	rows, err := q.reportedOnDays(ctx, since, until)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b sums.ViolationsOnDaysRow) int { return cmp.Compare(a.RunID, b.RunID) })
	for _, row := range rows {
		err := statistics.EachReported(row.Violations, func(v statistics.Reported) {
			if v.At >= since && v.At < until && keeps[v.Reviewer] && (v.At > since || v.ID >= oldest.ID) {
				add(row.RunID, v)
			}
		})
		if err != nil {
			return fmt.Errorf("read the violations of run %d in the sums: %w; delete the file of sums, and it is made again", row.RunID, err)
		}
	}
	return nil
}

// lookedAt returns the bounds of the period that is counted.
func (q *statisticsQuery) lookedAt(oldest db.OldestOfNewestRow) (since, until int64, err error) {
	to, err := timeOf(q.until)
	if err != nil || oldest.FirstSeen == earliest {
		return statistics.At(time.Time{}), statistics.At(to), err
	}
	from, err := timeOf(oldest.FirstSeen)
	return statistics.At(from), statistics.At(to), err
}

func (q *statisticsQuery) reportedOnDays(ctx context.Context, since, until int64) ([]sums.ViolationsOnDaysRow, error) {
	p := sums.ViolationsOnDaysParams{
		First: statistics.DayBucket(time.UnixMilli(since)), Last: statistics.DayBucket(time.UnixMilli(until)), Repository: q.filter.Repository,
	}
	if q.runs == anyWord {
		return q.sums.ViolationsOnDays(ctx, p)
	}
	rows, err := q.sums.ViolationsOfRuns(ctx, sums.ViolationsOfRunsParams{Runs: q.runs, First: p.First, Last: p.Last, Repository: p.Repository})
	list := make([]sums.ViolationsOnDaysRow, len(rows))
	for i, row := range rows {
		list[i] = sums.ViolationsOnDaysRow(row)
	}
	return list, err
}

// keptReviewers returns the reviewers that the filter selects.
func (q *statisticsQuery) keptReviewers(ctx context.Context) (map[int64]bool, error) {
	rows, err := q.sums.AllReviewers(ctx)
	if err != nil {
		return nil, err
	}
	kept := map[int64]bool{}
	for _, row := range rows {
		of, err := statistics.ParseKey(row.Key)
		if err != nil {
			return nil, err
		}
		of.Repository = q.filter.Repository // the repository is a property of the run
		if q.Keeps(of) {
			kept[row.ID] = true
		}
	}
	return kept, nil
}

// namedKey is the number of a file or line, with its name and repository.
type namedKey struct {
	id               int64
	name, repository string
}

func namedOf(id int64, key string) (namedKey, error) {
	of, err := statistics.ParseKey(key)
	if err == nil && len(of.Labels) < 2 {
		err = fmt.Errorf("%w: the key %q has no name", statistics.ErrDamaged, key)
	}
	if err != nil {
		return namedKey{}, err
	}
	return namedKey{id, of.Labels[0], of.Labels[1]}, nil
}

// compare orders keys by name; the unknown repository comes first.
func (n namedKey) compare(other namedKey) int {
	return cmp.Or(strings.Compare(n.name, other.name), strings.Compare(repositoryPlace(n.repository), repositoryPlace(other.repository)))
}

func repositoryPlace(key string) string {
	if key == ledger.UnknownRepository {
		return ""
	}
	return key
}

// names reads the names of files or lines.
type names struct {
	of    func(ctx context.Context, ids []int64) ([]namedKey, error)
	after func(ctx context.Context, key string) (list []namedKey, last string, err error)
}

// namesAtOnce is how many names are read at a time.
const namesAtOnce = 1000

func (q *statisticsQuery) fileNames() names {
	return names{
		of: func(ctx context.Context, ids []int64) ([]namedKey, error) {
			rows, err := q.sums.FilesOfIDs(ctx, asJSON(ids))
			list, _, err := namedRows(rows, err, func(r sums.FilesOfIDsRow) (int64, string) { return r.ID, r.Key })
			return list, err
		},
		after: func(ctx context.Context, key string) ([]namedKey, string, error) {
			rows, err := q.sums.FilesAfter(ctx, sums.FilesAfterParams{After: key, Limit: namesAtOnce})
			return namedRows(rows, err, func(r sums.FilesAfterRow) (int64, string) { return r.ID, r.Key })
		},
	}
}

func (q *statisticsQuery) lineNames() names {
	return names{
		of: func(ctx context.Context, ids []int64) ([]namedKey, error) {
			rows, err := q.sums.LinesOfIDs(ctx, asJSON(ids))
			list, _, err := namedRows(rows, err, func(r sums.LinesOfIDsRow) (int64, string) { return r.ID, r.Key })
			return list, err
		},
		after: func(ctx context.Context, key string) ([]namedKey, string, error) {
			rows, err := q.sums.LinesAfter(ctx, sums.LinesAfterParams{After: key, Limit: namesAtOnce})
			return namedRows(rows, err, func(r sums.LinesAfterRow) (int64, string) { return r.ID, r.Key })
		},
	}
}

// namedRows returns the names in rows, and the key of the last row.
func namedRows[R any](rows []R, err error, of func(R) (id int64, key string)) (list []namedKey, last string, _ error) {
	for _, row := range rows {
		id, key := of(row)
		n, err := namedOf(id, key)
		if err != nil {
			return nil, "", err
		}
		list, last = append(list, n), key
	}
	return list, last, err
}

// first returns at least most of the given ids, the first by name, unless there are fewer. If there
// are many ids, all names are read in order, because enough of them are found soon.
func (n names) first(ctx context.Context, ids []int64, most int) (list []namedKey, err error) {
	if len(ids) <= namesAtOnce {
		return n.of(ctx, ids)
	}
	wanted := make(map[int64]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	for key := ""; ; {
		page, last, err := n.after(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, name := range page {
			// Several repositories may have the last name in the list.
			if len(list) >= most && name.name != list[len(list)-1].name {
				return list, nil
			}
			if wanted[name.id] {
				list = append(list, name)
			}
		}
		if len(page) < namesAtOnce {
			return list, nil
		}
		key = last
	}
}

// top returns the ids with the largest numbers that are not below least, by number and then by
// name; most 0 means all.
func (n names) top(ctx context.Context, numbers []int64, least int64, most int) ([]namedKey, error) {
	above, last := leading(numbers, least, most)
	list, err := n.first(ctx, above, len(above))
	if err != nil {
		return nil, err
	}
	more, err := n.first(ctx, last, placesLeft(len(above), len(last), most))
	if err != nil {
		return nil, err
	}
	list = append(list, more...)
	slices.SortFunc(list, func(a, b namedKey) int {
		return cmp.Or(cmp.Compare(numbers[b.id], numbers[a.id]), a.compare(b))
	})
	if most > 0 {
		list = list[:min(most, len(list))]
	}
	return list, nil
}

func placesLeft(above, last, most int) int {
	if most == 0 {
		return last
	}
	return most - above
}

// leading returns the indexes of the largest numbers that are not below least: in above those
// greater than the smallest number that is among the most largest, and in last all that are equal
// to it; most 0 means all.
func leading(numbers []int64, least int64, most int) (above, last []int64) {
	large := make([]int64, 0, len(numbers))
	for _, n := range numbers {
		if n >= least {
			large = append(large, n)
		}
	}
	end := least
	if most > 0 && len(large) > most {
		slices.Sort(large)
		end = large[len(large)-most]
	}
	for id, n := range numbers {
		switch {
		case n > end:
			above = append(above, int64(id))
		case n == end:
			last = append(last, int64(id))
		}
	}
	return above, last
}
