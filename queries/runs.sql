-- name: RunByULID :one
SELECT * FROM runs WHERE ulid = @ulid;

-- name: SetSessionRef :execrows
UPDATE runs SET session_ref = @session_ref WHERE id = @id AND session_ref IS NULL;

-- name: MoveBase :execrows
UPDATE runs SET base = @base, base_ref = @base_ref WHERE id = @id;

-- name: InsertRun :execlastid
INSERT INTO runs (ulid, kind, repository_id, worktree_name, worktree, log_dir, branch, base_ref, base, head, subject, config_hash, status, started_at)
VALUES (@ulid, @kind, @repository_id, @worktree_name, @worktree, @log_dir, @branch, @base_ref, @base, @head, @subject, @config_hash, @status, @started_at);

-- name: OpenRun :one
SELECT * FROM runs
WHERE repository_id = @repository_id AND coalesce(worktree_name, worktree) = CAST(@worktree_name AS TEXT)
  AND log_dir = @log_dir AND kind = @kind AND worktree_name IS NOT NULL AND finished_at IS NULL;

-- An open run of the worktree that began with another log directory.
-- name: OpenRunElsewhere :one
SELECT ulid, log_dir FROM runs
WHERE worktree = @worktree AND log_dir <> @log_dir AND kind = 'gates' AND finished_at IS NULL
  AND (repository_id IN (1, @repository_id) OR CAST(@sole AS INTEGER) = 1 OR ulid = CAST(@begun AS TEXT))
ORDER BY id DESC LIMIT 1;

-- Finds by path the runs whose worktree name is not known, and those whose repository was identified
-- differently when they began: the ledger is of this repository alone (sole), or this checkout began
-- the run (begun). Repository 1 is the unknown one. anywhere: the worktree name does not matter.
-- name: OpenRunByPath :one
SELECT * FROM runs
WHERE worktree = @worktree AND log_dir = @log_dir AND kind = @kind AND finished_at IS NULL
  AND (worktree_name IS NULL OR worktree_name = @worktree_name OR CAST(@anywhere AS INTEGER) = 1)
  AND (repository_id IN (1, @repository_id) OR CAST(@sole AS INTEGER) = 1 OR ulid = CAST(@begun AS TEXT))
ORDER BY id DESC LIMIT 1;

-- The newest runs that passed as a whole with this base and configuration, which is that of the last
-- iteration, or the run with that ULID, if one is given: except those on whose last tree a later run
-- failed with that configuration, unless that run then passed without another iteration. What an iteration
-- found counts even if it was interrupted or ended in error. A run is later if it has a later time or
-- was recorded later, because clocks can be set back.
-- name: PassedRuns :many
SELECT * FROM runs AS r
WHERE r.base = @base AND r.finished_at IS NOT NULL
  AND CASE CAST(@run AS TEXT) WHEN '' THEN CAST(@config_hash AS TEXT) = coalesce(
      (SELECT c.config_hash FROM iterations AS c WHERE c.run_id = r.id ORDER BY c.number DESC LIMIT 1), r.config_hash)
    ELSE r.ulid = CAST(@run AS TEXT) END
  AND r.kind = 'gates' AND r.status IN ('passed', 'passed_with_warnings')
  AND EXISTS (SELECT 1 FROM transitions AS t WHERE t.run_id = r.id AND t.subject = 'run' AND t.cause = 'passed_whole')
  AND NOT EXISTS (
    SELECT 1 FROM iterations AS p
    JOIN iterations AS f ON f.tree = p.tree AND (f.status IN ('failed', 'retry_limit_exceeded') OR EXISTS (
      SELECT 1 FROM gates AS g LEFT JOIN slots AS s ON s.iteration_id = g.iteration_id AND s.job_id = g.job_id
      WHERE g.iteration_id = f.id AND (g.status = 'failed' OR s.accepted > 0)))
    JOIN runs AS l ON l.id = f.run_id AND (l.ulid > r.ulid OR l.id > r.id) AND l.kind = r.kind
      AND coalesce(f.base, l.base) = r.base
      AND coalesce(f.config_hash, l.config_hash) = coalesce(p.config_hash, r.config_hash)
    WHERE p.run_id = r.id AND p.number = (SELECT max(n.number) FROM iterations AS n WHERE n.run_id = r.id)
      AND (l.status NOT IN ('passed', 'passed_with_warnings')
        OR f.number < (SELECT max(n.number) FROM iterations AS n WHERE n.run_id = l.id)))
ORDER BY r.id DESC LIMIT 50;

-- The bases and configurations with which runs that have ended looked at a tree.
-- name: ComparisonsOfTree :many
SELECT DISTINCT r.base, CAST(coalesce(i.config_hash, r.config_hash) AS TEXT) AS config_hash FROM runs AS r JOIN iterations AS i ON i.run_id = r.id
WHERE i.tree = CAST(@tree AS TEXT) AND r.config_hash IS NOT NULL AND r.finished_at IS NOT NULL
ORDER BY 1, 2;

-- The newest finished run in a place: the one that this ledger recorded last, whatever the clock said.
-- Imported runs come before those recorded here; among them, time decides. Other repositories that were
-- at the same path do not count.
-- name: LastRun :one
SELECT * FROM runs AS r
WHERE r.worktree = @worktree AND r.log_dir = @log_dir AND r.kind = @kind AND r.finished_at IS NOT NULL
  AND (r.repository_id IN (1, @repository_id) OR CAST(@sole AS INTEGER) = 1)
ORDER BY r.imported, CASE WHEN r.imported = 1 THEN r.started_at END DESC, r.id DESC LIMIT 1;

-- The newest finished run of a branch in a place, in the same order. A run that passed with only checks is left out: it
-- says nothing about what reviewers have seen.
-- name: LastReviewed :one
SELECT * FROM runs AS r
WHERE r.worktree = @worktree AND r.log_dir = @log_dir AND r.kind = 'gates' AND r.branch = CAST(@branch AS TEXT) AND r.finished_at IS NOT NULL
  AND (r.repository_id IN (1, @repository_id) OR CAST(@sole AS INTEGER) = 1)
  AND (r.status NOT IN ('passed', 'passed_with_warnings') OR EXISTS (
    SELECT 1 FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id AND g.num_reviews > 0 WHERE i.run_id = r.id))
ORDER BY r.imported, CASE WHEN r.imported = 1 THEN r.started_at END DESC, r.id DESC LIMIT 1;

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

-- name: RunByID :one
SELECT * FROM runs WHERE id = @id;

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
