-- Skips that are remembered beyond their run. One counts while it is the last event of its
-- violation and is not forgotten.

-- name: LineOfViolation :one
SELECT p.fingerprint FROM violations AS v JOIN reports AS p ON p.id = v.report_id WHERE v.id = @id;

-- name: ForgetSkip :exec
INSERT INTO forgotten_skips (violation, event, actor, at) VALUES (@violation, @event, @actor, @at)
ON CONFLICT (violation, event) DO NOTHING;

-- name: MeetSkip :exec
INSERT INTO met_skips (report_id, skipped, event) VALUES (@report_id, @skipped, @event);

-- Reports whether a remembered skip that the run ended with has been forgotten since.
-- name: SkipForgotten :one
SELECT EXISTS (SELECT 1 FROM runs AS r
               JOIN violations AS v ON v.run_id = r.id AND v.status = 'skipped'
               JOIN forgotten_skips AS f ON f.violation = v.ulid
               WHERE r.ulid = @run) AS forgotten;

-- The slots with a report that met a remembered skip which has ended since, and the same slots in
-- later iterations, as far as they began before it ended.
-- name: SlotsOfEndedSkips :many
SELECT DISTINCT a.id
FROM iterations AS i
JOIN slots AS s ON s.iteration_id = i.id AND s.remembered_skip > 0
JOIN reports AS p ON p.slot_id = s.id AND p.disposition = 'remembered_skip'
JOIN met_skips AS t ON t.report_id = p.id
JOIN iterations AS n ON n.run_id = i.run_id AND n.number >= i.number
JOIN slots AS a ON a.iteration_id = n.id AND a.job_id = s.job_id AND a.review_index = s.review_index
  AND (a.id = s.id OR a.started_at <= coalesce(
    (SELECT f.at FROM forgotten_skips AS f WHERE f.violation = t.skipped AND f.event = t.event),
    (SELECT min(e.at) FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number > t.event WHERE v.ulid = t.skipped)))
WHERE i.run_id = @run_id
  AND NOT EXISTS (
    SELECT 1 FROM violations AS v
    JOIN events AS e ON e.violation_id = v.id AND e.number = t.event AND e.fingerprint IS NOT NULL
    WHERE v.ulid = t.skipped AND v.status IN ('skipped', 'withdrawn')
      AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
      AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number));

-- name: RememberedSkips :many
SELECT v.id
FROM events AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN runs AS r ON r.id = v.run_id
WHERE e.fingerprint IS NOT NULL AND v.status IN ('skipped', 'withdrawn') AND r.kind = 'gates'
  AND (CAST(@kind AS TEXT) = ''
    OR r.repository_id = (SELECT o.id FROM repositories AS o WHERE o.kind = CAST(@kind AS TEXT) AND o.key = CAST(@key AS TEXT)))
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
  AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number)
ORDER BY e.at DESC, e.id DESC;

-- The fingerprint of the violation's latest dispute that is to be remembered, if there is one.
-- name: LineOfDispute :many
SELECT e.fingerprint FROM events AS e
WHERE e.violation_id = @violation_id AND e.status = 'disputed' AND e.fingerprint IS NOT NULL
ORDER BY e.number DESC LIMIT 1;
