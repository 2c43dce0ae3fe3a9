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
INSERT INTO events (violation_id, number, iteration_id, status, actor, result, reason, confirmed, at, fingerprint)
SELECT @violation_id, coalesce(max(e.number), 0) + 1, @iteration_id, @status, @actor, @result, @reason, @confirmed, @at, @fingerprint
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

-- A violation is shared if an adapter other than its own reported it, a duplicate of it, what it is a duplicate
-- of, or a violation with the same fingerprint as one of these in its run and gate. In a run of one adapter,
-- none is.
-- name: ShareViolations :exec
UPDATE violations SET shared = 1 - shared
WHERE run_id = @run_id
  AND 1 < (SELECT count(DISTINCT s.adapter) FROM iterations AS i JOIN slots AS s ON s.iteration_id = i.id WHERE i.run_id = @run_id)
  AND shared <> EXISTS (
    SELECT 1 FROM violations AS m
    JOIN violations AS o ON o.id = m.id OR o.fingerprint = m.fingerprint AND o.run_id = m.run_id AND o.job_id = m.job_id
    JOIN reports AS r ON r.violation_id = o.id AND r.counts = 1
    JOIN slots AS s ON s.id = r.slot_id AND s.adapter <> violations.adapter
    WHERE m.id = violations.id OR m.short_id = violations.duplicate_of
      OR m.run_id = violations.run_id AND m.duplicate_of = coalesce(violations.duplicate_of, violations.short_id));

-- What violations of this job in these files were said to be the same as: what was known before them.
-- name: NamedInFiles :many
SELECT DISTINCT v.seen_before
FROM json_each(CAST(@files AS TEXT)) AS file
JOIN violations AS v ON v.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job) AND v.file = file.value
WHERE v.seen_before IS NOT NULL;

-- name: ReportsWithPrefix :many
SELECT r.id, r.short_id
FROM reports AS r
WHERE r.short_id >= CAST(@first AS TEXT) AND r.short_id < CAST(@last AS TEXT)
ORDER BY r.short_id LIMIT 2;

-- Makes a filtered report a report of the violation by which it is taken up.
-- name: TakeUpReport :execrows
UPDATE reports SET violation_id = @violation_id WHERE id = @id AND violation_id IS NULL;
