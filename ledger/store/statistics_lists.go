package store

import (
	"context"
	"encoding/json"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// oldest returns the oldest violation that is counted for the filter. If there are older ones in
// the filter's period, notAll is set and out says so. All violations of a single run are counted.
func (q *statisticsQuery) oldest(ctx context.Context, out *ledger.Rows) (oldest db.OldestOfNewestRow, notAll bool, err error) {
	all := db.OldestOfNewestRow{FirstSeen: q.since}
	n := int64(q.filter.Newest)
	if n == 0 || q.filter.Run != "" || q.Unfiltered() {
		return all, false, nil
	}
	var rows []db.OldestOfNewestRow
	if q.runs == anyWord {
		rows, err = q.OldestOfNewest(ctx, db.OldestOfNewestParams{Since: q.since, Until: q.until, Newest: n})
	} else {
		rows, err = q.oldestOf(ctx, n)
	}
	if err != nil || len(rows) < 2 {
		return all, false, err
	}
	out.Newest = q.filter.Newest
	return rows[0], true, nil
}

// oldestOf returns the oldest of the n newest violations in the runs that the filter selects, and
// the one before it, if there are these. Normally no violation is older than its run, so they are
// in the newest runs.
func (q *statisticsQuery) oldestOf(ctx context.Context, n int64) (rows []db.OldestOfNewestRow, err error) {
	begin, err := q.BeginOfNewest(ctx, db.BeginOfNewestParams{Runs: q.runs, Until: q.until, Newest: n})
	if err != nil {
		return nil, err
	}
	for _, from := range []string{max(begin, q.since), q.since} {
		found, err := q.OldestOfNewestOf(ctx, db.OldestOfNewestOfParams{Runs: q.runs, Since: from, Until: q.until, Newest: n})
		if err != nil {
			return nil, err
		}
		rows = rows[:0]
		for _, row := range found {
			rows = append(rows, db.OldestOfNewestRow(row))
		}
		if len(rows) == 2 || from == q.since {
			break
		}
	}
	return rows, nil
}

// Files implements [ledger.StatisticsSource].
func (q *statisticsQuery) Files(ctx context.Context, out *ledger.Rows) error {
	oldest, notAll, err := q.oldest(ctx, out)
	if err != nil {
		return err
	}
	var files []statistics.File
	if q.Unfiltered() {
		files, err = q.TopFiles(ctx, q.filter.Top)
	} else {
		files, err = q.filesFrom(ctx, oldest, notAll)
	}
	for i, f := range files {
		if err != nil {
			break
		}
		file := q.filter.FileOf(f.Name, q.shown(f.Repository), f.Counts)
		if n := q.filter.Detailed; notAll || !q.filter.CountsOnly && (n == 0 || i < n) {
			err = q.fileDetails(ctx, q.byKey[f.Repository], &file)
		}
		out.Files = append(out.Files, file)
	}
	return err
}

// shown returns the key of a repository, or "" if there is only one.
func (q *statisticsQuery) shown(repository string) string {
	if !q.several {
		return ""
	}
	return repository
}

// filesFrom returns the files of violations, starting with the oldest violation that is counted.
func (q *statisticsQuery) filesFrom(ctx context.Context, oldest db.OldestOfNewestRow, notAll bool) (files []statistics.File, err error) {
	most := q.filter.Top
	if n := q.filter.Detailed; notAll && n > 0 { // all figures of each file are counted one by one
		most = n
	}
	counts, err := q.tallied(ctx, oldest)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(counts.files))
	for id, f := range counts.files {
		numbers[id] = f.Counts.Violations
	}
	list, err := q.fileNames().top(ctx, numbers, 1, most)
	for _, n := range list {
		f := counts.files[n.id]
		f.Name, f.Repository = n.name, n.repository
		files = append(files, f)
	}
	return files, err
}

// detailsOf returns the details of a file, or of the line with a fingerprint.
func (q *statisticsQuery) detailsOf(ctx context.Context, repository int64, file, fingerprint string) (db.DetailsOfRow, error) {
	return q.DetailsOf(ctx, db.DetailsOfParams{
		Repositories: orAny([]int64{repository}), Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
		File: file, Fingerprint: fingerprint, Since: q.since, Until: q.until, Runs: q.runs, WeeksSince: db.Time(q.filter.FirstShownWeek(q.now)).Text(),
	})
}

func (q *statisticsQuery) fileDetails(ctx context.Context, repository int64, file *ledger.FileStatistics) error {
	row, err := q.detailsOf(ctx, repository, file.File, "")
	if err != nil {
		return err
	}
	file.Violations.Violations, file.Open.Violations, file.Claimed.Violations = int(row.Violations), int(row.Open), int(row.Claimed)
	file.Abandoned.Violations, file.Verified.Violations, file.Skipped.Violations = int(row.Abandoned), int(row.Verified), int(row.Skipped)
	file.Withdrawn.Violations, file.InFixLines.Violations = int(row.Withdrawn), int(row.InFixLines)
	if q.filter.CountsOnly {
		return nil
	}
	file.Runs, file.Reopened.Violations = int(row.Runs), int(row.Reopened)
	var days []*string
	if err := json.Unmarshal([]byte(row.Days), &days); err != nil {
		return err
	}
	for _, text := range days {
		if text == nil {
			continue
		}
		if err := file.AddDay(q.filter.FirstShownWeek(q.now), *text, 1); err != nil {
			return err
		}
	}
	return nil
}

// RecurringLines implements [ledger.StatisticsSource].
func (q *statisticsQuery) RecurringLines(ctx context.Context, out *ledger.Rows) error {
	oldest, _, err := q.oldest(ctx, out)
	if err != nil {
		return err
	}
	var lines []statistics.Line
	if q.Unfiltered() {
		lines, err = q.TopLines(ctx, q.filter.Top)
	} else {
		lines, err = q.linesFrom(ctx, oldest)
	}
	for _, line := range lines {
		if err != nil {
			break
		}
		var r ledger.Recurrence
		r, err = q.recurrence(ctx, line)
		out.Recurring = append(out.Recurring, r)
	}
	return err
}

// linesFrom returns the recurring lines of violations, starting with the oldest violation that is
// counted.
func (q *statisticsQuery) linesFrom(ctx context.Context, oldest db.OldestOfNewestRow) (lines []statistics.Line, err error) {
	counts, err := q.tallied(ctx, oldest)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(counts.lines))
	for id, l := range counts.lines {
		numbers[id] = l.runs
	}
	list, err := q.lineNames().top(ctx, numbers, 2, q.filter.Top)
	for _, n := range list {
		lines = append(lines, statistics.Line{Repository: n.repository, Fingerprint: n.name})
	}
	return lines, err
}

// recurrence returns the figures of a recurring line.
func (q *statisticsQuery) recurrence(ctx context.Context, line statistics.Line) (ledger.Recurrence, error) {
	repository := q.byKey[line.Repository]
	counts, err := q.detailsOf(ctx, repository, "", line.Fingerprint)
	if err != nil {
		return ledger.Recurrence{}, err
	}
	x := q.filter.RecurrenceOf(line.Fingerprint, q.shown(line.Repository), counts.Runs, counts.Violations, counts.Open)
	row, err := q.LatestOfFingerprint(ctx, db.LatestOfFingerprintParams{Fingerprint: &line.Fingerprint, RepositoryID: repository})
	x.Latest, x.Job, x.File, x.Issue, x.Line = row.ShortID, row.Job, row.File, row.Issue, int(row.LineStart)
	return x, err
}
