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
SELECT key, violations FROM files ORDER BY violations DESC, key LIMIT @limit OFFSET @offset;

-- name: FileOfKey :one
SELECT * FROM files WHERE key = @key;

-- name: AllFiles :many
SELECT * FROM files;

-- name: LastNumbers :one
SELECT CAST(coalesce((SELECT max(f.id) FROM files AS f), 0) AS INTEGER) AS file,
  CAST(coalesce((SELECT max(l.id) FROM lines AS l), 0) AS INTEGER) AS line;

-- name: AddToFile :exec
INSERT INTO files (id, key, violations, open, abandoned, claimed, verified, skipped, withdrawn, in_fix_lines, reopened, runs)
VALUES (@id, @key, @violations, @open, @abandoned, @claimed, @verified, @skipped, @withdrawn, @in_fix_lines, @reopened, @runs)
ON CONFLICT (id) DO UPDATE SET violations = files.violations + excluded.violations, open = files.open + excluded.open,
  abandoned = files.abandoned + excluded.abandoned, claimed = files.claimed + excluded.claimed,
  verified = files.verified + excluded.verified, skipped = files.skipped + excluded.skipped, withdrawn = files.withdrawn + excluded.withdrawn,
  in_fix_lines = files.in_fix_lines + excluded.in_fix_lines, reopened = files.reopened + excluded.reopened,
  runs = files.runs + excluded.runs;

-- name: DropFile :exec
DELETE FROM files WHERE id = @id AND violations = 0;

-- name: FilesOfIDs :many
SELECT f.id, f.key FROM json_each(CAST(@ids AS TEXT)) AS w CROSS JOIN files AS f ON f.id = w.value;

-- name: FilesAfter :many
SELECT id, key FROM files WHERE key > @after ORDER BY key LIMIT @limit;

-- name: AllReviewers :many
SELECT id, key FROM reviewers;

-- name: AddReviewer :exec
INSERT INTO reviewers (id, key) VALUES (@id, @key);

-- name: AddTo :exec
INSERT INTO sums (measure, bucket, key, n) VALUES (@measure, @bucket, @key, @n)
ON CONFLICT (measure, bucket, key) DO UPDATE SET n = sums.n + excluded.n;

-- name: DropZero :exec
DELETE FROM sums WHERE measure = @measure AND bucket = @bucket AND key = @key AND n = 0;

-- name: Number :one
SELECT CAST(coalesce((SELECT s.n FROM sums AS s WHERE s.measure = CAST(@measure AS TEXT) AND s.bucket = CAST(@bucket AS TEXT) AND s.key = CAST(@key AS TEXT)), 0) AS INTEGER) AS n;

-- name: Contribution :one
SELECT c.branch, c.counts FROM contributions AS c WHERE c.run_id = @run_id;

-- name: ContributedRuns :many
SELECT c.run_id FROM contributions AS c ORDER BY c.run_id;

-- name: NumberOfRuns :one
SELECT count(*) FROM contributions;

-- name: LatestContribution :many
SELECT c.run_id, c.run, c.revision, c.changed FROM contributions AS c ORDER BY c.changed DESC LIMIT 1;

-- name: SetContribution :exec
INSERT INTO contributions (run_id, run, revision, changed, repository, branch, counts)
VALUES (@run_id, @run, @revision, @changed, @repository, @branch, @counts)
ON CONFLICT (run_id) DO UPDATE SET run = excluded.run, revision = excluded.revision, changed = excluded.changed,
  repository = excluded.repository, branch = excluded.branch, counts = excluded.counts;

-- name: DropContribution :exec
DELETE FROM contributions WHERE run_id = @run_id;

-- name: AddDay :exec
INSERT INTO days (day, run_id, violations) VALUES (@day, @run_id, @violations);

-- name: DropDays :exec
DELETE FROM days WHERE run_id = @run_id;

-- name: ContributionsOnDay :many
SELECT c.counts FROM days AS d CROSS JOIN contributions AS c ON c.run_id = d.run_id
WHERE d.day = @day AND (CAST(@branch AS TEXT) = '' OR c.branch = CAST(@branch AS TEXT));

-- name: ContributionsOfRuns :many
SELECT c.counts FROM json_each(CAST(@runs AS TEXT)) AS w CROSS JOIN contributions AS c ON c.run_id = w.value ORDER BY c.run_id;

-- name: SetLine :one
INSERT INTO lines (key, runs) VALUES (@key, @runs)
ON CONFLICT (key) DO UPDATE SET runs = excluded.runs
RETURNING id;

-- name: DropLine :exec
DELETE FROM lines WHERE key = @key;

-- name: LineOfKey :one
SELECT * FROM lines WHERE key = @key;

-- name: LargestLines :many
SELECT key, runs FROM lines ORDER BY runs DESC, key LIMIT @limit OFFSET @offset;

-- name: LinesOfIDs :many
SELECT l.id, l.key FROM json_each(CAST(@ids AS TEXT)) AS w CROSS JOIN lines AS l ON l.id = w.value;

-- name: LinesAfter :many
SELECT id, key FROM lines WHERE key > @after ORDER BY key LIMIT @limit;

-- name: ViolationsOnDays :many
SELECT d.run_id, d.violations FROM days AS d CROSS JOIN contributions AS c ON c.run_id = d.run_id
WHERE d.day >= @first AND d.day <= @last AND (CAST(@repository AS TEXT) = '' OR c.repository = CAST(@repository AS TEXT));

-- name: ViolationsOfRuns :many
SELECT d.run_id, d.violations FROM json_each(CAST(@runs AS TEXT)) AS w
CROSS JOIN days AS d INDEXED BY days_by_run ON d.run_id = w.value
CROSS JOIN contributions AS c ON c.run_id = d.run_id
WHERE d.day >= @first AND d.day <= @last AND (CAST(@repository AS TEXT) = '' OR c.repository = CAST(@repository AS TEXT));
