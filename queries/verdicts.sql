-- name: ReviewIDTaken :one
SELECT EXISTS (SELECT 1 FROM code_reviews AS c WHERE c.review_id = @review_id) AS taken;

-- The newest code review of a worktree that has a verdict; with a review ID, the newest with that.
-- Repository 1 is the unknown one: its runs are identified by their path, too.
-- name: RunOfReview :one
SELECT r.*
FROM code_reviews AS c
JOIN runs AS r ON r.id = c.run_id
WHERE c.review_id = coalesce(sqlc.narg(review_id), c.review_id)
  AND (r.worktree = @worktree AND (r.worktree_name IS NULL OR r.repository_id = 1) OR r.repository_id = @repository_id AND r.worktree_name = CAST(@worktree_name AS TEXT))
  AND EXISTS (SELECT 1 FROM verdicts AS v WHERE v.run_id = c.run_id)
ORDER BY r.id DESC
LIMIT 1;

-- The review ID and the latest verdict of each run that has a verdict.
-- name: WordsOfReviews :many
SELECT c.run_id, c.review_id,
  CAST((SELECT d.verdict FROM verdicts AS d WHERE d.run_id = c.run_id ORDER BY d.iteration_id DESC LIMIT 1) AS TEXT) AS verdict
FROM json_each(CAST(@runs AS TEXT)) AS j
JOIN code_reviews AS c ON c.run_id = j.value
WHERE EXISTS (SELECT 1 FROM verdicts AS d WHERE d.run_id = c.run_id);

-- The verdict file shows the present statuses of the run's findings.
-- name: NoteFindings :exec
UPDATE findings SET exported = (SELECT v.status FROM violations AS v WHERE v.id = findings.violation_id)
WHERE run_id = @run_id;

-- name: NoteFinding :exec
UPDATE findings SET exported = @exported WHERE violation_id = @violation_id;

-- name: ShortIDsTaken :many
SELECT CAST(j.value AS TEXT) AS short_id FROM json_each(CAST(@ids AS TEXT)) AS j
WHERE EXISTS (SELECT 1 FROM violations AS v WHERE v.short_id = j.value)
   OR EXISTS (SELECT 1 FROM reports AS r WHERE r.short_id = j.value);

-- name: ReopenReview :execrows
UPDATE runs SET finished_at = NULL
WHERE id = @id AND kind = 'code_review';
