package ask

import (
	"context"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
)

// atMost returns a limit for SQL, where null means no limit.
func atMost(limit int) *int64 {
	if limit <= 0 {
		return nil
	}
	n := int64(limit)
	return &n
}

// newest returns how many of the newest violations are counted for the filter, or nil if all are.
// All violations of a single run are counted.
func (q *statisticsQuery) newest(ctx context.Context, out *ledger.Rows) (*int64, error) {
	n := int64(q.filter.Newest)
	if n == 0 || q.filter.Run != "" || q.Unfiltered() {
		return nil, nil
	}
	more, err := q.ReportsMore(ctx, postgres.ReportsMoreParams{
		Since: q.since, Until: q.until, Branch: q.filter.Branch, Newest: n,
	})
	if err != nil || !more {
		return nil, err
	}
	out.Newest = q.filter.Newest
	return &n, nil
}

// Files implements [ledger.StatisticsSource].
func (q *statisticsQuery) Files(ctx context.Context, out *ledger.Rows) error {
	if q.Unfiltered() {
		return q.allFiles(ctx, out)
	}
	newest, err := q.newest(ctx, out)
	if err != nil {
		return err
	}
	files, detailed := q.filter.Top, q.filter.Detailed
	if newest != nil && detailed > 0 { // all figures of each file are counted one by one
		files, detailed = detailed, 0
	}
	rows, err := q.TopFilesOf(ctx, postgres.TopFilesOfParams{
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model, Since: q.since, Until: q.until,
		Run: q.filter.Run, Branch: q.filter.Branch, Newest: newest, AtMost: atMost(files),
	})
	if err != nil {
		return err
	}
	chosen := q.filesChosen()
	for _, r := range rows {
		chosen.add(out, q, r.Repository, r.File, ledger.FileCounts{
			Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
			Skipped: r.Skipped, Withdrawn: r.Withdrawn, InFixLines: r.InFixLines,
		})
	}
	chosen.first(detailed)
	if q.filter.CountsOnly && newest == nil {
		return nil
	}
	details, err := q.details(ctx, chosen)
	if err != nil {
		return err
	}
	for _, r := range details {
		file := &out.Files[r.Number-1]
		if newest != nil { // the counts were only those of the newest violations
			*file = q.filter.FileOf(file.File, file.Repository, ledger.FileCounts{
				Violations: r.Violations, Open: r.Open, Abandoned: r.Abandoned, Claimed: r.Claimed, Verified: r.Verified,
				Skipped: r.Skipped, Withdrawn: r.Withdrawn, InFixLines: r.InFixLines,
			})
		}
		if !q.filter.CountsOnly {
			file.Runs, file.Reopened.Violations = int(r.Runs), int(r.Reopened)
		}
	}
	return q.addDays(details, out.Files)
}

// allFiles returns the files of all violations, from the figures. Rows are read only to find out
// when the violations of the detailed files were reported.
func (q *statisticsQuery) allFiles(ctx context.Context, out *ledger.Rows) error {
	files, err := q.TopFiles(ctx, q.filter.Top)
	if err != nil {
		return err
	}
	chosen := q.filesChosen()
	for i, f := range files {
		chosen.add(out, q, q.homes[f.Repository], f.Name, f.Counts)
		if d := q.filter.Detailed; !q.filter.CountsOnly && (d == 0 || i < d) {
			file := &out.Files[i]
			file.Runs, file.Reopened.Violations = int(f.Runs), int(f.Reopened)
		}
	}
	if q.filter.CountsOnly {
		return nil
	}
	chosen.first(q.filter.Detailed)
	if first := q.filter.FirstShownWeek(q.Now); chosen.Since.Before(first) {
		chosen.Since = first
	}
	details, err := q.details(ctx, chosen)
	if err != nil {
		return err
	}
	return q.addDays(details, out.Files)
}

// chosenFiles are files about which more details are read.
type chosenFiles postgres.DetailsOfFilesParams

func (q *statisticsQuery) filesChosen() chosenFiles {
	f := q.filter
	return chosenFiles{Jobs: q.jobs, Adapter: f.Adapter, Model: f.Model, Since: q.since, Until: q.until, Run: f.Run, Branch: f.Branch}
}

// add adds a file, and also adds it to out.
func (c *chosenFiles) add(out *ledger.Rows, q *statisticsQuery, repository int64, name string, counts ledger.FileCounts) {
	c.Repositories, c.Files = append(c.Repositories, repository), append(c.Files, name)
	out.Files = append(out.Files, q.filter.FileOf(name, q.shown[repository], counts))
}

// first keeps the first n files; 0 keeps all.
func (c *chosenFiles) first(n int) {
	if n > 0 && n < len(c.Files) {
		c.Repositories, c.Files = c.Repositories[:n], c.Files[:n]
	}
}

// details returns the details of the files that have violations.
func (q *statisticsQuery) details(ctx context.Context, p chosenFiles) ([]postgres.DetailsOfFilesRow, error) {
	p.WeeksSince = q.filter.FirstShownWeek(q.Now)
	return q.DetailsOfFiles(ctx, postgres.DetailsOfFilesParams(p))
}

// addDays adds to the files when their violations were reported.
func (q *statisticsQuery) addDays(details []postgres.DetailsOfFilesRow, files []ledger.FileStatistics) error {
	if q.filter.CountsOnly {
		return nil
	}
	for _, r := range details {
		for _, day := range r.Days {
			if err := files[r.Number-1].AddDay(q.filter.FirstShownWeek(q.Now), day, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// RecurringLines implements [ledger.StatisticsSource].
func (q *statisticsQuery) RecurringLines(ctx context.Context, out *ledger.Rows) error {
	newest, err := q.newest(ctx, out)
	if err != nil {
		return err
	}
	f := q.filter
	lines := postgres.CountsOfLinesParams{Jobs: q.jobs, Adapter: f.Adapter, Model: f.Model, Since: q.since, Until: q.until, Run: f.Run, Branch: f.Branch}
	if q.Unfiltered() {
		top, err := q.TopLines(ctx, f.Top)
		if err != nil {
			return err
		}
		for _, line := range top {
			lines.Repositories, lines.Fingerprints = append(lines.Repositories, q.homes[line.Repository]), append(lines.Fingerprints, line.Fingerprint)
		}
	} else {
		top, err := q.TopLinesOf(ctx, postgres.TopLinesOfParams{
			Repositories: q.repositories, Jobs: q.jobs, Adapter: f.Adapter, Model: f.Model, Since: q.since, Until: q.until,
			Run: f.Run, Branch: f.Branch, Newest: newest, AtMost: atMost(f.Top),
		})
		if err != nil {
			return err
		}
		for _, line := range top {
			lines.Repositories, lines.Fingerprints = append(lines.Repositories, line.Repository), append(lines.Fingerprints, line.Fingerprint)
		}
	}
	return q.describeLines(ctx, lines, out)
}

// describeLines counts recurring lines, and adds the latest violation of each.
func (q *statisticsQuery) describeLines(ctx context.Context, lines postgres.CountsOfLinesParams, out *ledger.Rows) error {
	if len(lines.Fingerprints) == 0 {
		return nil
	}
	counts, err := q.CountsOfLines(ctx, lines)
	if err != nil {
		return err
	}
	out.Recurring = make([]ledger.Recurrence, len(lines.Fingerprints))
	for _, r := range counts {
		n := r.Number - 1
		out.Recurring[n] = q.filter.RecurrenceOf(lines.Fingerprints[n], q.shown[lines.Repositories[n]], r.Runs, r.Violations, r.Open)
	}
	latest, err := q.LatestOfLines(ctx, postgres.LatestOfLinesParams{Repositories: lines.Repositories, Fingerprints: lines.Fingerprints})
	for _, r := range latest {
		x := &out.Recurring[r.Number-1]
		x.Latest, x.Job, x.File, x.Issue, x.Line = r.ShortID, r.Job, r.File, r.Issue, int(r.LineStart)
	}
	return err
}
