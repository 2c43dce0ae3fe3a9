package teamtest

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// fillSQL makes a function for the session that fills the tables.
//
//go:embed fill.sql
var fillSQL string

// Fill fills a new team store with the runs of a year that ended at a time, with so many
// violations in each on average. Its figures are still to be made.
func Fill(t testing.TB, url string, runs, violations int, end time.Time) {
	t.Helper()
	Exec(t, url, fillSQL, fmt.Sprintf("SELECT pg_temp.fill(%d, %d, '%s')", runs, violations, end.Format(time.RFC3339)))
	connected(t, url, putRecords)
	Exec(t, url, "ANALYZE")
}

// filledAtOnce is how many records are made at a time.
const filledAtOnce = 500

// putRecords writes the records of all runs, with what figures need of them.
func putRecords(ctx context.Context, conn *pgx.Conn) error {
	var jobs []exchange.Job
	err := each(ctx, conn, "SELECT job, kind, entry_point, name FROM job ORDER BY job", func(j *exchange.Job) []any {
		return []any{&j.Job, &j.Kind, &j.EntryPoint, &j.Name}
	}, func(j exchange.Job) { jobs = append(jobs, j) })
	for after := ""; err == nil; {
		var runs []*exchange.Run
		err = each(ctx, conn, `SELECT r.id, r.kind, r.branch, r.status, `+at("r.started_at")+`, `+at("r.finished_at")+`, r.iterations, p.kind, p.key
			FROM run AS r JOIN repository AS p ON p.id = r.repository WHERE r.id > $1 ORDER BY r.id LIMIT $2`,
			func(h *exchange.Head) []any {
				return []any{&h.Run, &h.Kind, &h.Branch, &h.Status, &h.StartedAt, &h.FinishedAt, &h.Iterations, &h.RepositoryKind, &h.Repository}
			}, func(h exchange.Head) { runs = append(runs, &exchange.Run{Head: h}) }, after, filledAtOnce)
		if err != nil || len(runs) == 0 {
			break
		}
		if err = readRows(ctx, conn, runs); err != nil {
			break
		}
		_, err = conn.CopyFrom(ctx, pgx.Identifier{"record"}, []string{"run", "data"}, pgx.CopyFromSlice(len(runs), func(i int) ([]any, error) {
			data, err := packed(jobs, runs[i])
			return []any{runs[i].Head.Run, data}, err
		}))
		after = runs[len(runs)-1].Head.Run
	}
	return err
}

// at is a time as a record has it.
func at(column string) string {
	return `to_char(` + column + ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// each scans the rows of a query.
func each[T any](ctx context.Context, conn *pgx.Conn, query string, fields func(*T) []any, add func(T), args ...any) error {
	rows, err := conn.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if err := rows.Scan(fields(&row)...); err != nil {
			return err
		}
		add(row)
	}
	return rows.Err()
}

// readRows reads the rows of runs.
func readRows(ctx context.Context, conn *pgx.Conn, runs []*exchange.Run) error {
	ids, of := make([]string, len(runs)), make(map[string]*exchange.Run, len(runs))
	for i, r := range runs {
		ids[i], of[r.Head.Run] = r.Head.Run, r
	}
	return errors.Join(
		each(ctx, conn, `SELECT i.run, i.number, i.mode, i.source, i.tree, i.status, `+at("i.started_at")+` FROM iteration AS i WHERE i.run = ANY ($1) ORDER BY i.run, i.number`,
			func(i *exchange.Iteration) []any {
				return []any{&i.Run, &i.Number, &i.Mode, &i.Source, &i.Tree, &i.Status, &i.StartedAt}
			}, func(i exchange.Iteration) { of[i.Run].Iterations = append(of[i.Run].Iterations, i) }, ids),
		each(ctx, conn, `SELECT g.run, g.iteration, g.job, g.status, g.duration_ms FROM gate AS g WHERE g.run = ANY ($1) ORDER BY g.run, g.iteration, g.job`,
			func(g *exchange.Gate) []any {
				return []any{&g.Run, &g.Iteration, &g.Job, &g.Status, &g.DurationMs}
			}, func(g exchange.Gate) { of[g.Run].Gates = append(of[g.Run].Gates, g) }, ids),
		each(ctx, conn, `SELECT s.run, s.iteration, s.job, s.slot, s.adapter, s.model, s.status, s.pass_iteration, s.input_tokens, s.cached_tokens, s.output_tokens,
				s.cost_usd, s.calls, s.duration_ms, `+at("s.finished_at")+`, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped, s.new
			FROM slot AS s WHERE s.run = ANY ($1) ORDER BY s.run, s.iteration, s.job, s.slot`,
			func(s *exchange.Slot) []any {
				return []any{
					&s.Run, &s.Iteration, &s.Job, &s.Slot, &s.Adapter, &s.Model, &s.Status, &s.PassIteration, &s.InputTokens, &s.CachedTokens, &s.OutputTokens,
					&s.CostUSD, &s.Calls, &s.DurationMs, &s.FinishedAt, &s.Accepted, &s.OutOfDiff, &s.BelowThreshold, &s.PreviouslySkipped, &s.New,
				}
			}, func(s exchange.Slot) { of[s.Run].Slots = append(of[s.Run].Slots, s) }, ids),
		each(ctx, conn, `SELECT v.id, v.run, v.job, v.short_id, v.slot, v.adapter, v.file, v.priority, v.first_iteration, v.last_iteration, v.fingerprint,
				`+at("v.first_seen")+`, `+at("v.last_seen")+`, v.status, v.reason, `+at("v.status_at")+`, v.shared::integer, v.in_fix_lines::integer
			FROM violation AS v WHERE v.run = ANY ($1) ORDER BY v.run, v.number`,
			func(v *exchange.Violation) []any {
				return []any{
					&v.Violation, &v.Run, &v.Job, &v.ShortID, &v.Slot, &v.Adapter, &v.File, &v.Priority, &v.FirstIteration, &v.LastIteration, &v.Fingerprint,
					&v.FirstSeen, &v.LastSeen, &v.Status, &v.Reason, &v.StatusAt, &v.Shared, &v.InFixLines,
				}
			}, func(v exchange.Violation) { of[v.Run].Violations = append(of[v.Run].Violations, v) }, ids),
		each(ctx, conn, `SELECT e.violation, e.run, e.iteration, e.status, e.actor, `+at("e.at")+`, e.number FROM event AS e WHERE e.run = ANY ($1) ORDER BY e.run, e.violation, e.number`,
			func(e *exchange.Event) []any {
				return []any{&e.Violation, &e.Run, &e.Iteration, &e.Status, &e.Actor, &e.At, &e.Number}
			}, func(e exchange.Event) { of[e.Run].Events = append(of[e.Run].Events, e) }, ids),
	)
}

// packed is a record as a push sends it.
func packed(jobs []exchange.Job, run *exchange.Run) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	lines := exchange.NewWriter(w)
	err = lines.Put(exchange.Header{Format: exchange.Format, Database: "filled"})
	for _, job := range jobs {
		err = errors.Join(err, lines.Put(job))
	}
	err = errors.Join(err, lines.Put(run), lines.Put(exchange.End{}), w.Close())
	return out.Bytes(), err
}
