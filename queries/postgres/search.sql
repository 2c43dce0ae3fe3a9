-- Full-text search over reports. Results are newest first: by the time of the answer, then by key.

-- The matching reports among the newest ones, or among the newest after a key. This finds a word that
-- many reports contain.
-- name: MatchingRecent :many
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.violation, r.disposition, r.at, r.title, r.issue, r.fix, r.result
FROM (
  SELECT n.* FROM report AS n
  WHERE sqlc.narg(before_run)::text IS NULL OR (n.at, n.run, n.iteration, n.job, n.slot, n.position)
    < (@before_at::timestamptz, sqlc.narg(before_run)::text, @before_iteration::bigint, @before_job::text, @before_slot::bigint, @before_position::bigint)
  ORDER BY n.at DESC, n.run DESC, n.iteration DESC, n.job DESC, n.slot DESC, n.position DESC
  LIMIT @newest::bigint
) AS r
WHERE r.words @@ (@query::text)::tsquery
ORDER BY r.at DESC, r.run DESC, r.iteration DESC, r.job DESC, r.slot DESC, r.position DESC
LIMIT @at_most::bigint;

-- The latest days with reports, as day_number numbers them, newest first; with a time, only the days
-- up to it.
-- name: DaysOfReports :many
WITH RECURSIVE days AS (
  (SELECT (day_number(r.at))[1] AS day, 1 AS number FROM report AS r
   WHERE sqlc.narg(until)::timestamptz IS NULL OR r.at <= sqlc.narg(until)::timestamptz
   ORDER BY r.at DESC LIMIT 1)
  UNION ALL
  SELECT o.day, d.number + 1
  FROM days AS d
  CROSS JOIN LATERAL (
    SELECT (day_number(r.at))[1] AS day FROM report AS r WHERE r.at < day_begin(d.day) ORDER BY r.at DESC LIMIT 1
  ) AS o
  WHERE d.number < @at_most::integer
)
SELECT d.day::integer AS day FROM days AS d ORDER BY d.number;

-- The newest matching reports: only those after a key, and only those of some days, if these are
-- given. All matches are first looked up by words and days, because the planner cannot know how many
-- match a prefix. Of a query with prefixes, only the indexed part is looked up: an empty vector is
-- appended to the words of what was found, so that the whole query cannot use the index.
-- name: MatchingReports :many
WITH found AS MATERIALIZED (
  SELECT m.run, m.iteration, m.job, m.slot, m.position, m.at FROM report AS m
  WHERE m.words @@ (@indexed::text)::tsquery AND (@indexed::text = @query::text OR m.words || ''::tsvector @@ (@query::text)::tsquery)
    AND (sqlc.narg(days)::integer[] IS NULL OR day_number(m.at) && sqlc.narg(days)::integer[])
), newest AS MATERIALIZED (
  SELECT f.run, f.iteration, f.job, f.slot, f.position FROM found AS f
  WHERE sqlc.narg(before_run)::text IS NULL OR (f.at, f.run, f.iteration, f.job, f.slot, f.position)
    < (@before_at::timestamptz, sqlc.narg(before_run)::text, @before_iteration::bigint, @before_job::text, @before_slot::bigint, @before_position::bigint)
  ORDER BY f.at DESC, f.run DESC, f.iteration DESC, f.job DESC, f.slot DESC, f.position DESC
  LIMIT @at_most::bigint
)
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.violation, r.disposition, r.at, r.title, r.issue, r.fix, r.result
FROM newest AS w
JOIN report AS r ON r.run = w.run AND r.iteration = w.iteration AND r.job = w.job AND r.slot = w.slot AND r.position = w.position
ORDER BY r.at DESC, r.run DESC, r.iteration DESC, r.job DESC, r.slot DESC, r.position DESC;

-- The matching reports of some violations. OFFSET keeps all other matches from being looked up in the
-- index of words.
-- name: MatchingReportsOf :many
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.violation, r.disposition, r.at, r.title, r.issue, r.fix, r.result
FROM (SELECT o.* FROM report AS o WHERE o.violation = ANY (@violations::text[])
  AND o.disposition IN ('accepted', 'out_of_diff', 'below_threshold', 'malformed') OFFSET 0) AS r
WHERE r.words @@ (@query::text)::tsquery;

-- The newest discarded reports, and which of them match. If runs are given, only those of the runs.
-- name: NewestDiscards :many
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.violation, r.disposition, r.at, r.title, r.issue, r.fix, r.result,
  (r.words @@ (@query::text)::tsquery)::boolean AS matches
FROM report AS r
WHERE r.disposition <> 'accepted' AND (sqlc.narg(runs)::text[] IS NULL OR r.run = ANY (sqlc.narg(runs)::text[]))
ORDER BY r.at DESC, r.run DESC, r.iteration DESC, r.job DESC, r.slot DESC, r.position DESC
LIMIT @at_most::bigint;

-- Runs of a branch. The caller asks for one more than it can use, to see whether there are too many.
-- name: RunsOfBranch :many
SELECT r.id FROM run AS r WHERE r.branch = @branch::text LIMIT @at_most::bigint;

-- Discarded reports by the parts of their keys.
-- name: DiscardsByKey :many
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.file, r.line_start, r.line_end, r.issue, r.fix, r.priority, r.disposition,
  r.reason, r.in_fix_lines, s.adapter, s.ended_at, j.entry_point, j.name AS gate, u.branch, v.short_id, mv.short_id AS met_short_id,
  r.also, r.short_id AS report_id
FROM (SELECT unnest(@runs::text[]) AS run, unnest(@iterations::bigint[]) AS iteration, unnest(@jobs::text[]) AS job,
        unnest(@slots::bigint[]) AS slot, unnest(@positions::bigint[]) AS position) AS w
JOIN report AS r ON r.run = w.run AND r.iteration = w.iteration AND r.job = w.job AND r.slot = w.slot AND r.position = w.position
  AND r.disposition <> 'accepted'
JOIN slot AS s ON s.run = r.run AND s.iteration = r.iteration AND s.job = r.job AND s.slot = r.slot
JOIN job AS j ON j.job = r.job
JOIN run AS u ON u.id = r.run
LEFT JOIN violation AS v ON v.id = r.violation
LEFT JOIN met_skip AS m ON m.run = r.run AND m.iteration = r.iteration AND m.job = r.job AND m.slot = r.slot AND m.position = r.position
LEFT JOIN violation AS mv ON mv.id = m.violation
WHERE (sqlc.narg(model)::text IS NULL OR coalesce(s.model, 'unknown') = sqlc.narg(model)::text)
  AND among(u.repository, sqlc.narg(repositories)::bigint[]);

-- The newest matching notes of slots.
-- name: MatchingNotes :many
SELECT s.run, s.iteration, s.job, s.slot, s.adapter, s.ended_at, s.notes, j.entry_point, j.name AS gate, u.branch
FROM slot AS s
JOIN job AS j ON j.job = s.job
JOIN run AS u ON u.id = s.run
WHERE s.note_words IS NOT NULL AND s.note_words @@ (@query::text)::tsquery
  AND among(s.run, sqlc.narg(runs)::text[]) AND among(s.job, sqlc.narg(jobs)::text[])
  AND among(u.repository, sqlc.narg(repositories)::bigint[])
  AND (sqlc.narg(branch)::text IS NULL OR u.branch = sqlc.narg(branch)::text)
  AND (sqlc.narg(adapter)::text IS NULL OR s.adapter = sqlc.narg(adapter)::text)
  AND (sqlc.narg(model)::text IS NULL OR coalesce(s.model, 'unknown') = sqlc.narg(model)::text)
  AND (sqlc.narg(slot)::bigint IS NULL OR s.slot = sqlc.narg(slot)::bigint)
  AND (sqlc.narg(iteration)::bigint IS NULL OR s.iteration = sqlc.narg(iteration)::bigint)
  AND within(s.ended_at, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
ORDER BY s.ended_at DESC, s.run DESC, s.iteration DESC, s.job DESC, s.slot DESC
LIMIT sqlc.narg(at_most)::bigint;
