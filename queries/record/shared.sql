-- What belongs to no run: it is added where it is not there. Files and blobs are read in pages.

-- name: read forgotten_skip
SELECT violation, number AS event, actor, at FROM forgotten_skips ORDER BY violation, number;

-- name: add forgotten_skip
INSERT INTO forgotten_skips (violation, number, actor, at) VALUES (@violation, @event, @actor, @at)
ON CONFLICT (violation, number) DO NOTHING;

-- name: read meta
SELECT key, value FROM meta ORDER BY key;

-- name: add meta
INSERT INTO meta (key, value) VALUES (@key, @value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: read job
SELECT job, kind, entry_point, name FROM jobs ORDER BY job;

-- name: add job
INSERT INTO jobs (job, kind, entry_point, name) VALUES (@job, @kind, @entry_point, @name)
ON CONFLICT (job) DO NOTHING;

-- name: read cooldown
SELECT adapter, until, reason, set_at FROM cooldowns ORDER BY adapter;

-- name: add cooldown
INSERT INTO cooldowns (adapter, until, reason, set_at) VALUES (@adapter, @until, @reason, @set_at)
ON CONFLICT (adapter) DO NOTHING;

-- name: read file
SELECT p.kind AS repository_kind, p.key AS repository, f.file
FROM files AS f
CROSS JOIN repositories AS p ON p.id = f.repository_id
WHERE (f.repository_id, f.file) > (coalesce((SELECT q.id FROM repositories AS q WHERE q.kind = @kind AND q.key = @key), 0), @file)
ORDER BY f.repository_id, f.file LIMIT 1000;

-- name: add file
INSERT INTO files (repository_id, file) VALUES (@repository_id, @file) ON CONFLICT (repository_id, file) DO NOTHING;
