-- What a push counts, and what it marks.

-- The plans of a connection are kept. While a first push fills the tables, the planner does not know
-- how large they become, so the statements that follow must use indexes.
-- name: go by indexes
SELECT set_config(o.name, 'off', true) FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']) AS o (name);

-- Events are looked up by their violations, because there are millions of events with a status.
-- name: mark reopened
UPDATE violation AS v SET reopened = NOT v.reopened
WHERE v.run = ANY (@runs::text[])
  AND v.reopened <> EXISTS (SELECT 1 FROM event AS e WHERE e.violation = v.id AND e.status || '' = 'reopened');

-- name: mark events
UPDATE event AS e SET said_before = m.at
FROM (
  SELECT o.violation, o.number, o.said_before, lag(o.at) OVER (PARTITION BY o.violation, o.status ORDER BY o.at, o.number) AS at
  FROM event AS o WHERE o.run = ANY (@runs::text[])
) AS m
WHERE e.violation = m.violation AND e.number = m.number AND m.said_before IS DISTINCT FROM m.at;

-- name: name runs
UPDATE run AS r SET jobs = m.jobs, adapters = m.adapters
FROM (
  SELECT n.run, ARRAY(SELECT DISTINCT g.job FROM gate AS g WHERE g.run = n.run ORDER BY g.job) AS jobs,
    ARRAY(SELECT DISTINCT s.adapter FROM slot AS s WHERE s.run = n.run ORDER BY s.adapter) AS adapters
  FROM unnest(@runs::text[]) AS n (run)
) AS m
WHERE r.id = m.run AND (r.jobs <> m.jobs OR r.adapters <> m.adapters);

-- name: contributions
SELECT c.run, c.branch, c.counts FROM contribution AS c WHERE c.run = ANY (@runs::text[]);

-- name: repositories
SELECT p.id, p.kind, p.key FROM repository AS p;

-- In how many runs each line occurs, if it recurs. For a line that does not, another run that has it,
-- besides these runs.
-- name: lines
SELECT w.key, coalesce(l.runs, 0), coalesce(o.run, '')
FROM unnest(@keys::text[], @fingerprints::text[], @repositories::bigint[]) AS w (key, fingerprint, repository)
LEFT JOIN recurring_line AS l ON l.fingerprint = w.fingerprint AND l.repository = w.repository
LEFT JOIN LATERAL (
  SELECT v.run FROM violation AS v
  WHERE v.fingerprint = w.fingerprint AND v.repository = w.repository AND v.run <> ALL (@runs::text[]) LIMIT 1
) AS o ON coalesce(l.runs, 0) < 2;

-- name: runs of lines
SELECT DISTINCT v.run
FROM unnest(@fingerprints::text[], @repositories::bigint[]) AS w (fingerprint, repository)
JOIN violation AS v ON v.fingerprint = w.fingerprint AND v.repository = w.repository;

-- name: records
SELECT r.id, p.kind, p.key, d.data
FROM run AS r
JOIN repository AS p ON p.id = r.repository
JOIN record AS d ON d.run = r.id
WHERE r.id = ANY (@runs::text[]);

-- name: put contributions
INSERT INTO contribution (run, branch, counts)
SELECT n.run, n.branch, n.counts FROM unnest(@runs::text[], @branches::text[], @counts::bytea[]) AS n (run, branch, counts)
ON CONFLICT (run) DO UPDATE SET branch = excluded.branch, counts = excluded.counts;

-- name: put days
INSERT INTO contribution_day (day, run)
SELECT n.day, n.run FROM unnest(@days::text[], @runs::text[]) AS n (day, run)
ON CONFLICT (day, run) DO NOTHING;

-- Only one push writes at a time, so no text is inserted twice.
-- name: put texts
INSERT INTO figure_text (text)
SELECT n.text FROM unnest(@texts::text[]) AS n (text)
WHERE NOT EXISTS (SELECT 1 FROM figure_text AS t WHERE t.text = n.text);

-- Repositories and keys are positions in the list of texts.
-- name: add figures
INSERT INTO figure AS f (measure, bucket, repository, key, n)
SELECT n.measure::measure, n.bucket, coalesce(t.ids[n.repository], 0), t.ids[n.key], n.n
FROM (
  SELECT array_agg(t.id ORDER BY w.position) AS ids
  FROM unnest(@texts::text[]) WITH ORDINALITY AS w (text, position)
  JOIN figure_text AS t ON t.text = w.text
) AS t
CROSS JOIN unnest(@measures::text[], @buckets::text[], @repositories::integer[], @keys::integer[], @numbers::bigint[])
  AS n (measure, bucket, repository, key, n)
ON CONFLICT (measure, bucket, repository, key) DO UPDATE SET n = f.n + excluded.n;

-- name: set lines
INSERT INTO recurring_line AS l (fingerprint, repository, runs)
SELECT n.fingerprint, n.repository, n.n
FROM unnest(@fingerprints::text[], @repositories::bigint[], @numbers::bigint[]) AS n (fingerprint, repository, n)
ON CONFLICT (fingerprint, repository) DO UPDATE SET runs = excluded.runs;

-- A tree is flaky while a check both passed and failed on it.
-- name: set flaky trees
INSERT INTO figure AS f (measure, bucket, repository, key, n)
SELECT 'flaky', '', 0, t.id, (coalesce(p.n, 0) > 0 AND coalesce(x.n, 0) > 0)::integer
FROM unnest(@keys::text[]) AS w (key)
JOIN figure_text AS t ON t.text = w.key
LEFT JOIN figure AS p ON p.measure = 'trees' AND p.bucket = 'passed' AND p.repository = 0 AND p.key = t.id
LEFT JOIN figure AS x ON x.measure = 'trees' AND x.bucket = 'failed' AND x.repository = 0 AND x.key = t.id
LEFT JOIN figure AS o ON o.measure = 'flaky' AND o.bucket = '' AND o.repository = 0 AND o.key = t.id
WHERE p.n > 0 AND x.n > 0 OR o.n > 0
ON CONFLICT (measure, bucket, repository, key) DO UPDATE SET n = excluded.n;

-- name: all runs
SELECT r.id FROM run AS r WHERE r.id > @after ORDER BY r.id LIMIT @at_most;

-- name: recurring lines
SELECT v.fingerprint, v.repository, p.kind, p.key, count(DISTINCT v.run)
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
WHERE v.fingerprint IS NOT NULL
GROUP BY 1, 2, 3, 4
HAVING count(DISTINCT v.run) > 1;

-- name: empty figures
TRUNCATE contribution_day, contribution, figure, figure_text, recurring_line;

-- name: figures are made
UPDATE meta SET figures = @version;

-- name: analyze figures
ANALYZE contribution, contribution_day, figure, figure_text, recurring_line;
