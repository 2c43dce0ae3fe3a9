-- name: GetMeta :one
SELECT value FROM meta WHERE key = @key;

-- name: RunByULID :one
SELECT * FROM runs WHERE ulid = @ulid;

-- name: SetSessionRef :execrows
UPDATE runs SET session_ref = @session_ref WHERE id = @id AND session_ref IS NULL;

-- name: InsertRun :execlastid
INSERT INTO runs (ulid, kind, repository_id, worktree_name, worktree, log_dir, branch, base_ref, base, head, config_hash, status, started_at)
VALUES (@ulid, @kind, @repository_id, @worktree_name, @worktree, @log_dir, @branch, @base_ref, @base, @head, @config_hash, @status, @started_at);

-- name: OpenRun :one
SELECT * FROM runs
WHERE repository_id = @repository_id AND coalesce(worktree_name, worktree) = CAST(@worktree_name AS TEXT)
  AND log_dir = @log_dir AND kind = @kind AND worktree_name IS NOT NULL AND finished_at IS NULL;

-- By the path: runs whose worktree's name is not known, and those of a repository that
-- was known by something else when they began. anywhere: the worktree's name is not asked.
-- name: OpenRunByPath :one
SELECT * FROM runs
WHERE worktree = @worktree AND log_dir = @log_dir AND kind = @kind AND finished_at IS NULL
  AND (worktree_name IS NULL OR worktree_name = @worktree_name OR CAST(@anywhere AS INTEGER) = 1)
ORDER BY id DESC LIMIT 1;

-- name: CloseRun :execrows
UPDATE runs SET finished_at = @finished_at WHERE id = @id AND finished_at IS NULL;

-- The counts of a run are brought up to date with every transaction that touches it.
-- name: TouchRun :exec
UPDATE runs
SET revision = revision + 1,
    iterations = (SELECT count(*) FROM iterations AS i WHERE i.run_id = runs.id AND i.status <> 'running'),
    verified = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'verified'),
    skipped = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'skipped'),
    claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed'),
    open = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.open = 1)
WHERE id = @id;

-- name: NoteImport :exec
UPDATE runs
SET revision = revision + 1, claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed')
WHERE id = @id;

-- name: RunByID :one
SELECT * FROM runs WHERE id = @id;
