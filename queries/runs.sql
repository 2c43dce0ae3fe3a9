-- name: GetMeta :one
SELECT value FROM meta WHERE key = @key;

-- name: InsertRun :execlastid
INSERT INTO runs (ulid, kind, worktree, log_dir, branch, base_ref, base, head, status, started_at)
VALUES (@ulid, @kind, @worktree, @log_dir, @branch, @base_ref, @base, @head, @status, @started_at);

-- name: OpenRun :one
SELECT * FROM runs
WHERE worktree = @worktree AND log_dir = @log_dir AND kind = @kind AND finished_at IS NULL;

-- name: RunByULID :one
SELECT * FROM runs WHERE ulid = @ulid;

-- name: CloseRun :execrows
UPDATE runs SET status = @status, finished_at = @finished_at
WHERE id = @id AND finished_at IS NULL;

-- name: SetRunStatus :execrows
UPDATE runs SET status = @status WHERE id = @id AND finished_at IS NULL;

-- name: SetSessionRef :execrows
UPDATE runs SET session_ref = @session_ref WHERE id = @id AND session_ref IS NULL;

-- name: CountRun :exec
UPDATE runs
SET iterations = (SELECT count(*) FROM iterations AS i WHERE i.run_id = runs.id),
    verified = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'verified'),
    skipped = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'skipped'),
    claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed'),
    open = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.open = 1)
WHERE id = @id;
