-- What answers about one run come from, beside its record.

-- name: RecordOf :one
SELECT d.data FROM record AS d WHERE d.run = @run;

-- The violations whose short ids, or long ones, begin with a prefix: two of each tell whether it names
-- one. A whole id comes first.
-- name: ViolationsWithPrefix :many
SELECT v.id, v.short_id, v.run,
  EXISTS (SELECT 1 FROM violation AS o WHERE o.fingerprint = v.fingerprint AND o.repository = v.repository AND o.run <> v.run) AS recurring
FROM (
  (SELECT s.id FROM violation AS s WHERE s.short_id >= @short::text AND s.short_id < @short_end::text ORDER BY s.short_id, s.id LIMIT 2)
  UNION
  (SELECT l.id FROM violation AS l WHERE l.id >= @long::text AND l.id < @long_end::text ORDER BY l.id LIMIT 2)
) AS named
JOIN violation AS v ON v.id = named.id
ORDER BY v.short_id, v.id;

-- Slots of a run that left a report out because of a skip that is not remembered any more, and their
-- answers after that from before it ended. Of a skip that was never sent nothing is known.
-- name: SlotsOfEndedSkips :many
SELECT DISTINCT a.iteration, a.job, a.slot
FROM met_skip AS m
JOIN violation AS v ON v.id = m.violation
JOIN slot AS a ON a.run = m.run AND a.job = m.job AND a.slot = m.slot AND (a.iteration = m.iteration
  OR a.iteration > m.iteration AND a.started_at <= coalesce(
    (SELECT f.at FROM forgotten_skip AS f WHERE f.violation = m.violation AND f.event = m.event),
    (SELECT min(l.at) FROM event AS l WHERE l.violation = m.violation AND l.number > m.event)))
WHERE m.run = @run
  AND NOT (v.status = 'skipped'
    AND m.event = (SELECT max(l.number) FROM event AS l WHERE l.violation = v.id)
    AND EXISTS (SELECT 1 FROM remembered_skip AS s WHERE s.violation = m.violation AND s.event = m.event)
    AND NOT EXISTS (SELECT 1 FROM forgotten_skip AS f WHERE f.violation = m.violation AND f.event = m.event));

-- Changes with every push, and with everything that is deleted. Each ledger has its time: of
-- two pushes the one that began first may end last.
-- name: Version :one
SELECT CAST(md5(coalesce((SELECT string_agg(l.id || l.last_pushed, ',' ORDER BY l.id) FROM ledger AS l), '')
  || coalesce((SELECT count(*) || ' ' || max(t.at) FROM tombstone AS t), '')) AS text) AS version;
