package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// OpenReadOnly opens the ledger in the SQLite file at path for queries. It neither writes to the
// file nor creates it, and works during an iteration and on a read-only file system. Canceling the
// context of a query stops it. The error is [ErrMissing] if there is no database.
func OpenReadOnly(ctx context.Context, path string, o Options) (*Store, error) {
	handle, err := db.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open ledger %q: %w", path, err)
	}
	return asking(path, handle, o), nil
}

// The bounds of open-ended periods: before and after every time in the database.
const (
	earliest = ""
	latest   = "9999-12-31T23:59:59.999Z"
)

func since(p ledger.Period) string {
	if p.Since.IsZero() {
		return earliest
	}
	return db.Time(p.Since).Text()
}

func until(p ledger.Period) string {
	if p.Until.IsZero() {
		return latest
	}
	return db.Time(p.Until).Text()
}

// atMost returns a limit for SQL, where no limit is a negative number.
func atMost(limit int) int64 {
	if limit <= 0 {
		return -1
	}
	return int64(limit)
}

// anyWord is the list for json_each that does not restrict anything.
const anyWord = "null"

// noRows is the empty list for json_each.
const noRows = "[]"

// orAny returns the list of a filter for json_each. An empty list does not restrict anything.
func orAny[T any](list []T) string {
	if len(list) == 0 {
		return anyWord
	}
	return asJSON(list)
}

// asJSON returns a list of rows or names for json_each. An empty list selects none.
func asJSON[T any](list []T) string {
	if len(list) == 0 {
		return noRows
	}
	data, err := json.Marshal(list)
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return string(data)
}

// FindRunByPrefix returns the run whose ULID begins with the prefix, ignoring case. The error is
// [ledger.ErrNotFound] or [ledger.ErrAmbiguous].
func (l *Store) FindRunByPrefix(ctx context.Context, prefix string) (ledger.Run, error) {
	return answer(ctx, l, fmt.Sprintf("find run %q", prefix), func(t *tx) (ledger.Run, error) {
		row, err := t.runByPrefix(ctx, prefix)
		return row.Run, err
	})
}

func (t *tx) runByPrefix(ctx context.Context, given string) (runRow, error) {
	prefix := strings.ToUpper(given)
	rows, err := t.runRows(ctx, runsWithPrefix, sql.Named("first", prefix), sql.Named("last", lists.PrefixEnd(prefix)))
	switch {
	case err != nil:
		return runRow{}, err
	case len(rows) == 0 || prefix == "":
		return runRow{}, &ledger.IDError{Kind: "run", ID: given}
	case len(rows) > 1:
		return runRow{}, &ledger.IDError{Kind: "run", ID: given, Matches: []string{rows[0].ID, rows[1].ID}}
	}
	return rows[0], nil
}

// OpenRuns lists the open runs, newest first.
func (l *Store) OpenRuns(ctx context.Context) ([]ledger.Run, error) {
	return answer(ctx, l, "list open runs", func(t *tx) ([]ledger.Run, error) {
		return runsOf(t.runRows(ctx, openRuns))
	})
}

// RunsByStatus counts all runs by status.
func (l *Store) RunsByStatus(ctx context.Context) (map[ledger.RunStatus]ledger.RunsByStatus, error) {
	return answer(ctx, l, "count runs by status", func(t *tx) (map[ledger.RunStatus]ledger.RunsByStatus, error) {
		counts := map[ledger.RunStatus]ledger.RunsByStatus{}
		rows, err := t.Queries.RunsByStatus(ctx)
		for _, row := range rows {
			counts[ledger.RunStatus(row.Status)] = ledger.RunsByStatus{Runs: int(row.Runs), Open: int(row.LeftOpen)}
		}
		return counts, err
	})
}

// Runs lists runs, newest first. The error is [ledger.ErrCursor] if f.Before is not the id of a run.
func (l *Store) Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error) {
	return answer(ctx, l, "list runs", func(t *tx) ([]ledger.Run, error) {
		repositories, err := t.repositoriesOf(ctx, f.Repository)
		if err != nil {
			return nil, err
		}
		jobs, err := t.jobsOf(ctx, f.Gate, f.EntryPoint)
		if err != nil {
			return nil, err
		}
		var last runRow
		before := ""
		if f.Before != "" {
			last, err = t.runByULID(ctx, f.Before)
			if errors.Is(err, sql.ErrNoRows) {
				return nil, lists.NotACursor(f.Before)
			}
			if err != nil {
				return nil, err
			}
			before = db.Time(last.StartedAt).Text()
		}
		return runsOf(t.runRows(ctx, listRuns,
			sql.Named("since", since(f.Started)), sql.Named("until", until(f.Started)), sql.Named("statuses", orAny(f.Statuses)), sql.Named("kind", string(f.Kind)),
			sql.Named("branch", f.Branch), sql.Named("worktree", f.Worktree), sql.Named("repositories", repositories), sql.Named("jobs", jobs),
			sql.Named("adapter", f.Adapter), sql.Named("before_at", before), sql.Named("before_row", last.Row), sql.Named("at_most", atMost(f.Limit))))
	})
}

// RunDetail returns a run with its iterations, gates and transitions, but without its violations.
func (l *Store) RunDetail(ctx context.Context, id string) (*ledger.State, error) {
	return ofRun(ctx, l, "read the run", id, func(t *tx, row runRow) (*ledger.State, error) { return t.detail(ctx, row) })
}

// Gates returns the gates of a run, with their slots.
func (l *Store) Gates(ctx context.Context, run string) ([]ledger.Gate, error) {
	return ofRun(ctx, l, "read the gates of a run", run, func(t *tx, row runRow) ([]ledger.Gate, error) { return t.gates(ctx, row.Row) })
}

// begunState returns the run with its iterations.
func (t *tx) begunState(ctx context.Context, row runRow) (*ledger.State, error) {
	state := &ledger.State{Run: row.Run}
	err := iterationsOfRun.Each(ctx, t.Queries, func(i *iteration) {
		state.Iterations = append(state.Iterations, i.Iteration)
		if i.Anew {
			state.Anew = i.Number
		}
	}, sql.Named("run", row.Row))
	return state, err
}

func (t *tx) detail(ctx context.Context, row runRow) (*ledger.State, error) {
	state, err := t.begunState(ctx, row)
	if err != nil {
		return nil, err
	}
	if state.Gates, err = t.gates(ctx, row.Row); err != nil {
		return nil, err
	}
	if state.Transitions, err = t.transitions(ctx, row.Row); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(state.Gates, leavesOut) { // else this statement need not be prepared
		state.Filtered, err = listed(t.leftOut(ctx, row.Row, 0, 0))
	}
	return state, err
}

// leavesOut reports whether a slot of the gate has filtered reports that may be taken up.
func leavesOut(g ledger.Gate) bool {
	return slices.ContainsFunc(g.Slots, func(s ledger.Slot) bool { return s.Counts.Filtered() > 0 })
}

// JobNames returns the names of the jobs in the ledger, for completion and for checking names that a
// user gives.
func (l *Store) JobNames(ctx context.Context) ([]ledger.Gate, error) {
	return answer(ctx, l, "list jobs", func(t *tx) (jobs []ledger.Gate, err error) {
		rows, err := t.JobNames(ctx)
		for _, row := range rows {
			jobs = append(jobs, ledger.Gate{Job: row.Job, Kind: ledger.GateKind(row.Kind), EntryPoint: row.EntryPoint, Name: row.Name})
		}
		return jobs, err
	})
}

// Files lists the files whose names begin with the prefix and that have violations.
func (l *Store) Files(ctx context.Context, prefix string, limit int) ([]string, error) {
	return answer(ctx, l, "list files", func(t *tx) ([]string, error) {
		return t.FileNames(ctx, db.FileNamesParams{First: prefix, Last: lists.PrefixEnd(prefix), AtMost: atMost(limit)})
	})
}

// Branches lists the branches of runs.
func (l *Store) Branches(ctx context.Context) ([]string, error) {
	return answer(ctx, l, "list branches", func(t *tx) ([]string, error) { return t.BranchNames(ctx) })
}
