package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// RunOutcomes returns the outcomes of runs, by ULID.
func (l *Store) RunOutcomes(ctx context.Context, runs []ledger.Run) (totals map[string]ledger.RunOutcome, err error) {
	totals = map[string]ledger.RunOutcome{}
	err = l.read(ctx, "add up the runs", func(t *tx) error {
		ids, ulids := make([]int64, 0, len(runs)), map[int64]string{}
		for _, run := range runs {
			row, err := t.runByULID(ctx, run.ID)
			if err != nil {
				return err
			}
			ids = append(ids, row.Row)
			ulids[row.Row] = run.ID
		}
		list := asJSON(ids)
		left, err := t.LeftByIterations(ctx, list)
		if err != nil {
			return err
		}
		for _, row := range left {
			of := totals[ulids[row.RunID]]
			of.Remaining = append(of.Remaining, int(row.LeftOpen))
			totals[ulids[row.RunID]] = of
		}
		costs, err := t.CostsOfRuns(ctx, list)
		for _, row := range costs {
			of := totals[ulids[row.RunID]]
			of.Cost = ledger.Cost{USD: row.CostUSD, Known: int(row.CallsWithCost), Calls: int(row.Calls)}
			totals[ulids[row.RunID]] = of
		}
		return err
	})
	return totals, err
}

// CountRuns counts the runs of the filter's period, gate, entry point and adapter, by everything
// else that a filter can select.
func (l *Store) CountRuns(ctx context.Context, f ledger.RunFilter) ([]ledger.RunCount, error) {
	return answer(ctx, l, "count runs", func(t *tx) (counts []ledger.RunCount, err error) {
		jobs, err := t.jobsOf(ctx, f.Gate, f.EntryPoint)
		if err != nil {
			return nil, err
		}
		repositories, err := t.RepositoryRows(ctx)
		if err != nil {
			return nil, err
		}
		keys := map[int64]string{}
		for _, repository := range repositories {
			keys[repository.ID] = repositoryKey(repository)
		}
		rows, err := t.CountRuns(ctx, db.CountRunsParams{Since: since(f.Started), Until: until(f.Started), Jobs: jobs, Adapter: f.Adapter})
		for _, row := range rows {
			counts = append(counts, ledger.RunCount{
				Status: ledger.RunStatus(row.Status), Kind: ledger.RunKind(row.Kind), Branch: row.Branch, Worktree: row.Worktree,
				Repository: keys[row.RepositoryID], Runs: int(row.Runs),
			})
		}
		return counts, err
	})
}

// repositoryKey returns the key by which a repository is shown and filtered.
func repositoryKey(r db.Repository) string {
	if r.Kind == string(ledger.RepositoryUnknown) {
		return ledger.UnknownRepository
	}
	return r.Key
}

// jobsOf returns the jobs with this gate and entry point, as a list for json_each. If both are
// empty, it does not restrict anything.
func (t *tx) jobsOf(ctx context.Context, gate, entryPoint string) (string, error) {
	if gate == "" && entryPoint == "" {
		return anyWord, nil
	}
	jobs, err := t.JobNames(ctx)
	if err != nil {
		return "", err
	}
	ids := []int64{}
	for _, job := range jobs {
		if lists.OneOf(gate, job.Name) && lists.OneOf(entryPoint, job.EntryPoint) {
			ids = append(ids, job.ID)
		}
	}
	return asJSON(ids), nil
}

// repositoriesOf returns the repositories with the key, as a list for json_each. If the key is
// empty, it does not restrict anything.
func (t *tx) repositoriesOf(ctx context.Context, key string) (string, error) {
	if key == "" {
		return anyWord, nil
	}
	rows, err := t.RepositoryRows(ctx)
	if err != nil {
		return "", err
	}
	ids := []int64{}
	for _, r := range rows {
		if repositoryKey(r) == key {
			ids = append(ids, r.ID)
		}
	}
	return asJSON(ids), nil
}

// RunEvents returns the events of all violations of a run, in the order in which they happened,
// without hunks.
func (l *Store) RunEvents(ctx context.Context, run string) ([]ledger.Event, error) {
	return ofRun(ctx, l, "read the events of the run", run, func(t *tx, row runRow) ([]ledger.Event, error) {
		return eventsOfRun.All(ctx, t.Queries, sql.Named("run", row.Row))
	})
}

// ExplainRun returns why a run passed or not. For a code review it explains the verdict too.
func (l *Store) ExplainRun(ctx context.Context, run string) (ledger.Explanation, error) {
	state, err := l.State(ctx, run)
	if err != nil {
		return ledger.Explanation{}, err
	}
	return l.Explained(ctx, state)
}

// Explained is like [Store.ExplainRun], for a caller that has the state of the run.
func (l *Store) Explained(ctx context.Context, state *ledger.State) (ledger.Explanation, error) {
	if state.Run.Verdict == "" {
		return ledger.ExplainRun(state), nil
	}
	v, err := l.Verdict(ctx, state.Run.ID)
	if err != nil {
		return ledger.Explanation{}, err
	}
	return verdict.Explain(state, v), nil
}

// Names returns the names in the ledger that filters can select.
func (l *Store) Names(ctx context.Context) (names ledger.Names, err error) {
	err = l.read(ctx, "list names", func(t *tx) error {
		reviewers, err := t.Reviewers(ctx)
		if err != nil {
			return err
		}
		for _, reviewer := range reviewers {
			names.Adapters = append(names.Adapters, reviewer.Adapter)
			names.Models = append(names.Models, reviewer.Model)
		}
		slices.Sort(names.Models)
		names.Adapters, names.Models = slices.Compact(names.Adapters), slices.Compact(names.Models)
		jobs, err := t.JobNames(ctx)
		if err != nil {
			return err
		}
		for _, job := range jobs {
			names.Gates = append(names.Gates, job.Name)
			names.EntryPoints = append(names.EntryPoints, job.EntryPoint)
		}
		repositories, err := t.RepositoryRows(ctx)
		for _, repository := range repositories {
			names.Repositories = append(names.Repositories, repositoryKey(repository))
		}
		return err
	})
	return names, err
}

// CountViolations returns how many violations there are.
func (l *Store) CountViolations(ctx context.Context) (int, error) {
	return answer(ctx, l, "count violations", func(t *tx) (int, error) {
		n, err := t.CountAllViolations(ctx)
		return int(n), err
	})
}

// CountOpen returns how many violations are open now.
func (l *Store) CountOpen(ctx context.Context) (int, error) {
	return answer(ctx, l, "count open violations", func(t *tx) (int, error) {
		open, err := t.CountOpen(ctx, asJSON(ledger.OpenStatuses()))
		return int(open), err
	})
}
