-- What a person asks in SQL: views with the names that they have in a ledger, and its columns
-- but for what never leaves a machine. Each says whose rows they are, too.

-- +goose Up

CREATE VIEW v_runs AS
SELECT r.id AS run, l.name AS ledger, r.kind, r.status, r.branch, r.base_ref, r.base, r.head, r.iterations, r.verified AS fixed,
  r.skipped, r.open, r.started_at, r.finished_at, r.verified, r.claimed, r.revision, r.config_hash,
  p.kind AS repository_kind, p.key AS repository, r.session_ref, r.content_removed_at, r.review_id AS review, r.verdict,
  r.content, r.received_at
FROM run AS r
JOIN ledger AS l ON l.id = r.ledger
JOIN repository AS p ON p.id = r.repository;

CREATE VIEW v_iterations AS
SELECT i.run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head, i.new, i.carried, i.verified, i.reopened,
  i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at, i.noticed_at, i.from_tree, i.to_tree, i.tree
FROM iteration AS i;

CREATE VIEW v_gates AS
SELECT g.run, g.iteration, g.job, j.kind, j.entry_point, j.name AS gate, g.status, g.not_run_reason, g.reason, g.exit_code,
  g.problems, g.num_reviews, g.duration_ms, g.started_at, g.finished_at, g.noticed_at
FROM gate AS g
JOIN job AS j ON j.job = g.job;

CREATE VIEW v_slots AS
SELECT s.run, s.iteration, s.job, j.entry_point, j.name AS gate, s.slot, s.adapter, s.model, s.status, s.pass_iteration, s.reason,
  s.input_tokens, s.cached_tokens, s.output_tokens, s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff,
  s.below_threshold, s.previously_skipped, s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried,
  s.finished_at, s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed
FROM slot AS s
JOIN job AS j ON j.job = s.job;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.branch, v.job, j.entry_point, j.name AS gate, v.slot,
  v.adapter, v.model, v.first_iteration, v.last_iteration, v.file, v.line_start AS line, v.line_end AS end_line, v.issue, v.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines, v.first_seen, v.last_seen, v.status_at,
  v.open, v.line_hash, v.shown, v.recurring
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, e.violation AS ulid, e.run, e.iteration, e.status, e.actor, e.result, e.reason, e.at, e.number
FROM event AS e
JOIN violation AS v ON v.id = e.violation;

CREATE VIEW v_transitions AS
SELECT t.run, t.subject, t.iteration, t.job, t.slot, t.status, t.at, t.actor, t.cause
FROM transition AS t;

CREATE VIEW v_reports AS
SELECT p.run, p.iteration, p.job, p.slot, s.adapter, p.position, p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  p.priority, p.disposition, p.reason, p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash
FROM report AS p
JOIN slot AS s ON s.run = p.run AND s.iteration = p.iteration AND s.job = p.job AND s.slot = p.slot
LEFT JOIN violation AS v ON v.id = p.violation;

CREATE VIEW v_verdicts AS
SELECT d.run, d.iteration, d.review_id AS review, d.scope, d.target, d.mode, d.verdict, d.at, d.blocker, d.high, d.medium, d.low, d.info
FROM verdict AS d;

-- Skips that hold now, with what is known of their memory.
CREATE VIEW v_skips AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.job, j.entry_point, j.name AS gate, v.file, v.line_start AS line,
  v.issue, v.priority, v.reason, v.result, v.status_by AS skipped_by, v.status_at AS at,
  m.fingerprint IS NOT NULL AND f.at IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skip AS t WHERE t.violation = v.id) AS met,
  (SELECT max(s.ended_at) FROM met_skip AS t
   JOIN slot AS s ON s.run = t.run AND s.iteration = t.iteration AND s.job = t.job AND s.slot = t.slot
   WHERE t.violation = v.id) AS last_met
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job
CROSS JOIN LATERAL (SELECT max(e.number) AS number FROM event AS e WHERE e.violation = v.id) AS latest
LEFT JOIN remembered_skip AS m ON m.violation = v.id AND m.event = latest.number
LEFT JOIN forgotten_skip AS f ON f.violation = v.id AND f.event = latest.number
WHERE v.status = 'skipped';
