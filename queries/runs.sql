-- name: SetSessionRef :execrows
UPDATE runs SET session_ref = @session_ref WHERE id = @id AND session_ref IS NULL;

-- name: MoveBase :execrows
UPDATE runs SET base = @base, base_ref = @base_ref WHERE id = @id;

-- name: InsertRun :execlastid
INSERT INTO runs (ulid, kind, repository_id, worktree_name, worktree, log_dir, branch, base_ref, base, head, subject, config_hash, status, started_at)
VALUES (@ulid, @kind, @repository_id, @worktree_name, @worktree, @log_dir, @branch, @base_ref, @base, @head, @subject, @config_hash, @status, @started_at);

-- The bases and configurations with which runs that have ended looked at a tree.
-- name: ComparisonsOfTree :many
SELECT DISTINCT r.base, CAST(coalesce(i.config_hash, r.config_hash) AS TEXT) AS config_hash FROM runs AS r JOIN iterations AS i ON i.run_id = r.id
WHERE i.tree = CAST(@tree AS TEXT) AND r.config_hash IS NOT NULL AND r.finished_at IS NOT NULL
ORDER BY 1, 2;

-- What keeps other runs from resting on a run that passed: skips that were not made by a person,
-- findings that their reporters withdrew, and filtered reports of high or critical priority that
-- nobody took up.
-- name: DoubtsOfRun :one
SELECT
  (SELECT count(*) FROM violations AS v
   WHERE v.run_id = @run_id AND v.status = 'skipped'
     AND (SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.number DESC LIMIT 1) <> 'human') AS skipped,
  (SELECT count(*) FROM violations AS w WHERE w.run_id = @run_id AND w.status = 'withdrawn') AS withdrawn,
  (SELECT count(*) FROM iterations AS i
   JOIN slots AS s ON s.iteration_id = i.id AND s.out_of_diff + s.below_threshold + s.malformed > 0
   JOIN reports AS p ON p.slot_id = s.id AND p.disposition IN ('out_of_diff', 'below_threshold', 'malformed')
   WHERE i.run_id = @run_id AND p.priority IN ('critical', 'high') AND p.violation_id IS NULL) AS dropped;

-- name: CloseRun :execrows
UPDATE runs SET finished_at = @finished_at WHERE id = @id AND finished_at IS NULL;

-- Every transaction that touches a run updates its revision and its number of iterations.
-- name: TouchRun :exec
UPDATE runs
SET revision = revision + 1,
    iterations = (SELECT count(*) FROM iterations AS i WHERE i.run_id = runs.id AND i.status <> 'running')
WHERE id = @id;

-- Updates the counts of a run that its events have changed.
-- name: CountViolations :exec
UPDATE runs
SET (verified, skipped, claimed, withdrawn, open) = (
  SELECT count(*) FILTER (WHERE v.status = 'verified'), count(*) FILTER (WHERE v.status = 'skipped'), count(*) FILTER (WHERE v.status = 'fixed'),
    count(*) FILTER (WHERE v.status = 'withdrawn'), count(*) FILTER (WHERE v.open = 1)
  FROM violations AS v WHERE v.run_id = runs.id)
WHERE id = @id;

-- The removal of prompts, answers, logs and excerpts of runs that ended before a time.

-- name: RunsWithContent :many
SELECT id FROM runs WHERE finished_at < @before AND content_removed_at IS NULL ORDER BY id;

-- name: RemoveGateExcerpts :exec
UPDATE gates SET excerpt = NULL
WHERE excerpt IS NOT NULL AND iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.run_id = @run_id);

-- A run that was reopened in the meantime keeps its content.
-- name: NoteContentRemoved :execrows
UPDATE runs SET content_removed_at = @at WHERE id = @id AND finished_at < @before AND content_removed_at IS NULL;

-- Deletes the blobs that nothing refers to any more, and returns their compressed sizes.
-- name: DeleteUnnamedBlobs :many
DELETE FROM blobs WHERE id NOT IN (
  SELECT blob_id FROM slot_blobs UNION ALL SELECT blob_id FROM gate_blobs
  UNION ALL SELECT blob_id FROM report_excerpts UNION ALL SELECT blob_id FROM event_hunks)
RETURNING CAST(length(data) AS INTEGER) AS size;
