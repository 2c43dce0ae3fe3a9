-- Lists that answer questions. A parameter that names several words or rows is a
-- JSON array; null means any. An empty text means any, too.

-- Newest first. With before_at and before_id, those after this key.
-- name: ListRuns :many
SELECT * FROM runs
WHERE started_at >= CAST(@since AS TEXT) AND started_at < CAST(@until AS TEXT)
  AND (CAST(@before_at AS TEXT) = '' OR started_at < CAST(@before_at AS TEXT)
    OR started_at = CAST(@before_at AS TEXT) AND id < CAST(@before_id AS INTEGER))
  AND (CAST(@statuses AS TEXT) = 'null' OR status IN (SELECT w.value FROM json_each(CAST(@statuses AS TEXT)) AS w))
  AND (CAST(@kind AS TEXT) = '' OR kind = CAST(@kind AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR worktree = CAST(@worktree AS TEXT))
  AND (CAST(@repositories AS TEXT) = 'null'
    OR repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR EXISTS (
    SELECT 1 FROM iterations AS i
    CROSS JOIN gates AS g ON g.iteration_id = i.id
    WHERE i.run_id = runs.id AND g.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w)))
  AND (CAST(@adapter AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM iterations AS i
    CROSS JOIN gates AS g ON g.iteration_id = i.id
    CROSS JOIN slots AS s ON s.gate_id = g.id
    WHERE i.run_id = runs.id AND s.adapter = CAST(@adapter AS TEXT)))
ORDER BY started_at DESC, id DESC
LIMIT CAST(@at_most AS INTEGER);

-- name: RunsWithPrefix :many
SELECT * FROM runs WHERE ulid >= CAST(@first AS TEXT) AND ulid < CAST(@last AS TEXT) ORDER BY ulid LIMIT 2;

-- name: ViolationsWithShortPrefix :many
SELECT id FROM violations WHERE short_id >= CAST(@first AS TEXT) AND short_id < CAST(@last AS TEXT) ORDER BY short_id LIMIT 3;

-- name: ViolationsWithPrefix :many
SELECT id FROM violations WHERE ulid >= CAST(@first AS TEXT) AND ulid < CAST(@last AS TEXT) ORDER BY ulid LIMIT 3;

-- What a filter keeps, in the order of its candidates, as a JSON array of ids. They
-- come from the one of several indexes that "candidates" names, each read in the
-- order of its list, so that a limit ends the search: newest first, but by_change the
-- latest change first, from the key before_change, change_seen, change_id on. by_file
-- takes the files from first_file on that come before last_file, or all of them where
-- that is empty: no text is greater than a blob. Each condition of a filter stands in the
-- last part, and only there.
-- name: FilteredViolations :one
SELECT CAST(json_group_array(kept.id) AS TEXT) AS ids
FROM (
  SELECT v.id
  FROM (
    SELECT a.id, a.first_seen AS down, a.id AS then_down FROM violations AS a INDEXED BY violations_by_first_seen
    WHERE CAST(@candidates AS TEXT) = 'all' AND a.first_seen >= CAST(@since AS TEXT) AND a.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT o.id, o.first_seen, o.id FROM violations AS o INDEXED BY violations_open
    WHERE CAST(@candidates AS TEXT) = 'open' AND o.open = 1 AND o.abandoned = 0
      AND o.first_seen >= CAST(@since AS TEXT) AND o.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT s.id, s.first_seen, s.id FROM violations AS s INDEXED BY violations_by_status
    WHERE CAST(@candidates AS TEXT) = 'status' AND s.shown = CAST(@candidate AS TEXT)
      AND s.first_seen >= CAST(@since AS TEXT) AND s.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT q.id, q.first_seen, q.id FROM violations AS q INDEXED BY violations_by_priority
    WHERE CAST(@candidates AS TEXT) = 'priority' AND q.priority = CAST(@candidate AS TEXT)
      AND q.first_seen >= CAST(@since AS TEXT) AND q.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT x.id, x.first_seen, x.id FROM violations AS x INDEXED BY violations_in_fix_lines
    WHERE CAST(@candidates AS TEXT) = 'in_fix_lines' AND x.in_fix_lines = 1
      AND x.first_seen >= CAST(@since AS TEXT) AND x.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT l.id, l.first_seen, l.id FROM violations AS l INDEXED BY violations_recurring
    WHERE CAST(@candidates AS TEXT) = 'recurring' AND l.recurring = 1
      AND l.first_seen >= CAST(@since AS TEXT) AND l.first_seen <= CAST(@before AS TEXT)
    UNION ALL
    SELECT g.id, g.first_seen, g.id
    FROM json_each(CAST(@statuses AS TEXT)) AS word
    CROSS JOIN violations AS g INDEXED BY violations_by_status ON g.shown = word.value
    WHERE CAST(@candidates AS TEXT) = 'statuses'
    UNION ALL
    SELECT r.id, r.first_seen, r.id
    FROM json_each(CAST(@runs AS TEXT)) AS run
    CROSS JOIN violations AS r INDEXED BY violations_by_run ON r.run_id = run.value
    WHERE CAST(@candidates AS TEXT) = 'runs'
    UNION ALL
    SELECT p.id, p.first_seen, p.id FROM violations AS p INDEXED BY violations_by_fingerprint
    WHERE CAST(@candidates AS TEXT) = 'fingerprint' AND p.fingerprint = CAST(@fingerprint AS TEXT)
    UNION ALL
    SELECT f.id, f.first_seen, f.id
    FROM json_each(CAST(@files AS TEXT)) AS file
    CROSS JOIN violations AS f INDEXED BY violations_by_file ON f.file = file.value
    WHERE CAST(@candidates AS TEXT) = 'files'
    UNION ALL
    SELECT c.id, c.first_seen, c.id
    FROM (SELECT DISTINCT e.violation_id
          FROM json_each(CAST(@events AS TEXT)) AS word
          CROSS JOIN events AS e INDEXED BY events_by_status ON e.status = word.value
          WHERE CAST(@candidates AS TEXT) = 'events'
            AND e.at >= CAST(@event_since AS TEXT) AND e.at < CAST(@event_until AS TEXT)) AS changed
    CROSS JOIN violations AS c ON c.id = changed.violation_id
    UNION ALL
    SELECT d.id, d.first_seen, d.id FROM violations AS d INDEXED BY violations_by_change
    WHERE CAST(@candidates AS TEXT) = 'changed'
      AND d.status_at >= CAST(@changed_since AS TEXT) AND d.status_at < CAST(@changed_until AS TEXT)
    UNION ALL
    SELECT n.id, n.first_seen, n.id FROM violations AS n INDEXED BY violations_by_file
    WHERE CAST(@candidates AS TEXT) = 'by_file' AND n.file >= CAST(@first_file AS TEXT)
      AND n.file < CASE WHEN CAST(@last_file AS TEXT) = '' THEN CAST('' AS BLOB) ELSE CAST(@last_file AS TEXT) END
    UNION ALL
    SELECT z.id, z.status_at, z.first_seen FROM violations AS z INDEXED BY violations_by_change
    WHERE CAST(@candidates AS TEXT) = 'by_change' AND z.status_at <= CAST(@before_change AS TEXT)
      AND z.status_at >= CAST(@changed_since AS TEXT) AND z.status_at < CAST(@changed_until AS TEXT)
    UNION ALL
    SELECT m.id, m.first_seen, m.id
    FROM json_each(CAST(@matched AS TEXT)) AS found
    CROSS JOIN violations AS m ON m.id = found.value
    WHERE CAST(@candidates AS TEXT) = 'matched'
    ORDER BY 2 DESC, 3 DESC, 1 DESC
    LIMIT -1
  ) AS candidate
  CROSS JOIN violations AS v ON v.id = candidate.id
  WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen <= CAST(@before AS TEXT)
    AND NOT (v.first_seen = CAST(@since AS TEXT) AND v.id <= CAST(@since_id AS INTEGER))
    AND NOT (v.first_seen = CAST(@before AS TEXT) AND v.id >= CAST(@before_id AS INTEGER))
    AND (CAST(@candidates AS TEXT) <> 'by_change' OR v.status_at < CAST(@before_change AS TEXT)
      OR v.status_at = CAST(@before_change AS TEXT) AND (v.first_seen < CAST(@change_seen AS TEXT)
        OR v.first_seen = CAST(@change_seen AS TEXT) AND v.id < CAST(@change_id AS INTEGER)))
    AND v.status_at >= CAST(@changed_since AS TEXT) AND v.status_at < CAST(@changed_until AS TEXT)
    AND v.file >= CAST(@first_file AS TEXT)
    AND v.file < CASE WHEN CAST(@last_file AS TEXT) = '' THEN CAST('' AS BLOB) ELSE CAST(@last_file AS TEXT) END
    AND (CAST(@statuses AS TEXT) = 'null' OR v.shown IN (SELECT w.value FROM json_each(CAST(@statuses AS TEXT)) AS w))
    AND (CAST(@priorities AS TEXT) = 'null' OR v.priority IN (SELECT w.value FROM json_each(CAST(@priorities AS TEXT)) AS w))
    AND (CAST(@runs AS TEXT) = 'null' OR v.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
    AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
    AND (CAST(@files AS TEXT) = 'null' OR v.file IN (SELECT w.value FROM json_each(CAST(@files AS TEXT)) AS w))
    AND (CAST(@folder AS TEXT) = '' OR v.file > CAST(@folder AS TEXT) || '/' AND v.file < CAST(@folder AS TEXT) || '0'
      OR v.file = CAST(@folder AS TEXT))
    AND (CAST(@reasons AS TEXT) = 'null' OR v.status = 'skipped'
      AND coalesce(nullif(v.reason, ''), 'none') IN (SELECT w.value FROM json_each(CAST(@reasons AS TEXT)) AS w))
    AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
    AND (CAST(@model AS TEXT) = '' OR coalesce((SELECT s.model FROM iterations AS mi CROSS JOIN gates AS mg ON mg.iteration_id = mi.id AND mg.job_id = v.job_id
    CROSS JOIN slots AS s ON s.gate_id = mg.id AND s.review_index = v.slot
    WHERE mi.run_id = v.run_id AND mi.number = v.first_iteration), 'unknown') = CAST(@model AS TEXT))
    AND (CAST(@repositories AS TEXT) = 'null'
      OR (SELECT u.repository_id FROM runs AS u WHERE u.id = v.run_id) IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
    AND (CAST(@slot AS INTEGER) = 0 OR v.slot = CAST(@slot AS INTEGER))
    AND (CAST(@iteration AS INTEGER) = 0 OR v.first_iteration = CAST(@iteration AS INTEGER))
    AND (CAST(@fingerprint AS TEXT) = '' OR v.fingerprint = CAST(@fingerprint AS TEXT))
    AND (CAST(@alone AS INTEGER) = 0 OR v.shared = 0)
    AND (CAST(@in_fix_lines AS INTEGER) = 0 OR v.in_fix_lines = 1)
    AND (CAST(@actors AS TEXT) = 'null'
      OR (SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.number DESC LIMIT 1)
        IN (SELECT w.value FROM json_each(CAST(@actors AS TEXT)) AS w))
    AND (CAST(@recurring AS INTEGER) = 0 OR v.recurring = 1)
    AND (CAST(@events AS TEXT) = 'null' OR EXISTS (
      SELECT 1 FROM events AS e
      CROSS JOIN iterations AS i ON i.id = e.iteration_id
      WHERE e.violation_id = v.id
        AND e.status IN (SELECT w.value FROM json_each(CAST(@events AS TEXT)) AS w)
        AND e.at >= CAST(@event_since AS TEXT) AND e.at < CAST(@event_until AS TEXT)
        AND (CAST(@event_iteration AS INTEGER) = 0 OR i.number = CAST(@event_iteration AS INTEGER))))
  ORDER BY candidate.down DESC, candidate.then_down DESC, candidate.id DESC
  LIMIT CAST(@at_most AS INTEGER)
) AS kept;

-- Whether a list of candidates is long: it is counted up to a maximum.
-- name: CountWithStatus :one
SELECT count(*) FROM (SELECT 1 FROM violations AS v WHERE v.shown = @status LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: CountOpenUpTo :one
SELECT count(*) FROM (
  SELECT 1 FROM violations AS v INDEXED BY violations_open WHERE v.open = 1 AND v.abandoned = 0 LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: CountInFixLinesUpTo :one
SELECT count(*) FROM (
  SELECT 1 FROM violations AS v INDEXED BY violations_in_fix_lines WHERE v.in_fix_lines = 1 LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: CountRecurringUpTo :one
SELECT count(*) FROM (
  SELECT 1 FROM violations AS v INDEXED BY violations_recurring WHERE v.recurring = 1 LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: CountChanged :one
SELECT count(*)
FROM (SELECT 1 FROM violations AS v WHERE v.status_at >= CAST(@since AS TEXT) AND v.status_at < CAST(@until AS TEXT)
      LIMIT CAST(@at_most AS INTEGER)) AS few;

-- Where a part of all violations ends that begins at "first", in the order of time or of
-- files, and has more than "many" of them; empty where there are no more.
-- name: EdgeOfTime :one
SELECT CAST(coalesce(min(v.first_seen), '') AS TEXT) AS edge FROM violations AS v
WHERE v.first_seen > (SELECT w.first_seen FROM violations AS w WHERE w.first_seen >= CAST(@first AS TEXT)
  ORDER BY w.first_seen LIMIT 1 OFFSET CAST(@many AS INTEGER));

-- name: EdgeOfFiles :one
SELECT CAST(coalesce(min(v.file), '') AS TEXT) AS edge FROM violations AS v
WHERE v.file > (SELECT w.file FROM violations AS w WHERE w.file >= CAST(@first AS TEXT)
  ORDER BY w.file LIMIT 1 OFFSET CAST(@many AS INTEGER));

-- Violations in another order than newest first. "after" is the key of the last one
-- of the page before, a JSON array like the one that each row is sorted by; null
-- begins at the first.
-- name: SortedViolations :one
SELECT CAST(json_group_array(page.id) AS TEXT) AS ids
FROM (
  SELECT k.id
  FROM (
    SELECT v.id, v.first_seen,
      CASE CAST(@sort AS TEXT)
        WHEN 'priority' THEN (SELECT p.rank FROM priorities AS p WHERE p.name = v.priority)
        WHEN 'file' THEN v.file
        WHEN 'status' THEN instr(CAST(@status_order AS TEXT), v.shown)
        ELSE 0
      END AS up,
      CASE CAST(@sort AS TEXT)
        WHEN 'file' THEN (SELECT r.line_start FROM reports AS r WHERE r.id = v.report_id)
        ELSE 0
      END AS then_up,
      CASE CAST(@sort AS TEXT) WHEN 'changed' THEN v.status_at ELSE '' END AS down
    FROM json_each(CAST(@ids AS TEXT)) AS wanted
    CROSS JOIN violations AS v ON v.id = wanted.value
  ) AS k
  CROSS JOIN (
    SELECT json_extract(CAST(@after AS TEXT), '$[0]') AS up, json_extract(CAST(@after AS TEXT), '$[1]') AS then_up,
      json_extract(CAST(@after AS TEXT), '$[2]') AS down, json_extract(CAST(@after AS TEXT), '$[3]') AS first_seen,
      json_extract(CAST(@after AS TEXT), '$[4]') AS id
  ) AS last
  WHERE CAST(@after AS TEXT) = 'null'
    OR k.up > last.up
    OR k.up = last.up AND (k.then_up > last.then_up
      OR k.then_up = last.then_up AND (k.down < last.down
        OR k.down = last.down AND (k.first_seen < last.first_seen
          OR k.first_seen = last.first_seen AND k.id < last.id)))
  ORDER BY k.up, k.then_up, k.down DESC, k.first_seen DESC, k.id DESC
  LIMIT CAST(@at_most AS INTEGER)
) AS page;

-- name: ViolationDetails :many
SELECT sqlc.embed(v), j.job, j.entry_point, j.name, j.kind, u.ulid AS run, u.status AS run_status,
  u.finished_at IS NULL AS run_open,
  r.line_start, r.line_end, r.issue, r.fix,
  CAST((SELECT json_group_array(t.slot) FROM violation_reporters AS t WHERE t.violation_id = v.id) AS TEXT) AS more_slots,
  CAST((SELECT json_group_array(json_array(hex(l.file), l.line_start, l.line_end))
        FROM (SELECT * FROM report_places AS a WHERE a.report_id = v.report_id ORDER BY a.position) AS l) AS TEXT) AS also,
  CAST(coalesce((SELECT ws.adapter || '@' || ws.review_index || ': ' || w.evidence
                 FROM gone_words AS w CROSS JOIN slots AS ws ON ws.id = w.slot_id
                 WHERE w.violation_id = v.id AND v.open = 1 AND ws.ended_at >= v.status_at AND ws.ended_at >= v.last_seen
                 ORDER BY ws.ended_at DESC, ws.id DESC LIMIT 1), '') AS TEXT) AS gone,
  CAST(coalesce((SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.number DESC LIMIT 1), '') AS TEXT) AS actor
FROM json_each(CAST(@ids AS TEXT)) AS wanted
CROSS JOIN violations AS v ON v.id = wanted.value
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
CROSS JOIN reports AS r ON r.id = v.report_id
ORDER BY wanted.key;

-- Files that violations were ever in, as a JSON array.
-- name: FilesBetween :one
SELECT CAST(json_group_array(known.file) AS TEXT) AS files
FROM (
  SELECT DISTINCT f.file
  FROM repositories AS repository
  CROSS JOIN files AS f ON f.repository_id = repository.id AND f.file >= CAST(@first AS TEXT) AND f.file < CAST(@last AS TEXT)
  LIMIT CAST(@at_most AS INTEGER)
) AS known;

-- name: FileNames :many
SELECT DISTINCT f.file
FROM repositories AS repository
CROSS JOIN files AS f ON f.repository_id = repository.id AND f.file >= CAST(@first AS TEXT) AND f.file < CAST(@last AS TEXT)
ORDER BY f.file
LIMIT CAST(@at_most AS INTEGER);

-- name: JobNames :many
SELECT * FROM jobs ORDER BY job;

-- name: EventsOfViolation :many
SELECT sqlc.embed(e), i.number AS iteration
FROM events AS e
CROSS JOIN iterations AS i ON i.id = e.iteration_id
WHERE e.violation_id = @violation_id
ORDER BY e.id;

-- name: ReportsOfViolation :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter, s.finished_at
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

-- They come after the report that lies at last in this order.
-- name: DiscardedReports :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter, s.ended_at, j.job, j.entry_point, j.name,
  u.ulid AS run, u.branch, u.worktree, v.short_id, mv.short_id AS met_short_id
FROM slots AS s INDEXED BY slots_with_discards
CROSS JOIN reports AS r ON r.slot_id = s.id AND r.disposition <> 'accepted'
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS u ON u.id = i.run_id
LEFT JOIN violations AS v ON v.id = r.violation_id
LEFT JOIN met_skips AS m ON m.report_id = r.id
LEFT JOIN violations AS mv ON mv.ulid = m.violation
WHERE s.ended_at IS NOT NULL
  AND s.out_of_diff + s.below_threshold + s.previously_skipped + s.remembered_skip + s.malformed + s.merged + s.outside_verify > 0
  AND s.ended_at >= CAST(@since AS TEXT) AND s.ended_at < CAST(@until AS TEXT) AND s.ended_at <= CAST(@last AS TEXT)
  AND (CAST(@run AS TEXT) = '' OR u.ulid = CAST(@run AS TEXT))
  AND (CAST(@dispositions AS TEXT) = 'null' OR r.disposition IN (SELECT w.value FROM json_each(CAST(@dispositions AS TEXT)) AS w))
  AND (CAST(@priorities AS TEXT) = 'null' OR r.priority IN (SELECT w.value FROM json_each(CAST(@priorities AS TEXT)) AS w))
  AND (CAST(@gate AS TEXT) = '' OR j.name = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR j.entry_point = CAST(@entry_point AS TEXT))
  AND (CAST(@adapter AS TEXT) = '' OR s.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR coalesce(s.model, 'unknown') = CAST(@model AS TEXT))
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@branch AS TEXT) = '' OR u.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR u.worktree = CAST(@worktree AS TEXT))
  AND (s.ended_at < CAST(@last AS TEXT) OR s.id < CAST(@last_slot AS INTEGER)
    OR s.id = CAST(@last_slot AS INTEGER) AND r.position > CAST(@last_position AS INTEGER))
ORDER BY s.ended_at DESC, s.id DESC, r.position
LIMIT CAST(@at_most AS INTEGER);

-- name: EntriesOfViolations :many
SELECT e.violation_id, i.number AS iteration, j.job, s.review_index
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id
CROSS JOIN slot_entries AS e ON e.slot_id = s.id
CROSS JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @run_id AND e.violation_id IN (
  SELECT v.id FROM json_each(CAST(@ids AS TEXT)) AS j CROSS JOIN violations AS v ON v.ulid = j.value)
ORDER BY i.number;

-- The code at the places of the latest reports of these violations.
-- name: ExcerptsOfViolations :many
SELECT v.ulid, x.first_line, b.size, b.data
FROM json_each(CAST(@ids AS TEXT)) AS wanted
CROSS JOIN violations AS v ON v.ulid = wanted.value
CROSS JOIN report_excerpts AS x ON x.report_id = v.report_id
CROSS JOIN blobs AS b ON b.id = x.blob_id
ORDER BY wanted.key;
-- name: BranchNames :many
SELECT DISTINCT CAST(branch AS TEXT) AS branch FROM runs WHERE branch IS NOT NULL ORDER BY 1;

-- What an export needs beside the details: the hash of the line that the latest report
-- is about, and whether that report has other words than the one before.
-- name: WordingsOfRun :many
SELECT v.ulid, r.line_hash,
  CAST(coalesce((SELECT p.issue FROM reports AS p
    WHERE p.violation_id = v.id AND p.disposition = 'accepted' AND p.id < r.id
    ORDER BY p.id DESC LIMIT 1), r.issue) <> r.issue AS INTEGER) AS reworded
FROM violations AS v
CROSS JOIN reports AS r ON r.id = v.report_id
WHERE v.run_id = @run_id;
