-- What the owner deletes, and the tombstones that keep it from coming back.

-- name: runs by prefix
SELECT r.id FROM run AS r WHERE starts_with(r.id, @prefix) ORDER BY r.id LIMIT 2;

-- name: repositories by key
SELECT p.kind, p.key FROM repository AS p WHERE p.key = @key ORDER BY p.kind;

-- name: runs of repository
SELECT r.id
FROM run AS r
JOIN repository AS p ON p.id = r.repository
WHERE p.kind = @kind AND p.key = @key
ORDER BY r.id;

-- name: runs before
SELECT r.id FROM run AS r WHERE r.started_at < @before::timestamptz ORDER BY r.started_at, r.id;

-- The horizon only ever moves forward.
-- name: put tombstone
INSERT INTO tombstone (kind, key, before) VALUES (@kind, @key, @before)
ON CONFLICT (kind, key) DO UPDATE SET before = greatest(tombstone.before, excluded.before), at = now();

-- @table stands for each table with rows of a run.
-- name: delete rows
DELETE FROM @table AS t WHERE t.run = @run;

-- name: delete run
DELETE FROM run AS r WHERE r.id = @run;

-- name: tidy figures
DELETE FROM figure AS f WHERE f.n = 0;

-- name: tidy lines
DELETE FROM recurring_line AS l WHERE l.runs = 0;

-- The names of what was deleted must not remain.
-- name: tidy texts
DELETE FROM figure_text AS t
WHERE NOT EXISTS (SELECT 1 FROM figure AS f WHERE f.key = t.id) AND NOT EXISTS (SELECT 1 FROM figure AS f WHERE f.repository = t.id);

-- name: delete repositories
DELETE FROM repository AS p
WHERE p.kind = @kind AND p.key = @key AND NOT EXISTS (SELECT 1 FROM run AS r WHERE r.repository = p.id);

-- name: delete skips
DELETE FROM forgotten_skip AS f WHERE NOT EXISTS (SELECT 1 FROM violation AS v WHERE v.id = f.violation);
