-- Totals of parts of a ledger: of runs with an adapter or a gate, and of the events of one
-- run. Without them, the figures of a part took as long as all of its rows.

-- +goose Up

PRAGMA user_version = 14;

-- The newest violations of some runs are found without a look at the others.
DROP INDEX violations_by_run;
CREATE INDEX violations_by_run ON violations (run_id, first_seen, status, open);

-- The adapters and gates of a run: 'adapter:claude', 'gate:quality'.
CREATE TABLE run_parts (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  part   TEXT NOT NULL,
  PRIMARY KEY (run_id, part)
) STRICT, WITHOUT ROWID;

CREATE VIEW made_run_parts AS
SELECT i.run_id, 'gate:' || j.name AS part
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
UNION
SELECT i.run_id, 'adapter:' || s.adapter
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id;

INSERT INTO run_parts SELECT * FROM made_run_parts;

-- Runs are counted once in all, under the part '', and once in each of their parts.

DROP VIEW made_run_totals;
DROP VIEW made_run_times;
DROP TRIGGER run_changes_are_made;
DROP TABLE run_totals;
DROP TABLE run_times;

CREATE TABLE run_totals (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  part          TEXT NOT NULL,
  status        TEXT NOT NULL,
  iterations    INTEGER NOT NULL,
  runs          INTEGER NOT NULL,
  PRIMARY KEY (part, bucket, repository_id, status, iterations)
) STRICT, WITHOUT ROWID;

-- How long runs took that passed.
CREATE TABLE run_times (
  bucket        TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  part          TEXT NOT NULL,
  took_ms       INTEGER NOT NULL,
  runs          INTEGER NOT NULL,
  PRIMARY KEY (part, bucket, repository_id, took_ms)
) STRICT, WITHOUT ROWID;

-- A change without a part is one of all parts of the run.

DROP TRIGGER runs_are_counted;
DROP TRIGGER runs_are_counted_before;
DROP TRIGGER runs_are_counted_after;
DROP TRIGGER runs_are_counted_out;
DROP VIEW run_changes;
CREATE VIEW run_changes AS SELECT 0 AS run_id, '' AS part, 0 AS sign;

-- +goose StatementBegin
CREATE TRIGGER run_changes_are_made INSTEAD OF INSERT ON run_changes
BEGIN
  INSERT INTO run_totals (bucket, repository_id, part, status, iterations, runs)
  SELECT substr(f.at, 1, b.n), f.repository_id, p.part, f.status, f.iterations, NEW.sign
  FROM (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  CROSS JOIN run_facts AS f
  CROSS JOIN (
    SELECT NEW.part AS part
    UNION ALL SELECT a.part FROM run_parts AS a WHERE a.run_id = NEW.run_id AND NEW.part = '') AS p
  WHERE f.run_id = NEW.run_id
  ON CONFLICT (part, bucket, repository_id, status, iterations) DO UPDATE SET runs = runs + excluded.runs;
  INSERT INTO run_times (bucket, repository_id, part, took_ms, runs)
  SELECT substr(f.at, 1, b.n), f.repository_id, p.part, f.took_ms, NEW.sign
  FROM (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
  CROSS JOIN run_facts AS f
  CROSS JOIN (
    SELECT NEW.part AS part
    UNION ALL SELECT a.part FROM run_parts AS a WHERE a.run_id = NEW.run_id AND NEW.part = '') AS p
  WHERE f.run_id = NEW.run_id AND f.took_ms IS NOT NULL
  ON CONFLICT (part, bucket, repository_id, took_ms) DO UPDATE SET runs = runs + excluded.runs;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted AFTER INSERT ON runs
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (NEW.id, '', 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_before BEFORE UPDATE OF repository_id, kind, status, iterations, started_at, finished_at ON runs
WHEN OLD.repository_id <> NEW.repository_id OR OLD.kind <> NEW.kind OR OLD.status <> NEW.status OR OLD.iterations <> NEW.iterations
  OR OLD.started_at <> NEW.started_at OR OLD.finished_at IS NOT NEW.finished_at
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (OLD.id, '', -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_after AFTER UPDATE OF repository_id, kind, status, iterations, started_at, finished_at ON runs
WHEN OLD.repository_id <> NEW.repository_id OR OLD.kind <> NEW.kind OR OLD.status <> NEW.status OR OLD.iterations <> NEW.iterations
  OR OLD.started_at <> NEW.started_at OR OLD.finished_at IS NOT NEW.finished_at
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (NEW.id, '', 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_counted_out BEFORE DELETE ON runs
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (OLD.id, '', -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER parts_are_counted AFTER INSERT ON run_parts
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (NEW.run_id, NEW.part, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER parts_are_counted_out BEFORE DELETE ON run_parts
BEGIN
  INSERT INTO run_changes (run_id, part, sign) VALUES (OLD.run_id, OLD.part, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER gates_are_parts AFTER INSERT ON gates
BEGIN
  INSERT INTO run_parts (run_id, part)
  VALUES ((SELECT i.run_id FROM iterations AS i WHERE i.id = NEW.iteration_id), 'gate:' || (SELECT j.name FROM jobs AS j WHERE j.id = NEW.job_id))
  ON CONFLICT (run_id, part) DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER adapters_are_parts AFTER INSERT ON slots
BEGIN
  INSERT INTO run_parts (run_id, part)
  VALUES ((SELECT i.run_id FROM gates AS g CROSS JOIN iterations AS i ON i.id = g.iteration_id WHERE g.id = NEW.gate_id), 'adapter:' || NEW.adapter)
  ON CONFLICT (run_id, part) DO NOTHING;
END;
-- +goose StatementEnd

-- The adapter of a slot that goes on may be another one in the end.

-- +goose StatementBegin
CREATE TRIGGER adapters_are_other_parts AFTER UPDATE OF adapter ON slots
WHEN OLD.adapter <> NEW.adapter
BEGIN
  INSERT INTO run_parts (run_id, part)
  VALUES ((SELECT i.run_id FROM gates AS g CROSS JOIN iterations AS i ON i.id = g.iteration_id WHERE g.id = NEW.gate_id), 'adapter:' || NEW.adapter)
  ON CONFLICT (run_id, part) DO NOTHING;
  DELETE FROM run_parts
  WHERE run_id = (SELECT i.run_id FROM gates AS g CROSS JOIN iterations AS i ON i.id = g.iteration_id WHERE g.id = NEW.gate_id)
    AND part = 'adapter:' || OLD.adapter
    AND NOT EXISTS (
      SELECT 1 FROM iterations AS i
      CROSS JOIN gates AS g ON g.iteration_id = i.id
      CROSS JOIN slots AS s ON s.gate_id = g.id AND s.adapter = OLD.adapter
      WHERE i.run_id = run_parts.run_id);
END;
-- +goose StatementEnd

-- The same totals, made anew from all rows.

CREATE VIEW made_run_totals AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.part, d.status, d.iterations, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, p.part, f.status, f.iterations, count(*) AS runs
    FROM (SELECT r.id AS run_id, '' AS part FROM runs AS r UNION ALL SELECT a.run_id, a.part FROM run_parts AS a) AS p
    CROSS JOIN run_facts AS f ON f.run_id = p.run_id
    GROUP BY 1, 2, 3, 4, 5
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4, 5;

CREATE VIEW made_run_times AS
SELECT substr(d.day, 1, b.n) AS bucket, d.repository_id, d.part, d.took_ms, sum(d.runs) AS runs
FROM (
    SELECT substr(f.at, 1, 10) AS day, f.repository_id, p.part, f.took_ms, count(*) AS runs
    FROM (SELECT r.id AS run_id, '' AS part FROM runs AS r UNION ALL SELECT a.run_id, a.part FROM run_parts AS a) AS p
    CROSS JOIN run_facts AS f ON f.run_id = p.run_id
    WHERE f.took_ms IS NOT NULL
    GROUP BY 1, 2, 3, 4
) AS d
CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 7 UNION ALL SELECT 10) AS b
GROUP BY 1, 2, 3, 4;

INSERT INTO run_totals SELECT * FROM made_run_totals;
INSERT INTO run_times SELECT * FROM made_run_times;

-- How many violations of one run had such an event in a week is in another bucket of the
-- totals of events: 'R17W2026-11-16' is that week of run 17. No violation is in two runs.

DROP TRIGGER events_are_counted;
DROP TRIGGER runs_are_taken_out;
DROP VIEW made_event_totals;

-- +goose StatementBegin
CREATE TRIGGER events_are_counted AFTER INSERT ON events
BEGIN
  INSERT INTO event_totals (bucket, repository_id, job_id, adapter, status, violations)
  SELECT iif(b.own, 'R' || v.run_id, '') || b.bucket, r.repository_id, v.job_id, v.adapter, NEW.status, 1
  FROM (SELECT 0 AS own, substr(NEW.at, 1, 10) AS bucket, substr(NEW.at, 1, 10) AS since, substr(NEW.at, 1, 10) || 'U' AS until
    UNION ALL SELECT o.own, 'W' || date(NEW.at, '-6 days', 'weekday 1'), date(NEW.at, '-6 days', 'weekday 1'),
      date(NEW.at, '-6 days', 'weekday 1', '+7 days') FROM (SELECT 0 AS own UNION ALL SELECT 1) AS o) AS b
  CROSS JOIN violations AS v ON v.id = NEW.violation_id
  CROSS JOIN runs AS r ON r.id = v.run_id
  WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = NEW.violation_id AND e.number < NEW.number
    AND +e.status = NEW.status AND +e.at >= b.since AND +e.at < b.until) -- not by the index of statuses
  ON CONFLICT (bucket, repository_id, job_id, adapter, status) DO UPDATE SET violations = violations + 1;
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
  SELECT CASE b.n WHEN 10 THEN substr(e.at, 1, 10) WHEN 11 THEN 'W' || date(e.at, '-6 days', 'weekday 1')
      ELSE 'R' || OLD.id || 'W' || date(e.at, '-6 days', 'weekday 1') END, OLD.repository_id,
    v.job_id, v.adapter, e.status, count(DISTINCT e.violation_id)
  FROM violations AS v
  CROSS JOIN events AS e ON e.violation_id = v.id
  CROSS JOIN (SELECT 10 AS n UNION ALL SELECT 11 UNION ALL SELECT 12) AS b
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

-- An event is left out where an earlier one of the violation says the same in the same
-- bucket, which the first two never do. What counts in the day and in its week is counted in
-- two halves of one number, so that earlier events are searched once. The events of a run
-- are sorted by themselves, because to sort those of all runs takes several times as long.
CREATE VIEW made_event_totals AS
SELECT CASE b.n WHEN 10 THEN d.day WHEN 11 THEN 'W' || date(d.day, '-6 days', 'weekday 1')
    ELSE 'R' || d.run_id || 'W' || date(d.day, '-6 days', 'weekday 1') END AS bucket,
  d.repository_id, d.job_id, d.adapter, d.status, sum(CASE b.n WHEN 10 THEN d.counts & 4294967295 ELSE d.counts >> 32 END) AS violations
FROM (
  SELECT r.id AS run_id, r.repository_id, w.job_id, w.adapter, json_extract(c.value, '$[0]') AS day, json_extract(c.value, '$[1]') AS status,
    json_extract(c.value, '$[3]') AS counts
  FROM runs AS r
  CROSS JOIN json_each((
    SELECT json_group_array(json_array(k.day, k.status, k.violation_id, k.counts))
    FROM (
      SELECT substr(e.at, 1, 10) AS day, e.status, min(v.id) AS violation_id, sum(CASE
          WHEN e.number <= 2 THEN 4294967297
          WHEN NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
            AND p.status = e.status AND date(p.at, '-6 days', 'weekday 1') = date(e.at, '-6 days', 'weekday 1')) THEN 4294967297
          ELSE NOT EXISTS (SELECT 1 FROM events AS p WHERE p.violation_id = e.violation_id AND p.number < e.number
            AND p.status = e.status AND substr(p.at, 1, 10) = substr(e.at, 1, 10))
        END) AS counts
      FROM violations AS v
      CROSS JOIN events AS e ON e.violation_id = v.id
      WHERE v.run_id = r.id
      GROUP BY e.status, 1, v.job_id, v.adapter
    ) AS k)) AS c
  CROSS JOIN violations AS w ON w.id = json_extract(c.value, '$[2]')
) AS d
CROSS JOIN (SELECT 10 AS n UNION ALL SELECT 11 UNION ALL SELECT 12) AS b
GROUP BY 1, 2, 3, 4, 5;

DELETE FROM event_totals;
INSERT INTO event_totals SELECT * FROM made_event_totals;
