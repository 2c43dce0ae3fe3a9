-- Lists that answer questions. A parameter that is NULL keeps everything.

-- Violations, sorted by newest, oldest, file or changed, or in any order if it is empty; without
-- evidence if brief is set. With after_run, only those after this key. A flag that is false keeps
-- everything.
-- name: ListViolations :many
SELECT v.id, v.short_id, v.run, v.number, v.job, v.slot, v.adapter, v.file, v.line_start, v.line_end, v.issue, v.fix, v.priority,
  v.first_iteration, v.last_iteration, v.answered_iteration, v.fingerprint, v.status, v.status_by, v.result, v.reason, v.shared,
  v.in_fix_lines, EXISTS (SELECT 1 FROM violation AS o WHERE o.fingerprint = v.fingerprint AND o.repository = v.repository AND o.run <> v.run) AS recurring, v.first_seen, v.last_seen, v.status_at, v.more_slots, v.also, v.seen_before, v.related, v.gone,
  CASE WHEN @brief::boolean THEN '' ELSE coalesce((SELECT json_build_array(w.result, (SELECT c.result FROM event AS c
            WHERE c.violation = w.violation AND c.number < w.number AND c.status IN ('fixed', 'disputed')
            ORDER BY c.number DESC LIMIT 1))::text
            FROM event AS w
            WHERE w.violation = v.id AND w.status = CASE WHEN v.status = 'withdrawn' THEN 'withdrawn' WHEN v.status IN ('new', 'reopened', 'disputed') THEN 'reopened' END
            ORDER BY w.number DESC LIMIT 1), '') END::text AS evidence,
  j.entry_point, j.name AS gate, u.status AS run_status, (u.finished_at IS NULL)::boolean AS run_open
FROM violation AS v
JOIN job AS j ON j.job = v.job
JOIN run AS u ON u.id = v.run
WHERE among(v.id, sqlc.narg(ids)::text[]) AND among(v.run, sqlc.narg(runs)::text[]) AND among(v.job, sqlc.narg(jobs)::text[])
  AND among(v.repository, sqlc.narg(repositories)::bigint[])
  AND (sqlc.narg(branch)::text IS NULL OR v.branch = sqlc.narg(branch)::text)
  AND CASE WHEN sqlc.narg(statuses)::text[] <@ ARRAY['new', 'reopened', 'disputed'] AND sqlc.narg(statuses)::text[] @> ARRAY['new', 'reopened', 'disputed']
    THEN v.status IN ('new', 'reopened', 'disputed') AND NOT v.abandoned ELSE among(v.shown, sqlc.narg(statuses)::text[]) END
  AND among(v.priority, sqlc.narg(priorities)::text[])
  AND (sqlc.narg(reasons)::text[] IS NULL OR v.shown = 'skipped' AND among(coalesce(nullif(v.reason, ''), 'none'), sqlc.narg(reasons)::text[]))
  AND (sqlc.narg(adapter)::text IS NULL OR v.adapter = sqlc.narg(adapter)::text)
  AND (sqlc.narg(model)::text IS NULL OR v.model = sqlc.narg(model)::text)
  AND (sqlc.narg(slot)::bigint IS NULL OR v.slot = sqlc.narg(slot)::bigint)
  AND (sqlc.narg(iteration)::bigint IS NULL OR v.first_iteration = sqlc.narg(iteration)::bigint)
  AND (sqlc.narg(fingerprint)::text IS NULL OR v.fingerprint = sqlc.narg(fingerprint)::text)
  AND among(v.file, sqlc.narg(files)::text[])
  AND (sqlc.narg(folder)::text IS NULL OR v.file >= sqlc.narg(folder)::text AND v.file < sqlc.narg(folder)::text || '0'
    AND (v.file = sqlc.narg(folder)::text OR v.file > sqlc.narg(folder)::text || '/'))
  AND (NOT @alone::boolean OR NOT v.shared)
  AND (NOT @in_fix_lines::boolean OR v.in_fix_lines)
  AND among(v.fingerprint, sqlc.narg(lines)::text[])
  AND (NOT @recurring::boolean OR EXISTS (
    SELECT 1 FROM violation AS o WHERE o.fingerprint = v.fingerprint AND o.repository = v.repository AND o.run <> v.run))
  AND within(v.first_seen, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
  AND within(v.status_at, sqlc.narg(changed_since)::timestamptz, sqlc.narg(changed_until)::timestamptz)
  AND (sqlc.narg(events)::text[] IS NULL OR EXISTS (
    SELECT 1 FROM event AS e
    WHERE e.violation = v.id AND among(e.status, sqlc.narg(events)::text[]) AND within(e.at, sqlc.narg(event_since)::timestamptz, sqlc.narg(event_until)::timestamptz)
      AND (sqlc.narg(event_iteration)::bigint IS NULL OR e.iteration = sqlc.narg(event_iteration)::bigint)))
  AND (sqlc.narg(after_run)::text IS NULL OR CASE @sort::text
    WHEN 'oldest' THEN (v.first_seen, v.run, v.number) > (@after_seen::timestamptz, sqlc.narg(after_run)::text, @after_number::bigint)
    WHEN 'file' THEN (v.file, v.line_start) >= (@after_file::text, @after_line::bigint)
      AND ((v.file, v.line_start) > (@after_file::text, @after_line::bigint)
        OR (v.first_seen, v.run, v.number) < (@after_seen::timestamptz, sqlc.narg(after_run)::text, @after_number::bigint))
    WHEN 'changed' THEN (v.status_at, v.first_seen, v.run, v.number)
      < (@after_change::timestamptz, @after_seen::timestamptz, sqlc.narg(after_run)::text, @after_number::bigint)
    ELSE (v.first_seen, v.run, v.number) < (@after_seen::timestamptz, sqlc.narg(after_run)::text, @after_number::bigint)
  END)
ORDER BY CASE WHEN @sort::text = 'file' THEN v.file END, CASE WHEN @sort::text = 'file' THEN v.line_start END,
  CASE WHEN @sort::text = 'changed' THEN v.status_at END DESC,
  CASE WHEN @sort::text = 'oldest' THEN v.first_seen END, CASE WHEN @sort::text = 'oldest' THEN v.run END,
  CASE WHEN @sort::text = 'oldest' THEN v.number END,
  CASE WHEN @sort::text NOT IN ('', 'oldest') THEN v.first_seen END DESC, CASE WHEN @sort::text NOT IN ('', 'oldest') THEN v.run END DESC,
  CASE WHEN @sort::text NOT IN ('', 'oldest') THEN v.number END DESC
LIMIT sqlc.narg(at_most)::bigint;

-- name: PlaceOfViolation :one
SELECT v.run, v.number FROM violation AS v WHERE v.id = @id::text;

-- Violations that have one of these events in a period. The caller asks for one more than it can
-- use, to see whether there are too many.
-- name: ViolationsWithEvents :many
SELECT DISTINCT f.violation
FROM (SELECT e.violation FROM event AS e
      WHERE among(e.status, @events::text[]) AND within(e.at, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
      LIMIT @at_most::bigint) AS f;

-- One key of the figures of each file, because several repositories may have the file. The eighth
-- part of a key is its first label.
-- name: KeysOfFiles :many
SELECT min(t.text)::text AS key
FROM figure_text AS t
JOIN figure AS f ON f.measure = 'files' AND f.bucket = 'violations' AND f.repository = 0 AND f.key = t.id
WHERE f.n > 0 AND t.text >= @first::text AND t.text < @last::text
GROUP BY split_part(t.text, chr(31), 8)
ORDER BY 1
LIMIT sqlc.narg(at_most)::bigint;

-- name: JobNames :many
SELECT * FROM job ORDER BY job;

-- name: RepositoryRows :many
SELECT * FROM repository ORDER BY id;

-- Looking up one branch after another, in alphabetical order, takes less time than reading all runs.
-- name: BranchNames :many
WITH RECURSIVE known AS (
  (SELECT r.branch AS name FROM run AS r WHERE r.branch IS NOT NULL ORDER BY r.branch LIMIT 1)
  UNION ALL
  SELECT (SELECT r.branch FROM run AS r WHERE r.branch > k.name ORDER BY r.branch LIMIT 1) FROM known AS k WHERE k.name IS NOT NULL
)
SELECT k.name::text AS name FROM known AS k WHERE k.name IS NOT NULL ORDER BY k.name;

-- name: OpenByPriority :many
SELECT v.priority, count(*) AS violations FROM violation AS v WHERE v.status IN ('new', 'reopened', 'disputed') AND NOT v.abandoned GROUP BY 1;

-- The discarded reports of the slots of a period, newest first. With before_run, only those after
-- this key.
-- name: DiscardedReports :many
SELECT r.run, r.iteration, r.job, r.slot, r.position, r.file, r.line_start, r.line_end, r.issue, r.fix, r.priority, r.disposition,
  r.reason, r.in_fix_lines, s.adapter, s.ended_at, j.entry_point, j.name AS gate, u.branch, v.short_id, mv.short_id AS met_short_id,
  r.also, r.short_id AS report_id
FROM slot AS s
JOIN report AS r ON r.run = s.run AND r.iteration = s.iteration AND r.job = s.job AND r.slot = s.slot AND r.disposition <> 'accepted'
JOIN job AS j ON j.job = s.job
JOIN run AS u ON u.id = s.run
LEFT JOIN violation AS v ON v.id = r.violation
LEFT JOIN met_skip AS m ON m.run = r.run AND m.iteration = r.iteration AND m.job = r.job AND m.slot = r.slot AND m.position = r.position
LEFT JOIN violation AS mv ON mv.id = m.violation
WHERE s.ended_at IS NOT NULL
  AND s.out_of_diff + s.below_threshold + s.previously_skipped + s.remembered_skip + s.malformed + s.merged + s.outside_verify > 0
  AND within(s.ended_at, sqlc.narg(since)::timestamptz, sqlc.narg(until)::timestamptz)
  AND (sqlc.narg(run)::text IS NULL OR s.run = sqlc.narg(run)::text)
  AND among(r.disposition, sqlc.narg(dispositions)::text[])
  AND among(r.priority, sqlc.narg(priorities)::text[])
  AND among(s.job, sqlc.narg(jobs)::text[])
  AND (sqlc.narg(adapter)::text IS NULL OR s.adapter = sqlc.narg(adapter)::text)
  AND (sqlc.narg(model)::text IS NULL OR coalesce(s.model, 'unknown') = sqlc.narg(model)::text)
  AND among(u.repository, sqlc.narg(repositories)::bigint[])
  AND (sqlc.narg(branch)::text IS NULL OR u.branch = sqlc.narg(branch)::text)
  AND (sqlc.narg(iteration)::bigint IS NULL OR s.iteration = sqlc.narg(iteration)::bigint)
  AND (sqlc.narg(slot)::bigint IS NULL OR s.slot = sqlc.narg(slot)::bigint)
  AND (sqlc.narg(first_file)::text IS NULL OR r.file >= sqlc.narg(first_file)::text AND r.file < @last_file::text)
  AND (sqlc.narg(before_run)::text IS NULL
    OR (s.ended_at, s.run, s.iteration, s.job, s.slot)
      <= (@before_at::timestamptz, sqlc.narg(before_run)::text, @before_iteration::bigint, @before_job::text, @before_slot::bigint)
    AND ((s.ended_at, s.run, s.iteration, s.job, s.slot)
      < (@before_at::timestamptz, sqlc.narg(before_run)::text, @before_iteration::bigint, @before_job::text, @before_slot::bigint)
      OR r.position > @before_position::bigint))
ORDER BY s.ended_at DESC, s.run DESC, s.iteration DESC, s.job DESC, s.slot DESC, r.position
LIMIT sqlc.narg(at_most)::bigint;
