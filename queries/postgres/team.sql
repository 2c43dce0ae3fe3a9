-- The statements of the team store, by name. Parameters of statements that create or grant something
-- are names, and are inserted into the text.

-- name: make schema
DO $$ BEGIN
  IF to_regnamespace('@schema') IS NULL THEN CREATE SCHEMA @schema; END IF;
END $$;

-- name: name store
INSERT INTO meta (key, value) VALUES ('store_id', '@id') ON CONFLICT DO NOTHING;

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

-- What the store has of each run, in their order, and how many tombstones there are.
-- name: known runs
SELECT EXISTS (SELECT 1 FROM tombstone AS t WHERE t.id = n.run)
    OR EXISTS (SELECT 1 FROM tombstone AS t WHERE t.repository = n.repository AND n.started_at < t.at)
    OR coalesce(n.started_at < (SELECT max(t.before) FROM tombstone AS t), false),
  coalesce(r.ledger, ''), coalesce(r.revision, 0), coalesce(r.digest, ''), coalesce(r.content, ''), coalesce(r.repository, ''),
  r.finished_at, coalesce(r.changed, 0), (SELECT count(*) FROM tombstone)
FROM unnest(@ids::text[], @repositories::text[], @starts::timestamptz[]) WITH ORDINALITY AS n (run, repository, started_at, number)
LEFT JOIN run AS r ON r.id = n.run
ORDER BY n.number;

-- Adds a run, or replaces the state that the store has, unless somebody else changed it since known
-- runs, or deleted something: who deletes waits for this transaction, and it for them before it sees the
-- tombstones.
-- name: put run
INSERT INTO run AS r (id, repository, ledger, ledger_name, program, kind, status, started_at, finished_at, revision, digest, content,
  changed, record, texts)
SELECT @run, @repository, @ledger, @name, @program, @kind, @status, @started_at::timestamptz, @finished_at::timestamptz,
  @revision::bigint, @digest, @content, coalesce(nullif(@changed::bigint, 0), nextval('change')), @record::jsonb, @texts::bytea
WHERE @tombstones::bigint = (SELECT count(*) FROM tombstone)
ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, ledger = excluded.ledger, ledger_name = excluded.ledger_name,
  program = excluded.program, kind = excluded.kind, status = excluded.status, started_at = excluded.started_at,
  finished_at = excluded.finished_at, revision = excluded.revision, digest = excluded.digest, content = excluded.content,
  received_at = now(), changed = nextval('change'), record = excluded.record, texts = excluded.texts
WHERE r.changed = excluded.changed;

-- A number of states: count and changes alone would be the same again after a backup was restored.
-- name: state
SELECT count(*) || ' ' || coalesce(sum(r.changed), 0) || ' ' || coalesce(sum(hashtextextended(r.digest, r.changed)), 0) || ' '
  || (SELECT count(*) FROM tombstone)
FROM run AS r;

-- The states of the runs of some scopes: since a time, of a repository or of all ('').
-- name: states
SELECT r.id, r.revision, r.digest, CASE @content WHEN 'full' THEN r.content ELSE 'words' END
FROM run AS r
WHERE EXISTS (SELECT 1 FROM jsonb_each_text(@scopes) AS s (repository, since)
  WHERE r.started_at >= s.since::timestamptz AND s.repository IN ('', r.repository))
ORDER BY r.ledger LIKE 'dump:%', r.started_at, r.id;

-- name: runs
SELECT r.id, r.revision, r.digest, CASE @content WHEN 'full' THEN r.content ELSE 'words' END, r.record::text, CASE @content WHEN 'full' THEN r.texts END
FROM run AS r
WHERE r.id = ANY (@ids)
ORDER BY r.ledger LIKE 'dump:%', r.started_at, r.id;

-- Nobody pushes until the runs are gone. Reading goes on.
-- name: stop pushes
LOCK TABLE run IN SHARE ROW EXCLUSIVE MODE;

-- What is to be deleted is a run, whose ID may be shortened, the runs of a repository, or those before a
-- time. What is not given is '' or NULL.
-- name: selected runs
SELECT r.id FROM run AS r
WHERE @run <> '' AND starts_with(r.id, upper(@run)) OR @repository <> '' AND r.repository = @repository OR r.started_at < @before
ORDER BY r.id;

-- name: delete runs
WITH buried AS (
  INSERT INTO tombstone (id, repository, before) VALUES (nullif(@run, ''), nullif(@repository, ''), @before)
), deleted AS (
  DELETE FROM run AS r WHERE r.id = @run OR @repository <> '' AND r.repository = @repository OR r.started_at < @before
  RETURNING r.id
)
SELECT count(*) FROM deleted;

-- The keys are those of its JSON.
-- name: status
SELECT jsonb_build_object(
  'deleted_before', (SELECT to_char(max(t.before), @format) FROM tombstone AS t),
  'ledgers', coalesce(jsonb_agg(l ORDER BY l.last_pushed DESC, l.ledger), '[]'))
FROM (
  SELECT r.ledger, (array_agg(r.ledger_name ORDER BY r.received_at DESC))[1] AS name,
    (array_agg(r.program ORDER BY r.received_at DESC))[1] AS program, to_char(max(r.received_at), @format) AS last_pushed,
    count(*) AS runs, count(*) FILTER (WHERE r.finished_at IS NULL) AS open,
    count(*) FILTER (WHERE r.started_at > r.received_at + interval '5 minutes') AS clock_ahead,
    to_char(max(r.started_at), @format) AS newest_run
  FROM run AS r
  GROUP BY r.ledger
) AS l;
