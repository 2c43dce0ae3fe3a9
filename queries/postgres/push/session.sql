-- What a push asks and locks. One run is written at a time, so that totals, which have
-- rows that several runs share, never wait for each other in a circle.

-- name: schema state
SELECT (SELECT max(g.version_id) FROM goose_db_version AS g WHERE g.is_applied)::integer, m.min_writer
FROM meta AS m;

-- name: lock run
SELECT pg_advisory_xact_lock(hashtextextended(@run, 0));

-- name: lock store
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

-- What is here of the run, and whether it was forgotten.
-- name: known run
SELECT r.revision, r.digest, r.content, p.kind AS repository_kind,
  EXISTS (SELECT 1 FROM tombstone AS t
          WHERE (t.kind = 'run' AND t.key = n.id)
             OR (t.kind = 'repository' AND t.key = n.repository_kind || ' ' || n.repository_key)
             OR (t.kind = 'before' AND n.started_at < t.before)),
  n.latest > now() + interval '5 minutes'
FROM push_run AS n
LEFT JOIN run AS r ON r.id = n.id
LEFT JOIN repository AS p ON p.id = r.repository;

-- Takes a run away from the totals, or adds it.
-- name: count run
SELECT count_run(@run, @sign);
