-- What a push asks and locks. One run is written at a time, so that totals, which have
-- rows that several runs share, never wait for each other in a circle.

-- name: schema state
SELECT (SELECT max(g.version_id) FROM goose_db_version AS g WHERE g.is_applied)::integer, m.min_writer
FROM meta AS m;

-- name: lock run
SELECT pg_advisory_xact_lock(hashtextextended(@run, 0));

-- name: lock store
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

-- What is here of the run, whether one of its violations is another run's here, and whether it
-- was forgotten.
-- name: known run
SELECT r.revision, r.digest, r.content, p.kind AS repository_kind, r.ledger,
  EXISTS (SELECT 1 FROM push_violation AS w JOIN violation AS v ON v.id = w.id WHERE v.run <> n.id),
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

-- Which states of runs are here, with how much of them was sent.
-- name: revisions
SELECT r.id, r.revision, r.digest, r.content, p.kind,
  coalesce(r.finished_at, '-infinity') = coalesce(n.finished_at, '-infinity')
  AND (r.status, r.iterations, r.verified, r.claimed, r.skipped, r.open)
    = (n.status, n.iterations, n.verified, n.claimed, n.skipped, n.open)
FROM jsonb_to_recordset(@runs::jsonb) AS n (run text, status text, finished_at timestamptz, iterations bigint, verified bigint,
  claimed bigint, skipped bigint, open bigint)
JOIN run AS r ON r.id = n.run
JOIN repository AS p ON p.id = r.repository;

-- name: tombstones
SELECT t.kind, t.key, t.before FROM tombstone AS t;
