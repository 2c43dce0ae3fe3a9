-- The same totals at a lower price: a row that is made or changed writes only what it
-- changes. A SELECT that feeds triggers, or joins a list of buckets last, is kept in a table
-- of its own each time, so what a change adds is handed on as values, and buckets come first.

-- +goose Up

PRAGMA user_version = 12;

DROP TRIGGER events_set_the_status;
DROP TRIGGER reports_set_the_wording;
DROP TRIGGER violations_are_counted;
DROP TRIGGER violations_are_counted_before;
DROP TRIGGER violations_are_counted_after;
DROP TRIGGER violations_of_files;
DROP TRIGGER violation_changes_are_made;
DROP TRIGGER events_are_counted;

-- A violation is made with its first status already.

-- +goose StatementBegin
CREATE TRIGGER events_set_the_status AFTER INSERT ON events
BEGIN
  UPDATE violations
  SET status = NEW.status,
      result = CASE WHEN NEW.status IN ('fixed', 'skipped') THEN NEW.result
                    WHEN NEW.status = 'verified' THEN result END,
      reason = CASE WHEN NEW.status IN ('fixed', 'skipped') THEN NEW.reason
                    WHEN NEW.status = 'verified' THEN reason END,
      answered_iteration = CASE WHEN NEW.status IN ('fixed', 'skipped')
        THEN (SELECT i.number FROM iterations AS i WHERE i.id = NEW.iteration_id)
        ELSE answered_iteration END,
      status_at = NEW.at
  WHERE id = NEW.violation_id
    AND (status <> NEW.status OR status_at <> NEW.at OR result IS NOT NULL OR reason IS NOT NULL OR NEW.status IN ('fixed', 'skipped'));
END;
-- +goose StatementEnd

-- Most reports are where their violation was.

-- +goose StatementBegin
CREATE TRIGGER reports_set_the_wording AFTER INSERT ON reports
WHEN NEW.disposition = 'accepted'
BEGIN
  UPDATE violations SET report_id = NEW.id WHERE id = NEW.violation_id;
  UPDATE violations SET file = NEW.file, priority = NEW.priority
  WHERE id = NEW.violation_id AND (file <> NEW.file OR priority <> NEW.priority);
END;
-- +goose StatementEnd

-- What a violation adds to the totals of violations, or takes away (sign -1): violation_facts
-- says what each column is. The view is only inserted into.

CREATE VIEW violation_counts AS
SELECT '' AS at, '' AS folder, 0 AS repository_id, 0 AS job_id, '' AS adapter, '' AS model, 0 AS iteration, '' AS priority, '' AS status,
  '' AS reason, 0 AS shared, 0 AS in_fix_lines, 0 AS recurring, 0 AS sign;

-- +goose StatementBegin
CREATE TRIGGER violation_counts_are_made INSTEAD OF INSERT ON violation_counts
BEGIN
  INSERT INTO violation_totals (bucket, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, violations)
  SELECT b.bucket, NEW.repository_id, NEW.job_id, NEW.adapter, NEW.model, NEW.iteration, NEW.priority, NEW.status, NEW.reason, NEW.shared,
    NEW.in_fix_lines, NEW.recurring, NEW.sign
  FROM (SELECT '' AS bucket UNION ALL SELECT substr(NEW.at, 1, 7) UNION ALL SELECT substr(NEW.at, 1, 10) UNION ALL SELECT '/' || NEW.folder) AS b
  WHERE true
  ON CONFLICT (bucket, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
  DO UPDATE SET violations = violations + excluded.violations;
END;
-- +goose StatementEnd

-- Those who know only which violation it is.

-- +goose StatementBegin
CREATE TRIGGER violation_changes_are_made INSTEAD OF INSERT ON violation_changes
BEGIN
  INSERT INTO violation_counts (at, folder, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, sign)
  SELECT f.at, f.folder, f.repository_id, f.job_id, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines,
    f.recurring, NEW.sign
  FROM violation_facts AS f
  WHERE f.violation_id = NEW.violation_id;
END;
-- +goose StatementEnd

-- Only a violation whose fingerprint others have is shared, or recurs. The view is only
-- inserted into.

CREATE VIEW line_changes AS SELECT 0 AS violation_id, '' AS fingerprint, 0 AS run_id, 0 AS job_id;

-- +goose StatementBegin
CREATE TRIGGER lines_are_counted INSTEAD OF INSERT ON line_changes
WHEN EXISTS (SELECT 1 FROM violations AS o WHERE o.fingerprint = NEW.fingerprint AND o.id <> NEW.violation_id)
BEGIN
  UPDATE recurring_lines
  SET violations = violations + 1,
      runs = runs + NOT EXISTS (SELECT 1 FROM violations AS o WHERE o.fingerprint = NEW.fingerprint AND o.run_id = NEW.run_id AND o.id <> NEW.violation_id)
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
  WHERE id = NEW.violation_id AND recurring = 0 AND EXISTS (
    SELECT 1 FROM runs AS r CROSS JOIN recurring_lines AS l ON l.fingerprint = NEW.fingerprint AND l.repository_id = r.repository_id
    WHERE r.id = NEW.run_id);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted AFTER INSERT ON violations
BEGIN
  INSERT INTO files (repository_id, file)
  VALUES ((SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id), NEW.file)
  ON CONFLICT (repository_id, file) DO NOTHING;
  INSERT INTO violation_counts (at, folder, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, sign)
  VALUES (NEW.first_seen, substr(NEW.file, 1, max(instr(NEW.file, '/') - 1, 0)), (SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id),
    NEW.job_id, NEW.adapter, coalesce((SELECT s.model FROM iterations AS i CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
      CROSS JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
      WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration), 'unknown'),
    NEW.first_iteration, NEW.priority, NEW.shown, coalesce(NEW.reason, ''), NEW.shared, NEW.in_fix_lines, NEW.recurring, 1);
  INSERT INTO file_totals (repository_id, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines)
  VALUES ((SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id), NEW.file, 1, NEW.open AND NOT NEW.abandoned,
    NEW.open AND NEW.abandoned, NEW.status = 'fixed', NEW.status = 'verified', NEW.status = 'skipped', NEW.in_fix_lines)
  ON CONFLICT (repository_id, file)
  DO UPDATE SET violations = violations + 1, open = open + excluded.open, abandoned = abandoned + excluded.abandoned, claimed = claimed + excluded.claimed,
    verified = verified + excluded.verified, skipped = skipped + excluded.skipped,
    in_fix_lines = in_fix_lines + excluded.in_fix_lines;
  INSERT INTO line_changes (violation_id, fingerprint, run_id, job_id) VALUES (NEW.id, NEW.fingerprint, NEW.run_id, NEW.job_id);
  UPDATE violations SET abandoned = 1
  WHERE id = NEW.id AND (SELECT r.status FROM runs AS r WHERE r.id = NEW.run_id) = 'abandoned';
END;
-- +goose StatementEnd

-- Another status makes another total, of violations and of files.

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted_again AFTER UPDATE OF priority, status, reason, shared, in_fix_lines, abandoned, recurring, file ON violations
WHEN OLD.priority <> NEW.priority OR OLD.status <> NEW.status OR OLD.abandoned <> NEW.abandoned AND OLD.open = 1 OR OLD.reason IS NOT NEW.reason
  OR OLD.shared <> NEW.shared OR OLD.in_fix_lines <> NEW.in_fix_lines OR OLD.recurring <> NEW.recurring
  OR substr(OLD.file, 1, instr(OLD.file, '/')) <> substr(NEW.file, 1, instr(NEW.file, '/'))
BEGIN
  INSERT INTO violation_counts (at, folder, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, sign)
  VALUES (OLD.first_seen, substr(OLD.file, 1, max(instr(OLD.file, '/') - 1, 0)), (SELECT r.repository_id FROM runs AS r WHERE r.id = OLD.run_id),
    OLD.job_id, OLD.adapter, coalesce((SELECT s.model FROM iterations AS i CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = OLD.job_id
      CROSS JOIN slots AS s ON s.gate_id = g.id AND s.review_index = OLD.slot
      WHERE i.run_id = OLD.run_id AND i.number = OLD.first_iteration), 'unknown'),
    OLD.first_iteration, OLD.priority, OLD.shown, coalesce(OLD.reason, ''), OLD.shared, OLD.in_fix_lines, OLD.recurring, -1);
  INSERT INTO violation_counts (at, folder, repository_id, job_id, adapter, model, iteration, priority, status, reason, shared, in_fix_lines,
    recurring, sign)
  VALUES (NEW.first_seen, substr(NEW.file, 1, max(instr(NEW.file, '/') - 1, 0)), (SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id),
    NEW.job_id, NEW.adapter, coalesce((SELECT s.model FROM iterations AS i CROSS JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
      CROSS JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
      WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration), 'unknown'),
    NEW.first_iteration, NEW.priority, NEW.shown, coalesce(NEW.reason, ''), NEW.shared, NEW.in_fix_lines, NEW.recurring, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER files_are_counted_again AFTER UPDATE OF status, in_fix_lines, abandoned ON violations
WHEN OLD.file = NEW.file AND (OLD.shown <> NEW.shown OR OLD.in_fix_lines <> NEW.in_fix_lines)
BEGIN
  UPDATE file_totals
  SET open = open + (NEW.open AND NOT NEW.abandoned) - (OLD.open AND NOT OLD.abandoned),
    abandoned = abandoned + (NEW.open AND NEW.abandoned) - (OLD.open AND OLD.abandoned),
    claimed = claimed + (NEW.status = 'fixed') - (OLD.status = 'fixed'), verified = verified + (NEW.status = 'verified') - (OLD.status = 'verified'),
    skipped = skipped + (NEW.status = 'skipped') - (OLD.status = 'skipped'), in_fix_lines = in_fix_lines + NEW.in_fix_lines - OLD.in_fix_lines
  WHERE repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id) AND file = NEW.file;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER violations_of_files AFTER UPDATE OF file ON violations
WHEN OLD.file <> NEW.file
BEGIN
  UPDATE file_totals
  SET violations = violations - 1, open = open - (OLD.open AND NOT OLD.abandoned), abandoned = abandoned - (OLD.open AND OLD.abandoned), claimed = claimed - (OLD.status = 'fixed'),
    verified = verified - (OLD.status = 'verified'), skipped = skipped - (OLD.status = 'skipped'),
    in_fix_lines = in_fix_lines - OLD.in_fix_lines
  WHERE repository_id = (SELECT r.repository_id FROM runs AS r WHERE r.id = OLD.run_id) AND file = OLD.file;
  INSERT INTO file_totals (repository_id, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines)
  VALUES ((SELECT r.repository_id FROM runs AS r WHERE r.id = NEW.run_id), NEW.file, 1, NEW.open AND NOT NEW.abandoned,
    NEW.open AND NEW.abandoned, NEW.status = 'fixed', NEW.status = 'verified', NEW.status = 'skipped', NEW.in_fix_lines)
  ON CONFLICT (repository_id, file)
  DO UPDATE SET violations = violations + 1, open = open + excluded.open, abandoned = abandoned + excluded.abandoned, claimed = claimed + excluded.claimed,
    verified = verified + excluded.verified, skipped = skipped + excluded.skipped,
    in_fix_lines = in_fix_lines + excluded.in_fix_lines;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_are_counted AFTER INSERT ON events
BEGIN
  INSERT INTO event_totals (bucket, repository_id, job_id, adapter, status, violations)
  SELECT b.bucket, r.repository_id, v.job_id, v.adapter, NEW.status, 1
  FROM (SELECT substr(NEW.at, 1, 10) AS bucket, substr(NEW.at, 1, 10) AS since, substr(NEW.at, 1, 10) || 'U' AS until
    UNION ALL SELECT 'W' || date(NEW.at, '-6 days', 'weekday 1'), date(NEW.at, '-6 days', 'weekday 1'),
      date(NEW.at, '-6 days', 'weekday 1', '+7 days')) AS b
  CROSS JOIN violations AS v ON v.id = NEW.violation_id
  CROSS JOIN runs AS r ON r.id = v.run_id
  WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = NEW.violation_id AND e.number < NEW.number
    AND +e.status = NEW.status AND +e.at >= b.since AND +e.at < b.until) -- not by the index of statuses
  ON CONFLICT (bucket, repository_id, job_id, adapter, status) DO UPDATE SET violations = violations + 1;
END;
-- +goose StatementEnd
