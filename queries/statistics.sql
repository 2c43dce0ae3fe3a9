-- What statistics over a period are made of: the slots that finished in it, and
-- what became of the violations that they were the first to report. What only a
-- filter needs is looked up where the filter is set.

-- name: StatisticsOfSlots :many
SELECT g.job_id, s.adapter, i.number AS iteration,
  count(*) AS slots,
  CAST(sum(s.status IN ('pass', 'fail')) AS INTEGER) AS answered,
  CAST(sum(s.status IN ('error', 'interrupted')) AS INTEGER) AS errors,
  CAST(sum(s.status = 'skipped_prior_pass') AS INTEGER) AS skipped,
  CAST(sum(s.accepted) AS INTEGER) AS accepted,
  CAST(sum(s.out_of_diff) AS INTEGER) AS out_of_diff,
  CAST(sum(s.below_threshold) AS INTEGER) AS below_threshold,
  CAST(sum(s.previously_skipped) AS INTEGER) AS previously_skipped,
  CAST(sum(s.remembered_skip) AS INTEGER) AS remembered_skip,
  CAST(sum(s.malformed) AS INTEGER) AS malformed,
  CAST(sum(s.merged) AS INTEGER) AS merged,
  CAST(sum(s.outside_verify) AS INTEGER) AS outside_verify,
  CAST(sum(s.new) AS INTEGER) AS new,
  CAST(sum(s.reopened) AS INTEGER) AS reopened,
  CAST(sum(s.verified) AS INTEGER) AS verified,
  CAST(sum(s.carried) AS INTEGER) AS carried,
  CAST(coalesce(sum(s.input_tokens), 0) AS INTEGER) AS input_tokens,
  CAST(coalesce(sum(s.output_tokens), 0) AS INTEGER) AS output_tokens,
  CAST(sum(s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL) AS INTEGER) AS with_tokens,
  CAST(coalesce(sum(s.cost_usd), 0.0) AS REAL) AS cost_usd,
  CAST(sum(s.cost_usd IS NOT NULL) AS INTEGER) AS with_cost
FROM slots AS s
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE s.ended_at IS NOT NULL
  AND s.ended_at >= CAST(@since AS TEXT) AND s.ended_at < CAST(@until AS TEXT)
  AND (CAST(@adapter AS TEXT) = '' OR s.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@run AS TEXT) = '' OR (SELECT u.ulid FROM runs AS u WHERE u.id = i.run_id) = CAST(@run AS TEXT))
  AND (CAST(@gate AS TEXT) = '' OR (SELECT j.name FROM jobs AS j WHERE j.id = g.job_id) = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR (SELECT j.entry_point FROM jobs AS j WHERE j.id = g.job_id) = CAST(@entry_point AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR (SELECT u.branch FROM runs AS u WHERE u.id = i.run_id) = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR (SELECT u.worktree FROM runs AS u WHERE u.id = i.run_id) = CAST(@worktree AS TEXT))
GROUP BY g.job_id, s.adapter, i.number;

-- name: StatisticsOfViolations :many
SELECT g.job_id, s.adapter, i.number AS iteration, c.status, c.reason, c.shared, c.in_fix_lines,
  (SELECT u.status FROM runs AS u WHERE u.id = i.run_id) = 'abandoned' AS abandoned,
  CAST(sum(c.violations) AS INTEGER) AS violations
FROM slots AS s
CROSS JOIN slot_violations AS c ON c.slot_id = s.id
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE s.ended_at IS NOT NULL
  AND s.ended_at >= CAST(@since AS TEXT) AND s.ended_at < CAST(@until AS TEXT)
  AND (CAST(@adapter AS TEXT) = '' OR s.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@run AS TEXT) = '' OR (SELECT u.ulid FROM runs AS u WHERE u.id = i.run_id) = CAST(@run AS TEXT))
  AND (CAST(@gate AS TEXT) = '' OR (SELECT j.name FROM jobs AS j WHERE j.id = g.job_id) = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR (SELECT j.entry_point FROM jobs AS j WHERE j.id = g.job_id) = CAST(@entry_point AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR (SELECT u.branch FROM runs AS u WHERE u.id = i.run_id) = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR (SELECT u.worktree FROM runs AS u WHERE u.id = i.run_id) = CAST(@worktree AS TEXT))
GROUP BY g.job_id, s.adapter, i.number, c.status, c.reason, c.shared, c.in_fix_lines, abandoned
HAVING sum(c.violations) > 0;

-- name: StatisticsOfSkips :one
SELECT count(*) AS slots,
  CAST(coalesce(sum(p.input_tokens + p.output_tokens), 0) AS INTEGER) AS tokens,
  CAST(coalesce(sum(p.cost_usd), 0.0) AS REAL) AS cost_usd
FROM slots AS s
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
LEFT JOIN iterations AS pi ON pi.run_id = i.run_id AND pi.number = s.pass_iteration
LEFT JOIN gates AS pg ON pg.iteration_id = pi.id AND pg.job_id = g.job_id
LEFT JOIN slots AS p ON p.gate_id = pg.id AND p.review_index = s.review_index
WHERE s.ended_at IS NOT NULL AND s.status = 'skipped_prior_pass'
  AND s.ended_at >= CAST(@since AS TEXT) AND s.ended_at < CAST(@until AS TEXT)
  AND (CAST(@adapter AS TEXT) = '' OR s.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@run AS TEXT) = '' OR (SELECT u.ulid FROM runs AS u WHERE u.id = i.run_id) = CAST(@run AS TEXT))
  AND (CAST(@gate AS TEXT) = '' OR (SELECT j.name FROM jobs AS j WHERE j.id = g.job_id) = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR (SELECT j.entry_point FROM jobs AS j WHERE j.id = g.job_id) = CAST(@entry_point AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR (SELECT u.branch FROM runs AS u WHERE u.id = i.run_id) = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR (SELECT u.worktree FROM runs AS u WHERE u.id = i.run_id) = CAST(@worktree AS TEXT));

-- name: Places :one
SELECT CAST(coalesce(json_group_array(v.file), '[]') AS TEXT) AS files,
  CAST(coalesce(json_group_array(coalesce(v.fingerprint, '')), '[]') AS TEXT) AS fingerprints,
  CAST(coalesce(json_group_array(v.run_id), '[]') AS TEXT) AS runs
FROM violations AS v
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT);

-- name: FilteredPlaces :one
SELECT CAST(coalesce(json_group_array(v.file), '[]') AS TEXT) AS files,
  CAST(coalesce(json_group_array(coalesce(v.fingerprint, '')), '[]') AS TEXT) AS fingerprints,
  CAST(coalesce(json_group_array(v.run_id), '[]') AS TEXT) AS runs
FROM violations AS v
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@run AS TEXT) = '' OR u.ulid = CAST(@run AS TEXT))
  AND (CAST(@gate AS TEXT) = '' OR j.name = CAST(@gate AS TEXT))
  AND (CAST(@entry_point AS TEXT) = '' OR j.entry_point = CAST(@entry_point AS TEXT))
  AND (CAST(@branch AS TEXT) = '' OR u.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR u.worktree = CAST(@worktree AS TEXT));

-- name: LatestOfFingerprint :one
SELECT v.short_id, v.file, r.issue, r.line_start, j.job
FROM violations AS v
CROSS JOIN reports AS r ON r.id = v.report_id
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
WHERE v.fingerprint = @fingerprint AND (CAST(@repository_id AS INTEGER) = 0 OR u.repository_id = @repository_id)
ORDER BY v.id DESC
LIMIT 1;

-- name: RepositoriesOfRuns :many
SELECT r.id, r.repository_id FROM runs AS r
WHERE (SELECT count(*) FROM (SELECT DISTINCT o.repository_id FROM runs AS o LIMIT 2) AS several) > 1;
