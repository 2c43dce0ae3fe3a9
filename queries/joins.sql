-- Duplicates, and violations that may be the same problem.

-- The duplicates that are joined to the violation with this short ID.
-- name: JoinedTo :many
SELECT v.id, v.short_id, v.reason FROM violations AS v
WHERE v.run_id = @run_id AND v.status = 'duplicate' AND v.duplicate_of = CAST(@short_id AS TEXT)
ORDER BY v.id;

-- Gives a violation at least the priority of each duplicate that is joined to it.
-- name: RaiseToJoined :exec
UPDATE violations
SET priority = (
  SELECT p.name FROM violations AS j JOIN priorities AS p ON p.name = j.priority
  WHERE j.run_id = violations.run_id AND (j.id = violations.id OR j.duplicate_of = violations.short_id)
  ORDER BY p.rank LIMIT 1)
WHERE violations.run_id = @run_id AND violations.short_id = CAST(@short_id AS TEXT);

-- When a join ends, the priority is again the highest of the violation's reports and of the
-- duplicates that are still joined to it.
-- name: FallFromJoined :exec
UPDATE violations
SET priority = (
  SELECT p.name FROM (
    SELECT r.priority FROM reports AS r WHERE r.violation_id = violations.id AND r.counts = 1
    UNION ALL
    SELECT j.priority FROM violations AS j WHERE j.run_id = violations.run_id AND j.duplicate_of = violations.short_id) AS k
  JOIN priorities AS p ON p.name = k.priority
  ORDER BY p.rank LIMIT 1)
WHERE violations.run_id = @run_id AND violations.short_id = CAST(@short_id AS TEXT);

-- Whether the run has an open or claimed violation that another answer than the slot's reported last,
-- and not the same tool.
-- name: OthersWait :one
SELECT EXISTS (
  SELECT 1 FROM violations AS v
  JOIN reports AS r ON r.id = v.report_id
  WHERE v.run_id = @run_id AND (v.open = 1 OR v.status IN ('fixed', 'duplicate')) AND r.slot_id <> @slot_id
    AND (v.job_id <> @job_id OR v.adapter <> @tool)) AS waits;

-- The open and claimed violations of a run and their duplicates, with the answers that reported them.
-- name: WaitingOfRun :many
SELECT v.id, v.ulid, v.short_id, j.job, v.slot, v.adapter, v.priority, v.status, v.duplicate_of, v.first_iteration, v.last_iteration, v.block, v.seen_before,
  r.position, r.file, r.line_start, r.line_end, r.issue,
  CAST((SELECT json_group_array(json_array(hex(l.file), l.line_start, l.line_end))
        FROM (SELECT * FROM report_places AS a WHERE a.report_id = r.id ORDER BY a.position) AS l) AS TEXT) AS also,
  CAST((SELECT json_group_array(DISTINCT a.slot_id) FROM reports AS a WHERE a.violation_id = v.id AND a.counts = 1) AS TEXT) AS answers,
  CAST(coalesce((SELECT group_concat(p.other, ' ') FROM violation_pairs AS p WHERE p.violation_id = v.id), '') AS TEXT) AS related,
  CAST(v.status <> 'duplicate' AND EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = v.id AND e.status = 'duplicate') AS INTEGER) AS taken_out
FROM violations AS v
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS r ON r.id = v.report_id
WHERE v.run_id = @run_id AND (v.open = 1 OR v.status IN ('fixed', 'duplicate'))
ORDER BY v.id;

-- Records pairs in both directions: [[short_id, other]].
-- name: AddPairs :exec
INSERT INTO violation_pairs (violation_id, other)
SELECT v.id, j.value ->> '$[1]' FROM json_each(CAST(@pairs AS TEXT)) AS j
JOIN violations AS v ON v.short_id = j.value ->> '$[0]' AND v.run_id = @run_id
WHERE true
ON CONFLICT DO NOTHING;

-- name: PairedOfRun :many
SELECT v.id, v.short_id, v.priority, v.status, v.block, CAST(group_concat(p.other, ' ') AS TEXT) AS related
FROM violations AS v
JOIN violation_pairs AS p ON p.violation_id = v.id
WHERE v.run_id = @run_id
GROUP BY v.id
ORDER BY v.id;

-- name: SetBlock :exec
UPDATE violations SET block = @block WHERE id = @id;
