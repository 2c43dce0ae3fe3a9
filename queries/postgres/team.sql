-- The statements of the team store, by name. Parameters of statements that create or grant something
-- are names, and are inserted into the text.

-- =================
-- Schema and rights
-- =================

-- name: schema owner
SELECT pg_get_userbyid(n.nspowner), current_user::text, pg_has_role(n.nspowner, 'USAGE')
FROM pg_namespace AS n
WHERE n.nspname = @schema;

-- name: make schema
CREATE SCHEMA @schema;

-- name: name store
INSERT INTO meta (key, value) VALUES ('store_id', @id) ON CONFLICT DO NOTHING;

-- The rights of a role that pushes. They extend to tables of later migrations.
-- name: rights to push
GRANT USAGE ON SCHEMA @schema TO @role;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA @schema TO @role;
GRANT SELECT ON @schema.meta, @schema.tombstone, @schema.goose_db_version TO @role;
GRANT SELECT, INSERT, UPDATE ON @schema.run TO @role;

-- name: rights to read
GRANT USAGE ON SCHEMA @schema TO @role;
GRANT SELECT ON ALL TABLES IN SCHEMA @schema TO @role;
ALTER DEFAULT PRIVILEGES IN SCHEMA @schema GRANT SELECT ON TABLES TO @role;

-- name: schema state
SELECT (SELECT max(g.version_id) FROM goose_db_version AS g WHERE g.is_applied)::integer,
  (SELECT m.value FROM meta AS m WHERE m.key = 'min_writer')::integer,
  coalesce((SELECT m.value FROM meta AS m WHERE m.key = 'store_id'), '');

-- ====
-- Push
-- ====

-- name: known runs
SELECT r.id, r.ledger, r.revision, r.digest, r.content, r.status, r.finished_at
FROM run AS r
WHERE r.id = ANY (@ids);

-- name: tombstones
SELECT t.id, t.repository, t.before, t.at FROM tombstone AS t;

-- Deleting waits for pushes, and pushes for deleting: what is seen next has the tombstones.
-- name: lock run
LOCK TABLE run IN ROW EXCLUSIVE MODE;

-- Adds runs, or replaces the states that the store has. A ledger wins over a dump with its ID.
-- name: put runs
INSERT INTO run AS r (id, repository, ledger, ledger_name, program, kind, status, started_at, finished_at, revision, digest, content,
  record, texts)
SELECT n.id, n.repository, @ledger, @name, @program, n.kind, n.status, n.started_at, n.finished_at, n.revision, n.digest, @content,
  n.record, n.texts
FROM unnest(@ids::text[], @repositories::text[], @kinds::text[], @statuses::text[], @starts::timestamptz[], @ends::timestamptz[],
  @revisions::bigint[], @digests::text[], @records::jsonb[], @texts::bytea[])
  AS n (id, repository, kind, status, started_at, finished_at, revision, digest, record, texts)
WHERE NOT EXISTS (SELECT 1 FROM tombstone AS t
  WHERE t.id = n.id OR t.repository = n.repository AND n.started_at < t.at OR n.started_at < t.before)
ORDER BY n.id
ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, ledger = excluded.ledger, ledger_name = excluded.ledger_name,
  program = excluded.program, kind = excluded.kind, status = excluded.status, started_at = excluded.started_at,
  finished_at = excluded.finished_at, revision = excluded.revision, digest = excluded.digest, content = excluded.content,
  received_at = now(), changed = nextval('change'), record = excluded.record, texts = excluded.texts
WHERE r.ledger = @dump
  OR r.ledger = excluded.ledger AND (excluded.revision > r.revision
    OR excluded.revision = r.revision AND excluded.digest = r.digest
      AND (r.content = 'words' AND excluded.content = 'full' OR r.repository = '' AND excluded.repository <> ''))
RETURNING r.id;

-- ====
-- Pull
-- ====

-- A number of states: count and changes alone would be the same again after a backup was restored.
-- name: state
SELECT count(*) || ' ' || coalesce(sum(r.changed), 0) || ' ' || coalesce(sum(hashtextextended(r.digest, r.changed)), 0) || ' '
  || (SELECT count(*) FROM tombstone)
FROM run AS r;

-- The states of the runs of some scopes: since a time, of a repository or of all.
-- name: states
SELECT r.id, r.revision, r.digest, r.content
FROM run AS r
WHERE EXISTS (SELECT 1 FROM unnest(@repositories::text[], @since::timestamptz[]) AS s (repository, since)
  WHERE r.started_at >= s.since AND (s.repository = '' OR s.repository = r.repository))
ORDER BY r.ledger LIKE 'dump:%', r.started_at, r.id;

-- name: words of runs
SELECT r.id, r.revision, r.digest, 'words', r.record::text, NULL::bytea FROM run AS r WHERE r.id = ANY (@ids)
ORDER BY r.ledger LIKE 'dump:%', r.started_at, r.id;

-- name: all of runs
SELECT r.id, r.revision, r.digest, r.content, r.record::text, r.texts FROM run AS r WHERE r.id = ANY (@ids)
ORDER BY r.ledger LIKE 'dump:%', r.started_at, r.id;

-- ======
-- Delete
-- ======

-- Nobody pushes until the runs are gone. Reading goes on.
-- name: stop pushes
LOCK TABLE run IN SHARE ROW EXCLUSIVE MODE;

-- name: runs by prefix
SELECT r.id FROM run AS r WHERE r.id >= @prefix AND r.id < @prefix || '~' ORDER BY r.id LIMIT 3;

-- name: count runs
SELECT count(*) FROM run AS r WHERE r.id = @id OR r.repository = @repository OR r.started_at < @before;

-- name: bury
INSERT INTO tombstone (id, repository, before) VALUES (@id, @repository, @before);

-- name: delete runs
DELETE FROM run AS r WHERE r.id = @id OR r.repository = @repository OR r.started_at < @before;

-- ======
-- Status
-- ======

-- name: ledgers
SELECT r.ledger, (array_agg(r.ledger_name ORDER BY r.received_at DESC))[1], (array_agg(r.program ORDER BY r.received_at DESC))[1],
  max(r.received_at), count(*), count(*) FILTER (WHERE r.finished_at IS NULL),
  count(*) FILTER (WHERE r.started_at > r.received_at + interval '5 minutes'), max(r.started_at)
FROM run AS r
GROUP BY r.ledger
ORDER BY max(r.received_at) DESC, r.ledger;

-- name: horizon
SELECT max(t.before) FROM tombstone AS t;
