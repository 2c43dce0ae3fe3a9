-- name: EnsureRepository :exec
INSERT INTO repositories (kind, key) VALUES (@kind, @key) ON CONFLICT (kind, key) DO NOTHING;

-- name: RepositoryID :one
SELECT id FROM repositories WHERE kind = @kind AND key = @key;

-- What was recorded before its repository was known is moved to that repository.
-- name: AdoptRuns :execrows
UPDATE runs SET repository_id = @repository_id
WHERE repository_id = @former_id AND (worktree = @worktree OR CAST(@sole AS INTEGER) = 1);

-- name: RepositoryRows :many
SELECT * FROM repositories ORDER BY id;
