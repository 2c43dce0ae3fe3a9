-- Pages of a large store read less: what slots cost in a week and what became of what reviewers
-- said in a month come from totals of their own, open violations are counted by their priority in
-- an index, and a run names its jobs and adapters, so that it is not looked for among all gates
-- and slots. An upgrade reads violations once, for their index, slots and gates, and writes all runs.

-- +goose Up

-- Nobody pushes meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

-- Whether a time lies in one of the parts of a period that are read row by row. There are four at
-- most. As each bound is a constant to the planner, it knows how few rows that are.
-- +goose StatementBegin
CREATE FUNCTION in_edges(at timestamptz, since timestamptz[], until timestamptz[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT at >= since[1] AND at < until[1] OR at >= since[2] AND at < until[2]
    OR at >= since[3] AND at < until[3] OR at >= since[4] AND at < until[4]
$$;
-- +goose StatementEnd

DROP INDEX violation_open;
CREATE INDEX violation_open ON violation (first_seen) INCLUDE (priority) WHERE status IN ('new', 'reopened') AND NOT abandoned;

-- What a run has gates of, and who filled its slots.
ALTER TABLE run
  ADD COLUMN jobs     text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN adapters text[] COLLATE "C" NOT NULL DEFAULT '{}';

CREATE VIEW made_run_names AS
SELECT r.id AS run, ARRAY(SELECT DISTINCT g.job FROM gate AS g WHERE g.run = r.id ORDER BY g.job) AS jobs,
  ARRAY(SELECT DISTINCT s.adapter FROM slot AS s WHERE s.run = r.id ORDER BY s.adapter) AS adapters
FROM run AS r;

-- Names those of some runs; NULL: of all.
-- +goose StatementBegin
CREATE FUNCTION name_runs(counted text[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE run AS r SET jobs = m.jobs, adapters = m.adapters
  FROM made_run_names AS m
  WHERE (counted IS NULL OR m.run = ANY (counted)) AND r.id = m.run AND (r.jobs <> m.jobs OR r.adapters <> m.adapters);
END
$$;
-- +goose StatementEnd

SELECT name_runs(NULL);

-- What slots cost, by the week in which they ended. Those that cost nothing have no row.

CREATE VIEW cost_cell AS
SELECT f.run, b.bucket, f.repository, f.job, f.adapter, f.model, f.cost_nano, f.with_cost, f.answered + f.errors AS calls
FROM slot_fact AS f
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT 'W' || week_of(f.at) AS week, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS w
CROSS JOIN LATERAL (SELECT unnest(ARRAY[w.week] || CASE WHEN w.branch IS NOT NULL THEN ARRAY[w.branch || w.week] END) AS bucket) AS b
WHERE f.answered + f.errors > 0 OR f.cost_nano <> 0;

CREATE TABLE cost_total (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  job        text COLLATE "C" NOT NULL,
  adapter    text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  cost_nano  bigint NOT NULL, -- as in slot_total
  with_cost  bigint NOT NULL,
  calls      bigint NOT NULL, -- answers and errors
  PRIMARY KEY (bucket, repository, job, adapter, model)
) WITH (fillfactor = 80);

CREATE VIEW made_cost_total AS
SELECT c.bucket, c.repository, c.job, c.adapter, c.model, sum(c.cost_nano)::bigint AS cost_nano,
  sum(c.with_cost)::bigint AS with_cost, sum(c.calls)::bigint AS calls
FROM cost_cell AS c
GROUP BY 1, 2, 3, 4, 5;

INSERT INTO cost_total SELECT m.* FROM made_cost_total AS m ORDER BY m.bucket, m.repository, m.job;

-- What became of what reviewers said: of a month and of all time there are fifty times as many
-- kinds of violations. Days are read from violation_total.

CREATE VIEW outcome_cell AS
SELECT f.run, b.bucket, f.repository, f.job, f.adapter, f.model, f.status, f.reason, f.shared
FROM violation_fact AS f
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT substr(day_of(f.at), 1, 7) AS month, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS m
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', m.month] || CASE WHEN m.branch IS NOT NULL THEN ARRAY[m.branch, m.branch || m.month] END) AS bucket) AS b;

CREATE TABLE outcome_total (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  job        text COLLATE "C" NOT NULL,
  adapter    text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL,
  reason     text COLLATE "C" NOT NULL,
  shared     boolean NOT NULL,
  violations integer NOT NULL,
  PRIMARY KEY (bucket, repository, job, adapter, model, status, reason, shared)
) WITH (fillfactor = 80);

CREATE VIEW made_outcome_total AS
SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.status, c.reason, c.shared, count(*)::integer AS violations
FROM outcome_cell AS c
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

-- The same from the totals that are here, which are fewer than violations.
INSERT INTO outcome_total
SELECT t.bucket, t.repository, k.job, k.adapter, k.model, k.status, k.reason, k.shared, sum(t.violations)
FROM violation_total AS t
JOIN violation_kind AS k ON k.id = t.kind
WHERE t.bucket ~ '^(@.*@)?([0-9]{4}-[0-9]{2})?$' AND t.violations <> 0
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
ORDER BY 1, 2, 3;

-- Takes runs away from the totals (sign -1), before their rows change, or adds them (1), when
-- they have changed. Who calls it holds the lock of the schema.

ALTER FUNCTION count_runs(text[], integer) RENAME TO count_earlier;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_runs(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF sign > 0 THEN
    PERFORM name_runs(counted);
  END IF;
  PERFORM count_earlier(counted, sign);
  INSERT INTO outcome_total AS t (bucket, repository, job, adapter, model, status, reason, shared, violations)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.status, c.reason, c.shared, sign * count(*)
  FROM outcome_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (bucket, repository, job, adapter, model, status, reason, shared) DO UPDATE SET violations = t.violations + excluded.violations;
  INSERT INTO cost_total AS t (bucket, repository, job, adapter, model, cost_nano, with_cost, calls)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, sign * sum(c.cost_nano), sign * sum(c.with_cost), sign * sum(c.calls)
  FROM cost_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (bucket, repository, job, adapter, model)
  DO UPDATE SET cost_nano = t.cost_nano + excluded.cost_nano, with_cost = t.with_cost + excluded.with_cost, calls = t.calls + excluded.calls;
END
$$;
-- +goose StatementEnd

-- Deletes the totals that have come to nothing. For the owner.

ALTER FUNCTION tidy_totals() RENAME TO tidy_earlier;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION tidy_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tidy_earlier();
  DELETE FROM outcome_total AS t WHERE t.violations = 0;
  DELETE FROM cost_total AS t WHERE t.cost_nano = 0 AND t.calls = 0;
END
$$;
-- +goose StatementEnd

-- Makes all totals and marks anew. For the owner.

ALTER FUNCTION make_totals() RENAME TO make_earlier;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION make_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM make_earlier();
  PERFORM name_runs(NULL);
  TRUNCATE outcome_total, cost_total;
  INSERT INTO outcome_total SELECT m.* FROM made_outcome_total AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO cost_total SELECT m.* FROM made_cost_total AS m ORDER BY m.bucket, m.repository, m.job;
END
$$;
-- +goose StatementEnd

-- Names the totals and marks that differ from those made of all rows.

ALTER FUNCTION wrong_totals() RENAME TO wrong_earlier;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION wrong_totals() RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT w FROM wrong_earlier() AS w
  UNION ALL
  SELECT 'outcomes' WHERE EXISTS (
    (SELECT t.* FROM outcome_total AS t WHERE t.violations <> 0 EXCEPT SELECT m.* FROM made_outcome_total AS m)
    UNION ALL (SELECT m.* FROM made_outcome_total AS m EXCEPT SELECT t.* FROM outcome_total AS t))
  UNION ALL
  SELECT 'costs' WHERE EXISTS (
    (SELECT t.* FROM cost_total AS t WHERE t.cost_nano <> 0 OR t.calls <> 0 EXCEPT SELECT m.* FROM made_cost_total AS m)
    UNION ALL (SELECT m.* FROM made_cost_total AS m EXCEPT SELECT t.* FROM cost_total AS t))
  UNION ALL
  SELECT 'names of runs' WHERE EXISTS (
    SELECT 1 FROM made_run_names AS m JOIN run AS r ON r.id = m.run WHERE r.jobs <> m.jobs OR r.adapters <> m.adapters)
$$;
-- +goose StatementEnd
