-- Runs, newest first. With before_id, only those after this key.
-- name: ListRuns :many
SELECT sqlc.embed(r), p.kind AS repository_kind, p.key AS repository_key
FROM run AS r JOIN repository AS p ON p.id = r.repository
WHERE within(r.started_at, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
  AND (sqlc.narg(before_id)::text IS NULL OR (r.started_at, r.id) < (@before_at::timestamptz, sqlc.narg(before_id)::text))
  AND among(r.status, sqlc.narg(statuses)::text[])
  AND (sqlc.narg(kind)::text IS NULL OR r.kind = sqlc.narg(kind)::text)
  AND (sqlc.narg(branch)::text IS NULL OR r.branch = sqlc.narg(branch)::text)
  AND (NOT @unfinished::boolean OR r.finished_at IS NULL)
  AND among(r.repository, sqlc.narg(repositories)::bigint[])
  AND (sqlc.narg(jobs)::text[] IS NULL OR r.jobs && sqlc.narg(jobs)::text[])
  AND (sqlc.narg(adapter)::text IS NULL OR sqlc.narg(adapter)::text = ANY (r.adapters))
ORDER BY r.started_at DESC, r.id DESC
LIMIT sqlc.narg(at_most)::bigint;

-- name: RunByID :one
SELECT sqlc.embed(r), p.kind AS repository_kind, p.key AS repository_key
FROM run AS r JOIN repository AS p ON p.id = r.repository
WHERE r.id = @id;

-- name: RunsWithPrefix :many
SELECT r.id FROM run AS r WHERE r.id >= @first::text AND r.id < @last::text ORDER BY r.id LIMIT 2;

-- The number of runs with each combination of values that a list of them can be narrowed to.
-- name: CountRuns :many
SELECT r.status, r.kind, coalesce(r.branch, '')::text AS branch, r.repository, count(*) AS runs
FROM run AS r
WHERE within(r.started_at, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
  AND (sqlc.narg(jobs)::text[] IS NULL OR r.jobs && sqlc.narg(jobs)::text[])
  AND (sqlc.narg(adapter)::text IS NULL OR sqlc.narg(adapter)::text = ANY (r.adapters))
GROUP BY 1, 2, 3, 4;

-- name: RunsByStatus :many
SELECT r.status, count(*) AS runs, sum(r.open)::bigint AS left_open FROM run AS r GROUP BY 1;

-- How many violations each iteration of some runs left open when it ended, in order.
-- name: LeftByIterations :many
SELECT i.run, (i.new + i.reopened + i.carried)::bigint AS left_open
FROM iteration AS i WHERE i.run = ANY (@runs::text[]) ORDER BY i.run, i.number;

-- What the slots of some runs that were asked cost, as far as it was reported. The sum of decimal
-- numbers does not depend on their order.
-- name: CostsOfRuns :many
SELECT s.run, coalesce(sum(s.cost_usd::numeric), 0)::double precision AS cost, count(s.cost_usd) AS known, count(*) AS calls
FROM slot AS s
WHERE s.run = ANY (@runs::text[]) AND s.status IN ('pass', 'fail', 'error')
GROUP BY s.run;
