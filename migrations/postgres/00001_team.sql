-- The history of a team: what ledgers push, one transaction a run. A run is what its
-- ledger says at one revision; rows are added and changed, and only deleted by the owner.
--
-- Text is compared byte by byte, as in a ledger. Events are ordered by number, never by time.

-- +goose Up

-- One row. A pusher needs to know the schema of at least this version.
CREATE TABLE meta (
  one        boolean     PRIMARY KEY DEFAULT true CHECK (one),
  min_writer integer     NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO meta (min_writer) VALUES (1);

CREATE TABLE repository (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  key  text COLLATE "C" NOT NULL,   -- never a path, and without credentials
  UNIQUE (kind, key)
);

CREATE TABLE ledger (
  id           text COLLATE "C" PRIMARY KEY, -- the id of the database
  name         text NOT NULL,
  first_pushed timestamptz NOT NULL DEFAULT now(),
  last_pushed  timestamptz NOT NULL DEFAULT now(),
  program      text NOT NULL DEFAULT ''      -- the version that pushed last
);

CREATE TABLE job (
  job         text COLLATE "C" PRIMARY KEY,
  kind        text COLLATE "C" NOT NULL,
  entry_point text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL
);

-- =================================
-- Runs, iterations, gates and slots
-- =================================

CREATE TABLE run (
  id          text COLLATE "C" PRIMARY KEY, -- ULID
  ledger      text COLLATE "C" NOT NULL REFERENCES ledger (id),
  repository  bigint NOT NULL REFERENCES repository (id),
  revision    bigint NOT NULL,              -- grows with every change in its ledger
  digest      text COLLATE "C" NOT NULL,    -- of its record at this revision, whatever of it was sent
  content     text COLLATE "C" NOT NULL CHECK (content IN ('none', 'words', 'full')),
  kind        text COLLATE "C" NOT NULL,
  branch      text COLLATE "C",
  base_ref    text COLLATE "C" NOT NULL,
  base        text COLLATE "C" NOT NULL,
  head        text COLLATE "C",
  session_ref text COLLATE "C",
  config_hash text COLLATE "C",
  status      text COLLATE "C" NOT NULL,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz,
  iterations  bigint NOT NULL,
  verified    bigint NOT NULL,
  claimed     bigint NOT NULL,
  skipped     bigint NOT NULL,
  open        bigint NOT NULL,
  jobs        text[] COLLATE "C" NOT NULL DEFAULT '{}', -- that it has gates of, so that it is not looked for among all gates
  adapters    text[] COLLATE "C" NOT NULL DEFAULT '{}', -- that filled its slots
  content_removed_at timestamptz,
  review_id   text COLLATE "C",             -- of a code review, with its latest verdict
  verdict     text COLLATE "C",
  received_at timestamptz NOT NULL DEFAULT now(),
  clock_ahead boolean NOT NULL DEFAULT false -- its times were more than five minutes ahead of the server's
);
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_by_repository ON run (repository, started_at);
CREATE INDEX run_by_branch ON run (branch, started_at);
CREATE INDEX run_by_ledger ON run (ledger);
CREATE INDEX run_unfinished ON run (started_at) WHERE finished_at IS NULL;
-- The overview counts all runs by status.
CREATE INDEX run_by_status ON run (status) INCLUDE (open);

-- What was sent of a run, as the lines of a dump, compressed with gzip. Questions about one
-- run are answered from it.
CREATE TABLE record (
  run  text COLLATE "C" PRIMARY KEY REFERENCES run (id),
  data bytea NOT NULL
);

CREATE TABLE iteration (
  run          text COLLATE "C" NOT NULL REFERENCES run (id),
  number       bigint NOT NULL,
  mode         text COLLATE "C" NOT NULL,
  source       text COLLATE "C" NOT NULL,
  from_tree    text COLLATE "C",
  to_tree      text COLLATE "C",
  snapshot     text COLLATE "C",
  tree         text COLLATE "C",
  head         text COLLATE "C",
  status       text COLLATE "C" NOT NULL,
  started_at   timestamptz NOT NULL,
  finished_at  timestamptz,
  noticed_at   timestamptz,
  new          bigint NOT NULL,
  reopened     bigint NOT NULL,
  verified     bigint NOT NULL,
  claimed      bigint NOT NULL,
  skipped      bigint NOT NULL,
  carried      bigint NOT NULL,
  in_fix_lines bigint NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE INDEX iteration_by_tree ON iteration (tree) WHERE tree IS NOT NULL;
CREATE INDEX iteration_by_start ON iteration (started_at);

CREATE TABLE gate (
  run            text COLLATE "C" NOT NULL,
  iteration      bigint NOT NULL,
  job            text COLLATE "C" NOT NULL REFERENCES job (job),
  status         text COLLATE "C" NOT NULL,
  reason         text NOT NULL,
  exit_code      bigint,
  problems       bigint NOT NULL,
  num_reviews    bigint,
  duration_ms    bigint NOT NULL,
  not_run_reason text COLLATE "C",
  started_at     timestamptz,
  finished_at    timestamptz,
  noticed_at     timestamptz,
  PRIMARY KEY (run, iteration, job),
  FOREIGN KEY (run, iteration) REFERENCES iteration (run, number)
);
CREATE INDEX gate_by_job ON gate (job, run);
CREATE INDEX gate_executed ON gate (job, started_at DESC NULLS LAST, run DESC, iteration DESC) WHERE status IN ('passed', 'failed', 'error');

CREATE TABLE slot (
  run                text COLLATE "C" NOT NULL,
  iteration          bigint NOT NULL,
  job                text COLLATE "C" NOT NULL,
  slot               bigint NOT NULL,
  adapter            text COLLATE "C" NOT NULL,
  model              text COLLATE "C",
  status             text COLLATE "C" NOT NULL,
  pass_iteration     bigint,
  latch              boolean NOT NULL,
  error_kind         text COLLATE "C",
  reason             text NOT NULL,
  reviewed           text COLLATE "C",
  input_tokens       bigint,
  cached_tokens      bigint,
  output_tokens      bigint,
  cost_usd           double precision,
  calls              bigint NOT NULL,
  repairs            bigint NOT NULL DEFAULT 0, -- calls in which its reviewer was asked once more, in the form
  duration_ms        bigint NOT NULL,
  started_at         timestamptz,
  finished_at        timestamptz,
  noticed_at         timestamptz,
  ended_at           timestamptz GENERATED ALWAYS AS (coalesce(finished_at, noticed_at)) STORED,
  accepted           bigint NOT NULL,
  out_of_diff        bigint NOT NULL,
  below_threshold    bigint NOT NULL,
  previously_skipped bigint NOT NULL,
  remembered_skip    bigint NOT NULL,
  malformed          bigint NOT NULL,
  merged             bigint NOT NULL,
  outside_verify     bigint NOT NULL,
  new                bigint NOT NULL,
  reopened           bigint NOT NULL,
  verified           bigint NOT NULL,
  carried            bigint NOT NULL,
  elsewhere          bigint NOT NULL,
  notes              text,     -- the reviewer's free words
  note_words         tsvector, -- of them, cut by the pusher as a ledger cuts them
  PRIMARY KEY (run, iteration, job, slot),
  FOREIGN KEY (run, iteration, job) REFERENCES gate (run, iteration, job)
);
CREATE INDEX slot_by_end ON slot (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX slot_by_adapter ON slot (adapter, run);
CREATE INDEX slot_by_discards ON slot (ended_at) WHERE ended_at IS NOT NULL
  AND out_of_diff + below_threshold + previously_skipped + remembered_skip + malformed + merged + outside_verify > 0;
CREATE INDEX slot_by_repairs ON slot (ended_at) WHERE repairs > 0;
CREATE INDEX slot_by_note_words ON slot USING gin (note_words) WHERE note_words IS NOT NULL;

-- Every status that a run, iteration, gate or slot ever had.
CREATE TABLE transition (
  run       text COLLATE "C" NOT NULL REFERENCES run (id),
  number    bigint NOT NULL,             -- 1-based, in the order of the run's record
  subject   text COLLATE "C" NOT NULL,
  iteration bigint,
  job       text COLLATE "C",
  slot      bigint,
  status    text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  cause     text COLLATE "C" NOT NULL,
  PRIMARY KEY (run, number)
);

-- ==============================
-- Violations, reports and events
-- ==============================

-- A violation with its latest report, and what its run is, so that a list is read from
-- this table alone. Places and slots are JSON: [file, line_start, line_end] each, and numbers.
CREATE TABLE violation (
  id                  text COLLATE "C" PRIMARY KEY, -- ULID
  short_id            text COLLATE "C" NOT NULL,    -- unique within a ledger only
  run                 text COLLATE "C" NOT NULL REFERENCES run (id),
  number              bigint NOT NULL,              -- 1-based, in the order of the run's record
  repository          bigint NOT NULL REFERENCES repository (id),
  branch              text COLLATE "C",
  job                 text COLLATE "C" NOT NULL REFERENCES job (job),
  slot                bigint NOT NULL,              -- of the slot that reported it first, as the adapter and the model are
  adapter             text COLLATE "C" NOT NULL,
  model               text COLLATE "C" NOT NULL,    -- 'unknown' where it is not known
  file                text COLLATE "C" NOT NULL,
  folder              text COLLATE "C" GENERATED ALWAYS AS (substr(file, 1, greatest(strpos(file, '/') - 1, 0))) STORED,
  line_start          bigint NOT NULL,
  line_end            bigint NOT NULL,
  issue               text NOT NULL,
  fix                 text NOT NULL,
  line_hash           text COLLATE "C",
  priority            text COLLATE "C" NOT NULL,
  rank                smallint NOT NULL,            -- of the priority; 0 is the most important
  first_iteration     bigint NOT NULL,
  last_iteration      bigint NOT NULL,
  answered_iteration  bigint,
  fingerprint         text COLLATE "C",
  fingerprint_version bigint,
  status              text COLLATE "C" NOT NULL,
  status_by           text COLLATE "C" NOT NULL,    -- the actor of its last event
  result              text,
  reason              text COLLATE "C",
  seen_before         text COLLATE "C",             -- the short id of what its reviewer said it is
  gone                text NOT NULL DEFAULT '',     -- who says that it is gone though nobody claims so
  more_slots          text COLLATE "C" NOT NULL DEFAULT '[]', -- that reported it, too
  also                text COLLATE "C" NOT NULL DEFAULT '[]', -- more places of its latest report
  shared              boolean NOT NULL,
  in_fix_lines        boolean NOT NULL,
  recurring           boolean NOT NULL DEFAULT false, -- other runs of the repository have its fingerprint, too
  reopened            boolean NOT NULL DEFAULT false, -- a claim was contradicted once; what is marked stays marked
  abandoned           boolean NOT NULL,             -- its run was abandoned
  open                boolean GENERATED ALWAYS AS (status IN ('new', 'reopened')) STORED,
  shown               text COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN abandoned AND status IN ('new', 'reopened') THEN 'abandoned' ELSE status END) STORED,
  first_seen          timestamptz NOT NULL,
  last_seen           timestamptz NOT NULL,
  status_at           timestamptz NOT NULL,
  UNIQUE (run, number)
);

-- Lists are newest first: by first_seen, run and number. An index has the first of the three,
-- for the rest is sorted group by group, and the groups are answers of one slot.
CREATE INDEX violation_by_short_id ON violation (short_id);
CREATE INDEX violation_by_time ON violation (first_seen);
CREATE INDEX violation_by_status ON violation (shown, first_seen);
CREATE INDEX violation_by_priority ON violation (priority, first_seen);
CREATE INDEX violation_by_repository ON violation (repository, first_seen);
CREATE INDEX violation_by_branch ON violation (branch, first_seen);
CREATE INDEX violation_by_job ON violation (job, first_seen);
CREATE INDEX violation_by_adapter ON violation (adapter, first_seen);
CREATE INDEX violation_by_model ON violation (model, first_seen);
CREATE INDEX violation_by_change ON violation (status_at, first_seen);
CREATE INDEX violation_by_file ON violation (file, line_start);
CREATE INDEX violation_by_fingerprint ON violation (fingerprint, repository, first_seen, run) WHERE fingerprint IS NOT NULL;
CREATE INDEX violation_recurring ON violation (first_seen) WHERE recurring;
CREATE INDEX violation_in_fix_lines ON violation (first_seen) WHERE in_fix_lines;
-- Open violations are counted by their priority in the index.
CREATE INDEX violation_open ON violation (first_seen) INCLUDE (priority) WHERE status IN ('new', 'reopened') AND NOT abandoned;
-- The list that is asked for most, in the order of files. Few violations are open.
CREATE INDEX violation_open_by_file ON violation (file, line_start) WHERE status IN ('new', 'reopened') AND NOT abandoned;
-- All that is said of a file stands in the index: its violations lie anywhere in their table.
CREATE INDEX violation_of_file ON violation (repository, file, first_seen)
  INCLUDE (adapter, model, job, branch, run, status, open, abandoned, in_fix_lines, reopened);
-- The same for lines that recur, which are a part of all.
CREATE INDEX violation_of_line ON violation (fingerprint, repository)
  INCLUDE (first_seen, run, job, adapter, model, branch, open, abandoned) WHERE recurring;

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

CREATE TABLE report (
  run             text COLLATE "C" NOT NULL,
  iteration       bigint NOT NULL,
  job             text COLLATE "C" NOT NULL,
  slot            bigint NOT NULL,
  position        bigint NOT NULL,
  violation       text COLLATE "C" REFERENCES violation (id),
  file            text COLLATE "C" NOT NULL,
  line_start      bigint NOT NULL,
  line_end        bigint NOT NULL,
  issue           text NOT NULL,
  fix             text NOT NULL,
  title           text,
  confidence      double precision,
  system_breaking boolean NOT NULL,
  priority        text COLLATE "C" NOT NULL,
  disposition     text COLLATE "C" NOT NULL,
  reason          text NOT NULL,
  in_fix_lines    boolean NOT NULL,
  also            text COLLATE "C" NOT NULL DEFAULT '[]', -- more places
  same_as         text,                  -- what its reviewer named as the same
  short_id        text COLLATE "C",      -- of one that filters removed
  line_hash       text COLLATE "C",
  fingerprint     text COLLATE "C",
  line_repeated   boolean,
  at              timestamptz,           -- when its slot ended
  result          text,                  -- of its violation, beside the latest report of that one
  words           tsvector NOT NULL,     -- of issue, fix, title and result, cut by the pusher as a ledger cuts them
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot) REFERENCES slot (run, iteration, job, slot)
);
CREATE INDEX report_by_violation ON report (violation) WHERE violation IS NOT NULL;
CREATE INDEX report_by_time ON report (at);
CREATE INDEX report_by_words ON report USING gin (words, day_number(at));

-- Again is whether an earlier event of the violation has the same status, which the first two
-- never do: violations with an event in a part of a week are then counted from days, without those
-- that have it on several.
CREATE TABLE event (
  violation text COLLATE "C" NOT NULL REFERENCES violation (id),
  number    bigint NOT NULL,
  run       text COLLATE "C" NOT NULL,  -- that of the violation
  iteration bigint NOT NULL,
  status    text COLLATE "C" NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  result    text,
  reason    text COLLATE "C",
  at        timestamptz NOT NULL,
  again     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (violation, number)
);
CREATE INDEX event_by_run ON event (run);
CREATE INDEX event_by_status ON event (status, at);
CREATE INDEX event_said_again ON event (at) INCLUDE (violation, status) WHERE again;

-- What the iterations of code reviews came to.
CREATE TABLE verdict (
  run       text COLLATE "C" NOT NULL,
  iteration bigint NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  scope     text COLLATE "C" NOT NULL,
  target    text NOT NULL,
  mode      text COLLATE "C" NOT NULL,
  verdict   text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  blocker   bigint NOT NULL,
  high      bigint NOT NULL,
  medium    bigint NOT NULL,
  low       bigint NOT NULL,
  info      bigint NOT NULL,
  PRIMARY KEY (run, iteration),
  FOREIGN KEY (run, iteration) REFERENCES iteration (run, number)
);
CREATE INDEX verdict_by_time ON verdict (at);

-- =====
-- Skips
-- =====

-- Skips that were to be remembered, those whose memory was ended, and reports that were left
-- out because of one.
CREATE TABLE remembered_skip (
  violation   text COLLATE "C" NOT NULL,
  event       bigint NOT NULL,
  run         text COLLATE "C" NOT NULL REFERENCES run (id),
  fingerprint text COLLATE "C" NOT NULL,
  PRIMARY KEY (violation, event),
  FOREIGN KEY (violation, event) REFERENCES event (violation, number)
);
CREATE INDEX remembered_skip_by_run ON remembered_skip (run);

CREATE TABLE forgotten_skip (
  violation text COLLATE "C" NOT NULL,
  event     bigint NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (violation, event)
);

CREATE TABLE met_skip (
  run       text COLLATE "C" NOT NULL,
  iteration bigint NOT NULL,
  job       text COLLATE "C" NOT NULL,
  slot      bigint NOT NULL,
  position  bigint NOT NULL,
  violation text COLLATE "C" NOT NULL,   -- of an earlier run, which may not be here
  event     bigint NOT NULL,
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot, position) REFERENCES report (run, iteration, job, slot, position)
);
CREATE INDEX met_skip_by_violation ON met_skip (violation);

-- =======
-- Removal
-- =======

-- What was deleted and does not come back: a run (key: its ULID), a repository (key: its kind,
-- a blank, and its key), or all that began before a time (key: empty; one row).
CREATE TABLE tombstone (
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('run', 'repository', 'before')),
  key    text COLLATE "C" NOT NULL,
  before timestamptz CHECK ((kind = 'before') = (before IS NOT NULL)),
  at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
);

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

-- ========================================
-- What lists of violations are filtered by
-- ========================================

-- The functions are parts of the queries that call them: the planner sees what each value leaves,
-- and its index.

-- Whether a value is in a list. No list leaves nothing out.
-- +goose StatementBegin
CREATE FUNCTION among(value text, list text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION among(value bigint, list bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;
-- +goose StatementEnd

-- Whether a time lies in a period. An end that is NULL is open.
-- +goose StatementBegin
CREATE FUNCTION within(at timestamptz, since timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (since IS NULL OR at >= since) AND (until IS NULL OR at < until)
$$;
-- +goose StatementEnd

-- Whether a time lies in one of the parts of a period that are read row by row. There are four at
-- most. As each bound is a constant to the planner, it knows how few rows that are.
-- +goose StatementBegin
CREATE FUNCTION in_edges(at timestamptz, since timestamptz[], until timestamptz[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT at >= since[1] AND at < until[1] OR at >= since[2] AND at < until[2]
    OR at >= since[3] AND at < until[3] OR at >= since[4] AND at < until[4]
$$;
-- +goose StatementEnd

-- The violations that a filter keeps. Each condition stands here, and only here. What is NULL
-- leaves nothing out; a flag does so when it is false.
-- +goose StatementBegin
CREATE FUNCTION filtered(
  ids text[], runs text[], branch text, jobs text[], repositories bigint[], statuses text[], priorities text[], reasons text[],
  actors text[], adapter text, model text, slot bigint, iteration bigint, fingerprint text, files text[], folder text,
  alone boolean, in_fix_lines boolean, recurring boolean,
  since timestamptz, until timestamptz, changed_since timestamptz, changed_until timestamptz,
  events text[], event_since timestamptz, event_until timestamptz, event_iteration bigint
) RETURNS SETOF violation LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT v.*
  FROM violation AS v
  WHERE among(v.id, filtered.ids) AND among(v.run, filtered.runs) AND among(v.job, filtered.jobs)
    AND among(v.repository, filtered.repositories)
    AND (filtered.branch IS NULL OR v.branch = filtered.branch)
    AND CASE WHEN filtered.statuses <@ ARRAY['new', 'reopened'] AND filtered.statuses @> ARRAY['new', 'reopened']
      THEN v.status IN ('new', 'reopened') AND NOT v.abandoned ELSE among(v.shown, filtered.statuses) END
    AND among(v.priority, filtered.priorities)
    AND (filtered.reasons IS NULL OR v.shown = 'skipped' AND among(coalesce(nullif(v.reason, ''), 'none'), filtered.reasons))
    AND among(v.status_by, filtered.actors)
    AND (filtered.adapter IS NULL OR v.adapter = filtered.adapter)
    AND (filtered.model IS NULL OR v.model = filtered.model)
    AND (filtered.slot IS NULL OR v.slot = filtered.slot)
    AND (filtered.iteration IS NULL OR v.first_iteration = filtered.iteration)
    AND (filtered.fingerprint IS NULL OR v.fingerprint = filtered.fingerprint)
    AND among(v.file, filtered.files)
    AND (filtered.folder IS NULL OR v.file >= filtered.folder AND v.file < filtered.folder || '0'
      AND (v.file = filtered.folder OR v.file > filtered.folder || '/'))
    AND (NOT filtered.alone OR NOT v.shared)
    AND (NOT filtered.in_fix_lines OR v.in_fix_lines)
    AND (NOT filtered.recurring OR v.recurring)
    AND within(v.first_seen, filtered.since, filtered.until)
    AND within(v.status_at, filtered.changed_since, filtered.changed_until)
    AND (filtered.events IS NULL OR EXISTS (
      SELECT 1 FROM event AS e
      WHERE e.violation = v.id AND among(e.status, filtered.events) AND within(e.at, filtered.event_since, filtered.event_until)
        AND (filtered.event_iteration IS NULL OR e.iteration = filtered.event_iteration)))
$$;
-- +goose StatementEnd

-- =========================
-- What a person asks in SQL
-- =========================

-- Views with the names that they have in a ledger, and its columns but for what never leaves a
-- machine. Each says whose rows they are, too. Their columns only ever grow in number.

CREATE VIEW v_runs AS
SELECT r.id AS run, l.name AS ledger, r.kind, r.status, r.branch, r.base_ref, r.base, r.head, r.iterations, r.verified AS fixed,
  r.skipped, r.open, r.started_at, r.finished_at, r.verified, r.claimed, r.revision, r.config_hash,
  p.kind AS repository_kind, p.key AS repository, r.session_ref, r.content_removed_at, r.review_id AS review, r.verdict,
  r.content, r.received_at
FROM run AS r
JOIN ledger AS l ON l.id = r.ledger
JOIN repository AS p ON p.id = r.repository;

CREATE VIEW v_iterations AS
SELECT i.run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head, i.new, i.carried, i.verified, i.reopened,
  i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at, i.noticed_at, i.from_tree, i.to_tree, i.tree
FROM iteration AS i;

CREATE VIEW v_gates AS
SELECT g.run, g.iteration, g.job, j.kind, j.entry_point, j.name AS gate, g.status, g.not_run_reason, g.reason, g.exit_code,
  g.problems, g.num_reviews, g.duration_ms, g.started_at, g.finished_at, g.noticed_at
FROM gate AS g
JOIN job AS j ON j.job = g.job;

CREATE VIEW v_slots AS
SELECT s.run, s.iteration, s.job, j.entry_point, j.name AS gate, s.slot, s.adapter, s.model, s.status, s.pass_iteration, s.reason,
  s.input_tokens, s.cached_tokens, s.output_tokens, s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff,
  s.below_threshold, s.previously_skipped, s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried,
  s.finished_at, s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.repairs
FROM slot AS s
JOIN job AS j ON j.job = s.job;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.branch, v.job, j.entry_point, j.name AS gate, v.slot,
  v.adapter, v.model, v.first_iteration, v.last_iteration, v.file, v.line_start AS line, v.line_end AS end_line, v.issue, v.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines, v.first_seen, v.last_seen, v.status_at,
  v.open, v.line_hash, v.shown, v.recurring, v.seen_before
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, e.violation AS ulid, e.run, e.iteration, e.status, e.actor, e.result, e.reason, e.at, e.number
FROM event AS e
JOIN violation AS v ON v.id = e.violation;

CREATE VIEW v_transitions AS
SELECT t.run, t.subject, t.iteration, t.job, t.slot, t.status, t.at, t.actor, t.cause
FROM transition AS t;

CREATE VIEW v_reports AS
SELECT p.run, p.iteration, p.job, p.slot, s.adapter, p.position, p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  p.priority, p.disposition, p.reason, p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash,
  p.same_as, p.short_id AS report
FROM report AS p
JOIN slot AS s ON s.run = p.run AND s.iteration = p.iteration AND s.job = p.job AND s.slot = p.slot
LEFT JOIN violation AS v ON v.id = p.violation;

CREATE VIEW v_verdicts AS
SELECT d.run, d.iteration, d.review_id AS review, d.scope, d.target, d.mode, d.verdict, d.at, d.blocker, d.high, d.medium, d.low, d.info
FROM verdict AS d;

-- Skips that hold now, with what is known of their memory.
CREATE VIEW v_skips AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.job, j.entry_point, j.name AS gate, v.file, v.line_start AS line,
  v.issue, v.priority, v.reason, v.result, v.status_by AS skipped_by, v.status_at AS at,
  m.fingerprint IS NOT NULL AND f.at IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skip AS t WHERE t.violation = v.id) AS met,
  (SELECT max(s.ended_at) FROM met_skip AS t
   JOIN slot AS s ON s.run = t.run AND s.iteration = t.iteration AND s.job = t.job AND s.slot = t.slot
   WHERE t.violation = v.id) AS last_met
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job
CROSS JOIN LATERAL (SELECT max(e.number) AS number FROM event AS e WHERE e.violation = v.id) AS latest
LEFT JOIN remembered_skip AS m ON m.violation = v.id AND m.event = latest.number
LEFT JOIN forgotten_skip AS f ON f.violation = v.id AND f.event = latest.number
WHERE v.status = 'skipped';

-- =======================
-- What rows say of others
-- =======================

CREATE VIEW made_run_names AS
SELECT r.id AS run, ARRAY(SELECT DISTINCT g.job FROM gate AS g WHERE g.run = r.id ORDER BY g.job) AS jobs,
  ARRAY(SELECT DISTINCT s.adapter FROM slot AS s WHERE s.run = r.id ORDER BY s.adapter) AS adapters
FROM run AS r;

-- Names the jobs and adapters of some runs; NULL: of all.
-- +goose StatementBegin
CREATE FUNCTION name_runs(counted text[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE run AS r SET jobs = m.jobs, adapters = m.adapters
  FROM made_run_names AS m
  WHERE (counted IS NULL OR m.run = ANY (counted)) AND r.id = m.run AND (r.jobs <> m.jobs OR r.adapters <> m.adapters);
END
$$;
-- +goose StatementEnd

-- Marks the events of some runs; NULL: of all. Events are looked up by their violations: those
-- of a status are millions.
-- +goose StatementBegin
CREATE FUNCTION mark_events(counted text[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE event AS e SET again = NOT e.again
  WHERE (counted IS NULL OR e.run = ANY (counted)) AND e.again <> (e.number > 2 AND EXISTS (
    SELECT 1 FROM event AS p WHERE p.violation = e.violation AND p.number < e.number AND p.status || '' = e.status));
END
$$;
-- +goose StatementEnd

-- What totals of the branch begin with; NULL: there are none of the run. They are kept of the
-- branches that all others come from, which have more runs than are read in time.
-- +goose StatementBegin
CREATE FUNCTION counted_branch(branch text, base_ref text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN branch IN ('main', 'master', 'trunk', 'develop') OR base_ref = branch OR right(base_ref, length(branch) + 1) = '/' || branch
    THEN '@' || branch || '@' END
$$;
-- +goose StatementEnd

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

-- ======
-- Totals
-- ======

-- So that figures over all time need not read every row. What a total is made of stands once, in
-- a view of cells: one row for everything that is counted in a bucket. count_runs takes the cells
-- of runs away before their rows change, and adds them again after; the made_ views count the
-- cells of all runs, and wrong_totals compares.
--
-- A bucket is a stretch of time in UTC: '' is all time, '2026-11' a month, '2026-11-22' a
-- day, 'W2026-11-16' the week that begins on that Monday; or it is the first folder of a
-- path: '/src', and '/' beside no folder. '@main@' before a stretch of time is that of a branch:
-- what follows the last @ has none, so a bucket has one meaning, whatever a branch is called. A
-- model that is not known is 'unknown'. Durations are rounded to three digits.
--
-- A pusher may not delete: a total that has come to nothing stays as a row of zeros until
-- the owner calls tidy_totals.

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
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day, '/' || f.folder]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

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
  v.reopened, v.branch
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
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

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
JOIN run AS r ON r.id = f.run
CROSS JOIN LATERAL (SELECT day_of(f.at) AS day, counted_branch(r.branch, r.base_ref) COLLATE "default" AS branch OFFSET 0) AS d
CROSS JOIN LATERAL (
  SELECT unnest(ARRAY['', substr(d.day, 1, 7), d.day]
    || CASE WHEN d.branch IS NOT NULL THEN ARRAY[d.branch, d.branch || substr(d.day, 1, 7), d.branch || d.day] END) AS bucket) AS b;

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

-- How many violations had such an event in a day, or in a week, however often. An event is left
-- out where an earlier one of the violation says the same in the same bucket, which the first two
-- never do.
CREATE VIEW event_cell AS
SELECT e.run, d.branch || b.bucket AS bucket, v.repository, v.job, v.adapter, v.model, e.status
FROM event AS e
JOIN violation AS v ON v.id = e.violation
JOIN run AS r ON r.id = e.run
CROSS JOIN LATERAL (SELECT unnest(ARRAY[day_of(e.at), 'W' || week_of(e.at)]) AS bucket) AS b
CROSS JOIN LATERAL (SELECT unnest(ARRAY['', counted_branch(r.branch, r.base_ref) COLLATE "default"]) AS branch) AS d
WHERE d.branch IS NOT NULL AND (e.number <= 2 OR NOT EXISTS (
  SELECT 1 FROM event AS p
  WHERE p.violation = e.violation AND p.number < e.number AND p.status = e.status AND b.bucket IN (day_of(p.at), 'W' || week_of(p.at))));

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

-- The functions that count go by indexes alone. Their plans are made once in a connection,
-- and while a first push fills the tables nobody knows yet how large they become: a plan
-- that reads whole tables, made when they were empty, would be kept.

-- +goose StatementBegin
CREATE FUNCTION count_violations(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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
-- they have changed. Who calls it holds the lock of the schema. Several are counted at once, so
-- that many cost hardly more than one: what they have in common is added up before a total is
-- looked for.
-- +goose StatementBegin
CREATE FUNCTION count_runs(counted text[], sign integer) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF sign > 0 THEN
    UPDATE violation AS v SET reopened = true FROM event AS e -- by the index of runs, not by that of statuses
    WHERE e.run = ANY (counted) AND e.status || '' = 'reopened' AND v.id = e.violation AND NOT v.reopened;
    PERFORM mark_events(counted);
    PERFORM name_runs(counted);
  END IF;
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

  INSERT INTO run_total AS t (run, day, job, adapter, model, status, violations)
  SELECT c.run, c.day, c.job, c.adapter, c.model, c.status, sign * count(*)
  FROM run_cell AS c WHERE c.run = ANY (counted)
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (run, day, job, adapter, model, status) DO UPDATE SET violations = t.violations + excluded.violations;

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

-- +goose StatementBegin
CREATE FUNCTION count_run(counted text, sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_runs(ARRAY[counted], sign);
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
  DELETE FROM run_total AS t WHERE t.violations = 0;
  DELETE FROM event_total AS t WHERE t.violations = 0;
  DELETE FROM recurring_line AS l WHERE l.runs < 2 AND NOT l.marked;
  DELETE FROM flaky_tree AS f
  WHERE (SELECT count(DISTINCT o.status) FROM check_outcome AS o WHERE o.tree = f.tree AND o.job = f.job) < 2;
  DELETE FROM outcome_total AS t WHERE t.violations = 0;
  DELETE FROM cost_total AS t WHERE t.cost_nano = 0 AND t.calls = 0;
END
$$;
-- +goose StatementEnd

-- Makes all totals and marks anew. For the owner. Those of a bucket lie together, so that few
-- pages are read. Where nobody knows yet how many rows there are, as after a restore, the server
-- would look at all events of a status for each event.
-- +goose StatementBegin
CREATE FUNCTION make_totals() RETURNS void LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
BEGIN
  ANALYZE run, job, iteration, gate, slot, violation, event;
  UPDATE violation AS v SET reopened = v.id IN (SELECT e.violation FROM event AS e WHERE e.status = 'reopened')
  WHERE v.reopened <> (v.id IN (SELECT e.violation FROM event AS e WHERE e.status = 'reopened'));
  PERFORM mark_events(NULL);
  PERFORM name_runs(NULL);
  TRUNCATE violation_kind, violation_total, file_total, recurring_line, slot_total, slot_time, check_total, event_total, run_total,
    outcome_total, cost_total, flaky_tree;
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
  INSERT INTO outcome_total SELECT m.* FROM made_outcome_total AS m ORDER BY m.bucket, m.repository, m.job;
  INSERT INTO cost_total SELECT m.* FROM made_cost_total AS m ORDER BY m.bucket, m.repository, m.job;
END
$$;
-- +goose StatementEnd

-- Names the totals and marks that differ from those made of all rows.
-- +goose StatementBegin
CREATE FUNCTION wrong_totals() RETURNS SETOF text LANGUAGE sql STABLE SET enable_bitmapscan = off AS $$
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
