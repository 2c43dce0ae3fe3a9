-- What figures read of runs (package ledger/statistics). runs is a JSON array of ids.

-- name: LastChange :one
SELECT c.number, CAST((SELECT m.value FROM meta AS m WHERE m.key = 'database_id') AS TEXT) AS database_id FROM changes AS c;

-- name: RunsChangedSince :many
SELECT id FROM runs INDEXED BY runs_by_change WHERE changed > @changed;

-- name: RunIDs :many
SELECT id FROM runs ORDER BY id;

-- name: CountRunRows :one
SELECT count(*) FROM runs;

-- name: ContributingViolations :many
SELECT v.id, v.run_id, v.ulid, j.job, v.slot, v.adapter, v.first_iteration, CAST(v.first_seen AS TEXT) AS first_seen,
  v.file, v.priority, v.status, v.reason, v.fingerprint, v.shared, v.in_fix_lines
FROM json_each(CAST(@runs AS TEXT)) AS w
CROSS JOIN violations AS v INDEXED BY violations_by_run ON v.run_id = w.value
CROSS JOIN jobs AS j ON j.id = v.job_id;

-- The events of a violation come in order, because they do in the index.
-- name: ContributingEvents :many
SELECT v.run_id, v.ulid, e.iteration_id, e.status, e.actor, CAST(e.at AS TEXT) AS at
FROM json_each(CAST(@runs AS TEXT)) AS w
CROSS JOIN violations AS v INDEXED BY violations_by_run ON v.run_id = w.value
CROSS JOIN events AS e INDEXED BY events_by_violation ON e.violation_id = v.id;

-- How many runs of a repository have violations with a fingerprint.
-- name: CountRunsOfFingerprint :one
SELECT count(DISTINCT v.run_id)
FROM violations AS v INDEXED BY violations_by_fingerprint
CROSS JOIN runs AS r ON r.id = v.run_id
WHERE v.fingerprint = @fingerprint AND r.repository_id = @repository_id;

-- name: RunsWithFingerprint :many
SELECT DISTINCT v.run_id FROM violations AS v INDEXED BY violations_by_fingerprint WHERE v.fingerprint = @fingerprint;

-- name: RecurringFingerprints :many
SELECT CAST(v.fingerprint AS TEXT) AS fingerprint, p.kind, p.key, count(DISTINCT v.run_id) AS runs
FROM violations AS v INDEXED BY violations_by_fingerprint
CROSS JOIN runs AS r ON r.id = v.run_id
CROSS JOIN repositories AS p ON p.id = r.repository_id
WHERE v.fingerprint IS NOT NULL
GROUP BY v.fingerprint, p.id
HAVING count(DISTINCT v.run_id) > 1;

-- How many violations had an event in a period, by the status of the event. For the whole ledger,
-- only the index is read; with a filter, violations are looked up. Statuses are counted one by one,
-- because GROUP BY would first sort all events, which doubles the time.
-- name: EventsInPeriod :many
SELECT word.name AS status, (
  SELECT count(DISTINCT e.violation_id)
  FROM events AS e INDEXED BY events_by_status
  WHERE e.status = word.name AND e.at >= CAST(@since AS TEXT) AND e.at < CAST(@until AS TEXT)
    AND (word.name = 'duplicate' OR e.violation_id NOT IN (SELECT d.id FROM violations AS d WHERE d.shown = 'duplicate'))
    AND (CAST(@whole AS INTEGER) = 1 OR EXISTS (
      SELECT 1 FROM violations AS v
      CROSS JOIN runs AS r ON r.id = v.run_id
      WHERE v.id = e.violation_id
        AND (CAST(@runs AS TEXT) = 'null' OR r.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
        AND (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
        AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
        AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
        AND (CAST(@model AS TEXT) = '' OR coalesce((SELECT s.model FROM iterations AS mi
          CROSS JOIN slots AS s ON s.iteration_id = mi.id AND s.job_id = v.job_id AND s.review_index = v.slot
          WHERE mi.run_id = v.run_id AND mi.number = v.first_iteration), 'unknown') = CAST(@model AS TEXT))))) AS violations
FROM violation_statuses AS word;

-- The executions of a check on some trees, on which it had different outcomes.
-- name: ChecksOfTrees :many
SELECT i.tree, u.ulid AS run, coalesce(u.branch, '') AS branch, i.number AS iteration, g.status, i.started_at
FROM json_each(CAST(@trees AS TEXT)) AS t
CROSS JOIN iterations AS i ON i.tree = t.value
CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = @job_id AND g.status IN ('passed', 'failed')
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY i.tree, i.started_at, g.id;
