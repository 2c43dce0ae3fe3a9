-- Reads totals, and the counts of runs.

-- The totals of a measure, added up over all repositories unless one is given, and over all buckets
-- if together is set.
-- name: Cells :many
SELECT (CASE WHEN @together::boolean THEN '' ELSE f.bucket END)::text AS bucket, f.key, sum(f.n)::bigint AS n
FROM figure AS f
WHERE f.measure = (@measure::text)::measure AND f.n <> 0
  AND (sqlc.narg(buckets)::text[] IS NULL OR f.bucket = ANY (sqlc.narg(buckets)::text[]))
  AND (sqlc.narg(repository)::text IS NULL
    OR f.repository = ANY (ARRAY[0, (SELECT r.id FROM figure_text AS r WHERE r.text = sqlc.narg(repository)::text)]))
GROUP BY 1, 2;

-- name: Texts :many
SELECT t.id, t.text FROM figure_text AS t WHERE t.id = ANY (@ids::integer[]);

-- name: Numbers :many
SELECT f.bucket, t.text, f.n
FROM figure_text AS t
JOIN figure AS f ON f.measure = (@measure::text)::measure AND f.bucket = ANY (@buckets::text[]) AND f.repository = 0 AND f.key = t.id
WHERE t.text = ANY (@keys::text[]);

-- The files with the most violations; those after a number and a key if they are given.
-- name: LargestFiles :many
SELECT t.text, f.n
FROM figure AS f
CROSS JOIN LATERAL (SELECT w.text FROM figure_text AS w WHERE w.id = f.key LIMIT 1) AS t
WHERE f.measure = 'files' AND f.bucket = 'violations' AND f.n > 0
  AND (sqlc.narg(after_key)::text IS NULL OR f.n <= @after_number::bigint AND (f.n < @after_number::bigint OR t.text > sqlc.narg(after_key)::text))
ORDER BY f.n DESC, t.text
LIMIT @at_most::bigint;

-- The lines with violations in the most runs, from an offset on.
-- name: LargestLines :many
SELECT l.fingerprint, p.kind, p.key, l.runs
FROM recurring_line AS l
JOIN repository AS p ON p.id = l.repository
WHERE l.runs > 1
ORDER BY l.runs DESC, l.fingerprint, CASE p.kind WHEN 'unknown' THEN 'unknown ' || p.key ELSE p.key END
LIMIT @at_most::bigint OFFSET @after::bigint;

-- name: ContributionsOnDay :many
SELECT c.counts FROM contribution AS c
WHERE c.run IN (SELECT d.run FROM contribution_day AS d WHERE d.day = @day::text) AND (@branch::text = '' OR c.branch = @branch::text);

-- name: ContributionsOfRuns :many
SELECT c.counts FROM contribution AS c WHERE (@run::text = '' OR c.run = @run::text) AND (@branch::text = '' OR c.branch = @branch::text);
