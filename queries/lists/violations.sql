-- The parts from which db.List builds a list of violations: the ids, the conditions that keep a
-- violation, and an order. A parameter for several words or rows is a JSON array.

-- name: ids
SELECT v.id FROM violations AS v;

-- The conditions that keep a violation. In a name that begins with "column", the name of a column of
-- violations takes its place.

-- name: column is
v.{column} = @{column}_is;

-- name: column among
v.{column} IN (SELECT w.value FROM json_each(@{column}_among) AS w);

-- name: column from
v.{column} >= @{column}_from;

-- name: column until
v.{column} < @{column}_until;

-- name: folder
(v.file > @folder || '/' AND v.file < @folder || '0' OR v.file = @folder);

-- name: reasons
v.status = 'skipped' AND coalesce(nullif(v.reason, ''), 'none') IN (SELECT w.value FROM json_each(@reasons) AS w);

-- name: model
coalesce((SELECT s.model FROM iterations AS mi
  JOIN slots AS s ON s.iteration_id = mi.id AND s.job_id = v.job_id AND s.review_index = v.slot
  WHERE mi.run_id = v.run_id AND mi.number = v.first_iteration), 'unknown') = @model;

-- name: open
v.open = 1 AND v.abandoned = 0;

-- name: branch
v.run_id IN (SELECT u.id FROM runs AS u WHERE u.branch = @branch);

-- name: kind
(SELECT u.kind FROM runs AS u WHERE u.id = v.run_id) = @kind;

-- name: worktree
v.run_id IN (SELECT u.id FROM runs AS u WHERE u.worktree = @worktree);

-- name: repositories
(SELECT u.repository_id FROM runs AS u WHERE u.id = v.run_id) IN (SELECT w.value FROM json_each(@repositories) AS w);

-- name: in_fix_lines
v.in_fix_lines = 1;

-- name: recurring
EXISTS (
  SELECT 1 FROM violations AS o JOIN runs AS x ON x.id = o.run_id JOIN runs AS r ON r.id = v.run_id
  WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id AND x.repository_id = r.repository_id);

-- name: event
v.id IN (
  SELECT e.violation_id FROM events AS e
  JOIN iterations AS i ON i.id = e.iteration_id
  WHERE e.status IN (SELECT w.value FROM json_each(@events) AS w)
    AND e.at >= @event_since AND e.at < @event_until
    AND (@event_iteration = 0 OR i.number = @event_iteration)
    -- A skip that was taken back is not one.
    AND (e.status <> 'skipped' OR NOT EXISTS (
      SELECT 1 FROM events AS l WHERE l.violation_id = e.violation_id AND l.number > e.number AND l.status <> 'skipped')));

-- What comes after the last row of the previous page, in the order of this name.

-- name: after newest
v.first_seen <= @after_seen AND (v.first_seen < @after_seen OR v.id < @after_id);

-- name: after oldest
v.first_seen >= @after_seen AND (v.first_seen > @after_seen OR v.id > @after_id);

-- name: after file
v.file >= @after_file AND (v.file > @after_file OR {line} > @after_line
  OR {line} = @after_line AND (v.first_seen < @after_seen OR v.first_seen = @after_seen AND v.id < @after_id));

-- name: after changed
v.status_at <= @after_change AND (v.status_at < @after_change
  OR v.first_seen < @after_seen OR v.first_seen = @after_seen AND v.id < @after_id);

-- name: by newest
ORDER BY v.first_seen DESC, v.id DESC;

-- name: by oldest
ORDER BY v.first_seen, v.id;

-- name: by file
ORDER BY v.file, {line}, v.first_seen DESC, v.id DESC;

-- name: part: line
coalesce((SELECT p.line_start FROM violation_places AS p WHERE p.violation_id = v.id AND p.iteration = v.moved_in AND p.position = 1),
  (SELECT r.line_start FROM reports AS r WHERE r.id = v.report_id));

-- name: by changed
ORDER BY v.status_at DESC, v.first_seen DESC, v.id DESC;

-- name: limit
LIMIT @at_most;
