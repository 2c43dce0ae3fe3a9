-- Totals are kept by triggers. They are made anew where runs come to another repository,
-- and checked.

-- Whether the runs of a former repository have all gone to another one, which had no
-- totals before.
-- name: RenamesRepository :one
SELECT CAST(NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.repository_id = @former_id)
  AND NOT EXISTS (SELECT 1 FROM file_totals AS f WHERE f.repository_id = @repository_id)
  AND NOT EXISTS (SELECT 1 FROM violation_totals AS v WHERE v.bucket = '' AND v.repository_id = @repository_id)
  AND NOT EXISTS (SELECT 1 FROM slot_totals AS s WHERE s.bucket = '' AND s.repository_id = @repository_id)
  AND NOT EXISTS (SELECT 1 FROM check_totals AS c WHERE c.bucket = '' AND c.repository_id = @repository_id) AS INTEGER) AS renames;

-- name: RenameViolationTotals :exec
UPDATE violation_totals SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameFileTotals :exec
UPDATE file_totals SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameRecurringLines :exec
UPDATE recurring_lines SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameSlotTotals :exec
UPDATE slot_totals SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameSlotTimes :exec
UPDATE slot_times SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameCheckTotals :exec
UPDATE check_totals SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: RenameEventTotals :exec
UPDATE event_totals SET repository_id = @repository_id WHERE repository_id = @former_id;

-- name: ForgetViolationTotals :exec
DELETE FROM violation_totals;

-- name: MakeViolationTotals :exec
INSERT INTO violation_totals SELECT * FROM made_violation_totals;

-- name: ForgetFileTotals :exec
DELETE FROM file_totals;

-- name: MakeFileTotals :exec
INSERT INTO file_totals SELECT * FROM made_file_totals;

-- name: ForgetRecurringLines :exec
DELETE FROM recurring_lines;

-- name: MakeRecurringLines :exec
INSERT INTO recurring_lines SELECT * FROM made_recurring_lines;

-- name: MakeRecurring :exec
UPDATE violations SET recurring = NOT recurring
WHERE recurring <> EXISTS (
  SELECT 1 FROM runs AS r CROSS JOIN recurring_lines AS l ON l.fingerprint = violations.fingerprint AND l.repository_id = r.repository_id
  WHERE r.id = violations.run_id);

-- name: ForgetSlotTotals :exec
DELETE FROM slot_totals;

-- name: MakeSlotTotals :exec
INSERT INTO slot_totals SELECT * FROM made_slot_totals;

-- name: ForgetSlotTimes :exec
DELETE FROM slot_times;

-- name: MakeSlotTimes :exec
INSERT INTO slot_times SELECT * FROM made_slot_times;

-- name: ForgetCheckTotals :exec
DELETE FROM check_totals;

-- name: MakeCheckTotals :exec
INSERT INTO check_totals SELECT * FROM made_check_totals;

-- name: ForgetEventTotals :exec
DELETE FROM event_totals;

-- name: MakeEventTotals :exec
INSERT INTO event_totals SELECT * FROM made_event_totals;

-- What is kept and what is made anew are the same where each row is there twice: all rows
-- are read once.
-- name: WrongTotals :many
SELECT CAST('violations' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM violation_totals AS t WHERE t.violations <> 0 UNION ALL SELECT t.* FROM made_violation_totals AS t WHERE t.violations <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('files' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM file_totals AS t WHERE t.violations <> 0 UNION ALL SELECT t.* FROM made_file_totals AS t WHERE t.violations <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('recurring violations' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM recurring_lines AS t UNION ALL SELECT t.* FROM made_recurring_lines AS t) AS both
  GROUP BY 1, 2, 3, 4 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('slots' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM slot_totals AS t WHERE t.answered + t.errors + t.interrupted + t.skipped <> 0 UNION ALL SELECT t.* FROM made_slot_totals AS t WHERE t.answered + t.errors + t.interrupted + t.skipped <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('the times of slots' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM slot_times AS t WHERE t.slots <> 0 UNION ALL SELECT t.* FROM made_slot_times AS t WHERE t.slots <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('the parts of runs' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM run_parts AS t UNION ALL SELECT t.* FROM made_run_parts AS t) AS both
  GROUP BY 1, 2 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('runs' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM run_totals AS t WHERE t.runs <> 0 UNION ALL SELECT t.* FROM made_run_totals AS t WHERE t.runs <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('the times of runs' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM run_times AS t WHERE t.runs <> 0 UNION ALL SELECT t.* FROM made_run_times AS t WHERE t.runs <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('checks' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM check_totals AS t WHERE t.executions <> 0 UNION ALL SELECT t.* FROM made_check_totals AS t WHERE t.executions <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('events' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM event_totals AS t WHERE t.violations <> 0 UNION ALL SELECT t.* FROM made_event_totals AS t WHERE t.violations <> 0) AS both
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING count(*) <> 2)
UNION ALL
SELECT CAST('flaky checks' AS TEXT) AS total
WHERE EXISTS (
  SELECT both.* FROM (SELECT t.* FROM flaky_trees AS t UNION ALL SELECT t.* FROM made_flaky_trees AS t) AS both
  GROUP BY 1, 2 HAVING count(*) <> 2);

-- The triggers that only keep totals, or the words of search. Two that count are not among
-- them: they also set whether a violation is shared, and whether its run was abandoned.
-- name: CountingTriggers :many
SELECT s.name FROM sqlite_schema AS s
WHERE s.type = 'trigger' AND (s.name GLOB '*_are_counted*' OR s.name GLOB '*_are_searchable')
  AND s.name NOT IN ('violations_are_counted', 'lines_are_counted')
ORDER BY s.name;
