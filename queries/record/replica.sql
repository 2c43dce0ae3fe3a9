-- A replica of a team's history: a ledger that only pulls write.

-- Open runs of several ledgers may have the same place, and two ledgers may have given the same short
-- ID. Whatever the store has replaces what is here, even if it is open.
-- name: make replica
DROP INDEX runs_open;
CREATE INDEX runs_open ON runs (repository_id, coalesce(worktree_name, worktree), log_dir, kind) WHERE finished_at IS NULL;
DROP INDEX violations_by_short_id;
CREATE INDEX violations_by_short_id ON violations (short_id);
DROP INDEX reports_by_short_id;
CREATE INDEX reports_by_short_id ON reports (short_id) WHERE short_id IS NOT NULL;
DROP TRIGGER runs_are_taken_out;
CREATE TABLE replica (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  store   TEXT NOT NULL,           -- ID of the team store
  content TEXT NOT NULL,           -- how much of each run is pulled: words or full
  state   TEXT NOT NULL DEFAULT '' -- of the store at the last complete pull; '': that left out a record
) STRICT;
-- What a complete pull has brought: the runs of a repository ('': of all) that started since then ('': all).
CREATE TABLE replica_scopes (
  repository TEXT PRIMARY KEY,
  since      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- The state of each run that was imported, as the store describes it.
CREATE TABLE replica_runs (
  run      TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  content  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- name: is replica
SELECT s.name FROM sqlite_schema AS s WHERE s.name = 'replica';

-- name: begin replica
INSERT INTO replica (one, store, content) VALUES (1, ?1, ?2);

-- name: read replica
SELECT store, content, state, (SELECT count(*) FROM replica_runs) AS runs FROM replica;

-- name: read replica_scope
SELECT repository, since FROM replica_scopes ORDER BY repository;

-- name: read replica_run
SELECT run, revision, digest, content FROM replica_runs;

-- name: add replica_run
INSERT INTO replica_runs (run, revision, digest, content) VALUES (?1, ?2, ?3, ?4);

-- name: end pull
UPDATE replica SET state = ?1, content = ?2;

-- name: put replica_scope
INSERT INTO replica_scopes (repository, since) VALUES (?1, ?2)
ON CONFLICT (repository) DO UPDATE SET since = excluded.since;

-- name: drop replica_run
DELETE FROM replica_runs WHERE run = ?1;
