-- Each total that triggers keep, made anew from the rows. SQLite reads all views of a ledger
-- whenever it opens it, and these are seldom needed: they are made for the connection that
-- asks, and are not in the file.

CREATE TEMP VIEW IF NOT EXISTS made_recurring_lines AS
SELECT v.fingerprint, r.repository_id, count(DISTINCT v.run_id) AS runs, count(*) AS violations
FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id
WHERE v.fingerprint IS NOT NULL
GROUP BY 1, 2
HAVING count(DISTINCT v.run_id) > 1;

CREATE TEMP VIEW IF NOT EXISTS made_violation_totals AS
SELECT CASE b.n WHEN -1 THEN '/' || d.folder ELSE substr(d.day, 1, b.n) END AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.iteration, d.priority, d.status, d.reason, d.shared,
  d.in_fix_lines, d.recurring, sum(d.violations) AS violations
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.folder,
      f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared,
      f.in_fix_lines, f.recurring, count(*) AS violations
    FROM violation_facts AS f
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10 UNION ALL SELECT -1) AS b
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;

CREATE TEMP VIEW IF NOT EXISTS made_slot_totals AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.iteration, sum(d.answered) AS answered, sum(d.errors) AS errors,
  sum(d.interrupted) AS interrupted, sum(d.skipped) AS skipped, sum(d.accepted) AS accepted,
  sum(d.out_of_diff) AS out_of_diff, sum(d.below_threshold) AS below_threshold,
  sum(d.previously_skipped) AS previously_skipped, sum(d.remembered_skip) AS remembered_skip,
  sum(d.malformed) AS malformed, sum(d.merged) AS merged, sum(d.outside_verify) AS outside_verify,
  sum(d.reopened) AS reopened, sum(d.verified) AS verified, sum(d.carried) AS carried,
  sum(d.input_tokens) AS input_tokens, sum(d.cached_tokens) AS cached_tokens, sum(d.output_tokens) AS output_tokens,
  sum(d.with_tokens) AS with_tokens, sum(d.cost_nano) AS cost_nano, sum(d.with_cost) AS with_cost,
  sum(d.saved_tokens) AS saved_tokens, sum(d.saved_nano) AS saved_nano
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.adapter, f.model, f.iteration, sum(f.answered) AS answered,
      sum(f.errors) AS errors, sum(f.interrupted) AS interrupted, sum(f.skipped) AS skipped,
      sum(f.accepted) AS accepted, sum(f.out_of_diff) AS out_of_diff, sum(f.below_threshold) AS below_threshold,
      sum(f.previously_skipped) AS previously_skipped, sum(f.remembered_skip) AS remembered_skip,
      sum(f.malformed) AS malformed, sum(f.merged) AS merged, sum(f.outside_verify) AS outside_verify,
      sum(f.reopened) AS reopened, sum(f.verified) AS verified, sum(f.carried) AS carried,
      sum(f.input_tokens) AS input_tokens, sum(f.cached_tokens) AS cached_tokens,
      sum(f.output_tokens) AS output_tokens, sum(f.with_tokens) AS with_tokens, sum(f.cost_nano) AS cost_nano,
      sum(f.with_cost) AS with_cost, sum(f.saved_tokens) AS saved_tokens, sum(f.saved_nano) AS saved_nano
    FROM slot_facts AS f
    GROUP BY 1, 2, 3, 4, 5, 6
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TEMP VIEW IF NOT EXISTS made_slot_times AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.took_ms, sum(d.slots) AS slots
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.adapter, f.model, f.took_ms, count(*) AS slots
    FROM slot_facts AS f WHERE f.answered = 1
    GROUP BY 1, 2, 3, 4, 5, 6
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TEMP VIEW IF NOT EXISTS made_check_totals AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.passed, d.took_ms, sum(d.executions) AS executions
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.passed, f.took_ms, count(*) AS executions
    FROM check_facts AS f
    GROUP BY 1, 2, 3, 4, 5
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5;

CREATE TEMP VIEW IF NOT EXISTS made_file_totals AS
SELECT r.repository_id, v.file, count(*) AS violations, sum(v.open AND NOT v.abandoned) AS open, sum(v.open AND v.abandoned) AS abandoned, sum(v.status = 'fixed') AS claimed,
  sum(v.status = 'verified') AS verified, sum(v.status = 'skipped') AS skipped,
  sum(v.in_fix_lines) AS in_fix_lines
FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id
GROUP BY 1, 2;

CREATE TEMP VIEW IF NOT EXISTS made_flaky_trees AS
SELECT g.job_id, i.tree
FROM check_facts AS f
CROSS JOIN gates AS g ON g.id = f.gate_id AND g.status IN ('passed', 'failed')
CROSS JOIN iterations AS i ON i.id = g.iteration_id AND i.tree IS NOT NULL
GROUP BY 1, 2
HAVING count(DISTINCT g.status) > 1;

CREATE TEMP VIEW IF NOT EXISTS made_run_parts AS
SELECT i.run_id, 'gate:' || j.name AS part
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
UNION
SELECT i.run_id, 'adapter:' || s.adapter
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id;

CREATE TEMP VIEW IF NOT EXISTS made_run_totals AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.part, d.status, d.iterations, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, p.part, f.status, f.iterations, count(*) AS runs
    FROM (SELECT r.id AS run_id, '' AS part FROM runs AS r UNION ALL SELECT a.run_id, a.part FROM run_parts AS a) AS p
    CROSS JOIN run_facts AS f ON f.run_id = p.run_id
    GROUP BY 1, 2, 3, 4, 5
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5;

CREATE TEMP VIEW IF NOT EXISTS made_run_times AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.part, d.took_ms, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, p.part, f.took_ms, count(*) AS runs
    FROM (SELECT r.id AS run_id, '' AS part FROM runs AS r UNION ALL SELECT a.run_id, a.part FROM run_parts AS a) AS p
    CROSS JOIN run_facts AS f ON f.run_id = p.run_id
    WHERE f.took_ms IS NOT NULL
    GROUP BY 1, 2, 3, 4
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4;

CREATE TEMP VIEW IF NOT EXISTS made_event_totals AS
SELECT CASE b.n WHEN 10 THEN d.day WHEN 11 THEN 'W' || date(d.day, '-6 days', 'weekday 1')
    ELSE 'R' || d.run_id || 'W' || date(d.day, '-6 days', 'weekday 1') END AS bucket,
  d.repository_id, d.job_id, d.adapter, d.status, sum(CASE b.n WHEN 10 THEN d.counts & 4294967295 ELSE d.counts >> 32 END) AS violations
FROM (
  SELECT r.id AS run_id, r.repository_id, w.job_id, w.adapter, json_extract(c.value, '$[0]') AS day, json_extract(c.value, '$[1]') AS status,
    json_extract(c.value, '$[3]') AS counts
  FROM runs AS r
  CROSS JOIN json_each((
    SELECT json_group_array(json_array(k.day, k.status, k.violation_id, k.counts))
    FROM (
      SELECT substr(e.at, 1, 10) AS day, e.status, min(v.id) AS violation_id, sum(CASE
          WHEN e.number <= 2 THEN 4294967297
          WHEN NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
            AND p.status = e.status AND date(p.at, '-6 days', 'weekday 1') = date(e.at, '-6 days', 'weekday 1')) THEN 4294967297
          ELSE NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
            AND p.status = e.status AND substr(p.at, 1, 10) = substr(e.at, 1, 10))
        END) AS counts
      FROM violations AS v
      CROSS JOIN events AS e ON e.violation_id = v.id
      WHERE v.run_id = r.id
      GROUP BY e.status, 1, v.job_id, v.adapter
    ) AS k)) AS c
  CROSS JOIN violations AS w ON w.id = json_extract(c.value, '$[2]')
) AS d
CROSS JOIN (SELECT 10 AS n UNION ALL SELECT 11 UNION ALL SELECT 12) AS b
GROUP BY 1, 2, 3, 4, 5;
