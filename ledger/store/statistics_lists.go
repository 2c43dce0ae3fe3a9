package store

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// oldest is the oldest violation that the filter looks at. Not all is set where there are
// older ones in its period: then out says so. Of one run all are looked at.
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

// onlyPeriod reports whether the filter leaves all violations of a period, but for a repository.
func (q *statisticsQuery) onlyPeriod() bool {
	all := *q.Query
	all.Filter.Period = ledger.Period{}
	return all.Unfiltered()
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

// shown is the key of a repository where there are several.
func (q *statisticsQuery) shown(repository string) string {
	if !q.several {
		return ""
	}
	return repository
}

// filesFrom are the files of violations from the oldest one on that is looked at.
func (q *statisticsQuery) filesFrom(ctx context.Context, oldest db.OldestOfNewestRow, notAll bool) (files []statistics.File, err error) {
	most := q.atMost()
	if n := int64(q.filter.Detailed); notAll && n > 0 { // each is counted by itself
		most = n
	}
	rows, err := q.TopFilesOf(ctx, db.TopFilesOfParams{
		Runs: q.runs, Since: q.since, Until: q.until, Repositories: q.repositories, Jobs: q.jobs,
		Adapter: q.filter.Adapter, Model: q.filter.Model, Oldest: oldest.FirstSeen, OldestID: oldest.ID, AtMost: most,
	})
	for _, r := range rows {
		files = append(files, statistics.File{Repository: q.keyOf(r.RepositoryID), Name: r.File, Counts: ledger.FileCounts{
			Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
			Skipped: r.Skipped, InFixLines: r.InFixLines,
		}})
	}
	return files, err
}

func (q *statisticsQuery) keyOf(repository int64) string {
	for key, id := range q.byKey {
		if id == repository {
			return key
		}
	}
	return ""
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
	oldest, _, err := q.oldest(ctx, out)
	if err != nil {
		return err
	}
	var lines []statistics.Line
	switch {
	case q.Unfiltered():
		lines, err = q.TopLines(ctx, q.filter.Top)
	case q.onlyPeriod():
		lines, err = q.linesOfPeriod(ctx, oldest)
	default:
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

// linesOfPeriod are the lines of the period of the filter, from the oldest violation on that is
// looked at.
func (q *statisticsQuery) linesOfPeriod(ctx context.Context, oldest db.OldestOfNewestRow) (lines []statistics.Line, err error) {
	params := sums.LinesOfPeriodParams{Since: math.MinInt64, Until: math.MaxInt64}
	if since, err := timeOf(oldest.FirstSeen); err == nil && !since.IsZero() {
		params.Since = statistics.At(since)
	}
	if until := q.filter.Period.Until; !until.IsZero() {
		params.Until = statistics.At(until)
	}
	rows, err := q.sums.LinesOfPeriod(ctx, params)
	for _, r := range rows {
		of, err := statistics.ParseKey(r.Key)
		if err != nil {
			return nil, err
		}
		if fingerprint, repository := of.Labels[0], of.Labels[1]; q.filter.Repository == "" || repository == q.filter.Repository {
			lines = append(lines, statistics.Line{Repository: repository, Fingerprint: fingerprint, Runs: r.Runs})
		}
	}
	place := func(l statistics.Line) string { // the unknown repository comes first
		if l.Repository == ledger.UnknownRepository {
			return ""
		}
		return l.Repository
	}
	slices.SortStableFunc(lines, func(a, b statistics.Line) int {
		return cmp.Or(-cmp.Compare(a.Runs, b.Runs), cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(place(a), place(b)))
	})
	if n := q.filter.Top; n > 0 {
		lines = lines[:min(n, len(lines))]
	}
	return lines, err
}

// linesFrom are the lines of violations from the oldest one on that is looked at.
func (q *statisticsQuery) linesFrom(ctx context.Context, oldest db.OldestOfNewestRow) (lines []statistics.Line, err error) {
	recurring, err := q.TopLines(ctx, 0)
	if err != nil {
		return nil, err
	}
	fingerprints := make([]string, len(recurring))
	for i, line := range recurring {
		fingerprints[i] = line.Fingerprint
	}
	rows, err := q.TopLinesOf(ctx, db.TopLinesOfParams{
		Lines: jsonList(fingerprints), Runs: q.runs, Until: q.until, Repositories: q.repositories, Jobs: q.jobs,
		Adapter: q.filter.Adapter, Model: q.filter.Model, Oldest: oldest.FirstSeen, OldestID: oldest.ID, AtMost: q.atMost(),
	})
	for _, r := range rows {
		lines = append(lines, statistics.Line{Repository: q.keyOf(r.RepositoryID), Fingerprint: r.Fingerprint, Runs: r.Runs})
	}
	return lines, err
}

// recurrence describes a line that keeps coming back.
func (q *statisticsQuery) recurrence(ctx context.Context, line statistics.Line) (ledger.Recurrence, error) {
	repository := q.byKey[line.Repository]
	counts, err := q.CountsOfLine(ctx, db.CountsOfLineParams{
		Repositories: jsonList([]int64{repository}), Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
		Fingerprint: line.Fingerprint, Since: q.since, Until: q.until, Runs: q.runs,
	})
	if err != nil {
		return ledger.Recurrence{}, err
	}
	x := q.filter.RecurrenceOf(line.Fingerprint, q.shown(line.Repository), counts.Runs, counts.Violations, counts.Open)
	row, err := q.LatestOfFingerprint(ctx, db.LatestOfFingerprintParams{Fingerprint: &line.Fingerprint, RepositoryID: repository})
	x.Latest, x.Job, x.File, x.Issue, x.Line = row.ShortID, row.Job, row.File, row.Issue, int(row.LineStart)
	return x, err
}
