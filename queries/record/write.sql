-- Writes a record of a run. A parameter is a key of the row (see read.sql), or the id in this ledger
-- of what the row refers to or of the row itself, such as @slot_id. These ids are looked up once for
-- all violations, reports, events and entries of slots, which are by far the most rows.

-- For rows whose columns are all such parameters, and whose table has their name in the plural.
-- name: add row
INSERT INTO @table (@columns) VALUES (@values);

-- Adds a row that does not belong to a run, unless it exists.
-- name: ensure row
INSERT INTO @table (@columns) VALUES (@values) ON CONFLICT DO NOTHING;

-- A record refers to a long text by its hash.
-- name: value of blob_id
(SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256);

-- name: change row
UPDATE @table SET (@columns) = (@values) WHERE id = @row_id;

-- name: read columns
SELECT c.name FROM pragma_table_info(@of) AS c;

-- name: add run
INSERT INTO runs (ulid, kind, worktree, log_dir, branch, base_ref, base, head, subject, session_ref, status, started_at, finished_at,
  iterations, verified, skipped, open, claimed, withdrawn, repository_id, worktree_name, config_hash, content_removed_at, revision, imported)
VALUES (@run, @kind, @worktree, @log_dir, @branch, @base_ref, @base, @head, @subject, @session_ref, @status, @started_at, @finished_at,
  @iterations, @verified, @skipped, @open, @claimed, @withdrawn, @repository_id, @worktree_name, @config_hash, @content_removed_at, @revision, 1);

-- What may change in a run that is open, or in a code review. A closed run of gates never changes.
-- name: change run
UPDATE runs
SET base = @base, base_ref = @base_ref, session_ref = @session_ref, status = @status, finished_at = @finished_at, iterations = @iterations, verified = @verified,
  skipped = @skipped, open = @open, claimed = @claimed, withdrawn = @withdrawn, revision = max(revision + 1, @revision)
WHERE id = @run_id AND (finished_at IS NULL OR kind = 'code_review');

-- Sets the recorded status and end of a run after adding its transitions, which set the status.
-- name: end run
UPDATE runs SET status = @status, finished_at = @finished_at WHERE id = @run_id;

-- The other columns are written after the transitions have set the status.
-- name: add slot
INSERT INTO slots (iteration_id, job_id, review_index, adapter, status, pass_iteration, finished_at, noticed_at)
VALUES (@iteration_id, @job_id, @slot, @adapter, @status, @pass_iteration, @finished_at, @noticed_at);

-- Adds a violation as it began: its events and reports set the rest.
-- name: add violation
INSERT INTO violations (ulid, run_id, job_id, status, status_at, short_id, slot, adapter, file, priority, first_iteration,
  last_iteration, fingerprint, first_seen, last_seen, seen_before, handed_to, block, moved_in, abandoned)
VALUES (@violation, @run_id, @job_id, 'new', @first_seen, @short_id, @slot, @adapter, @file, @priority, @first_iteration,
  @last_iteration, @fingerprint, @first_seen, @last_seen, @seen_before, @handed_to, @block, @moved_in,
  (SELECT r.status = 'abandoned' FROM runs AS r WHERE r.id = @run_id));

-- Events and reports set the rest here, too, except for a priority that fell while the violation was
-- not open, because a record has all reports before all events, and one that a duplicate raised.
-- name: change violation
UPDATE violations SET last_iteration = @last_iteration, last_seen = @last_seen, priority = @priority, block = @block, handed_to = @handed_to, file = @file, moved_in = @moved_in WHERE id = @violation_id;

-- The report is taken up.
-- name: change report
UPDATE reports SET violation_id = @violation_id WHERE id = @report_id AND violation_id IS NULL AND @violation_id IS NOT NULL;

-- name: change slot_entry
UPDATE slot_entries SET status = @status, result = @result WHERE slot_id = @slot_id AND position = @position;

-- name: change finding
UPDATE findings SET exported = @exported WHERE violation_id = @violation_id;

-- name: add meta
INSERT INTO meta (key, value) VALUES (@key, @value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;
