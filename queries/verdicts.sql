-- name: ReviewIDTaken :one
SELECT EXISTS (SELECT 1 FROM code_reviews AS c WHERE c.review_id = @review_id) AS taken;

-- name: CodeReviewOfRun :one
SELECT * FROM code_reviews WHERE run_id = @run_id;

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

-- name: LatestVerdict :one
SELECT * FROM verdicts WHERE run_id = @run_id ORDER BY iteration_id DESC LIMIT 1;

-- The verdicts of the run's iterations, oldest first.
-- name: VerdictsOfRun :many
SELECT sqlc.embed(d), i.number AS iteration
FROM verdicts AS d
JOIN iterations AS i ON i.id = d.iteration_id
WHERE d.run_id = @run_id
ORDER BY d.iteration_id;

-- The review ID and the latest verdict of each run that has a verdict.
-- name: WordsOfReviews :many
SELECT c.run_id, c.review_id,
  CAST((SELECT d.verdict FROM verdicts AS d WHERE d.run_id = c.run_id ORDER BY d.iteration_id DESC LIMIT 1) AS TEXT) AS verdict
FROM json_each(CAST(@runs AS TEXT)) AS j
JOIN code_reviews AS c ON c.run_id = j.value
WHERE EXISTS (SELECT 1 FROM verdicts AS d WHERE d.run_id = c.run_id);

-- The violations of a run as a verdict shows them. In a code review that is in the words of the report that
-- began each, in the order of the file; in a run of gates, which has no findings, in those of its latest.
-- name: FindingsOfRun :many
SELECT v.ulid, v.short_id, v.status, v.last_iteration, j.name AS domain,
  coalesce(m.file, r.file) AS file, coalesce(m.line_start, r.line_start) AS line_start, coalesce(m.line_end, r.line_end) AS line_end, r.issue, r.fix, r.title, r.confidence, r.system_breaking,
  CAST(CASE WHEN f.violation_id IS NULL THEN v.priority ELSE r.priority END AS TEXT) AS priority,
  coalesce(f.finding_id, '') AS finding_id, coalesce(f.exported, v.status) AS exported,
  CAST((SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.number DESC LIMIT 1) AS TEXT) AS actor
FROM violations AS v
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN findings AS f ON f.violation_id = v.id
LEFT JOIN violation_places AS m ON m.violation_id = v.id AND m.iteration = v.moved_in AND m.position = 1
JOIN reports AS r ON r.id = CASE WHEN f.violation_id IS NULL THEN v.report_id
  ELSE (SELECT min(b.id) FROM reports AS b WHERE b.violation_id = v.id AND b.disposition = 'accepted') END
WHERE v.run_id = @run_id
ORDER BY f.position, v.id;

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
