-- name: InsertIteration :execlastid
INSERT INTO iterations (run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, branch, base, anew, config_hash, status, started_at, finished_at)
VALUES (@run_id, @number, @mode, @source, @from_tree, @to_tree, @snapshot, @tree, @head, @branch, @base, @anew, @config_hash, @status, @started_at, @finished_at);

-- name: CountIteration :exec
UPDATE iterations
SET (new, reopened, verified, carried) = (
      SELECT coalesce(sum(s.new), 0), coalesce(sum(s.reopened), 0), coalesce(sum(s.verified), 0), coalesce(sum(s.carried), 0)
      FROM slots AS s WHERE s.iteration_id = iterations.id),
    in_fix_lines = (SELECT count(*) FROM violations AS v
                    WHERE v.run_id = iterations.run_id AND v.first_iteration = iterations.number AND v.in_fix_lines = 1)
WHERE id = @id;

-- Counts the answers to the latest iteration. The counts stay as they are when the next one begins.
-- name: CountAnswers :exec
UPDATE iterations
SET (claimed, skipped) = (
  SELECT count(*) FILTER (WHERE v.status = 'fixed'), count(*) FILTER (WHERE v.status = 'skipped')
  FROM violations AS v WHERE v.run_id = iterations.run_id AND v.answered_iteration = iterations.number)
WHERE run_id = @run_id AND number = (SELECT max(l.number) FROM iterations AS l WHERE l.run_id = @run_id);

-- What is still running of an iteration: its slots, its gates, and then itself.
-- name: RunningParts :many
SELECT CAST(s.id AS INTEGER) AS slot, CAST(0 AS INTEGER) AS gate FROM slots AS s WHERE s.iteration_id = @id AND s.status = 'running'
UNION ALL
SELECT 0, g.id FROM gates AS g WHERE g.iteration_id = @id AND g.status = 'running'
UNION ALL
SELECT 0, 0 FROM iterations AS i WHERE i.id = @id AND i.status = 'running'
ORDER BY 1 DESC, 2 DESC;

-- name: ForgetTree :execrows
UPDATE iterations SET tree = NULL WHERE id = @id AND status = 'running';
