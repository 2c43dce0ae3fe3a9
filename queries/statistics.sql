-- What statistics are made of. A period is read from the buckets that lie in it as a whole,
-- and from the rows themselves at its edges: [since, until] pairs in JSON, or [since, until,
-- sign], where the rows of sign -1 lie in a bucket, but not in the period. Where only some
-- runs are meant, their rows are read, and no bucket. A list in JSON that is null leaves
-- nothing out, as an empty text does.

-- name: TotalsOfViolations :many
SELECT t.job_id, t.adapter, t.model, t.iteration, t.priority, t.status, t.reason, t.shared, t.in_fix_lines, t.recurring,
  CAST(sum(t.violations) AS INTEGER) AS violations
FROM (
  SELECT c.repository_id, c.job_id, c.adapter, c.model, c.iteration, c.priority, c.status, c.reason, c.shared, c.in_fix_lines, c.recurring, c.violations
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN violation_totals AS c ON c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring, part.sign
  FROM ( -- rows that lie beside each other are read one after the other
    SELECT x.id, json_extract(edge.value, '$[2]') AS sign
    FROM json_each(CAST(@edges AS TEXT)) AS edge
    CROSS JOIN violations AS x INDEXED BY violations_by_first_seen
      ON x.first_seen >= json_extract(edge.value, '$[0]') AND x.first_seen < json_extract(edge.value, '$[1]')
    ORDER BY x.id
    LIMIT -1
  ) AS part
  CROSS JOIN violation_facts AS f ON f.violation_id = part.id
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring, 1
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN violation_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT)
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR t.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR t.model = CAST(@model AS TEXT))
GROUP BY t.job_id, t.adapter, t.model, t.iteration, t.priority, t.status, t.reason, t.shared, t.in_fix_lines, t.recurring
HAVING sum(t.violations) > 0;

-- name: TotalsOfSlots :many
SELECT t.job_id, t.adapter, t.model, t.iteration,
  CAST(sum(t.answered) AS INTEGER) AS answered,
  CAST(sum(t.errors) AS INTEGER) AS errors,
  CAST(sum(t.interrupted) AS INTEGER) AS interrupted,
  CAST(sum(t.skipped) AS INTEGER) AS skipped,
  CAST(sum(t.accepted) AS INTEGER) AS accepted,
  CAST(sum(t.out_of_diff) AS INTEGER) AS out_of_diff,
  CAST(sum(t.below_threshold) AS INTEGER) AS below_threshold,
  CAST(sum(t.previously_skipped) AS INTEGER) AS previously_skipped,
  CAST(sum(t.remembered_skip) AS INTEGER) AS remembered_skip,
  CAST(sum(t.malformed) AS INTEGER) AS malformed,
  CAST(sum(t.merged) AS INTEGER) AS merged,
  CAST(sum(t.outside_verify) AS INTEGER) AS outside_verify,
  CAST(sum(t.reopened) AS INTEGER) AS reopened,
  CAST(sum(t.verified) AS INTEGER) AS verified,
  CAST(sum(t.carried) AS INTEGER) AS carried,
  CAST(sum(t.input_tokens) AS INTEGER) AS input_tokens,
  CAST(sum(t.cached_tokens) AS INTEGER) AS cached_tokens,
  CAST(sum(t.output_tokens) AS INTEGER) AS output_tokens,
  CAST(sum(t.with_tokens) AS INTEGER) AS with_tokens,
  CAST(sum(t.cost_nano) AS INTEGER) AS cost_nano,
  CAST(sum(t.with_cost) AS INTEGER) AS with_cost,
  CAST(sum(t.saved_tokens) AS INTEGER) AS saved_tokens,
  CAST(sum(t.saved_nano) AS INTEGER) AS saved_nano
FROM (
  SELECT c.repository_id, c.job_id, c.adapter, c.model, c.iteration, c.answered, c.errors, c.interrupted, c.skipped,
    c.accepted, c.out_of_diff, c.below_threshold, c.previously_skipped, c.remembered_skip, c.malformed, c.merged,
    c.outside_verify, c.reopened, c.verified, c.carried, c.input_tokens, c.cached_tokens, c.output_tokens, c.with_tokens,
    c.cost_nano, c.with_cost, c.saved_tokens, c.saved_nano
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN slot_totals AS c ON c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.answered * part.sign, f.errors * part.sign, f.interrupted * part.sign, f.skipped * part.sign,
    f.accepted * part.sign, f.out_of_diff * part.sign, f.below_threshold * part.sign, f.previously_skipped * part.sign, f.remembered_skip * part.sign, f.malformed * part.sign, f.merged * part.sign,
    f.outside_verify * part.sign, f.reopened * part.sign, f.verified * part.sign, f.carried * part.sign, f.input_tokens * part.sign, f.cached_tokens * part.sign, f.output_tokens * part.sign, f.with_tokens * part.sign,
    f.cost_nano * part.sign, f.with_cost * part.sign, f.saved_tokens * part.sign, f.saved_nano * part.sign
  FROM (
    SELECT json_extract(edge.value, '$[0]') AS since, json_extract(edge.value, '$[1]') AS until, json_extract(edge.value, '$[2]') AS sign
    FROM json_each(CAST(@edges AS TEXT)) AS edge
  ) AS part
  CROSS JOIN slot_facts AS f ON f.at >= part.since AND f.at < part.until
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.answered, f.errors, f.interrupted, f.skipped,
    f.accepted, f.out_of_diff, f.below_threshold, f.previously_skipped, f.remembered_skip, f.malformed, f.merged,
    f.outside_verify, f.reopened, f.verified, f.carried, f.input_tokens, f.cached_tokens, f.output_tokens, f.with_tokens,
    f.cost_nano, f.with_cost, f.saved_tokens, f.saved_nano
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN slot_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT)
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR t.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR t.model = CAST(@model AS TEXT))
GROUP BY t.job_id, t.adapter, t.model, t.iteration
HAVING sum(t.answered + t.errors + t.interrupted + t.skipped) > 0;

-- name: TimesOfSlots :many
SELECT t.adapter, t.model, t.took_ms, CAST(sum(t.slots) AS INTEGER) AS slots
FROM (
  SELECT c.repository_id, c.job_id, c.adapter, c.model, c.took_ms, c.slots
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN slot_times AS c ON c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.took_ms, json_extract(edge.value, '$[2]')
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN slot_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]') AND f.answered = 1
  UNION ALL
  SELECT f.repository_id, f.job_id, f.adapter, f.model, f.took_ms, 1
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN slot_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT) AND f.answered = 1
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR t.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR t.model = CAST(@model AS TEXT))
GROUP BY t.adapter, t.model, t.took_ms
HAVING sum(t.slots) > 0;

-- name: TotalsOfChecks :many
SELECT t.job_id, t.passed, t.took_ms, CAST(sum(t.executions) AS INTEGER) AS executions
FROM (
  SELECT c.repository_id, c.job_id, c.passed, c.took_ms, c.executions
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN check_totals AS c ON c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, f.job_id, f.passed, f.took_ms, json_extract(edge.value, '$[2]')
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN check_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]')
  UNION ALL
  SELECT f.repository_id, f.job_id, f.passed, f.took_ms, 1
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN check_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT)
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
GROUP BY t.job_id, t.passed, t.took_ms
HAVING sum(t.executions) > 0;

-- Executions of checks by week, from the days that lie in the period as a whole and from
-- the rows at its edges.
-- name: ChecksByWeek :many
SELECT CAST(date(t.day, '-6 days', 'weekday 1') AS TEXT) AS start, t.job_id, t.passed, t.took_ms, CAST(sum(t.executions) AS INTEGER) AS executions
FROM (
  SELECT c.bucket AS day, c.repository_id, c.job_id, c.passed, c.took_ms, c.executions
  FROM check_totals AS c
  WHERE c.bucket >= CAST(@first_day AS TEXT) AND c.bucket < CAST(@last_day AS TEXT) AND length(c.bucket) = 10
  UNION ALL
  SELECT substr(f.at, 1, 10), f.repository_id, f.job_id, f.passed, f.took_ms, 1
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN check_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]')
  UNION ALL
  SELECT substr(f.at, 1, 10), f.repository_id, f.job_id, f.passed, f.took_ms, 1
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN check_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT)
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
GROUP BY 1, t.job_id, t.passed, t.took_ms
HAVING sum(t.executions) > 0;

-- What slots cost by day. The edges are read apart: they are one part of a day each.
-- name: CostByDay :many
SELECT t.day, CAST(sum(t.cost_nano) AS INTEGER) AS cost_nano, CAST(sum(t.with_cost) AS INTEGER) AS with_cost,
  CAST(sum(t.calls) AS INTEGER) AS calls
FROM (
  SELECT c.bucket AS day, c.repository_id, c.job_id, c.adapter, c.model, c.cost_nano, c.with_cost, c.answered + c.errors AS calls
  FROM slot_totals AS c
  WHERE c.bucket >= CAST(@first_day AS TEXT) AND c.bucket < CAST(@last_day AS TEXT) AND length(c.bucket) = 10
  UNION ALL
  SELECT substr(f.at, 1, 10), f.repository_id, f.job_id, f.adapter, f.model, f.cost_nano, f.with_cost, f.answered + f.errors
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN slot_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]')
  UNION ALL
  SELECT substr(f.at, 1, 10), f.repository_id, f.job_id, f.adapter, f.model, f.cost_nano, f.with_cost, f.answered + f.errors
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN slot_facts AS f ON f.run_id = chosen.value AND +f.at >= CAST(@since AS TEXT) AND +f.at < CAST(@until AS TEXT)
) AS t
WHERE (CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR t.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR t.model = CAST(@model AS TEXT))
GROUP BY t.day;

-- name: EventsByBucket :many
SELECT c.bucket, c.status, CAST(sum(c.violations) AS INTEGER) AS violations
FROM event_totals AS c
WHERE c.bucket >= CAST(@first_bucket AS TEXT) AND c.bucket <= CAST(@last_bucket AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
GROUP BY c.bucket, c.status;

-- How many violations had events in a period that lies in one week. Its whole days are read
-- from totals where no violation has the same event on several days of the week: the days of
-- the week then add up to the week. The others are counted in the index alone where no
-- violation has the same event twice on these days.
-- name: EventsInPeriod :many
SELECT days.status, CAST(CASE days.again WHEN 0 THEN days.whole ELSE 0 END + CASE
  WHEN days.again = 0 AND CAST(@repositories AS TEXT) = 'null' AND CAST(@jobs AS TEXT) = 'null' AND CAST(@adapter AS TEXT) = '' AND days.cut = (
    SELECT count(*)
    FROM json_each(CAST(@cut AS TEXT)) AS day
    CROSS JOIN events AS e INDEXED BY events_by_status
      ON e.status = days.status AND e.at >= day.value AND e.at < day.value || 'U')
  THEN (
    SELECT count(*)
    FROM json_each(CAST(@edges AS TEXT)) AS edge
    CROSS JOIN events AS e INDEXED BY events_by_status
      ON e.status = days.status AND e.at >= json_extract(edge.value, '$[0]') AND e.at < json_extract(edge.value, '$[1]'))
  ELSE (
    SELECT count(DISTINCT e.violation_id)
    FROM json_each(CASE days.again WHEN 0 THEN CAST(@edges AS TEXT) ELSE CAST(@period AS TEXT) END) AS edge
    CROSS JOIN events AS e INDEXED BY events_by_status
      ON e.status = days.status AND e.at >= json_extract(edge.value, '$[0]') AND e.at < json_extract(edge.value, '$[1]')
    WHERE CAST(@repositories AS TEXT) = 'null' AND CAST(@jobs AS TEXT) = 'null' AND CAST(@adapter AS TEXT) = '' OR EXISTS (
      SELECT 1 FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id
      WHERE v.id = e.violation_id
        AND (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
        AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
        AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))))
END AS INTEGER) AS violations
FROM (
  SELECT c.status, sum(CASE WHEN length(c.bucket) = 10 THEN c.violations ELSE -c.violations END) AS again,
    sum(CASE WHEN c.bucket >= CAST(@first_day AS TEXT) AND c.bucket < CAST(@last_day AS TEXT) THEN c.violations ELSE 0 END) AS whole,
    sum(CASE WHEN c.bucket IN (SELECT w.value FROM json_each(CAST(@cut AS TEXT)) AS w) THEN c.violations ELSE 0 END) AS cut
  FROM json_each(CAST(@week AS TEXT)) AS b
  CROSS JOIN event_totals AS c ON c.bucket = b.value
  WHERE (CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
    AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
    AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
  GROUP BY c.status
) AS days;

-- name: EventsOfRuns :many
SELECT CAST(CASE CAST(@unit AS TEXT) WHEN 'week' THEN date(e.at, '-6 days', 'weekday 1') ELSE substr(e.at, 1, 10) END AS TEXT) AS start,
  e.status, count(DISTINCT e.violation_id) AS violations
FROM json_each(CAST(@runs AS TEXT)) AS chosen
CROSS JOIN runs AS r ON r.id = chosen.value
CROSS JOIN violations AS f INDEXED BY violations_by_run ON f.run_id = r.id
CROSS JOIN events AS e INDEXED BY events_by_violation ON e.violation_id = f.id AND e.at >= CAST(@since AS TEXT) AND e.at < CAST(@until AS TEXT)
WHERE (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR f.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR f.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = f.id) = CAST(@model AS TEXT))
GROUP BY 1, 2;

-- The same by week, from totals of each run.
-- name: WeeksOfRuns :many
SELECT CAST(substr(c.bucket, -11) AS TEXT) AS bucket, c.status, CAST(sum(c.violations) AS INTEGER) AS violations
FROM json_each(CAST(@runs AS TEXT)) AS chosen
CROSS JOIN event_totals AS c
  ON c.bucket >= 'R' || chosen.value || CAST(@first_week AS TEXT) AND c.bucket <= 'R' || chosen.value || CAST(@last_week AS TEXT)
WHERE (CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
GROUP BY 1, 2;

-- Those of some runs of which violations had events in a week.
-- name: RunsOfWeek :many
SELECT CAST(chosen.value AS INTEGER) AS id
FROM json_each(CAST(@runs AS TEXT)) AS chosen
WHERE EXISTS (SELECT 1 FROM event_totals AS c WHERE c.bucket = 'R' || chosen.value || CAST(@week AS TEXT));

-- name: CountReported :one
SELECT count(*) FROM violations AS v INDEXED BY violations_by_first_seen
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT);

-- name: FirstEvent :one
SELECT CAST(coalesce(min(e.at), '') AS TEXT) AS at
FROM violation_statuses AS word
CROSS JOIN (SELECT 1) AS one
CROSS JOIN events AS e ON e.id = (SELECT o.id FROM events AS o INDEXED BY events_by_status WHERE o.status = word.name ORDER BY o.at LIMIT 1);

-- name: FirstRun :one
SELECT CAST(coalesce(min(r.started_at), '') AS TEXT) AS at FROM runs AS r;

-- name: StatisticsOfRuns :many
SELECT r.id, r.status, r.iterations, coalesce(r.branch, '') AS branch, r.started_at, r.finished_at
FROM (
  SELECT x.id FROM runs AS x INDEXED BY runs_by_start
  WHERE CAST(@runs AS TEXT) = 'null' AND x.started_at >= CAST(@since AS TEXT) AND x.started_at < CAST(@until AS TEXT)
  UNION ALL
  SELECT chosen.value FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
) AS left_over
CROSS JOIN runs AS r ON r.id = left_over.id
WHERE r.kind = 'gates' AND r.started_at >= CAST(@since AS TEXT) AND r.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR EXISTS (
    SELECT 1 FROM iterations AS i
    CROSS JOIN gates AS g ON g.iteration_id = i.id
    WHERE i.run_id = r.id AND g.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w)))
  AND (CAST(@adapter AS TEXT) = '' OR EXISTS (
    SELECT 1 FROM run_parts AS p WHERE p.run_id = r.id AND p.part = 'adapter:' || CAST(@adapter AS TEXT)));

-- The same from totals, for all runs of a period, or for those with an adapter or a gate.
-- name: TotalsOfRuns :many
SELECT t.status, t.iterations, CAST(sum(t.runs) AS INTEGER) AS runs
FROM (
  SELECT c.repository_id, c.status, c.iterations, c.runs
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN run_totals AS c ON c.part = CAST(@part AS TEXT) AND c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, f.status, f.iterations, 1
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN run_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]')
  WHERE (CAST(@part AS TEXT) = '' OR EXISTS (SELECT 1 FROM run_parts AS p WHERE p.run_id = f.run_id AND p.part = CAST(@part AS TEXT)))
) AS t
WHERE CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w)
GROUP BY t.status, t.iterations
HAVING sum(t.runs) > 0;

-- name: TimesOfRuns :many
SELECT t.took_ms, CAST(sum(t.runs) AS INTEGER) AS runs
FROM (
  SELECT c.repository_id, c.took_ms, c.runs
  FROM json_each(CAST(@buckets AS TEXT)) AS b
  CROSS JOIN run_times AS c ON c.part = CAST(@part AS TEXT) AND c.bucket = b.value
  UNION ALL
  SELECT f.repository_id, CAST(f.took_ms AS INTEGER), 1
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN run_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]') AND f.took_ms IS NOT NULL
  WHERE (CAST(@part AS TEXT) = '' OR EXISTS (SELECT 1 FROM run_parts AS p WHERE p.run_id = f.run_id AND p.part = CAST(@part AS TEXT)))
) AS t
WHERE CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w)
GROUP BY t.took_ms
HAVING sum(t.runs) > 0;

-- name: RunsByDay :many
SELECT t.day, t.status, CAST(sum(t.runs) AS INTEGER) AS runs
FROM (
  SELECT c.bucket AS day, c.repository_id, c.status, c.runs
  FROM run_totals AS c
  WHERE c.part = CAST(@part AS TEXT) AND c.bucket >= CAST(@first_day AS TEXT) AND c.bucket < CAST(@last_day AS TEXT) AND length(c.bucket) = 10
  UNION ALL
  SELECT substr(f.at, 1, 10), f.repository_id, f.status, 1
  FROM json_each(CAST(@edges AS TEXT)) AS edge
  CROSS JOIN run_facts AS f ON f.at >= json_extract(edge.value, '$[0]') AND f.at < json_extract(edge.value, '$[1]')
  WHERE (CAST(@part AS TEXT) = '' OR EXISTS (SELECT 1 FROM run_parts AS p WHERE p.run_id = f.run_id AND p.part = CAST(@part AS TEXT)))
) AS t
WHERE CAST(@repositories AS TEXT) = 'null' OR t.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w)
GROUP BY t.day, t.status
HAVING sum(t.runs) > 0;

-- name: ViolationsByBranch :many
SELECT CAST(coalesce(u.branch, '') AS TEXT) AS branch, f.status, count(*) AS violations
FROM violation_facts AS f
CROSS JOIN runs AS u ON u.id = f.run_id
WHERE (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR f.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR f.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR f.model = CAST(@model AS TEXT))
  AND f.at >= CAST(@since AS TEXT) AND f.at < CAST(@until AS TEXT)
  AND (CAST(@runs AS TEXT) = 'null' OR f.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
GROUP BY 1, 2;

-- name: TopFiles :many
SELECT c.* FROM file_totals AS c INDEXED BY file_totals_by_number
WHERE c.violations > 0
  AND (CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
ORDER BY c.violations DESC, c.file, (SELECT p.key FROM repositories AS p WHERE p.id = c.repository_id)
LIMIT CAST(@at_most AS INTEGER);

-- Files are found among the violations from the oldest one on that is looked at, and then
-- counted as a whole. To look a key up for each file takes longer than all else, and there
-- is only one beside the unknown one, which is the first, where there are not several.
-- name: TopFilesOf :many
SELECT top.repository_id, top.file, count(*) AS violations, CAST(sum(v.open AND NOT v.abandoned) AS INTEGER) AS open,
  CAST(sum(v.open AND v.abandoned) AS INTEGER) AS abandoned,
  CAST(sum(v.status = 'fixed') AS INTEGER) AS claimed, CAST(sum(v.status = 'verified') AS INTEGER) AS verified,
  CAST(sum(v.status = 'skipped') AS INTEGER) AS skipped, CAST(sum(v.in_fix_lines) AS INTEGER) AS in_fix_lines
FROM (
  SELECT f.repository_id, c.file, count(*) AS number
  FROM (
    SELECT x.id, x.file, x.run_id, x.job_id, x.adapter FROM violations AS x INDEXED BY violations_by_first_seen
    WHERE CAST(@runs AS TEXT) = 'null' AND x.first_seen >= CAST(@oldest AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
      AND NOT (x.first_seen = CAST(@oldest AS TEXT) AND x.id < CAST(@oldest_id AS INTEGER))
    UNION ALL
    SELECT x.id, x.file, x.run_id, x.job_id, x.adapter
    FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
    CROSS JOIN violations AS x INDEXED BY violations_by_run ON x.run_id = chosen.value
      AND x.first_seen >= CAST(@oldest AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
      AND NOT (x.first_seen = CAST(@oldest AS TEXT) AND x.id < CAST(@oldest_id AS INTEGER))
  ) AS c
  CROSS JOIN runs AS f ON f.id = c.run_id
  WHERE (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
    AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
    AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
    AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = c.id) = CAST(@model AS TEXT))
  GROUP BY f.repository_id, c.file
  ORDER BY 3 DESC, c.file, CASE WHEN (SELECT count(*) FROM repositories) > 2 THEN (SELECT p.key FROM repositories AS p WHERE p.id = f.repository_id) ELSE f.repository_id END
  LIMIT CAST(@at_most AS INTEGER)
) AS top
CROSS JOIN violations AS v INDEXED BY violations_by_file ON v.file = top.file
CROSS JOIN runs AS u ON u.id = v.run_id AND u.repository_id = top.repository_id
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = v.id) = CAST(@model AS TEXT))
  AND (CAST(@runs AS TEXT) = 'null' OR v.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
GROUP BY top.repository_id, top.file
ORDER BY top.number DESC, top.file, (SELECT p.key FROM repositories AS p WHERE p.id = top.repository_id);

-- The oldest one of the newest violations of the period, and the one before it, if any.
-- name: OldestOfNewest :many
SELECT CAST(x.first_seen AS TEXT) AS first_seen, x.id FROM violations AS x INDEXED BY violations_by_first_seen
WHERE x.first_seen >= CAST(@since AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
ORDER BY x.first_seen DESC, x.id DESC
LIMIT 2 OFFSET CAST(@newest AS INTEGER) - 1;

-- The same of these runs.
-- name: OldestOfNewestOf :many
SELECT CAST(x.first_seen AS TEXT) AS first_seen, x.id
FROM json_each(CAST(@runs AS TEXT)) AS chosen
CROSS JOIN violations AS x INDEXED BY violations_by_run ON x.run_id = chosen.value
  AND x.first_seen >= CAST(@since AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
ORDER BY x.first_seen DESC, x.id DESC
LIMIT 2 OFFSET CAST(@newest AS INTEGER) - 1;

-- When the oldest run began of the newest ones that have so many violations, as they
-- count them themselves.
-- name: BeginOfNewest :one
SELECT CAST(coalesce(max(k.started_at), '') AS TEXT) AS at
FROM (
  SELECT r.started_at, sum(r.open + r.claimed + r.verified + r.skipped) OVER (ORDER BY r.started_at DESC, r.id DESC) AS violations
  FROM json_each(CAST(@runs AS TEXT)) AS chosen
  CROSS JOIN runs AS r ON r.id = chosen.value AND r.started_at < CAST(@until AS TEXT)
) AS k
WHERE k.violations > CAST(@newest AS INTEGER);

-- What became of the violations of a file, and what is not kept of it: its runs, what was
-- reopened, and when violations were reported.
-- name: DetailsOfFile :one
SELECT count(*) AS violations, CAST(total(v.open AND NOT v.abandoned) AS INTEGER) AS open,
  CAST(total(v.open AND v.abandoned) AS INTEGER) AS abandoned,
  CAST(total(v.status = 'fixed') AS INTEGER) AS claimed, CAST(total(v.status = 'verified') AS INTEGER) AS verified,
  CAST(total(v.status = 'skipped') AS INTEGER) AS skipped, CAST(total(v.in_fix_lines) AS INTEGER) AS in_fix_lines,
  count(DISTINCT v.run_id) AS runs,
  CAST(total(EXISTS (SELECT 1 FROM events AS e INDEXED BY events_reopened WHERE e.violation_id = v.id AND e.status = 'reopened')) AS INTEGER) AS reopened,
  CAST(json_group_array(CASE WHEN v.first_seen >= CAST(@weeks_since AS TEXT) THEN substr(v.first_seen, 1, 10) END) AS TEXT) AS days
FROM violations AS v INDEXED BY violations_by_file
CROSS JOIN runs AS f ON f.id = v.run_id
WHERE v.file = CAST(@file AS TEXT) AND v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = v.id) = CAST(@model AS TEXT))
  AND (CAST(@runs AS TEXT) = 'null' OR v.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w));

-- name: TopLines :many
SELECT c.* FROM recurring_lines AS c INDEXED BY recurring_lines_by_number
WHERE CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w)
ORDER BY c.runs DESC, c.fingerprint, (SELECT p.key FROM repositories AS p WHERE p.id = c.repository_id)
LIMIT CAST(@at_most AS INTEGER);

-- name: TopLinesOf :many
SELECT CAST(c.fingerprint AS TEXT) AS fingerprint, f.repository_id, count(DISTINCT c.run_id) AS runs, count(*) AS violations
FROM (
  SELECT x.id, x.fingerprint, x.run_id, x.job_id, x.adapter FROM violations AS x INDEXED BY violations_recurring
  WHERE x.recurring = 1 AND CAST(@runs AS TEXT) = 'null' AND x.first_seen >= CAST(@oldest AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
    AND NOT (x.first_seen = CAST(@oldest AS TEXT) AND x.id < CAST(@oldest_id AS INTEGER))
  UNION ALL
  SELECT x.id, x.fingerprint, x.run_id, x.job_id, x.adapter
  FROM json_each(CASE CAST(@runs AS TEXT) WHEN 'null' THEN '[]' ELSE CAST(@runs AS TEXT) END) AS chosen
  CROSS JOIN violations AS x INDEXED BY violations_by_run ON x.run_id = chosen.value AND x.recurring = 1
    AND x.first_seen >= CAST(@oldest AS TEXT) AND x.first_seen < CAST(@until AS TEXT)
    AND NOT (x.first_seen = CAST(@oldest AS TEXT) AND x.id < CAST(@oldest_id AS INTEGER))
) AS c
CROSS JOIN runs AS f ON f.id = c.run_id
WHERE (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = c.id) = CAST(@model AS TEXT))
GROUP BY c.fingerprint, f.repository_id
HAVING count(DISTINCT c.run_id) > 1
ORDER BY 3 DESC, c.fingerprint, CASE WHEN (SELECT count(*) FROM repositories) > 2 THEN (SELECT p.key FROM repositories AS p WHERE p.id = f.repository_id) ELSE f.repository_id END
LIMIT CAST(@at_most AS INTEGER);

-- name: CountsOfLine :one
SELECT count(*) AS violations, count(DISTINCT v.run_id) AS runs, CAST(total(v.shown IN ('new', 'reopened')) AS INTEGER) AS open
FROM violations AS v INDEXED BY violations_by_fingerprint
CROSS JOIN runs AS f ON f.id = v.run_id
WHERE v.fingerprint = CAST(@fingerprint AS TEXT) AND v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR f.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT m.model FROM violation_facts AS m WHERE m.violation_id = v.id) = CAST(@model AS TEXT))
  AND (CAST(@runs AS TEXT) = 'null' OR v.run_id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w));

-- name: LatestOfFingerprint :one
SELECT v.short_id, v.file, r.issue, r.line_start, j.job
FROM violations AS v
CROSS JOIN reports AS r ON r.id = v.report_id
CROSS JOIN jobs AS j ON j.id = v.job_id
CROSS JOIN runs AS u ON u.id = v.run_id
WHERE v.fingerprint = @fingerprint AND (CAST(@repository_id AS INTEGER) = 0 OR u.repository_id = @repository_id)
ORDER BY v.first_seen DESC, u.ulid DESC, v.id DESC
LIMIT 1;

-- Who answered where, and what of each adapter's violations there another one reported,
-- too.
-- name: OverlapOfRuns :many
SELECT v.adapter, a.adapter AS other, count(*) AS violations,
  CAST(sum(v.shared = 1 AND EXISTS (SELECT 1 FROM violations AS x
    WHERE x.fingerprint = v.fingerprint AND x.run_id = v.run_id AND x.job_id = v.job_id AND x.adapter = a.adapter)) AS INTEGER) AS shared
FROM (
  SELECT DISTINCT i.run_id, g.job_id, s.adapter
  FROM json_each(CAST(@runs AS TEXT)) AS chosen
  CROSS JOIN iterations AS i ON i.run_id = chosen.value
  CROSS JOIN gates AS g ON g.iteration_id = i.id
  CROSS JOIN slots AS s ON s.gate_id = g.id AND s.status IN ('pass', 'fail')
) AS a
CROSS JOIN violations AS v INDEXED BY violations_by_run ON v.run_id = a.run_id AND v.job_id = a.job_id AND v.adapter <> a.adapter
WHERE v.first_seen >= CAST(@since AS TEXT) AND v.first_seen < CAST(@until AS TEXT)
  AND (CAST(@jobs AS TEXT) = 'null' OR v.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR v.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR (SELECT f.model FROM violation_facts AS f WHERE f.violation_id = v.id) = CAST(@model AS TEXT))
GROUP BY v.adapter, a.adapter;

-- name: NewestRuns :many
SELECT r.id FROM runs AS r
WHERE r.started_at >= CAST(@since AS TEXT) AND r.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR r.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY r.started_at DESC, r.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- What is latest is so by time: an import records older runs later. The executions of a check
-- that has few are sorted. For others, iterations are read from the latest one on.
-- name: LatestOfFewChecks :many
SELECT u.ulid AS run, i.number AS iteration, g.status, i.started_at, g.command
FROM gates AS g INDEXED BY gates_by_job
CROSS JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE g.job_id = @job_id AND g.status IN ('passed', 'failed', 'error')
  AND i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY i.started_at DESC, u.ulid DESC, i.number DESC
LIMIT 30;

-- name: LatestChecks :many
SELECT u.ulid AS run, i.number AS iteration, g.status, i.started_at, g.command
FROM iterations AS i INDEXED BY iterations_by_start
CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = @job_id AND g.status IN ('passed', 'failed', 'error')
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY i.started_at DESC, u.ulid DESC, i.number DESC
LIMIT 30;

-- name: CountChecksUpTo :one
SELECT count(*) FROM (SELECT 1 FROM gates AS g WHERE g.job_id = @job_id LIMIT CAST(@at_most AS INTEGER)) AS few;

-- name: FlakyChecks :many
SELECT j.job, t.tree, u.ulid AS run, coalesce(u.branch, '') AS branch, i.number AS iteration, g.status, i.started_at
FROM flaky_trees AS t
CROSS JOIN jobs AS j ON j.id = t.job_id
CROSS JOIN iterations AS i ON i.tree = t.tree
CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = t.job_id AND g.status IN ('passed', 'failed')
CROSS JOIN runs AS u ON u.id = i.run_id
WHERE i.started_at >= CAST(@since AS TEXT) AND i.started_at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR t.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY t.job_id, t.tree, i.started_at, g.id;

-- name: ListVerdicts :many
SELECT sqlc.embed(d), u.ulid AS run, c.review_id, c.scope, c.target, i.number AS iteration
FROM verdicts AS d INDEXED BY verdicts_by_time
CROSS JOIN code_reviews AS c ON c.run_id = d.run_id
CROSS JOIN iterations AS i ON i.id = d.iteration_id
CROSS JOIN runs AS u ON u.id = d.run_id
WHERE d.at >= CAST(@since AS TEXT) AND d.at < CAST(@until AS TEXT)
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@runs AS TEXT) = 'null' OR u.id IN (SELECT w.value FROM json_each(CAST(@runs AS TEXT)) AS w))
ORDER BY d.at DESC, d.iteration_id DESC;

-- name: RepositoryRows :many
SELECT * FROM repositories ORDER BY id;

-- Those of a branch are looked up under each status and kind, and those of a worktree are
-- found in the same index. One run is looked up.
-- name: RunsOfScope :many
SELECT r.id
FROM run_statuses AS s
CROSS JOIN run_kinds AS k
CROSS JOIN runs AS r INDEXED BY runs_by_kind ON r.status = s.name AND r.kind = k.name AND r.branch = CAST(@branch AS TEXT)
WHERE CAST(@run AS TEXT) = '' AND CAST(@branch AS TEXT) <> ''
  AND (CAST(@worktree AS TEXT) = '' OR r.worktree = CAST(@worktree AS TEXT))
UNION ALL
SELECT r.id
FROM runs AS r INDEXED BY runs_by_kind
WHERE CAST(@run AS TEXT) = '' AND CAST(@branch AS TEXT) = ''
  AND (CAST(@worktree AS TEXT) = '' OR r.worktree = CAST(@worktree AS TEXT))
UNION ALL
SELECT r.id FROM runs AS r
WHERE r.ulid = CAST(@run AS TEXT)
  AND (CAST(@branch AS TEXT) = '' OR r.branch = CAST(@branch AS TEXT))
  AND (CAST(@worktree AS TEXT) = '' OR r.worktree = CAST(@worktree AS TEXT));

-- Folders are buckets.
-- name: FoldersOfTotals :many
SELECT c.bucket, CAST(sum(c.violations) AS INTEGER) AS violations
FROM violation_totals AS c
WHERE c.bucket >= '/' AND c.bucket < '0'
  AND (CAST(@repositories AS TEXT) = 'null' OR c.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@jobs AS TEXT) = 'null' OR c.job_id IN (SELECT w.value FROM json_each(CAST(@jobs AS TEXT)) AS w))
  AND (CAST(@adapter AS TEXT) = '' OR c.adapter = CAST(@adapter AS TEXT))
  AND (CAST(@model AS TEXT) = '' OR c.model = CAST(@model AS TEXT))
  AND (CAST(@statuses AS TEXT) = 'null' OR c.status IN (SELECT w.value FROM json_each(CAST(@statuses AS TEXT)) AS w))
  AND (CAST(@priorities AS TEXT) = 'null' OR c.priority IN (SELECT w.value FROM json_each(CAST(@priorities AS TEXT)) AS w))
  AND (CAST(@reasons AS TEXT) = 'null' OR c.status = 'skipped'
    AND coalesce(nullif(c.reason, ''), 'none') IN (SELECT w.value FROM json_each(CAST(@reasons AS TEXT)) AS w))
  AND (CAST(@iteration AS INTEGER) = 0 OR c.iteration = CAST(@iteration AS INTEGER))
  AND (CAST(@alone AS INTEGER) = 0 OR c.shared = 0)
  AND (CAST(@in_fix_lines AS INTEGER) = 0 OR c.in_fix_lines = 1)
  AND (CAST(@recurring AS INTEGER) = 0 OR c.recurring = 1)
GROUP BY c.bucket
HAVING sum(c.violations) > 0;

-- name: TotalsOfList :many
SELECT v.shown, v.priority, v.job_id, v.adapter, v.shared, v.in_fix_lines, v.recurring,
  CAST(substr(v.file, 1, max(instr(v.file, '/') - 1, 0)) AS TEXT) AS folder, count(*) AS violations
FROM json_each(CAST(@ids AS TEXT)) AS wanted
CROSS JOIN violations AS v ON v.id = wanted.value
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
