-- The dump of a ledger, and its import. Each pair names the same columns: what the
-- first returns is what the second takes, so these names are the keys of
-- `export ndjson`. Rows refer to others by what is the same in every ledger: the
-- ids of runs and violations, numbers of iterations, jobs, review indexes and
-- positions. Violations, reports, events and entries of slots are by far the most:
-- what they refer to is looked up once for all of them.

-- name: LedgerFilled :one
SELECT EXISTS (SELECT 1 FROM runs UNION ALL SELECT 1 FROM jobs UNION ALL SELECT 1 FROM blobs
               UNION ALL SELECT 1 FROM cooldowns UNION ALL SELECT 1 FROM files) AS filled;

-- name: DumpMeta :many
SELECT key, value FROM meta ORDER BY key;

-- name: LoadMeta :exec
INSERT INTO meta (key, value) VALUES (@key, @value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: DumpJobs :many
SELECT job, kind, entry_point, name FROM jobs ORDER BY job;

-- name: LoadJob :exec
INSERT INTO jobs (job, kind, entry_point, name) VALUES (@job, @kind, @entry_point, @name)
ON CONFLICT (job) DO NOTHING;

-- name: DumpCooldowns :many
SELECT adapter, until, reason, set_at FROM cooldowns ORDER BY adapter;

-- name: LoadCooldown :exec
INSERT INTO cooldowns (adapter, until, reason, set_at) VALUES (@adapter, @until, @reason, @set_at)
ON CONFLICT (adapter) DO NOTHING;

-- name: DumpFiles :many
SELECT DISTINCT file FROM files WHERE file > @after ORDER BY file LIMIT 1000;

-- name: LoadFile :exec
INSERT INTO files (repository_id, file) VALUES (1, @file) ON CONFLICT (repository_id, file) DO NOTHING;

-- name: DumpBlob :one
SELECT sha256, size, data FROM blobs WHERE sha256 > @after ORDER BY sha256 LIMIT 1;

-- name: NextRun :one
SELECT id, ulid FROM runs WHERE id > @after ORDER BY id LIMIT 1;

-- name: RunID :one
SELECT id FROM runs WHERE ulid = @ulid;

-- name: DumpRun :one
SELECT r.ulid AS run, r.kind, r.worktree, r.log_dir, r.branch, r.base_ref, r.base, r.head, r.session_ref, r.status,
  r.started_at, r.finished_at, r.iterations, r.verified AS fixed, r.skipped, r.open
FROM runs AS r
WHERE r.id = @id;

-- name: LoadRun :execlastid
INSERT INTO runs (ulid, kind, worktree, log_dir, branch, base_ref, base, head, session_ref, status, started_at, finished_at,
  iterations, verified, skipped, open)
VALUES (@run, @kind, @worktree, @log_dir, @branch, @base_ref, @base, @head, @session_ref, @status, @started_at,
  @finished_at, @iterations, @fixed, @skipped, @open);

-- name: DumpIterations :many
SELECT r.ulid AS run,
  i.number, i.mode, i.source, i.from_tree, i.to_tree, i.snapshot, i.tree, i.head, i.status, i.started_at,
  coalesce(i.finished_at, i.noticed_at) AS finished_at, i.new, i.reopened, i.verified, i.claimed, i.skipped, i.carried, i.in_fix_lines
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
WHERE i.run_id = @id
ORDER BY i.id;

-- name: LoadIteration :exec
INSERT INTO iterations (run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at,
  new, reopened, verified, claimed, skipped, carried, in_fix_lines)
VALUES ((SELECT r.id FROM runs AS r WHERE r.ulid = @run),
  @number, @mode, @source, @from_tree, @to_tree, @snapshot, @tree, @head, @status, @started_at,
  @finished_at, @new, @reopened, @verified, @claimed, @skipped, @carried, @in_fix_lines);

-- name: DumpGates :many
SELECT r.ulid AS run, i.number AS iteration, j.job,
  g.status, g.reason, g.command, g.exit_code, g.problems, g.num_reviews, g.duration_ms
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @id
ORDER BY g.id;

-- name: LoadGate :exec
INSERT INTO gates (iteration_id, job_id, status, reason, command, exit_code, problems, num_reviews, duration_ms)
VALUES ((SELECT i.id FROM iterations AS i JOIN runs AS r ON r.id = i.run_id WHERE r.ulid = @run AND i.number = @iteration), (SELECT j.id FROM jobs AS j WHERE j.job = @job),
  @status, @reason, @command, @exit_code, @problems, @num_reviews, @duration_ms);

-- name: DumpSlots :many
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot,
  s.adapter, s.status, s.pass_iteration, s.reason, s.reviewed, s.model, s.input_tokens, s.cached_tokens,
  s.output_tokens, s.cost_usd, s.calls, s.duration_ms, s.ended_at AS finished_at, s.accepted, s.out_of_diff,
  s.below_threshold, s.previously_skipped, s.malformed, s.merged, s.outside_verify, s.new, s.reopened,
  s.verified, s.carried
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN slots AS s ON s.gate_id = g.id
WHERE i.run_id = @id
ORDER BY s.id;

-- name: LoadSlot :exec
INSERT INTO slots (gate_id, review_index, adapter, status, pass_iteration, reason, reviewed, model, input_tokens,
  cached_tokens, output_tokens, cost_usd, calls, duration_ms, finished_at, accepted, out_of_diff,
  below_threshold, previously_skipped, malformed, merged, outside_verify, new, reopened, verified, carried)
VALUES ((SELECT g.id FROM gates AS g JOIN iterations AS i ON i.id = g.iteration_id JOIN runs AS r ON r.id = i.run_id
  WHERE r.ulid = @run AND i.number = @iteration AND g.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job)), @slot,
  @adapter, @status, @pass_iteration, @reason, @reviewed, @model, @input_tokens, @cached_tokens,
  @output_tokens, @cost_usd, @calls, @duration_ms, @finished_at, @accepted, @out_of_diff, @below_threshold,
  @previously_skipped, @malformed, @merged, @outside_verify, @new, @reopened, @verified, @carried);

-- What events and reports make of a violation is dumped, too, and compared after the
-- import, in which triggers make it again.
-- name: DumpViolations :many
SELECT v.ulid AS violation, r.ulid AS run, j.job,
  v.short_id, v.slot, v.adapter, v.file, v.priority, v.first_iteration, v.last_iteration, v.fingerprint,
  v.fingerprint_version, v.first_seen, v.last_seen,
  v.status, v.result, v.reason, v.answered_iteration, v.status_at, v.shared, v.in_fix_lines,
  pi.number AS report_iteration, ps.review_index AS report_slot, p.position AS report_position
FROM violations AS v
CROSS JOIN runs AS r ON r.id = v.run_id
CROSS JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id
LEFT JOIN slots AS ps ON ps.id = p.slot_id
LEFT JOIN gates AS pg ON pg.id = ps.gate_id
LEFT JOIN iterations AS pi ON pi.id = pg.iteration_id
WHERE v.run_id = @id
ORDER BY v.id;

-- name: LoadViolation :execlastid
INSERT INTO violations (ulid, run_id, job_id, status, status_at, short_id, slot, adapter, file, priority, first_iteration, last_iteration, fingerprint,
  fingerprint_version, first_seen, last_seen)
VALUES (@ulid, @run_id, @job_id, 'new', @first_seen, @short_id, @slot, @adapter, @file, @priority, @first_iteration, @last_iteration, @fingerprint,
  @fingerprint_version, @first_seen, @last_seen);

-- name: DumpReports :many
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, v.ulid AS violation,
  p.position, p.file, p.line_start, p.line_end, p.issue, p.fix, p.title, p.confidence, p.system_breaking,
  p.priority, p.disposition, p.reason, p.in_fix_lines
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN slots AS s ON s.gate_id = g.id
CROSS JOIN reports AS p ON p.slot_id = s.id
LEFT JOIN violations AS v ON v.id = p.violation_id
WHERE i.run_id = @id
ORDER BY p.id;

-- name: DumpEvents :many
SELECT v.ulid AS violation, r.ulid AS run, i.number AS iteration,
  e.status, e.actor, e.result, e.reason, e.at
FROM violations AS v
CROSS JOIN events AS e ON e.violation_id = v.id
CROSS JOIN iterations AS i ON i.id = e.iteration_id
CROSS JOIN runs AS r ON r.id = i.run_id
WHERE v.run_id = @id
ORDER BY e.id;

-- name: DumpSlotEntries :many
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, v.ulid AS violation,
  pi.number AS report_iteration, pj.job AS report_job, ps.review_index AS report_slot, p.position AS report_position,
  n.position, n.status, n.result
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN slots AS s ON s.gate_id = g.id
CROSS JOIN slot_entries AS n ON n.slot_id = s.id
CROSS JOIN violations AS v ON v.id = n.violation_id
CROSS JOIN reports AS p ON p.id = n.report_id
CROSS JOIN slots AS ps ON ps.id = p.slot_id
CROSS JOIN gates AS pg ON pg.id = ps.gate_id
CROSS JOIN jobs AS pj ON pj.id = pg.job_id
CROSS JOIN iterations AS pi ON pi.id = pg.iteration_id
WHERE i.run_id = @id
ORDER BY s.id, n.position;

-- name: DumpSlotBlobs :many
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, b.sha256,
  sb.kind, sb.call
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN slots AS s ON s.gate_id = g.id
CROSS JOIN slot_blobs AS sb ON sb.slot_id = s.id
CROSS JOIN blobs AS b ON b.id = sb.blob_id
WHERE i.run_id = @id
ORDER BY s.id, sb.kind, sb.call;

-- name: LoadSlotBlob :exec
INSERT INTO slot_blobs (slot_id, blob_id, kind, call)
VALUES ((SELECT s.id FROM slots AS s JOIN gates AS g ON g.id = s.gate_id
  JOIN iterations AS i ON i.id = g.iteration_id JOIN runs AS r ON r.id = i.run_id
  WHERE r.ulid = @run AND i.number = @iteration AND g.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job)
    AND s.review_index = @slot), (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256),
  @kind, @call);

-- name: DumpGateBlobs :many
SELECT r.ulid AS run, i.number AS iteration, j.job, b.sha256
FROM iterations AS i
CROSS JOIN runs AS r ON r.id = i.run_id
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN gate_blobs AS gb ON gb.gate_id = g.id
CROSS JOIN blobs AS b ON b.id = gb.blob_id
WHERE i.run_id = @id
ORDER BY g.id;

-- name: LoadGateBlob :exec
INSERT INTO gate_blobs (gate_id, blob_id)
VALUES ((SELECT g.id FROM gates AS g JOIN iterations AS i ON i.id = g.iteration_id JOIN runs AS r ON r.id = i.run_id
  WHERE r.ulid = @run AND i.number = @iteration AND g.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job)), (SELECT b.id FROM blobs AS b WHERE b.sha256 = @sha256));

-- name: DumpCodeReviews :many
SELECT r.ulid AS run,
  c.review_id, c.scope, c.target, c.report_path
FROM code_reviews AS c
CROSS JOIN runs AS r ON r.id = c.run_id
WHERE c.run_id = @id
ORDER BY c.run_id;

-- name: LoadCodeReview :exec
INSERT INTO code_reviews (run_id, review_id, scope, target, report_path)
VALUES ((SELECT r.id FROM runs AS r WHERE r.ulid = @run),
  @review_id, @scope, @target, @report_path);

-- name: DumpVerdicts :many
SELECT r.ulid AS run, i.number AS iteration,
  d.mode, d.verdict, d.at, d.blocker, d.high, d.medium, d.low, d.info
FROM verdicts AS d
CROSS JOIN iterations AS i ON i.id = d.iteration_id
CROSS JOIN runs AS r ON r.id = d.run_id
WHERE d.run_id = @id
ORDER BY d.iteration_id;

-- name: LoadVerdict :exec
INSERT INTO verdicts (iteration_id, run_id, mode, verdict, at, blocker, high, medium, low, info)
VALUES ((SELECT i.id FROM iterations AS i JOIN runs AS r ON r.id = i.run_id WHERE r.ulid = @run AND i.number = @iteration), (SELECT r.id FROM runs AS r WHERE r.ulid = @run),
  @mode, @verdict, @at, @blocker, @high, @medium, @low, @info);

-- name: DumpFindings :many
SELECT v.ulid AS violation, r.ulid AS run,
  f.position, f.finding_id, f.domain, f.severity, f.system_breaking, f.confidence, f.file, f.line_range,
  f.title, f.recommendation, f.exported
FROM findings AS f
CROSS JOIN violations AS v ON v.id = f.violation_id
CROSS JOIN runs AS r ON r.id = f.run_id
WHERE f.run_id = @id
ORDER BY f.position;

-- name: LoadFinding :exec
INSERT INTO findings (violation_id, run_id, position, finding_id, domain, severity, system_breaking, confidence, file,
  line_range, title, recommendation, exported)
VALUES ((SELECT v.id FROM violations AS v WHERE v.ulid = @violation), (SELECT r.id FROM runs AS r WHERE r.ulid = @run),
  @position, @finding_id, @domain, @severity, @system_breaking, @confidence, @file, @line_range, @title,
  @recommendation, @exported);

-- Where the rows of a run are, for those that refer to them.

-- name: IterationID :one
SELECT id FROM iterations WHERE run_id = @run_id AND number = @number;

-- name: SlotID :one
SELECT s.id
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id
WHERE i.run_id = @run_id AND i.number = @iteration AND g.job_id = @job_id AND s.review_index = @review_index;

-- name: ReportID :one
SELECT id FROM reports WHERE slot_id = @slot_id AND position = @position;

-- name: ViolationID :one
SELECT id FROM violations WHERE ulid = @ulid AND run_id = @run_id;

-- What may change of a run that is open, or of a code review, with what a later dump
-- says. A closed run of gates is never changed.

-- name: ForwardRun :execrows
UPDATE runs
SET session_ref = @session_ref, status = @status, finished_at = @finished_at, iterations = @iterations,
  verified = @fixed, skipped = @skipped, open = @open
WHERE id = @id AND (finished_at IS NULL OR kind = 'code_review');

-- name: ForwardIteration :execrows
UPDATE iterations
SET status = @status, finished_at = @finished_at, new = @new, reopened = @reopened, verified = @verified,
  claimed = @claimed, skipped = @skipped, carried = @carried, in_fix_lines = @in_fix_lines
WHERE run_id = @run_id AND number = @number;

-- name: ForwardGate :execrows
UPDATE gates
SET status = @status, reason = @reason, exit_code = @exit_code, problems = @problems, duration_ms = @duration_ms
WHERE iteration_id = @iteration_id AND job_id = @job_id AND status = 'running';

-- name: ForwardSlot :execrows
UPDATE slots
SET adapter = @adapter, status = @status, reason = @reason, model = @model, input_tokens = @input_tokens,
  cached_tokens = @cached_tokens, output_tokens = @output_tokens, cost_usd = @cost_usd, calls = @calls,
  duration_ms = @duration_ms, finished_at = @finished_at, accepted = @accepted, out_of_diff = @out_of_diff,
  below_threshold = @below_threshold, previously_skipped = @previously_skipped, malformed = @malformed,
  merged = @merged, outside_verify = @outside_verify, new = @new, reopened = @reopened, verified = @verified,
  carried = @carried
WHERE id = @id AND status = 'running';
