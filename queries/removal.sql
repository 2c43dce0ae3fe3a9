-- The removal of whole runs. The rows of a run are deleted after the run itself, while foreign keys
-- are not checked: every row that refers to one of these rows is deleted with them.

-- Runs that ended before a time, oldest first, with the reasons to keep each: it has a remembered
-- skip, it is the latest run in its place, or it failed on a tree on which an older run that still
-- exists passed. If id is 0, all runs are read.
-- name: RunsEndedBefore :many
SELECT r.id, r.ulid,
  CAST(EXISTS (
    SELECT 1 FROM violations AS v
    JOIN events AS e ON e.violation_id = v.id AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
    WHERE v.run_id = r.id AND v.status = 'skipped' AND e.fingerprint IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number)) AS INTEGER) AS remembers,
  CAST(NOT EXISTS (
    SELECT 1 FROM runs AS n
    WHERE n.worktree = r.worktree AND n.log_dir = r.log_dir AND n.kind = r.kind AND n.id > r.id
      AND n.repository_id = r.repository_id
      AND (n.kind = 'gates' OR EXISTS (SELECT 1 FROM verdicts AS d WHERE d.run_id = n.id))) AS INTEGER) AS latest,
  CAST(EXISTS (
    SELECT 1 FROM iterations AS f
    JOIN iterations AS p ON p.tree = f.tree
    JOIN runs AS o ON o.id = p.run_id AND (o.ulid < r.ulid OR o.id < r.id) AND o.base = r.base
      AND coalesce(p.config_hash, o.config_hash) = coalesce(f.config_hash, r.config_hash)
      AND o.status IN ('passed', 'passed_with_warnings')
    WHERE f.run_id = r.id AND (f.status IN ('failed', 'retry_limit_exceeded') OR EXISTS (
      SELECT 1 FROM gates AS g LEFT JOIN slots AS s ON s.iteration_id = g.iteration_id AND s.job_id = g.job_id
      WHERE g.iteration_id = f.id AND (g.status = 'failed' OR s.accepted > 0)))) AS INTEGER) AS contradicts,
  (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id) AS violations
FROM runs AS r
WHERE r.finished_at < @before AND (CAST(@id AS INTEGER) = 0 OR r.id = @id)
ORDER BY r.ulid;

-- The runs that are open or have passed, with the runs that their gates rest on.
-- name: RestsOfRuns :many
SELECT DISTINCT r.id, o.id AS rests_on
FROM gates AS g
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id AND (r.finished_at IS NULL OR r.status IN ('passed', 'passed_with_warnings'))
JOIN runs AS o ON o.ulid = g.rests_on
WHERE g.rests_on IS NOT NULL;

-- name: DeleteRun :execrows
DELETE FROM runs WHERE id = @id;
