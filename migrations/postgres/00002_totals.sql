-- Totals, so that figures over all time need not read every row. What a total is made of
-- stands once, in a view of cells: one row for everything that is counted in a bucket.
-- count_run takes the cells of one run away before its rows change, and adds them again
-- after; the made_ views count the cells of all runs, and wrong_totals compares.
--
-- A bucket is a stretch of time in UTC: '' is all time, '2026-11' a month, '2026-11-22' a
-- day, 'W2026-11-16' the week that begins on that Monday; or it is the first folder of a
-- path: '/src', and '/' beside no folder. A model that is not known is 'unknown'. Durations
-- are rounded to three digits.
--
-- A pusher may not delete: a total that has come to nothing stays as a row of zeros until
-- the owner calls tidy_totals.

-- +goose Up

CREATE INDEX iteration_by_start ON iteration (started_at);
CREATE INDEX gate_executed ON gate (job, started_at DESC NULLS LAST, run DESC, iteration DESC) WHERE status IN ('passed', 'failed', 'error');
DROP INDEX violation_by_fingerprint;
CREATE INDEX violation_by_fingerprint ON violation (fingerprint, repository, first_seen, run) WHERE fingerprint IS NOT NULL;
CREATE INDEX violation_of_file ON violation (repository, file, first_seen);

-- +goose StatementBegin
CREATE FUNCTION three_digits(ms bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 1000 THEN ms
              WHEN ms < 10000 THEN (ms + 5) / 10 * 10
              WHEN ms < 100000 THEN (ms + 50) / 100 * 100
              WHEN ms < 1000000 THEN (ms + 500) / 1000 * 1000
              ELSE (ms + 5000) / 10000 * 10000 END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION day_of(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION week_of(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(date_trunc('week', at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')
$$;
-- +goose StatementEnd

-- Violations, by when they were first reported.

CREATE VIEW violation_fact AS
SELECT v.id AS violation, v.run, v.repository, v.job, v.adapter, v.model, v.first_iteration AS iteration, v.priority,
  v.shown AS status, coalesce(v.reason, '') AS reason, v.shared, v.in_fix_lines, v.recurring, v.first_seen AS at, v.folder
FROM violation AS v;

-- What violations have in common that are counted together. There are thousands, and
-- totals refer to them by number: rows of totals are read by the hundred thousand.
CREATE TABLE violation_kind (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job          text COLLATE "C" NOT NULL,
  adapter      text COLLATE "C" NOT NULL,
  model        text COLLATE "C" NOT NULL,
  iteration    bigint NOT NULL,
  priority     text COLLATE "C" NOT NULL,
  status       text COLLATE "C" NOT NULL,
  reason       text COLLATE "C" NOT NULL,
  shared       boolean NOT NULL,
  in_fix_lines boolean NOT NULL,
  recurring    boolean NOT NULL,
  UNIQUE (job, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
);

CREATE VIEW violation_cell AS
SELECT f.violation, b.bucket, f.repository, k.id AS kind
FROM violation_fact AS f
LEFT JOIN violation_kind AS k ON k.job = f.job AND k.adapter = f.adapter AND k.model = f.model AND k.iteration = f.iteration
  AND k.priority = f.priority AND k.status = f.status AND k.reason = f.reason AND k.shared = f.shared
  AND k.in_fix_lines = f.in_fix_lines AND k.recurring = f.recurring
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day OFFSET 0) AS d
CROSS JOIN LATERAL (SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day, '/' || f.folder]) AS bucket) AS b;

CREATE TABLE violation_total (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  kind       integer NOT NULL,
  violations integer NOT NULL,
  PRIMARY KEY (bucket, repository, kind)
) WITH (fillfactor = 80);

CREATE VIEW made_violation_total AS
SELECT c.bucket, c.repository, c.kind, count(*)::integer AS violations
FROM violation_cell AS c
GROUP BY 1, 2, 3;

-- Files, by where violations are now.

CREATE VIEW file_fact AS
SELECT v.run, v.repository, v.job, v.adapter, v.model, v.first_seen AS at, v.file, v.open AND NOT v.abandoned AS open, v.open AND v.abandoned AS abandoned,
  v.status = 'fixed' AS claimed, v.status = 'verified' AS verified, v.status = 'skipped' AS skipped, v.in_fix_lines,
  EXISTS (SELECT 1 FROM event AS e WHERE e.violation = v.id AND e.status = 'reopened') AS reopened
FROM violation AS v;

CREATE TABLE file_total (
  repository   bigint NOT NULL,
  file         text COLLATE "C" NOT NULL,
  violations   bigint NOT NULL,
  open         bigint NOT NULL,
  abandoned    bigint NOT NULL,
  claimed      bigint NOT NULL,
  verified     bigint NOT NULL,
  skipped      bigint NOT NULL,
  in_fix_lines bigint NOT NULL,
  reopened     bigint NOT NULL, -- those of which a claim was ever contradicted
  runs         bigint NOT NULL,
  PRIMARY KEY (repository, file)
) WITH (fillfactor = 80);
CREATE INDEX file_total_by_number ON file_total (violations DESC, file);

CREATE VIEW made_file_total AS
SELECT f.repository, f.file, count(*) AS violations, count(*) FILTER (WHERE f.open) AS open,
  count(*) FILTER (WHERE f.abandoned) AS abandoned, count(*) FILTER (WHERE f.claimed) AS claimed,
  count(*) FILTER (WHERE f.verified) AS verified, count(*) FILTER (WHERE f.skipped) AS skipped,
  count(*) FILTER (WHERE f.in_fix_lines) AS in_fix_lines, count(*) FILTER (WHERE f.reopened) AS reopened,
  count(DISTINCT f.run) AS runs
FROM file_fact AS f
GROUP BY 1, 2;

-- Fingerprints that violations of several runs of a repository have, or had. Marked is
-- whether those violations are marked as recurring: what does not fit is put right at the
-- end of each change, by settle_lines.

CREATE TABLE recurring_line (
  fingerprint text COLLATE "C" NOT NULL,
  repository  bigint NOT NULL,
  runs        bigint NOT NULL CHECK (runs >= 0),
  violations  bigint NOT NULL CHECK (violations >= runs),
  open        bigint NOT NULL CHECK (open >= 0),
  marked      boolean NOT NULL DEFAULT false,
  unsettled   boolean GENERATED ALWAYS AS (marked <> (runs > 1)) STORED, -- statistics know that it is rare
  PRIMARY KEY (fingerprint, repository)
) WITH (fillfactor = 80);
CREATE INDEX recurring_line_by_number ON recurring_line (runs DESC, fingerprint) WHERE runs > 1;
CREATE INDEX recurring_line_unsettled ON recurring_line (repository) WHERE unsettled;

CREATE VIEW made_recurring_line AS
SELECT v.fingerprint, v.repository, count(DISTINCT v.run) AS runs, count(*) AS violations,
  count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
FROM violation AS v
WHERE v.fingerprint IS NOT NULL
GROUP BY 1, 2
HAVING count(DISTINCT v.run) > 1;

-- Slots that ended, by when.

CREATE VIEW slot_fact AS
SELECT s.run, r.repository, s.job, s.adapter, coalesce(s.model, 'unknown') AS model, s.iteration, s.ended_at AS at,
  (s.status IN ('pass', 'fail'))::integer AS answered, (s.status = 'error')::integer AS errors,
  (s.status = 'interrupted')::integer AS interrupted, (s.status = 'skipped_prior_pass')::integer AS skipped,
  s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped, s.remembered_skip, s.malformed, s.merged, s.outside_verify,
  s.reopened, s.verified, s.carried,
  coalesce(s.input_tokens, 0) AS input_tokens, coalesce(s.cached_tokens, 0) AS cached_tokens,
  coalesce(s.output_tokens, 0) AS output_tokens,
  (s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL)::integer AS with_tokens,
  floor(coalesce(s.cost_usd, 0.0) * 1e9 + 0.5)::bigint AS cost_nano,
  (s.cost_usd IS NOT NULL AND s.status IN ('pass', 'fail', 'error'))::integer AS with_cost,
  coalesce(p.input_tokens + p.output_tokens, 0) AS saved_tokens,
  floor(coalesce(p.cost_usd, 0.0) * 1e9 + 0.5)::bigint AS saved_nano,
  three_digits(s.duration_ms) AS took_ms
FROM slot AS s
JOIN run AS r ON r.id = s.run
LEFT JOIN slot AS p ON s.status = 'skipped_prior_pass' AND p.run = s.run AND p.iteration = s.pass_iteration AND p.job = s.job AND p.slot = s.slot
WHERE s.ended_at IS NOT NULL;

CREATE VIEW slot_cell AS
SELECT b.bucket, f.*
FROM slot_fact AS f
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day OFFSET 0) AS d
CROSS JOIN LATERAL (SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]) AS bucket) AS b;

CREATE TABLE slot_total (
  bucket             text COLLATE "C" NOT NULL,
  repository         bigint NOT NULL,
  job                text COLLATE "C" NOT NULL,
  adapter            text COLLATE "C" NOT NULL,
  model              text COLLATE "C" NOT NULL,
  iteration          bigint NOT NULL,
  answered           bigint NOT NULL,
  errors             bigint NOT NULL,
  interrupted        bigint NOT NULL,
  skipped            bigint NOT NULL,
  accepted           bigint NOT NULL,
  out_of_diff        bigint NOT NULL,
  below_threshold    bigint NOT NULL,
  previously_skipped bigint NOT NULL,
  remembered_skip    bigint NOT NULL,
  malformed          bigint NOT NULL,
  merged             bigint NOT NULL,
  outside_verify     bigint NOT NULL,
  reopened           bigint NOT NULL,
  verified           bigint NOT NULL,
  carried            bigint NOT NULL,
  input_tokens       bigint NOT NULL,
  cached_tokens      bigint NOT NULL,
  output_tokens      bigint NOT NULL,
  with_tokens        bigint NOT NULL,
  cost_nano          bigint NOT NULL, -- billionths of a US dollar, so that sums are exact
  with_cost          bigint NOT NULL, -- answers and errors of which the cost is known
  saved_tokens       bigint NOT NULL, -- what skipped slots spent when they passed
  saved_nano         bigint NOT NULL,
  PRIMARY KEY (bucket, repository, job, adapter, model, iteration)
) WITH (fillfactor = 80);

CREATE VIEW made_slot_total AS
SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.iteration, sum(c.answered)::bigint AS answered,
  sum(c.errors)::bigint AS errors, sum(c.interrupted)::bigint AS interrupted, sum(c.skipped)::bigint AS skipped,
  sum(c.accepted)::bigint AS accepted, sum(c.out_of_diff)::bigint AS out_of_diff,
  sum(c.below_threshold)::bigint AS below_threshold, sum(c.previously_skipped)::bigint AS previously_skipped,
  sum(c.remembered_skip)::bigint AS remembered_skip, sum(c.malformed)::bigint AS malformed, sum(c.merged)::bigint AS merged,
  sum(c.outside_verify)::bigint AS outside_verify, sum(c.reopened)::bigint AS reopened, sum(c.verified)::bigint AS verified,
  sum(c.carried)::bigint AS carried, sum(c.input_tokens)::bigint AS input_tokens,
  sum(c.cached_tokens)::bigint AS cached_tokens, sum(c.output_tokens)::bigint AS output_tokens,
  sum(c.with_tokens)::bigint AS with_tokens, sum(c.cost_nano)::bigint AS cost_nano, sum(c.with_cost)::bigint AS with_cost,
  sum(c.saved_tokens)::bigint AS saved_tokens, sum(c.saved_nano)::bigint AS saved_nano
FROM slot_cell AS c
GROUP BY 1, 2, 3, 4, 5, 6;

-- How long answers took.

CREATE TABLE slot_time (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  job        text COLLATE "C" NOT NULL,
  adapter    text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  took_ms    bigint NOT NULL,
  slots      bigint NOT NULL,
  PRIMARY KEY (bucket, repository, job, adapter, model, took_ms)
) WITH (fillfactor = 80);

CREATE VIEW made_slot_time AS
SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.took_ms, count(*) AS slots
FROM slot_cell AS c
WHERE c.answered = 1
GROUP BY 1, 2, 3, 4, 5, 6;

-- Checks that were executed, by when their iteration began.

CREATE VIEW check_fact AS
SELECT g.run, g.iteration, r.repository, g.job, g.status = 'passed' AS passed, i.started_at AS at, three_digits(g.duration_ms) AS took_ms
FROM gate AS g
JOIN job AS j ON j.job = g.job AND j.kind = 'check'
JOIN iteration AS i ON i.run = g.run AND i.number = g.iteration
JOIN run AS r ON r.id = g.run
WHERE g.status IN ('passed', 'failed', 'error');

CREATE VIEW check_cell AS
SELECT b.bucket, f.*
FROM check_fact AS f
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day OFFSET 0) AS d
CROSS JOIN LATERAL (SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]) AS bucket) AS b;

CREATE TABLE check_total (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  job        text COLLATE "C" NOT NULL,
  passed     boolean NOT NULL,
  took_ms    bigint NOT NULL,
  executions bigint NOT NULL,
  PRIMARY KEY (bucket, repository, job, passed, took_ms)
) WITH (fillfactor = 80);

CREATE VIEW made_check_total AS
SELECT c.bucket, c.repository, c.job, c.passed, c.took_ms, count(*) AS executions
FROM check_cell AS c
GROUP BY 1, 2, 3, 4, 5;

-- Trees on which a check both passed and failed, or did when the row was made: who reads
-- them looks at the outcomes.

CREATE TABLE flaky_tree (
  job  text COLLATE "C" NOT NULL,
  tree text COLLATE "C" NOT NULL,
  PRIMARY KEY (job, tree)
);

CREATE VIEW check_outcome AS
SELECT g.job, i.tree, g.run, g.iteration, g.status, i.started_at AS at
FROM iteration AS i
JOIN gate AS g ON g.run = i.run AND g.iteration = i.number AND g.status IN ('passed', 'failed')
JOIN job AS j ON j.job = g.job AND j.kind = 'check'
WHERE i.tree IS NOT NULL;

CREATE VIEW made_flaky_tree AS
SELECT o.job, o.tree
FROM check_outcome AS o
GROUP BY 1, 2
HAVING min(o.status) <> max(o.status);

-- How many violations had such an event in a day, or in a week, however often.

-- An event is left out where an earlier one of the violation says the same in the same
-- bucket, which the first two never do.

CREATE VIEW event_cell AS
SELECT e.run, b.bucket, v.repository, v.job, v.adapter, v.model, e.status
FROM event AS e
JOIN violation AS v ON v.id = e.violation
CROSS JOIN LATERAL (SELECT unnest(ARRAY[day_of(e.at), 'W' || week_of(e.at)]) AS bucket) AS b
WHERE e.number <= 2 OR NOT EXISTS (
  SELECT 1 FROM event AS p
  WHERE p.violation = e.violation AND p.number < e.number AND p.status = e.status AND b.bucket IN (day_of(p.at), 'W' || week_of(p.at)));

CREATE TABLE event_total (
  bucket     text COLLATE "C" NOT NULL,
  repository bigint NOT NULL,
  job        text COLLATE "C" NOT NULL,
  adapter    text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL,
  violations bigint NOT NULL,
  PRIMARY KEY (bucket, repository, job, adapter, model, status)
) WITH (fillfactor = 80);

CREATE VIEW made_event_total AS
SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.status, count(*) AS violations
FROM event_cell AS c
GROUP BY 1, 2, 3, 4, 5, 6;

-- Takes violations away from their totals (sign -1), or adds them (1).

-- +goose StatementBegin
CREATE FUNCTION count_violations(counted text[], sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF sign > 0 THEN
    INSERT INTO violation_kind (job, adapter, model, iteration, priority, status, reason, shared, in_fix_lines, recurring)
    SELECT DISTINCT f.job, f.adapter, f.model, f.iteration, f.priority, f.status, f.reason, f.shared, f.in_fix_lines, f.recurring
    FROM violation_fact AS f
    WHERE f.violation = ANY (counted) AND NOT EXISTS (
      SELECT 1 FROM violation_kind AS k
      WHERE k.job = f.job AND k.adapter = f.adapter AND k.model = f.model AND k.iteration = f.iteration
        AND k.priority = f.priority AND k.status = f.status AND k.reason = f.reason AND k.shared = f.shared
        AND k.in_fix_lines = f.in_fix_lines AND k.recurring = f.recurring);
  END IF;
  INSERT INTO violation_total AS t (bucket, repository, kind, violations)
  SELECT c.bucket, c.repository, c.kind, sign * count(*)
  FROM violation_cell AS c WHERE c.violation = ANY (counted)
  GROUP BY 1, 2, 3
  ORDER BY 1, 2, 3
  ON CONFLICT (bucket, repository, kind) DO UPDATE SET violations = t.violations + excluded.violations;
END
$$;
-- +goose StatementEnd

-- Marks the violations of lines that have begun or ceased to recur. Totals move along, but
-- for those of the run that is being counted.

-- +goose StatementBegin
CREATE FUNCTION settle_lines(counted text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved text[];
BEGIN
  IF NOT EXISTS (SELECT 1 FROM recurring_line AS l WHERE l.unsettled) THEN
    RETURN;
  END IF;
  SELECT array_agg(v.id ORDER BY v.id) INTO moved
  FROM recurring_line AS l
  JOIN violation AS v ON v.fingerprint = l.fingerprint AND v.repository = l.repository AND v.recurring <> (l.runs > 1)
  WHERE l.unsettled AND v.run <> counted;
  PERFORM count_violations(moved, -1);
  UPDATE violation AS v SET recurring = NOT v.recurring WHERE v.id = ANY (moved);
  PERFORM count_violations(moved, 1);
  UPDATE recurring_line AS l SET marked = l.runs > 1 WHERE l.unsettled;
END
$$;
-- +goose StatementEnd

-- Counts in how many runs lines are, when a run comes or goes.

-- +goose StatementBegin
CREATE FUNCTION count_lines(counted text, sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE recurring_line AS l SET runs = l.runs + sign, violations = l.violations + sign * m.violations, open = l.open + sign * m.open
  FROM (
    SELECT v.fingerprint, v.repository, count(*) AS violations, count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.run = counted AND v.fingerprint IS NOT NULL
    GROUP BY 1, 2
  ) AS m
  WHERE l.fingerprint = m.fingerprint AND l.repository = m.repository;
  IF sign < 0 THEN
    RETURN;
  END IF;
  INSERT INTO recurring_line (fingerprint, repository, runs, violations, open)
  SELECT m.fingerprint, m.repository, 1 + o.runs, m.violations + o.violations, m.open + o.open
  FROM (
    SELECT v.fingerprint, v.repository, count(*) AS violations, count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.run = counted AND v.fingerprint IS NOT NULL
    GROUP BY 1, 2
  ) AS m
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT v.run) AS runs, count(*) AS violations, count(*) FILTER (WHERE v.open AND NOT v.abandoned) AS open
    FROM violation AS v WHERE v.fingerprint = m.fingerprint AND v.repository = m.repository AND v.run <> counted
  ) AS o
  WHERE NOT EXISTS (SELECT 1 FROM recurring_line AS l WHERE l.fingerprint = m.fingerprint AND l.repository = m.repository)
    AND o.runs > 0
  ORDER BY 1, 2;
  PERFORM settle_lines(counted);
  UPDATE violation AS v SET recurring = NOT v.recurring
  FROM violation AS o
  LEFT JOIN recurring_line AS l ON l.fingerprint = o.fingerprint AND l.repository = o.repository AND l.runs > 1
  WHERE o.run = counted AND v.id = o.id AND o.recurring <> (l.runs IS NOT NULL);
END
$$;
-- +goose StatementEnd

-- Takes a run away from the totals (sign -1), before its rows change, or adds it (1), when
-- they have changed. Who calls it holds the lock of the schema.

-- +goose StatementBegin
CREATE FUNCTION count_run(counted text, sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_lines(counted, sign);

  PERFORM count_violations((SELECT array_agg(v.id ORDER BY v.id) FROM violation AS v WHERE v.run = counted), sign);

  INSERT INTO file_total AS t (repository, file, violations, open, abandoned, claimed, verified, skipped, in_fix_lines, reopened, runs)
  SELECT f.repository, f.file, sign * count(*), sign * count(*) FILTER (WHERE f.open), sign * count(*) FILTER (WHERE f.abandoned),
    sign * count(*) FILTER (WHERE f.claimed), sign * count(*) FILTER (WHERE f.verified), sign * count(*) FILTER (WHERE f.skipped),
    sign * count(*) FILTER (WHERE f.in_fix_lines), sign * count(*) FILTER (WHERE f.reopened), sign
  FROM file_fact AS f WHERE f.run = counted
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
  FROM slot_cell AS c WHERE c.run = counted
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
  FROM slot_cell AS c WHERE c.run = counted AND c.answered = 1
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (bucket, repository, job, adapter, model, took_ms) DO UPDATE SET slots = t.slots + excluded.slots;

  INSERT INTO check_total AS t (bucket, repository, job, passed, took_ms, executions)
  SELECT c.bucket, c.repository, c.job, c.passed, c.took_ms, sign * count(*)
  FROM check_cell AS c WHERE c.run = counted
  GROUP BY 1, 2, 3, 4, 5
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (bucket, repository, job, passed, took_ms) DO UPDATE SET executions = t.executions + excluded.executions;

  INSERT INTO event_total AS t (bucket, repository, job, adapter, model, status, violations)
  SELECT c.bucket, c.repository, c.job, c.adapter, c.model, c.status, sign * count(*)
  FROM event_cell AS c WHERE c.run = counted
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (bucket, repository, job, adapter, model, status) DO UPDATE SET violations = t.violations + excluded.violations;

  IF sign > 0 THEN
    INSERT INTO flaky_tree (job, tree)
    SELECT DISTINCT o.job, o.tree
    FROM check_outcome AS o
    JOIN check_outcome AS other ON other.tree = o.tree AND other.job = o.job AND other.status <> o.status
    WHERE o.run = counted
    ORDER BY 1, 2
    ON CONFLICT (job, tree) DO NOTHING;
  END IF;
END
$$;
-- +goose StatementEnd

-- Deletes a run with all that is of it, also from the totals. For the owner.

-- +goose StatementBegin
CREATE FUNCTION delete_run(deleted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_run(deleted, -1);
  DELETE FROM met_skip AS m WHERE m.run = deleted;
  DELETE FROM forgotten_skip AS f USING violation AS v WHERE v.run = deleted AND f.violation = v.id;
  DELETE FROM remembered_skip AS m WHERE m.run = deleted;
  DELETE FROM report AS p WHERE p.run = deleted;
  DELETE FROM event AS e WHERE e.run = deleted;
  DELETE FROM violation AS v WHERE v.run = deleted;
  DELETE FROM slot AS s WHERE s.run = deleted;
  DELETE FROM gate AS g WHERE g.run = deleted;
  DELETE FROM verdict AS d WHERE d.run = deleted;
  DELETE FROM iteration AS i WHERE i.run = deleted;
  DELETE FROM transition AS t WHERE t.run = deleted;
  DELETE FROM record AS r WHERE r.run = deleted;
  DELETE FROM run AS r WHERE r.id = deleted;
  PERFORM settle_lines();
END
$$;
-- +goose StatementEnd

-- Deletes the totals that have come to nothing. For the owner.

-- +goose StatementBegin
CREATE FUNCTION tidy_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM violation_total AS t WHERE t.violations = 0;
  DELETE FROM file_total AS t WHERE t.violations = 0;
  DELETE FROM slot_total AS t WHERE t.answered + t.errors + t.interrupted + t.skipped = 0;
  DELETE FROM slot_time AS t WHERE t.slots = 0;
  DELETE FROM check_total AS t WHERE t.executions = 0;
  DELETE FROM event_total AS t WHERE t.violations = 0;
  DELETE FROM recurring_line AS l WHERE l.runs < 2 AND NOT l.marked;
  DELETE FROM flaky_tree AS f
  WHERE (SELECT count(DISTINCT o.status) FROM check_outcome AS o WHERE o.tree = f.tree AND o.job = f.job) < 2;
END
$$;
-- +goose StatementEnd

-- Makes all totals anew. For the owner.

-- +goose StatementBegin
CREATE FUNCTION make_totals() RETURNS void LANGUAGE plpgsql AS $$
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
  INSERT INTO violation_total SELECT * FROM made_violation_total;
  INSERT INTO file_total SELECT * FROM made_file_total;
  INSERT INTO slot_total SELECT * FROM made_slot_total;
  INSERT INTO slot_time SELECT * FROM made_slot_time;
  INSERT INTO check_total SELECT * FROM made_check_total;
  INSERT INTO event_total SELECT * FROM made_event_total;
  INSERT INTO flaky_tree SELECT * FROM made_flaky_tree;
END
$$;
-- +goose StatementEnd

-- Names the totals that differ from those made of all rows.

-- +goose StatementBegin
CREATE FUNCTION wrong_totals() RETURNS SETOF text LANGUAGE sql STABLE AS $$
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
  SELECT 'flaky checks' WHERE EXISTS (SELECT m.* FROM made_flaky_tree AS m EXCEPT SELECT f.* FROM flaky_tree AS f)
$$;
-- +goose StatementEnd
