-- name: State :one
SELECT ledger, changed FROM state;

-- name: SetState :exec
INSERT INTO state (one, ledger, changed) VALUES (1, @ledger, @changed)
ON CONFLICT (one) DO UPDATE SET ledger = excluded.ledger, changed = excluded.changed;

-- name: Cells :many
SELECT s.bucket, s.key, s.n FROM json_each(CAST(@buckets AS TEXT)) AS b
CROSS JOIN sums AS s ON s.measure = CAST(@measure AS TEXT) AND s.bucket = b.value;

-- name: AllCells :many
SELECT s.bucket, s.key, s.n FROM sums AS s WHERE s.measure = @measure;

-- name: LargestFiles :many
SELECT s.key, s.n FROM sums AS s INDEXED BY sums_by_number
WHERE s.measure = 'files' AND s.bucket = CAST(@bucket AS TEXT)
ORDER BY s.n DESC, s.key
LIMIT @limit OFFSET @offset;

-- name: Numbers :many
SELECT s.bucket, s.n FROM json_each(CAST(@buckets AS TEXT)) AS b
CROSS JOIN sums AS s ON s.measure = CAST(@measure AS TEXT) AND s.bucket = b.value AND s.key = CAST(@key AS TEXT);

-- name: AddTo :exec
INSERT INTO sums (measure, bucket, key, n) VALUES (@measure, @bucket, @key, @n)
ON CONFLICT (measure, bucket, key) DO UPDATE SET n = sums.n + excluded.n;

-- name: DropZero :exec
DELETE FROM sums WHERE measure = @measure AND bucket = @bucket AND key = @key AND n = 0;

-- name: SetNumber :exec
INSERT INTO sums (measure, bucket, key, n) VALUES (@measure, @bucket, @key, @n)
ON CONFLICT (measure, bucket, key) DO UPDATE SET n = excluded.n;

-- name: DropNumber :exec
DELETE FROM sums WHERE measure = @measure AND bucket = @bucket AND key = @key;

-- name: Number :one
SELECT CAST(coalesce((SELECT s.n FROM sums AS s WHERE s.measure = CAST(@measure AS TEXT) AND s.bucket = CAST(@bucket AS TEXT) AND s.key = CAST(@key AS TEXT)), 0) AS INTEGER) AS n;

-- name: Contribution :one
SELECT c.branch, c.counts FROM contributions AS c WHERE c.run_id = @run_id;

-- name: ContributedRuns :many
SELECT c.run_id, c.run FROM contributions AS c ORDER BY c.run_id;

-- name: NumberOfRuns :one
SELECT count(*) FROM contributions;

-- name: LatestContribution :many
SELECT c.run_id, c.run, c.revision, c.changed FROM contributions AS c ORDER BY c.changed DESC LIMIT 1;

-- name: SetContribution :exec
INSERT INTO contributions (run_id, run, revision, changed, branch, worktree, counts)
VALUES (@run_id, @run, @revision, @changed, @branch, @worktree, @counts)
ON CONFLICT (run_id) DO UPDATE SET run = excluded.run, revision = excluded.revision, changed = excluded.changed,
  branch = excluded.branch, worktree = excluded.worktree, counts = excluded.counts;

-- name: DropContribution :exec
DELETE FROM contributions WHERE run_id = @run_id;

-- name: AddDay :exec
INSERT INTO days (day, run_id) VALUES (@day, @run_id) ON CONFLICT (day, run_id) DO NOTHING;

-- name: DropDays :exec
DELETE FROM days WHERE run_id = @run_id;

-- name: ContributionsOnDay :many
SELECT c.counts FROM days AS d CROSS JOIN contributions AS c ON c.run_id = d.run_id
WHERE d.day = @day AND (CAST(@branch AS TEXT) = '' OR c.branch = CAST(@branch AS TEXT));

-- name: ContributionsOfRun :many
SELECT c.counts FROM contributions AS c
WHERE c.run = CAST(@run AS TEXT) AND (CAST(@branch AS TEXT) = '' OR c.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR c.worktree = CAST(@worktree AS TEXT));

-- name: ContributionsOfBranch :many
SELECT c.counts FROM contributions AS c
WHERE c.branch = CAST(@branch AS TEXT) AND (CAST(@worktree AS TEXT) = '' OR c.worktree = CAST(@worktree AS TEXT))
ORDER BY c.run_id;

-- name: ContributionsOfWorktree :many
SELECT c.counts FROM contributions AS c
WHERE CAST(@worktree AS TEXT) = '' OR c.worktree = CAST(@worktree AS TEXT)
ORDER BY c.run_id;

-- name: SetLine :one
INSERT INTO lines (key, runs, violations) VALUES (@key, @runs, @violations)
ON CONFLICT (key) DO UPDATE SET runs = excluded.runs, violations = excluded.violations
RETURNING id;

-- name: DropLine :exec
DELETE FROM lines WHERE key = @key;

-- name: LineOfKey :one
SELECT * FROM lines WHERE key = @key;

-- name: LargestLines :many
SELECT key, runs FROM lines ORDER BY runs DESC, key LIMIT @limit OFFSET @offset;

-- name: AddRecurrence :exec
INSERT INTO recurrences (run_id, at, line_id) VALUES (@run_id, @at, @line_id) ON CONFLICT (run_id, at, line_id) DO NOTHING;

-- name: DropRecurrences :exec
DELETE FROM recurrences WHERE run_id = @run_id;

-- Lines that several runs have in a period, those of most runs first.
-- name: LinesOfPeriod :many
SELECT l.key, CAST(p.runs AS INTEGER) AS runs
FROM (
  SELECT r.line_id, count(DISTINCT r.run_id) AS runs
  FROM recurrences AS r INDEXED BY recurrences_by_time
  WHERE r.at >= CAST(@since AS INTEGER) AND r.at < CAST(@until AS INTEGER)
  GROUP BY r.line_id
  HAVING count(DISTINCT r.run_id) > 1
) AS p
CROSS JOIN lines AS l ON l.id = p.line_id
ORDER BY 2 DESC, l.key;
