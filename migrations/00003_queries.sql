-- What makes questions cheap: indexes for the orders in which violations are
-- listed, counts by the slot that reported first, and views for other programs.

-- +goose Up

PRAGMA user_version = 3;

-- Whether an adapter other than the first one reported it too: it reported this
-- violation again, or one of the same run and gate with the same fingerprint.
ALTER TABLE violations ADD COLUMN shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1));
-- Whether its first report lies in lines that the fix before it touched.
ALTER TABLE violations ADD COLUMN in_fix_lines INTEGER NOT NULL DEFAULT 0 CHECK (in_fix_lines IN (0, 1));

CREATE INDEX violations_by_first_seen ON violations (first_seen);
CREATE INDEX violations_open ON violations (first_seen) WHERE status IN ('new', 'reopened');
CREATE INDEX violations_by_file ON violations (file, first_seen);
CREATE INDEX violations_by_fingerprint ON violations (fingerprint, run_id) WHERE fingerprint IS NOT NULL;
CREATE INDEX runs_by_start ON runs (started_at);
CREATE INDEX slots_by_finish ON slots (finished_at) WHERE finished_at IS NOT NULL;

-- The reasons that may be given for a skip.
CREATE TABLE skip_reasons (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO skip_reasons (name) VALUES
  ('false_positive'), ('accepted_risk'), ('duplicate'), ('out_of_scope'), ('deferred'), ('style');

-- Every file that a violation was ever in.
CREATE TABLE files (file TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

-- How many of the violations that a slot was the first to report have which
-- status now, so that a report over time never counts violations. Triggers keep
-- it.
CREATE TABLE slot_violations (
  slot_id      INTEGER NOT NULL REFERENCES slots (id),
  status       TEXT NOT NULL REFERENCES violation_statuses (name),
  reason       TEXT NOT NULL,         -- of a skip; '': none was given
  shared       INTEGER NOT NULL,
  in_fix_lines INTEGER NOT NULL,
  violations   INTEGER NOT NULL CHECK (violations >= 0),
  PRIMARY KEY (slot_id, status, reason, shared, in_fix_lines)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted AFTER INSERT ON violations
BEGIN
  INSERT INTO files (file) VALUES (NEW.file) ON CONFLICT (file) DO NOTHING;
  INSERT INTO slot_violations (slot_id, status, reason, shared, in_fix_lines, violations)
  SELECT s.id, NEW.status, coalesce(NEW.reason, ''), NEW.shared, NEW.in_fix_lines, 1
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
  JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
  WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration
  ON CONFLICT (slot_id, status, reason, shared, in_fix_lines) DO UPDATE SET violations = violations + 1;
  UPDATE violations SET shared = 1
  WHERE shared = 0 AND fingerprint = NEW.fingerprint AND run_id = NEW.run_id AND job_id = NEW.job_id
    AND EXISTS (SELECT 1 FROM violations AS o
                WHERE o.fingerprint = NEW.fingerprint AND o.run_id = NEW.run_id AND o.job_id = NEW.job_id
                  AND o.adapter <> violations.adapter);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER files_of_violations AFTER UPDATE OF file ON violations
WHEN OLD.file <> NEW.file
BEGIN
  INSERT INTO files (file) VALUES (NEW.file) ON CONFLICT (file) DO NOTHING;
END;
-- +goose StatementEnd

-- The first report of a violation says whether it lies in the last fix; a later
-- one of another adapter that it was found by several.
-- +goose StatementBegin
CREATE TRIGGER reports_tell_of_violations AFTER INSERT ON reports
WHEN NEW.disposition = 'accepted'
BEGIN
  UPDATE violations SET in_fix_lines = 1
  WHERE id = NEW.violation_id AND NEW.in_fix_lines = 1
    AND NEW.id = (SELECT min(r.id) FROM reports AS r WHERE r.violation_id = NEW.violation_id);
  UPDATE violations SET shared = 1
  WHERE id = NEW.violation_id AND shared = 0
    AND NEW.id <> (SELECT min(r.id) FROM reports AS r WHERE r.violation_id = NEW.violation_id)
    AND adapter <> (SELECT s.adapter FROM slots AS s WHERE s.id = NEW.slot_id);
END;
-- +goose StatementEnd

-- What older ledgers hold already. The counts come before the trigger that would
-- take away from them.

UPDATE violations SET in_fix_lines = 1
WHERE id IN (SELECT r.violation_id FROM reports AS r
             WHERE r.in_fix_lines = 1 AND r.disposition = 'accepted'
               AND r.id = (SELECT min(f.id) FROM reports AS f WHERE f.violation_id = r.violation_id));

UPDATE violations SET shared = 1
WHERE EXISTS (SELECT 1 FROM violations AS o
              WHERE o.fingerprint = violations.fingerprint AND o.run_id = violations.run_id
                AND o.job_id = violations.job_id AND o.adapter <> violations.adapter)
   OR EXISTS (SELECT 1 FROM reports AS r JOIN slots AS s ON s.id = r.slot_id
              WHERE r.violation_id = violations.id AND r.disposition = 'accepted' AND s.adapter <> violations.adapter);

INSERT INTO files (file) SELECT DISTINCT v.file FROM violations AS v;

INSERT INTO slot_violations (slot_id, status, reason, shared, in_fix_lines, violations)
SELECT s.id, v.status, coalesce(v.reason, ''), v.shared, v.in_fix_lines, count(*)
FROM violations AS v
JOIN iterations AS i ON i.run_id = v.run_id AND i.number = v.first_iteration
JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = v.job_id
JOIN slots AS s ON s.gate_id = g.id AND s.review_index = v.slot
GROUP BY 1, 2, 3, 4, 5;

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted_again
AFTER UPDATE OF status, reason, shared, in_fix_lines ON violations
WHEN OLD.status <> NEW.status OR OLD.reason IS NOT NEW.reason
  OR OLD.shared <> NEW.shared OR OLD.in_fix_lines <> NEW.in_fix_lines
BEGIN
  UPDATE slot_violations SET violations = violations - 1
  WHERE status = OLD.status AND reason = coalesce(OLD.reason, '') AND shared = OLD.shared AND in_fix_lines = OLD.in_fix_lines
    AND slot_id = (SELECT s.id FROM iterations AS i
                   JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
                   JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
                   WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration);
  INSERT INTO slot_violations (slot_id, status, reason, shared, in_fix_lines, violations)
  SELECT s.id, NEW.status, coalesce(NEW.reason, ''), NEW.shared, NEW.in_fix_lines, 1
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
  JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
  WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration
  ON CONFLICT (slot_id, status, reason, shared, in_fix_lines) DO UPDATE SET violations = violations + 1;
END;
-- +goose StatementEnd

-- Views for other programs. Their columns only ever grow in number.

CREATE VIEW v_runs AS
SELECT r.ulid AS run, r.kind, r.status, r.worktree, r.log_dir, r.branch, r.base_ref, r.base, r.head,
  r.iterations, r.fixed, r.skipped, r.open, r.started_at, r.finished_at
FROM runs AS r;

CREATE VIEW v_iterations AS
SELECT r.ulid AS run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head,
  i.new, i.carried, i.verified, i.reopened, i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_slots AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.entry_point, j.name AS gate, s.review_index AS slot,
  s.adapter, s.model, s.status, s.pass_iteration, s.reason, s.input_tokens, s.cached_tokens, s.output_tokens,
  s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped,
  s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried, s.finished_at
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.slot, v.adapter,
  v.first_iteration, v.last_iteration, v.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, r.ulid AS run, i.number AS iteration, e.status, e.actor, e.result, e.reason, e.at
FROM events AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN iterations AS i ON i.id = e.iteration_id
JOIN runs AS r ON r.id = v.run_id;

CREATE VIEW v_reports AS
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, s.adapter, p.position,
  p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix, p.priority, p.disposition, p.reason,
  p.in_fix_lines, v.short_id AS violation
FROM reports AS p
JOIN slots AS s ON s.id = p.slot_id
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id
LEFT JOIN violations AS v ON v.id = p.violation_id;
