-- What pages need that have millions of rows behind them: totals of runs, and indexes that
-- have all that a list is made of.

-- +goose Up

PRAGMA user_version = 13;

-- The newest violations are counted by file, and those that recur by line, without a look at
-- the rows themselves. Only columns that hardly ever change are in these indexes.
DROP INDEX violations_by_first_seen;
CREATE INDEX violations_by_first_seen ON violations (first_seen, id, file, run_id, job_id, adapter);
DROP INDEX violations_recurring;
CREATE INDEX violations_recurring ON violations (first_seen, id, fingerprint, run_id, job_id, adapter) WHERE recurring = 1;

-- Slots with reports that filters removed, newest last.
CREATE INDEX slots_with_discards ON slots (ended_at)
WHERE ended_at IS NOT NULL
  AND out_of_diff + below_threshold + previously_skipped + remembered_skip + malformed + merged + outside_verify > 0;

-- Which violations were ever reopened.
CREATE INDEX events_reopened ON events (violation_id) WHERE status = 'reopened';

-- Runs in the order in which a list of them is narrowed down.
CREATE INDEX runs_by_kind ON runs (status, kind, branch, worktree, repository_id, started_at, open);

-- Runs of gates, by when they began. A run that has not passed, or has not ended, took
-- no time.

CREATE VIEW run_facts AS
SELECT r.id AS run_id, r.repository_id, r.status, r.iterations, r.started_at AS at,
  CASE WHEN r.took < 1000 THEN r.took
       WHEN r.took < 10000 THEN (r.took + 5) / 10 * 10
       WHEN r.took < 100000 THEN (r.took + 50) / 100 * 100
       WHEN r.took < 1000000 THEN (r.took + 500) / 1000 * 1000
       ELSE (r.took + 5000) / 10000 * 10000 END AS took_ms
FROM (
  SELECT u.id, u.repository_id, u.kind, u.status, u.iterations, u.started_at,
    CASE WHEN u.status IN ('passed', 'passed_with_warnings')
      THEN CAST(round((julianday(u.finished_at) - julianday(u.started_at)) * 86400000.0) AS INTEGER) END AS took
  FROM runs AS u
) AS r
WHERE r.kind = 'gates';

CREATE TABLE run_totals (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  status        TEXT NOT NULL,
  iterations    INTEGER NOT NULL,
  runs          INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, status, iterations)
) STRICT, WITHOUT ROWID;

-- How long runs took that passed.
CREATE TABLE run_times (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  took_ms       INTEGER NOT NULL,
  runs          INTEGER NOT NULL,
  PRIMARY KEY (bucket, repository_id, took_ms)
) STRICT, WITHOUT ROWID;

-- What adds a run to totals, or takes it away (sign -1). The view is only inserted into.

CREATE VIEW run_changes AS SELECT 0 AS run_id, 0 AS sign;

-- +goose StatementBegin
CREATE TRIGGER run_changes_are_made INSTEAD OF INSERT ON run_changes
BEGIN
  INSERT INTO run_totals (bucket, repository_id, status, iterations, runs)
  SELECT substr(f.at, 1, b.n), f.repository_id, f.status, f.iterations, NEW.sign
  FROM (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  CROSS JOIN run_facts AS f
  WHERE f.run_id = NEW.run_id
  ON CONFLICT (bucket, repository_id, status, iterations) DO UPDATE SET runs = runs + excluded.runs;
  INSERT INTO run_times (bucket, repository_id, took_ms, runs)
  SELECT substr(f.at, 1, b.n), f.repository_id, f.took_ms, NEW.sign
  FROM (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  CROSS JOIN run_facts AS f
  WHERE f.run_id = NEW.run_id AND f.took_ms IS NOT NULL
  ON CONFLICT (bucket, repository_id, took_ms) DO UPDATE SET runs = runs + excluded.runs;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted AFTER INSERT ON runs
BEGIN
  INSERT INTO run_changes (run_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_before BEFORE UPDATE OF repository_id, kind, status, iterations, started_at, finished_at ON runs
WHEN OLD.repository_id <> NEW.repository_id OR OLD.kind <> NEW.kind OR OLD.status <> NEW.status OR OLD.iterations <> NEW.iterations
  OR OLD.started_at <> NEW.started_at OR OLD.finished_at IS NOT NEW.finished_at
BEGIN
  INSERT INTO run_changes (run_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_after AFTER UPDATE OF repository_id, kind, status, iterations, started_at, finished_at ON runs
WHEN OLD.repository_id <> NEW.repository_id OR OLD.kind <> NEW.kind OR OLD.status <> NEW.status OR OLD.iterations <> NEW.iterations
  OR OLD.started_at <> NEW.started_at OR OLD.finished_at IS NOT NEW.finished_at
BEGIN
  INSERT INTO run_changes (run_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_out BEFORE DELETE ON runs
BEGIN
  INSERT INTO run_changes (run_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- The same totals, made anew from all rows.

CREATE VIEW made_run_totals AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.status, d.iterations, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, f.status, f.iterations, count(*) AS runs
    FROM run_facts AS f
    GROUP BY 1, 2, 3, 4
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4;

CREATE VIEW made_run_times AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.took_ms, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, f.took_ms, count(*) AS runs
    FROM run_facts AS f
    WHERE f.took_ms IS NOT NULL
    GROUP BY 1, 2, 3
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3;

-- What older ledgers hold already.

INSERT INTO run_totals SELECT * FROM made_run_totals;
INSERT INTO run_times SELECT * FROM made_run_times;
