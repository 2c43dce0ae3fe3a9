-- Fills the tables of a new team store with runs of a year that ended at a time, for
-- measurements: SELECT pg_temp.fill(runs, violations in each, on average, the end of the year),
-- before the records of the runs are made, and figures of these. The rows are the same every time.
-- It writes past the checks of foreign keys, makes indexes at the end, and has to be called by a
-- superuser.

-- A number below the limit that depends on n and on what it is for.
CREATE FUNCTION pg_temp.pick(n bigint, purpose integer, below integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT ((hashint8extended(n, purpose) & 2147483647) % below)::integer
$$;

CREATE FUNCTION pg_temp.ulid_time(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((extract(epoch FROM at) * 1000)::bigint >> (45 - 5 * k) & 31)::integer + 1, 1), '' ORDER BY k)
  FROM generate_series(0, 9) AS k
$$;

CREATE FUNCTION pg_temp.fill(runs integer, per_run integer, until timestamptz) RETURNS void LANGUAGE plpgsql AS $fill$
DECLARE
  indexes    text[];
  definition text;
  sentences  text[] := ARRAY[
    'The error of this call is dropped, so a failure passes unnoticed.',
    'A request without a session reaches the handler, and its pointer is nil.',
    'The lock is held while the network is asked; every other caller waits for it.',
    'The loop compares each row with each other one, which takes minutes for long lists.',
    'Two goroutines write the same map without a lock.',
    'The query is built from the text of the user and can be changed by it.',
    'A timeout is missing: a server that never answers blocks the worker for good.',
    'The comment says the opposite of what the code does.',
    'Nothing tests the branch in which the cache is stale.',
    'The file stays open when the second read fails.',
    'The token is written to the log in the clear.',
    'A negative offset passes the check and indexes before the slice.',
    'The migration rewrites the whole table under an exclusive lock.',
    'The name shadows the package that is imported above.',
    'The transaction is not rolled back on this path.',
    'Times of two zones are compared without being converted.',
    'The retry has no limit and no pause, so it floods the server when that is down.',
    'The default of the option is documented as 30 but is 60.',
    'The button has no label, and screen readers call it by its icon.',
    'A redirect to any host is accepted, which helps phishing.',
    'The sum overflows for more than two billion entries.',
    'The same condition is written three times and differs in one of them.',
    'The temporary folder is never removed after a panic.',
    'The response is parsed before its status is looked at.'];
  fixes      text[] := ARRAY[
    'Return the error with what was being done, and test it with a writer that fails.',
    'Check the session first, and answer 401 without one.',
    'Copy what is needed under the lock, and ask the network after it is released.',
    'Build a map by key once, and look rows up in it.',
    'Guard the map by the mutex of the struct, or send changes through the channel.',
    'Pass the text as a parameter of the query.',
    'Set a deadline on the context, and say in the error how long was waited.',
    'Correct the comment, or delete it: the names say as much.',
    'Add a test in which the clock is ahead of the entry.',
    'Close it by a defer right after it was opened.'];
  adapters   text[] := ARRAY['claude', 'codex', 'cursor', 'gemini'];
  models     text[] := ARRAY['claude-opus-4-1', 'gpt-5-codex', 'composer-1', 'gemini-2.5-pro', 'claude-sonnet-4-5', 'unknown'];
BEGIN
  SET LOCAL session_replication_role = replica;
  TRUNCATE repository, ledger, job, run, record, iteration, gate, slot, violation, report, event, transition, verdict,
    remembered_skip, forgotten_skip, met_skip, tombstone, contribution, contribution_day, figure, figure_text, recurring_line RESTART IDENTITY;
  SELECT array_agg(pg_get_indexdef(i.indexrelid)) INTO indexes
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid);
  FOR definition IN
    SELECT format('DROP INDEX %s', i.indexrelid::regclass)
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)
  LOOP
    EXECUTE definition;
  END LOOP;

  INSERT INTO repository (kind, key) SELECT 'origin', 'github.com/example/' || name
  FROM unnest(ARRAY['shop', 'api', 'web', 'billing', 'search', 'tools']) WITH ORDINALITY AS r (name, k) ORDER BY k;
  INSERT INTO ledger (id, name) SELECT md5(k::text), 'ledger-' || k FROM generate_series(1, 20) AS k;
  INSERT INTO job (job, kind, entry_point, name)
  SELECT kind || ':' || entry_point || ':' || name, kind, entry_point, name
  FROM (VALUES ('review', 'src', 'quality'), ('review', 'src', 'security'), ('review', 'web', 'quality'), ('review', 'web', 'access'),
    ('check', 'src', 'lint'), ('check', 'src', 'test'), ('check', 'web', 'lint'), ('check', 'web', 'test')) AS j (kind, entry_point, name);

  CREATE TEMPORARY TABLE plan ON COMMIT DROP AS
  SELECT p.r, pg_temp.ulid_time(p.at) AS prefix, pg_temp.ulid_time(p.at) || '0' || upper(lpad(to_hex(p.r), 15, '0')) AS id,
    1 + pg_temp.pick(p.r / 3, 1, 10) * 6 / 10 AS repository, p.at, p.violations, p.iterations, p.abandoned, p.entry_point,
    p.violations_before, p.branch, p.recent
  FROM (
    SELECT s.*, sum(s.violations) OVER (ORDER BY s.r) - s.violations AS violations_before
    FROM (
      SELECT r::bigint, until - ((runs - r + 0.5) * 365.0 / runs) * interval '1 day' AS at,
        per_run / 2 + pg_temp.pick(r, 2, greatest(per_run, 1)) AS violations, 1 + pg_temp.pick(r, 3, 4) AS iterations,
        pg_temp.pick(r, 4, 25) = 0 AS abandoned, CASE pg_temp.pick(r / 3, 5, 4) WHEN 0 THEN 'web' ELSE 'src' END AS entry_point,
        CASE pg_temp.pick(r, 6, 5) WHEN 0 THEN 'main' ELSE 'feature/' || r / 8 END AS branch, (runs - r) < runs / 100 AS recent
      FROM generate_series(1, runs) AS r
    ) AS s
  ) AS p ORDER BY p.r;

  INSERT INTO run (id, ledger, repository, revision, digest, content, kind, branch, base_ref, base, head, status, started_at, finished_at,
    iterations, verified, claimed, skipped, withdrawn, open, review_id, verdict)
  SELECT p.id, md5((1 + pg_temp.pick(p.r, 7, 20))::text), p.repository, 1, '3:' || md5(p.r::text) || md5(p.id), 'words',
    CASE WHEN p.r % 40 = 0 THEN 'review' ELSE 'gates' END, p.branch, 'origin/main', md5(p.branch) || '00000000', md5(p.id) || '00000000',
    CASE WHEN p.abandoned THEN 'abandoned' WHEN p.recent THEN 'failed' WHEN p.r % 3 = 0 THEN 'passed' ELSE 'passed_with_warnings' END,
    p.at, CASE WHEN NOT p.recent THEN p.at + p.iterations * interval '20 minutes' END, p.iterations, p.violations / 2, 0, p.violations / 3, 0, 0,
    CASE WHEN p.r % 40 = 0 THEN 'r' || p.r END, CASE WHEN p.r % 40 = 0 THEN 'comment' END
  FROM plan AS p ORDER BY p.r;

  INSERT INTO iteration (run, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at,
    new, reopened, verified, claimed, skipped, carried, in_fix_lines)
  SELECT p.id, n, CASE n WHEN 1 THEN 'review' ELSE 'rerun' END, 'session', md5(p.r || 'f' || n) || '00000000', md5(p.r || 't' || n) || '00000000',
    md5(p.r || 's' || n) || '00000000', md5((CASE WHEN n = 1 AND p.r % 50 = 0 THEN p.r - 1 ELSE p.r END) || 't' || n) || '00000000', md5(p.id) || '00000000',
    CASE WHEN n < p.iterations OR p.abandoned OR p.recent THEN 'failed' ELSE 'passed' END,
    p.at + (n - 1) * interval '20 minutes', p.at + n * interval '20 minutes' - interval '8 minutes', p.violations / p.iterations, 0, 0, 0, 0, 0, 0
  FROM plan AS p, generate_series(1, p.iterations) AS n ORDER BY p.r, n;

  INSERT INTO gate (run, iteration, job, status, reason, problems, num_reviews, duration_ms, started_at, finished_at)
  SELECT p.id, n, j.job, CASE WHEN pg_temp.pick(p.r * 64 + n * 8 + length(j.job), 8, 6) = 0 OR j.kind = 'review' AND n < p.iterations THEN 'failed' ELSE 'passed' END,
    '', 0, CASE j.kind WHEN 'review' THEN 2 END, 1000 + pg_temp.pick(p.r * 64 + n * 8 + length(j.job), 9, 200000),
    p.at + (n - 1) * interval '20 minutes', p.at + (n - 1) * interval '20 minutes' + interval '5 minutes'
  FROM plan AS p, generate_series(1, p.iterations) AS n, job AS j
  WHERE j.entry_point = p.entry_point ORDER BY p.r, n, j.job;

  INSERT INTO slot (run, iteration, job, slot, adapter, model, status, pass_iteration, latch, reason, reviewed, input_tokens, cached_tokens,
    output_tokens, cost_usd, calls, duration_ms, started_at, finished_at, accepted, out_of_diff, below_threshold, previously_skipped,
    remembered_skip, malformed, merged, outside_verify, new, reopened, verified, carried, elsewhere)
  SELECT p.id, n, j.job, k, adapters[1 + (p.r + k) % 4], nullif(models[1 + (p.r + k) % 4 + CASE WHEN p.r % 5 = 0 AND (p.r + k) % 4 < 2 THEN 4 ELSE 0 END], 'unknown'),
    CASE WHEN n > 1 AND pg_temp.pick(h, 10, 4) = 0 THEN 'skipped_prior_pass' WHEN pg_temp.pick(h, 10, 40) = 1 THEN 'error' WHEN n = p.iterations THEN 'pass' ELSE 'fail' END,
    CASE WHEN n > 1 AND pg_temp.pick(h, 10, 4) = 0 THEN n - 1 END, false, '', md5(h::text) || '00000000',
    8000 + pg_temp.pick(h, 11, 60000), pg_temp.pick(h, 12, 8000), 300 + pg_temp.pick(h, 13, 4000), 0.01 + pg_temp.pick(h, 14, 3000) / 10000.0, 1,
    5000 + pg_temp.pick(h, 15, 300000), p.at + (n - 1) * interval '20 minutes', p.at + (n - 1) * interval '20 minutes' + interval '4 minutes',
    p.violations / p.iterations / 4, pg_temp.pick(h, 16, 5), pg_temp.pick(h, 17, 5), pg_temp.pick(h, 18, 3), 0, 0, 0, 0, p.violations / p.iterations / 4, 0, 0, 0, 0
  FROM plan AS p, generate_series(1, p.iterations) AS n, job AS j, generate_series(1, 2) AS k, LATERAL (SELECT p.r * 64 + n * 16 + length(j.job) % 8 * 2 + k AS h OFFSET 0) AS x
  WHERE j.entry_point = p.entry_point AND j.kind = 'review' ORDER BY p.r, n, j.job, k;

  INSERT INTO violation (id, short_id, run, number, repository, branch, job, slot, adapter, model, file, line_start, line_end, issue, fix, line_hash,
    priority, rank, first_iteration, last_iteration, answered_iteration, fingerprint, fingerprint_version, status, status_by, result, reason, shared,
    in_fix_lines, abandoned, first_seen, last_seen, status_at)
  SELECT p.prefix || '1' || upper(lpad(to_hex(x.g), 15, '0')), lpad(to_hex(x.g & 4294967295), 8, '0'), p.id, n, p.repository, p.branch, j.job, x.slot,
    adapters[1 + (p.r + x.slot) % 4], models[1 + (p.r + x.slot) % 4 + CASE WHEN p.r % 5 = 0 AND (p.r + x.slot) % 4 < 2 THEN 4 ELSE 0 END],
    f.file, f.line, f.line + pg_temp.pick(x.g, 20, 4),
    sentences[1 + pg_temp.pick(x.g, 21, 24)] || ' See ' || f.symbol || '. ' || sentences[1 + pg_temp.pick(x.g, 22, 24)] || ' ' ||
      CASE WHEN x.g % 2 = 0 THEN sentences[1 + pg_temp.pick(x.g, 23, 24)] ELSE '' END,
    fixes[1 + pg_temp.pick(x.g, 24, 10)] || CASE WHEN x.g % 3 = 0 THEN ' ' || fixes[1 + pg_temp.pick(x.g, 25, 10)] ELSE '' END,
    substr(md5(f.symbol || f.line), 1, 16), (ARRAY['critical', 'high', 'medium', 'low', 'info'])[x.rank + 1], x.rank, x.iteration, x.iteration, x.iteration,
    md5(p.repository || '/' || CASE WHEN pg_temp.pick(x.g, 26, 100) < 15 THEN 'line' || (power(pg_temp.pick(x.g, 27, 100000) / 100000.0, 3) * runs)::bigint ELSE x.g::text END), 1,
    x.status, CASE x.status WHEN 'new' THEN 'reviewer' WHEN 'skipped' THEN 'agent' WHEN 'fixed' THEN 'agent' ELSE 'reviewer' END,
    CASE x.status WHEN 'skipped' THEN 'It is on purpose here, and the caller relies on it.' WHEN 'new' THEN NULL ELSE 'Done as proposed, with a test.' END,
    CASE x.status WHEN 'skipped' THEN (ARRAY['false_positive', 'by_design', 'out_of_scope', 'deferred'])[1 + pg_temp.pick(x.g, 28, 4)] END,
    pg_temp.pick(x.g, 29, 10) = 0, x.iteration > 1 AND pg_temp.pick(x.g, 30, 12) = 0, p.abandoned, x.at, x.at, x.at + interval '6 minutes'
  FROM plan AS p, generate_series(1, p.violations) AS n,
    LATERAL (SELECT (p.violations_before + n)::bigint AS g OFFSET 0) AS y,
    LATERAL (SELECT y.g, 1 + pg_temp.pick(y.g, 31, 2) AS slot, least(p.iterations, 1 + pg_temp.pick(y.g, 32, 5) * pg_temp.pick(y.g, 33, 2)) AS iteration,
      (ARRAY[0, 1, 1, 2, 2, 2, 3, 3, 3, 4])[1 + pg_temp.pick(y.g, 34, 10)] AS rank,
      CASE WHEN p.abandoned OR p.recent AND pg_temp.pick(y.g, 35, 3) = 0 THEN 'new' WHEN pg_temp.pick(y.g, 36, 100) < 35 THEN 'skipped' WHEN pg_temp.pick(y.g, 36, 100) < 45 THEN 'fixed' ELSE 'verified' END AS status,
      p.at + least(p.iterations - 1, pg_temp.pick(y.g, 32, 5) * pg_temp.pick(y.g, 33, 2)) * interval '20 minutes' + interval '4 minutes' AS at OFFSET 0) AS x,
    LATERAL (SELECT 'src/module' || m.k % 97 || '/package' || m.k % 1009 || '/file_' || m.k || '.go' AS file, 1 + pg_temp.pick(x.g, 37, 900) AS line,
        'handle' || pg_temp.pick(x.g, 38, 40000) AS symbol
      FROM (SELECT (power(pg_temp.pick(x.g, 39, 1000000) / 1000000.0, 2) * 12000)::integer AS k) AS m OFFSET 0) AS f,
    LATERAL (SELECT 'review:' || p.entry_point || ':' || CASE WHEN x.g % 3 = 0 THEN CASE p.entry_point WHEN 'src' THEN 'security' ELSE 'access' END ELSE 'quality' END AS job) AS j;
  ANALYZE violation;

  INSERT INTO report (run, iteration, job, slot, position, violation, file, line_start, line_end, issue, fix, confidence, system_breaking, priority, disposition,
    reason, in_fix_lines, line_hash, fingerprint, line_repeated, at, result, words)
  SELECT v.run, v.first_iteration, v.job, CASE WHEN c.k = 2 THEN 3 - v.slot ELSE v.slot END, v.number * 4 + c.k, CASE WHEN c.k < 3 THEN v.id END, v.file, v.line_start, v.line_end, v.issue, v.fix,
    0.8, false, v.priority, CASE WHEN c.k < 3 THEN 'accepted' ELSE (ARRAY['out_of_diff', 'below_threshold', 'previously_skipped', 'merged'])[1 + v.number % 4] END,
    '', v.in_fix_lines, v.line_hash, v.fingerprint, false, v.first_seen, CASE c.k WHEN 1 THEN v.result END,
    to_tsvector('simple', concat_ws(' . ', v.issue, v.fix, CASE c.k WHEN 1 THEN v.result END))
  FROM violation AS v, generate_series(1, 3) AS c (k)
  WHERE c.k = 1 OR pg_temp.pick(v.number + v.line_start * 1000, 40 + c.k, 100) < 15;

  INSERT INTO event (violation, number, run, iteration, status, actor, result, reason, at)
  SELECT v.id, e.number, v.run, v.first_iteration, e.status, CASE WHEN e.status IN ('fixed', 'skipped') THEN 'agent' ELSE 'reviewer' END,
    CASE WHEN e.number > 1 THEN v.result END, CASE WHEN e.status = 'skipped' THEN v.reason END, v.first_seen + (e.number - 1) * interval '3 minutes'
  FROM violation AS v, LATERAL (
    SELECT 1 AS number, 'new' AS status
    UNION ALL SELECT 2, CASE v.status WHEN 'verified' THEN 'fixed' ELSE v.status END WHERE v.status <> 'new'
    UNION ALL SELECT 3, 'verified' WHERE v.status = 'verified'
    UNION ALL SELECT 3, 'reopened' WHERE v.status = 'fixed' AND v.number % 4 = 0
    UNION ALL SELECT 4, 'fixed' WHERE v.status = 'fixed' AND v.number % 4 = 0) AS e;

  INSERT INTO transition (run, number, subject, iteration, job, slot, status, at, actor, cause)
  SELECT s.run, row_number() OVER (PARTITION BY s.run ORDER BY s.iteration, s.job, s.slot), s.subject, s.iteration, s.job, s.slot, s.status, s.at, 'system', 'observed'
  FROM (
    SELECT r.id AS run, 'run' AS subject, NULL::bigint AS iteration, NULL::text AS job, NULL::bigint AS slot, r.status, r.started_at AS at FROM run AS r
    UNION ALL SELECT i.run, 'iteration', i.number, NULL, NULL, i.status, i.started_at FROM iteration AS i
    UNION ALL SELECT g.run, 'gate', g.iteration, g.job, NULL, g.status, g.started_at FROM gate AS g
    UNION ALL SELECT s.run, 'slot', s.iteration, s.job, s.slot, s.status, s.started_at FROM slot AS s
  ) AS s;

  INSERT INTO verdict (run, iteration, review_id, scope, target, mode, verdict, at, blocker, high, medium, low, info)
  SELECT i.run, i.number, r.review_id, 'branch', r.branch, 'full', 'comment', i.finished_at, 0, 2, 5, 3, 1
  FROM run AS r JOIN iteration AS i ON i.run = r.id WHERE r.kind = 'review';

  INSERT INTO remembered_skip (violation, event, run, fingerprint)
  SELECT v.id, 2, v.run, v.fingerprint FROM violation AS v WHERE v.status = 'skipped' AND v.number % 20 = 0;
  INSERT INTO forgotten_skip (violation, event, actor, at)
  SELECT m.violation, m.event, 'user', until FROM remembered_skip AS m WHERE right(m.violation, 1) = '0';

  FOREACH definition IN ARRAY indexes LOOP
    EXECUTE definition;
  END LOOP;
END
$fill$;
