package team

import (
	"context"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
)

// unfiltered reports whether the filter leaves all violations, but for a repository: then
// the totals of files and lines hold.
func (q *statisticsQuery) unfiltered() bool {
	f := q.filter
	return q.runs == nil && f.Period == (ledger.Period{}) && q.cells.Jobs == nil && f.Adapter == "" && f.Model == ""
}

// atMost is a limit for SQL, where none is null.
func atMost(limit int) *int64 {
	if limit <= 0 {
		return nil
	}
	n := int64(limit)
	return &n
}

// Files implements [ledger.StatisticsSource].
func (q *statisticsQuery) Files(ctx context.Context, out *ledger.Rows) error {
	p := postgres.DetailsOfFilesParams{
		Jobs: q.cells.Jobs, Adapter: q.cells.Adapter, Model: q.cells.Model, Since: q.cells.Since, Until: q.cells.Until, Runs: q.runs,
	}
	add := func(repository int64, file string, n ledger.FileCounts) *ledger.FileStatistics {
		p.Repositories, p.Files = append(p.Repositories, repository), append(p.Files, file)
		out.Files = append(out.Files, q.filter.FileOf(file, q.keys[repository], n))
		return &out.Files[len(out.Files)-1]
	}
	if q.unfiltered() {
		rows, err := q.TopFiles(ctx, postgres.TopFilesParams{Repositories: q.cells.Repositories, AtMost: atMost(q.filter.Top)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			file := add(r.Repository, r.File, ledger.FileCounts{
				Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
				Skipped: r.Skipped, InFixLines: r.InFixLines,
			})
			file.Runs, file.Reopened.Violations = int(r.Runs), int(r.Reopened)
		}
		return q.weeksOfFiles(ctx, p, out.Files)
	}
	rows, err := q.TopFilesOf(ctx, postgres.TopFilesOfParams{
		Repositories: q.cells.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until,
		Runs: p.Runs, AtMost: atMost(q.filter.Top),
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		add(r.Repository, r.File, ledger.FileCounts{
			Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
			Skipped: r.Skipped, InFixLines: r.InFixLines,
		})
	}
	details, err := q.DetailsOfFiles(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range details {
		file := &out.Files[r.Number-1]
		file.Runs, file.Reopened.Violations = int(r.Runs), int(r.Reopened)
	}
	return q.weeksOfFiles(ctx, p, out.Files)
}

// weeksOfFiles counts when the violations of the files were reported.
func (q *statisticsQuery) weeksOfFiles(ctx context.Context, p postgres.DetailsOfFilesParams, files []ledger.FileStatistics) error {
	first := q.filter.FirstShownWeek(q.now)
	if p.Since.Before(first) {
		p.Since = first
	}
	rows, err := q.DaysOfFiles(ctx, postgres.DaysOfFilesParams(p))
	for _, r := range rows {
		if err := files[r.Number-1].AddDay(first, r.Day, r.Violations); err != nil {
			return err
		}
	}
	return err
}

// RecurringLines implements [ledger.StatisticsSource].
func (q *statisticsQuery) RecurringLines(ctx context.Context, out *ledger.Rows) error {
	p := q.cells
	var rows []postgres.TopLinesOfRow
	if q.unfiltered() {
		totals, err := q.TopLines(ctx, postgres.TopLinesParams{Repositories: p.Repositories, AtMost: atMost(q.filter.Top)})
		if err != nil {
			return err
		}
		for _, r := range totals {
			rows = append(rows, postgres.TopLinesOfRow(r))
		}
	} else {
		var err error
		rows, err = q.TopLinesOf(ctx, postgres.TopLinesOfParams{
			Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until,
			Runs: q.runs, AtMost: atMost(q.filter.Top),
		})
		if err != nil {
			return err
		}
	}
	var lines postgres.LatestOfLinesParams
	for _, r := range rows {
		lines.Repositories, lines.Fingerprints = append(lines.Repositories, r.Repository), append(lines.Fingerprints, r.Fingerprint)
		out.Recurring = append(out.Recurring, q.filter.RecurrenceOf(r.Fingerprint, q.keys[r.Repository], r.Runs, r.Violations, r.Open))
	}
	latest, err := q.LatestOfLines(ctx, lines)
	for _, r := range latest {
		x := &out.Recurring[r.Number-1]
		x.Latest, x.Job, x.File, x.Issue, x.Line = r.ShortID, r.Job, r.File, r.Issue, int(r.LineStart)
	}
	return err
}
