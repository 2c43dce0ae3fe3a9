-- What statistics read besides totals. A list is a JSON array; null keeps everything, and so does an
-- empty string.

-- When the first run began, and when the first event happened.
-- name: FirstTimes :one
SELECT CAST(coalesce((SELECT min(r.started_at) FROM runs AS r), '') AS TEXT) AS run, CAST(coalesce(min(e.at), '') AS TEXT) AS event
FROM violation_statuses AS word
CROSS JOIN (SELECT 1) AS one
CROSS JOIN events AS e ON e.id = (SELECT o.id FROM events AS o INDEXED BY events_by_status WHERE o.status = word.name ORDER BY o.at LIMIT 1);

-- The oldest of the newest violations in a period, and the one before it, if any.
-- name: OldestOfNewest :many
SELECT CAST(x.first_seen AS TEXT) AS first_seen, x.id FROM violations AS x INDEXED BY violations_by_first_seen
WHERE x.first_seen >= CAST(@since AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
ORDER BY x.first_seen DESC, x.id DESC
LIMIT 2 OFFSET CAST(@newest AS INTEGER) - 1;

-- The same for the violations of these runs.
-- name: OldestOfNewestOf :many
SELECT CAST(x.first_seen AS TEXT) AS first_seen, x.id
FROM json_each(CAST(@runs AS TEXT)) AS chosen
CROSS JOIN violations AS x INDEXED BY violations_by_run ON x.run_id = chosen.value
  AND x.first_seen >= CAST(@since AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
ORDER BY x.first_seen DESC, x.id DESC
LIMIT 2 OFFSET CAST(@newest AS INTEGER) - 1;

-- The start of the run with which the newest runs together exceed that number of violations,
-- according to their own counts.
-- name: BeginOfNewest :one
SELECT CAST(coalesce(max(k.started_at), '') AS TEXT) AS at
FROM (
  SELECT r.started_at, sum(r.open + r.claimed + r.verified + r.skipped + r.withdrawn) OVER (ORDER BY r.started_at DESC, r.id DESC) AS violations
  FROM json_each(CAST(@runs AS TEXT)) AS chosen
  CROSS JOIN runs AS r ON r.id = chosen.value AND r.started_at < CAST(@until AS TEXT)
) AS k
WHERE k.violations > CAST(@newest AS INTEGER);

-- What became of the violations of a file or a line, and what totals do not say about it: its runs,
-- what was reopened, and when violations were reported. A line also recurs in the runs of duplicates.
-- name: DetailsOf :one
SELECT CAST(total(v.status <> 'duplicate') AS INTEGER) AS violations, CAST(total(v.open AND NOT v.abandoned) AS INTEGER) AS open,
  CAST(total(v.open AND v.abandoned) AS INTEGER) AS abandoned,
  CAST(total(v.status = 'fixed') AS INTEGER) AS claimed, CAST(total(v.status = 'verified') AS INTEGER) AS verified,
  CAST(total(v.status = 'skipped') AS INTEGER) AS skipped, CAST(total(v.status = 'withdrawn') AS INTEGER) AS withdrawn, CAST(total(v.in_fix_lines) AS INTEGER) AS in_fix_lines,
  count(DISTINCT v.run_id) AS runs,
  CAST(total(EXISTS (SELECT 1 FROM events AS e INDEXED BY events_by_violation WHERE e.violation_id = v.id AND e.status = 'reopened')) AS INTEGER) AS reopened,
  CAST(json_group_array(CASE WHEN v.first_seen >= CAST(@weeks_since AS TEXT) THEN substr(v.first_seen, 1, 10) END) AS TEXT) AS days
FROM (
  SELECT x.id FROM violations AS x INDEXED BY violations_by_file
  WHERE x.file = CAST(@file AS TEXT) AND x.first_seen >= CAST(@since AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
  UNION ALL
  SELECT y.id FROM violations AS y INDEXED BY violations_by_fingerprint WHERE y.fingerprint = CAST(@fingerprint AS TEXT)
) AS its
CROSS JOIN violations AS v ON v.id = its.id
CROSS JOIN runs AS f ON f.id = v.run_id
WHERE (v.status <> 'duplicate' OR CAST(@fingerprint AS TEXT) <> '') AND v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR coalesce((SELECT s.model FROM iterations AS mi
    CROSS JOIN slots AS s ON s.iteration_id = mi.id AND s.job_id = v.job_id AND s.review_index = v.slot
    WHERE mi.run_id = v.run_id AND mi.number = v.first_iteration), 'unknown') = CAST(@model AS TEXT))
  AND (CAST(@runs AS TEXT) = 'null' OR v.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w));

-- name: LatestOfFingerprint :one
SELECT v.short_id, v.file, r.issue, r.line_start, j.job
FROM violations AS v
CROSS JOIN reports AS r ON r.id = v.report_id
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
WHERE v.fingerprint = @fingerprint AND (CAST(@repository_id AS INTEGER) = 0 OR u.repository_id = @repository_id)
ORDER BY v.first_seen DESC, u.ulid DESC, v.id DESC
LIMIT 1;

-- For each pair of adapters that answered in the same run and job: how many violations the first one
-- reported there, and how many of these the other one found too. It did if it reported the same
-- problem, or one on the same line.
-- name: OverlapOfRuns :many
SELECT v.adapter, a.adapter AS other, count(*) AS violations,
  CAST(sum(coalesce(v.duplicate_of, v.short_id) || ' ' || a.adapter IN (
    SELECT coalesce(x.duplicate_of, x.short_id) || ' ' || s.adapter
    FROM json_each(CAST(@runs AS TEXT)) AS chosen
    CROSS JOIN violations AS x INDEXED BY violations_by_run ON x.run_id = chosen.value AND x.shared = 1
    CROSS JOIN violations AS o ON o.id = x.id OR o.fingerprint = x.fingerprint AND o.run_id = x.run_id AND o.job_id = x.job_id
    CROSS JOIN reports AS r ON r.violation_id = o.id AND r.counts = 1
    CROSS JOIN slots AS s ON s.id = r.slot_id
  )) AS INTEGER) AS shared
FROM (
  SELECT DISTINCT i.run_id, s.job_id, s.adapter
  FROM json_each(CAST(@runs AS TEXT)) AS chosen
  CROSS JOIN iterations AS i ON i.run_id = chosen.value
  CROSS JOIN slots AS s ON s.iteration_id = i.id AND s.status IN ('pass', 'fail')
) AS a
CROSS JOIN violations AS v INDEXED BY violations_by_run ON v.run_id = a.run_id AND v.job_id = a.job_id AND v.adapter <> a.adapter
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR coalesce((SELECT s.model FROM iterations AS mi
    CROSS JOIN slots AS s ON s.iteration_id = mi.id AND s.job_id = v.job_id AND s.review_index = v.slot
    WHERE mi.run_id = v.run_id AND mi.number = v.first_iteration), 'unknown') = CAST(@model AS TEXT))
GROUP BY v.adapter, a.adapter;

-- name: NewestRuns :many
SELECT r.id FROM runs AS r
WHERE r.started_at >= CAST(@since AS TEXT) AND r.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR r.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY r.started_at DESC, r.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- The latest executions of a check are the latest by time, because an import records older runs
-- later. The executions of a check that has few are sorted. For other checks, iterations are read
-- from the latest one on.
-- name: LatestOfFewChecks :many
SELECT u.ulid AS run, i.number AS iteration, g.status, i.started_at, g.command
FROM gates AS g INDEXED BY gates_by_job
CROSS JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE g.job_id = @job_id AND g.status IN ('passed', 'failed', 'error')
  AND i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY i.started_at DESC, u.ulid DESC, i.number DESC
LIMIT 30;

-- name: LatestChecks :many
SELECT u.ulid AS run, i.number AS iteration, g.status, i.started_at, g.command
FROM iterations AS i INDEXED BY iterations_by_start
CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = @job_id AND g.status IN ('passed', 'failed', 'error')
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY i.started_at DESC, u.ulid DESC, i.number DESC
LIMIT 30;

-- name: CountChecksUpTo :one
SELECT count(*) FROM (SELECT 1 FROM gates AS g WHERE g.job_id = @job_id LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: ListVerdicts :many
SELECT sqlc.embed(d), u.ulid AS run, c.review_id, c.scope, c.target, i.number AS iteration
FROM verdicts AS d INDEXED BY verdicts_by_time
CROSS JOIN code_reviews AS c ON c.run_id = d.run_id
CROSS JOIN iterations AS i ON i.id = d.iteration_id
CROSS JOIN runs AS u ON u.id = d.run_id
WHERE d.at >= CAST(@since AS TEXT) AND d.at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY d.at DESC, d.iteration_id DESC;

-- name: RepositoryRows :many
SELECT * FROM repositories ORDER BY id;

-- name: RunsOfScope :many
SELECT r.id FROM runs AS r
WHERE (CAST(@run AS TEXT) = '' OR r.ulid = CAST(@run AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR r.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR r.worktree = CAST(@worktree AS TEXT));

-- name: TotalsOfList :many
SELECT v.shown, v.priority, v.job_id, v.adapter, v.shared, v.in_fix_lines,
  EXISTS (SELECT 1 FROM violations AS o CROSS JOIN runs AS x ON x.id = o.run_id CROSS JOIN runs AS r ON r.id = v.run_id
    WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id AND x.repository_id = r.repository_id) AS recurring,
  CAST(substr(v.file, 1, max(instr(v.file, '/') - 1, 0)) AS TEXT) AS folder, count(*) AS violations
FROM json_each(CAST(@ids AS TEXT)) AS wanted
CROSS JOIN violations AS v ON v.id = wanted.value
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
