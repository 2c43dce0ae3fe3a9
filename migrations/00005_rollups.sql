-- Totals, so that figures over all time need not read every row. Triggers keep them in
-- the transaction that changes the rows. What a total is made of stands once, in a view
-- of facts; db check makes the totals again from the views and compares.
--
-- A bucket is a stretch of time in UTC: '' is all time, '2026-11' a month, '2026-11-22'
-- a day; or it is the first folder of a path: '/src', and '/' beside no folder. A model that is not known is 'unknown'. Durations are rounded to three digits.

-- +goose Up

PRAGMA user_version = 5;

DROP TRIGGER violations_are_counted;
DROP TRIGGER violations_are_counted_again;
DROP TABLE slot_violations;

-- Whether its run was abandoned. What is open then waits for nobody: it is shown as abandoned.
ALTER TABLE violations ADD COLUMN abandoned INTEGER NOT NULL DEFAULT 0 CHECK (abandoned IN (0, 1));
ALTER TABLE violations ADD COLUMN shown TEXT NOT NULL GENERATED ALWAYS AS (CASE WHEN abandoned = 1 AND open = 1 THEN 'abandoned' ELSE status END) VIRTUAL;
-- Whether violations of other runs of the repository have its fingerprint, too.
ALTER TABLE violations ADD COLUMN recurring INTEGER NOT NULL DEFAULT 0 CHECK (recurring IN (0, 1));
DROP INDEX violations_open;
DROP INDEX violations_by_status;

CREATE INDEX gates_by_job ON gates (job_id, id);
CREATE INDEX iterations_by_start ON iterations (started_at);
CREATE INDEX iterations_by_tree ON iterations (tree) WHERE tree IS NOT NULL;
CREATE INDEX verdicts_by_time ON verdicts (at);

-- Violations, by when they were first reported.

CREATE VIEW violation_facts AS
SELECT v.id AS violation_id, v.run_id, r.repository_id, v.job_id, v.adapter, coalesce(s.model, 'unknown') AS model,
  v.first_iteration AS iteration, v.priority, v.shown AS status, coalesce(v.reason, '') AS reason, v.shared, v.in_fix_lines, v.recurring,
  v.first_seen AS at, substr(v.file, 1, max(instr(v.file, '/') - 1, 0)) AS folder
FROM violations AS v
CROSS JOIN runs AS r ON r.id = v.run_id
LEFT JOIN iterations AS i ON i.run_id = v.run_id AND i.number = v.first_iteration
LEFT JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = v.job_id
LEFT JOIN slots AS s ON s.gate_id = g.id AND s.review_index = v.slot;

CREATE TABLE violation_totals (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  job_id        INTEGER NOT NULL REFERENCES jobs (id),
  adapter       TEXT NOT NULL,
  model         TEXT NOT NULL,
  iteration     INTEGER NOT NULL,
  priority      TEXT NOT NULL,
  status        TEXT NOT NULL,
  reason        TEXT NOT NULL,
  shared        INTEGER NOT NULL,
  in_fix_lines  INTEGER NOT NULL,
  recurring     INTEGER NOT NULL,
  violations    INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
) STRICT, WITHOUT ROWID;

-- Files, by where violations are now.

CREATE TABLE file_totals (
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  file          TEXT NOT NULL,
  violations    INTEGER NOT NULL CHECK (violations >= 0),
  open          INTEGER NOT NULL CHECK (open >= 0),
  abandoned     INTEGER NOT NULL CHECK (abandoned >= 0),
  claimed       INTEGER NOT NULL CHECK (claimed >= 0),
  verified      INTEGER NOT NULL CHECK (verified >= 0),
  skipped       INTEGER NOT NULL CHECK (skipped >= 0),
  in_fix_lines  INTEGER NOT NULL CHECK (in_fix_lines >= 0),
  PRIMARY KEY (repository_id, file)
) STRICT, WITHOUT ROWID;

-- Fingerprints that violations of several runs of a repository have.

CREATE TABLE recurring_lines (
  fingerprint   TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  runs          INTEGER NOT NULL CHECK (runs > 1),
  violations    INTEGER NOT NULL CHECK (violations >= runs),
  PRIMARY KEY (fingerprint, repository_id)
) STRICT, WITHOUT ROWID;

CREATE VIEW made_recurring_lines AS
SELECT v.fingerprint, r.repository_id, count(DISTINCT v.run_id) AS runs, count(*) AS violations
FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id
WHERE v.fingerprint IS NOT NULL
GROUP BY 1, 2
HAVING count(DISTINCT v.run_id) > 1;

INSERT INTO recurring_lines SELECT * FROM made_recurring_lines;
CREATE INDEX recurring_lines_by_number ON recurring_lines (runs DESC, fingerprint);

UPDATE violations SET recurring = 1
WHERE EXISTS (SELECT 1 FROM runs AS r CROSS JOIN recurring_lines AS l ON l.fingerprint = violations.fingerprint AND l.repository_id = r.repository_id
  WHERE r.id = violations.run_id);
UPDATE violations SET abandoned = 1 WHERE run_id IN (SELECT r.id FROM runs AS r WHERE r.status = 'abandoned');

CREATE INDEX violations_open ON violations (first_seen) WHERE open = 1 AND abandoned = 0;
CREATE INDEX violations_by_status ON violations (shown, first_seen);
CREATE INDEX violations_recurring ON violations (first_seen) WHERE recurring = 1;

DROP VIEW v_violations;
CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.slot, v.adapter,
  v.first_iteration, v.last_iteration, v.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at, v.open, p.line_hash, v.shown, v.recurring
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id;

-- Slots that ended, by when.

CREATE VIEW slot_facts AS
SELECT s.id AS slot_id, i.run_id, r.repository_id, g.job_id, s.adapter, coalesce(s.model, 'unknown') AS model, i.number AS iteration,
  s.ended_at AS at,
  s.status IN ('pass', 'fail') AS answered, s.status = 'error' AS errors, s.status = 'interrupted' AS interrupted,
  s.status = 'skipped_prior_pass' AS skipped,
  s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped, s.remembered_skip, s.malformed, s.merged, s.outside_verify,
  s.reopened, s.verified, s.carried,
  coalesce(s.input_tokens, 0) AS input_tokens, coalesce(s.cached_tokens, 0) AS cached_tokens,
  coalesce(s.output_tokens, 0) AS output_tokens,
  s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL AS with_tokens,
  CAST(round(coalesce(s.cost_usd, 0.0) * 1e9) AS INTEGER) AS cost_nano,
  s.cost_usd IS NOT NULL AND s.status IN ('pass', 'fail', 'error') AS with_cost,
  CASE s.status WHEN 'skipped_prior_pass' THEN coalesce((
    SELECT p.input_tokens + p.output_tokens FROM iterations AS pi CROSS JOIN gates AS pg ON pg.iteration_id = pi.id AND pg.job_id = g.job_id
      CROSS JOIN slots AS p ON p.gate_id = pg.id AND p.review_index = s.review_index
    WHERE pi.run_id = i.run_id AND pi.number = s.pass_iteration), 0) ELSE 0 END AS saved_tokens,
  CASE s.status WHEN 'skipped_prior_pass' THEN CAST(round(coalesce((
    SELECT p.cost_usd FROM iterations AS pi CROSS JOIN gates AS pg ON pg.iteration_id = pi.id AND pg.job_id = g.job_id
      CROSS JOIN slots AS p ON p.gate_id = pg.id AND p.review_index = s.review_index
    WHERE pi.run_id = i.run_id AND pi.number = s.pass_iteration), 0.0) * 1e9) AS INTEGER) ELSE 0 END AS saved_nano,
  CASE WHEN s.duration_ms < 1000 THEN s.duration_ms
       WHEN s.duration_ms < 10000 THEN (s.duration_ms + 5) / 10 * 10
       WHEN s.duration_ms < 100000 THEN (s.duration_ms + 50) / 100 * 100
       WHEN s.duration_ms < 1000000 THEN (s.duration_ms + 500) / 1000 * 1000
       ELSE (s.duration_ms + 5000) / 10000 * 10000 END AS took_ms
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS r ON r.id = i.run_id
WHERE s.ended_at IS NOT NULL;

CREATE TABLE slot_totals (
  bucket             TEXT NOT NULL,
  repository_id      INTEGER NOT NULL REFERENCES repositories (id),
  job_id             INTEGER NOT NULL REFERENCES jobs (id),
  adapter            TEXT NOT NULL,
  model              TEXT NOT NULL,
  iteration          INTEGER NOT NULL,
  answered           INTEGER NOT NULL,
  errors             INTEGER NOT NULL,
  interrupted        INTEGER NOT NULL,
  skipped            INTEGER NOT NULL,
  accepted           INTEGER NOT NULL,
  out_of_diff        INTEGER NOT NULL,
  below_threshold    INTEGER NOT NULL,
  previously_skipped INTEGER NOT NULL,
  remembered_skip    INTEGER NOT NULL,
  malformed          INTEGER NOT NULL,
  merged             INTEGER NOT NULL,
  outside_verify     INTEGER NOT NULL,
  reopened           INTEGER NOT NULL,
  verified           INTEGER NOT NULL,
  carried            INTEGER NOT NULL,
  input_tokens       INTEGER NOT NULL,
  cached_tokens      INTEGER NOT NULL,
  output_tokens      INTEGER NOT NULL,
  with_tokens        INTEGER NOT NULL,
  cost_nano          INTEGER NOT NULL, -- billionths of a US dollar, so that sums are exact
  with_cost          INTEGER NOT NULL, -- answers and errors of which the cost is known
  saved_tokens       INTEGER NOT NULL, -- what skipped slots spent when they passed
  saved_nano         INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, job_id, adapter, model, iteration)
) STRICT, WITHOUT ROWID;

-- How long answers took.
CREATE TABLE slot_times (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  job_id        INTEGER NOT NULL REFERENCES jobs (id),
  adapter       TEXT NOT NULL,
  model         TEXT NOT NULL,
  took_ms       INTEGER NOT NULL,
  slots         INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, job_id, adapter, model, took_ms)
) STRICT, WITHOUT ROWID;

-- Checks that were executed, by when their iteration began.

CREATE VIEW check_facts AS
SELECT g.id AS gate_id, i.run_id, r.repository_id, g.job_id, g.status = 'passed' AS passed, i.started_at AS at,
  CASE WHEN g.duration_ms < 1000 THEN g.duration_ms
       WHEN g.duration_ms < 10000 THEN (g.duration_ms + 5) / 10 * 10
       WHEN g.duration_ms < 100000 THEN (g.duration_ms + 50) / 100 * 100
       WHEN g.duration_ms < 1000000 THEN (g.duration_ms + 500) / 1000 * 1000
       ELSE (g.duration_ms + 5000) / 10000 * 10000 END AS took_ms
FROM gates AS g
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
CROSS JOIN runs AS r ON r.id = i.run_id
WHERE j.kind = 'check' AND g.status IN ('passed', 'failed', 'error');

CREATE TABLE check_totals (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  job_id        INTEGER NOT NULL REFERENCES jobs (id),
  passed        INTEGER NOT NULL,
  took_ms       INTEGER NOT NULL,
  executions    INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, job_id, passed, took_ms)
) STRICT, WITHOUT ROWID;

-- Trees on which a check both passed and failed.
CREATE TABLE flaky_trees (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  tree   TEXT NOT NULL,
  PRIMARY KEY (job_id, tree)
) STRICT, WITHOUT ROWID;

-- How many violations had such an event in a day, or in the week that begins on a Monday
-- ('W2026-11-16'), however often.
CREATE TABLE event_totals (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  job_id        INTEGER NOT NULL REFERENCES jobs (id),
  adapter       TEXT NOT NULL,
  status        TEXT NOT NULL,
  violations    INTEGER NOT NULL CHECK (violations >= 0),
  PRIMARY KEY (bucket, repository_id, job_id, adapter, status)
) STRICT, WITHOUT ROWID;

-- What adds a row to totals, or takes it away (sign -1), stands once: these views are only
-- inserted into.

CREATE VIEW violation_changes AS SELECT 0 AS violation_id, 0 AS sign;
CREATE VIEW slot_changes AS SELECT 0 AS slot_id, 0 AS sign;
CREATE VIEW check_changes AS SELECT 0 AS gate_id, 0 AS sign;

-- +goose StatementBegin
CREATE TRIGGER violation_changes_are_made INSTEAD OF INSERT ON violation_changes
BEGIN
  INSERT INTO violation_totals (bucket, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, violations)
  SELECT CASE b.n WHEN -1 THEN '/' || f.folder ELSE substr(f.at, 1, b.n) END, f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines,
    f.recurring, NEW.sign
  FROM violation_facts AS f
  CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10 UNION ALL SELECT -1) AS b
  WHERE f.violation_id = NEW.violation_id
  ON CONFLICT (bucket, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
  DO UPDATE SET violations = violations + NEW.sign;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted AFTER INSERT ON violations
BEGIN
  INSERT INTO files (repository_id, file)
  SELECT r.repository_id, NEW.file FROM runs AS r WHERE r.id = NEW.run_id
  ON CONFLICT (repository_id, file) DO NOTHING;
  INSERT INTO violation_changes (violation_id, sign) VALUES (NEW.id, 1);
  INSERT INTO file_totals (repository_id, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines)
  SELECT r.repository_id, NEW.file, 1, NEW.open AND NOT NEW.abandoned, NEW.open AND NEW.abandoned, NEW.status = 'fixed', NEW.status = 'verified',
    NEW.status = 'skipped', NEW.in_fix_lines
  FROM runs AS r WHERE r.id = NEW.run_id
  ON CONFLICT (repository_id, file)
  DO UPDATE SET violations = violations + 1, open = open + excluded.open, abandoned = abandoned + excluded.abandoned, claimed = claimed + excluded.claimed,
    verified = verified + excluded.verified, skipped = skipped + excluded.skipped,
    in_fix_lines = in_fix_lines + excluded.in_fix_lines;
  UPDATE recurring_lines
  SET violations = violations + 1,
      runs = runs + NOT EXISTS (SELECT 1 FROM violations AS o WHERE o.fingerprint = NEW.fingerprint AND o.run_id = NEW.run_id AND o.id <> NEW.id)
  WHERE fingerprint = NEW.fingerprint
    AND repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id);
  INSERT INTO recurring_lines (fingerprint, repository_id, runs, violations)
  SELECT NEW.fingerprint, r.repository_id, count(DISTINCT o.run_id), count(*)
  FROM runs AS r
  CROSS JOIN violations AS o ON o.fingerprint = NEW.fingerprint
  CROSS JOIN runs AS u ON u.id = o.run_id AND u.repository_id = r.repository_id
  WHERE r.id = NEW.run_id
    AND NOT EXISTS (SELECT 1 FROM recurring_lines AS l WHERE l.fingerprint = NEW.fingerprint AND l.repository_id = r.repository_id)
  GROUP BY r.repository_id
  HAVING count(DISTINCT o.run_id) > 1;
  UPDATE violations SET shared = 1
  WHERE shared = 0 AND fingerprint = NEW.fingerprint AND run_id = NEW.run_id AND job_id = NEW.job_id
    AND EXISTS (SELECT 1 FROM violations AS o
                WHERE o.fingerprint = NEW.fingerprint AND o.run_id = NEW.run_id AND o.job_id = NEW.job_id
                  AND o.adapter <> violations.adapter);
  UPDATE violations SET recurring = 1
  WHERE id = NEW.id AND recurring = 0 AND EXISTS (
    SELECT 1 FROM runs AS r CROSS JOIN recurring_lines AS l ON l.fingerprint = NEW.fingerprint AND l.repository_id = r.repository_id
    WHERE r.id = NEW.run_id);
  UPDATE violations SET abandoned = 1
  WHERE id = NEW.id AND (SELECT r.status FROM runs AS r WHERE r.id = NEW.run_id) = 'abandoned';
END;
-- +goose StatementEnd

-- Another status makes another total, of violations and of files.

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted_before BEFORE UPDATE OF priority, status, reason, shared, in_fix_lines, abandoned, recurring, file ON violations
WHEN OLD.priority <> NEW.priority OR OLD.status <> NEW.status OR OLD.abandoned <> NEW.abandoned AND OLD.open = 1 OR OLD.reason IS NOT NEW.reason
  OR OLD.shared <> NEW.shared OR OLD.in_fix_lines <> NEW.in_fix_lines OR OLD.recurring <> NEW.recurring
  OR substr(OLD.file, 1, instr(OLD.file, '/')) <> substr(NEW.file, 1, instr(NEW.file, '/'))
BEGIN
  INSERT INTO violation_changes (violation_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted_after AFTER UPDATE OF priority, status, reason, shared, in_fix_lines, abandoned, recurring, file ON violations
WHEN OLD.priority <> NEW.priority OR OLD.status <> NEW.status OR OLD.abandoned <> NEW.abandoned AND OLD.open = 1 OR OLD.reason IS NOT NEW.reason
  OR OLD.shared <> NEW.shared OR OLD.in_fix_lines <> NEW.in_fix_lines OR OLD.recurring <> NEW.recurring
  OR substr(OLD.file, 1, instr(OLD.file, '/')) <> substr(NEW.file, 1, instr(NEW.file, '/'))
BEGIN
  INSERT INTO violation_changes (violation_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- The model of a slot may be known only after what it reported.

-- +goose StatementBegin
CREATE TRIGGER models_are_counted_before BEFORE UPDATE OF model ON slots
WHEN OLD.model IS NOT NEW.model
BEGIN
  INSERT INTO violation_changes (violation_id, sign)
  SELECT v.id, -1
  FROM gates AS g
  CROSS JOIN iterations AS i ON i.id = g.iteration_id
  CROSS JOIN violations AS v ON v.run_id = i.run_id AND v.job_id = g.job_id AND v.first_iteration = i.number AND v.slot = OLD.review_index
  WHERE g.id = OLD.gate_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER models_are_counted_after AFTER UPDATE OF model ON slots
WHEN OLD.model IS NOT NEW.model
BEGIN
  INSERT INTO violation_changes (violation_id, sign)
  SELECT v.id, 1
  FROM gates AS g
  CROSS JOIN iterations AS i ON i.id = g.iteration_id
  CROSS JOIN violations AS v ON v.run_id = i.run_id AND v.job_id = g.job_id AND v.first_iteration = i.number AND v.slot = NEW.review_index
  WHERE g.id = NEW.gate_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER violations_of_files
AFTER UPDATE OF file, status, in_fix_lines, abandoned ON violations
WHEN OLD.file <> NEW.file OR OLD.shown <> NEW.shown OR OLD.in_fix_lines <> NEW.in_fix_lines
BEGIN
  UPDATE file_totals
  SET violations = violations - 1, open = open - (OLD.open AND NOT OLD.abandoned), abandoned = abandoned - (OLD.open AND OLD.abandoned), claimed = claimed - (OLD.status = 'fixed'),
    verified = verified - (OLD.status = 'verified'), skipped = skipped - (OLD.status = 'skipped'),
    in_fix_lines = in_fix_lines - OLD.in_fix_lines
  WHERE repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = OLD.run_id) AND file = OLD.file;
  INSERT INTO file_totals (repository_id, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines)
  SELECT r.repository_id, NEW.file, 1, NEW.open AND NOT NEW.abandoned, NEW.open AND NEW.abandoned, NEW.status = 'fixed', NEW.status = 'verified',
    NEW.status = 'skipped', NEW.in_fix_lines
  FROM runs AS r WHERE r.id = NEW.run_id
  ON CONFLICT (repository_id, file)
  DO UPDATE SET violations = violations + 1, open = open + excluded.open, abandoned = abandoned + excluded.abandoned, claimed = claimed + excluded.claimed,
    verified = verified + excluded.verified, skipped = skipped + excluded.skipped,
    in_fix_lines = in_fix_lines + excluded.in_fix_lines;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_abandoned AFTER UPDATE OF status ON runs
WHEN (OLD.status = 'abandoned') <> (NEW.status = 'abandoned')
BEGIN
  UPDATE violations SET abandoned = NEW.status = 'abandoned' WHERE run_id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER lines_recur AFTER INSERT ON recurring_lines
BEGIN
  UPDATE violations SET recurring = 1
  WHERE fingerprint = NEW.fingerprint AND recurring = 0
    AND NEW.repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = violations.run_id);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_are_counted AFTER INSERT ON events
BEGIN
  INSERT INTO event_totals (bucket, repository_id, job_id, adapter, status, violations)
  SELECT b.bucket, r.repository_id, v.job_id, v.adapter, NEW.status, 1
  FROM violations AS v
  CROSS JOIN runs AS r ON r.id = v.run_id
  CROSS JOIN (SELECT substr(NEW.at, 1, 10) AS bucket, substr(NEW.at, 1, 10) AS since, substr(NEW.at, 1, 10) || 'U' AS until
    UNION ALL SELECT 'W' || date(NEW.at, '-6 days', 'weekday 1'), date(NEW.at, '-6 days', 'weekday 1'),
      date(NEW.at, '-6 days', 'weekday 1', '+7 days')) AS b
  WHERE v.id = NEW.violation_id
    AND NOT EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = NEW.violation_id AND e.number < NEW.number
      AND +e.status = NEW.status AND +e.at >= b.since AND +e.at < b.until) -- not by the index of statuses
  ON CONFLICT (bucket, repository_id, job_id, adapter, status) DO UPDATE SET violations = violations + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER slot_changes_are_made INSTEAD OF INSERT ON slot_changes
BEGIN
  INSERT INTO slot_totals (bucket, repository_id, job_id, adapter, model, iteration,
    answered, errors, interrupted, skipped, accepted, out_of_diff, below_threshold, previously_skipped,
    remembered_skip, malformed, merged, outside_verify, reopened, verified, carried, input_tokens, cached_tokens,
    output_tokens, with_tokens, cost_nano, with_cost, saved_tokens, saved_nano)
  SELECT substr(f.at, 1, b.n), f.repository_id, f.job_id, f.adapter, f.model, f.iteration,
    NEW.sign * f.answered, NEW.sign * f.errors, NEW.sign * f.interrupted, NEW.sign * f.skipped, NEW.sign * f.accepted,
    NEW.sign * f.out_of_diff, NEW.sign * f.below_threshold, NEW.sign * f.previously_skipped,
    NEW.sign * f.remembered_skip, NEW.sign * f.malformed, NEW.sign * f.merged, NEW.sign * f.outside_verify,
    NEW.sign * f.reopened, NEW.sign * f.verified, NEW.sign * f.carried, NEW.sign * f.input_tokens,
    NEW.sign * f.cached_tokens, NEW.sign * f.output_tokens, NEW.sign * f.with_tokens, NEW.sign * f.cost_nano,
    NEW.sign * f.with_cost, NEW.sign * f.saved_tokens, NEW.sign * f.saved_nano
  FROM slot_facts AS f
  CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  WHERE f.slot_id = NEW.slot_id
  ON CONFLICT (bucket, repository_id, job_id, adapter, model, iteration)
  DO UPDATE SET
    answered = answered + excluded.answered, errors = errors + excluded.errors,
    interrupted = interrupted + excluded.interrupted, skipped = skipped + excluded.skipped,
    accepted = accepted + excluded.accepted, out_of_diff = out_of_diff + excluded.out_of_diff,
    below_threshold = below_threshold + excluded.below_threshold,
    previously_skipped = previously_skipped + excluded.previously_skipped,
    remembered_skip = remembered_skip + excluded.remembered_skip, malformed = malformed + excluded.malformed,
    merged = merged + excluded.merged, outside_verify = outside_verify + excluded.outside_verify,
    reopened = reopened + excluded.reopened, verified = verified + excluded.verified,
    carried = carried + excluded.carried, input_tokens = input_tokens + excluded.input_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens, output_tokens = output_tokens + excluded.output_tokens,
    with_tokens = with_tokens + excluded.with_tokens, cost_nano = cost_nano + excluded.cost_nano,
    with_cost = with_cost + excluded.with_cost, saved_tokens = saved_tokens + excluded.saved_tokens,
    saved_nano = saved_nano + excluded.saved_nano;
  INSERT INTO slot_times (bucket, repository_id, job_id, adapter, model, took_ms, slots)
  SELECT substr(f.at, 1, b.n), f.repository_id, f.job_id, f.adapter, f.model, f.took_ms, NEW.sign
  FROM slot_facts AS f
  CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  WHERE f.slot_id = NEW.slot_id AND f.answered = 1
  ON CONFLICT (bucket, repository_id, job_id, adapter, model, took_ms) DO UPDATE SET slots = slots + NEW.sign;
END;
-- +goose StatementEnd

-- A slot is counted when it has ended, and again when what it says of itself changes.

-- +goose StatementBegin
CREATE TRIGGER slots_are_counted AFTER INSERT ON slots
WHEN NEW.finished_at IS NOT NULL OR NEW.noticed_at IS NOT NULL
BEGIN
  INSERT INTO slot_changes (slot_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER slots_are_counted_before BEFORE UPDATE OF adapter, status, model, input_tokens, cached_tokens, output_tokens, cost_usd, duration_ms,
  finished_at, noticed_at, accepted, out_of_diff, below_threshold, previously_skipped, remembered_skip, malformed, merged,
  outside_verify, reopened, verified, carried ON slots
WHEN OLD.finished_at IS NOT NULL OR OLD.noticed_at IS NOT NULL
BEGIN
  INSERT INTO slot_changes (slot_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER slots_are_counted_after AFTER UPDATE OF adapter, status, model, input_tokens, cached_tokens, output_tokens, cost_usd, duration_ms,
  finished_at, noticed_at, accepted, out_of_diff, below_threshold, previously_skipped, remembered_skip, malformed, merged,
  outside_verify, reopened, verified, carried ON slots
WHEN NEW.finished_at IS NOT NULL OR NEW.noticed_at IS NOT NULL
BEGIN
  INSERT INTO slot_changes (slot_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER check_changes_are_made INSTEAD OF INSERT ON check_changes
BEGIN
  INSERT INTO check_totals (bucket, repository_id, job_id, passed, took_ms, executions)
  SELECT substr(f.at, 1, b.n), f.repository_id, f.job_id, f.passed, f.took_ms, NEW.sign
  FROM check_facts AS f
  CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  WHERE f.gate_id = NEW.gate_id
  ON CONFLICT (bucket, repository_id, job_id, passed, took_ms) DO UPDATE SET executions = executions + NEW.sign;
  INSERT INTO flaky_trees (job_id, tree)
  SELECT g.job_id, i.tree
  FROM gates AS n
  CROSS JOIN jobs AS j ON j.id = n.job_id AND j.kind = 'check'
  CROSS JOIN iterations AS ni ON ni.id = n.iteration_id
  CROSS JOIN iterations AS i ON i.tree = ni.tree
  CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = n.job_id AND g.status IN ('passed', 'failed')
  WHERE n.id = NEW.gate_id AND NEW.sign = 1
  GROUP BY g.job_id, i.tree
  HAVING count(DISTINCT g.status) > 1
  ON CONFLICT (job_id, tree) DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checks_are_counted AFTER INSERT ON gates
WHEN NEW.status IN ('passed', 'failed', 'error')
BEGIN
  INSERT INTO check_changes (gate_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checks_are_counted_before BEFORE UPDATE OF status, duration_ms ON gates
WHEN OLD.status IN ('passed', 'failed', 'error')
BEGIN
  INSERT INTO check_changes (gate_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checks_are_counted_after AFTER UPDATE OF status, duration_ms ON gates
WHEN NEW.status IN ('passed', 'failed', 'error')
BEGIN
  INSERT INTO check_changes (gate_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- An outcome that was taken back, as an import does on its way, or a tree that nobody
-- knows any more, may leave one outcome.

-- +goose StatementBegin
CREATE TRIGGER outcomes_are_taken_back AFTER UPDATE OF status ON gates
WHEN OLD.status IN ('passed', 'failed') AND NEW.status <> OLD.status
BEGIN
  DELETE FROM flaky_trees
  WHERE job_id = NEW.job_id AND tree = (SELECT n.tree FROM iterations AS n WHERE n.id = NEW.iteration_id) AND (
    SELECT count(DISTINCT g.status)
    FROM iterations AS i
    CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id AND g.status IN ('passed', 'failed')
    WHERE i.tree = flaky_trees.tree) < 2;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER trees_are_forgotten AFTER UPDATE OF tree ON iterations
WHEN OLD.tree IS NOT NEW.tree AND OLD.tree IS NOT NULL
BEGIN
  DELETE FROM flaky_trees
  WHERE tree = OLD.tree AND (
    SELECT count(DISTINCT g.status)
    FROM iterations AS i
    CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = flaky_trees.job_id AND g.status IN ('passed', 'failed')
    WHERE i.tree = OLD.tree) < 2;
END;
-- +goose StatementEnd

-- The same totals, made anew from all rows.

CREATE VIEW made_violation_totals AS
SELECT CASE b.n WHEN -1 THEN '/' || d.folder ELSE substr(d.day, 1, b.n) END AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.iteration, d.priority, d.status, d.reason, d.shared,
  d.in_fix_lines, d.recurring, sum(d.violations) AS violations
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.folder,
      f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared,
      f.in_fix_lines, f.recurring, count(*) AS violations
    FROM violation_facts AS f
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10 UNION ALL SELECT -1) AS b
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;

CREATE VIEW made_slot_totals AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.iteration, sum(d.answered) AS answered, sum(d.errors) AS errors,
  sum(d.interrupted) AS interrupted, sum(d.skipped) AS skipped, sum(d.accepted) AS accepted,
  sum(d.out_of_diff) AS out_of_diff, sum(d.below_threshold) AS below_threshold,
  sum(d.previously_skipped) AS previously_skipped, sum(d.remembered_skip) AS remembered_skip,
  sum(d.malformed) AS malformed, sum(d.merged) AS merged, sum(d.outside_verify) AS outside_verify,
  sum(d.reopened) AS reopened, sum(d.verified) AS verified, sum(d.carried) AS carried,
  sum(d.input_tokens) AS input_tokens, sum(d.cached_tokens) AS cached_tokens, sum(d.output_tokens) AS output_tokens,
  sum(d.with_tokens) AS with_tokens, sum(d.cost_nano) AS cost_nano, sum(d.with_cost) AS with_cost,
  sum(d.saved_tokens) AS saved_tokens, sum(d.saved_nano) AS saved_nano
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.adapter, f.model, f.iteration, sum(f.answered) AS answered,
      sum(f.errors) AS errors, sum(f.interrupted) AS interrupted, sum(f.skipped) AS skipped,
      sum(f.accepted) AS accepted, sum(f.out_of_diff) AS out_of_diff, sum(f.below_threshold) AS below_threshold,
      sum(f.previously_skipped) AS previously_skipped, sum(f.remembered_skip) AS remembered_skip,
      sum(f.malformed) AS malformed, sum(f.merged) AS merged, sum(f.outside_verify) AS outside_verify,
      sum(f.reopened) AS reopened, sum(f.verified) AS verified, sum(f.carried) AS carried,
      sum(f.input_tokens) AS input_tokens, sum(f.cached_tokens) AS cached_tokens,
      sum(f.output_tokens) AS output_tokens, sum(f.with_tokens) AS with_tokens, sum(f.cost_nano) AS cost_nano,
      sum(f.with_cost) AS with_cost, sum(f.saved_tokens) AS saved_tokens, sum(f.saved_nano) AS saved_nano
    FROM slot_facts AS f
    GROUP BY 1, 2, 3, 4, 5, 6
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5, 6;

CREATE VIEW made_slot_times AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.adapter, d.model, d.took_ms, sum(d.slots) AS slots
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.adapter, f.model, f.took_ms, count(*) AS slots
    FROM slot_facts AS f WHERE f.answered = 1
    GROUP BY 1, 2, 3, 4, 5, 6
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5, 6;

CREATE VIEW made_check_totals AS
SELECT substr(d.day, 1, b.n) AS bucket,
  d.repository_id, d.job_id, d.passed, d.took_ms, sum(d.executions) AS executions
FROM (
    SELECT substr(f.at, 1, 10) AS day,
      f.repository_id, f.job_id, f.passed, f.took_ms, count(*) AS executions
    FROM check_facts AS f
    GROUP BY 1, 2, 3, 4, 5
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5;

CREATE VIEW made_file_totals AS
SELECT r.repository_id, v.file, count(*) AS violations, sum(v.open AND NOT v.abandoned) AS open, sum(v.open AND v.abandoned) AS abandoned, sum(v.status = 'fixed') AS claimed,
  sum(v.status = 'verified') AS verified, sum(v.status = 'skipped') AS skipped,
  sum(v.in_fix_lines) AS in_fix_lines
FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id
GROUP BY 1, 2;

CREATE VIEW made_flaky_trees AS
SELECT g.job_id, i.tree
FROM check_facts AS f
CROSS JOIN gates AS g ON g.id = f.gate_id AND g.status IN ('passed', 'failed')
CROSS JOIN iterations AS i ON i.id = g.iteration_id AND i.tree IS NOT NULL
GROUP BY 1, 2
HAVING count(DISTINCT g.status) > 1;

-- An event is left out where an earlier one of the violation says the same in the same
-- bucket, which the first two never do. What counts in the day and in its week is
-- counted in two halves of one number, so that earlier events are searched once.
CREATE VIEW made_event_totals AS
SELECT CASE b.n WHEN 10 THEN d.day ELSE 'W' || date(d.day, '-6 days', 'weekday 1') END AS bucket, d.repository_id, d.job_id, d.adapter, d.status,
  sum(CASE b.n WHEN 10 THEN d.counts & 4294967295 ELSE d.counts >> 32 END) AS violations
FROM (
  SELECT substr(e.at, 1, 10) AS day, r.repository_id, v.job_id, v.adapter, e.status,
    sum(CASE
      WHEN e.number <= 2 THEN 4294967297
      WHEN NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
        AND p.status = e.status AND date(p.at, '-6 days', 'weekday 1') = date(e.at, '-6 days', 'weekday 1')) THEN 4294967297
      ELSE NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
        AND p.status = e.status AND substr(p.at, 1, 10) = substr(e.at, 1, 10))
    END) AS counts
  FROM violations AS v
  CROSS JOIN runs AS r ON r.id = v.run_id
  CROSS JOIN events AS e ON e.violation_id = v.id
  GROUP BY 1, 2, 3, 4, 5
) AS d
CROSS JOIN (SELECT 10 AS n UNION ALL SELECT 11) AS b
GROUP BY 1, 2, 3, 4, 5;

-- What older ledgers hold already.

INSERT INTO violation_totals SELECT * FROM made_violation_totals;
INSERT INTO file_totals SELECT * FROM made_file_totals;
INSERT INTO slot_totals SELECT * FROM made_slot_totals;
INSERT INTO slot_times SELECT * FROM made_slot_times;
INSERT INTO check_totals SELECT * FROM made_check_totals;
INSERT INTO flaky_trees SELECT * FROM made_flaky_trees;
INSERT INTO event_totals SELECT * FROM made_event_totals;

CREATE INDEX file_totals_by_number ON file_totals (violations DESC, file);
