-- Writes a run to the team store. Its rows are copied into temporary tables and from there into the
-- tables of the store, in the order of their keys. A row that is already the same is left alone.
--
-- The columns of a table that are written are those that its rows have keys of: the keys of records,
-- and those that ledger/team/push/columns.go adds. "make", "copy" and "put" are the same for all
-- tables, unless one has its own. Rows that stay never change once they exist.

-- The columns of all tables, and whether they belong to the primary key. Columns that the server
-- generates are not written, and the repository of a row is looked up.
-- name: columns
SELECT c.relname, a.attname, a.attnum = ANY (i.indkey)
FROM pg_class AS c
JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = current_schema()::regnamespace AND a.attname <> 'repository'
ORDER BY c.relname, a.attnum;

-- name: make rows
CREATE TEMPORARY TABLE IF NOT EXISTS @push ON COMMIT DELETE ROWS AS
SELECT @columns FROM @table WITH NO DATA;

-- name: copy rows
COPY @push (@columns) FROM STDIN;

-- name: put rows
INSERT INTO @table AS t (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO UPDATE SET (@values) = ROW (@new)
WHERE (@old) IS DISTINCT FROM (@new);

-- name: put rows that stay
INSERT INTO @table (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO NOTHING;

-- A run is sent with the names of its ledger and its repository, and with its latest time.
-- name: make run
CREATE TEMPORARY TABLE IF NOT EXISTS push_run ON COMMIT DELETE ROWS AS
SELECT @columns, '' AS ledger_name, '' AS program, '' AS repository_kind, '' AS repository_key, started_at AS latest
FROM run WITH NO DATA;

-- name: copy run
COPY push_run (@columns, ledger_name, program, repository_kind, repository_key, latest) FROM STDIN;

-- name: put repository
INSERT INTO repository (kind, key)
SELECT DISTINCT n.repository_kind, n.repository_key FROM push_run AS n
ON CONFLICT (kind, key) DO NOTHING;

-- name: put ledger
INSERT INTO ledger (id, name, program)
SELECT DISTINCT n.ledger, n.ledger_name, n.program FROM push_run AS n
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, last_pushed = now(), program = excluded.program;

-- The repository of a run may become known later.
-- name: put run
INSERT INTO run AS t (@columns, repository, clock_ahead)
SELECT @columns, (SELECT p.id FROM repository AS p WHERE p.kind = n.repository_kind AND p.key = n.repository_key),
  n.latest > now() + interval '5 minutes'
FROM push_run AS n
ON CONFLICT (@key) DO UPDATE
SET (@values, repository, clock_ahead, received_at) = ROW (@new, excluded.repository, excluded.clock_ahead, now())
WHERE t.revision <= excluded.revision;

-- name: put record
INSERT INTO record (run, data) VALUES (@run, @data)
ON CONFLICT (run) DO UPDATE SET data = excluded.data;

-- name: put violation
INSERT INTO violation AS t (@columns, repository)
SELECT @columns, (SELECT r.repository FROM run AS r WHERE r.id = n.run) FROM push_violation AS n ORDER BY @key
ON CONFLICT (@key) DO UPDATE SET (@values, repository) = ROW (@new, excluded.repository)
WHERE (@old, t.repository) IS DISTINCT FROM (@new, excluded.repository);

-- name: put forgotten_skip
INSERT INTO forgotten_skip (violation, event, actor, at)
SELECT n.violation, n.event, n.actor, n.at
FROM push_forgotten_skip AS n
WHERE @of::text = '' OR EXISTS (
  SELECT 1 FROM violation AS v JOIN run AS r ON r.id = v.run WHERE v.id = n.violation AND r.ledger = @of::text)
ORDER BY n.violation, n.event
ON CONFLICT (violation, event) DO NOTHING;
