-- Totals of the branches that all others come from: figures of a branch are made of the rows of
-- its runs, and these branches have more runs than are read in time.
--
-- A bucket may be one of a branch: '@main@' is all time, '@main@2026-11' a month,
-- '@main@2026-11-22' a day, '@main@W2026-11-16' a week. What follows the last @ has none, so
-- a bucket has one meaning, whatever a branch is called.

-- +goose Up

-- What totals of the branch begin with; NULL: there are none of the run.
-- +goose StatementBegin
CREATE FUNCTION counted_branch(branch text, base_ref text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN branch IN ('main', 'master', 'trunk', 'develop') OR base_ref = branch OR right(base_ref, length(branch) + 1) = '/' || branch
    THEN '@' || branch || '@' END
$$;
-- +goose StatementEnd

CREATE OR REPLACE VIEW violation_cell AS
SELECT f.violation, b.bucket, f.repository, k.id AS kind
FROM violation_fact AS f
LEFT JOIN violation_kind AS k ON k.job = f.job AND k.adapter = f.adapter AND k.model = f.model AND k.iteration = f.iteration
  AND k.priority = f.priority AND k.status = f.status AND k.reason = f.reason AND k.shared = f.shared
  AND k.in_fix_lines = f.in_fix_lines AND k.recurring = f.recurring
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day, '/' || f.folder]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

CREATE OR REPLACE VIEW slot_cell AS
SELECT b.bucket, f.*
FROM slot_fact AS f
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

CREATE OR REPLACE VIEW check_cell AS
SELECT b.bucket, f.*
FROM check_fact AS f
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

CREATE OR REPLACE VIEW event_cell AS
SELECT e.run, d.branch || b.bucket AS bucket, v.repository, v.job, v.adapter, v.model, e.status
FROM event AS e
JOIN violation AS v ON v.id = e.violation
JOIN run AS r ON r.id = e.run
CROSS JOIN LATERAL (SELECT unnest(ARRAY[day_of(e.at), 'W' || week_of(e.at)]) AS bucket) AS b
CROSS JOIN LATERAL (SELECT unnest(ARRAY['', counted_branch(r.branch, r.base_ref) COLLATE "default"]) AS branch) AS d
WHERE d.branch IS NOT NULL AND (e.number <= 2 OR NOT EXISTS (
  SELECT 1 FROM event AS p
  WHERE p.violation = e.violation AND p.number < e.number AND p.status = e.status AND b.bucket IN (day_of(p.at), 'W' || week_of(p.at))));

-- Among the newest violations of a branch, files are looked for.
CREATE OR REPLACE VIEW file_fact AS
SELECT v.run, v.repository, v.job, v.adapter, v.model, v.first_seen AS at, v.file, v.open AND NOT v.abandoned AS open, v.open AND v.abandoned AS abandoned,
  v.status = 'fixed' AS claimed, v.status = 'verified' AS verified, v.status = 'skipped' AS skipped, v.in_fix_lines,
  EXISTS (SELECT 1 FROM event AS e WHERE e.violation = v.id AND e.status = 'reopened') AS reopened, v.branch
FROM violation AS v;

-- Makes all totals anew. For the owner. Those of a bucket lie together, so that few pages are
-- read.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION make_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE violation_kind, violation_total, file_total, recurring_line, slot_total, slot_time, check_total, event_total, flaky_tree;
  INSERT INTO recurring_line SELECT m.*, true FROM made_recurring_line AS m;
  UPDATE violation AS v SET recurring = NOT v.recurring
  WHERE v.recurring AND NOT EXISTS (SELECT 1 FROM recurring_line AS l WHERE l.fingerprint = v.fingerprint AND l.repository = v.repository);
  UPDATE violation AS v SET recurring = true FROM recurring_line AS l
  WHERE NOT v.recurring AND l.fingerprint = v.fingerprint AND l.repository = v.repository;
  INSERT INTO violation_kind (job, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
  SELECT DISTINCT f.job, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring
  FROM violation_fact AS f;
  ANALYZE violation_kind;
  INSERT INTO violation_total SELECT * FROM made_violation_total AS m ORDER BY m.bucket, m.repository, m.kind;
  INSERT INTO file_total SELECT * FROM made_file_total;
  INSERT INTO slot_total SELECT * FROM made_slot_total AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO slot_time SELECT * FROM made_slot_time AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO check_total SELECT * FROM made_check_total AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO event_total SELECT * FROM made_event_total AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO flaky_tree SELECT * FROM made_flaky_tree;
END
$$;
-- +goose StatementEnd

-- The list that is asked for most, in the order of files. Few violations are open.
CREATE INDEX violation_open_by_file ON violation (file, line_start) WHERE status IN ('new', 'reopened') AND NOT abandoned;

-- Those of the runs that are here. Nobody pushes meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));
INSERT INTO violation_total SELECT m.* FROM made_violation_total AS m WHERE m.bucket LIKE '@%' ORDER BY m.bucket, m.repository, m.kind;
INSERT INTO slot_total SELECT m.* FROM made_slot_total AS m WHERE m.bucket LIKE '@%' ORDER BY m.bucket, m.repository, m.job;
INSERT INTO slot_time SELECT m.* FROM made_slot_time AS m WHERE m.bucket LIKE '@%' ORDER BY m.bucket, m.repository, m.job;
INSERT INTO check_total SELECT m.* FROM made_check_total AS m WHERE m.bucket LIKE '@%' ORDER BY m.bucket, m.repository, m.job;
INSERT INTO event_total SELECT m.* FROM made_event_total AS m WHERE m.bucket LIKE '@%' ORDER BY m.bucket, m.repository, m.job;
