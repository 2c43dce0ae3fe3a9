-- What statistics read from rows, because figures do not have it. A list that is NULL keeps
-- everything, and so does an empty string.

-- How many violations had events in parts of a period within a week, besides the days that are read
-- from figures. Parts are added, or subtracted from a day that was counted as a whole. A violation
-- with several events of the same status is thus counted several times, which the times of each such
-- event and of the one before it correct: it counts once in the period, and once on each day.
-- If the filter depends on violations, those of the runs that had events are scanned, because they
-- are stored together.
-- name: EventsInParts :many
WITH joined AS MATERIALIZED (
  SELECT d.id FROM violation AS d WHERE d.shown = 'duplicate'
), said AS MATERIALIZED (
  SELECT e.run, e.violation, e.status, CASE
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[1:1], (@parts_until::timestamptz[])[1:1]) THEN (@signs::bigint[])[1]
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[2:2], (@parts_until::timestamptz[])[2:2]) THEN (@signs::bigint[])[2]
    WHEN in_edges(e.at, (@parts_since::timestamptz[])[3:3], (@parts_until::timestamptz[])[3:3]) THEN (@signs::bigint[])[3]
    ELSE (@signs::bigint[])[4] END AS sign
  FROM event AS e
  WHERE e.status = ANY (@statuses::text[]) AND in_edges(e.at, @parts_since::timestamptz[], @parts_until::timestamptz[])
    AND (e.status = 'duplicate' OR e.violation NOT IN (SELECT j.id FROM joined AS j))
    AND (@branch::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = e.run AND u.branch = @branch::text))
), kept AS (
  SELECT f.id AS violation FROM violation AS f
  WHERE f.run = ANY (ARRAY(SELECT DISTINCT s.run FROM said AS s))
    AND counts(f.repository, f.job, f.adapter, f.model, sqlc.narg(repositories)::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
)
SELECT t.status, sum(t.violations)::bigint AS violations
FROM (
  SELECT s.status, sum(s.sign) AS violations
  FROM said AS s
  WHERE sqlc.narg(repositories)::bigint[] IS NULL AND sqlc.narg(jobs)::text[] IS NULL AND @adapter::text = '' AND @model::text = ''
    OR s.violation IN (SELECT k.violation FROM kept AS k)
  GROUP BY 1
  UNION ALL
  SELECT e.status, count(*) FILTER (WHERE (e.at AT TIME ZONE 'UTC')::date = (e.said_before AT TIME ZONE 'UTC')::date
      AND to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') = ANY (@days::text[]))
    - count(*) FILTER (WHERE e.at < @until::timestamptz AND e.said_before >= @since::timestamptz)
  FROM event AS e
  WHERE e.at >= @wide_since::timestamptz AND e.at < @wide_until::timestamptz AND e.said_before >= @wide_since::timestamptz
    AND e.status = ANY (@statuses::text[])
    AND (e.status = 'duplicate' OR e.violation NOT IN (SELECT j.id FROM joined AS j))
    AND (sqlc.narg(repositories)::bigint[] IS NULL AND sqlc.narg(jobs)::text[] IS NULL AND @adapter::text = '' AND @model::text = ''
      OR EXISTS (
        SELECT 1 FROM violation AS f
        WHERE f.id = e.violation
          AND counts(f.repository, f.job, f.adapter, f.model, sqlc.narg(repositories)::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)))
    AND (@branch::text = '' OR EXISTS (SELECT 1 FROM run AS u WHERE u.id = e.run AND u.branch = @branch::text))
  GROUP BY 1
) AS t
GROUP BY 1
HAVING sum(t.violations) <> 0;

-- The same for some runs, whose events are read one by one.
-- name: EventsOfRuns :many
SELECT e.status, count(DISTINCT e.violation) AS violations
FROM run AS u
JOIN event AS e ON e.run = u.id
JOIN violation AS f ON f.id = e.violation
WHERE (@run::text = '' OR u.id = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
  AND e.at >= @since::timestamptz AND e.at < @until::timestamptz AND (e.status = 'duplicate' OR f.shown <> 'duplicate')
  AND counts(f.repository, f.job, f.adapter, f.model, sqlc.narg(repositories)::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
GROUP BY 1;

-- When the first run began, and when the first event happened.
-- name: FirstTimes :one
SELECT coalesce((SELECT min(r.started_at) FROM run AS r), '0001-01-01 00:00:00Z')::timestamptz AS run,
  coalesce(min(o.at), '0001-01-01 00:00:00Z')::timestamptz AS event
FROM (SELECT unnest(@statuses::text[]) AS status) AS word
CROSS JOIN LATERAL (SELECT min(e.at) AS at FROM event AS e WHERE e.status = word.status) AS o;

-- Reports whether more violations than newest were reported in a period, on a branch if one is given.
-- name: ReportsMore :one
SELECT EXISTS (
  SELECT 1 FROM violation AS v
  WHERE v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
    AND (@branch::text = '' OR v.branch = @branch::text)
  ORDER BY v.first_seen LIMIT 1 OFFSET @newest::bigint) AS more;

-- The files with the most violations in a period, or among the newest ones of the period.
-- name: TopFilesOf :many
SELECT g.repository, g.file, g.violations, g.open, g.abandoned, g.claimed, g.verified, g.skipped, g.withdrawn, g.in_fix_lines
FROM (
  SELECT f.repository, f.file, count(*) AS violations, count(*) FILTER (WHERE f.open AND NOT f.abandoned) AS open,
    count(*) FILTER (WHERE f.open AND f.abandoned) AS abandoned, count(*) FILTER (WHERE f.status = 'fixed') AS claimed,
    count(*) FILTER (WHERE f.status = 'verified') AS verified, count(*) FILTER (WHERE f.status = 'skipped') AS skipped,
    count(*) FILTER (WHERE f.status = 'withdrawn') AS withdrawn,
    count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines
  FROM (
    SELECT n.* FROM (
      SELECT x.* FROM violation AS x
      WHERE x.first_seen >= @since::timestamptz AND x.first_seen < @until::timestamptz AND (@branch::text = '' OR x.branch = @branch::text)
      ORDER BY x.first_seen DESC
      LIMIT sqlc.narg(newest)::bigint
    ) AS n
    WHERE sqlc.narg(newest)::bigint IS NOT NULL
    UNION ALL
    SELECT x.* FROM violation AS x
    WHERE sqlc.narg(newest)::bigint IS NULL AND x.first_seen >= @since::timestamptz AND x.first_seen < @until::timestamptz
      AND (@run::text = '' OR x.run = @run::text) AND (@branch::text = '' OR x.branch = @branch::text)
  ) AS f
  WHERE f.status <> 'duplicate' AND counts(f.repository, f.job, f.adapter, f.model, sqlc.narg(repositories)::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
  GROUP BY 1, 2
) AS g
JOIN repository AS p ON p.id = g.repository
ORDER BY g.violations DESC, g.file, CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END
LIMIT sqlc.narg(at_most)::bigint;

-- name: DetailsOfFiles :many
SELECT w.number::integer AS number, n.violations, n.open, n.abandoned, n.claimed, n.verified, n.skipped, n.withdrawn, n.in_fix_lines, n.runs, n.reopened, n.days
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@files::text[]) AS file, generate_subscripts(@files::text[], 1) AS number) AS w
CROSS JOIN LATERAL (
  SELECT count(*) AS violations, count(*) FILTER (WHERE f.open AND NOT f.abandoned) AS open,
    count(*) FILTER (WHERE f.open AND f.abandoned) AS abandoned, count(*) FILTER (WHERE f.status = 'fixed') AS claimed,
    count(*) FILTER (WHERE f.status = 'verified') AS verified, count(*) FILTER (WHERE f.status = 'skipped') AS skipped,
    count(*) FILTER (WHERE f.status = 'withdrawn') AS withdrawn,
    count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines,
    count(DISTINCT f.run) AS runs, count(*) FILTER (WHERE f.reopened) AS reopened,
    coalesce(array_agg(to_char(f.first_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD')) FILTER (WHERE f.first_seen >= @weeks_since::timestamptz), '{}')::text[] AS days
  FROM violation AS f
  WHERE f.repository = w.repository AND f.file = w.file AND f.status <> 'duplicate'
    AND counts(f.repository, f.job, f.adapter, f.model, NULL::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
    AND f.first_seen >= @since::timestamptz AND f.first_seen < @until::timestamptz
    AND (@run::text = '' OR f.run = @run::text) AND (@branch::text = '' OR f.branch = @branch::text)
) AS n
WHERE n.violations > 0;

-- The lines that recur among the violations of a period, or among the newest ones of the period. The
-- planner looks up lines one by one if few recur, and otherwise reads the violations of the period.
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
    AND n.fingerprint IN (SELECT l.fingerprint FROM recurring_line AS l WHERE l.runs > 1)
  UNION ALL
  SELECT x.* FROM violation AS x
  WHERE sqlc.narg(newest)::bigint IS NULL
    AND x.fingerprint IN (SELECT l.fingerprint FROM recurring_line AS l WHERE l.runs > 1)
    AND x.first_seen >= @since::timestamptz AND x.first_seen < @until::timestamptz
    AND (@run::text = '' OR x.run = @run::text) AND (@branch::text = '' OR x.branch = @branch::text)
) AS f
WHERE counts(f.repository, f.job, f.adapter, f.model, sqlc.narg(repositories)::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
GROUP BY 1, 2
HAVING count(DISTINCT f.run) > 1
ORDER BY 3 DESC, 1, (SELECT CASE p.kind WHEN 'unknown' THEN '' ELSE p.key END FROM repository AS p WHERE p.id = f.repository)
LIMIT sqlc.narg(at_most)::bigint;

-- How often these lines recur in a period.
-- name: CountsOfLines :many
SELECT w.number::integer AS number, count(DISTINCT v.run) AS runs, count(*) FILTER (WHERE v.status <> 'duplicate') AS violations,
  count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
FROM (SELECT unnest(@repositories::bigint[]) AS repository, unnest(@fingerprints::text[]) AS fingerprint, generate_subscripts(@fingerprints::text[], 1) AS number) AS w
JOIN violation AS v ON v.fingerprint = w.fingerprint AND v.repository = w.repository
WHERE v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
  AND counts(v.repository, v.job, v.adapter, v.model, NULL::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text)
  AND (@run::text = '' OR v.run = @run::text) AND (@branch::text = '' OR v.branch = @branch::text)
GROUP BY 1;

-- The latest violation of each line. It is first found by the index alone, because the planner
-- assumes that every line is rare, and would sort its violations.
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

-- For each pair of adapters that answered in the same run and job: how many violations the first one
-- reported there, and how many of these the other one found too. It did if it reported the same
-- problem, or one on the same line.
-- name: OverlapOfRuns :many
WITH said AS MATERIALIZED (
  SELECT v.run || ' ' || v.job AS place, v.adapter, v.run || ' ' || coalesce(v.duplicate_of, v.short_id) AS problem, v.shared, v.run || ' ' || v.job || ' ' || v.fingerprint AS line, v.id,
    v.first_seen >= @since::timestamptz AND v.first_seen < @until::timestamptz
      AND counts(v.repository, v.job, v.adapter, v.model, NULL::bigint[], sqlc.narg(jobs)::text[], @adapter::text, @model::text) AS counted
  FROM violation AS v WHERE v.run = ANY (@runs::text[])
), found AS MATERIALIZED (
  SELECT x.problem, s.adapter
  FROM (SELECT v.problem, v.id FROM said AS v WHERE v.shared
    UNION SELECT v.problem, o.id FROM said AS v JOIN said AS o ON o.line = v.line WHERE v.shared) AS x
  JOIN report AS r ON r.violation = x.id AND r.disposition IN ('accepted', 'out_of_diff', 'below_threshold', 'malformed')
  JOIN slot AS s ON s.run = r.run AND s.iteration = r.iteration AND s.job = r.job AND s.slot = r.slot
  GROUP BY 1, 2
)
SELECT v.adapter, a.adapter AS other, count(*) AS violations, count(f.adapter) AS shared
FROM said AS v
JOIN (
  SELECT DISTINCT s.run || ' ' || s.job AS place, s.adapter FROM slot AS s WHERE s.run = ANY (@runs::text[]) AND s.status IN ('pass', 'fail')
) AS a ON a.place = v.place AND a.adapter <> v.adapter
LEFT JOIN found AS f ON f.problem = v.problem AND f.adapter = a.adapter
WHERE v.counted
GROUP BY 1, 2;

-- name: NewestRuns :many
SELECT r.id FROM run AS r
WHERE r.started_at >= @since::timestamptz AND r.started_at < @until::timestamptz
  AND among(r.repository, sqlc.narg(repositories)::bigint[])
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
    AND among(u.repository, sqlc.narg(repositories)::bigint[])
    AND (@run::text = '' OR g.run = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
  ORDER BY g.started_at DESC NULLS LAST, g.run DESC, g.iteration DESC
  LIMIT 30
) AS n;

-- The outcomes of a check on some trees.
-- name: ChecksOfTrees :many
SELECT i.tree::text AS tree, i.run, coalesce(u.branch, '')::text AS branch, i.number AS iteration, g.status, i.started_at
FROM iteration AS i
JOIN gate AS g ON g.run = i.run AND g.iteration = i.number AND g.job = @job::text AND g.status IN ('passed', 'failed')
JOIN run AS u ON u.id = i.run
WHERE i.tree = ANY (@trees::text[]) AND i.started_at >= @since::timestamptz AND i.started_at < @until::timestamptz
  AND among(u.repository, sqlc.narg(repositories)::bigint[])
  AND (@run::text = '' OR u.id = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
ORDER BY i.tree, i.started_at, i.run, i.number;

-- name: ListVerdicts :many
SELECT d.*
FROM verdict AS d
JOIN run AS u ON u.id = d.run
WHERE d.at >= @since::timestamptz AND d.at < @until::timestamptz
  AND among(u.repository, sqlc.narg(repositories)::bigint[])
  AND (@run::text = '' OR d.run = @run::text) AND (@branch::text = '' OR u.branch = @branch::text)
ORDER BY d.at DESC, d.run DESC, d.iteration DESC;
