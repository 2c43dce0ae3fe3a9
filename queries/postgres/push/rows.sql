-- A run is written to the team store with these: its rows are copied into temporary
-- tables and go from there into those of the store, in the order of their keys. A row
-- that is there and the same is left alone.
--
-- The columns of a temporary table are in the order in which ledger/team/columns.go
-- writes them.

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

-- name: make job
CREATE TEMPORARY TABLE IF NOT EXISTS push_job ON COMMIT DELETE ROWS AS
SELECT t.job, t.kind, t.entry_point, t.name
FROM job AS t WITH NO DATA;

-- name: copy job
COPY push_job FROM STDIN;

-- name: put job
INSERT INTO job (job, kind, entry_point, name)
SELECT n.job, n.kind, n.entry_point, n.name
FROM push_job AS n
ORDER BY n.job
ON CONFLICT (job) DO NOTHING;

-- name: make iteration
CREATE TEMPORARY TABLE IF NOT EXISTS push_iteration ON COMMIT DELETE ROWS AS
SELECT t.run, t.number, t.mode, t.source, t.from_tree, t.to_tree, t.snapshot, t.tree, t.head, t.status, t.started_at,
  t.finished_at, t.noticed_at, t.new, t.reopened, t.verified, t.claimed, t.skipped, t.carried, t.in_fix_lines
FROM iteration AS t WITH NO DATA;

-- name: copy iteration
COPY push_iteration FROM STDIN;

-- name: put iteration
INSERT INTO iteration (run, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at,
  finished_at, noticed_at, new, reopened, verified, claimed, skipped, carried, in_fix_lines)
SELECT n.run, n.number, n.mode, n.source, n.from_tree, n.to_tree, n.snapshot, n.tree, n.head, n.status, n.started_at,
  n.finished_at, n.noticed_at, n.new, n.reopened, n.verified, n.claimed, n.skipped, n.carried, n.in_fix_lines
FROM push_iteration AS n
ORDER BY n.run, n.number
ON CONFLICT (run, number) DO UPDATE
SET mode = excluded.mode, source = excluded.source, from_tree = excluded.from_tree, to_tree = excluded.to_tree,
  snapshot = excluded.snapshot, tree = excluded.tree, head = excluded.head, status = excluded.status,
  started_at = excluded.started_at, finished_at = excluded.finished_at, noticed_at = excluded.noticed_at,
  new = excluded.new, reopened = excluded.reopened, verified = excluded.verified, claimed = excluded.claimed,
  skipped = excluded.skipped, carried = excluded.carried, in_fix_lines = excluded.in_fix_lines
WHERE (iteration.mode, iteration.source, iteration.from_tree, iteration.to_tree, iteration.snapshot, iteration.tree,
  iteration.head, iteration.status, iteration.started_at, iteration.finished_at, iteration.noticed_at, iteration.new,
  iteration.reopened, iteration.verified, iteration.claimed, iteration.skipped, iteration.carried,
  iteration.in_fix_lines)
IS DISTINCT FROM (excluded.mode, excluded.source, excluded.from_tree, excluded.to_tree, excluded.snapshot,
    excluded.tree, excluded.head, excluded.status, excluded.started_at, excluded.finished_at, excluded.noticed_at,
    excluded.new, excluded.reopened, excluded.verified, excluded.claimed, excluded.skipped, excluded.carried,
    excluded.in_fix_lines);

-- name: make gate
CREATE TEMPORARY TABLE IF NOT EXISTS push_gate ON COMMIT DELETE ROWS AS
SELECT t.run, t.iteration, t.job, t.status, t.reason, t.exit_code, t.problems, t.num_reviews, t.duration_ms,
  t.not_run_reason, t.started_at, t.finished_at, t.noticed_at, t.rests_on
FROM gate AS t WITH NO DATA;

-- name: copy gate
COPY push_gate FROM STDIN;

-- name: put gate
INSERT INTO gate (run, iteration, job, status, reason, exit_code, problems, num_reviews, duration_ms, not_run_reason,
  started_at, finished_at, noticed_at, rests_on)
SELECT n.run, n.iteration, n.job, n.status, n.reason, n.exit_code, n.problems, n.num_reviews, n.duration_ms,
  n.not_run_reason, n.started_at, n.finished_at, n.noticed_at, n.rests_on
FROM push_gate AS n
ORDER BY n.run, n.iteration, n.job
ON CONFLICT (run, iteration, job) DO UPDATE
SET status = excluded.status, reason = excluded.reason, exit_code = excluded.exit_code, problems = excluded.problems,
  num_reviews = excluded.num_reviews, duration_ms = excluded.duration_ms, not_run_reason = excluded.not_run_reason,
  started_at = excluded.started_at, finished_at = excluded.finished_at, noticed_at = excluded.noticed_at, rests_on = excluded.rests_on
WHERE (gate.status, gate.reason, gate.exit_code, gate.problems, gate.num_reviews, gate.duration_ms,
  gate.not_run_reason, gate.started_at, gate.finished_at, gate.noticed_at, gate.rests_on)
IS DISTINCT FROM (excluded.status, excluded.reason, excluded.exit_code, excluded.problems, excluded.num_reviews,
    excluded.duration_ms, excluded.not_run_reason, excluded.started_at, excluded.finished_at, excluded.noticed_at,
    excluded.rests_on);

-- name: make slot
CREATE TEMPORARY TABLE IF NOT EXISTS push_slot ON COMMIT DELETE ROWS AS
SELECT t.run, t.iteration, t.job, t.slot, t.adapter, t.model, t.status, t.pass_iteration, t.latch, t.error_kind,
  t.reason, t.reviewed, t.input_tokens, t.cached_tokens, t.output_tokens, t.cost_usd, t.calls, t.duration_ms,
  t.started_at, t.finished_at, t.noticed_at, t.accepted, t.out_of_diff, t.below_threshold, t.previously_skipped,
  t.remembered_skip, t.malformed, t.merged, t.outside_verify, t.new, t.reopened, t.verified, t.carried, t.elsewhere,
  t.repairs, t.notes, t.note_words
FROM slot AS t WITH NO DATA;

-- name: copy slot
COPY push_slot FROM STDIN;

-- name: put slot
INSERT INTO slot (run, iteration, job, slot, adapter, model, status, pass_iteration, latch, error_kind, reason,
  reviewed, input_tokens, cached_tokens, output_tokens, cost_usd, calls, duration_ms, started_at, finished_at,
  noticed_at, accepted, out_of_diff, below_threshold, previously_skipped, remembered_skip, malformed, merged,
  outside_verify, new, reopened, verified, carried, elsewhere, repairs, notes, note_words)
SELECT n.run, n.iteration, n.job, n.slot, n.adapter, n.model, n.status, n.pass_iteration, n.latch, n.error_kind,
  n.reason, n.reviewed, n.input_tokens, n.cached_tokens, n.output_tokens, n.cost_usd, n.calls, n.duration_ms,
  n.started_at, n.finished_at, n.noticed_at, n.accepted, n.out_of_diff, n.below_threshold, n.previously_skipped,
  n.remembered_skip, n.malformed, n.merged, n.outside_verify, n.new, n.reopened, n.verified, n.carried, n.elsewhere,
  n.repairs, n.notes, n.note_words
FROM push_slot AS n
ORDER BY n.run, n.iteration, n.job, n.slot
ON CONFLICT (run, iteration, job, slot) DO UPDATE
SET adapter = excluded.adapter, model = excluded.model, status = excluded.status,
  pass_iteration = excluded.pass_iteration, latch = excluded.latch, error_kind = excluded.error_kind,
  reason = excluded.reason, reviewed = excluded.reviewed, input_tokens = excluded.input_tokens,
  cached_tokens = excluded.cached_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd,
  calls = excluded.calls, duration_ms = excluded.duration_ms, started_at = excluded.started_at,
  finished_at = excluded.finished_at, noticed_at = excluded.noticed_at, accepted = excluded.accepted,
  out_of_diff = excluded.out_of_diff, below_threshold = excluded.below_threshold,
  previously_skipped = excluded.previously_skipped, remembered_skip = excluded.remembered_skip,
  malformed = excluded.malformed, merged = excluded.merged, outside_verify = excluded.outside_verify,
  new = excluded.new, reopened = excluded.reopened, verified = excluded.verified, carried = excluded.carried,
  elsewhere = excluded.elsewhere, repairs = excluded.repairs, notes = excluded.notes, note_words = excluded.note_words
WHERE (slot.adapter, slot.model, slot.status, slot.pass_iteration, slot.latch, slot.error_kind, slot.reason,
  slot.reviewed, slot.input_tokens, slot.cached_tokens, slot.output_tokens, slot.cost_usd, slot.calls,
  slot.duration_ms, slot.started_at, slot.finished_at, slot.noticed_at, slot.accepted, slot.out_of_diff,
  slot.below_threshold, slot.previously_skipped, slot.remembered_skip, slot.malformed, slot.merged,
  slot.outside_verify, slot.new, slot.reopened, slot.verified, slot.carried, slot.elsewhere,
  slot.repairs, slot.notes, slot.note_words)
IS DISTINCT FROM (excluded.adapter, excluded.model, excluded.status, excluded.pass_iteration, excluded.latch,
    excluded.error_kind, excluded.reason, excluded.reviewed, excluded.input_tokens, excluded.cached_tokens,
    excluded.output_tokens, excluded.cost_usd, excluded.calls, excluded.duration_ms, excluded.started_at,
    excluded.finished_at, excluded.noticed_at, excluded.accepted, excluded.out_of_diff, excluded.below_threshold,
    excluded.previously_skipped, excluded.remembered_skip, excluded.malformed, excluded.merged,
    excluded.outside_verify, excluded.new, excluded.reopened, excluded.verified, excluded.carried, excluded.elsewhere,
    excluded.repairs, excluded.notes, excluded.note_words);

-- name: make violation
CREATE TEMPORARY TABLE IF NOT EXISTS push_violation ON COMMIT DELETE ROWS AS
SELECT t.id, t.short_id, t.run, t.number, t.branch, t.job, t.slot, t.adapter, t.model, t.file, t.line_start,
  t.line_end, t.issue, t.fix, t.line_hash, t.priority, t.rank, t.first_iteration, t.last_iteration,
  t.answered_iteration, t.fingerprint, t.fingerprint_version, t.status, t.status_by, t.result, t.reason, t.shared,
  t.in_fix_lines, t.abandoned, t.first_seen, t.last_seen, t.status_at, t.more_slots, t.also, t.seen_before, t.related, t.gone
FROM violation AS t WITH NO DATA;

-- name: copy violation
COPY push_violation FROM STDIN;

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

-- name: make report
CREATE TEMPORARY TABLE IF NOT EXISTS push_report ON COMMIT DELETE ROWS AS
SELECT t.run, t.iteration, t.job, t.slot, t.position, t.violation, t.file, t.line_start, t.line_end, t.issue, t.fix,
  t.title, t.confidence, t.system_breaking, t.priority, t.disposition, t.reason, t.in_fix_lines, t.line_hash,
  t.fingerprint, t.line_repeated, t.at, t.result, t.words, t.also, t.same_as, t.short_id
FROM report AS t WITH NO DATA;

-- name: copy report
COPY push_report FROM STDIN;

-- name: put report
INSERT INTO report (run, iteration, job, slot, position, violation, file, line_start, line_end, issue, fix, title,
  confidence, system_breaking, priority, disposition, reason, in_fix_lines, line_hash, fingerprint, line_repeated, at,
  result, words, also, same_as, short_id)
SELECT n.run, n.iteration, n.job, n.slot, n.position, n.violation, n.file, n.line_start, n.line_end, n.issue, n.fix,
  n.title, n.confidence, n.system_breaking, n.priority, n.disposition, n.reason, n.in_fix_lines, n.line_hash,
  n.fingerprint, n.line_repeated, n.at, n.result, n.words, n.also, n.same_as, n.short_id
FROM push_report AS n
ORDER BY n.run, n.iteration, n.job, n.slot, n.position
ON CONFLICT (run, iteration, job, slot, position) DO UPDATE
SET violation = excluded.violation, file = excluded.file, line_start = excluded.line_start,
  line_end = excluded.line_end, issue = excluded.issue, fix = excluded.fix, title = excluded.title,
  confidence = excluded.confidence, system_breaking = excluded.system_breaking, priority = excluded.priority,
  disposition = excluded.disposition, reason = excluded.reason, in_fix_lines = excluded.in_fix_lines,
  line_hash = excluded.line_hash, fingerprint = excluded.fingerprint, line_repeated = excluded.line_repeated,
  at = excluded.at, result = excluded.result, words = excluded.words, also = excluded.also,
  same_as = excluded.same_as, short_id = excluded.short_id
WHERE (report.violation, report.file, report.line_start, report.line_end, report.issue, report.fix, report.title,
  report.confidence, report.system_breaking, report.priority, report.disposition, report.reason, report.in_fix_lines,
  report.line_hash, report.fingerprint, report.line_repeated, report.at, report.result, report.words,
  report.also, report.same_as, report.short_id)
IS DISTINCT FROM (excluded.violation, excluded.file, excluded.line_start, excluded.line_end, excluded.issue,
    excluded.fix, excluded.title, excluded.confidence, excluded.system_breaking, excluded.priority,
    excluded.disposition, excluded.reason, excluded.in_fix_lines, excluded.line_hash, excluded.fingerprint,
    excluded.line_repeated, excluded.at, excluded.result, excluded.words, excluded.also, excluded.same_as,
    excluded.short_id);

-- name: make event
CREATE TEMPORARY TABLE IF NOT EXISTS push_event ON COMMIT DELETE ROWS AS
SELECT t.violation, t.number, t.run, t.iteration, t.status, t.actor, t.result, t.reason, t.at
FROM event AS t WITH NO DATA;

-- name: copy event
COPY push_event FROM STDIN;

-- name: put event
INSERT INTO event (violation, number, run, iteration, status, actor, result, reason, at)
SELECT n.violation, n.number, n.run, n.iteration, n.status, n.actor, n.result, n.reason, n.at
FROM push_event AS n
ORDER BY n.violation, n.number
ON CONFLICT (violation, number) DO UPDATE
SET run = excluded.run, iteration = excluded.iteration, status = excluded.status, actor = excluded.actor,
  result = excluded.result, reason = excluded.reason, at = excluded.at
WHERE (event.run, event.iteration, event.status, event.actor, event.result, event.reason, event.at)
IS DISTINCT FROM (excluded.run, excluded.iteration, excluded.status, excluded.actor, excluded.result, excluded.reason,
    excluded.at);

-- name: make transition
CREATE TEMPORARY TABLE IF NOT EXISTS push_transition ON COMMIT DELETE ROWS AS
SELECT t.run, t.number, t.subject, t.iteration, t.job, t.slot, t.status, t.at, t.actor, t.cause
FROM transition AS t WITH NO DATA;

-- name: copy transition
COPY push_transition FROM STDIN;

-- name: put transition
INSERT INTO transition (run, number, subject, iteration, job, slot, status, at, actor, cause)
SELECT n.run, n.number, n.subject, n.iteration, n.job, n.slot, n.status, n.at, n.actor, n.cause
FROM push_transition AS n
ORDER BY n.run, n.number
ON CONFLICT (run, number) DO UPDATE
SET subject = excluded.subject, iteration = excluded.iteration, job = excluded.job, slot = excluded.slot,
  status = excluded.status, at = excluded.at, actor = excluded.actor, cause = excluded.cause
WHERE (transition.subject, transition.iteration, transition.job, transition.slot, transition.status, transition.at,
  transition.actor, transition.cause)
IS DISTINCT FROM (excluded.subject, excluded.iteration, excluded.job, excluded.slot, excluded.status, excluded.at,
    excluded.actor, excluded.cause);

-- name: make verdict
CREATE TEMPORARY TABLE IF NOT EXISTS push_verdict ON COMMIT DELETE ROWS AS
SELECT t.run, t.iteration, t.review_id, t.scope, t.target, t.mode, t.verdict, t.at, t.blocker, t.high, t.medium,
  t.low, t.info
FROM verdict AS t WITH NO DATA;

-- name: copy verdict
COPY push_verdict FROM STDIN;

-- name: put verdict
INSERT INTO verdict (run, iteration, review_id, scope, target, mode, verdict, at, blocker, high, medium, low, info)
SELECT n.run, n.iteration, n.review_id, n.scope, n.target, n.mode, n.verdict, n.at, n.blocker, n.high, n.medium,
  n.low, n.info
FROM push_verdict AS n
ORDER BY n.run, n.iteration
ON CONFLICT (run, iteration) DO UPDATE
SET review_id = excluded.review_id, scope = excluded.scope, target = excluded.target, mode = excluded.mode,
  verdict = excluded.verdict, at = excluded.at, blocker = excluded.blocker, high = excluded.high,
  medium = excluded.medium, low = excluded.low, info = excluded.info
WHERE (verdict.review_id, verdict.scope, verdict.target, verdict.mode, verdict.verdict, verdict.at, verdict.blocker,
  verdict.high, verdict.medium, verdict.low, verdict.info)
IS DISTINCT FROM (excluded.review_id, excluded.scope, excluded.target, excluded.mode, excluded.verdict, excluded.at,
    excluded.blocker, excluded.high, excluded.medium, excluded.low, excluded.info);

-- name: make remembered_skip
CREATE TEMPORARY TABLE IF NOT EXISTS push_remembered_skip ON COMMIT DELETE ROWS AS
SELECT t.violation, t.event, t.run, t.fingerprint
FROM remembered_skip AS t WITH NO DATA;

-- name: copy remembered_skip
COPY push_remembered_skip FROM STDIN;

-- name: put remembered_skip
INSERT INTO remembered_skip (violation, event, run, fingerprint)
SELECT n.violation, n.event, n.run, n.fingerprint
FROM push_remembered_skip AS n
ORDER BY n.violation, n.event
ON CONFLICT (violation, event) DO NOTHING;

-- name: make met_skip
CREATE TEMPORARY TABLE IF NOT EXISTS push_met_skip ON COMMIT DELETE ROWS AS
SELECT t.run, t.iteration, t.job, t.slot, t.position, t.violation, t.event
FROM met_skip AS t WITH NO DATA;

-- name: copy met_skip
COPY push_met_skip FROM STDIN;

-- name: put met_skip
INSERT INTO met_skip (run, iteration, job, slot, position, violation, event)
SELECT n.run, n.iteration, n.job, n.slot, n.position, n.violation, n.event
FROM push_met_skip AS n
ORDER BY n.run, n.iteration, n.job, n.slot, n.position
ON CONFLICT (run, iteration, job, slot, position) DO NOTHING;

-- name: make forgotten_skip
CREATE TEMPORARY TABLE IF NOT EXISTS push_forgotten_skip ON COMMIT DELETE ROWS AS
SELECT t.violation, t.event, t.actor, t.at
FROM forgotten_skip AS t WITH NO DATA;

-- name: copy forgotten_skip
COPY push_forgotten_skip FROM STDIN;

-- Where a ledger is given, only those of its own violations.
-- name: put forgotten_skip
INSERT INTO forgotten_skip (violation, event, actor, at)
SELECT n.violation, n.event, n.actor, n.at
FROM push_forgotten_skip AS n
WHERE @of::text = '' OR EXISTS (
  SELECT 1 FROM violation AS v JOIN run AS r ON r.id = v.run WHERE v.id = n.violation AND r.ledger = @of::text)
ORDER BY n.violation, n.event
ON CONFLICT (violation, event) DO NOTHING;
