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
	return q.cells.Runs == nil && f.Period == (ledger.Period{}) && q.cells.Jobs == nil && f.Adapter == "" && f.Model == ""
}

// atMost is a limit for SQL, where none is null.
func atMost(limit int) *int64 {
	if limit <= 0 {
		return nil
	}
	n := int64(limit)
	return &n
}

// newest is among how many of the newest violations the filter looks; nil is all of them. Of
// one run all are looked at.
func (q *statisticsQuery) newest(ctx context.Context, out *ledger.Rows) (*int64, error) {
	n := int64(q.filter.Newest)
	if n == 0 || q.filter.Run != "" || q.unfiltered() {
		return nil, nil
	}
	more, err := q.ReportsMore(ctx, postgres.ReportsMoreParams{
		Since: q.cells.Since, Until: q.cells.Until, Branch: q.filter.Branch, Newest: n,
	})
	if err != nil || !more {
		return nil, err
	}
	out.Newest = q.filter.Newest
	return &n, nil
}

// Files implements [ledger.StatisticsSource].
func (q *statisticsQuery) Files(ctx context.Context, out *ledger.Rows) error {
	if q.unfiltered() {
		return q.filesOfTotals(ctx, out)
	}
	newest, err := q.newest(ctx, out)
	if err != nil {
		return err
	}
	p, files, detailed := q.cells, q.filter.Top, q.filter.Detailed
	if newest != nil && detailed > 0 { // each is counted by itself
		files, detailed = detailed, 0
	}
	rows, err := q.TopFilesOf(ctx, postgres.TopFilesOfParams{
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until,
		Run: q.filter.Run, Branch: q.filter.Branch, Newest: newest, AtMost: atMost(files),
	})
	if err != nil {
		return err
	}
	chosen := q.filesChosen()
	for _, r := range rows {
		chosen.add(out, q, r)
	}
	chosen.first(detailed)
	if q.filter.CountsOnly {
		if newest == nil {
			return nil
		}
		return q.countsOfFiles(ctx, chosen, out.Files)
	}
	details, err := q.DetailsOfFiles(ctx, postgres.DetailsOfFilesParams(chosen))
	if err != nil {
		return err
	}
	for _, r := range details {
		file := &out.Files[r.Number-1]
		if newest != nil { // they were counted among the newest only
			*file = q.filter.FileOf(file.File, file.Repository, ledger.FileCounts{
				Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
				Skipped: r.Skipped, InFixLines: r.InFixLines,
			})
		}
		file.Runs, file.Reopened.Violations = int(r.Runs), int(r.Reopened)
	}
	return q.weeksOfFiles(ctx, chosen, out.Files)
}

// countsOfFiles counts all violations of files that were found among the newest.
func (q *statisticsQuery) countsOfFiles(ctx context.Context, chosen chosenFiles, files []ledger.FileStatistics) error {
	rows, err := q.CountsOfFiles(ctx, postgres.CountsOfFilesParams(chosen))
	for _, r := range rows {
		file := &files[r.Number-1]
		*file = q.filter.FileOf(file.File, file.Repository, ledger.FileCounts{
			Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
			Skipped: r.Skipped, InFixLines: r.InFixLines,
		})
	}
	return err
}

// filesOfTotals reads the files of all violations, and when those of the detailed ones were
// reported.
func (q *statisticsQuery) filesOfTotals(ctx context.Context, out *ledger.Rows) error {
	rows, err := q.TopFiles(ctx, postgres.TopFilesParams{Repositories: q.cells.Repositories, AtMost: atMost(q.filter.Top)})
	if err != nil {
		return err
	}
	chosen := q.filesChosen()
	for i, r := range rows {
		file := chosen.add(out, q, postgres.TopFilesOfRow{
			Repository: r.Repository, File: r.File, Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned,
			Claimed: r.Claimed, Verified: r.Verified, Skipped: r.Skipped, InFixLines: r.InFixLines,
		})
		if n := q.filter.Detailed; !q.filter.CountsOnly && (n == 0 || i < n) {
			file.Runs, file.Reopened.Violations = int(r.Runs), int(r.Reopened)
		}
	}
	if q.filter.CountsOnly {
		return nil
	}
	chosen.first(q.filter.Detailed)
	return q.weeksOfFiles(ctx, chosen, out.Files)
}

// chosenFiles are files of which more is asked.
type chosenFiles postgres.DetailsOfFilesParams

func (q *statisticsQuery) filesChosen() chosenFiles {
	p := q.cells
	return chosenFiles{Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until, Run: q.filter.Run, Branch: q.filter.Branch}
}

// add adds a file, also to the answer.
func (c *chosenFiles) add(out *ledger.Rows, q *statisticsQuery, r postgres.TopFilesOfRow) *ledger.FileStatistics {
	c.Repositories, c.Files = append(c.Repositories, r.Repository), append(c.Files, r.File)
	out.Files = append(out.Files, q.filter.FileOf(r.File, q.keys[r.Repository], ledger.FileCounts{
		Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
		Skipped: r.Skipped, InFixLines: r.InFixLines,
	}))
	return &out.Files[len(out.Files)-1]
}

// first keeps the first ones; 0 keeps all.
func (c *chosenFiles) first(n int) {
	if n > 0 && n < len(c.Files) {
		c.Repositories, c.Files = c.Repositories[:n], c.Files[:n]
	}
}

// weeksOfFiles counts when the violations of the files were reported.
func (q *statisticsQuery) weeksOfFiles(ctx context.Context, p chosenFiles, files []ledger.FileStatistics) error {
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
	newest, err := q.newest(ctx, out)
	if err != nil {
		return err
	}
	if q.unfiltered() {
		totals, err := q.TopLines(ctx, postgres.TopLinesParams{Repositories: p.Repositories, AtMost: atMost(q.filter.Top)})
		if err != nil {
			return err
		}
		for _, r := range totals {
			rows = append(rows, postgres.TopLinesOfRow(r))
		}
	} else {
		rows, err = q.TopLinesOf(ctx, postgres.TopLinesOfParams{
			Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until,
			Run: q.filter.Run, Branch: q.filter.Branch, Newest: newest, AtMost: atMost(q.filter.Top),
		})
		if err != nil {
			return err
		}
	}
	lines := postgres.CountsOfLinesParams{Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Since: p.Since, Until: p.Until, Run: q.filter.Run, Branch: q.filter.Branch}
	for _, r := range rows {
		lines.Repositories, lines.Fingerprints = append(lines.Repositories, r.Repository), append(lines.Fingerprints, r.Fingerprint)
		out.Recurring = append(out.Recurring, q.filter.RecurrenceOf(r.Fingerprint, q.keys[r.Repository], r.Runs, r.Violations, r.Open))
	}
	if newest != nil { // they were counted among the newest only
		counts, err := q.CountsOfLines(ctx, lines)
		if err != nil {
			return err
		}
		for _, r := range counts {
			x := &out.Recurring[r.Number-1]
			*x = q.filter.RecurrenceOf(x.Fingerprint, x.Repository, r.Runs, r.Violations, r.Open)
		}
	}
	latest, err := q.LatestOfLines(ctx, postgres.LatestOfLinesParams{Repositories: lines.Repositories, Fingerprints: lines.Fingerprints})
	for _, r := range latest {
		x := &out.Recurring[r.Number-1]
		x.Latest, x.Job, x.File, x.Issue, x.Line = r.ShortID, r.Job, r.File, r.Issue, int(r.LineStart)
	}
	return err
}
