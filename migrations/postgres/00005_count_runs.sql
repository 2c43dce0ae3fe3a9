-- Several runs are counted at once, so that many cost hardly more than one: what they have
-- in common is added up before a total is looked for.
--
-- The functions that count go by indexes alone. Their plans are made once in a connection,
-- and while a first push fills the tables nobody knows yet how large they become: a plan
-- that reads whole tables, made when they were empty, would be kept.

-- +goose Up

ALTER FUNCTION count_violations(text[], integer) SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off;

DROP FUNCTION count_lines(text, integer);
DROP FUNCTION settle_lines(text);

-- Marks the violations of lines that have begun or ceased to recur. Totals move along, but
-- for those of the runs that are being counted.

-- +goose StatementBegin
CREATE FUNCTION settle_lines(counted text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  moved text[];
BEGIN
  IF NOT EXISTS (SELECT 1 FROM recurring_line AS l WHERE l.unsettled) THEN
    RETURN;
  END IF;
  SELECT array_agg(v.id ORDER BY v.id) INTO moved
  FROM recurring_line AS l
  JOIN violation AS v ON v.fingerprint = l.fingerprint AND v.repository = l.repository AND v.recurring <> (l.runs > 1)
  WHERE l.unsettled AND v.run <> ALL (counted);
  PERFORM count_violations(moved, -1);
  UPDATE violation AS v SET recurring = NOT v.recurring WHERE v.id = ANY (moved);
  PERFORM count_violations(moved, 1);
  UPDATE recurring_line AS l SET marked = l.runs > 1 WHERE l.unsettled;
END
$$;
-- +goose StatementEnd

-- Counts in how many runs lines are, when runs come or go.

-- +goose StatementBegin
CREATE FUNCTION count_lines(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  UPDATE recurring_line AS l
  SET runs = l.runs + sign * m.runs, violations = l.violations + sign * m.violations, open = l.open + sign * m.open
  FROM (
    SELECT v.fingerprint, v.repository, count(DISTINCT v.run) AS runs, count(*) AS violations,
      count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.run = ANY (counted) AND v.fingerprint IS NOT NULL
    GROUP BY 1, 2
  ) AS m
  WHERE l.fingerprint = m.fingerprint AND l.repository = m.repository;
  IF sign < 0 THEN
    RETURN;
  END IF;
  INSERT INTO recurring_line (fingerprint, repository, runs, violations, open)
  SELECT m.fingerprint, m.repository, m.runs + o.runs, m.violations + o.violations, m.open + o.open
  FROM (
    SELECT v.fingerprint, v.repository, count(DISTINCT v.run) AS runs, count(*) AS violations,
      count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.run = ANY (counted) AND v.fingerprint IS NOT NULL
    GROUP BY 1, 2
  ) AS m
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT v.run) AS runs, count(*) AS violations, count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.fingerprint = m.fingerprint AND v.repository = m.repository AND v.run <> ALL (counted)
  ) AS o
  WHERE NOT EXISTS (SELECT 1 FROM recurring_line AS l WHERE l.fingerprint = m.fingerprint AND l.repository = m.repository)
    AND m.runs + o.runs > 1
  ORDER BY 1, 2;
  PERFORM settle_lines(counted);
  UPDATE violation AS v SET recurring = NOT v.recurring
  FROM violation AS o
  LEFT JOIN recurring_line AS l ON l.fingerprint = o.fingerprint AND l.repository = o.repository AND l.runs > 1
  WHERE o.run = ANY (counted) AND v.id = o.id AND o.recurring <> (l.runs IS NOT NULL);
END
$$;
-- +goose StatementEnd

-- Takes runs away from the totals (sign -1), before their rows change, or adds them (1), when
-- they have changed. Who calls it holds the lock of the schema.

-- +goose StatementBegin
CREATE FUNCTION count_runs(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM count_lines(counted, sign);

  PERFORM count_violations((SELECT array_agg(v.id ORDER BY v.id) FROM violation AS v WHERE v.run = ANY (counted)), sign);

  INSERT INTO file_total AS t (repository, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines, reopened, runs)
  SELECT f.repository, f.file, sign * count(*), sign * count(*) FILTER (WHERE f.open), sign * count(*) FILTER (WHERE f.abandoned),
    sign * count(*) FILTER (WHERE f.claimed), sign * count(*) FILTER (WHERE f.verified), sign * count(*) FILTER (WHERE f.skipped),
    sign * count(*) FILTER (WHERE f.in_fix_lines), sign * count(*) FILTER (WHERE f.reopened), sign * count(DISTINCT f.run)
  FROM file_fact AS f WHERE f.run = ANY (counted)
  GROUP BY 1, 2
  ORDER BY 1, 2
  ON CONFLICT (repository, file)
  DO UPDATE SET violations = t.violations + excluded.violations, open = t.open + excluded.open,
    abandoned = t.abandoned + excluded.abandoned, claimed = t.claimed + excluded.claimed,
    verified = t.verified + excluded.verified, skipped = t.skipped + excluded.skipped,
    in_fix_lines = t.in_fix_lines + excluded.in_fix_lines, reopened = t.reopened + excluded.reopened, runs = t.runs + excluded.runs;

  INSERT INTO slot_total AS t (bucket, repository, job, adapter, model, iteration,
    answered, errors, interrupted, skipped, accepted, out_of_diff, below_threshold, previously_skipped,
    remembered_skip, malformed, merged, outside_verify, reopened, verified, carried, input_tokens, cached_tokens,
    output_tokens, with_tokens, cost_nano, with_cost, saved_tokens, saved_nano)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.iteration,
    sign * sum(c.answered), sign * sum(c.errors), sign * sum(c.interrupted), sign * sum(c.skipped), sign * sum(c.accepted),
    sign * sum(c.out_of_diff), sign * sum(c.below_threshold), sign * sum(c.previously_skipped),
    sign * sum(c.remembered_skip), sign * sum(c.malformed), sign * sum(c.merged), sign * sum(c.outside_verify),
    sign * sum(c.reopened), sign * sum(c.verified), sign * sum(c.carried), sign * sum(c.input_tokens),
    sign * sum(c.cached_tokens), sign * sum(c.output_tokens), sign * sum(c.with_tokens), sign * sum(c.cost_nano),
    sign * sum(c.with_cost), sign * sum(c.saved_tokens), sign * sum(c.saved_nano)
  FROM slot_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (bucket, repository, job, adapter, model, iteration)
  DO UPDATE SET
    answered = t.answered + excluded.answered, errors = t.errors + excluded.errors,
    interrupted = t.interrupted + excluded.interrupted, skipped = t.skipped + excluded.skipped,
    accepted = t.accepted + excluded.accepted, out_of_diff = t.out_of_diff + excluded.out_of_diff,
    below_threshold = t.below_threshold + excluded.below_threshold,
    previously_skipped = t.previously_skipped + excluded.previously_skipped,
    remembered_skip = t.remembered_skip + excluded.remembered_skip, malformed = t.malformed + excluded.malformed,
    merged = t.merged + excluded.merged, outside_verify = t.outside_verify + excluded.outside_verify,
    reopened = t.reopened + excluded.reopened, verified = t.verified + excluded.verified,
    carried = t.carried + excluded.carried, input_tokens = t.input_tokens + excluded.input_tokens,
    cached_tokens = t.cached_tokens + excluded.cached_tokens, output_tokens = t.output_tokens + excluded.output_tokens,
    with_tokens = t.with_tokens + excluded.with_tokens, cost_nano = t.cost_nano + excluded.cost_nano,
    with_cost = t.with_cost + excluded.with_cost, saved_tokens = t.saved_tokens + excluded.saved_tokens,
    saved_nano = t.saved_nano + excluded.saved_nano;

  INSERT INTO slot_time AS t (bucket, repository, job, adapter, model, took_ms, slots)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.took_ms, sign * count(*)
  FROM slot_cell AS c WHERE c.run = ANY (counted) AND c.answered = 1
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (bucket, repository, job, adapter, model, took_ms) DO UPDATE SET slots = t.slots + excluded.slots;

  INSERT INTO check_total AS t (bucket, repository, job, passed, took_ms, executions)
  SELECT c.bucket, c.repository, c.job, c.passed, c.took_ms, sign * count(*)
  FROM check_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (bucket, repository, job, passed, took_ms) DO UPDATE SET executions = t.executions + excluded.executions;

  INSERT INTO event_total AS t (bucket, repository, job, adapter, model, status, violations)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.status, sign * count(*)
  FROM event_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (bucket, repository, job, adapter, model, status) DO UPDATE SET violations = t.violations + excluded.violations;

  IF sign > 0 THEN
    INSERT INTO flaky_tree (job, tree)
    SELECT DISTINCT o.job, o.tree
    FROM check_outcome AS o
    JOIN check_outcome AS other ON other.tree = o.tree AND other.job = o.job AND other.status <> o.status
    WHERE o.run = ANY (counted)
    ORDER BY 1, 2
    ON CONFLICT (job, tree) DO NOTHING;
  END IF;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_run(counted text, sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_runs(ARRAY[counted], sign);
END
$$;
-- +goose StatementEnd
