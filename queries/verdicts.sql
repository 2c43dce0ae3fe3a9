-- name: ReviewIDTaken :one
SELECT EXISTS (SELECT 1 FROM code_reviews AS c WHERE c.review_id = @review_id) AS taken;

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
