-- A record of a run is written with these. A parameter is a key of the row (see read.sql),
-- or the row in this ledger of what it refers to, or is itself: @slot_id of a slot. A row whose
-- columns are such parameters is only listed, and "add" inserts it.

-- name: add run
INSERT INTO runs (ulid, kind, worktree, log_dir, branch, base_ref, base, head, session_ref, status, started_at, finished_at,
  iterations, verified, skipped, open, claimed, withdrawn, repository_id, worktree_name, config_hash, content_removed_at, revision)
VALUES (@run, @kind, @worktree, @log_dir, @branch, @base_ref, @base, @head, @session_ref, @status, @started_at, @finished_at,
  @iterations, @fixed, @skipped, @open, @claimed, @withdrawn, @repository_id, @worktree_name, @config_hash, @content_removed_at, @revision);

-- What may change of a run that is open, or of a code review. A closed run of gates is
-- never changed.
-- name: change run
UPDATE runs
SET session_ref = @session_ref, status = @status, finished_at = @finished_at, iterations = @iterations, verified = @fixed,
  skipped = @skipped, open = @open, claimed = @claimed, withdrawn = @withdrawn, revision = max(revision + 1, @revision)
WHERE id = @run_id AND (finished_at IS NULL OR kind = 'code_review');

-- The transitions of a run that was just added have set its status last.
-- name: end run
UPDATE runs SET status = @status, finished_at = @finished_at WHERE id = @run_id;

-- name: row: iteration
iterations (run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at, new,
  reopened, verified, claimed, skipped, carried, in_fix_lines, noticed_at);

-- name: change iteration
UPDATE iterations
SET status = @status, finished_at = @finished_at, noticed_at = @noticed_at, new = @new, reopened = @reopened,
  verified = @verified, claimed = @claimed, skipped = @skipped, carried = @carried, in_fix_lines = @in_fix_lines
WHERE id = @iteration_id;

-- name: row: gate
gates (iteration_id, job_id, status, reason, command, exit_code, problems, excerpt, num_reviews, duration_ms, not_run_reason,
  started_at, finished_at, noticed_at, config_hash, rests_on);

-- name: change gate
UPDATE gates
SET status = @status, reason = @reason, exit_code = @exit_code, problems = @problems, excerpt = @excerpt, duration_ms = @duration_ms,
  not_run_reason = @not_run_reason, started_at = @started_at, finished_at = @finished_at, noticed_at = @noticed_at
WHERE id = @gate_id;

-- The kind of an error comes when the transitions have set the status.
-- name: add slot
INSERT INTO slots (gate_id, review_index, adapter, status, pass_iteration, reason, reviewed, model, input_tokens,
  cached_tokens, output_tokens, cost_usd, calls, duration_ms, finished_at, accepted, out_of_diff, below_threshold,
  previously_skipped, malformed, merged, outside_verify, new, reopened, verified, carried, remembered_skip, latch,
  started_at, noticed_at, elsewhere, repairs)
VALUES (@gate_id, @slot, @adapter, @status, @pass_iteration, @reason, @reviewed, @model, @input_tokens,
  @cached_tokens, @output_tokens, @cost_usd, @calls, @duration_ms, @finished_at, @accepted, @out_of_diff, @below_threshold,
  @previously_skipped, @malformed, @merged, @outside_verify, @new, @reopened, @verified, @carried, @remembered_skip, @latch,
  @started_at, @noticed_at, @elsewhere, @repairs);

-- name: change slot
UPDATE slots
SET adapter = @adapter, status = @status, reason = @reason, model = @model, input_tokens = @input_tokens,
  cached_tokens = @cached_tokens, output_tokens = @output_tokens, cost_usd = @cost_usd, calls = @calls,
  duration_ms = @duration_ms, finished_at = @finished_at, accepted = @accepted, out_of_diff = @out_of_diff,
  below_threshold = @below_threshold, previously_skipped = @previously_skipped, malformed = @malformed,
  merged = @merged, outside_verify = @outside_verify, new = @new, reopened = @reopened, verified = @verified,
  carried = @carried, remembered_skip = @remembered_skip, error_kind = @error_kind,
  started_at = @started_at, noticed_at = @noticed_at, elsewhere = @elsewhere, repairs = @repairs
WHERE id = @slot_id;

-- A violation is added as it began: its events and reports make the rest.
-- name: add violation
INSERT INTO violations (ulid, run_id, job_id, status, status_at, short_id, slot, adapter, file, priority, first_iteration,
  last_iteration, fingerprint, fingerprint_version, first_seen, last_seen, seen_before, related, moved, abandoned)
VALUES (@violation, @run_id, @job_id, 'new', @first_seen, @short_id, @slot, @adapter, @file, @priority, @first_iteration,
  @last_iteration, @fingerprint, @fingerprint_version, @first_seen, @last_seen, @seen_before, @related, @moved,
  (SELECT r.status = 'abandoned' FROM runs AS r WHERE r.id = @run_id));

-- The rest is made of it here, too, but for a priority that fell when the violation was not
-- open, for a record has all reports before all events, and one that a duplicate has raised.
-- name: change violation
UPDATE violations SET last_iteration = @last_iteration, last_seen = @last_seen, priority = @priority, related = @related, file = @file, moved = @moved WHERE id = @violation_id;

-- name: row: report
reports (slot_id, position, file, line_start, line_end, issue, fix, title, confidence, system_breaking, priority, disposition,
  reason, in_fix_lines, line_hash, violation_id, fingerprint, line_repeated, same_as, short_id);

-- It is taken up.
-- name: change report
UPDATE reports SET violation_id = @violation_id WHERE id = @report_id AND violation_id IS NULL AND @violation_id IS NOT NULL;

-- name: row: event
events (violation_id, number, iteration_id, status, actor, result, reason, at);

-- name: row: slot_entry
slot_entries (slot_id, position, violation_id, report_id, status, result);

-- name: change slot_entry
UPDATE slot_entries SET status = @status, result = @result WHERE slot_id = @slot_id AND position = @position;

-- name: add slot_blob
INSERT INTO slot_blobs (slot_id, kind, call, blob_id)
VALUES (@slot_id, @kind, @call, (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256));

-- name: add gate_blob
INSERT INTO gate_blobs (gate_id, blob_id)
VALUES (@gate_id, (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256));

-- name: row: code_review
code_reviews (run_id, review_id, scope, target, report_path);

-- name: row: verdict
verdicts (iteration_id, run_id, mode, verdict, at, blocker, high, medium, low, info);

-- name: row: finding
findings (violation_id, run_id, position, finding_id, domain, severity, system_breaking, confidence, file, line_range, title,
  recommendation, exported);

-- name: change finding
UPDATE findings SET exported = @exported WHERE violation_id = @violation_id;

-- name: row: transition
transitions (run_id, subject, iteration_id, gate_id, slot_id, status, at, actor, cause);

-- name: add report_excerpt
INSERT INTO report_excerpts (report_id, first_line, blob_id, skip, lines)
VALUES (@report_id, @first_line, (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256), @skip, @lines);

-- name: add event_hunk
INSERT INTO event_hunks (event_id, blob_id)
VALUES (@event_id, (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256));

-- name: row: remembered_skip
remembered_skips (event_id, fingerprint);

-- name: add met_skip
INSERT INTO met_skips (report_id, violation, number) VALUES (@report_id, @skipped, @event);

-- name: row: slot_call
slot_calls (slot_id, call, part, repair, input_tokens, cached_tokens, output_tokens, cost_usd, duration_ms, misfit);

-- name: row: slot_note
slot_notes (slot_id, notes);

-- name: row: claim_word
claim_words (slot_id, violation_id, verdict, evidence);

-- name: row: gone_word
gone_words (violation_id, slot_id, evidence);

-- name: row: violation_reporter
violation_reporters (violation_id, slot);

-- name: row: report_place
report_places (report_id, position, file, line_start, line_end);

-- What belongs to no run is added where it is not there.

-- name: add forgotten_skip
INSERT INTO forgotten_skips (violation, number, actor, at) VALUES (@violation, @event, @actor, @at)
ON CONFLICT (violation, number) DO NOTHING;

-- name: add meta
INSERT INTO meta (key, value) VALUES (@key, @value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: add job
INSERT INTO jobs (job, kind, entry_point, name) VALUES (@job, @kind, @entry_point, @name)
ON CONFLICT (job) DO NOTHING;

-- name: add cooldown
INSERT INTO cooldowns (adapter, until, reason, set_at) VALUES (@adapter, @until, @reason, @set_at)
ON CONFLICT (adapter) DO NOTHING;

-- name: add file
INSERT INTO files (repository_id, file) VALUES (@repository_id, @file) ON CONFLICT (repository_id, file) DO NOTHING;
