-- What is asked of figures, and of what runs contribute to them.

-- name: Cells :many
SELECT f.bucket, f.key, f.n FROM figure AS f WHERE f.measure = @measure::text AND f.bucket = ANY (@buckets::text[]) AND f.n <> 0;

-- Keys begin with a repository: numbers of all of them are added up.
-- name: CellsOfAll :many
SELECT f.bucket, substr(f.key, strpos(f.key, chr(31)))::text AS key, sum(f.n)::bigint AS n
FROM figure AS f WHERE f.measure = @measure::text AND f.bucket = ANY (@buckets::text[]) AND f.n <> 0
GROUP BY 1, 2;

-- The same of all buckets together.
-- name: SumsOfAll :many
SELECT substr(f.key, strpos(f.key, chr(31)))::text AS key, sum(f.n)::bigint AS n
FROM figure AS f WHERE f.measure = @measure::text AND f.bucket = ANY (@buckets::text[]) AND f.n <> 0
GROUP BY 1;

-- name: CellsBetween :many
SELECT f.bucket, f.key, f.n FROM figure AS f
WHERE f.measure = @measure::text AND f.bucket = ANY (@buckets::text[]) AND f.n <> 0 AND f.key >= @first::text AND f.key < @last::text;

-- name: AllCells :many
SELECT f.bucket, f.key, f.n FROM figure AS f WHERE f.measure = @measure::text AND f.n <> 0;

-- name: Numbers :many
SELECT f.bucket, f.key, f.n FROM figure AS f
WHERE f.measure = @measure::text AND f.bucket = ANY (@buckets::text[]) AND f.key = ANY (@keys::text[]);

-- With after_key, those after this number and key.
-- name: Largest :many
SELECT f.key, f.n FROM figure AS f
WHERE f.measure = @measure::text AND f.measure IN ('files', 'lines') AND f.bucket = @bucket::text AND f.bucket IN ('violations', 'runs') AND f.n > 0
  AND (sqlc.narg(after_key)::text IS NULL OR f.n <= @after_number::bigint AND (f.n < @after_number::bigint OR f.key > sqlc.narg(after_key)::text))
ORDER BY f.n DESC, f.key
LIMIT @at_most::bigint;

-- name: ContributionsOnDay :many
SELECT c.counts FROM contribution AS c
WHERE c.run IN (SELECT d.run FROM contribution_day AS d WHERE d.day = @day::text) AND (@branch::text = '' OR c.branch = @branch::text);

-- name: ContributionOfRun :many
SELECT c.counts FROM contribution AS c WHERE c.run = @run::text AND (@branch::text = '' OR c.branch = @branch::text);

-- name: ContributionsOfBranch :many
SELECT c.counts FROM contribution AS c WHERE @branch::text = '' OR c.branch = @branch::text;
