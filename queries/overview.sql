-- How many violations each iteration of some runs left open when it ended, in order.
-- name: LeftByIterations :many
SELECT i.run_id, i.new + i.reopened + i.carried AS left_open
FROM iterations AS i
WHERE i.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w)
ORDER BY i.run_id, i.number;

-- What some runs cost, as far as it was reported; calls as in part cost of figures.
-- name: CostsOfRuns :many
SELECT i.run_id, CAST(total(s.cost_usd) AS REAL) AS cost_usd,
  CAST(total(s.calls) FILTER (WHERE s.cost_usd IS NOT 0.0 OR s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL) AS INTEGER) AS calls,
  CAST(total(s.calls) FILTER (WHERE s.cost_usd <> 0.0 OR s.cost_usd = 0.0 AND (s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL)) AS INTEGER) AS calls_with_cost
FROM iterations AS i
JOIN slots AS s ON s.iteration_id = i.id
WHERE i.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w)
GROUP BY i.run_id;

-- The number of runs by status, and of their open violations.
-- name: RunsByStatus :many
SELECT r.status, count(*) AS runs, CAST(total(r.open) AS INTEGER) AS left_open FROM runs AS r GROUP BY r.status;

-- The number of runs with each combination of values that a list of them can be narrowed to.
-- name: CountRuns :many
SELECT status, kind, coalesce(branch, '') AS branch, worktree, repository_id, count(*) AS runs
FROM runs
WHERE started_at >= CAST(@since AS TEXT) AND started_at < CAST(@until AS TEXT)
  AND (CAST(@jobs AS TEXT) = 'null' OR EXISTS (
    SELECT 1 FROM iterations AS i
    JOIN gates AS g ON g.iteration_id = i.id
    WHERE i.run_id = runs.id AND g.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w)))
  AND (CAST(@adapter AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM iterations AS pi JOIN slots AS ps ON ps.iteration_id = pi.id
    WHERE pi.run_id = runs.id AND ps.adapter = CAST(@adapter AS TEXT)))
GROUP BY status, kind, branch, worktree, repository_id;

-- name: CountOpen :one
SELECT count(*) FROM violations AS v WHERE v.shown IN (SELECT w.value FROM json_each(CAST(@statuses AS TEXT)) AS w);

-- name: OpenByPriority :many
SELECT r.kind, v.priority, count(*) AS violations
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
WHERE v.shown IN (SELECT w.value FROM json_each(CAST(@statuses AS TEXT)) AS w)
GROUP BY r.kind, v.priority;

-- name: CountAllViolations :one
SELECT count(*) FROM violations;

-- The reviewers that were asked at some time.
-- name: Reviewers :many
SELECT DISTINCT s.adapter, coalesce(s.model, 'unknown') AS model FROM slots AS s ORDER BY 1, 2;
