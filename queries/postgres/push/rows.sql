-- A run is written to the team store with these: its rows are copied into temporary
-- tables and go from there into those of the store, in the order of their keys. A row
-- that is there and the same is left alone.
--
-- The columns of a temporary table are in the order in which ledger/team/columns.go
-- writes them. Most tables are only listed here, with their key and their columns: "make",
-- "copy" and "put" are the same for all, unless a table has its own. Rows that stay never
-- change once they are there.

-- name: make rows
CREATE TEMPORARY TABLE IF NOT EXISTS @push ON COMMIT DELETE ROWS AS
SELECT @columns FROM @table WITH NO DATA;

-- name: copy rows
COPY @push FROM STDIN;

-- name: put rows
INSERT INTO @table AS t (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO UPDATE SET (@values) = ROW (@new)
WHERE (@old) IS DISTINCT FROM (@new);

-- name: put rows that stay
INSERT INTO @table (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO NOTHING;

-- name: make run
CREATE TEMPORARY TABLE IF NOT EXISTS push_run ON COMMIT DELETE ROWS AS
SELECT r.id, l.id AS ledger, l.name AS ledger_name, l.program, p.kind AS repository_kind, p.key AS repository_key,
  r.revision, r.digest, r.content, r.kind, r.branch, r.base_ref, r.base, r.head, r.session_ref, r.config_hash, r.status,
  r.started_at, r.finished_at, r.iterations, r.verified, r.claimed, r.skipped, r.open, r.content_removed_at,
  r.review_id, r.verdict, r.started_at AS latest
FROM run AS r
JOIN ledger AS l ON l.id = r.ledger
JOIN repository AS p ON p.id = r.repository
WITH NO DATA;

-- name: put repository
INSERT INTO repository (kind, key)
SELECT DISTINCT n.repository_kind, n.repository_key FROM push_run AS n
ON CONFLICT (kind, key) DO NOTHING;

-- name: put ledger
INSERT INTO ledger (id, name, program)
SELECT DISTINCT n.ledger, n.ledger_name, n.program FROM push_run AS n
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, last_pushed = now(), program = excluded.program;

-- The repository of a run may become known later.
-- name: put run
INSERT INTO run (id, ledger, repository, revision, digest, content, kind, branch, base_ref, base, head, session_ref,
  config_hash, status, started_at, finished_at, iterations, verified, claimed, skipped, open, content_removed_at,
  review_id, verdict, clock_ahead)
SELECT n.id, n.ledger, p.id, n.revision, n.digest, n.content, n.kind, n.branch, n.base_ref, n.base, n.head,
  n.session_ref, n.config_hash, n.status, n.started_at, n.finished_at, n.iterations, n.verified, n.claimed, n.skipped,
  n.open, n.content_removed_at, n.review_id, n.verdict, n.latest > now() + interval '5 minutes'
FROM push_run AS n
JOIN repository AS p ON p.kind = n.repository_kind AND p.key = n.repository_key
ON CONFLICT (id) DO UPDATE
SET ledger = excluded.ledger, repository = excluded.repository, revision = excluded.revision,
  digest = excluded.digest, content = excluded.content, kind = excluded.kind, branch = excluded.branch,
  base_ref = excluded.base_ref, base = excluded.base, head = excluded.head, session_ref = excluded.session_ref,
  config_hash = excluded.config_hash, status = excluded.status, started_at = excluded.started_at,
  finished_at = excluded.finished_at, iterations = excluded.iterations, verified = excluded.verified,
  claimed = excluded.claimed, skipped = excluded.skipped, open = excluded.open,
  content_removed_at = excluded.content_removed_at, review_id = excluded.review_id, verdict = excluded.verdict,
  clock_ahead = excluded.clock_ahead, received_at = now()
WHERE run.revision <= excluded.revision;

-- name: put record
INSERT INTO record (run, data) VALUES (@run, @data)
ON CONFLICT (run) DO UPDATE SET data = excluded.data;

-- name: copy run
COPY push_run FROM STDIN;

-- name: rows that stay: job
(job)
  kind, entry_point, name;

-- name: rows: iteration
(run, number)
  mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at, noticed_at,
  new, reopened, verified, claimed, skipped, carried, in_fix_lines;

-- name: rows: gate
(run, iteration, job)
  status, reason, exit_code, problems, num_reviews, duration_ms, not_run_reason, started_at,
  finished_at, noticed_at, rests_on;

-- name: rows: slot
(run, iteration, job, slot)
  adapter, model, status, pass_iteration, latch, error_kind, reason, reviewed, input_tokens,
  cached_tokens, output_tokens, cost_usd, calls, duration_ms, started_at, finished_at, noticed_at,
  accepted, out_of_diff, below_threshold, previously_skipped, remembered_skip, malformed, merged,
  outside_verify, new, reopened, verified, carried, elsewhere, repairs, notes, note_words;

-- name: rows: violation
(id)
  short_id, run, number, branch, job, slot, adapter, model, file, line_start, line_end, issue, fix,
  line_hash, priority, rank, first_iteration, last_iteration, answered_iteration, fingerprint,
  fingerprint_version, status, status_by, result, reason, shared, in_fix_lines, abandoned, first_seen,
  last_seen, status_at, more_slots, also, seen_before, related, gone;

-- name: put violation
INSERT INTO violation (id, short_id, run, number, repository, branch, job, slot, adapter, model, file, line_start,
  line_end, issue, fix, line_hash, priority, rank, first_iteration, last_iteration, answered_iteration, fingerprint,
  fingerprint_version, status, status_by, result, reason, shared, in_fix_lines, abandoned, first_seen, last_seen,
  status_at, more_slots, also, seen_before, related, gone)
SELECT n.id, n.short_id, n.run, n.number, r.repository, n.branch, n.job, n.slot, n.adapter, n.model, n.file,
  n.line_start, n.line_end, n.issue, n.fix, n.line_hash, n.priority, n.rank, n.first_iteration, n.last_iteration,
  n.answered_iteration, n.fingerprint, n.fingerprint_version, n.status, n.status_by, n.result, n.reason, n.shared,
  n.in_fix_lines, n.abandoned, n.first_seen, n.last_seen, n.status_at, n.more_slots, n.also, n.seen_before, n.related, n.gone
FROM push_violation AS n
JOIN run AS r ON r.id = n.run
ORDER BY n.id
ON CONFLICT (id) DO UPDATE
SET repository = excluded.repository, short_id = excluded.short_id, run = excluded.run, number = excluded.number,
  branch = excluded.branch, job = excluded.job, slot = excluded.slot, adapter = excluded.adapter,
  model = excluded.model, file = excluded.file, line_start = excluded.line_start, line_end = excluded.line_end,
  issue = excluded.issue, fix = excluded.fix, line_hash = excluded.line_hash, priority = excluded.priority,
  rank = excluded.rank, first_iteration = excluded.first_iteration, last_iteration = excluded.last_iteration,
  answered_iteration = excluded.answered_iteration, fingerprint = excluded.fingerprint,
  fingerprint_version = excluded.fingerprint_version, status = excluded.status, status_by = excluded.status_by,
  result = excluded.result, reason = excluded.reason, shared = excluded.shared, in_fix_lines = excluded.in_fix_lines,
  abandoned = excluded.abandoned, first_seen = excluded.first_seen, last_seen = excluded.last_seen,
  status_at = excluded.status_at, more_slots = excluded.more_slots, also = excluded.also,
  seen_before = excluded.seen_before, related = excluded.related, gone = excluded.gone
WHERE (violation.repository, violation.short_id, violation.run, violation.number, violation.branch, violation.job,
  violation.slot, violation.adapter, violation.model, violation.file, violation.line_start, violation.line_end,
  violation.issue, violation.fix, violation.line_hash, violation.priority, violation.rank, violation.first_iteration,
  violation.last_iteration, violation.answered_iteration, violation.fingerprint, violation.fingerprint_version,
  violation.status, violation.status_by, violation.result, violation.reason, violation.shared, violation.in_fix_lines,
  violation.abandoned, violation.first_seen, violation.last_seen, violation.status_at,
  violation.more_slots, violation.also, violation.seen_before, violation.related, violation.gone)
IS DISTINCT FROM (excluded.repository, excluded.short_id, excluded.run, excluded.number, excluded.branch,
    excluded.job, excluded.slot, excluded.adapter, excluded.model, excluded.file, excluded.line_start,
    excluded.line_end, excluded.issue, excluded.fix, excluded.line_hash, excluded.priority, excluded.rank,
    excluded.first_iteration, excluded.last_iteration, excluded.answered_iteration, excluded.fingerprint,
    excluded.fingerprint_version, excluded.status, excluded.status_by, excluded.result, excluded.reason,
    excluded.shared, excluded.in_fix_lines, excluded.abandoned, excluded.first_seen, excluded.last_seen,
    excluded.status_at, excluded.more_slots, excluded.also, excluded.seen_before, excluded.related, excluded.gone);

-- name: rows: report
(run, iteration, job, slot, position)
  violation, file, line_start, line_end, issue, fix, title, confidence, system_breaking, priority,
  disposition, reason, in_fix_lines, line_hash, fingerprint, line_repeated, at, result, words, also,
  same_as, short_id;

-- name: rows: event
(violation, number)
  run, iteration, status, actor, result, reason, at;

-- name: rows: transition
(run, number)
  subject, iteration, job, slot, status, at, actor, cause;

-- name: rows: verdict
(run, iteration)
  review_id, scope, target, mode, verdict, at, blocker, high, medium, low, info;

-- name: rows that stay: remembered_skip
(violation, event)
  run, fingerprint;

-- name: rows that stay: met_skip
(run, iteration, job, slot, position)
  violation, event;

-- name: rows that stay: forgotten_skip
(violation, event)
  actor, at;

-- name: put forgotten_skip
INSERT INTO forgotten_skip (violation, event, actor, at)
SELECT n.violation, n.event, n.actor, n.at
FROM push_forgotten_skip AS n
WHERE @of::text = '' OR EXISTS (
  SELECT 1 FROM violation AS v JOIN run AS r ON r.id = v.run WHERE v.id = n.violation AND r.ledger = @of::text)
ORDER BY n.violation, n.event
ON CONFLICT (violation, event) DO NOTHING;
