-- Full-text search. The rowid of report_words is the id of a report. A report is as old as the answer
-- that contains it.

-- The newest matching reports, as a JSON array of ids.
-- name: MatchingReports :one
SELECT CAST(coalesce(json_group_array(found.id), '[]') AS TEXT) AS ids
FROM (
  SELECT CAST(coalesce(w.rowid, 0) AS INTEGER) AS id
  FROM report_words AS w
  WHERE w.report_words MATCH CAST(@query AS TEXT) AND w.rowid < CAST(@before AS INTEGER)
  ORDER BY w.rowid DESC
  LIMIT CAST(@at_most AS INTEGER)
) AS found;

-- name: TextsOfReports :many
SELECT r.id, r.issue, r.fix, r.title, v.result, CAST(coalesce(s.ended_at, '') AS TEXT) AS at
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN reports AS r ON r.id = wanted.value
JOIN slots AS s ON s.id = r.slot_id
LEFT JOIN violations AS v ON v.id = r.violation_id AND v.report_id = r.id;

-- name: ViolationsOfReports :many
SELECT r.id, r.violation_id, r.counts
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN reports AS r ON r.id = wanted.value;

-- name: AcceptedReports :many
SELECT r.id, r.violation_id
FROM json_each(CAST(@violations AS TEXT)) AS wanted
JOIN reports AS r ON r.violation_id = wanted.value AND r.counts = 1;

-- name: NewestDiscards :many
SELECT r.id FROM reports AS r
WHERE r.disposition <> 'accepted'
ORDER BY r.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- Discarded reports, in the order of the list of ids.
-- name: DiscardedReportsByID :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter, s.ended_at, j.job, j.entry_point, j.name,
  u.ulid AS run, u.branch, u.worktree, v.short_id, v.ulid, mv.short_id AS met_short_id
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN reports AS r ON r.id = wanted.value AND r.disposition <> 'accepted'
JOIN slots AS s ON s.id = r.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS u ON u.id = i.run_id
LEFT JOIN violations AS v ON v.id = r.violation_id
LEFT JOIN met_skips AS m ON m.report_id = r.id
LEFT JOIN violations AS mv ON mv.ulid = m.skipped
WHERE (CAST(@model AS TEXT) = '' OR coalesce(s.model, 'unknown') = CAST(@model AS TEXT))
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
ORDER BY wanted.key;

-- The newest report and the last indexed one: reports between them are not in the index of words yet.
-- name: ReportsToIndex :one
SELECT CAST(coalesce((SELECT max(r.id) FROM reports AS r), 0) AS INTEGER) AS newest, x.report_id AS done FROM search_index AS x;

-- name: SetIndexed :exec
UPDATE search_index SET report_id = @report_id;

-- name: IndexReports :exec
INSERT INTO report_words (rowid, issue, fix, title, result)
SELECT r.id, r.issue, r.fix, r.title, v.result
FROM reports AS r
LEFT JOIN violations AS v ON v.id = r.violation_id AND v.report_id = r.id
WHERE r.id > CAST(@after AS INTEGER) AND r.id <= CAST(@upto AS INTEGER);

-- The ids of removed reports are reused for new ones, which must be indexed too.
-- name: ForgetIndexed :exec
UPDATE search_index SET report_id = min(report_id, coalesce((SELECT max(r.id) FROM reports AS r), 0));
