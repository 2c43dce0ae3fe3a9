-- What a push reads and locks. Only one push writes at a time, because several runs share rows of
-- figures, on which pushes could otherwise deadlock.

-- name: schema state
SELECT (SELECT max(g.version_id) FROM goose_db_version AS g WHERE g.is_applied)::integer, m.min_writer, m.figures
FROM meta AS m;

-- name: lock runs
SELECT pg_advisory_xact_lock(hashtextextended(l.run, 0)) FROM unnest(@runs::text[]) AS l (run);

-- name: lock store
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

-- What the store has of each pushed run, whether one of the pushed violations belongs there to a run
-- that is not pushed, and whether the run was deleted.
-- name: known runs
SELECT n.id, r.revision, r.digest, r.content, p.kind AS repository_kind, r.ledger,
  EXISTS (SELECT 1 FROM push_violation AS w
          WHERE (SELECT v.run FROM violation AS v WHERE v.id = w.id) <> ALL (SELECT p.id FROM push_run AS p)),
  EXISTS (SELECT 1 FROM tombstone AS t
          WHERE (t.kind = 'run' AND t.key = n.id)
             OR (t.kind = 'repository' AND t.key = n.repository_kind || ' ' || n.repository_key)
             OR (t.kind = 'before' AND n.started_at < t.before)),
  n.latest > now() + interval '5 minutes'
FROM push_run AS n
LEFT JOIN run AS r ON r.id = n.id
LEFT JOIN repository AS p ON p.id = r.repository;

-- Which revisions of runs the store has, and how much of each was sent.
-- name: revisions
SELECT r.id, r.revision, r.digest, r.content, p.kind,
  coalesce(r.finished_at, '-infinity') = coalesce(n.finished_at, '-infinity')
  AND (r.status, r.iterations, r.verified, r.claimed, r.skipped, r.withdrawn, r.open)
    = (n.status, n.iterations, n.verified, n.claimed, n.skipped, n.withdrawn, n.open)
FROM jsonb_to_recordset(@runs::jsonb) AS n (run text, status text, finished_at timestamptz, iterations bigint, verified bigint,
  claimed bigint, skipped bigint, withdrawn bigint, open bigint)
JOIN run AS r ON r.id = n.run
JOIN repository AS p ON p.id = r.repository;

-- name: tombstones
SELECT t.kind, t.key, t.before FROM tombstone AS t;
