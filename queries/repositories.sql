-- name: EnsureRepository :exec
INSERT INTO repositories (kind, key) VALUES (@kind, @key) ON CONFLICT (kind, key) DO NOTHING;

-- name: RepositoryID :one
SELECT id FROM repositories WHERE kind = @kind AND key = @key;

-- What was recorded before its repository was known is moved to that repository.

-- name: AdoptFiles :exec
INSERT INTO files (repository_id, file)
SELECT DISTINCT CAST(@repository_id AS INTEGER), v.file
FROM violations AS v
WHERE v.run_id IN (SELECT r.id FROM runs AS r WHERE r.repository_id = @former_id AND (r.worktree = @worktree OR CAST(@sole AS INTEGER) = 1))
ON CONFLICT (repository_id, file) DO NOTHING;

-- name: AdoptRuns :execrows
UPDATE runs SET repository_id = @repository_id
WHERE repository_id = @former_id AND (worktree = @worktree OR CAST(@sole AS INTEGER) = 1);

-- name: RunsToAdopt :one
SELECT EXISTS (
  SELECT 1 FROM runs AS r
  WHERE r.repository_id = @former_id AND (r.worktree = @worktree OR CAST(@sole AS INTEGER) = 1)) AS some;

-- name: RepositoryRows :many
SELECT * FROM repositories ORDER BY id;
