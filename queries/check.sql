-- What must hold between rows. Each query lists where it does not.

-- name: WrongStatuses :many
SELECT v.short_id, v.status, CAST(coalesce((SELECT e.status FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1), '') AS TEXT) AS event
FROM violations AS v
WHERE v.status IS NOT (SELECT e.status FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1)
ORDER BY v.id;

-- name: WrongReports :many
SELECT v.short_id
FROM violations AS v
WHERE v.report_id IS NOT (SELECT max(r.id) FROM reports AS r WHERE r.violation_id = v.id AND r.disposition = 'accepted')
ORDER BY v.id;

-- A run is counted when its iteration ends, so not while it is running.
-- name: WrongRuns :many
SELECT r.ulid
FROM runs AS r
WHERE r.status <> 'running' AND r.iterations <> (SELECT count(*) FROM iterations AS i WHERE i.run_id = r.id)
   OR r.status <> 'running' AND r.verified <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND v.status = 'verified')
   OR r.status <> 'running' AND r.skipped <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND v.status = 'skipped')
   OR r.status <> 'running' AND r.open <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND v.open = 1)
ORDER BY r.id;

-- name: WrongIterations :many
SELECT r.ulid, i.number
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id
WHERE i.status <> 'running' AND i.mode <> 'rebuilt'
  AND i.new <> (SELECT count(*) FROM violations AS v WHERE v.run_id = i.run_id AND v.first_iteration = i.number)
ORDER BY i.id;

-- name: WrongSlots :many
SELECT s.id, r.ulid, i.number, j.job, s.review_index
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE s.status <> 'running' AND i.mode <> 'rebuilt'
  AND (s.accepted <> (SELECT count(*) FROM reports AS p WHERE p.slot_id = s.id AND p.disposition = 'accepted')
    OR s.accepted + s.out_of_diff + s.below_threshold + s.previously_skipped + s.malformed + s.merged + s.outside_verify
       <> (SELECT count(*) FROM reports AS p WHERE p.slot_id = s.id))
ORDER BY s.id;

-- name: WrongSlotViolations :many
SELECT r.ulid, i.number, j.job, s.review_index
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE EXISTS (
  SELECT 1
  FROM (SELECT v.status, coalesce(v.reason, '') AS reason, v.shared, v.in_fix_lines, count(*) AS n
        FROM violations AS v
        WHERE v.run_id = i.run_id AND v.job_id = g.job_id AND v.slot = s.review_index AND v.first_iteration = i.number
        GROUP BY 1, 2, 3, 4) AS is_so
  WHERE is_so.n IS NOT (SELECT c.violations FROM slot_violations AS c
                        WHERE c.slot_id = s.id AND c.status = is_so.status AND c.reason = is_so.reason
                          AND c.shared = is_so.shared AND c.in_fix_lines = is_so.in_fix_lines))
   OR (SELECT coalesce(sum(c.violations), 0) FROM slot_violations AS c WHERE c.slot_id = s.id)
      <> (SELECT count(*) FROM violations AS v
          WHERE v.run_id = i.run_id AND v.job_id = g.job_id AND v.slot = s.review_index AND v.first_iteration = i.number)
ORDER BY s.id;
