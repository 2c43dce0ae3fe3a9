-- Pages about a part of the store read an index, and figures of branches read totals: neither
-- reads violations one by one.

-- +goose Up

-- Nobody pushes meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

-- Whether a claim of a violation was ever contradicted. Events do not go away, so that what is
-- marked stays marked.
ALTER TABLE violation ADD COLUMN reopened boolean NOT NULL DEFAULT false;
UPDATE violation AS v SET reopened = true WHERE v.id IN (SELECT e.violation FROM event AS e WHERE e.status = 'reopened');

CREATE OR REPLACE VIEW file_fact AS
SELECT v.run, v.repository, v.job, v.adapter, v.model, v.first_seen AS at, v.file, v.open AND NOT v.abandoned AS open, v.open AND v.abandoned AS abandoned,
  v.status = 'fixed' AS claimed, v.status = 'verified' AS verified, v.status = 'skipped' AS skipped, v.in_fix_lines,
  v.reopened, v.branch
FROM violation AS v;

-- All that is said of a file stands in the index: its violations lie anywhere in their table.
DROP INDEX violation_of_file;
CREATE INDEX violation_of_file ON violation (repository, file, first_seen)
  INCLUDE (adapter, model, job, branch, run, status, open, abandoned, in_fix_lines, reopened);

-- The same for lines that recur, which are a part of all.
CREATE INDEX violation_of_line ON violation (fingerprint, repository)
  INCLUDE (first_seen, run, job, adapter, model, branch, open, abandoned) WHERE recurring;

-- The overview counts all runs by status.
CREATE INDEX run_by_status ON run (status) INCLUDE (open);

-- Whether an earlier event of the violation has the same status, which the first two never do:
-- violations with an event in a part of a week are then counted from days, without those that
-- have it on several. Events are looked up by their violations: those of a status are millions.
ALTER TABLE event ADD COLUMN again boolean NOT NULL DEFAULT false;

-- Marks the events of some runs; NULL: of all.
-- +goose StatementBegin
CREATE FUNCTION mark_events(counted text[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE event AS e SET again = NOT e.again
  WHERE (counted IS NULL OR e.run = ANY (counted)) AND e.again <> (e.number > 2 AND EXISTS (
    SELECT 1 FROM event AS p WHERE p.violation = e.violation AND p.number < e.number AND p.status || '' = e.status));
END
$$;
-- +goose StatementEnd

SELECT mark_events(NULL);
CREATE INDEX event_said_again ON event (at) INCLUDE (violation, status) WHERE again;

-- Searches look for the newest reports with some words, day by day: what a frequent word has in
-- common with a day is read from the index, without the reports of all other days. A day is
-- counted from the first of 1970, in UTC; where the time is not known, it comes after all others.
-- It is a list, because the index knows lists.

-- +goose StatementBegin
CREATE FUNCTION day_number(at timestamptz) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[coalesce(date_part('day', at - timestamptz '1970-01-01 00:00:00Z')::integer, 2147483647)]
$$;
-- +goose StatementEnd

-- The time before which no report of the day is; none is after the day of an unknown time.
-- +goose StatementBegin
CREATE FUNCTION day_begin(number integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE number WHEN 2147483647 THEN timestamptz 'infinity' ELSE timestamptz '1970-01-01 00:00:00Z' + number * interval '24 hours' END
$$;
-- +goose StatementEnd

DROP INDEX report_by_words;
CREATE INDEX report_by_words ON report USING gin (words, day_number(at));

-- Violations of runs, by when they were first reported and by what became of them.

CREATE VIEW run_cell AS
SELECT v.run, day_of(v.first_seen) AS day, v.job, v.adapter, v.model, v.shown AS status
FROM violation AS v;

CREATE TABLE run_total (
  run        text COLLATE "C" NOT NULL,
  day        text COLLATE "C" NOT NULL,
  job        text COLLATE "C" NOT NULL,
  adapter    text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL,
  violations integer NOT NULL,
  PRIMARY KEY (run, day, job, adapter, model, status)
) WITH (fillfactor = 80);

CREATE VIEW made_run_total AS
SELECT c.run, c.day, c.job, c.adapter, c.model, c.status, count(*)::integer AS violations
FROM run_cell AS c
GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO run_total SELECT m.* FROM made_run_total AS m ORDER BY m.run;

-- Takes runs away from the totals (sign -1), before their rows change, or adds them (1), when
-- they have changed. Who calls it holds the lock of the schema.

ALTER FUNCTION count_runs(text[], integer) RENAME TO count_shared;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_runs(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF sign > 0 THEN
    UPDATE violation AS v SET reopened = true FROM event AS e -- by the index of runs, not by that of statuses
    WHERE e.run = ANY (counted) AND e.status || '' = 'reopened' AND v.id = e.violation AND NOT v.reopened;
    PERFORM mark_events(counted);
  END IF;
  PERFORM count_shared(counted, sign);
  INSERT INTO run_total AS t (run, day, job, adapter, model, status, violations)
  SELECT c.run, c.day, c.job, c.adapter, c.model, c.status, sign * count(*)
  FROM run_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (run, day, job, adapter, model, status) DO UPDATE SET violations = t.violations + excluded.violations;
END
$$;
-- +goose StatementEnd

-- Deletes the totals that have come to nothing. For the owner.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION tidy_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM violation_total AS t WHERE t.violations = 0;
  DELETE FROM file_total AS t WHERE t.violations = 0;
  DELETE FROM slot_total AS t WHERE t.answered + t.errors + t.interrupted + t.skipped = 0;
  DELETE FROM slot_time AS t WHERE t.slots = 0;
  DELETE FROM check_total AS t WHERE t.executions = 0;
  DELETE FROM run_total AS t WHERE t.violations = 0;
  DELETE FROM event_total AS t WHERE t.violations = 0;
  DELETE FROM recurring_line AS l WHERE l.runs < 2 AND NOT l.marked;
  DELETE FROM flaky_tree AS f
  WHERE (SELECT count(DISTINCT o.status) FROM check_outcome AS o WHERE o.tree = f.tree AND o.job = f.job) < 2;
END
$$;
-- +goose StatementEnd

-- Makes all totals and marks anew. For the owner. Those of a bucket lie together, so that few
-- pages are read. Where nobody knows yet how many rows there are, as after a restore, the server
-- would look at all events of a status for each event.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION make_totals() RETURNS void LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
BEGIN
  ANALYZE run, job, iteration, gate, slot, violation, event;
  UPDATE violation AS v SET reopened = v.id IN (SELECT e.violation FROM event AS e WHERE e.status = 'reopened')
  WHERE v.reopened <> (v.id IN (SELECT e.violation FROM event AS e WHERE e.status = 'reopened'));
  PERFORM mark_events(NULL);
  TRUNCATE violation_kind, violation_total, file_total, recurring_line, slot_total, slot_time, check_total, event_total, run_total, flaky_tree;
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
  INSERT INTO run_total SELECT * FROM made_run_total AS m ORDER BY m.run;
  INSERT INTO flaky_tree SELECT * FROM made_flaky_tree;
END
$$;
-- +goose StatementEnd

-- Names the totals and marks that differ from those made of all rows.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION wrong_totals() RETURNS SETOF text LANGUAGE sql STABLE SET enable_bitmapscan = off AS $$
  SELECT 'violations' WHERE EXISTS (
    (SELECT t.* FROM violation_total AS t WHERE t.violations <> 0 EXCEPT SELECT m.* FROM made_violation_total AS m)
    UNION ALL (SELECT m.* FROM made_violation_total AS m EXCEPT SELECT t.* FROM violation_total AS t))
  UNION ALL
  SELECT 'files' WHERE EXISTS (
    (SELECT t.* FROM file_total AS t WHERE t.violations <> 0 EXCEPT SELECT m.* FROM made_file_total AS m)
    UNION ALL (SELECT m.* FROM made_file_total AS m EXCEPT SELECT t.* FROM file_total AS t))
  UNION ALL
  SELECT 'recurring violations' WHERE EXISTS (
    (SELECT l.fingerprint, l.repository, l.runs, l.violations, l.open FROM recurring_line AS l WHERE l.runs > 1 EXCEPT SELECT m.* FROM made_recurring_line AS m)
    UNION ALL (SELECT m.* FROM made_recurring_line AS m EXCEPT SELECT l.fingerprint, l.repository, l.runs, l.violations, l.open FROM recurring_line AS l))
  UNION ALL
  SELECT 'marks of recurring violations' WHERE EXISTS (
    SELECT 1 FROM violation AS v
    LEFT JOIN made_recurring_line AS m ON m.fingerprint = v.fingerprint AND m.repository = v.repository
    WHERE v.recurring <> (m.runs IS NOT NULL))
  UNION ALL
  SELECT 'slots' WHERE EXISTS (
    (SELECT t.* FROM slot_total AS t WHERE t.answered + t.errors + t.interrupted + t.skipped <> 0 EXCEPT SELECT m.* FROM made_slot_total AS m)
    UNION ALL (SELECT m.* FROM made_slot_total AS m WHERE m.answered + m.errors + m.interrupted + m.skipped <> 0 EXCEPT SELECT t.* FROM slot_total AS t))
  UNION ALL
  SELECT 'the times of slots' WHERE EXISTS (
    (SELECT t.* FROM slot_time AS t WHERE t.slots <> 0 EXCEPT SELECT m.* FROM made_slot_time AS m)
    UNION ALL (SELECT m.* FROM made_slot_time AS m EXCEPT SELECT t.* FROM slot_time AS t))
  UNION ALL
  SELECT 'checks' WHERE EXISTS (
    (SELECT t.* FROM check_total AS t WHERE t.executions <> 0 EXCEPT SELECT m.* FROM made_check_total AS m)
    UNION ALL (SELECT m.* FROM made_check_total AS m EXCEPT SELECT t.* FROM check_total AS t))
  UNION ALL
  SELECT 'events' WHERE EXISTS (
    (SELECT t.* FROM event_total AS t WHERE t.violations <> 0 EXCEPT SELECT m.* FROM made_event_total AS m)
    UNION ALL (SELECT m.* FROM made_event_total AS m EXCEPT SELECT t.* FROM event_total AS t))
  UNION ALL
  SELECT 'violations of runs' WHERE EXISTS (
    (SELECT t.* FROM run_total AS t WHERE t.violations <> 0 EXCEPT SELECT m.* FROM made_run_total AS m)
    UNION ALL (SELECT m.* FROM made_run_total AS m EXCEPT SELECT t.* FROM run_total AS t))
  UNION ALL
  SELECT 'marks of reopened violations' WHERE EXISTS (
    (SELECT v.id FROM violation AS v WHERE v.reopened EXCEPT SELECT e.violation FROM event AS e WHERE e.status = 'reopened')
    UNION ALL (SELECT e.violation FROM event AS e WHERE e.status = 'reopened' EXCEPT SELECT v.id FROM violation AS v WHERE v.reopened))
  UNION ALL
  SELECT 'marks of repeated events' WHERE EXISTS (
    SELECT 1 FROM event AS e WHERE e.again <> (e.number > 2 AND EXISTS (
      SELECT 1 FROM event AS p WHERE p.violation = e.violation AND p.number < e.number AND p.status || '' = e.status)))
  UNION ALL
  SELECT 'flaky checks' WHERE EXISTS (SELECT m.* FROM made_flaky_tree AS m EXCEPT SELECT f.* FROM flaky_tree AS f)
$$;
-- +goose StatementEnd
