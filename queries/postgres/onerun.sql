-- What answers about a single run are read from: its record, and a few other rows.

-- name: RecordOf :one
SELECT d.data FROM record AS d WHERE d.run = @run;

-- The violations whose short ID or ULID begins with a prefix. Two of each are enough to tell whether
-- the prefix is ambiguous. A complete ID comes first.
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

-- Changes with every push and every deletion. It depends on the time of each ledger, not just on the
-- latest, because of two pushes the one that began first may end last.
-- name: Version :one
SELECT CAST(md5(coalesce((SELECT string_agg(l.id || l.last_pushed, ',' ORDER BY l.id) FROM ledger AS l), '')
  || coalesce((SELECT count(*) || ' ' || max(t.at) FROM tombstone AS t), '')) AS text) AS version;
