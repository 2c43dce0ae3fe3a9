package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Statistics reads the rows that the filter chooses and computes statistics of them.
func (l *Store) Statistics(ctx context.Context, f ledger.StatisticsFilter) (s ledger.Statistics, err error) {
	err = l.read(ctx, "compute statistics", func(t *tx) error {
		rows, err := t.statisticsRows(ctx, f)
		if err != nil {
			return err
		}
		s = ledger.Compute(rows, f)
		for i := range s.Recurring {
			if err := t.describeRecurrence(ctx, &s.Recurring[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return s, err
}

func (t *tx) describeRecurrence(ctx context.Context, r *ledger.Recurrence) error {
	row, err := t.LatestOfFingerprint(ctx, db.LatestOfFingerprintParams{Fingerprint: &r.Fingerprint, RepositoryID: r.Repository})
	r.Latest, r.Job, r.File, r.Issue, r.Line = row.ShortID, row.Job, row.File, row.Issue, int(row.LineStart)
	return err
}

func (t *tx) statisticsRows(ctx context.Context, f ledger.StatisticsFilter) (rows ledger.Rows, err error) {
	list, err := t.JobNames(ctx)
	if err != nil {
		return rows, err
	}
	jobs := make(map[int64]db.Job, len(list))
	for _, job := range list {
		jobs[job.ID] = job
	}
	if rows.Slots, err = t.slotTotals(ctx, f, jobs); err != nil {
		return rows, err
	}
	if rows.Violations, err = t.violationTotals(ctx, f, jobs); err != nil {
		return rows, err
	}
	if rows.Sightings, err = t.sightings(ctx, f); err != nil {
		return rows, err
	}
	saved, err := t.StatisticsOfSkips(ctx, db.StatisticsOfSkipsParams(statisticsParams(f)))
	if err != nil {
		return rows, err
	}
	rows.Saved = ledger.Saved{Slots: int(saved.Slots), Tokens: saved.Tokens, CostUSD: saved.CostUSD}
	runs, err := t.ListRuns(ctx, db.ListRunsParams{
		Since: since(f.Period), Until: until(f.Period), Statuses: anyWord, Kind: string(ledger.KindGates),
		Branch: f.Branch, Worktree: f.Worktree, AtMost: -1,
	})
	if err != nil {
		return rows, err
	}
	for _, row := range runs {
		if oneOf(f.Run, row.Ulid) {
			run, err := t.runFrom(ctx, row)
			if err != nil {
				return rows, err
			}
			rows.Runs = append(rows.Runs, run)
		}
	}
	return rows, nil
}

func statisticsParams(f ledger.StatisticsFilter) db.StatisticsOfSlotsParams {
	return db.StatisticsOfSlotsParams{
		Since: since(f.Period), Until: until(f.Period), Run: f.Run, Gate: f.Gate, EntryPoint: f.EntryPoint,
		Adapter: f.Adapter, Branch: f.Branch, Worktree: f.Worktree,
	}
}

func (t *tx) slotTotals(ctx context.Context, f ledger.StatisticsFilter, jobs map[int64]db.Job) (totals []ledger.SlotTotals, err error) {
	rows, err := t.StatisticsOfSlots(ctx, statisticsParams(f))
	for _, r := range rows {
		totals = append(totals, ledger.SlotTotals{
			EntryPoint: jobs[r.JobID].EntryPoint, Gate: jobs[r.JobID].Name, Adapter: r.Adapter, Iteration: int(r.Iteration),
			Slots: int(r.Slots), Answered: int(r.Answered), Errors: int(r.Errors), Skipped: int(r.Skipped),
			Counts: ledger.SlotCounts{
				Accepted: int(r.Accepted), OutOfDiff: int(r.OutOfDiff), BelowThreshold: int(r.BelowThreshold),
				PreviouslySkipped: int(r.PreviouslySkipped), RememberedSkip: int(r.RememberedSkip), Malformed: int(r.Malformed), Merged: int(r.Merged),
				OutsideVerify: int(r.OutsideVerify), New: int(r.New), Reopened: int(r.Reopened),
				Verified: int(r.Verified), Carried: int(r.Carried),
			},
			InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
			WithTokens: int(r.WithTokens), WithCost: int(r.WithCost),
		})
	}
	return totals, err
}

func (t *tx) violationTotals(ctx context.Context, f ledger.StatisticsFilter, jobs map[int64]db.Job) (totals []ledger.ViolationTotals, err error) {
	rows, err := t.StatisticsOfViolations(ctx, db.StatisticsOfViolationsParams(statisticsParams(f)))
	for _, r := range rows {
		status := ledger.Status(r.Status)
		if r.Abandoned && status.Open() {
			status = ledger.StatusLeft
		}
		totals = append(totals, ledger.ViolationTotals{
			EntryPoint: jobs[r.JobID].EntryPoint, Gate: jobs[r.JobID].Name, Adapter: r.Adapter, Iteration: int(r.Iteration),
			Status: status, Reason: r.Reason, Shared: r.Shared != 0, InFixLines: r.InFixLines != 0,
			Violations: int(r.Violations),
		})
	}
	return totals, err
}

// sightings are the places of the violations that were first reported in the period. They come as three JSON
// arrays, for a row each would take longer than all else.
func (t *tx) sightings(ctx context.Context, f ledger.StatisticsFilter) ([]ledger.Sighting, error) {
	places, err := t.places(ctx, f)
	if err != nil {
		return nil, err
	}
	files, err := texts(places.Files)
	if err != nil {
		return nil, err
	}
	fingerprints, err := texts(places.Fingerprints)
	if err != nil {
		return nil, err
	}
	runs := strings.Split(strings.Trim(places.Runs, "[]"), ",")
	of, err := t.RepositoriesOfRuns(ctx)
	if err != nil {
		return nil, err
	}
	repositories := make(map[string]int64, len(of))
	for _, row := range of {
		repositories[strconv.FormatInt(row.ID, 10)] = row.RepositoryID
	}
	sightings := make([]ledger.Sighting, len(files))
	for i := range files {
		sightings[i] = ledger.Sighting{File: files[i], Fingerprint: fingerprints[i], Run: runs[i], Repository: repositories[runs[i]]}
	}
	return sightings, nil
}

// texts reads a JSON array of texts. Where nothing in it is escaped, it can be
// cut apart, which is ten times as fast.
func texts(array string) (list []string, err error) {
	switch inner, ok := strings.CutPrefix(array, `["`); {
	case array == "[]":
		return nil, nil
	case ok && strings.HasSuffix(inner, `"]`) && !strings.Contains(inner, `\`):
		return strings.Split(strings.TrimSuffix(inner, `"]`), `","`), nil
	}
	err = json.Unmarshal([]byte(array), &list)
	return list, err
}

func (t *tx) places(ctx context.Context, f ledger.StatisticsFilter) (db.PlacesRow, error) {
	if f == (ledger.StatisticsFilter{Period: f.Period, Top: f.Top}) {
		return t.Places(ctx, db.PlacesParams{Since: since(f.Period), Until: until(f.Period)})
	}
	row, err := t.FilteredPlaces(ctx, db.FilteredPlacesParams(statisticsParams(f)))
	return db.PlacesRow(row), err
}
