package store

import (
	"context"
	"encoding/json"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// unfiltered reports whether the filter leaves all violations, but for a repository: then
// the totals of files and lines hold.
func (q *statisticsQuery) unfiltered() bool {
	f := q.filter
	return q.runs == anyWord && f.Period == (ledger.Period{}) && q.jobs == anyWord && f.Adapter == "" && f.Model == ""
}

// oldest is the oldest violation that the filter looks at. Not all is set where there are
// older ones in its period: then out says so. Of one run all are looked at.
func (q *statisticsQuery) oldest(ctx context.Context, out *ledger.Rows) (oldest db.OldestOfNewestRow, notAll bool, err error) {
	all := db.OldestOfNewestRow{FirstSeen: q.since}
	n := int64(q.filter.Newest)
	if n == 0 || q.filter.Run != "" || q.unfiltered() {
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

// oldestOf is the oldest one of so many newest violations of the runs that the filter leaves,
// and the one before it. As a rule no violation is older than its run, and then they are in
// the newest runs.
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

func (q *statisticsQuery) atMost() int64 { return atMost(q.filter.Top) }

// Files implements [ledger.StatisticsSource].
func (q *statisticsQuery) Files(ctx context.Context, out *ledger.Rows) error {
	var rows []db.TopFilesOfRow
	oldest, notAll, err := q.oldest(ctx, out)
	if err != nil {
		return err
	}
	if q.unfiltered() {
		var totals []db.FileTotal
		totals, err = q.TopFiles(ctx, db.TopFilesParams{Repositories: q.repositories, AtMost: q.atMost()})
		for _, r := range totals {
			rows = append(rows, db.TopFilesOfRow(r))
		}
	} else {
		files := q.atMost()
		if n := int64(q.filter.Detailed); notAll && n > 0 { // each is counted by itself
			files = n
		}
		rows, err = q.TopFilesOf(ctx, db.TopFilesOfParams{
			Runs: q.runs, Since: q.since, Until: q.until, Repositories: q.repositories, Jobs: q.jobs,
			Adapter: q.filter.Adapter, Model: q.filter.Model, Oldest: oldest.FirstSeen, OldestID: oldest.ID, AtMost: files,
		})
	}
	for i, r := range rows {
		if err != nil {
			break
		}
		file := q.filter.FileOf(r.File, q.keys[r.RepositoryID], ledger.FileCounts{
			Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
			Skipped: r.Skipped, InFixLines: r.InFixLines,
		})
		if n := q.filter.Detailed; notAll || !q.filter.CountsOnly && (n == 0 || i < n) {
			err = q.fileDetails(ctx, r.RepositoryID, &file)
		}
		out.Files = append(out.Files, file)
	}
	return err
}

func (q *statisticsQuery) fileDetails(ctx context.Context, repository int64, file *ledger.FileStatistics) error {
	first := q.filter.FirstShownWeek(q.now)
	row, err := q.DetailsOfFile(ctx, db.DetailsOfFileParams{
		Repositories: jsonList([]int64{repository}), Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
		File: file.File, Since: q.since, Until: q.until, Runs: q.runs, WeeksSince: db.Time(first).Text(),
	})
	if err != nil {
		return err
	}
	file.Violations.Violations, file.Open.Violations, file.Claimed.Violations = int(row.Violations), int(row.Open), int(row.Claimed)
	file.Abandoned.Violations, file.Verified.Violations, file.Skipped.Violations, file.InFixLines.Violations = int(row.Abandoned), int(row.Verified), int(row.Skipped), int(row.InFixLines)
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
		if err := file.AddDay(first, *text, 1); err != nil {
			return err
		}
	}
	return nil
}

// RecurringLines implements [ledger.StatisticsSource].
func (q *statisticsQuery) RecurringLines(ctx context.Context, out *ledger.Rows) error {
	var rows []db.TopLinesOfRow
	oldest, _, err := q.oldest(ctx, out)
	if err != nil {
		return err
	}
	if q.unfiltered() {
		var totals []db.RecurringLine
		totals, err = q.TopLines(ctx, db.TopLinesParams{Repositories: q.repositories, AtMost: q.atMost()})
		for _, r := range totals {
			rows = append(rows, db.TopLinesOfRow(r))
		}
	} else {
		rows, err = q.TopLinesOf(ctx, db.TopLinesOfParams{
			Runs: q.runs, Until: q.until, Repositories: q.repositories, Jobs: q.jobs,
			Adapter: q.filter.Adapter, Model: q.filter.Model, Oldest: oldest.FirstSeen, OldestID: oldest.ID, AtMost: q.atMost(),
		})
	}
	for _, r := range rows {
		if err != nil {
			break
		}
		var line ledger.Recurrence
		line, err = q.recurrence(ctx, r)
		out.Recurring = append(out.Recurring, line)
	}
	return err
}

// recurrence describes a line that keeps coming back.
func (q *statisticsQuery) recurrence(ctx context.Context, r db.TopLinesOfRow) (ledger.Recurrence, error) {
	counts, err := q.CountsOfLine(ctx, db.CountsOfLineParams{
		Repositories: jsonList([]int64{r.RepositoryID}), Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
		Fingerprint: r.Fingerprint, Since: q.since, Until: q.until, Runs: q.runs,
	})
	if err != nil {
		return ledger.Recurrence{}, err
	}
	x := q.filter.RecurrenceOf(r.Fingerprint, q.keys[r.RepositoryID], counts.Runs, counts.Violations, counts.Open)
	row, err := q.LatestOfFingerprint(ctx, db.LatestOfFingerprintParams{Fingerprint: &r.Fingerprint, RepositoryID: r.RepositoryID})
	x.Latest, x.Job, x.File, x.Issue, x.Line = row.ShortID, row.Job, row.File, row.Issue, int(row.LineStart)
	return x, err
}
