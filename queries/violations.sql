-- Inserts return the connection's last row id, because RETURNING would double their cost.

-- A violation whose first report is inserted next.
-- name: InsertViolation :execlastid
INSERT INTO violations (ulid, short_id, run_id, job_id, slot, adapter, file, priority, status, first_iteration, last_iteration,
  fingerprint, first_seen, last_seen, status_at, seen_before, in_fix_lines)
VALUES (@ulid, @short_id, @run_id, @job_id, @slot, @adapter, @file, @priority, 'new', @iteration, @iteration,
  @fingerprint, @at, @at, @at, @seen_before, @in_fix_lines);

-- Another job answers for the violations from now on.
-- name: HandOn :exec
UPDATE violations SET handed_to = CAST(@job AS TEXT)
WHERE run_id = @run_id AND ulid IN (SELECT j.value FROM json_each(CAST(@ulids AS TEXT)) AS j);

-- name: ViolationRow :one
SELECT v.id, v.status, v.result, v.short_id FROM violations AS v WHERE v.ulid = @ulid AND v.run_id = @run_id;

-- Records where the lines of a violation are now.
-- name: MoveViolation :exec
UPDATE violations SET file = @file, moved_in = @moved_in WHERE id = @id;

-- name: TouchViolation :exec
UPDATE violations SET last_iteration = @last_iteration, last_seen = @last_seen WHERE id = @id;

-- name: InsertReport :execlastid
INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, fix, title, confidence, system_breaking,
  priority, disposition, reason, in_fix_lines, line_hash, violation_id, fingerprint, line_repeated, same_as, short_id)
VALUES (@slot_id, @position, @file, @line_start, @line_end, @issue, @fix, @title, @confidence, @system_breaking,
  @priority, @disposition, @reason, @in_fix_lines, @line_hash, @violation_id, @fingerprint, @line_repeated, @same_as, @short_id);

-- name: InsertEvent :exec
INSERT INTO events (violation_id, number, iteration_id, status, actor, result, reason, confirmed, at)
SELECT @violation_id, coalesce(max(e.number), 0) + 1, @iteration_id, @status, @actor, @result, @reason, @confirmed, @at
FROM events AS e WHERE e.violation_id = @violation_id;

-- What reports change in their violations is set at once for all reports from first to last: the
-- latest report here, and then what it says (ShowWording).
-- name: ShowReports :exec
UPDATE violations
SET report_id = (SELECT max(r.id) FROM reports AS r WHERE r.violation_id = violations.id AND r.counts = 1), moved_in = NULL
WHERE id IN (SELECT n.violation_id FROM reports AS n WHERE n.id >= @first AND n.id <= @last AND n.counts = 1);

-- Only violations that their reports change are updated: most reports are where the violation was.
-- The priority of an open violation never falls. in_fix_lines is that of the first report.
-- name: ShowWording :exec
UPDATE violations
SET file = (SELECT r.file FROM reports AS r WHERE r.id = violations.report_id),
    priority = (
      SELECT p.name FROM priorities AS p
      WHERE p.rank = iif(violations.open = 1,
        (SELECT min(k.rank) FROM priorities AS k
         WHERE k.name = violations.priority OR k.name IN (
           SELECT r.priority FROM reports AS r
           WHERE r.violation_id = violations.id AND r.counts = 1 AND r.id >= @first AND r.id <= @last)),
        (SELECT k.rank FROM reports AS r JOIN priorities AS k ON k.name = r.priority WHERE r.id = violations.report_id))),
    in_fix_lines = (
      SELECT r.in_fix_lines FROM reports AS r
      WHERE r.violation_id = violations.id AND r.counts = 1
      ORDER BY r.id LIMIT 1)
WHERE id IN (
  SELECT n.violation_id FROM reports AS n
  JOIN violations AS v ON v.id = n.violation_id
  WHERE n.id >= @first AND n.id <= @last AND n.counts = 1
    AND (v.file <> n.file OR v.priority <> n.priority OR v.in_fix_lines <> n.in_fix_lines));

-- The number of adapters that have slots in the run of a report. If it is 1, nothing is shared.
-- name: AdaptersBeside :one
SELECT count(DISTINCT s.adapter) AS adapters
FROM reports AS r
JOIN slots AS its ON its.id = r.slot_id
JOIN iterations AS its_iteration ON its_iteration.id = its.iteration_id
JOIN iterations AS i ON i.run_id = its_iteration.run_id
JOIN slots AS s ON s.iteration_id = i.id
WHERE r.id = @report;

-- A violation is shared if another adapter also reported it, or one with the same fingerprint in the
-- same run and job.
-- name: ShareViolations :exec
UPDATE violations SET shared = 1
WHERE shared = 0 AND id IN (
  SELECT n.violation_id FROM reports AS n
  JOIN violations AS v ON v.id = n.violation_id
  JOIN slots AS s ON s.id = n.slot_id
  WHERE n.id >= @first AND n.id <= @last AND n.counts = 1 AND s.adapter <> v.adapter
  UNION ALL
  SELECT iif(both.value = 1, v.id, o.id) FROM reports AS n
  JOIN violations AS v ON v.id = n.violation_id
  JOIN violations AS o ON o.fingerprint = v.fingerprint AND o.run_id = v.run_id AND o.job_id = v.job_id AND o.adapter <> v.adapter
  JOIN json_each('[1, 2]') AS both
  WHERE n.id >= @first AND n.id <= @last AND n.counts = 1);

-- The same for a problem, which is a violation with its duplicates: each is shared if an adapter
-- other than its own reported any of them.
-- name: ShareProblem :exec
UPDATE violations
SET shared = EXISTS (
  SELECT 1 FROM violations AS m
  WHERE m.run_id = violations.run_id AND (m.short_id = CAST(@short_id AS TEXT) OR m.duplicate_of = CAST(@short_id AS TEXT))
    AND (m.adapter <> violations.adapter
      OR EXISTS (SELECT 1 FROM reports AS r JOIN slots AS s ON s.id = r.slot_id
                 WHERE r.violation_id = m.id AND r.counts = 1 AND s.adapter <> violations.adapter)
      OR EXISTS (SELECT 1 FROM violations AS o
                 WHERE o.fingerprint = m.fingerprint AND o.run_id = m.run_id AND o.job_id = m.job_id AND o.adapter <> violations.adapter)))
WHERE violations.run_id = @run_id AND (violations.short_id = CAST(@short_id AS TEXT) OR violations.duplicate_of = CAST(@short_id AS TEXT));
