-- A run is written to the team store with these: its rows are copied into temporary
-- tables and go from there into those of the store, in the order of their keys. A row
-- that is there and the same is left alone.
--
-- Each table is listed here with its key and its columns, which are keys of records or of what
-- ledger/team/push/columns.go adds to them. "make", "copy" and "put" are the same for all tables, unless
-- one has its own. Rows that stay never change once they are there.

-- name: make rows
CREATE TEMPORARY TABLE IF NOT EXISTS @push ON COMMIT DELETE ROWS AS
SELECT @columns FROM @table WITH NO DATA;

-- name: copy rows
COPY @push (@columns) FROM STDIN;

-- name: put rows
INSERT INTO @table AS t (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO UPDATE SET (@values) = ROW (@new)
WHERE (@old) IS DISTINCT FROM (@new);

-- name: put rows that stay
INSERT INTO @table (@columns)
SELECT @columns FROM @push ORDER BY @key
ON CONFLICT (@key) DO NOTHING;

-- With it go what its ledger and its repository are called, and its latest time.
-- name: rows: run
(id)
  ledger, revision, digest, content, kind, branch, base_ref, base, head, session_ref, config_hash, status, started_at,
  finished_at, iterations, verified, claimed, skipped, withdrawn, open, content_removed_at, review_id, verdict;

-- name: make run
CREATE TEMPORARY TABLE IF NOT EXISTS push_run ON COMMIT DELETE ROWS AS
SELECT @columns, '' AS ledger_name, '' AS program, '' AS repository_kind, '' AS repository_key, started_at AS latest
FROM run WITH NO DATA;

-- name: copy run
COPY push_run (@columns, ledger_name, program, repository_kind, repository_key, latest) FROM STDIN;

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
INSERT INTO run AS t (@columns, repository, clock_ahead)
SELECT @columns, (SELECT p.id FROM repository AS p WHERE p.kind = n.repository_kind AND p.key = n.repository_key),
  n.latest > now() + interval '5 minutes'
FROM push_run AS n
ON CONFLICT (@key) DO UPDATE
SET (@values, repository, clock_ahead, received_at) = ROW (@new, excluded.repository, excluded.clock_ahead, now())
WHERE t.revision <= excluded.revision;

-- name: put record
INSERT INTO record (run, data) VALUES (@run, @data)
ON CONFLICT (run) DO UPDATE SET data = excluded.data;

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
INSERT INTO violation AS t (@columns, repository)
SELECT @columns, (SELECT r.repository FROM run AS r WHERE r.id = n.run) FROM push_violation AS n ORDER BY @key
ON CONFLICT (@key) DO UPDATE SET (@values, repository) = ROW (@new, excluded.repository)
WHERE (@old, t.repository) IS DISTINCT FROM (@new, excluded.repository);

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
