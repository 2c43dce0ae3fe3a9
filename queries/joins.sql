-- Duplicates, and violations that may be the same problem.

-- The duplicates that are joined to the violation with this short ID.
-- name: JoinedTo :many
SELECT v.id, v.short_id, v.reason FROM violations AS v
WHERE v.run_id = @run_id AND v.status = 'duplicate' AND v.duplicate_of = CAST(@short_id AS TEXT)
ORDER BY v.id;

-- When a join begins or ends, or a duplicate is reported again, the priority of the original is the highest of
-- its reports and of its duplicates.
-- name: FollowJoined :exec
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

-- Records pairs in both directions: [[short_id, other]].
-- name: AddPairs :exec
INSERT INTO violation_pairs (violation_id, other)
SELECT v.id, j.value ->> '$[1]' FROM json_each(CAST(@pairs AS TEXT)) AS j
JOIN violations AS v ON v.short_id = j.value ->> '$[0]' AND v.run_id = @run_id
WHERE true
ON CONFLICT DO NOTHING;

-- name: SetBlock :exec
UPDATE violations SET block = @block WHERE id = @id;
