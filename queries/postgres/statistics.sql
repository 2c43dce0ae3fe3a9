-- What statistics are made of. A period is read from the buckets that lie in it as a whole,
-- and from the rows themselves at its edges: since and until of each. Where only some runs
-- are meant, their rows are read, and no bucket, but for the runs of a branch that has buckets:
-- the names of those begin with within. A list that is null leaves nothing out, as
-- an empty text does.

-- Violations of one kind may come in several rows: who reads them adds up.
-- name: TotalsOfViolations :many
SELECT t.job, t.adapter, t.model, t.iteration, t.priority, t.status, t.reason, t.shared, t.in_fix_lines, t.recurring,
  t.violations::bigint AS violations
FROM (
  SELECT k.job, k.adapter, k.model, k.iteration, k.priority, k.status, k.reason, k.shared, k.in_fix_lines, k.recurring, c.violations
  FROM (
    SELECT b.kind, sum(b.violations) AS violations
    FROM violation_total AS b
    WHERE b.bucket = ANY (@buckets::text[]) AND b.violations <> 0
      AND (sqlc.narg(repositories)::bigint[] IS NULL OR b.repository = ANY (sqlc.narg(repositories)::bigint[]))
    GROUP BY b.kind
  ) AS c
  JOIN violation_kind AS k ON k.id = c.kind
  UNION ALL
  SELECT f.job, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring, count(*)
  FROM violation_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  UNION ALL
  SELECT f.job, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring, count(*)
  FROM violation_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
) AS t
WHERE (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR t.adapter = @adapter::text)
  AND (@model::text = '' OR t.model = @model::text);

-- The same for reviewers, by what is told of them. Days are the buckets that have only totals of
-- all kinds.
-- name: OutcomesOfReviewers :many
SELECT t.adapter, t.model, t.status, t.reason, t.shared, sum(t.violations)::bigint AS violations
FROM (
  SELECT o.job, o.adapter, o.model, o.status, o.reason, o.shared, o.violations
  FROM outcome_total AS o
  WHERE o.bucket = ANY (@buckets::text[]) AND o.violations <> 0
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR o.repository = ANY (sqlc.narg(repositories)::bigint[]))
  UNION ALL
  SELECT k.job, k.adapter, k.model, k.status, k.reason, k.shared, c.violations
  FROM (
    SELECT b.kind, sum(b.violations) AS violations
    FROM violation_total AS b
    WHERE b.bucket = ANY (@days::text[]) AND b.violations <> 0
      AND (sqlc.narg(repositories)::bigint[] IS NULL OR b.repository = ANY (sqlc.narg(repositories)::bigint[]))
    GROUP BY b.kind
  ) AS c
  JOIN violation_kind AS k ON k.id = c.kind
  UNION ALL
  SELECT f.job, f.adapter, f.model, f.status, f.reason, f.shared, count(*)
  FROM violation_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT f.job, f.adapter, f.model, f.status, f.reason, f.shared, count(*)
  FROM violation_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  GROUP BY 1, 2, 3, 4, 5, 6
) AS t
WHERE (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR t.adapter = @adapter::text)
  AND (@model::text = '' OR t.model = @model::text)
GROUP BY 1, 2, 3, 4, 5;

-- name: TotalsOfSlots :many
SELECT t.job, t.adapter, t.model, t.iteration,
  sum(t.answered)::bigint AS answered, sum(t.errors)::bigint AS errors, sum(t.interrupted)::bigint AS interrupted,
  sum(t.skipped)::bigint AS skipped, sum(t.accepted)::bigint AS accepted, sum(t.out_of_diff)::bigint AS out_of_diff,
  sum(t.below_threshold)::bigint AS below_threshold, sum(t.previously_skipped)::bigint AS previously_skipped,
  sum(t.remembered_skip)::bigint AS remembered_skip, sum(t.malformed)::bigint AS malformed,
  sum(t.merged)::bigint AS merged, sum(t.outside_verify)::bigint AS outside_verify,
  sum(t.reopened)::bigint AS reopened, sum(t.verified)::bigint AS verified, sum(t.carried)::bigint AS carried,
  sum(t.input_tokens)::bigint AS input_tokens, sum(t.cached_tokens)::bigint AS cached_tokens,
  sum(t.output_tokens)::bigint AS output_tokens, sum(t.with_tokens)::bigint AS with_tokens,
  sum(t.cost_nano)::bigint AS cost_nano, sum(t.with_cost)::bigint AS with_cost,
  sum(t.saved_tokens)::bigint AS saved_tokens, sum(t.saved_nano)::bigint AS saved_nano
FROM (
  SELECT c.repository, c.job, c.adapter, c.model, c.iteration, c.answered, c.errors, c.interrupted, c.skipped, c.accepted,
    c.out_of_diff, c.below_threshold, c.previously_skipped, c.remembered_skip, c.malformed, c.merged,
    c.outside_verify, c.reopened, c.verified, c.carried, c.input_tokens, c.cached_tokens, c.output_tokens,
    c.with_tokens, c.cost_nano, c.with_cost, c.saved_tokens, c.saved_nano
  FROM slot_total AS c
  WHERE c.bucket = ANY (@buckets::text[])
  UNION ALL
  SELECT f.repository, f.job, f.adapter, f.model, f.iteration, f.answered, f.errors, f.interrupted, f.skipped, f.accepted,
    f.out_of_diff, f.below_threshold, f.previously_skipped, f.remembered_skip, f.malformed, f.merged,
    f.outside_verify, f.reopened, f.verified, f.carried, f.input_tokens, f.cached_tokens, f.output_tokens,
    f.with_tokens, f.cost_nano, f.with_cost, f.saved_tokens, f.saved_nano
  FROM slot_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
  UNION ALL
  SELECT f.repository, f.job, f.adapter, f.model, f.iteration, f.answered, f.errors, f.interrupted, f.skipped, f.accepted,
    f.out_of_diff, f.below_threshold, f.previously_skipped, f.remembered_skip, f.malformed, f.merged,
    f.outside_verify, f.reopened, f.verified, f.carried, f.input_tokens, f.cached_tokens, f.output_tokens,
    f.with_tokens, f.cost_nano, f.with_cost, f.saved_tokens, f.saved_nano
  FROM slot_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
) AS t
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR t.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR t.adapter = @adapter::text)
  AND (@model::text = '' OR t.model = @model::text)
GROUP BY 1, 2, 3, 4
HAVING sum(t.answered + t.errors + t.interrupted + t.skipped) > 0;

-- name: TimesOfSlots :many
SELECT t.adapter, t.model, t.took_ms, sum(t.slots)::bigint AS slots
FROM (
  SELECT c.repository, c.job, c.adapter, c.model, c.took_ms, c.slots
  FROM slot_time AS c
  WHERE c.bucket = ANY (@buckets::text[])
  UNION ALL
  SELECT f.repository, f.job, f.adapter, f.model, f.took_ms, 1
  FROM slot_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text)) AND f.answered = 1
  UNION ALL
  SELECT f.repository, f.job, f.adapter, f.model, f.took_ms, 1
  FROM slot_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz AND f.answered = 1
) AS t
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR t.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR t.adapter = @adapter::text)
  AND (@model::text = '' OR t.model = @model::text)
GROUP BY 1, 2, 3
HAVING sum(t.slots) > 0;

-- name: TotalsOfChecks :many
SELECT t.job, t.passed, t.took_ms, sum(t.executions)::bigint AS executions
FROM (
  SELECT c.repository, c.job, c.passed, c.took_ms, c.executions
  FROM check_total AS c
  WHERE c.bucket = ANY (@buckets::text[])
  UNION ALL
  SELECT f.repository, f.job, f.passed, f.took_ms, 1
  FROM check_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
  UNION ALL
  SELECT f.repository, f.job, f.passed, f.took_ms, 1
  FROM check_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
) AS t
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR t.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
GROUP BY 1, 2, 3
HAVING sum(t.executions) > 0;

-- Executions of checks by week since Monday, 1 January 2001, from days, whose buckets begin with
-- within, and from the rows at the edges of the period.
-- name: ChecksByWeek :many
SELECT ((t.day::date - date '2001-01-01') / 7)::bigint AS week, t.job, t.passed, t.took_ms, sum(t.executions)::bigint AS executions
FROM (
  SELECT substr(c.bucket, length(@within::text) + 1) AS day, c.repository, c.job, c.passed, c.took_ms, c.executions
  FROM check_total AS c
  WHERE c.bucket = ANY (@days::text[])
  UNION ALL
  SELECT day_of(f.at), f.repository, f.job, f.passed, f.took_ms, 1
  FROM check_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
  UNION ALL
  SELECT day_of(f.at), f.repository, f.job, f.passed, f.took_ms, 1
  FROM check_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
) AS t
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR t.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
GROUP BY 1, 2, 3, 4
HAVING sum(t.executions) > 0;

-- What slots cost by week or day: totals of the buckets of either, which begin with within, and
-- the rows of the edges.
-- name: CostsByBucket :many
SELECT t.bucket::text AS bucket, sum(t.cost_nano)::bigint AS cost_nano, sum(t.with_cost)::bigint AS with_cost, sum(t.calls)::bigint AS calls
FROM (
  SELECT substr(c.bucket, length(@within::text) + 1) AS bucket, c.repository, c.job, c.adapter, c.model, c.cost_nano, c.with_cost, c.calls
  FROM cost_total AS c
  WHERE c.bucket = ANY (@weeks::text[])
  UNION ALL
  SELECT substr(c.bucket, length(@within::text) + 1), c.repository, c.job, c.adapter, c.model, c.cost_nano, c.with_cost, c.answered + c.errors
  FROM slot_total AS c
  WHERE c.bucket = ANY (@days::text[])
  UNION ALL
  SELECT day_of(f.at), f.repository, f.job, f.adapter, f.model, f.cost_nano, f.with_cost, f.answered + f.errors
  FROM slot_fact AS f
  WHERE in_edges(f.at, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = f.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
  UNION ALL
  SELECT day_of(f.at), f.repository, f.job, f.adapter, f.model, f.cost_nano, f.with_cost, f.answered + f.errors
  FROM slot_fact AS f
  WHERE f.run = ANY (@runs::text[]) AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
) AS t
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR t.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR t.adapter = @adapter::text)
  AND (@model::text = '' OR t.model = @model::text)
GROUP BY 1;

-- name: EventsByBucket :many
SELECT substr(c.bucket, length(@within::text) + 1)::text AS bucket, c.status, sum(c.violations)::bigint AS violations
FROM event_total AS c
WHERE c.bucket >= @within::text || @first_bucket::text AND c.bucket <= @within::text || @last_bucket::text
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR c.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR c.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR c.adapter = @adapter::text)
  AND (@model::text = '' OR c.model = @model::text)
GROUP BY 1, 2;

-- How many violations had events in a period that lies in one week. Its days are read from
-- totals, and parts of days from events: they are added, or taken away from a day that was
-- counted as a whole. So violations that had an event on several days would be counted several
-- times; such an event is marked, and what they were counted too often is taken away.
-- Where the filter asks for something of theirs, the violations of the runs that had events are
-- looked through, for they lie together; those few of which an event is marked are looked up.
-- name: EventsInPeriod :many
WITH said AS MATERIALIZED (
  SELECT e.run, e.violation, e.status, CASE
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[1:1], (@parts_until::timestamptz[])[1:1]) THEN (@signs::bigint[])[1]
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[2:2], (@parts_until::timestamptz[])[2:2]) THEN (@signs::bigint[])[2]
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[3:3], (@parts_until::timestamptz[])[3:3]) THEN (@signs::bigint[])[3]
    ELSE (@signs::bigint[])[4] END AS sign
  FROM event AS e
  WHERE e.status = ANY (@statuses::text[]) AND in_edges(e.at, @parts_since::timestamptz[], @parts_until::timestamptz[])
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = e.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
), again AS MATERIALIZED (
  SELECT DISTINCT e.violation, e.status
  FROM event AS e
  WHERE e.again AND e.at >= @wide_since::timestamptz AND e.at < @wide_until::timestamptz AND e.status = ANY (@statuses::text[])
    AND (sqlc.narg(repositories)::bigint[] IS NULL AND sqlc.narg(jobs)::text[] IS NULL AND @adapter::text = '' AND @model::text = ''
      OR EXISTS (
        SELECT 1 FROM violation_fact AS f
        WHERE f.violation = e.violation
          AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
          AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
          AND (@adapter::text = '' OR f.adapter = @adapter::text)
          AND (@model::text = '' OR f.model = @model::text)))
    AND (@within::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = e.run AND u.branch = substr(@within::text, 2, length(@within::text) - 2) AND counted_branch(u.branch, u.base_ref) = @within::text))
), kept AS (
  SELECT f.violation FROM violation_fact AS f
  WHERE f.run = ANY (ARRAY(SELECT DISTINCT s.run FROM said AS s))
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
    AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR f.adapter = @adapter::text)
    AND (@model::text = '' OR f.model = @model::text)
)
SELECT t.status, sum(t.violations)::bigint AS violations
FROM (
  SELECT c.status, sum(c.violations) AS violations
  FROM event_total AS c
  WHERE c.bucket = ANY (SELECT @within::text || d.day FROM unnest(@days::text[]) AS d (day)) AND c.status = ANY (@statuses::text[])
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR c.repository = ANY (sqlc.narg(repositories)::bigint[]))
    AND (sqlc.narg(jobs)::text[] IS NULL OR c.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR c.adapter = @adapter::text)
    AND (@model::text = '' OR c.model = @model::text)
  GROUP BY 1
  UNION ALL
  SELECT s.status, sum(s.sign)
  FROM said AS s
  WHERE sqlc.narg(repositories)::bigint[] IS NULL AND sqlc.narg(jobs)::text[] IS NULL AND @adapter::text = '' AND @model::text = ''
    OR s.violation IN (SELECT k.violation FROM kept AS k)
  GROUP BY 1
  UNION ALL
  SELECT a.status, sum(o.once - o.days - o.parts)
  FROM again AS a
  CROSS JOIN LATERAL (
    SELECT coalesce(max(CASE WHEN e.at >= @since::timestamptz AND e.at < @until::timestamptz THEN 1 ELSE 0 END), 0) AS once,
      count(DISTINCT day_of(e.at)) FILTER (WHERE day_of(e.at) = ANY (@days::text[])) AS days,
      coalesce(sum((SELECT sum(p.sign) FROM (SELECT unnest(@parts_since::timestamptz[]) AS since, unnest(@parts_until::timestamptz[]) AS until,
        unnest(@signs::bigint[]) AS sign) AS p WHERE e.at >= p.since AND e.at < p.until)), 0) AS parts
    FROM event AS e
    WHERE e.violation = a.violation AND e.status || '' = a.status AND e.at >= @wide_since::timestamptz AND e.at < @wide_until::timestamptz
  ) AS o
  GROUP BY 1
) AS t
GROUP BY 1
HAVING sum(t.violations) <> 0;

-- name: EventsOfRuns :many
SELECT (CASE @unit::text WHEN 'week' THEN week_of(e.at) ELSE day_of(e.at) END)::text AS start, e.status, count(DISTINCT e.violation) AS violations
FROM event AS e
JOIN violation_fact AS f ON f.violation = e.violation
WHERE e.run = ANY (@runs::text[])
  AND e.at >= @since::timestamptz AND e.at < @until::timestamptz
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR f.adapter = @adapter::text)
  AND (@model::text = '' OR f.model = @model::text)
GROUP BY 1, 2;

-- name: FirstEvent :one
SELECT coalesce(min(o.at), '0001-01-01 00:00:00Z')::timestamptz AS at
FROM (SELECT unnest(@statuses::text[]) AS status) AS word
CROSS JOIN LATERAL (SELECT min(e.at) AS at FROM event AS e WHERE e.status = word.status) AS o;

-- name: FirstRun :one
SELECT coalesce(min(r.started_at), '0001-01-01 00:00:00Z')::timestamptz AS at FROM run AS r;

-- Runs of gates, counted by what they have in common, with days since 1 January 2001; and, of
-- those that passed, by how long they took: these rows are timed. OFFSET keeps the times from
-- being computed once for each limit of three_digits.
-- name: StatisticsOfRuns :many
SELECT (GROUPING(r.took_ms) = 0)::boolean AS timed, coalesce(r.took_ms, 0)::bigint AS took_ms, coalesce(r.status, '')::text AS status,
  coalesce(r.iterations, 0)::bigint AS iterations, coalesce(r.day, 0)::integer AS day, coalesce(r.branch, '')::text AS branch, count(*) AS runs
FROM (
  SELECT m.status, m.iterations, m.day, m.branch, three_digits(m.took_us / 1000) AS took_ms
  FROM (
    SELECT u.status, u.iterations, (u.started_at AT TIME ZONE 'UTC')::date - date '2001-01-01' AS day,
      CASE WHEN @branches::boolean THEN coalesce(u.branch, '') ELSE '' END AS branch,
      CASE WHEN u.status = ANY (@passes::text[])
        THEN round(date_part('epoch', u.finished_at - u.started_at) * 1000000)::bigint END AS took_us
    FROM run AS u
    WHERE u.kind = 'gates' AND u.started_at >= @since::timestamptz AND u.started_at < @until::timestamptz
      AND (sqlc.narg(repositories)::bigint[] IS NULL OR u.repository = ANY (sqlc.narg(repositories)::bigint[]))
      AND (@run::text = '' OR u.id = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
      AND (sqlc.narg(jobs)::text[] IS NULL OR u.jobs && sqlc.narg(jobs)::text[])
      AND (@adapter::text = '' OR @adapter::text = ANY (u.adapters))
    OFFSET 0
  ) AS m
) AS r
GROUP BY GROUPING SETS ((r.status, r.iterations, r.day, r.branch), (r.took_ms))
HAVING GROUPING(r.took_ms) = 1 OR r.took_ms IS NOT NULL;

-- From the days that lie in the period as a whole, and from the violations at its edges.
-- name: ViolationsByBranch :many
SELECT coalesce(u.branch, '')::text AS branch, t.status, sum(t.violations)::bigint AS violations
FROM (
  SELECT c.run, c.status, sum(c.violations) AS violations
  FROM run_total AS c
  WHERE c.day >= @first_day::text AND c.day < @last_day::text
    AND (sqlc.narg(jobs)::text[] IS NULL OR c.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR c.adapter = @adapter::text)
    AND (@model::text = '' OR c.model = @model::text)
    AND (@run::text = '' OR c.run = @run::text)
  GROUP BY 1, 2
  UNION ALL
  SELECT v.run, v.shown, count(*)
  FROM violation AS v
  WHERE in_edges(v.first_seen, @edges_since::timestamptz[], @edges_until::timestamptz[])
    AND (sqlc.narg(jobs)::text[] IS NULL OR v.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR v.adapter = @adapter::text)
    AND (@model::text = '' OR v.model = @model::text)
    AND (@run::text = '' OR v.run = @run::text)
  GROUP BY 1, 2
) AS t
JOIN run AS u ON u.id = t.run
WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR u.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (@branch::text = '' OR u.branch = @branch::text)
GROUP BY 1, 2
HAVING sum(t.violations) > 0;

-- name: TopFiles :many
SELECT c.* FROM file_total AS c
WHERE c.violations > 0
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR c.repository = ANY (sqlc.narg(repositories)::bigint[]))
ORDER BY c.violations DESC, c.file, (SELECT CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END FROM repository AS p WHERE p.id = c.repository)
LIMIT sqlc.narg(at_most)::bigint;

-- Whether more violations were reported in a period, on a branch if one is given, than so many.
-- name: ReportsMore :one
SELECT EXISTS (
  SELECT 1 FROM violation AS v
  WHERE v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
    AND (@branch::text = '' OR v.branch = @branch::text)
  ORDER BY v.first_seen LIMIT 1 OFFSET @newest::bigint) AS more;

-- The files of the violations of a period, or only of so many of the newest.
-- name: TopFilesOf :many
SELECT g.repository, g.file, g.violations, g.open, g.abandoned, g.claimed, g.verified, g.skipped, g.in_fix_lines
FROM (
  SELECT f.repository, f.file, count(*) AS violations, count(*) FILTER (WHERE f.open) AS open,
    count(*) FILTER (WHERE f.abandoned) AS abandoned, count(*) FILTER (WHERE f.claimed) AS claimed,
    count(*) FILTER (WHERE f.verified) AS verified, count(*) FILTER (WHERE f.skipped) AS skipped,
    count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines
  FROM (
    SELECT n.* FROM (
      SELECT x.* FROM file_fact AS x
      WHERE x.at >= @since::timestamptz AND x.at < @until::timestamptz AND (@branch::text = '' OR x.branch = @branch::text)
      ORDER BY x.at DESC
      LIMIT sqlc.narg(newest)::bigint
    ) AS n
    WHERE sqlc.narg(newest)::bigint IS NOT NULL
    UNION ALL
    SELECT x.* FROM file_fact AS x
    WHERE sqlc.narg(newest)::bigint IS NULL AND x.at >= @since::timestamptz AND x.at < @until::timestamptz
      AND (@run::text = '' OR x.run = @run::text) AND (@branch::text = '' OR x.branch = @branch::text)
  ) AS f
  WHERE (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
    AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR f.adapter = @adapter::text)
    AND (@model::text = '' OR f.model = @model::text)
  GROUP BY 1, 2
) AS g
JOIN repository AS p ON p.id = g.repository
ORDER BY g.violations DESC, g.file, CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END
LIMIT sqlc.narg(at_most)::bigint;

-- name: CountsOfFiles :many
SELECT w.number::integer AS number, n.violations, n.open, n.abandoned, n.claimed, n.verified, n.skipped, n.in_fix_lines
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@files::text[]) AS file, generate_subscripts(@files::text[], 1) AS number) AS w
CROSS JOIN LATERAL (
  SELECT count(*) AS violations, count(*) FILTER (WHERE f.open) AS open,
    count(*) FILTER (WHERE f.abandoned) AS abandoned, count(*) FILTER (WHERE f.claimed) AS claimed,
    count(*) FILTER (WHERE f.verified) AS verified, count(*) FILTER (WHERE f.skipped) AS skipped,
    count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines
  FROM file_fact AS f
  WHERE f.repository = w.repository AND f.file = w.file
    AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR f.adapter = @adapter::text)
    AND (@model::text = '' OR f.model = @model::text)
    AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
    AND (@run::text = '' OR f.run = @run::text) AND (@branch::text = '' OR f.branch = @branch::text)
) AS n
WHERE n.violations > 0;

-- name: DetailsOfFiles :many
SELECT w.number::integer AS number, n.violations, n.open, n.abandoned, n.claimed, n.verified, n.skipped, n.in_fix_lines, n.runs, n.reopened
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@files::text[]) AS file, generate_subscripts(@files::text[], 1) AS number) AS w
CROSS JOIN LATERAL (
  SELECT count(*) AS violations, count(*) FILTER (WHERE f.open) AS open,
    count(*) FILTER (WHERE f.abandoned) AS abandoned, count(*) FILTER (WHERE f.claimed) AS claimed,
    count(*) FILTER (WHERE f.verified) AS verified, count(*) FILTER (WHERE f.skipped) AS skipped,
    count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines,
    count(DISTINCT f.run) AS runs, count(*) FILTER (WHERE f.reopened) AS reopened
  FROM file_fact AS f
  WHERE f.repository = w.repository AND f.file = w.file
    AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR f.adapter = @adapter::text)
    AND (@model::text = '' OR f.model = @model::text)
    AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
    AND (@run::text = '' OR f.run = @run::text) AND (@branch::text = '' OR f.branch = @branch::text)
) AS n
WHERE n.violations > 0;

-- name: DaysOfFiles :many
SELECT w.number::integer AS number, to_char(n.day, 'YYYY-MM-DD') AS day, n.violations
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@files::text[]) AS file, generate_subscripts(@files::text[], 1) AS number) AS w
CROSS JOIN LATERAL (
  SELECT (f.at AT TIME ZONE 'UTC')::date AS day, count(*) AS violations
  FROM file_fact AS f
  WHERE f.repository = w.repository AND f.file = w.file
    AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
    AND (@adapter::text = '' OR f.adapter = @adapter::text)
    AND (@model::text = '' OR f.model = @model::text)
    AND f.at >= @since::timestamptz AND f.at < @until::timestamptz
    AND (@run::text = '' OR f.run = @run::text) AND (@branch::text = '' OR f.branch = @branch::text)
  GROUP BY 1
) AS n;

-- name: TopLines :many
SELECT c.fingerprint, c.repository, c.runs, c.violations, c.open
FROM recurring_line AS c
WHERE c.runs > 1 AND (sqlc.narg(repositories)::bigint[] IS NULL OR c.repository = ANY (sqlc.narg(repositories)::bigint[]))
ORDER BY c.runs DESC, c.fingerprint, (SELECT CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END FROM repository AS p WHERE p.id = c.repository)
LIMIT sqlc.narg(at_most)::bigint;

-- The lines that recur among the violations of a period, or only among so many of the newest.
-- name: TopLinesOf :many
SELECT f.fingerprint::text AS fingerprint, f.repository, count(DISTINCT f.run) AS runs, count(*) AS violations,
  count(*) FILTER (WHERE f.open AND NOT f.abandoned) AS open
FROM (
  SELECT n.* FROM (
    SELECT x.* FROM violation AS x
    WHERE x.first_seen >= @since::timestamptz AND x.first_seen < @until::timestamptz
      AND (@branch::text = '' OR x.branch = @branch::text)
    ORDER BY x.first_seen DESC
    LIMIT sqlc.narg(newest)::bigint
  ) AS n
  WHERE sqlc.narg(newest)::bigint IS NOT NULL
  UNION ALL
  SELECT x.* FROM violation AS x
  WHERE sqlc.narg(newest)::bigint IS NULL AND x.first_seen >= @since::timestamptz AND x.first_seen < @until::timestamptz
    AND (@run::text = '' OR x.run = @run::text) AND (@branch::text = '' OR x.branch = @branch::text)
) AS f
WHERE f.recurring
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR f.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR f.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR f.adapter = @adapter::text)
  AND (@model::text = '' OR f.model = @model::text)
GROUP BY 1, 2
HAVING count(DISTINCT f.run) > 1
ORDER BY 3 DESC, 1, (SELECT CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END FROM repository AS p WHERE p.id = f.repository)
LIMIT sqlc.narg(at_most)::bigint;

-- How often lines recur in a period. All violations of such a line are marked.
-- name: CountsOfLines :many
SELECT w.number::integer AS number, count(DISTINCT v.run) AS runs, count(*) AS violations,
  count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@fingerprints::text[]) AS fingerprint, generate_subscripts(@fingerprints::text[], 1) AS number) AS w
JOIN violation AS v ON v.fingerprint = w.fingerprint AND v.repository = w.repository AND v.recurring
WHERE v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
  AND (sqlc.narg(jobs)::text[] IS NULL OR v.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@adapter::text = '' OR v.adapter = @adapter::text)
  AND (@model::text = '' OR v.model = @model::text)
  AND (@run::text = '' OR v.run = @run::text) AND (@branch::text = '' OR v.branch = @branch::text)
GROUP BY 1;

-- The latest violation of lines: first by the index alone, for a planner takes all lines for
-- rare ones, and would sort the violations.
-- name: LatestOfLines :many
SELECT w.number::integer AS number, n.short_id, n.file, n.issue, n.line_start, n.job
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@fingerprints::text[]) AS fingerprint, generate_subscripts(@fingerprints::text[], 1) AS number) AS w
CROSS JOIN LATERAL (
  SELECT v.first_seen, v.run FROM violation AS v
  WHERE v.fingerprint = w.fingerprint AND v.repository = w.repository
  ORDER BY v.first_seen DESC, v.run DESC
  LIMIT 1
) AS latest
CROSS JOIN LATERAL (
  SELECT v.short_id, v.file, v.issue, v.line_start, v.job FROM violation AS v
  WHERE v.fingerprint = w.fingerprint AND v.repository = w.repository AND v.first_seen = latest.first_seen AND v.run = latest.run
  ORDER BY v.number DESC
  LIMIT 1
) AS n;

-- Who answered where, and what of each adapter's violations there another one reported,
-- too.
-- name: OverlapOfRuns :many
WITH said AS MATERIALIZED (
  SELECT v.run || ' ' || v.job AS place, v.adapter, v.run || ' ' || v.job || ' ' || v.fingerprint AS line, count(*) FILTER (
    WHERE v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
      AND (sqlc.narg(jobs)::text[] IS NULL OR v.job = ANY (sqlc.narg(jobs)::text[]))
      AND (@adapter::text = '' OR v.adapter = @adapter::text)
      AND (@model::text = '' OR v.model = @model::text)) AS violations
  FROM violation AS v WHERE v.run = ANY (@runs::text[])
  GROUP BY 1, 2, 3
)
SELECT v.adapter, a.adapter AS other, sum(v.violations)::bigint AS violations,
  coalesce(sum(v.violations) FILTER (WHERE o.line IS NOT NULL), 0)::bigint AS shared
FROM said AS v
JOIN (
  SELECT DISTINCT s.run || ' ' || s.job AS place, s.adapter FROM slot AS s WHERE s.run = ANY (@runs::text[]) AND s.status IN ('pass', 'fail')
) AS a ON a.place = v.place AND a.adapter <> v.adapter
LEFT JOIN said AS o ON o.line = v.line AND o.adapter = a.adapter
WHERE v.violations > 0
GROUP BY 1, 2;

-- name: NewestRuns :many
SELECT r.id FROM run AS r
WHERE r.started_at >= @since::timestamptz AND r.started_at < @until::timestamptz
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR r.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (@run::text = '' OR r.id = @run::text) AND (@branch::text = '' OR r.branch = @branch::text)
ORDER BY r.started_at DESC, r.id DESC
LIMIT @at_most::bigint;

-- name: LatestChecks :many
SELECT w.job::text AS job, n.run, n.iteration, n.status, n.started_at
FROM (SELECT unnest(@jobs::text[]) AS job) AS w
CROSS JOIN LATERAL (
  SELECT g.run, g.iteration, g.status, i.started_at
  FROM gate AS g
  JOIN iteration AS i ON i.run = g.run AND i.number = g.iteration
  JOIN run AS u ON u.id = g.run
  WHERE g.job = w.job AND g.status IN ('passed', 'failed', 'error')
    AND i.started_at >= @since::timestamptz AND i.started_at < @until::timestamptz
    AND (sqlc.narg(repositories)::bigint[] IS NULL OR u.repository = ANY (sqlc.narg(repositories)::bigint[]))
    AND (@run::text = '' OR g.run = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
  ORDER BY g.started_at DESC NULLS LAST, g.run DESC, g.iteration DESC
  LIMIT 30
) AS n;

-- name: FlakyChecks :many
SELECT o.job, o.tree::text AS tree, o.run, coalesce(u.branch, '')::text AS branch, o.iteration, o.status, o.at
FROM flaky_tree AS t
JOIN check_outcome AS o ON o.tree = t.tree AND o.job = t.job
JOIN run AS u ON u.id = o.run
WHERE o.at >= @since::timestamptz AND o.at < @until::timestamptz
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR u.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (sqlc.narg(jobs)::text[] IS NULL OR t.job = ANY (sqlc.narg(jobs)::text[]))
  AND (@run::text = '' OR o.run = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
ORDER BY o.job, o.tree, o.at, o.run, o.iteration;

-- name: ListVerdicts :many
SELECT d.*
FROM verdict AS d
JOIN run AS u ON u.id = d.run
WHERE d.at >= @since::timestamptz AND d.at < @until::timestamptz
  AND (sqlc.narg(repositories)::bigint[] IS NULL OR u.repository = ANY (sqlc.narg(repositories)::bigint[]))
  AND (@run::text = '' OR d.run = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
ORDER BY d.at DESC, d.run DESC, d.iteration DESC;

-- What totals of a branch begin with; empty: there are none. Whole is whether all its runs
-- are in them: that is so by its name.
-- name: CountedBranch :one
SELECT coalesce(counted_branch(@branch::text, ''), (
    SELECT counted_branch(r.branch, r.base_ref) FROM run AS r
    WHERE r.branch = @branch::text AND counted_branch(r.branch, r.base_ref) IS NOT NULL LIMIT 1), '')::text AS within,
  (counted_branch(@branch::text, '') IS NOT NULL)::boolean AS whole;

-- The runs of a scope that have no totals of their branch, or that are meant alone.
-- name: RunsOfScope :many
SELECT r.id FROM run AS r
WHERE (@run::text = '' OR r.id = @run::text)
  AND (@branch::text = '' OR r.branch = @branch::text)
  AND (@run::text <> '' OR counted_branch(r.branch, r.base_ref) IS NULL)
ORDER BY r.started_at DESC;

-- Calls in which reviewers were asked once more. Empty texts leave nothing out.
-- name: RepairsOfReviewers :many
SELECT s.adapter, coalesce(s.model, 'unknown') AS model, sum(s.repairs)::bigint AS repairs
FROM slot AS s
JOIN run AS u ON u.id = s.run
WHERE s.repairs > 0 AND s.ended_at >= @since::timestamptz AND s.ended_at < @until::timestamptz
  AND among(s.job, sqlc.narg(jobs)::text[]) AND among(u.repository, sqlc.narg(repositories)::bigint[])
  AND (@run::text = '' OR u.id = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
  AND (@adapter::text = '' OR s.adapter = @adapter::text)
  AND (@model::text = '' OR coalesce(s.model, 'unknown') = @model::text)
GROUP BY 1, 2
ORDER BY 1, 2;
