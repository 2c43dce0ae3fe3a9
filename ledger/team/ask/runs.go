package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// FindRunByPrefix answers as the ledger does.
func (s *Store) FindRunByPrefix(ctx context.Context, prefix string) (ledger.Run, error) {
	return answer(ctx, s, fmt.Sprintf("find run %q", prefix), func(t *tx) (run ledger.Run, err error) {
		first := strings.ToUpper(prefix)
		ids, err := t.RunsWithPrefix(ctx, postgres.RunsWithPrefixParams{First: first, Last: lists.PrefixEnd(first)})
		switch {
		case err != nil:
			return run, err
		case len(ids) == 0 || prefix == "":
			return run, &ledger.IDError{Kind: "run", ID: prefix}
		case len(ids) > 1:
			return run, &ledger.IDError{Kind: "run", ID: prefix, Matches: ids}
		}
		row, err := t.RunByID(ctx, ids[0])
		return runFrom(postgres.ListRunsRow(row)), err
	})
}

// Runs answers as the ledger does.
func (s *Store) Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error) {
	return answer(ctx, s, "list runs", func(t *tx) (runs []ledger.Run, err error) {
		p := postgres.ListRunsParams{
			Statuses: anyOf(f.Statuses), Kind: orNil(string(f.Kind)), Branch: orNil(f.Branch),
			Adapter: orNil(f.Adapter), AtMost: orNil(int64(f.Limit)),
		}
		p.Since, p.Until = moments(f.Started)
		if p.Repositories, p.Jobs, err = t.runScope(ctx, f); err != nil {
			return nil, err
		}
		if f.Before != "" {
			last, err := t.RunByID(ctx, f.Before)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil, lists.NotACursor(f.Before)
			}
			if err != nil {
				return nil, err
			}
			p.BeforeID, p.BeforeAt = &last.Run.ID, last.Run.StartedAt
		}
		rows, err := t.ListRuns(ctx, p)
		runs = make([]ledger.Run, 0, len(rows))
		for _, row := range rows {
			runs = append(runs, runFrom(row))
		}
		return runs, err
	})
}

// runScope returns the repositories and jobs that the filter selects; nil means all.
func (t *tx) runScope(ctx context.Context, f ledger.RunFilter) (repositories []int64, jobs []string, err error) {
	if f.Worktree != "" {
		return nil, nil, fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
	}
	if repositories, err = t.repositoriesNamed(ctx, f.Repository); err != nil {
		return nil, nil, err
	}
	jobs, err = t.jobsNamed(ctx, f.EntryPoint, f.Gate)
	return repositories, jobs, err
}

// runFrom returns the run without what never leaves its machine.
func runFrom(row postgres.ListRunsRow) ledger.Run {
	r := row.Run
	run := ledger.Run{
		ID: r.ID, Kind: ledger.RunKind(r.Kind), ConfigHash: rows.Value(r.ConfigHash),
		ContentRemovedAt: moment(r.ContentRemovedAt),
		Branch:           rows.Value(r.Branch), BaseRef: r.BaseRef, Base: r.Base, Head: rows.Value(r.Head),
		SessionRef: rows.Value(r.SessionRef), Status: ledger.RunStatus(r.Status),
		StartedAt: r.StartedAt.UTC(), FinishedAt: moment(r.FinishedAt),
		Iterations: int(r.Iterations), Verified: int(r.Verified), Claimed: int(r.Claimed), Skipped: int(r.Skipped), Withdrawn: int(r.Withdrawn), Open: int(r.Open),
		Verdict: ledger.VerdictWord(rows.Value(r.Verdict)),
	}
	if run.Verdict != "" { // as in a ledger, where the id belongs to the verdict
		run.ReviewID = rows.Value(r.ReviewID)
	}
	if row.RepositoryKind != string(ledger.RepositoryUnknown) {
		run.Repository = ledger.Repository{Kind: ledger.RepositoryKind(row.RepositoryKind), Key: row.RepositoryKey}
	}
	return run
}

// CountRuns answers as the ledger does.
func (s *Store) CountRuns(ctx context.Context, f ledger.RunFilter) ([]ledger.RunCount, error) {
	return answer(ctx, s, "count runs", func(t *tx) (counts []ledger.RunCount, err error) {
		p := postgres.CountRunsParams{Adapter: orNil(f.Adapter)}
		p.Since, p.Until = moments(f.Started)
		f.Repository = "" // runs are counted by repository
		if _, p.Jobs, err = t.runScope(ctx, f); err != nil {
			return nil, err
		}
		repositories, err := t.RepositoryRows(ctx)
		if err != nil {
			return nil, err
		}
		keys := make(map[int64]string, len(repositories))
		for _, r := range repositories {
			keys[r.ID] = repositoryKey(r)
		}
		rows, err := t.CountRuns(ctx, p)
		for _, row := range rows {
			counts = append(counts, ledger.RunCount{
				Status: ledger.RunStatus(row.Status), Kind: ledger.RunKind(row.Kind), Branch: row.Branch, Repository: keys[row.Repository],
				Runs: int(row.Runs),
			})
		}
		slices.SortFunc(counts, func(a, b ledger.RunCount) int { // faster here than on the server
			return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Repository, b.Repository))
		})
		return counts, err
	})
}

// OpenRuns answers as the ledger does.
func (s *Store) OpenRuns(ctx context.Context) ([]ledger.Run, error) {
	return answer(ctx, s, "list open runs", func(t *tx) (runs []ledger.Run, err error) {
		rows, err := t.ListRuns(ctx, postgres.ListRunsParams{Unfinished: true})
		for _, row := range rows {
			runs = append(runs, runFrom(row))
		}
		return runs, err
	})
}

// RunsByStatus answers as the ledger does.
func (s *Store) RunsByStatus(ctx context.Context) (map[ledger.RunStatus]ledger.RunsByStatus, error) {
	return answer(ctx, s, "count runs by status", func(t *tx) (map[ledger.RunStatus]ledger.RunsByStatus, error) {
		counts := map[ledger.RunStatus]ledger.RunsByStatus{}
		rows, err := t.RunsByStatus(ctx)
		for _, row := range rows {
			counts[ledger.RunStatus(row.Status)] = ledger.RunsByStatus{Runs: int(row.Runs), Open: int(row.LeftOpen)}
		}
		return counts, err
	})
}

// RunOutcomes answers as the ledger does.
func (s *Store) RunOutcomes(ctx context.Context, runs []ledger.Run) (totals map[string]ledger.RunOutcome, err error) {
	totals = map[string]ledger.RunOutcome{}
	ids := make([]string, 0, len(runs))
	for _, run := range runs {
		ids = append(ids, run.ID)
	}
	err = s.read(ctx, "add up the runs", func(t *tx) error {
		left, err := t.LeftByIterations(ctx, ids)
		if err != nil {
			return err
		}
		for _, row := range left {
			of := totals[row.Run]
			of.Remaining = append(of.Remaining, int(row.LeftOpen))
			totals[row.Run] = of
		}
		costs, err := t.CostsOfRuns(ctx, ids)
		for _, row := range costs {
			of := totals[row.Run]
			of.Cost = ledger.Cost{USD: row.Cost, Known: int(row.Known), Calls: int(row.Calls)}
			totals[row.Run] = of
		}
		return err
	})
	return totals, err
}

// CountViolations answers as the ledger does.
func (s *Store) CountViolations(ctx context.Context) (int, error) {
	return answer(ctx, s, "count violations", func(t *tx) (int, error) {
		reviewing, err := t.reviewing(ctx)
		return reviewing.Violations, err
	})
}

// CountOpen answers as the ledger does.
func (s *Store) CountOpen(ctx context.Context) (n int, err error) {
	open, err := s.OpenByPriority(ctx)
	for _, of := range open {
		n += of
	}
	return n, err
}

// OpenByPriority answers as the ledger does.
func (s *Store) OpenByPriority(ctx context.Context) (map[ledger.Priority]int, error) {
	return answer(ctx, s, "count open violations", func(t *tx) (map[ledger.Priority]int, error) {
		open := map[ledger.Priority]int{}
		rows, err := t.OpenByPriority(ctx)
		for _, row := range rows {
			open[ledger.Priority(row.Priority)] = int(row.Violations)
		}
		return open, err
	})
}
