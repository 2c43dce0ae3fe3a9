-- Skips that are remembered beyond their run. One counts while it is the last event of its
-- violation and is not forgotten.

-- Remembers the last event of the violation.
-- name: RememberSkip :exec
INSERT INTO remembered_skips (event_id, fingerprint)
SELECT e.id, @fingerprint FROM events AS e WHERE e.violation_id = @violation_id ORDER BY e.number DESC LIMIT 1;

-- name: LineOfViolation :one
SELECT p.fingerprint FROM violations AS v JOIN reports AS p ON p.id = v.report_id WHERE v.id = @id;

-- name: ForgetSkip :exec
INSERT INTO forgotten_skips (violation, event, actor, at) VALUES (@violation, @event, @actor, @at)
ON CONFLICT (violation, event) DO NOTHING;

-- name: MeetSkip :exec
INSERT INTO met_skips (report_id, skipped, event) VALUES (@report_id, @skipped, @event);

-- The remembered skips on these lines from other runs of gates in the same repository. Only the
-- latest at_most of each line are read: an older one does not filter a report.
-- name: RememberedOnLines :many
SELECT v.ulid, v.short_id, m.fingerprint, e.number, e.status, e.at, e.reason, e.result,
  p.line_start, p.line_end, p.issue, p.priority, p.line_hash, p.line_repeated,
  EXISTS (SELECT 1
          FROM iterations AS ti
          JOIN slots AS ts ON ts.iteration_id = ti.id AND ts.remembered_skip > 0
          JOIN reports AS tr ON tr.slot_id = ts.id AND tr.disposition = 'remembered_skip'
          JOIN met_skips AS t ON t.report_id = tr.id
          WHERE ti.run_id = @run_id AND t.skipped = v.ulid) AS met_before
FROM json_each(CAST(@fingerprints AS TEXT)) AS line
JOIN remembered_skips AS m ON m.fingerprint = line.value
  AND m.event_id IN (SELECT n.event_id FROM remembered_skips AS n WHERE n.fingerprint = line.value
                     ORDER BY n.event_id DESC LIMIT CAST(@at_most AS INTEGER))
JOIN events AS e ON e.id = m.event_id
JOIN violations AS v ON v.id = e.violation_id
JOIN runs AS r ON r.id = v.run_id
JOIN reports AS p ON p.id = v.report_id
WHERE v.status IN ('skipped', 'withdrawn') AND r.id <> @run_id AND r.kind = 'gates'
  AND r.repository_id = (SELECT u.repository_id FROM runs AS u WHERE u.id = @run_id)
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
  AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number)
ORDER BY m.event_id DESC;

-- The skipped violations among the latest on these lines, from other runs of gates in the repository.
-- name: SkippedOnLines :many
SELECT v.short_id, v.fingerprint, v.reason, v.result, v.status_at, p.issue
FROM json_each(CAST(@fingerprints AS TEXT)) AS line
JOIN violations AS v ON v.fingerprint = line.value AND v.run_id <> @run_id
  AND v.id IN (SELECT w.id FROM violations AS w WHERE w.fingerprint = line.value
               ORDER BY w.run_id DESC LIMIT CAST(@at_most AS INTEGER))
JOIN runs AS r ON r.id = v.run_id
JOIN reports AS p ON p.id = v.report_id
WHERE v.status = 'skipped' AND r.id <> @run_id AND r.kind = 'gates'
  AND r.repository_id = (SELECT u.repository_id FROM runs AS u WHERE u.id = @run_id)
ORDER BY v.status_at DESC, v.id DESC;

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
    JOIN events AS e ON e.violation_id = v.id AND e.number = t.event
    JOIN remembered_skips AS m ON m.event_id = e.id
    WHERE v.ulid = t.skipped AND v.status IN ('skipped', 'withdrawn')
      AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
      AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number));

-- Few skips are remembered: with CROSS JOIN, SQLite does not begin with all events.
-- name: RememberedSkips :many
SELECT v.id
FROM remembered_skips AS m
CROSS JOIN events AS e ON e.id = m.event_id
JOIN violations AS v ON v.id = e.violation_id
JOIN runs AS r ON r.id = v.run_id
WHERE v.status IN ('skipped', 'withdrawn') AND r.kind = 'gates'
  AND (CAST(@kind AS TEXT) = ''
    OR r.repository_id = (SELECT o.id FROM repositories AS o WHERE o.kind = CAST(@kind AS TEXT) AND o.key = CAST(@key AS TEXT)))
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
  AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number)
ORDER BY e.at DESC, e.id DESC;

-- Whether the skips of these violations are remembered or were forgotten, and what they have met.
-- name: MemoryOfViolations :many
SELECT v.ulid, e.number, m.fingerprint, f.actor AS forgotten_by, f.at AS forgotten_at,
  CAST(coalesce(met.times, 0) AS INTEGER) AS met, s.ended_at AS last_met
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN violations AS v ON v.ulid = wanted.value AND v.status IN ('skipped', 'withdrawn')
JOIN events AS e ON e.violation_id = v.id AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
LEFT JOIN (SELECT t.skipped, t.report_id, count(*) AS times,
    max((SELECT x.ended_at FROM reports AS p JOIN slots AS x ON x.id = p.slot_id WHERE p.id = t.report_id))
  FROM met_skips AS t GROUP BY t.skipped) AS met ON met.skipped = v.ulid
LEFT JOIN slots AS s ON s.id = (SELECT p.slot_id FROM reports AS p WHERE p.id = met.report_id)
LEFT JOIN remembered_skips AS m ON m.event_id = e.id
LEFT JOIN forgotten_skips AS f ON f.violation = v.ulid AND f.event = e.number
ORDER BY wanted.key;

-- The fingerprint of the violation's latest dispute that is to be remembered, if there is one.
-- name: LineOfDispute :many
SELECT m.fingerprint FROM events AS e JOIN remembered_skips AS m ON m.event_id = e.id
WHERE e.violation_id = @violation_id AND e.status = 'disputed'
ORDER BY e.number DESC LIMIT 1;
