-- The team store: one row a run, with its record as a dump has it. Whoever wants to ask more than the
-- views answer pulls the records into a ledger.

-- +goose Up
-- +goose StatementBegin

-- store_id (a ULID, which the first migration by the program adds) and min_writer, the version of
-- these tables that a program has to know to write to them.
CREATE TABLE meta (
  key   text PRIMARY KEY,
  value text NOT NULL
);
INSERT INTO meta (key, value) VALUES ('min_writer', '1');

CREATE SEQUENCE change;

CREATE TABLE run (
  id          text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'), -- ULID
  repository  text COLLATE "C" NOT NULL,   -- key; '': not known
  ledger      text COLLATE "C" NOT NULL,   -- the one that pushed it; the IDs of dumps begin with "dump:"
  ledger_name text NOT NULL,
  program     text NOT NULL,               -- version of the program that pushed it
  kind        text COLLATE "C" NOT NULL,
  status      text COLLATE "C" NOT NULL,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz,
  revision    bigint NOT NULL,
  digest      text COLLATE "C" NOT NULL,   -- of what every level of content keeps
  content     text COLLATE "C" NOT NULL CHECK (content IN ('words', 'full')),
  received_at timestamptz NOT NULL DEFAULT now(),
  changed     bigint NOT NULL DEFAULT nextval('change'), -- number of the write
  record      jsonb NOT NULL,
  texts       bytea                        -- prompts, answers, logs and excerpts, compressed; NULL: none were sent
);
CREATE INDEX run_by_start ON run (started_at);
CREATE INDEX run_by_repository ON run (repository);
ALTER TABLE run ALTER COLUMN texts SET STORAGE EXTERNAL;

-- lz4 reads several times faster. Not every server has it.
DO $$ BEGIN
  ALTER TABLE run ALTER COLUMN record SET COMPRESSION lz4;
EXCEPTION WHEN OTHERS THEN NULL;
END $$;

-- What was deleted, so that no push brings it back: a run, the runs of a repository that started before
-- it was deleted, or all that started before a time.
CREATE TABLE tombstone (
  id         text COLLATE "C",
  repository text COLLATE "C",
  before     timestamptz,
  at         timestamptz NOT NULL DEFAULT now(),
  by         text NOT NULL DEFAULT session_user,
  CHECK (num_nonnulls(id, repository, before) = 1)
);
CREATE INDEX tombstone_by_id ON tombstone (id);

-- Views for questions in SQL. They have the names and columns of a ledger's views, without what never
-- leaves a machine and what takes all runs to answer. run_started_at limits a question to a period.
-- Columns are only ever added.

CREATE VIEW v_runs AS
SELECT r.id AS run, r.ledger_name AS ledger, r.kind, r.status, r.started_at, r.finished_at, r.revision, r.content, r.received_at, h.*,
  r.record #>> '{code_review,0,review_id}' AS review, r.record #>> '{verdict,-1,verdict}' AS verdict
FROM run AS r
CROSS JOIN LATERAL jsonb_to_record(r.record -> 'run') AS h (branch text, base_ref text, base text, head text, subject text,
  iterations bigint, verified bigint, skipped bigint, open bigint, claimed bigint, withdrawn bigint, config_hash text,
  repository_kind text, repository text, session_ref text, content_removed_at timestamptz);

CREATE VIEW v_iterations AS
SELECT r.id AS run, i.iteration, i.mode, i.source, i.status, i.snapshot, i.head, i.new, i.carried, i.verified, i.reopened,
  i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at, i.noticed_at, i.from_tree, i.to_tree, i.tree, i.base, i.branch,
  coalesce(i.config_hash, r.record #>> '{run,config_hash}') AS config_hash, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'iteration') AS i (iteration bigint, mode text, source text, status text,
  snapshot text, head text, new bigint, carried bigint, verified bigint, reopened bigint, claimed bigint, skipped bigint,
  in_fix_lines bigint, started_at timestamptz, finished_at timestamptz, noticed_at timestamptz, from_tree text, to_tree text, tree text,
  base text, branch text, config_hash text);

CREATE VIEW v_gates AS
SELECT r.id AS run, g.*, j.kind, j.entry_point, j.name AS gate, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'gate') AS g (iteration bigint, job text, status text, not_run_reason text,
  reason text, exit_code bigint, problems bigint, num_reviews bigint, duration_ms bigint, started_at timestamptz,
  finished_at timestamptz, noticed_at timestamptz, rests_on text)
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'job') AS j (job text, kind text, entry_point text, name text) ON j.job = g.job;

CREATE VIEW v_slots AS
SELECT r.id AS run, s.*, j.entry_point, j.name AS gate, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'slot') AS s (iteration bigint, job text, slot bigint, adapter text, model text,
  status text, pass_iteration bigint, reason text, input_tokens bigint, cached_tokens bigint, output_tokens bigint,
  cost_usd double precision, calls bigint, duration_ms bigint, accepted bigint, out_of_diff bigint, below_threshold bigint,
  previously_skipped bigint, malformed bigint, merged bigint, outside_verify bigint, new bigint, reopened bigint, verified bigint,
  carried bigint, finished_at timestamptz, started_at timestamptz, noticed_at timestamptz, latch boolean, error_kind text,
  remembered_skip bigint, reviewed text, elsewhere bigint, repairs bigint, without_word bigint, unseen text, denied text)
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'job') AS j (job text, entry_point text, name text) ON j.job = s.job;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.violation AS ulid, r.id AS run, r.repository, r.record #>> '{run,branch}' AS branch, v.job,
  j.entry_point, j.name AS gate, v.slot, v.adapter, s.model, v.first_iteration, v.last_iteration, v.file, p.line_start AS line,
  p.line_end AS end_line, p.issue, p.fix, v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared,
  v.in_fix_lines, v.first_seen, v.last_seen, v.status_at, v.status IN ('new', 'reopened', 'disputed') AS open,
  p.line_hash,
  CASE WHEN r.status = 'abandoned' AND v.status IN ('new', 'reopened', 'disputed') THEN 'abandoned' ELSE v.status END AS shown,
  v.seen_before, CASE v.status WHEN 'duplicate' THEN v.result END AS duplicate_of,
  (SELECT string_agg(n.other, ' ' ORDER BY n.other) FROM jsonb_to_recordset(r.record -> 'violation_pair') AS n (violation text, other text)
   WHERE n.violation = v.violation) AS related, coalesce(v.block, v.short_id) AS block, v.handed_to,
  r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'violation') AS v (short_id text, violation text, job text, slot bigint, adapter text,
  first_iteration bigint, last_iteration bigint, file text, priority text, status text, result text, reason text, fingerprint text,
  shared boolean, in_fix_lines boolean, first_seen timestamptz, last_seen timestamptz, status_at timestamptz, seen_before text,
  handed_to text, block text, report_iteration bigint, report_slot bigint, report_position bigint)
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'job') AS j (job text, entry_point text, name text) ON j.job = v.job
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'slot') AS s (iteration bigint, job text, slot bigint, model text)
  ON s.iteration = v.first_iteration AND s.job = v.job AND s.slot = v.slot
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'report') AS p (iteration bigint, job text, slot bigint, position bigint,
  line_start bigint, line_end bigint, issue text, fix text, line_hash text)
  ON p.iteration = v.report_iteration AND p.job = v.job AND p.slot = v.report_slot AND p.position = v.report_position;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, e.violation AS ulid, r.id AS run, e.iteration, e.status, e.actor, e.result, e.reason, e.confirmed, e.at,
  e.event AS number, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'event') AS e (violation text, iteration bigint, status text, actor text, result text,
  reason text, confirmed text, at timestamptz, event bigint)
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'violation') AS v (violation text, short_id text) ON v.violation = e.violation;

CREATE VIEW v_transitions AS
SELECT r.id AS run, t.*, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'transition') AS t (subject text, iteration bigint, job text, slot bigint, status text,
  at timestamptz, actor text, cause text, iterations bigint);

CREATE VIEW v_reports AS
SELECT r.id AS run, p.iteration, p.job, p.slot, s.adapter, p.position, p.file, p.line_start AS line, p.line_end AS end_line, p.issue,
  p.fix, p.priority, p.disposition, p.reason, p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking,
  p.line_hash, p.same_as, p.short_id AS report, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'report') AS p (iteration bigint, job text, slot bigint, position bigint,
  violation text, file text, line_start bigint, line_end bigint, issue text, fix text, priority text, disposition text, reason text,
  in_fix_lines boolean, title text, confidence double precision, system_breaking boolean, line_hash text, same_as text, short_id text)
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'slot') AS s (iteration bigint, job text, slot bigint, adapter text)
  ON s.iteration = p.iteration AND s.job = p.job AND s.slot = p.slot
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'violation') AS v (violation text, short_id text) ON v.violation = p.violation;

CREATE VIEW v_verdicts AS
SELECT r.id AS run, c.review_id AS review, c.scope, c.target, d.*, r.started_at AS run_started_at
FROM run AS r
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'verdict') AS d (iteration bigint, mode text, verdict text, at timestamptz,
  blocker bigint, high bigint, medium bigint, low bigint, info bigint)
CROSS JOIN LATERAL jsonb_to_recordset(r.record -> 'code_review') AS c (review_id text, scope text, target text);

-- Violations that are skipped now, and whether the skip is remembered or was forgotten.
CREATE VIEW v_skips AS
SELECT v.violation, v.ulid, v.run, v.repository, v.job, v.entry_point, v.gate, v.file, v.line, v.issue, v.priority, v.reason, v.result,
  e.actor AS skipped_by, e.at, e.fingerprint IS NOT NULL AND f.at IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  v.run_started_at
FROM run AS r
JOIN v_violations AS v ON v.run = r.id AND v.run_started_at = r.started_at
CROSS JOIN LATERAL (
  SELECT e.* FROM jsonb_to_recordset(r.record -> 'event') AS e (violation text, event bigint, actor text, at timestamptz, fingerprint text)
  WHERE e.violation = v.ulid ORDER BY e.event DESC LIMIT 1) AS e
LEFT JOIN LATERAL jsonb_to_recordset(r.record -> 'forgotten_skip') AS f (violation text, event bigint, actor text, at timestamptz)
  ON f.violation = v.ulid AND f.event = e.event
WHERE v.status = 'skipped';
-- +goose StatementEnd
