-- Lists that answer questions. A parameter that names several words has them
-- joined by commas; the empty text means any.

-- name: ListRuns :many
SELECT * FROM runs
WHERE started_at >= CAST(@since AS TEXT) AND started_at < CAST(@until AS TEXT)
  AND (CAST(@statuses AS TEXT) = '' OR instr(',' || CAST(@statuses AS TEXT) || ',', ',' || status || ',') > 0)
  AND (CAST(@kind AS TEXT) = '' OR kind = CAST(@kind AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR worktree = CAST(@worktree AS TEXT))
ORDER BY started_at DESC, id DESC
LIMIT CAST(@at_most AS INTEGER);

-- name: RunsWithPrefix :many
SELECT * FROM runs WHERE ulid >= CAST(@first AS TEXT) AND ulid < CAST(@last AS TEXT) ORDER BY ulid LIMIT 2;

-- name: ViolationsWithShortPrefix :many
SELECT id FROM violations WHERE short_id >= CAST(@first AS TEXT) AND short_id < CAST(@last AS TEXT) ORDER BY short_id LIMIT 3;

-- name: ViolationsWithPrefix :many
SELECT id FROM violations WHERE ulid >= CAST(@first AS TEXT) AND ulid < CAST(@last AS TEXT) ORDER BY ulid LIMIT 3;

-- name: NewestViolations :many
SELECT id, first_seen FROM violations
WHERE first_seen >= CAST(@since AS TEXT) AND first_seen <= CAST(@before AS TEXT)
  AND NOT (first_seen = CAST(@before AS TEXT) AND id >= CAST(@before_id AS INTEGER))
  AND (CAST(@statuses AS TEXT) = '' OR instr(',' || CAST(@statuses AS TEXT) || ',', ',' || status || ',') > 0)
  AND (CAST(@priorities AS TEXT) = '' OR instr(',' || CAST(@priorities AS TEXT) || ',', ',' || priority || ',') > 0)
  AND (CAST(@jobs AS TEXT) = 'null' OR job_id IN (SELECT wanted.value FROM json_each(@jobs) AS wanted))
  AND (CAST(@reasons AS TEXT) = '' OR status = 'skipped'
    AND instr(',' || CAST(@reasons AS TEXT) || ',', ',' || coalesce(nullif(reason, ''), 'none') || ',') > 0)
  AND (CAST(@runs AS TEXT) = 'null' OR run_id IN (SELECT wanted.value FROM json_each(@runs) AS wanted))
  AND (CAST(@adapter AS TEXT) = '' OR adapter = CAST(@adapter AS TEXT))
  AND (CAST(@iteration AS INTEGER) = 0 OR first_iteration = CAST(@iteration AS INTEGER))
  AND (CAST(@alone AS INTEGER) = 0 OR shared = 0)
  AND (CAST(@in_fix_lines AS INTEGER) = 0 OR in_fix_lines = 1)
  AND (CAST(@actors AS TEXT) = '' OR instr(',' || CAST(@actors AS TEXT) || ',',
    ',' || (SELECT e.actor FROM events AS e WHERE e.violation_id = violations.id ORDER BY e.id DESC LIMIT 1) || ',') > 0)
ORDER BY first_seen DESC, id DESC
LIMIT CAST(@at_most AS INTEGER);

-- The first violations in some order, newest first: like all candidates, they are
-- sorted when their details are known.
-- name: SortedViolations :many
SELECT CAST(first.id AS INTEGER) AS id
FROM (
  SELECT sorted.id, sorted.first_seen
  FROM (
    SELECT id, first_seen,
      CASE CAST(@sort AS TEXT)
        WHEN 'oldest' THEN first_seen
        WHEN 'priority' THEN (SELECT p.rank FROM priorities AS p WHERE p.name = violations.priority)
        WHEN 'file' THEN file
        WHEN 'status' THEN instr('new fixed skipped verified reopened', status)
      END AS ascending,
      CASE CAST(@sort AS TEXT)
        WHEN 'oldest' THEN id
        WHEN 'file' THEN (SELECT r.line_start FROM reports AS r WHERE r.id = violations.report_id)
      END AS then_ascending,
      CASE CAST(@sort AS TEXT) WHEN 'changed' THEN status_at END AS descending
    FROM violations
    WHERE first_seen >= CAST(@since AS TEXT) AND first_seen < CAST(@until AS TEXT)
      AND (CAST(@statuses AS TEXT) = '' OR instr(',' || CAST(@statuses AS TEXT) || ',', ',' || status || ',') > 0)
      AND (CAST(@priorities AS TEXT) = '' OR instr(',' || CAST(@priorities AS TEXT) || ',', ',' || priority || ',') > 0)
      AND (CAST(@jobs AS TEXT) = 'null' OR job_id IN (SELECT wanted.value FROM json_each(@jobs) AS wanted))
      AND (CAST(@reasons AS TEXT) = '' OR status = 'skipped'
        AND instr(',' || CAST(@reasons AS TEXT) || ',', ',' || coalesce(nullif(reason, ''), 'none') || ',') > 0)
      AND (CAST(@runs AS TEXT) = 'null' OR run_id IN (SELECT wanted.value FROM json_each(@runs) AS wanted))
      AND (CAST(@adapter AS TEXT) = '' OR adapter = CAST(@adapter AS TEXT))
      AND (CAST(@iteration AS INTEGER) = 0 OR first_iteration = CAST(@iteration AS INTEGER))
      AND (CAST(@alone AS INTEGER) = 0 OR shared = 0)
      AND (CAST(@in_fix_lines AS INTEGER) = 0 OR in_fix_lines = 1)
      AND (CAST(@actors AS TEXT) = '' OR instr(',' || CAST(@actors AS TEXT) || ',',
        ',' || (SELECT e.actor FROM events AS e WHERE e.violation_id = violations.id ORDER BY e.id DESC LIMIT 1) || ',') > 0)
  ) AS sorted
  ORDER BY sorted.ascending, sorted.then_ascending, sorted.descending DESC, sorted.first_seen DESC, sorted.id DESC
  LIMIT CAST(@at_most AS INTEGER)
) AS first
ORDER BY first.first_seen DESC, first.id DESC;

-- name: NewestOpenViolations :many
SELECT id, first_seen FROM violations INDEXED BY violations_open
WHERE open = 1
  AND first_seen >= CAST(@since AS TEXT) AND first_seen <= CAST(@before AS TEXT)
  AND NOT (first_seen = CAST(@before AS TEXT) AND id >= CAST(@before_id AS INTEGER))
ORDER BY first_seen DESC, id DESC
LIMIT CAST(@at_most AS INTEGER);

-- name: ViolationsInRun :many
SELECT id FROM violations WHERE run_id = @run_id ORDER BY first_seen DESC, id DESC;

-- name: ViolationsInFiles :many
SELECT v.id
FROM json_each(@files) AS f
CROSS JOIN violations AS v ON v.file = f.value
ORDER BY v.first_seen DESC, v.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- name: ViolationsWithFingerprint :many
SELECT id FROM violations WHERE fingerprint = @fingerprint ORDER BY first_seen DESC, id DESC;

-- name: ViolationsChangedSince :many
SELECT v.id
FROM (SELECT DISTINCT e.violation_id FROM events AS e
      WHERE e.status IN ('new', 'fixed', 'skipped', 'verified', 'reopened') AND e.at >= CAST(@since AS TEXT)) AS changed
CROSS JOIN violations AS v ON v.id = changed.violation_id
ORDER BY v.first_seen DESC, v.id DESC;

-- name: ViolationDetails :many
SELECT sqlc.embed(v), j.job, j.entry_point, j.name, j.kind, u.ulid AS run, u.status AS run_status,
  u.finished_at IS NULL AS run_open,
  r.line_start, r.line_end, r.issue, r.fix,
  EXISTS (SELECT 1 FROM violations AS o CROSS JOIN runs AS ou ON ou.id = o.run_id
    WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id AND ou.repository_id = u.repository_id) AS recurring,
  CAST(coalesce((SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1), '') AS TEXT) AS actor
FROM json_each(@ids) AS wanted
CROSS JOIN violations AS v ON v.id = wanted.value
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
CROSS JOIN reports AS r ON r.id = v.report_id
ORDER BY wanted.key;

-- name: FilesBetween :one
SELECT CAST(coalesce(json_group_array(f.file), '[]') AS TEXT) AS files
FROM files AS f
WHERE f.file >= CAST(@first AS TEXT) AND f.file < CAST(@last AS TEXT);

-- name: FileNames :many
SELECT file FROM files WHERE file >= CAST(@first AS TEXT) AND file < CAST(@last AS TEXT) ORDER BY file LIMIT CAST(@at_most AS INTEGER);

-- name: JobNames :many
SELECT * FROM jobs ORDER BY job;

-- name: EventsOfViolation :many
SELECT sqlc.embed(e), i.number AS iteration
FROM events AS e
CROSS JOIN iterations AS i ON i.id = e.iteration_id
WHERE e.violation_id = @violation_id
ORDER BY e.id;

-- name: ReportsOfViolation :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter
FROM reports AS r
CROSS JOIN slots AS s ON s.id = r.slot_id
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE r.violation_id = @violation_id
ORDER BY r.id;

-- name: ReportsOfSlot :many
SELECT sqlc.embed(r), v.short_id
FROM reports AS r
LEFT JOIN violations AS v ON v.id = r.violation_id
WHERE r.slot_id = @slot_id
ORDER BY r.position;

-- name: DiscardedReports :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter, s.finished_at, j.job, j.entry_point, j.name,
  u.ulid AS run, v.short_id
FROM slots AS s
CROSS JOIN reports AS r ON r.slot_id = s.id AND r.disposition <> 'accepted'
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS u ON u.id = i.run_id
LEFT JOIN violations AS v ON v.id = r.violation_id
WHERE s.ended_at IS NOT NULL
  AND s.out_of_diff + s.below_threshold + s.previously_skipped + s.remembered_skip + s.malformed + s.merged + s.outside_verify > 0
  AND s.ended_at >= CAST(@since AS TEXT) AND s.ended_at < CAST(@until AS TEXT)
  AND (CAST(@run AS TEXT) = '' OR u.ulid = CAST(@run AS TEXT))
  AND (CAST(@dispositions AS TEXT) = '' OR instr(',' || CAST(@dispositions AS TEXT) || ',', ',' || r.disposition || ',') > 0)
  AND (CAST(@priorities AS TEXT) = '' OR instr(',' || CAST(@priorities AS TEXT) || ',', ',' || r.priority || ',') > 0)
  AND (CAST(@gate AS TEXT) = '' OR j.name = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR j.entry_point = CAST(@entry_point AS TEXT))
  AND (CAST(@adapter AS TEXT) = '' OR s.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR u.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR u.worktree = CAST(@worktree AS TEXT))
ORDER BY s.ended_at DESC, s.id DESC, r.position
LIMIT CAST(@at_most AS INTEGER);

-- name: ViolationEntries :many
SELECT e.slot_id, e.position, i.number AS iteration, j.job, s.review_index
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id
CROSS JOIN slot_entries AS e ON e.slot_id = s.id
CROSS JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @run_id AND e.violation_id = @violation_id
ORDER BY i.number;
