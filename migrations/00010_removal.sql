-- Whole runs can be removed. A run is removed first and its rows after it, in one
-- transaction: as long as the run is there, nothing of its history can be removed.

-- +goose Up

PRAGMA user_version = 10;

DROP TRIGGER events_are_never_removed;
DROP TRIGGER reports_are_never_removed;
DROP TRIGGER transitions_are_never_removed;

-- +goose StatementBegin
CREATE TRIGGER events_stay_with_their_run BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM violations AS v CROSS JOIN runs AS r ON r.id = v.run_id WHERE v.id = OLD.violation_id)
BEGIN
  SELECT RAISE(ABORT, 'events are only removed with their run');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_stay_with_their_run BEFORE DELETE ON reports
WHEN EXISTS (
  SELECT 1 FROM slots AS s
  CROSS JOIN gates AS g ON g.id = s.gate_id
  CROSS JOIN iterations AS i ON i.id = g.iteration_id
  CROSS JOIN runs AS r ON r.id = i.run_id
  WHERE s.id = OLD.slot_id)
BEGIN
  SELECT RAISE(ABORT, 'reports are only removed with their run');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER transitions_stay_with_their_run BEFORE DELETE ON transitions
WHEN EXISTS (SELECT 1 FROM runs AS r WHERE r.id = OLD.run_id)
BEGIN
  SELECT RAISE(ABORT, 'transitions are only removed with their run');
END;
-- +goose StatementEnd

-- What a run added to totals and to the full text is taken away before it goes. These views
-- are only inserted into.

CREATE VIEW line_removals AS SELECT 0 AS repository_id, '' AS fingerprint, 0 AS violations;
CREATE VIEW file_removals AS SELECT 0 AS repository_id, '' AS file, 0 AS violations, 0 AS open, 0 AS abandoned, 0 AS claimed,
  0 AS verified, 0 AS skipped, 0 AS in_fix_lines;
CREATE VIEW event_removals AS SELECT '' AS bucket, 0 AS repository_id, 0 AS job_id, '' AS adapter, '' AS status, 0 AS violations;

-- A line that was in two runs recurs no more.
-- +goose StatementBegin
CREATE TRIGGER lines_are_taken_out INSTEAD OF INSERT ON line_removals
BEGIN
  UPDATE violations SET recurring = 0
  WHERE recurring = 1 AND fingerprint = NEW.fingerprint
    AND NEW.repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = violations.run_id)
    AND EXISTS (SELECT 1 FROM recurring_lines AS l
                WHERE l.fingerprint = NEW.fingerprint AND l.repository_id = NEW.repository_id AND l.runs = 2);
  DELETE FROM recurring_lines WHERE fingerprint = NEW.fingerprint AND repository_id = NEW.repository_id AND runs = 2;
  UPDATE recurring_lines SET runs = runs - 1, violations = violations - NEW.violations
  WHERE fingerprint = NEW.fingerprint AND repository_id = NEW.repository_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER files_are_taken_out INSTEAD OF INSERT ON file_removals
BEGIN
  UPDATE file_totals
  SET violations = violations - NEW.violations, open = open - NEW.open, abandoned = abandoned - NEW.abandoned,
    claimed = claimed - NEW.claimed, verified = verified - NEW.verified, skipped = skipped - NEW.skipped,
    in_fix_lines = in_fix_lines - NEW.in_fix_lines
  WHERE repository_id = NEW.repository_id AND file = NEW.file;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_are_taken_out INSTEAD OF INSERT ON event_removals
BEGIN
  UPDATE event_totals SET violations = violations - NEW.violations
  WHERE bucket = NEW.bucket AND repository_id = NEW.repository_id AND job_id = NEW.job_id AND adapter = NEW.adapter AND status = NEW.status;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_taken_out BEFORE DELETE ON runs
BEGIN
  SELECT RAISE(ABORT, 'a run that is open cannot be removed') WHERE OLD.finished_at IS NULL;

  INSERT INTO line_removals (repository_id, fingerprint, violations)
  SELECT OLD.repository_id, v.fingerprint, count(*)
  FROM violations AS v
  WHERE v.run_id = OLD.id AND v.recurring = 1
  GROUP BY v.fingerprint;
  INSERT INTO violation_changes (violation_id, sign) SELECT v.id, -1 FROM violations AS v WHERE v.run_id = OLD.id;
  INSERT INTO file_removals (repository_id, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines)
  SELECT OLD.repository_id, v.file, count(*), sum(v.open AND NOT v.abandoned), sum(v.open AND v.abandoned), sum(v.status = 'fixed'),
    sum(v.status = 'verified'), sum(v.status = 'skipped'), sum(v.in_fix_lines)
  FROM violations AS v
  WHERE v.run_id = OLD.id
  GROUP BY v.file;
  INSERT INTO event_removals (bucket, repository_id, job_id, adapter, status, violations)
  SELECT CASE b.n WHEN 10 THEN substr(e.at, 1, 10) ELSE 'W' || date(e.at, '-6 days', 'weekday 1') END, OLD.repository_id,
    v.job_id, v.adapter, e.status, count(DISTINCT e.violation_id)
  FROM violations AS v
  CROSS JOIN events AS e ON e.violation_id = v.id
  CROSS JOIN (SELECT 10 AS n UNION ALL SELECT 11) AS b
  WHERE v.run_id = OLD.id
  GROUP BY 1, 3, 4, 5;

  INSERT INTO slot_changes (slot_id, sign)
  SELECT s.id, -1
  FROM iterations AS i
  CROSS JOIN gates AS g ON g.iteration_id = i.id
  CROSS JOIN slots AS s ON s.gate_id = g.id
  WHERE i.run_id = OLD.id AND s.ended_at IS NOT NULL;
  INSERT INTO check_changes (gate_id, sign)
  SELECT g.id, -1
  FROM iterations AS i
  CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.status IN ('passed', 'failed', 'error')
  WHERE i.run_id = OLD.id;
  DELETE FROM flaky_trees
  WHERE tree IN (SELECT i.tree FROM iterations AS i WHERE i.run_id = OLD.id)
    AND (SELECT count(DISTINCT g.status)
         FROM iterations AS i
         CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = flaky_trees.job_id AND g.status IN ('passed', 'failed')
         WHERE i.tree = flaky_trees.tree AND i.run_id <> OLD.id) < 2;

  INSERT INTO report_words (report_words, rowid, issue, fix, title, result)
  SELECT 'delete', t.id, t.issue, t.fix, t.title, t.result
  FROM iterations AS i
  CROSS JOIN gates AS g ON g.iteration_id = i.id
  CROSS JOIN slots AS s ON s.gate_id = g.id
  CROSS JOIN reports AS p ON p.slot_id = s.id
  CROSS JOIN report_texts AS t ON t.id = p.id
  WHERE i.run_id = OLD.id;
END;
-- +goose StatementEnd

-- How many results a tool reported in files that the change does not touch.

DROP VIEW v_slots;
CREATE VIEW v_slots AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.entry_point, j.name AS gate, s.review_index AS slot,
  s.adapter, s.model, s.status, s.pass_iteration, s.reason, s.input_tokens, s.cached_tokens, s.output_tokens,
  s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped,
  s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried, s.finished_at,
  s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.elsewhere
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;
