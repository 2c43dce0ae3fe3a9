-- Rows in every state, as programs with schema 1 wrote them.

INSERT INTO jobs (id, job, kind, entry_point, name) VALUES
  (1, 'check:src:lint', 'check', 'src', 'lint'), (2, 'review:src:quality', 'review', 'src', 'quality');

-- A run in each state; those that passed or were abandoned are closed.
INSERT INTO runs (ulid, kind, worktree, log_dir, branch, base_ref, base, head, session_ref, status, started_at, finished_at, iterations, fixed, skipped, open)
SELECT printf('01RUN%021d', row_number() OVER (ORDER BY s.name)), 'gates', '/work/' || s.name, 'logs', 'main', 'origin/main', 'b0', 'h0', 's0', s.name,
  '2026-01-02T03:04:05.000Z',
  CASE WHEN s.name IN ('passed', 'passed_with_warnings', 'abandoned') THEN '2026-01-02T04:00:00.000Z' END,
  CASE s.name WHEN 'failed' THEN 2 ELSE 1 END, 1, 1, 2
FROM run_statuses AS s;

-- Each has an iteration in the state that iterations may have, and the failed one
-- a second.
INSERT INTO iterations (run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at,
  new, reopened, verified, claimed, skipped, carried)
SELECT r.id, 1, 'first', CASE r.status WHEN 'error' THEN 'a word of its own' ELSE 'base' END, 'f0', 't0', 'n0', 'e0', NULL,
  CASE r.status WHEN 'abandoned' THEN 'failed' ELSE r.status END, '2026-01-02T03:05:00.000Z',
  CASE WHEN r.status <> 'running' THEN '2026-01-02T03:06:00.000Z' END, 5, 0, 0, 7, 3, 6
FROM runs AS r;
INSERT INTO iterations (run_id, number, mode, source, status, started_at, finished_at)
SELECT r.id, 2, 'rerun', 'session', 'failed', '2026-01-02T03:07:00.000Z', '2026-01-02T03:08:00.000Z' FROM runs AS r WHERE r.status = 'failed';

-- A check in each state, and one review.
INSERT INTO jobs (job, kind, entry_point, name) SELECT 'check:src:' || s.name, 'check', 'src', s.name FROM gate_statuses AS s;
INSERT INTO gates (iteration_id, job_id, status, reason, command, exit_code, problems, duration_ms)
SELECT i.id, j.id, j.name, 'why', 'make', 1, 2, 30 FROM iterations AS i JOIN jobs AS j ON j.job LIKE 'check:src:%' AND j.name <> 'lint'
WHERE i.number = 1;
INSERT INTO gates (iteration_id, job_id, status, num_reviews) SELECT i.id, 2, 'failed', 6 FROM iterations AS i;

-- A slot in each state, and one that ran by the latch.
INSERT INTO slots (gate_id, review_index, adapter, status, pass_iteration, reason, reviewed, model, input_tokens, cost_usd, calls, duration_ms,
  finished_at, accepted, out_of_diff, below_threshold, previously_skipped, malformed, merged, outside_verify, new, carried)
SELECT g.id, row_number() OVER (PARTITION BY g.id ORDER BY s.name), 'claude', s.name, CASE s.name WHEN 'skipped_prior_pass' THEN 1 END,
  CASE s.name WHEN 'running' THEN 'Running @1: safety latch (all slots previously passed)' ELSE 'words' END, 't0', 'm', 10, 0.5, 1, 20,
  CASE WHEN s.name <> 'running' THEN '2026-01-02T03:05:30.000Z' END,
  CASE s.name WHEN 'fail' THEN 5 ELSE 0 END, d.n, d.n, d.n, d.n, d.n, d.n, CASE s.name WHEN 'fail' THEN 5 ELSE 0 END, 1
FROM gates AS g JOIN slot_statuses AS s JOIN (SELECT x.name, x.name = 'interrupted' AS n FROM slot_statuses AS x) AS d ON d.name = s.name
WHERE g.job_id = 2 AND g.iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.number = 1);

-- A violation in each state, with the events that lead to it.
INSERT INTO violations (ulid, short_id, run_id, job_id, slot, adapter, file, priority, status, first_iteration, last_iteration,
  fingerprint, fingerprint_version, first_seen, last_seen, status_at)
SELECT printf('01VIO%021d', row_number() OVER ()), printf('%08d', row_number() OVER ()), r.id, 2, 2, 'claude', 'src/' || s.name || '.go', 'high', 'new', 1, 1,
  'print ' || s.name, 1, '2026-01-02T03:05:30.000Z', '2026-01-02T03:05:30.000Z', '2026-01-02T03:05:30.000Z'
FROM runs AS r JOIN violation_statuses AS s;
INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, fix, priority, disposition, violation_id)
SELECT s.id, v.id, v.file, 3, 5, 'issue of ' || v.short_id, 'fix', 'high', 'accepted', v.id
FROM violations AS v
JOIN iterations AS i ON i.run_id = v.run_id AND i.number = 1
JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = 2
JOIN slots AS s ON s.gate_id = g.id AND s.review_index = 2;
INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, reason)
SELECT s.id, 1000 + row_number() OVER (), 'src/other.go', 0, 0, 'issue', 'low', d.name, 'why' FROM slots AS s JOIN dispositions AS d
WHERE d.name <> 'accepted' AND s.review_index = 3;
INSERT INTO events (violation_id, iteration_id, status, actor, at)
SELECT v.id, i.id, 'new', 'reviewer', '2026-01-02T03:05:30.000Z' FROM violations AS v JOIN iterations AS i ON i.run_id = v.run_id AND i.number = 1;
INSERT INTO events (violation_id, iteration_id, status, actor, result, at)
SELECT v.id, i.id, 'fixed', 'agent', 'done', '2026-01-02T03:20:00.000Z' FROM violations AS v JOIN iterations AS i ON i.run_id = v.run_id AND i.number = 1
WHERE v.file IN ('src/fixed.go', 'src/verified.go', 'src/reopened.go');
INSERT INTO events (violation_id, iteration_id, status, actor, result, reason, at)
SELECT v.id, i.id, 'skipped', 'human', 'no', 'style', '2026-01-02T03:20:00.000Z' FROM violations AS v JOIN iterations AS i ON i.run_id = v.run_id AND i.number = 1
WHERE v.file = 'src/skipped.go';
INSERT INTO events (violation_id, iteration_id, status, actor, at)
SELECT v.id, i.id, substr(v.file, 5, 8), 'reviewer', '2026-01-02T03:30:00.000Z' FROM violations AS v JOIN iterations AS i ON i.run_id = v.run_id AND i.number = 1
WHERE v.file IN ('src/verified.go', 'src/reopened.go');

INSERT INTO slot_entries (slot_id, position, violation_id, report_id, status, result)
SELECT p.slot_id, p.position, p.violation_id, p.id, 'new', NULL FROM reports AS p WHERE p.disposition = 'accepted';
INSERT INTO blobs (id, sha256, size, data) VALUES (1, zeroblob(32), 3, x'616263');
INSERT INTO slot_blobs (slot_id, kind, call, blob_id) SELECT s.id, 'prompt', 1, 1 FROM slots AS s;
INSERT INTO gate_blobs (gate_id, blob_id) SELECT g.id, 1 FROM gates AS g;
INSERT INTO cooldowns (adapter, until, reason, set_at) VALUES ('codex', '2026-01-02T05:00:00.000Z', 'usage limit', '2026-01-02T04:00:00.000Z');
