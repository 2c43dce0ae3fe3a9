package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// sumsWriter writes sums in one transaction, from one state of the ledger.
type sumsWriter struct {
	*tx
	sums     *sums.Queries
	exec     *sql.Tx
	progress func(Progress)
	jobs     map[string]statistics.Job // by their ids
	// cells has the numbers that are to be added to the sums.
	cells statistics.Cells
	// lines caches the ids of lines, by key; 0 means that the line does not recur.
	lines map[string]int64
	// allLines is set if lines has all lines that recur, and files has all files.
	allLines bool
	// files and reviewers number the files and reviewers that days refer to.
	files, reviewers numbering
	newReviewers     []sums.AddReviewerParams
}

// continues reports whether the sums up to a change belong to an earlier state of this ledger, and
// not to a ledger that was restored from a copy and has changed differently since.
func (w *sumsWriter) continues(ctx context.Context, changed, last int64) (bool, error) {
	if changed > last {
		return false, nil
	}
	latest, err := w.sums.LatestContribution(ctx)
	if err != nil || len(latest) == 0 {
		return err == nil, err
	}
	c := latest[0]
	run, err := w.RunByID(ctx, c.RunID)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil // the run was removed
	}
	switch {
	case err != nil:
		return false, err
	case run.Changed < c.Changed:
		return false, nil
	case run.Changed == c.Changed:
		return run.Ulid == c.Run && run.Revision == c.Revision, nil
	}
	return true, nil
}

// manyRuns is the number of changed runs from which it is faster to compute all sums again, if they
// are most of the runs.
const manyRuns = 200

// addChanges adds the runs that changed since then, and subtracts the runs that were removed.
func (w *sumsWriter) addChanges(ctx context.Context, since int64) error {
	changed, err := w.RunsChangedSince(ctx, since)
	if err != nil {
		return err
	}
	removed, err := w.removed(ctx, changed)
	if err != nil {
		return err
	}
	if all, err := w.CountRunRows(ctx); err != nil {
		return err
	} else if n := len(changed); n >= manyRuns && 2*int64(n) > all {
		return w.makeAnew(ctx)
	}
	if err := w.nameJobs(ctx); err != nil {
		return err
	}
	if err := w.nameReviewers(ctx); err != nil {
		return err
	}
	w.cells, w.lines = statistics.Cells{}, map[string]int64{}
	touched := map[string]bool{}
	for _, id := range removed {
		if err := w.takeAway(ctx, id, touched); err != nil {
			return err
		}
		if err := errors.Join(w.sums.DropDays(ctx, id), w.sums.DropContribution(ctx, id)); err != nil {
			return err
		}
	}
	for _, id := range changed {
		if err := w.takeAway(ctx, id, touched); err != nil {
			return err
		}
	}
	runs, err := w.load(ctx, changed)
	if err != nil {
		return err
	}
	for _, r := range runs {
		for fingerprint := range r.Fingerprints() {
			touched[statistics.LineOf(r.Repository, fingerprint).Key()] = true
		}
	}
	others, err := w.recount(ctx, touched, changed)
	if err != nil {
		return err
	}
	for _, id := range others { // runs with lines that have begun or ceased to recur
		if err := w.takeAway(ctx, id, map[string]bool{}); err != nil {
			return err
		}
	}
	more, err := w.load(ctx, others)
	if err != nil {
		return err
	}
	for _, r := range slices.Concat(runs, more) {
		c, err := w.contribution(ctx, r)
		if err == nil {
			err = w.put(ctx, c)
		}
		if err != nil {
			return err
		}
	}
	return w.writeCells(ctx)
}

// removed returns the runs that are no longer in the ledger. All runs are compared only if their
// number shows that some are missing.
func (w *sumsWriter) removed(ctx context.Context, changed []int64) (removed []int64, err error) {
	there, err := w.CountRunRows(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := w.sums.NumberOfRuns(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range changed {
		if _, err := w.sums.Contribution(ctx, id); errors.Is(err, sql.ErrNoRows) {
			kept++
		} else if err != nil {
			return nil, err
		}
	}
	if kept == there {
		return nil, nil
	}
	ids, err := w.RunIDs(ctx)
	if err != nil {
		return nil, err
	}
	contributed, err := w.sums.ContributedRuns(ctx)
	for _, run := range contributed {
		if _, there := slices.BinarySearch(ids, run); !there {
			removed = append(removed, run)
		}
	}
	return removed, err
}

// takeAway subtracts what a run contributed, and adds its lines to touched.
func (w *sumsWriter) takeAway(ctx context.Context, id int64, touched map[string]bool) error {
	row, err := w.sums.Contribution(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	counts, err := statistics.Unpack(row.Counts)
	if err != nil {
		return err
	}
	for _, count := range counts {
		if count.Measure == statistics.Lines {
			touched[count.Key] = true
		}
	}
	counts.AddTo(&w.cells, row.Branch, -1)
	return nil
}

// recount updates how many runs have the touched lines, and returns the other runs that have lines
// that have begun or ceased to recur.
func (w *sumsWriter) recount(ctx context.Context, touched map[string]bool, changed []int64) (others []int64, err error) {
	repositories, err := w.repositoriesByKey(ctx)
	if err != nil {
		return nil, err
	}
	for key := range touched {
		of, err := statistics.ParseKey(key)
		if err != nil {
			return nil, err
		}
		fingerprint, repository := of.Labels[0], of.Labels[1]
		runs, err := w.CountRunsOfFingerprint(ctx, db.CountRunsOfFingerprintParams{Fingerprint: &fingerprint, RepositoryID: repositories[repository]})
		if err != nil {
			return nil, err
		}
		before, err := w.line(ctx, key)
		if err != nil {
			return nil, err
		}
		delete(w.lines, key)
		if runs > 1 {
			w.lines[key], err = w.sums.SetLine(ctx, sums.SetLineParams{Key: key, Runs: runs})
		} else if w.lines[key] = 0; before != 0 {
			err = w.sums.DropLine(ctx, key)
		}
		if err != nil {
			return nil, err
		}
		if (before != 0) == (runs > 1) {
			continue
		}
		with, err := w.RunsWithFingerprint(ctx, &fingerprint)
		if err != nil {
			return nil, err
		}
		others = append(others, with...)
	}
	slices.Sort(others)
	others = slices.Compact(others)
	return slices.DeleteFunc(others, func(id int64) bool { return slices.Contains(changed, id) }), nil
}

// line returns the id of a line, or 0 if the line does not recur.
func (w *sumsWriter) line(ctx context.Context, key string) (int64, error) {
	if id, known := w.lines[key]; known || w.allLines {
		return id, nil
	}
	row, err := w.sums.LineOfKey(ctx, key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	w.lines[key] = row.ID
	return row.ID, nil
}

// contribution is what a run contributes, in the form in which it is stored.
type contribution struct {
	*contributor
	counts statistics.Counts
	packed []byte
	// reported has the run's violations, packed, by day.
	reported map[string][]byte
}

// contribution computes what a run contributes.
func (w *sumsWriter) contribution(ctx context.Context, r *contributor) (c contribution, err error) {
	c.contributor = r
	lines := map[string]int64{}
	var failed error
	c.counts = statistics.Contribution(r.Run, func(fingerprint string) bool {
		id, err := w.line(ctx, statistics.LineOf(r.Repository, fingerprint).Key())
		failed, lines[fingerprint] = errors.Join(failed, err), id
		return id != 0
	})
	if failed != nil {
		return c, failed
	}
	if c.reported, err = w.reported(ctx, r, lines); err != nil {
		return c, err
	}
	c.packed, err = c.counts.Pack()
	return c, err
}

// put adds what a run contributes.
func (w *sumsWriter) put(ctx context.Context, c contribution) error {
	branch := text(c.Head.Branch)
	c.counts.AddTo(&w.cells, branch, 1)
	err := w.sums.SetContribution(ctx, sums.SetContributionParams{
		RunID: c.head.ID, Run: c.head.Run, Revision: c.head.Revision, Changed: c.head.Changed, Repository: c.Repository, Branch: branch, Counts: c.packed,
	})
	if err == nil && !w.allLines {
		err = w.sums.DropDays(ctx, c.head.ID)
	}
	for _, day := range c.counts.Days() {
		if err == nil {
			err = w.sums.AddDay(ctx, sums.AddDayParams{Day: day, RunID: c.head.ID, Violations: append([]byte{}, c.reported[day]...)})
		}
	}
	return err
}

// writeCells adds the cells to the sums, and updates which trees are flaky.
func (w *sumsWriter) writeCells(ctx context.Context) error {
	trees, files := map[string]bool{}, map[string]*statistics.File{}
	for cell, n := range w.cells.All() {
		if cell.Measure == statistics.Files {
			if files[cell.Key] == nil {
				files[cell.Key] = &statistics.File{}
			}
			files[cell.Key].Add(cell, n)
			continue
		}
		p := sums.AddToParams{Measure: string(cell.Measure), Bucket: cell.Bucket, Key: cell.Key, N: n}
		if err := w.addTo(ctx, p); err != nil {
			return err
		}
		if cell.Measure == statistics.Trees {
			trees[cell.Key] = true
		}
	}
	for key := range trees {
		if err := w.setFlaky(ctx, key); err != nil {
			return err
		}
	}
	return w.writeFiles(ctx, files)
}

// addTo adds to a number. A number that becomes 0 is deleted.
func (w *sumsWriter) addTo(ctx context.Context, p sums.AddToParams) error {
	err := w.sums.AddTo(ctx, p)
	if err == nil && p.N <= 0 {
		err = w.sums.DropZero(ctx, sums.DropZeroParams{Measure: p.Measure, Bucket: p.Bucket, Key: p.Key})
	}
	return err
}

// setFlaky records whether a check has both passed and failed on a tree.
func (w *sumsWriter) setFlaky(ctx context.Context, key string) error {
	was, err := w.sums.Number(ctx, sums.NumberParams{Measure: string(statistics.Flaky), Key: key})
	is := int64(1)
	for _, outcome := range []string{statistics.CheckPassed, statistics.CheckFailed} {
		if err != nil {
			return err
		}
		var n int64
		n, err = w.sums.Number(ctx, sums.NumberParams{Measure: string(statistics.Trees), Bucket: outcome, Key: key})
		is = min(is, n)
	}
	if err != nil || is == was {
		return err
	}
	return w.addTo(ctx, sums.AddToParams{Measure: string(statistics.Flaky), Key: key, N: is - was})
}

// runsAtOnce is how many runs are read at a time.
const runsAtOnce = 20

// makeAnew computes all sums again.
func (w *sumsWriter) makeAnew(ctx context.Context) error {
	for _, table := range []string{"days", "lines", "files", "reviewers", "contributions", "sums"} {
		if _, err := w.exec.ExecContext(ctx, "DELETE FROM "+table); err != nil {
			return err
		}
	}
	if err := w.nameJobs(ctx); err != nil {
		return err
	}
	if err := w.nameReviewers(ctx); err != nil {
		return err
	}
	w.cells, w.lines, w.allLines = statistics.Cells{}, map[string]int64{}, true
	lines, err := w.RecurringFingerprints(ctx)
	if err != nil {
		return err
	}
	for _, line := range lines {
		key := statistics.LineOf(repositoryKey(db.Repository{Kind: line.Kind, Key: line.Key}), line.Fingerprint).Key()
		if w.lines[key], err = w.sums.SetLine(ctx, sums.SetLineParams{Key: key, Runs: line.Runs}); err != nil {
			return err
		}
	}
	ids, err := w.RunIDs(ctx)
	if err != nil {
		return err
	}
	if err := w.putAll(ctx, ids); err != nil {
		return err
	}
	if err := w.writeCells(ctx); err != nil {
		return err
	}
	if w.progress != nil {
		w.progress(Progress{Done: len(ids), Steps: len(ids)})
	}
	return nil
}

// putAll adds what runs contribute. It reads and counts the next runs while it writes the previous
// ones, which go to another database and take about as long.
func (w *sumsWriter) putAll(ctx context.Context, ids []int64) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	type batch struct {
		list []contribution
		err  error
	}
	batches := make(chan batch)
	go func() {
		defer close(batches)
		for runs := range slices.Chunk(ids, runsAtOnce) {
			list, err := w.contributions(ctx, runs)
			select {
			case batches <- batch{list, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	defer func() { // the ledger must not be read after this has returned
		cancel()
		for range batches {
		}
	}()
	done := 0
	for b := range batches {
		if w.progress != nil {
			w.progress(Progress{Done: done, Steps: len(ids)})
		}
		if b.err != nil {
			return b.err
		}
		for _, c := range b.list {
			if err := w.put(ctx, c); err != nil {
				return err
			}
		}
		done += len(b.list)
	}
	return ctx.Err()
}

func (w *sumsWriter) contributions(ctx context.Context, ids []int64) ([]contribution, error) {
	runs, err := w.load(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]contribution, len(runs))
	for i, r := range runs {
		if list[i], err = w.contribution(ctx, r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// A contributor is a run with the rows that its contribution is computed from.
type contributor struct {
	*statistics.Run
	head       contributingHead
	violations []int64 // their rows, in the order of Violations
}

type contributingHead struct {
	exchange.Head
	ID      int64 `json:"id"`
	Changed int64 `json:"changed"`
}

func (w *sumsWriter) nameJobs(ctx context.Context) error {
	jobs, err := w.JobNames(ctx)
	w.jobs = map[string]statistics.Job{}
	for _, row := range jobs {
		w.jobs[row.Job] = statistics.Job{Kind: row.Kind, EntryPoint: row.EntryPoint, Gate: row.Name}
	}
	return err
}

// load reads what figures need to know about runs.
func (w *sumsWriter) load(ctx context.Context, ids []int64) ([]*contributor, error) {
	runs, byID, iterations := make([]*contributor, 0, len(ids)), map[int64]*contributor{}, map[int64]int64{}
	for _, id := range ids {
		run, err := w.contributor(ctx, id, iterations)
		if err != nil {
			return nil, err
		}
		runs, byID[id] = append(runs, run), run
	}
	return runs, w.loadViolations(ctx, asJSON(ids), byID, iterations)
}

// contributor reads a run without its violations, which are too many to read with all that a record
// has. It adds the numbers of the run's iterations to numbers, by row.
func (w *sumsWriter) contributor(ctx context.Context, id int64, numbers map[int64]int64) (*contributor, error) {
	var r exchange.Run
	var heads []contributingHead
	var iterations []struct {
		exchange.Iteration
		ID int64 `json:"id"`
	}
	for kind, rows := range map[string]any{"run": &heads, "iteration": &iterations, "gate": &r.Gates, "slot": &r.Slots} {
		if err := w.ReadRecord(ctx, "read "+kind, rows, id); err != nil {
			return nil, err
		}
	}
	for _, i := range iterations {
		r.Iterations, numbers[i.ID] = append(r.Iterations, i.Iteration), i.Number
	}
	r.Head = heads[0].Head
	home := repositoryKey(db.Repository{Kind: r.Head.RepositoryKind, Key: r.Head.Repository})
	return &contributor{head: heads[0], Run: &statistics.Run{Run: &r, Jobs: w.jobs, Repository: home}}, nil
}

func (w *sumsWriter) loadViolations(ctx context.Context, list string, byID map[int64]*contributor, iterations map[int64]int64) error {
	violations, err := w.ContributingViolations(ctx, list)
	if err != nil {
		return err
	}
	for _, v := range violations {
		r := byID[v.RunID]
		r.violations = append(r.violations, v.ID)
		r.Violations = append(r.Violations, exchange.Violation{
			Violation: v.Ulid, Run: r.Head.Run, Job: v.Job, Slot: v.Slot, Adapter: v.Adapter, FirstIteration: v.FirstIteration,
			FirstSeen: exchange.Time(v.FirstSeen), File: v.File, Priority: v.Priority, Status: v.Status, Reason: v.Reason,
			Fingerprint: v.Fingerprint, Shared: v.Shared, InFixLines: v.InFixLines,
		})
	}
	events, err := w.ContributingEvents(ctx, list)
	for _, e := range events {
		r := byID[e.RunID]
		r.Events = append(r.Events, exchange.Event{
			Violation: e.Ulid, Status: e.Status, Actor: e.Actor, Iteration: iterations[e.IterationID], At: exchange.Time(e.At),
		})
	}
	return err
}
